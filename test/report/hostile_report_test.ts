import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { marked } from "marked";
import pl from "nodejs-polars";
import { withProvenance } from "../../src/frames/origin/provenance.ts";
import { buildDetails, buildIndicesFrame } from "../plots/_frames.ts";
import { buildReport } from "./_report.ts";

const ATTACKS = [
  `"><script>alert(1)</script><img src=x onerror=alert(2)>`,
  "[click](javascript:alert(1)) ![x](https://evil.example/p.png) <https://evil.example>",
  "| a | b |\n| --- | --- |\n# Title\n\n    code `code` https://evil.example www.evil.example a@evil.example",
  "&lt;script&gt; \u202ereversed\u0007 **bold** _it_ ~~gone~~",
];

/** An attack as an option: options with invisible characters are refused, but those from a service are shown as text. */
const asOption = (attack: string) => attack.replaceAll(/\p{C}/gu, " ");

/** Files of a report on a turbine whose every text is an attack, next to a turbine without data. */
async function attacked(attack: string): Promise<Record<string, string>> {
  const frame = buildIndicesFrame({ turbines: [attack] });
  const indices = withProvenance(frame.withColumn(pl.lit(attack).alias("status")), frame);
  const details = buildDetails({ turbine_id: attack, name: attack, time_zone: attack });
  return await buildReport(
    [{ details, indices }, { turbineId: `${attack}2`, reason: attack }],
    { fleet: asOption(attack) },
  );
}

describe("F26 input from outside", () => {
  for (const attack of ATTACKS) {
    it(`is text in the pages: ${JSON.stringify(attack.slice(0, 30))}`, async () => {
      const files = await attacked(attack);
      for (const [name, page] of Object.entries(files)) {
        if (!name.endsWith(".html")) continue;
        const drawn = page.replace(/<svg .*?<\/svg>/gs, "");
        assert(!/<script|<img|<https|onerror=alert\(2\)>/.test(page), name);
        assertEquals(drawn.match(/href="(?!#|turbines\/|\.\.\/index\.html)[^"]*"/g), null);
        for (const unseen of ["\u202e", "\u0007"]) assert(!drawn.includes(unseen), name);
      }
    });

    it(`is text in Markdown: ${JSON.stringify(attack.slice(0, 30))}`, async () => {
      const files = await attacked(attack);
      for (const [name, content] of Object.entries(files)) {
        if (!name.endsWith(".md")) continue;
        const html = await marked(content);
        assert(!/<script|<img|<code|<pre|<del|<em|\u202e/.test(html), `${name}: ${html}`);
        const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
        for (const address of links) {
          assert(/^(turbines\/[\w-]+|\.\.\/index)\.md$/.test(address), `${name}: ${address}`);
        }
        assertEquals(html.match(/<h1/g)?.length, 1, name);
      }
    });

    it(`is unchanged in JSON: ${JSON.stringify(attack.slice(0, 30))}`, async () => {
      const files = await attacked(attack);
      const { fleet, turbines } = JSON.parse(files["index.json"]);
      assertEquals(fleet, asOption(attack));
      assertEquals(turbines.map(({ turbine_id }: { turbine_id: string }) => turbine_id).sort(), [
        attack,
        `${attack}2`,
      ]);
    });
  }

  it("is cut if it is long", async () => {
    const name = "x".repeat(100_000);
    const { "index.html": page, "index.md": text } = await buildReport([{
      details: buildDetails({ name }),
      indices: buildIndicesFrame(),
    }]);
    assert(page.length < 200_000 && text.length < 20_000);
    assertStringIncludes(page, "…");
  });
});
