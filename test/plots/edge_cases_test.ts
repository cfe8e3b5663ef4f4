import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { buildOrRefuse } from "./_build_or_refuse.ts";
import { buildEveryChart, edgeCases } from "./_edge_cases.ts";
import { findCollisions, readTextBoxes } from "./_text_boxes.ts";

describe("every chart", () => {
  for (const [name, edge] of Object.entries(edgeCases)) {
    it(`V15: has no overlapping and no shortened texts: ${name}`, async () => {
      const faults: Record<string, readonly string[]> = {};
      for (const [plot, build] of Object.entries(buildEveryChart(edge))) {
        const chart = buildOrRefuse(build);
        if (!chart) continue;
        const boxes = await readTextBoxes(chart);
        assert(boxes.length > 5, plot);
        const cut = boxes.filter((box) => box.cut).map(({ text }) => `"${text}" is cut`);
        const wrong = [...findCollisions(boxes), ...cut];
        if (wrong.length > 0) faults[plot] = wrong.slice(0, 6);
      }
      assertEquals(faults, {});
    });
  }
});
