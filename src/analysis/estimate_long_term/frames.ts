import type { DataFrame } from "nodejs-polars";
import { buildFrame } from "../../frames/frame.ts";
import { describeFrame, type Origin } from "../../frames/provenance.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import { computeExceedance } from "./exceedance.ts";
import { type IndexPeriod, isUsable } from "./index_periods.ts";
import type { Estimate } from "./methods.ts";
import type { TimeStep } from "./time_step.ts";
import { longTermColumns, longTermMonths, longTermYears } from "./long_term_columns.ts";

/**
 * Builds the frame of estimates.
 *
 * @param interAnnualVariability Standard deviation of years over their mean, as a share
 */
export function buildEstimatesFrame(
  estimates: readonly Estimate[],
  record: number,
  interAnnualVariability: number | null,
  origin: Origin,
): DataFrame {
  const column = (of: (estimate: Estimate) => number | null) => estimates.map(of);
  const level = (percent: 75 | 90, years: number) =>
    column(({ energy: p50, uncertainty }) =>
      computeExceedance({ p50, uncertainty, interAnnualVariability }, percent, years)
    );
  const frame = buildFrame(longTermColumns, {
    method: estimates.map(({ method }) => method),
    p50: column(({ energy }) => energy),
    low: column(({ energy, width }) => energy / Math.exp(width)),
    high: column(({ energy, width }) => energy * Math.exp(width)),
    uncertainty: column(({ uncertainty }) => 100 * uncertainty),
    p75_1: level(75, 1),
    p90_1: level(90, 1),
    p75_10: level(75, 10),
    p90_10: level(90, 10),
    months: column(({ months }) => months),
    left_out: column(({ months }) => record - months),
    hours: column(({ hours }) => hours),
  });
  return describeFrame(frame, longTermColumns, origin);
}

/** Builds the frame of the months or years of the record. */
export function buildPeriodsFrame(
  periods: readonly IndexPeriod[],
  annual: boolean,
  timeStep: TimeStep | undefined,
  origin: Origin,
): DataFrame {
  const columns = annual ? longTermYears : longTermMonths;
  const compared = new Map(
    timeStep?.periods.map(({ label, used, validHours }) => [label, used ? validHours : 0]),
  );
  const frame = buildFrame(columns, {
    [columns[0].name]: periods.map(({ first }) =>
      annual ? first / 12 : monthAsDays(monthOfNumber(first))
    ),
    produced: periods.map(({ produced }) => produced),
    month_index: periods.map(({ index }) => index),
    completeness: periods.map(({ completeness }) => completeness),
    kept: periods.map(isUsable),
    reason: periods.map(({ reason }) => reason),
    hours: periods.map(({ label }) => timeStep ? compared.get(label) ?? 0 : null),
  });
  return describeFrame(frame, columns, origin);
}
