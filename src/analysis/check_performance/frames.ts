import pl, { type DataFrame } from "nodejs-polars";
import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { month } from "../../api/columns/columns.ts";
import { buildRows } from "../../frames/frame.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { describeFrame, type Origin } from "../../frames/provenance.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import { comparisonColumns } from "../series/compared_series.ts";
import { computeBandEnds, computeStableRatios, isJudged, type NormalBand } from "./band.ts";
import type { CheckResult, PeriodResult } from "./check_result.ts";
import type { DeviationSteps } from "./deviation_steps.ts";
import type { LossInterval } from "./lost_energy.ts";

const [, energy] = productionColumns.month;
const [year] = productionColumns.year;
const [produced, predicted, ratio, hours, completeness] = pickColumns(comparisonColumns, [
  "produced",
  "predicted",
  "ratio",
  "hours",
  "completeness",
]);

const periods: Readonly<Record<"month" | "year", Column>> = { month, year };

/** State of a period relative to the band: `normal`, `low`, `high`, `incomplete`, or null where nothing is compared. */
const state: Column = ownColumn(
  "state",
  "utf8",
  "State",
  "`low` or `high` where the ratio leaves the normal band (`low` also where it is far below the others), " +
    "`normal` inside, `incomplete` with too few hours.",
);

/** The frame `comparison` of `checkPerformance()`: one row a month or a year. */
function performanceColumns(by: "month" | "year"): readonly Column[] {
  return [
    periods[by],
    produced,
    { ...predicted, description: "Expected energy for the same hours." },
    ratio,
    ownColumn(
      "band_low",
      "f64",
      "Band, low",
      "Lower end of the band of normal ratios, for the expected energy of the row.",
      "%",
    ),
    ownColumn(
      "band_high",
      "f64",
      "Band, high",
      "Upper end of the band of normal ratios, for the expected energy of the row.",
      "%",
    ),
    ownColumn(
      "stable_ratio",
      "f64",
      "Stable state",
      "Median ratio of the stable state of the row; null without a lasting change, and in the row of one.",
      "%",
    ),
    state,
    hours,
    {
      ...completeness,
      description: "Share of the period's hours that are compared.",
    },
  ];
}

const step = ownColumn("step", "utf8", "Step", "Cause of the change.");

/** The frame `steps` of `checkPerformance()`: normal first, the changes in order, produced last. */
const stepColumns: readonly Column[] = [
  step,
  { ...energy, description: "Energy, or change of energy." },
  ownColumn(
    "energy_low",
    "f64",
    "Energy, low",
    "Lower end of the 90 % interval that the energy lost in outages has; null for other steps. Outages are taken as independent.",
    "MWh",
  ),
  ownColumn("energy_high", "f64", "Energy, high", "Upper end of the same.", "MWh"),
  ownColumn("share", "f64", "Of the first", "Energy over that of the first step.", "%"),
];

/** The frame `stepsByPeriod` of `checkPerformance()`: the steps of each month or year. */
function stepsByPeriodColumns(by: "month" | "year"): readonly Column[] {
  return [periods[by], ...stepColumns];
}

/** The frame `outages` of `checkPerformance()`: one row an outage. */
const outageColumns: readonly Column[] = [
  ownColumn("outage", "utf8", "Outage", "Name of the outage."),
  ownColumn("lost", "f64", "Lost", "Expected less produced energy.", "MWh"),
  ownColumn(
    "lost_low",
    "f64",
    "Lost, low",
    "Lower end of the 90 % interval of the lost energy.",
    "MWh",
  ),
  ownColumn(
    "lost_high",
    "f64",
    "Lost, high",
    "Upper end of the 90 % interval of the lost energy.",
    "MWh",
  ),
  ownColumn(
    "expected",
    "f64",
    "Expected",
    "Energy that the turbine would have produced while it was not available.",
    "MWh",
  ),
  { ...produced, description: "Energy that it produced in that time." },
  ownColumn("from", "datetime", "From", "Start of the outage."),
  ownColumn("to", "datetime", "To", "End of the outage, exclusive."),
  ownColumn(
    "source",
    "utf8",
    "Source",
    "How it is known: `named` by the caller, `status`, `detected` from production, or `neighbours`.",
  ),
  { ...completeness, description: "Share of its hours with production and model data." },
];

/** State of a period relative to the band. */
type PeriodState = "normal" | "low" | "high" | "incomplete";

/** Computes produced over predicted energy, %; NaN where there is nothing to compare. */
export function computeRatio({ produced, predicted }: PeriodResult): number {
  return predicted > 0 ? 100 * produced / predicted : NaN;
}

/** Judges a period by the band and the others; `null` where there is nothing to compare, or no band. */
export function judgeState(period: PeriodResult, band: NormalBand | null): PeriodState | null {
  const ratio = computeRatio(period);
  if (!Number.isFinite(ratio)) return null;
  if (!isJudged(period)) return "incomplete";
  if (period.short) return "low";
  if (band === null) return null;
  const { low, high } = computeBandEnds(band, period.predicted);
  return ratio < low ? "low" : ratio > high ? "high" : "normal";
}

/** A month as days since 1970, or a year. */
function keyOf(by: "month" | "year"): (period: PeriodResult) => number {
  return ({ number }) => by === "month" ? monthAsDays(monthOfNumber(number)) : number;
}

/** Builds the frame of the periods: produced and expected energy, ratio, band and state. */
export function buildComparisonFrame(
  checked: CheckResult,
  band: NormalBand | null,
  origin: Origin,
): DataFrame {
  const { by, periods } = checked;
  const columns = performanceColumns(by);
  const key = keyOf(by);
  const stable = computeStableRatios(checked);
  const rows = periods.map((period, i) => {
    const ends = band && isJudged(period) ? computeBandEnds(band, period.predicted) : undefined;
    return {
      [by]: key(period),
      produced: period.produced,
      predicted: period.predicted,
      ratio: computeRatio(period),
      band_low: ends?.low,
      band_high: ends?.high,
      stable_ratio: 100 * stable[i],
      state: judgeState(period, band),
      hours: period.compared,
      completeness: period.completeness,
    };
  });
  return describeFrame(buildRows(columns, rows), columns, origin);
}

/** Selects the rows of a comparison outside of the band. */
export function buildOutsideFrame(
  comparison: DataFrame,
  by: "month" | "year",
  origin: Origin,
): DataFrame {
  const outside = comparison.filter(
    pl.col("state").eq(pl.lit("low")).or(pl.col("state").eq(pl.lit("high"))),
  );
  return describeFrame(outside, performanceColumns(by), origin);
}

/** Adds up the energy of each step over all periods, MWh. */
export function sumSteps({ names, periods }: DeviationSteps): number[] {
  return names.map((_, step) => periods.reduce((sum, { energies }) => sum + energies[step], 0));
}

/** Rows of the steps: the ends of their 90 % intervals are those of the energy lost in outages, which moves between the steps. */
function listSteps(
  { names, signs }: DeviationSteps,
  energies: readonly number[],
  lost: number,
  { low, high }: LossInterval,
) {
  return names.map((step, i) => {
    const energy = energies[i];
    const [energy_low, energy_high] = [low, high]
      .map((end) => signs[i] === 0 ? NaN : energy + signs[i] * (end - lost))
      .sort((a, b) => a - b);
    return { step, energy, energy_low, energy_high, share: 100 * energy / energies[0] };
  });
}

/** Builds the frame of the steps over all periods. */
export function buildStepsFrame(steps: DeviationSteps, origin: Origin): DataFrame {
  const lost = steps.periods.reduce((sum, { period }) => sum + period.lost, 0);
  const rows = listSteps(steps, sumSteps(steps), lost, steps.lostInterval);
  return describeFrame(buildRows(stepColumns, rows), stepColumns, origin);
}

/** Builds the frame of the steps of each period. */
export function buildStepsByPeriodFrame(
  steps: DeviationSteps,
  by: "month" | "year",
  origin: Origin,
): DataFrame {
  const columns = stepsByPeriodColumns(by);
  const key = keyOf(by);
  const rows = steps.periods.flatMap(({ period, energies }) =>
    listSteps(steps, energies, period.lost, period.lostInterval)
      .map((row) => ({ [by]: key(period), ...row }))
  );
  return describeFrame(buildRows(columns, rows), columns, origin);
}

/** Builds the frame of outages, one a row. */
export function buildOutagesFrame({ outages, timeZone }: CheckResult, origin: Origin): DataFrame {
  const rows = outages.map(({ name, low, high, ...outage }) => ({
    ...outage,
    outage: name,
    lost_low: low,
    lost_high: high,
  }));
  return describeFrame(buildRows(outageColumns, rows, timeZone), outageColumns, origin);
}

/** The frame `changes` of `checkPerformance()`: one row a lasting change. */
export const changeColumns: readonly Column[] = [
  ownColumn(
    "change",
    "utf8",
    "Change",
    "`loss` or `gain` of power, or `limit`: a level that the power did not exceed.",
  ),
  ownColumn("from", "datetime", "From", "Start of the change."),
  ownColumn(
    "from_low",
    "datetime",
    "From, earliest",
    "Lower end of the 90 % interval of the start.",
  ),
  ownColumn(
    "from_high",
    "datetime",
    "From, latest",
    "Upper end of the 90 % interval of the start.",
  ),
  ownColumn("to", "datetime", "To", "The next change, or the end of the record; exclusive."),
  ownColumn("size", "f64", "Size", "Change of the power, of that before.", "%"),
  ownColumn("size_low", "f64", "Size, low", "Lower end of the 90 % interval of the size.", "%"),
  ownColumn("size_high", "f64", "Size, high", "Upper end of the 90 % interval of the size.", "%"),
  ownColumn("lost", "f64", "Lost", "Energy lost from start to end; negative for a gain.", "MWh"),
  ownColumn("lost_low", "f64", "Lost, low", "Lower end of the 90 % interval of that.", "MWh"),
  ownColumn("lost_high", "f64", "Lost, high", "Upper end of the 90 % interval of that.", "MWh"),
  ownColumn("level", "f64", "Level", "Level of a limit.", "kW"),
  ownColumn(
    "against",
    "utf8",
    "Against",
    "What it was found against: `prediction` or `neighbours`.",
  ),
];

/** Builds the frame of lasting changes, one a row. */
export function buildChangesFrame(
  { change, timeZone }: CheckResult,
  origin: Origin,
): DataFrame {
  const rows = (change?.changes ?? []).map((
    { kind, from, earliest, latest, to, size, low, high, lost, lostLow, lostHigh, ...one },
  ) => ({
    change: kind,
    from,
    from_low: earliest,
    from_high: latest,
    to,
    size: 100 * size,
    size_low: 100 * low,
    size_high: 100 * high,
    lost,
    lost_low: lostLow,
    lost_high: lostHigh,
    level: one.level,
    against: one.against,
  }));
  const frame = buildRows(changeColumns, rows, timeZone);
  return describeFrame(frame, changeColumns, origin);
}
