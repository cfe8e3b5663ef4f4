import { HOUR } from "../../time/hourly.ts";
import { computeClockShift } from "../../time/zones.ts";
import { findClockChanges } from "../../screening/shift/clock_change.ts";
import type { Finding } from "../../screening/finding.ts";
import { findFlat, findGaps } from "../../screening/values/faulty_values.ts";
import { findOutages, findOutOfRange } from "../../screening/values/hourly_power.ts";
import { findOutOfBounds, findRepeatedWind } from "../../screening/values/measured_values.ts";
import { findIdle, type Neighbour } from "../../screening/values/neighbours.ts";
import { findStampFaults } from "../../screening/stamps.ts";
import { suspectUnit } from "../../screening/values/wrong_unit.ts";
import type { QualitySeries } from "./quality_series.ts";

/** A finding with its start and end in time. */
export interface SeriesFinding extends Pick<Finding, "kind" | "message"> {
  /** Start, ms since 1970 UTC. */
  readonly start: number;
  /** End, exclusive, ms since 1970 UTC. */
  readonly end: number;
  /** Hours that it concerns. */
  readonly hours: number;
  /** Whether it is of weather data, which have other remedies than a turbine. @default {false} */
  readonly weather?: boolean;
}

/** Places findings whose positions are steps of an axis. */
export function placeOnAxis(findings: readonly Finding[], start: number, perHour: number) {
  return findings.map(({ kind, message, from, to }): SeriesFinding => ({
    kind,
    message,
    start: start + from * HOUR / perHour,
    end: start + to * HOUR / perHour,
    hours: (to - from) / perHour,
  }));
}

/** Places findings whose positions are rows. */
function placeOnRows(
  findings: readonly Finding[],
  { stamps, perHour }: QualitySeries,
): SeriesFinding[] {
  const step = HOUR / perHour;
  return findings.map(({ kind, message, from, to }) => {
    let [first, last, rows] = [Infinity, -Infinity, 0];
    for (let row = from; row < to; row++) {
      if (Number.isNaN(stamps[row])) continue;
      first = Math.min(first, stamps[row]);
      last = Math.max(last, stamps[row]);
      rows++;
    }
    return { kind, message, start: first, end: last + step, hours: rows / perHour };
  });
}

/** Finds problems of stamps: order, duplicates, clock. Gaps are found in the values. */
export function judgeStamps(series: QualitySeries): SeriesFinding[] {
  const { stamps, timeZone } = series;
  const first = stamps.find((stamp) => !Number.isNaN(stamp)) ?? 0;
  const faults = findStampFaults(stamps, { clockShift: computeClockShift(first, timeZone) });
  return placeOnRows([
    ...faults.filter(({ kind }) => kind !== "gap" && kind !== "resolution"),
    ...findClockChanges(stamps, timeZone),
  ], series);
}

/** Finds hours without a value, from the first row to the last. */
export function judgeGaps(series: QualitySeries): SeriesFinding[] {
  const { values, rows: [from, to], axis, perHour, coarse } = series;
  const start = axis.start + from * HOUR / perHour;
  const gaps = placeOnAxis(findGaps(values.subarray(from, to), perHour), start, perHour);
  if (coarse === undefined) return gaps;
  return [
    {
      kind: "resolution",
      message: `rows ${coarse} h apart where hours are expected`,
      start,
      end: axis.start + to * HOUR / perHour,
      hours: (to - from) / perHour,
    },
    ...gaps.filter(({ hours }) => hours >= coarse),
  ];
}

/** Fewest hours for a check of the unit: ten days, since a shorter record may be a calm. */
const MIN_HOURS = 240;

/** Suspects a wrong unit of hourly power. */
export function suspectPowerUnit(power: Float64Array, ratedPower: number): Finding[] {
  const known = power.filter((value) => !Number.isNaN(value));
  const max = known.reduce((largest, value) => Math.max(largest, value), 0);
  // Zero is zero in any unit.
  if (max === 0 || known.length < MIN_HOURS && max < ratedPower) return [];
  return suspectUnit(power.map((value) => value / ratedPower), "hours");
}

/**
 * Finds problems in hourly power.
 *
 * @param expected Expected power of the same hours, as a share of the rated power; missing is NaN
 */
export function judgePower(
  power: Float64Array,
  ratedPower: number,
  neighbours: readonly Neighbour[],
  expected: Float64Array | undefined,
): Finding[] {
  const doubt = suspectPowerUnit(power, ratedPower);
  // In a wrong unit every hour would be out of range or a standstill.
  if (doubt.length > 0) return doubt;
  return [
    ...findOutOfRange(power, ratedPower),
    ...findOutages(power, ratedPower, expected?.map((share) => share * ratedPower)),
    ...(neighbours.length > 0 ? findIdle(power, neighbours, ratedPower) : []),
    ...findFlat(power, ratedPower),
  ];
}

/** Finds problems in hourly values of the weather. */
export function judgeClimate(
  hours: Float64Array,
  { column, quantity }: QualitySeries,
): Finding[] {
  return [
    ...(column.range ? findOutOfBounds(hours, column.range, column.unit ?? "") : []),
    ...(quantity === "wind" ? findRepeatedWind(hours) : []),
  ];
}
