import pl, { type DataFrame } from "nodejs-polars";
import { buildFrame } from "../../frames/frame.ts";
import { describeFrame, type Provenance } from "../../frames/provenance.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import type { Checked, CheckedPeriod } from "./checked_period.ts";
import type { DeviationSteps } from "./deviation_steps.ts";
import { isJudged, type NormalBand } from "./normal_band.ts";
import {
  outageColumns,
  performanceColumns,
  stepColumns,
  stepsByPeriodColumns,
} from "./performance_columns.ts";

/** What the state of a period may be. */
export type PeriodState = "normal" | "low" | "high" | "incomplete";

/** Value for a frame: its missing ones are null. */
function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Produced over predicted energy, %; NaN where there is nothing to compare. */
export function ratioOf({ produced, predicted }: CheckedPeriod): number {
  return predicted > 0 ? 100 * produced / predicted : NaN;
}

/** How a period lies to the band and to the others; `null` where there is nothing to compare, or no band to tell. */
export function stateOf(period: CheckedPeriod, band: NormalBand | null): PeriodState | null {
  const ratio = ratioOf(period);
  if (!Number.isFinite(ratio)) return null;
  if (!isJudged(period)) return "incomplete";
  if (period.short) return "low";
  if (band === null) return null;
  return ratio < band.low ? "low" : ratio > band.high ? "high" : "normal";
}

/** A month as days since 1970, or a year. */
function keyOf(by: "month" | "year"): (period: CheckedPeriod) => number {
  return ({ number }) => by === "month" ? monthAsDays(monthOfNumber(number)) : number;
}

/** The frame of the periods: what was produced and expected, the band, and how they lie to each other. */
export function comparisonFrame(
  { by, periods }: Checked,
  band: NormalBand | null,
  origin: Provenance | undefined,
): DataFrame {
  const columns = performanceColumns(by);
  const of = (value: (period: CheckedPeriod) => number) =>
    periods.map((period) => known(value(period)));
  const frame = buildFrame(columns, {
    [by]: periods.map(keyOf(by)),
    produced: of(({ produced }) => produced),
    predicted: of(({ predicted }) => predicted),
    ratio: of(ratioOf),
    band_low: of(() => band?.low ?? NaN),
    band_high: of(() => band?.high ?? NaN),
    state: periods.map((period) => stateOf(period, band)),
    hours: of(({ compared }) => compared),
    completeness: of(({ completeness }) => completeness),
  });
  return describeFrame(frame, columns, origin);
}

/** The rows of a comparison that leave the band. */
export function outsideFrame(
  comparison: DataFrame,
  by: "month" | "year",
  origin: Provenance | undefined,
): DataFrame {
  const outside = comparison.filter(
    pl.col("state").eq(pl.lit("low")).or(pl.col("state").eq(pl.lit("high"))),
  );
  return describeFrame(outside, performanceColumns(by), origin);
}

function shares(energies: readonly number[]): (number | null)[] {
  return energies.map((energy) => known(100 * energy / energies[0]));
}

/** Energy of each step over all periods, MWh. */
export function totalsOf({ names, periods }: DeviationSteps): number[] {
  return names.map((_, step) => periods.reduce((sum, { energies }) => sum + energies[step], 0));
}

/** The steps over all periods. */
export function stepsFrame(steps: DeviationSteps, origin: Provenance | undefined): DataFrame {
  const energies = totalsOf(steps);
  const values = { step: steps.names, energy: energies, share: shares(energies) };
  return describeFrame(buildFrame(stepColumns, values), stepColumns, origin);
}

export function stepsByPeriodFrame(
  { names, periods }: DeviationSteps,
  by: "month" | "year",
  origin: Provenance | undefined,
): DataFrame {
  const columns = stepsByPeriodColumns(by);
  const key = keyOf(by);
  const frame = buildFrame(columns, {
    [by]: periods.flatMap(({ period }) => names.map(() => key(period))),
    step: periods.flatMap(() => names),
    energy: periods.flatMap(({ energies }) => energies),
    share: periods.flatMap(({ energies }) => shares(energies)),
  });
  return describeFrame(frame, columns, origin);
}

/** The outages, one a row. */
export function outagesFrame(
  { outages, timeZone }: Checked,
  origin: Provenance | undefined,
): DataFrame {
  const micros = (instant: number) => BigInt(instant) * 1000n;
  const frame = buildFrame(outageColumns, {
    outage: outages.map(({ name }) => name),
    from: BigInt64Array.from(outages, ({ from }) => micros(from)),
    to: BigInt64Array.from(outages, ({ to }) => micros(to)),
    source: outages.map(({ source }) => source),
    expected: outages.map(({ expected }) => known(expected)),
    produced: outages.map(({ produced }) => known(produced)),
    lost: outages.map(({ lost }) => known(lost)),
    lost_low: outages.map(({ low }) => known(low)),
    lost_high: outages.map(({ high }) => known(high)),
    completeness: outages.map(({ completeness }) => known(completeness)),
  }, timeZone);
  return describeFrame(frame, outageColumns, origin);
}
