import { addedColumn, type Column, pickColumns, withEnds } from "../../api/columns/column.ts";
import { month } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import type { AnswerFrame } from "../series/answer.ts";
import { comparisonColumns } from "../series/compared_series.ts";
import { computeBandEnds, computeStableRatios, isJudged, type NormalBand } from "./band.ts";
import type { CheckResult } from "./check_result.ts";
import { computeEnds, type DeviationSteps, type Steps } from "./deviation_steps.ts";
import type { PeriodResult } from "./losses/lost_energy.ts";

const [, energy] = productionColumns.month;
const [year] = productionColumns.year;
const [produced, predicted, ratio, hours, completeness] = pickColumns(comparisonColumns, [
  "produced",
  "predicted",
  "ratio",
  "hours",
  "completeness",
]);

export const periodColumns: Readonly<Record<"month" | "year", Column>> = { month, year };

/** State of a period relative to the band: `normal`, `low`, `high`, `incomplete`, or null without a comparison. */
const state: Column = addedColumn(
  "state",
  "utf8",
  "State",
  "`low` or `high` if the ratio is outside the normal band (`low` also if far below the others), " +
    "`normal` inside the band, `incomplete` with too few hours.",
);

/** The frame `comparison` of `checkPerformance()`: one row a month or a year. */
function performanceColumns(by: "month" | "year"): readonly Column[] {
  return [
    periodColumns[by],
    produced,
    { ...predicted, description: "Expected energy for the same hours." },
    ratio,
    ...withEnds(
      addedColumn("band", "f64", "Band", "", "%"),
      "the band of normal ratios, for the expected energy of the row",
    ).slice(1),
    addedColumn(
      "stable_ratio",
      "f64",
      "Stable state",
      "Median ratio of the stable state of the row; null without a lasting change, and in the row of a change.",
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

const step = addedColumn("step", "utf8", "Step", "Cause of the change.");

/** The frame `steps` of `checkPerformance()`: normal first, the changes in order, produced last. */
export const stepColumns: readonly Column[] = [
  step,
  ...withEnds(
    { ...energy, description: "Energy, or change of energy." },
    "its 90 % interval: of the model for the wind, of all others for the unexplained step; null for totals",
  ),
  addedColumn(
    "share",
    "f64",
    "Of the first step",
    "Energy over the energy of the first step.",
    "%",
  ),
];

/** The same with values in the currency of the prices. */
export const priceSteps = (currency: string | undefined): readonly Column[] =>
  currency === undefined ? stepColumns : [
    ...stepColumns,
    ...withEnds(
      addedColumn("value", "f64", "Value", "Value of the energy at the prices given.", currency),
    ),
  ];

/** The frame `outages` of `checkPerformance()`: one row an outage. */
const outageColumns: readonly Column[] = [
  addedColumn("outage", "utf8", "Outage", "Name of the outage."),
  ...withEnds(addedColumn("lost", "f64", "Lost", "Expected less produced energy.", "MWh")),
  addedColumn(
    "expected",
    "f64",
    "Expected",
    "Energy that the turbine would have produced while it was not available.",
    "MWh",
  ),
  { ...produced, description: "Energy that the turbine produced in that time." },
  addedColumn("from", "datetime", "From", "Start of the outage."),
  addedColumn("to", "datetime", "To", "End of the outage, exclusive."),
  addedColumn(
    "source",
    "utf8",
    "Source",
    "Evidence of the outage: `named` by the caller, `status`, `detected` from production, or `neighbours`.",
  ),
  { ...completeness, description: "Share of the outage's hours with production and model data." },
];

/** State of a period relative to the band. */
type PeriodState = "normal" | "low" | "high" | "incomplete";

/** Computes produced over predicted energy, %; NaN without a prediction. */
export function computeRatio({ produced, predicted }: PeriodResult): number {
  return predicted > 0 ? 100 * produced / predicted : NaN;
}

/** Judges a period by the band and the others; `null` without a comparison or a band. */
export function judgeState(period: PeriodResult, band: NormalBand | null): PeriodState | null {
  const ratio = computeRatio(period);
  if (!Number.isFinite(ratio)) return null;
  if (!isJudged(period)) return "incomplete";
  if (period.short) return "low";
  if (band === null) return null;
  const { low, high } = computeBandEnds(band, period.predicted);
  return ratio < low ? "low" : ratio > high ? "high" : "normal";
}

/** Builds the key of a period: a month as days since 1970, or a year. */
export function keyOf(by: "month" | "year"): (period: PeriodResult) => number {
  return ({ number }) => by === "month" ? monthAsDays(monthOfNumber(number)) : number;
}

/** Rows of the periods: produced and expected energy, ratio, band and state. */
function listPeriods(checked: CheckResult, band: NormalBand | null) {
  const { by, periods } = checked;
  const key = keyOf(by);
  const stable = computeStableRatios(checked);
  return periods.map((period, i) => {
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
}

/**
 * Rows of the steps, with the ends of their 90 % intervals.
 *
 * @param worth The same steps in the currency of prices
 */
export function listSteps(steps: Steps, worth?: Steps) {
  const [{ energy: first }] = steps.values();
  return Array.from(steps, ([name, step]) => {
    const { low, high } = computeEnds(step);
    const share = 100 * step.energy / first;
    const value = worth?.get(name);
    const ends = value && computeEnds(value);
    return {
      step: name,
      energy: step.energy,
      energy_low: low,
      energy_high: high,
      share,
      ...(value && { value: value.energy, value_low: ends!.low, value_high: ends!.high }),
    };
  });
}

/** The frame `changes` of `checkPerformance()`: one row a lasting change. */
export const changeColumns: readonly Column[] = [
  addedColumn(
    "change",
    "utf8",
    "Change",
    "`loss` or `gain` of power.",
  ),
  ...withEnds(addedColumn("from", "datetime", "From", "Start of the change.")),
  addedColumn("to", "datetime", "To", "The next change, or the end of the record; exclusive."),
  ...withEnds(addedColumn("size", "f64", "Size", "Change of the power, relative to before.", "%")),
  ...withEnds(
    addedColumn("lost", "f64", "Lost", "Energy lost, in no other row; negative for a gain.", "MWh"),
  ),
  addedColumn(
    "against",
    "utf8",
    "Against",
    "Compared with `prediction` or `neighbours`.",
  ),
];

/** The frame `limits` of `checkPerformance()`: one row per stretch of limited power. */
const limitColumns: readonly Column[] = [
  addedColumn("from", "datetime", "From", "Start of the limit."),
  addedColumn("to", "datetime", "To", "End of the limit, exclusive."),
  addedColumn(
    "source",
    "utf8",
    "Source",
    "Evidence of the limit: `declared` in a column, `status` of the log, or `found` in the power.",
  ),
  addedColumn("level", "f64", "Level", "Mean level; null where a log does not say it.", "kW"),
  addedColumn("hours", "f64", "Hours", "Hours in which it held the turbine back.", "h"),
  ...withEnds(addedColumn("lost", "f64", "Lost", "Expected less produced energy.", "MWh")),
  addedColumn(
    "expected",
    "f64",
    "Expected",
    "Energy that running neighbours, or without them the model, predict for these hours.",
    "MWh",
  ),
  { ...produced, description: "Energy that it produced in them." },
];

/** Lists the frames of a check in display order. */
export function listFrames(
  checked: CheckResult,
  band: NormalBand | null,
  steps: DeviationSteps,
  isPart: boolean,
) {
  const { by, outages, limits, change, timeZone } = checked;
  const comparison = listPeriods(checked, band);
  const key = keyOf(by);
  return {
    comparison: {
      ...(!isPart && { title: "Actual against expected production" }),
      columns: performanceColumns(by),
      rows: comparison,
    },
    outside: {
      columns: performanceColumns(by),
      rows: comparison.filter(({ state }) => state === "low" || state === "high"),
    },
    steps: {
      title: "From normal to produced energy",
      columns: priceSteps(steps.value?.currency),
      rows: listSteps(steps.whole, steps.value?.whole),
    },
    stepsByPeriod: {
      columns: [periodColumns[by], ...priceSteps(steps.value?.currency)],
      rows: steps.periods.flatMap((part) => {
        const period = key(part.period); // once: Temporal is slow
        const worth = steps.value?.periods.find((one) => one.period === part.period);
        return listSteps(part.steps, worth?.steps).map((row) => ({ [by]: period, ...row }));
      }),
    },
    limits: {
      title: "Lost energy by power limit",
      columns: limitColumns,
      timeZone,
      rows: limits,
    },
    changes: {
      title: "Lasting changes",
      columns: changeColumns,
      timeZone,
      rows: change.changes,
    },
    outages: {
      title: "Lost energy by outage",
      columns: outageColumns,
      timeZone,
      rows: outages,
    },
  } satisfies Record<string, AnswerFrame>;
}
