import type { DataFrame } from "nodejs-polars";
import { buildRefuse } from "../../frames/read_columns.ts";
import { buildMask, type Finding } from "../../screening/finding.ts";
import { findClockChanges } from "../../screening/shift/clock_change.ts";
import { findStampFaults } from "../../screening/stamps.ts";
import {
  blankFaults,
  findFlat,
  findGaps,
  findOutages,
  findOutOfRange,
} from "../../screening/values/hourly_power.ts";
import { findIdle, type Neighbour } from "../../screening/values/neighbours.ts";
import { findOutOfBounds, findRepeatedWind } from "../../screening/values/climate_values.ts";
import { listMixedUnits } from "../../screening/values/describe_mixed_units.ts";
import { findMixedHours } from "../../screening/values/mixed_units.ts";
import { suspectUnit } from "../../screening/values/wrong_unit.ts";
import { mean } from "../../stats/spread.ts";
import { alignToAxis, HOUR, type HourAxis } from "../../time/hourly.ts";
import { computeClockShift } from "../../time/zones.ts";
import type { ReferenceHours } from "../series/hours.ts";
import { assertOneTurbine } from "../series/turbine_stamps.ts";
import type { QualityFinding } from "./words.ts";
import { computeHours, type QualitySeries, readQualitySeries } from "./quality_series.ts";

/** A finding with its start and end in time. */
export interface SeriesFinding extends Pick<Finding, "kind" | "message"> {
  /** Start, ms since 1970 UTC. */
  readonly start: number;
  /** End, exclusive, ms since 1970 UTC. */
  readonly end: number;
  /** Hours affected. */
  readonly hours: number;
  /** Whether it concerns weather data, whose remedies differ from those of turbine data. @default {false} */
  readonly weather?: boolean;
}

/** Dates findings whose positions are steps of an axis. */
export function placeOnAxis(findings: readonly Finding[], start: number, perHour: number) {
  return findings.map(({ kind, message, from, to }): SeriesFinding => ({
    kind,
    message,
    start: start + from * HOUR / perHour,
    end: start + to * HOUR / perHour,
    hours: (to - from) / perHour,
  }));
}

/** Dates findings whose positions are rows. */
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

/** Finds problems of timestamps: order, duplicates, clock. `judgeGaps` finds the gaps. */
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
      message: `rows ${coarse} h apart instead of hourly`,
      start,
      end: axis.start + to * HOUR / perHour,
      hours: (to - from) / perHour,
    },
    ...gaps.filter(({ hours }) => hours >= coarse),
  ];
}

/** Fewest hours for a check of the unit: ten days, because a shorter record may be a calm. */
const MIN_HOURS = 240;

/** Suspects a wrong unit of hourly power. */
function suspectPowerUnit(power: Float64Array, ratedPower: number): Finding[] {
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
function judgePower(
  { axis, stampZone }: Pick<QualitySeries, "axis" | "stampZone">,
  hours: Float64Array,
  ratedPower: number,
  neighbours: readonly Neighbour[],
  expected: Float64Array | undefined,
): Finding[] {
  const find = (shares?: Float64Array) =>
    findMixedHours(
      { axis, power: hours },
      stampZone,
      ratedPower,
      shares?.map((share) => share * ratedPower),
    );
  const byWind = find(expected ?? averageNeighbours(neighbours, axis.length));
  // Neighbours in the same export may have changed their unit at the same time.
  const stretches = byWind.length > 0 || expected || neighbours.length === 0 ? byWind : find();
  if (stretches.length > 0) {
    const withoutStretches = hours.slice();
    for (const { from, to } of stretches) withoutStretches.fill(NaN, from, to);
    const otherFindings = judgeOneUnit(withoutStretches, ratedPower, neighbours, expected);
    return [...listMixedUnits(stretches, "hour"), ...otherFindings];
  }
  return judgeOneUnit(hours, ratedPower, neighbours, expected);
}

/** Mean power of neighbours in each hour, as a share of their rated power; `undefined` without any. */
function averageNeighbours(
  neighbours: readonly Neighbour[],
  length: number,
): Float64Array | undefined {
  if (neighbours.length === 0) return undefined;
  return Float64Array.from({ length }, (_, i) =>
    mean(
      neighbours.map(({ power, ratedPower }) => power[i] / ratedPower)
        .filter((share) => !Number.isNaN(share)),
    ));
}

/** Finds problems in hourly power that has one unit throughout, right or wrong. */
function judgeOneUnit(
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

/** Finds problems in hourly weather values. */
function judgeClimate(
  hours: Float64Array,
  { column, quantity }: QualitySeries,
): Finding[] {
  return [
    ...(column.range ? findOutOfBounds(hours, column.range, column.unit ?? "") : []),
    ...(quantity === "wind" ? findRepeatedWind(hours) : []),
  ];
}

/**
 * Reads the production of turbines nearby onto the hours of a series, and notes why it cannot use others; `ratedPower`
 * is in kW.
 */
function readNeighbourHours(
  frames: Readonly<Record<string, DataFrame>>,
  { axis, timeZone }: QualitySeries,
  ratedPower: (name: string) => number,
) {
  const notes: QualityFinding[] = [];
  const neighbours = Object.entries(frames).flatMap(([name, frame]): Neighbour[] => {
    const refuse = buildRefuse(`use the neighbour ${JSON.stringify(name)}`);
    assertOneTurbine(frame, refuse);
    const neighbourSeries = readQualitySeries(frame, undefined, timeZone, refuse);
    if (neighbourSeries.quantity !== "power") {
      refuse(
        `it has the columns ${
          frame.columns.join(", ")
        }, but no production. Give the frame from readProduction()`,
      );
    }
    const rated = ratedPower(name);
    const hours = computeHours(neighbourSeries);
    const later = (neighbourSeries.axis.start - axis.start) / HOUR;
    const [doubt] = suspectPowerUnit(hours, rated);
    if (doubt || !Number.isInteger(later)) {
      const why = doubt
        ? doubt.message
        : "its hours and the hours of the series start at different minutes";
      notes.push({ code: "neighbour_unused", neighbour: name, reason: why });
      return [];
    }
    const running = blankFaults(hours, rated);
    const power = Float64Array.from({ length: axis.length }, (_, i) => running[i - later] ?? NaN);
    if (power.every(Number.isNaN)) {
      const reason = "it has no value in the hours of the series";
      notes.push({ code: "neighbour_unused", neighbour: name, reason });
      return [];
    }
    return [{ power, ratedPower: rated }];
  });
  return { neighbours, notes };
}

/** Rated powers and neighbours for the check of values. */
interface ValueOptions {
  /** Rated power, kW. */
  readonly ratedPower?: number;
  /** Production of turbines nearby, by name. */
  readonly neighbours?: Readonly<Record<string, DataFrame>>;
  /** Rated power of neighbours with a different one, kW. */
  readonly neighbourRatedPower?: Readonly<Record<string, number>>;
}

/**
 * Expected power of the hours, as a share of the largest: the model may be for one turbine and the series for a park.
 * `undefined` if the model has only the wind.
 */
function computeExpectedShares(
  axis: HourAxis,
  model: ReferenceHours | undefined,
): Float64Array | undefined {
  if (!model || model.isWind) return undefined;
  const largest = model.means.reduce((max, power) => power > max ? power : max, 0);
  return alignToAxis(axis, model.axis, model.means.map((power) => power / largest));
}

/**
 * Checks hourly values: production by the rated power and, for standstill, by the model; weather by its range.
 *
 * @returns The findings; `masked`: 1 for hours that do not count in the comparison with a model; and the checks that
 * were not possible, with reasons
 */
export function judgeValues(
  series: QualitySeries,
  hours: Float64Array,
  { ratedPower, neighbours = {}, neighbourRatedPower = {} }: ValueOptions,
  model: ReferenceHours | undefined,
) {
  const { axis, quantity } = series;
  const nothing = new Uint8Array(axis.length);
  if (quantity !== "power") {
    const findings = judgeClimate(hours, series);
    const notes: readonly QualityFinding[] =
      ratedPower === undefined && Object.keys(neighbours).length === 0
        ? []
        : [{ code: "not_production", column: series.column.name }];
    const placed = placeOnAxis(findings, axis.start, 1).map((each) => ({ ...each, weather: true }));
    return { problems: placed, masked: buildMask(findings, axis.length), notes };
  }
  if (ratedPower === undefined) {
    return { problems: [], masked: nothing, notes: [{ code: "no_rated_power" } as const] };
  }
  const nearby = readNeighbourHours(
    neighbours,
    series,
    (name) => Object.hasOwn(neighbourRatedPower, name) ? neighbourRatedPower[name] : ratedPower,
  );
  const expected = computeExpectedShares(axis, model);
  const problems = judgePower(series, hours, ratedPower, nearby.neighbours, expected);
  const doubtful = problems.some(({ kind }) => kind === "wrong_unit");
  const notes: readonly QualityFinding[] = [
    ...nearby.notes,
    ...(nearby.neighbours.length === 0 ? [{ code: "no_neighbours" } as const] : []),
    ...(doubtful ? [{ code: "unit_in_doubt" } as const] : []),
  ];
  return {
    problems: placeOnAxis(problems, axis.start, 1),
    masked: doubtful ? nothing : buildMask(problems, axis.length),
    notes,
  };
}
