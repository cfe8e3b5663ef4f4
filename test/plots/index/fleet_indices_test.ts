import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { plotFleetIndices } from "../../../src/plots/index/fleet_indices.ts";
import { buildIndicesFrame } from "../_frames.ts";
import { drawRandomGaps } from "../_gaps.ts";
import { assertSnapshot } from "../_snapshot.ts";

function buildNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `WT${String(i + 1).padStart(2, "0")}`);
}

describe("plotFleetIndices()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot(
      "fleet_indices",
      () => plotFleetIndices(buildIndicesFrame({ turbines: buildNames(5), months: 12 })),
    );
  });

  it("gives each turbine a panel in the order of the frame", async () => {
    const turbines = ["WTC", "WTA", "WTB"];
    const svg = await plotFleetIndices(buildIndicesFrame({ turbines, months: 12 })).svg();
    const positions = turbines.map((name) => svg.indexOf(`>${name}</text>`));
    assert(positions.every((position) => position > 0));
    assertEquals(positions, [...positions].sort((a, b) => a - b));
    assertStringIncludes(svg, "Month abnormality index of 3 turbines");
  });

  it("draws 1 and 60 turbines within the requested width, and refuses 61", async () => {
    for (const [count, width] of [[1, 360], [24, 640], [60, 640], [60, 360]]) {
      const frame = buildIndicesFrame({ turbines: buildNames(count), months: 12 });
      const svg = await plotFleetIndices(frame, { width }).svg();
      const drawn = Number(/width="(\d+)"/.exec(svg)?.[1]);
      assert(drawn < width + 80, `${count} turbines at ${width}: ${drawn}`);
    }
    const error = assertThrows(
      () => plotFleetIndices(buildIndicesFrame({ turbines: buildNames(61), months: 2 })),
      ArgumentError,
      "61 turbines, but at most 60",
    );
    assertStringIncludes(error.message, "slice(0, 60)");
  });

  it("draws any gaps, one month, turbines without any data, and 86 years", async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const gaps = drawRandomGaps(seed, 18);
      await plotFleetIndices(buildIndicesFrame({ turbines: buildNames(3), months: 18, gaps }))
        .svg();
    }
    await plotFleetIndices(buildIndicesFrame({ turbines: buildNames(3), months: 1, gaps: [] }))
      .svg();
    const none = plotFleetIndices(
      buildIndicesFrame({ turbines: buildNames(2), months: 2, gaps: [0, 1] }),
    );
    await none.svg();
    assertStringIncludes(none.altText, "no data");
    const long = buildIndicesFrame({ turbines: buildNames(4), from: "1940-01", months: 1032 });
    assertStringIncludes(await plotFleetIndices(long).svg(), ">1950<");
  });

  it("labels the years also of panels without a January or a round year", async () => {
    const frame = buildIndicesFrame({
      turbines: buildNames(12),
      from: "2022-02",
      months: 11,
      gaps: [],
    });
    assertStringIncludes(await plotFleetIndices(frame, { width: 560 }).svg(), ">2022<");
  });

  it("V15: says SYNTHETIC above the small panels, not in each", async () => {
    const frame = buildIndicesFrame({ turbines: buildNames(3), months: 6, world: "sample" });
    const svg = await plotFleetIndices(frame).svg();
    assertEquals(svg.match(/>SYNTHETIC: invented figures/g)?.length, 1);
    assertEquals(svg.includes(">SYNTHETIC</text>"), false);
  });

  it("refuses a frame without turbines, without rows, or with a repeated month", () => {
    const frame = buildIndicesFrame();
    assertThrows(
      () => plotFleetIndices(frame.drop("turbine_id")),
      ArgumentError,
      `no column "turbine_id"`,
    );
    assertThrows(() => plotFleetIndices(frame.head(0)), ArgumentError, "no rows");
    assertThrows(() => plotFleetIndices(frame.vstack(frame)), ArgumentError, "is duplicated");
  });

  it("F26 cuts long names to their panel, whole emoji by whole emoji, and escapes them", async () => {
    const turbines = ["<script>", "\u{1f32c}".repeat(50), `it's "x" \\ ${"long ".repeat(40)}`];
    const chart = plotFleetIndices(buildIndicesFrame({ turbines, months: 6 }));
    const svg = await chart.svg();
    assert(!svg.includes("<script") && svg.isWellFormed());
    assertStringIncludes(svg, "\u{1f32c}\u2026");
    assertStringIncludes(svg, "long");
  });
});
