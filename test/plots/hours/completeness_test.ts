import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { completenessColumns } from "../../../src/analysis/check_quality/summary.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { World } from "../../../src/api/world.ts";
import { buildFrame } from "../../../src/frames/frame.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import type { Chart } from "../../../src/plots/drawing/chart.ts";
import { plotCompleteness } from "../../../src/plots/hours/completeness.ts";
import { computeContrast } from "../_color_vision.ts";
import { buildOrigin } from "../_frames.ts";
import { drawRandomGaps } from "../_gaps.ts";
import { assertSnapshot } from "../_snapshot.ts";

/** Completeness by year and month; the first and last months are outside of the record. */
function buildSharesFrame(
  years: number,
  computeShare: (month: number) => number,
  world: World = "own",
): DataFrame {
  const [from, to] = [2, 12 * years - 3];
  const values = Object.fromEntries(
    completenessColumns.slice(1).map(({ name }, column) => [
      name,
      Array.from({ length: years }, (_, row) => {
        const month = 12 * row + column;
        return month < from || month > to ? null : computeShare(month);
      }),
    ]),
  );
  const year = Array.from({ length: years }, (_, row) => 2020 + row);
  return describeFrame(
    buildFrame(completenessColumns, { year, ...values }),
    completenessColumns,
    buildOrigin(world, "production"),
  );
}

const usual = [1, 0.999, 0.98, 0.9799, 0.9, 0.85, 0.5, 0.3, 0, 1, 0.697];
const buildFrameOfShares = (world: World = "own") =>
  buildSharesFrame(3, (month) => usual[month % 11], world);

interface Cell {
  label: string;
  figure: string;
  share: number;
}

const readCells = (chart: Chart): Cell[] =>
  (chart.spec.vconcat as { data: { values: Cell[] } }[])
    .find((view) => view.data.values[0].share !== undefined)!.data.values;

describe("plotCompleteness()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("completeness", () => plotCompleteness(buildFrameOfShares()));
  });

  it("shows title, classes, months, years and source", async () => {
    const svg = await plotCompleteness(buildFrameOfShares()).svg();
    for (
      const text of [
        "Completeness of T1, Mar 2020 to Oct 2022",
        "Hours with a value (%)",
        ">Jan<",
        ">2021<",
        ">98<",
        "No value",
        "production from own data, 2024-02-01",
      ]
    ) assertStringIncludes(svg, text);
  });

  it("leaves out months outside of the record, and rounds shares down", () => {
    const cells = readCells(plotCompleteness(buildFrameOfShares()));
    assertEquals(cells.length, 36 - 2 - 2);
    assertEquals([cells[0].label, cells[cells.length - 1].label], ["March 2020", "October 2022"]);
    const figures = new Map(cells.map(({ share, figure }) => [share, figure]));
    assertEquals(figures.get(100), "100");
    assertEquals(figures.get(99.9), "99");
    assertEquals(figures.get(97.99), "97");
    const frame = buildSharesFrame(1, () => 0.57); // 100 x 0.57 is 56.99999999999999
    assertEquals(readCells(plotCompleteness(frame))[0].figure, "57");
  });

  it("describes missing hours in words", () => {
    const { altText } = plotCompleteness(buildFrameOfShares());
    assertStringIncludes(altText, "March 2020 to October 2022, ");
    assertStringIncludes(altText, "of 32 months below 98 %, the least complete 0.0 % in");
    const completeText = plotCompleteness(buildSharesFrame(2, () => 1)).altText;
    assertStringIncludes(completeText, "all months at least 98 % complete");
    const nearly =
      plotCompleteness(buildSharesFrame(1, (month) => month === 3 ? 0.9798 : 1)).altText;
    assertStringIncludes(
      nearly,
      "1 of 8 months below 98 %, the least complete 97.9 % in April 2020",
    );
  });

  it("marks synthetic data above and behind the cells", async () => {
    const chart = plotCompleteness(buildFrameOfShares("sample"));
    assertStringIncludes(chart.altText, "SYNTHETIC");
    assert((await chart.svg()).split("SYNTHETIC").length > 3);
  });

  it("draws records with any gaps, of any length and width", async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const gaps = new Set(drawRandomGaps(seed, 60));
      const chart = plotCompleteness(buildSharesFrame(5, (month) => gaps.has(month) ? 0 : 0.99), {
        width: 200 + 60 * seed,
      });
      assert((await chart.svg()).startsWith("<svg"), `gaps of seed ${seed}`);
    }
    await plotCompleteness(buildSharesFrame(86, (month) => (month % 100) / 100)).svg();
  });

  it("writes figures that are legible on their cells", () => {
    const views = plotCompleteness(buildFrameOfShares()).spec.vconcat as { layer?: unknown[] }[];
    const json = JSON.stringify(views);
    const [, colors] = /"domain":\[50,80,90,98\],"range":\[([^\]]+)\]/.exec(json)!;
    for (const color of colors.split(",").map((text) => JSON.parse(text))) {
      assert(computeContrast(color, "#1a1a1a") >= 4.5, color);
    }
  });

  it("refuses a missing column, no rows, duplicated years and shares outside of 0 to 1", () => {
    const readRefusal = (frame: DataFrame) =>
      assertThrows(() => plotCompleteness(frame), ArgumentError).message;
    assertStringIncludes(readRefusal(buildFrameOfShares().drop("jan")), 'has no column "jan"');
    assertStringIncludes(readRefusal(buildFrameOfShares().head(0)), "the frame has no rows");
    assertStringIncludes(
      readRefusal(pl.concat([buildFrameOfShares(), buildFrameOfShares()])),
      "year 2020 is duplicated",
    );
    assertStringIncludes(
      readRefusal(buildSharesFrame(1, () => 98)),
      "March 2020 is 98, not a share from 0 to 1. Divide percentages by 100",
    );
    const none = buildFrameOfShares().withColumns(
      ...completenessColumns.slice(1).map(({ name }) => pl.lit(null).cast(pl.Float64).alias(name)),
    );
    assertStringIncludes(readRefusal(none), "no month has a share");
  });
});
