import pl from "nodejs-polars";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CUSTOM_INSPECT, JUPYTER_DISPLAY } from "../../src/show/jupyter.ts";
import { formatParts, type Parts, renderParts, showAsParts } from "../../src/show/parts.ts";

const parts: Parts = {
  title: "Check of T1",
  facts: [{ label: "Basis", value: "prediction" }],
  summary: ["Two months left the band."],
  tables: [
    {
      title: "Months",
      frame: pl.DataFrame({ month: ["2024-01", "2024-02"], energy: [1.5, null] }),
    },
    { title: "Outages", frame: pl.DataFrame({ name: ["<b>Gearbox</b>"] }) },
  ],
  caption: ["One month was left out"],
  synthetic: true,
};

describe("parts of an answer", () => {
  it("are written as text in reading order", () => {
    const text = formatParts(parts);
    const places = [
      "SYNTHETIC",
      "Check of T1",
      "Basis",
      "Two months",
      "Months",
      "Outages",
      "left out",
    ]
      .map((word) => text.indexOf(word));
    assertEquals(places, [...places].sort((a, b) => a - b));
    assert(places[0] >= 0);
  });

  it("show their sentences in full, and shorten very long ones", () => {
    const long = "A sentence of one hundred and twenty words, ".repeat(13).trim();
    assert(long.length > 500 && long.length < 600);
    for (const write of [formatParts, renderParts]) {
      const text = write({ ...parts, summary: [long, "x".repeat(700)] });
      assertStringIncludes(text, long);
      assert(!text.includes("x".repeat(601)));
    }
  });

  it("say once that the figures are invented", () => {
    assertEquals(formatParts(parts).split("SYNTHETIC").length, 2);
    assertEquals(renderParts(parts).split("SYNTHETIC").length, 2);
  });

  it("are escaped in HTML", () => {
    assert(!renderParts(parts).includes("<b>Gearbox"));
    assertStringIncludes(renderParts(parts), "&lt;b&gt;Gearbox");
  });

  it("leave the object plain", () => {
    const result = showAsParts({ months: 2 }, () => parts);
    assertEquals(Object.keys(result), ["months"]);
    assertEquals(JSON.stringify(result), '{"months":2}');
    const object = result as unknown as Record<symbol, () => unknown>;
    assertEquals(Object.keys(object[JUPYTER_DISPLAY]() as object), ["text/html", "text/plain"]);
    assertStringIncludes(String(object[CUSTOM_INSPECT]()), "Check of T1");
  });

  it("are the same each time", () => {
    assertEquals(renderParts(parts), renderParts(parts));
  });
});
