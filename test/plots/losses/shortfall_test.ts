import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import type { Chart } from "../../../src/plots/drawing/chart.ts";
import { plotShortfall } from "../../../src/plots/losses/shortfall.ts";
import { buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { listViews } from "../_views.ts";

const STEPS = ["Expected", "Wind", "Air density", "Availability", "Unexplained", "Actual"];

function buildSteps(
  energies: readonly (number | null)[],
  names: readonly string[] = STEPS,
): DataFrame {
  return pl.DataFrame([
    pl.Series("step", [...names], pl.Utf8),
    pl.Series("energy", [...energies], pl.Float64),
  ]);
}

const buildShortfall = () => buildSteps([6200, -310, 25, -140, -35, 5740]);

function readBars(chart: Chart): { from: number; to: number; kind: string }[] {
  const views = listViews<{ from: number }>(chart);
  return views.find((view) => view.data.values.length > 1)!.data.values as never;
}

describe("plotShortfall()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("shortfall", () => plotShortfall(buildShortfall()));
  });

  it("shows the steps in order, with energy and share of the expected", async () => {
    const chart = plotShortfall(buildShortfall());
    const svg = await chart.svg();
    for (
      const text of [
        "From expected to actual",
        "Energy (MWh)",
        "Actual 5,740 MWh, 92.6 % of 6,200 MWh expected",
        ">\u2212310<",
        ">\u22125.0 %<",
        ">+25<",
      ]
    ) assertStringIncludes(svg, text);
    const positions = STEPS.map((step) => svg.indexOf(`>${step}<`));
    assertEquals(positions, [...positions].sort((a, b) => a - b));
    assertStringIncludes(chart.altText, "Unexplained \u221235 MWh");
  });

  it("M8: draws and names the interval of a change only if it has one", async () => {
    const low = pl.Series("energy_low", [null, null, null, -170, -65, null], pl.Float64);
    const high = pl.Series("energy_high", [null, null, null, -110, -5, null], pl.Float64);
    const chart = plotShortfall(buildShortfall().withColumns(low, high));
    assertStringIncludes(await chart.svg(), ">90 % interval<");
    assertStringIncludes(
      chart.altText,
      "Availability \u2212140 MWh (\u2212170 to \u2212110)",
    );
    assert(!(await plotShortfall(buildShortfall()).svg()).includes("90 % interval"));
  });

  it("M8: draws one month of a check, and refuses a month outside of it", () => {
    const of = (month: string, scale: number) =>
      buildSteps([6200, -310, 25, -140, -35, 5740].map((energy) => energy * scale))
        .withColumns(pl.lit(month).str.strptime(pl.Date, "%Y-%m-%d").alias("month"));
    const stepsByPeriod = pl.concat([of("2024-02-01", 0.1), of("2024-03-01", 0.2)]);
    const check = { frames: { steps: buildShortfall(), stepsByPeriod } };
    assertStringIncludes(plotShortfall(check).altText, "Feb to Mar 2024. Actual 5,740 MWh");
    const march = plotShortfall(check, { month: "2024-03" }).altText;
    assertStringIncludes(march, "From expected to actual: March 2024. Actual 1,148 MWh");
    assertEquals(plotShortfall(stepsByPeriod, { month: "2024-03" }).altText, march);
    const refuse = (change: () => unknown, text: string) =>
      assertThrows(change, ArgumentError, text);
    refuse(() => plotShortfall(check, { month: "2024-05" }), "cover 2024-02 to 2024-03");
    refuse(() => plotShortfall(stepsByPeriod), 'Choose a month with { month: "2024-02" }');
    refuse(
      () => plotShortfall(buildShortfall(), { month: "2024-05" }),
      "have no months. Omit the month",
    );
  });

  it("starts each change at the end of the previous one", () => {
    const bars = readBars(plotShortfall(buildShortfall()));
    assertEquals(bars.map(({ from, to }) => [from, to]), [
      [0, 6200],
      [6200, 5890],
      [5890, 5915],
      [5915, 5775],
      [5775, 5740],
      [0, 5740],
    ]);
    assertEquals(bars.map((bar) => bar.kind).slice(1, 5), ["Loss", "Gain", "Loss", "Loss"]);
  });

  it("says if the axis does not begin at zero", async () => {
    assertStringIncludes(
      await plotShortfall(buildShortfall()).svg(),
      "begins at 5,500 MWh, not at zero",
    );
    const large = buildSteps([100, -80, -30, 15, 0, 5]);
    assert(!(await plotShortfall(large).svg()).includes("not at zero"));
  });

  it("refuses steps that do not add up, and states the difference", () => {
    const error = assertThrows(
      () => plotShortfall(buildSteps([6200, -310, 25, -140, -35, 5750])),
      ArgumentError,
      "The difference is 10 MWh",
    );
    assertStringIncludes(error.message, `"Actual" is 5750 MWh`);
    assertThrows(
      () => plotShortfall(buildSteps([6200, -310, 25, -140, -35, 5740.01])),
      ArgumentError,
    );
  });

  it("accepts rounding errors in the sum", async () => {
    const changes = Array.from({ length: 40 }, (_, i) => 0.1 * (i % 7) - 0.3);
    const actual = changes.reduceRight((sum, change) => sum + change, 0.3);
    const names = ["Expected", ...changes.map((_, i) => `Cause ${i}`), "Actual"];
    await plotShortfall(buildSteps([0.3, ...changes, actual], names)).svg();
  });

  it("draws zero and negative energies, and no changes", async () => {
    for (
      const energies of [[0, 0, 0], [10, -14, -4], [-1, -2, -3], [5, 0, 5], [1e-9, 0, 1e-9], [
        4e9,
        -1e9,
        3e9,
      ]]
    ) {
      const chart = plotShortfall(buildSteps(energies, ["Expected", "Wind", "Actual"]));
      assert((await chart.svg()).startsWith("<svg"), `${energies}`);
      assert(!chart.altText.includes("NaN") && !chart.altText.includes("Infinity"));
    }
  });

  it("refuses too few rows, a missing column, energy or name", () => {
    assertThrows(() => plotShortfall(buildShortfall().head(0)), ArgumentError, "no rows");
    assertThrows(() => plotShortfall(buildShortfall().head(2)), ArgumentError, "2 rows");
    assertThrows(
      () => plotShortfall(buildShortfall().drop("step")),
      ArgumentError,
      `column "step"`,
    );
    const hole = buildSteps([6200, null, -310, 25, -140, 5775]);
    assertThrows(() => plotShortfall(hole), ArgumentError, `no energy (step "Wind")`);
    const nameless = buildSteps([6200, -460, 5740], ["Expected", " ", "Actual"]);
    assertThrows(() => plotShortfall(nameless), ArgumentError, "row 2 of the frame has no name");
  });

  it("uses the unit and origin of the frame", async () => {
    const column = {
      name: "energy",
      dtype: "f64",
      unit: "GWh",
      label: "Energy",
      description: "Energy of a step.",
      tag: "ours",
    } as const;
    const svg = await plotShortfall(
      describeFrame(buildShortfall(), [column], buildOrigin("sample")),
    ).svg();
    assertStringIncludes(svg, "Energy (GWh)");
    assertStringIncludes(svg, ">SYNTHETIC</text>");
  });

  it("F26 draws hostile, long and equal names of steps", async () => {
    const names = ["<script>", "x".repeat(500), "\u{1f32c} ".repeat(40), "Same", "Same", `'"\\`];
    const svg = await plotShortfall(buildSteps([6200, -310, 25, -140, -35, 5740], names), {
      width: 360,
    }).svg();
    assert(!svg.includes("<script") && svg.isWellFormed());
    assertEquals(svg.match(/>Same</g)?.length, 2);
  });

  it("never writes a change as zero, and states the start of the axis exactly", async () => {
    const frame = pl.DataFrame({
      step: ["Expected", "Tiny", "Actual"],
      energy: [6000, -0.3, 5999.7],
    });
    const chart = plotShortfall(frame);
    assertStringIncludes(chart.altText, "Tiny \u22120.3 MWh");
    assertStringIncludes(await chart.svg(), "The axis begins at 5,999.5 MWh");
  });

  it("slants names if many bars leave no space for them", async () => {
    const names = Array.from({ length: 16 }, (_, i) => `Reason with a name ${i}`);
    const frame = pl.DataFrame({
      step: ["Expected", ...names, "Actual"],
      energy: [1000, ...names.map(() => -20), 680],
    });
    const svg = await plotShortfall(frame).svg();
    assertStringIncludes(svg, ">Reason with a name 15</text>");
    assertStringIncludes(svg, "rotate(315)");
  });
});
