import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import { referenceColumns } from "../../../src/analysis/compare_references/fit.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { World } from "../../../src/api/world.ts";
import { buildFrame, type ColumnValues } from "../../../src/frames/frame.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { plotCoverageMap } from "../../../src/plots/maps/coverage_map.ts";
import { plotReferences } from "../../../src/plots/comparison/references.ts";
import { buildDetails, buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";

type Row = Readonly<Record<string, string | number | null>>;

const rows: readonly Row[] = [
  {
    rank: 1,
    name: "era5 55.5 N 7.75 E",
    monthly_r: 0.981,
    monthly_r_low: 0.965,
    monthly_r_high: 0.989,
    hourly_r: 0.901,
    distance_to_request_location: 5.777,
    trend: -1.2,
    trend_low: -4.4,
    trend_high: 2,
    years: 20,
    latitude: 55.5,
    longitude: 7.75,
    notes: "",
  },
  {
    rank: 2,
    name: "Neighbour",
    monthly_r: 0.975,
    monthly_r_low: 0.951,
    monthly_r_high: 0.985,
    hourly_r: 0.93,
    notes: "no trend",
  },
  {
    rank: 3,
    name: "merra2, one with a name that is very long",
    monthly_r: 0.94,
    monthly_r_low: 0.91,
    monthly_r_high: 0.96,
    hourly_r: 0.84,
    bias: -3.2,
    distance_to_request_location: 134.4,
    trend: -6.1,
    trend_low: -9,
    trend_high: -3.2,
    years: 30,
    latitude: 56.4,
    longitude: 9,
    notes: "its wind has a trend",
  },
  { rank: null, name: "old", trend: 4, trend_low: -60, trend_high: 68, years: 3, notes: "none" },
];

function buildReferencesFrame(of: readonly Row[] = rows, world: World = "own"): DataFrame {
  const values = Object.fromEntries(referenceColumns.map(({ name }) => [
    name,
    of.map((row) => row[name] ?? null) as ColumnValues,
  ]));
  return describeFrame(
    buildFrame(referenceColumns, values),
    referenceColumns,
    buildOrigin(world, "download_climate"),
  );
}

describe("plotReferences()", () => {
  it("V6: promises distance and bias only if they are drawn", async () => {
    const read = (frame: DataFrame) => plotReferences(frame).svg();
    assertStringIncludes(
      await read(buildReferencesFrame()),
      "Best reference first, with distance and bias of the power.",
    );
    assertStringIncludes(
      await read(buildReferencesFrame(rows.slice(1, 2))),
      "Best reference first.",
    );
    assertStringIncludes(
      await read(buildReferencesFrame(rows.slice(0, 2))),
      "Best reference first, with distance.",
    );
  });

  it("V6: writes a trend beyond the axis at that end, clear of the zero line", async () => {
    const far = [{ ...rows[0], trend: 42, trend_low: -8, trend_high: 92 }];
    const svg = await plotReferences(buildReferencesFrame(far)).svg();
    const at = (text: string) =>
      [...svg.matchAll(/<text text-anchor="(\w+)" transform="translate\(([\d.]+),[^>]*>([^<]*)</g)]
        .find(([, , , label]) => label === text);
    const [, anchor, x] = at("+42 %") ?? [];
    assertEquals(anchor, "end");
    assert(Number(x) > 250, x);
  });

  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("references", () => plotReferences(buildReferencesFrame()));
  });

  it("shows names, distances, bias, both correlations, the trend and where its axis ends", async () => {
    const svg = await plotReferences(buildReferencesFrame()).svg();
    for (
      const text of [
        "References for the production",
        "era5 55.5 N 7.75 E",
        "5.8 km",
        "134 km, bias −3.2 %",
        "Monthly r, 90 % interval",
        "Hourly r",
        "Trend of the wind (% per decade)",
        "The axis of the trend ends at 30 % per decade",
        "download_climate from own data",
      ]
    ) assertStringIncludes(svg, text);
  });

  it("names the first five in its alternative text", () => {
    assertEquals(
      plotReferences(buildReferencesFrame()).altText,
      "Dots of correlations and trends, the best first. References for the production. " +
        "era5 55.5 N 7.75 E: 5.8 km, monthly r 0.981, hourly r 0.901, trend −1.2 % per decade; " +
        "Neighbour: monthly r 0.975, hourly r 0.930; " +
        "merra2, one with a name that is very long: 134 km, bias −3.2 %, " +
        "monthly r 0.940, hourly r 0.840, trend −6.1 % per decade; " +
        "old: no correlation, trend +4.0 % per decade.",
    );
    const many = Array.from({ length: 9 }, () => rows[1]);
    assertStringIncludes(plotReferences(buildReferencesFrame(many)).altText, "; and 4 more.");
  });

  it("says SYNTHETIC for the sample, and marks a significant trend in another colour", async () => {
    const chart = plotReferences(buildReferencesFrame(rows, "sample"));
    assertStringIncludes(chart.altText, "SYNTHETIC");
    assertStringIncludes(await chart.svg(), 'stroke="#b03a00"');
    assert(!(await plotReferences(buildReferencesFrame([rows[0]])).svg()).includes("#b03a00"));
  });

  it("draws one and forty, without a correlation, and with trends beyond the axis, narrow and wide", async () => {
    const strange = { ...rows[3], trend: -3400, trend_low: -9000, trend_high: 2000 };
    const frames = [
      [rows[1]],
      [rows[3]],
      [strange, rows[0]],
      Array.from({ length: 40 }, (_, i) => rows[i % 4]),
    ];
    for (const of of frames) {
      for (const width of [300, 900]) {
        const svg = await plotReferences(buildReferencesFrame(of), { width }).svg();
        assert(svg.startsWith("<svg"));
      }
    }
    assertStringIncludes(await plotReferences(buildReferencesFrame([strange])).svg(), "−3,400 %");
  });

  it("refuses a missing column, no rows, and more than forty", () => {
    const readRefusal = (frame: DataFrame) =>
      assertThrows(() => plotReferences(frame), ArgumentError).message;
    assertStringIncludes(
      readRefusal(buildReferencesFrame().drop("trend")),
      'has no column "trend"',
    );
    assertStringIncludes(readRefusal(buildReferencesFrame([])), "the frame has no rows");
    const many = Array.from({ length: 41 }, () => rows[0]);
    assertStringIncludes(readRefusal(buildReferencesFrame(many)), "references.head(40)");
  });

  it("accepts a frame that the map of points accepts too", () => {
    const turbine = { ...buildDetails(), longitude: 7.84 };
    const chart = plotCoverageMap(buildReferencesFrame(), { turbine });
    assertStringIncludes(chart.altText, "2 of 4 points without coordinates left out");
  });
});
