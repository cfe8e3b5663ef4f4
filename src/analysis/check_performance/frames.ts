import pl, { type DataFrame } from "nodejs-polars";
import { buildFrame } from "../../frames/frame.ts";
import { describeFrame, type Origin } from "../../frames/provenance.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import type { CheckResult, LossInterval, PeriodResult } from "./check_result.ts";
import { computeStableRatios } from "./stable_states.ts";
import type { DeviationSteps } from "./deviation_steps.ts";
import { computeBandEnds, isJudged, type NormalBand } from "./normal_band.ts";
import {
  outageColumns,
  performanceColumns,
  stepColumns,
  stepsByPeriodColumns,
} from "./performance_columns.ts";

/** State of a period relative to the band. */
export type PeriodState = "normal" | "low" | "high" | "incomplete";

/** Converts NaN and infinity to null. */
function nullForNaN(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

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
  const of = (value: (period: PeriodResult) => number) =>
    periods.map((period) => nullForNaN(value(period)));
  const endsOf = (period: PeriodResult) =>
    band && isJudged(period) ? computeBandEnds(band, period.predicted) : null;
  const frame = buildFrame(columns, {
    [by]: periods.map(keyOf(by)),
    produced: of(({ produced }) => produced),
    predicted: of(({ predicted }) => predicted),
    ratio: of(computeRatio),
    band_low: of((period) => endsOf(period)?.low ?? NaN),
    band_high: of((period) => endsOf(period)?.high ?? NaN),
    stable_ratio: computeStableRatios(checked).map((ratio) => nullForNaN(100 * ratio)),
    state: periods.map((period) => judgeState(period, band)),
    hours: of(({ compared }) => compared),
    completeness: of(({ completeness }) => completeness),
  });
  return describeFrame(frame, columns, origin);
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

function computeShares(energies: readonly number[]): (number | null)[] {
  return energies.map((energy) => nullForNaN(100 * energy / energies[0]));
}

/** Adds up the energy of each step over all periods, MWh. */
export function sumSteps({ names, periods }: DeviationSteps): number[] {
  return names.map((_, step) => periods.reduce((sum, { energies }) => sum + energies[step], 0));
}

/** Ends of the 90 % interval of each step: those of the energy lost in outages, which moves between the steps. */
function computeStepEnds(
  { signs }: DeviationSteps,
  energies: readonly number[],
  lost: number,
  { low, high }: LossInterval,
): { energy_low: (number | null)[]; energy_high: (number | null)[] } {
  const ends = energies.map((energy, i) =>
    [low, high].map((end) => signs[i] === 0 ? NaN : energy + signs[i] * (end - lost))
      .sort((a, b) => a - b)
  );
  return {
    energy_low: ends.map(([end]) => nullForNaN(end)),
    energy_high: ends.map(([, end]) => nullForNaN(end)),
  };
}

/** Builds the frame of the steps over all periods. */
export function buildStepsFrame(steps: DeviationSteps, origin: Origin): DataFrame {
  const energies = sumSteps(steps);
  const lost = steps.periods.reduce((sum, { period }) => sum + period.lost, 0);
  const values = {
    step: steps.names,
    energy: energies,
    ...computeStepEnds(steps, energies, lost, steps.lostInterval),
    share: computeShares(energies),
  };
  return describeFrame(buildFrame(stepColumns, values), stepColumns, origin);
}

/** Builds the frame of the steps of each period. */
export function buildStepsByPeriodFrame(
  steps: DeviationSteps,
  by: "month" | "year",
  origin: Origin,
): DataFrame {
  const { names, periods } = steps;
  const ends = periods.map(({ period, energies }) =>
    computeStepEnds(steps, energies, period.lost, period.lostInterval)
  );
  const columns = stepsByPeriodColumns(by);
  const key = keyOf(by);
  const frame = buildFrame(columns, {
    [by]: periods.flatMap(({ period }) => names.map(() => key(period))),
    step: periods.flatMap(() => names),
    energy: periods.flatMap(({ energies }) => energies),
    energy_low: ends.flatMap(({ energy_low }) => energy_low),
    energy_high: ends.flatMap(({ energy_high }) => energy_high),
    share: periods.flatMap(({ energies }) => computeShares(energies)),
  });
  return describeFrame(frame, columns, origin);
}

/** Builds the frame of outages, one a row. */
export function buildOutagesFrame(
  { outages, timeZone }: CheckResult,
  origin: Origin,
): DataFrame {
  const micros = (instant: number) => BigInt(instant) * 1000n;
  const frame = buildFrame(outageColumns, {
    outage: outages.map(({ name }) => name),
    from: BigInt64Array.from(outages, ({ from }) => micros(from)),
    to: BigInt64Array.from(outages, ({ to }) => micros(to)),
    source: outages.map(({ source }) => source),
    expected: outages.map(({ expected }) => nullForNaN(expected)),
    produced: outages.map(({ produced }) => nullForNaN(produced)),
    lost: outages.map(({ lost }) => nullForNaN(lost)),
    lost_low: outages.map(({ low }) => nullForNaN(low)),
    lost_high: outages.map(({ high }) => nullForNaN(high)),
    completeness: outages.map(({ completeness }) => nullForNaN(completeness)),
  }, timeZone);
  return describeFrame(frame, outageColumns, origin);
}
