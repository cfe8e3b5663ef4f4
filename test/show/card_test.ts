import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  buildCardBundle,
  type Card,
  formatCard,
  renderCard,
  showAsCard,
} from "../../src/show/card.ts";
import { JUPYTER_DISPLAY } from "../../src/show/jupyter.ts";

const turbine: Card = {
  title: "Turbine T1",
  rows: [
    { label: "Hub height", value: "80", unit: "m", hint: "hub_height: above ground" },
    { label: "Rotor diameter", value: null, unit: "m" },
    { label: "Reference period", value: undefined },
    { label: "First year", value: "2006", part: true },
  ],
  caption: ["turbine_details from own data"],
  synthetic: true,
};

describe("a card", () => {
  it("is text in two columns", () => {
    assertEquals(
      formatCard(turbine),
      `SYNTHETIC: invented figures, not real data
Turbine T1

Hub height        80 m
Rotor diameter    –
Reference period
  First year      2006

turbine_details from own data`,
    );
  });

  it("is a table with badge, title, hints, units and caption in HTML", () => {
    const html = renderCard(turbine);
    assertEquals(html.match(/<tr /g)?.length, 4);
    for (
      const part of [
        ">SYNTHETIC</span> invented figures",
        ">Turbine T1</div>",
        'title="hub_height: above ground"',
        '>80 <span style="opacity:.7">m</span></td>',
        'title="no value"',
        "<div>turbine_details from own data</div>",
      ]
    ) assertStringIncludes(html, part);
  });

  it("takes its colours from the theme around it, except for the badge", () => {
    const colours = renderCard({ ...turbine, synthetic: false }).match(/#[0-9a-f]{3,6}\b|rgb/g);
    assertEquals(colours, null);
  });

  it("does not mention invented figures if they are real", () => {
    assert(
      !JSON.stringify(buildCardBundle({ ...turbine, synthetic: false })).includes("SYNTHETIC"),
    );
  });

  it("F26 escapes and shortens all texts", () => {
    const attack = `<img src=x onerror="1">\u202e\u001b[31m${"x".repeat(10_000)}`;
    const rows = Array.from({ length: 10_000 }, () => (
      { label: attack, value: attack, unit: "<b>", hint: attack }
    ));
    const card = { title: attack, rows, caption: [attack] };
    for (const text of [renderCard(card), formatCard(card)]) {
      assert(text.length < 200_000, `${text.length}`);
      assert(!/\p{Cf}/u.test(text) && !text.includes("\u001b"));
      assertStringIncludes(text, "… 9,940 more fields not shown …");
    }
    assert(!/<img|<b>/.test(renderCard(card)));
  });
});

describe("showAsCard()", () => {
  const plain = { a: 1, inner: { b: [2] } };
  const object = showAsCard({ a: 1, inner: { b: [2] } }, () => turbine);

  it("shows an object in notebooks and on the console", () => {
    const display = (object as unknown as { [JUPYTER_DISPLAY](): unknown })[JUPYTER_DISPLAY]();
    assertEquals(display, buildCardBundle(turbine));
    assertEquals(Deno.inspect(object), formatCard(turbine));
  });

  it("leaves it a plain object for code", () => {
    assertEquals(object, plain);
    assertEquals(plain, object);
    assertEquals(Object.getPrototypeOf(object), Object.prototype);
    assertEquals(JSON.stringify(object), JSON.stringify(plain));
    assertEquals(structuredClone(object), plain);
    assertEquals([Object.keys(object), Object.getOwnPropertySymbols({ ...object })], [
      ["a", "inner"],
      [],
    ]);
  });
});
