import { DataFormatError } from "../api/errors.ts";
import { type GridPoint, isNear } from "../frames/grid_points.ts";
import { HOUR } from "../time/hourly.ts";
import { type ClimateHours, formatHour } from "./climate_hours.ts";
import { type Block, computeSpan, listMonths } from "./months.ts";

/** A readable answer that does not match the request. */
export class MisfitError extends DataFormatError {
  override name = "DataFormatError"; // the class that callers check for
}

/** A month of a grid point. */
export interface PointMonth {
  readonly point: GridPoint;
  readonly month: Temporal.PlainYearMonth;
}

/** A missing value; the name is empty if the whole hour is missing. */
interface Gap {
  readonly name: string;
  readonly at: number;
  /** Whether the answer has this variable before and after the gap; false at the end of a truncated answer. */
  readonly inside: boolean;
}

function formatPoint({ latitude, longitude }: GridPoint): string {
  return `${latitude}, ${longitude}`;
}

function buildMisfit(file: string | undefined, problem: string): MisfitError {
  return new MisfitError(`Cannot use ${file ?? "an empty answer"}: ${problem}`, {
    hint: "Vindkit did not store this answer. Repeat the call to request the data again",
  });
}

/** Picks the hours of each point; an answer without rows does not name its points. */
function pickPoints(
  hours: readonly ClimateHours[],
  { points, months }: Block,
): [GridPoint, Pick<ClimateHours, "stamps" | "values">][] {
  const refuse = (problem: string) => {
    throw buildMisfit(hours[0]?.file, problem);
  };
  const other = hours.find((one) => !points.some((point) => isNear(one, point)));
  if (other) {
    refuse(`it has the point ${formatPoint(other)}, not ${points.map(formatPoint).join(" and ")}`);
  }
  const [from, end] = computeSpan(months);
  return points.map((point) => {
    const matches = hours.filter((one) => isNear(one, point));
    if (matches.length > 1 || matches.length === 0 && hours.length > 0) {
      refuse(`the grid point ${formatPoint(point)} occurs ${matches.length} times, not once`);
    }
    const beyond = matches[0]?.stamps.find((at) => at < from || at >= end);
    if (beyond !== undefined) refuse(`it has ${formatHour(beyond)}, which was not requested`);
    return [point, matches[0] ?? { stamps: new Float64Array(), values: {} }];
  });
}

/** Creates a function that lists the gaps of a point between two instants. */
function prepareGaps({ stamps, values }: Pick<ClimateHours, "stamps" | "values">) {
  const rows = new Map(Array.from(stamps, (at, i) => [at, i]));
  const series = Object.entries({ "": stamps, ...values }).map(([name, column]) => {
    const known = (value: number) => !Number.isNaN(value);
    const [first, last] = [column.findIndex(known), column.findLastIndex(known)];
    return { name, column, first: stamps[first], last: stamps[last] };
  });
  return (from: number, end: number): Gap[] => {
    const gaps: Gap[] = [];
    for (let at = from; at < end; at += HOUR) {
      const i = rows.get(at);
      for (const { name, column, first, last } of series) {
        const missing = i === undefined ? name === "" : Number.isNaN(column[i]);
        if (missing) gaps.push({ name, at, inside: first < at && at < last });
      }
    }
    return gaps;
  };
}

/**
 * Finds the part of an answer that can be stored: the months of each point with every settled hour and value. A month
 * with inner gaps is left out the first time; if a second answer has the same gaps, they are gaps of the source.
 *
 * @param settledEnd First instant that may be preliminary, ms since 1970 UTC: later hours may be missing
 * @param gaps Gaps of earlier answers; gaps of this one are added
 * @returns The months to store, and an error if the answer is incomplete
 * @throws {MisfitError} If points or hours differ from the request
 */
export function findFitting(
  hours: readonly ClimateHours[],
  block: Block,
  settledEnd: number,
  gaps: Map<string, string>,
): { readonly fitting: PointMonth[]; readonly misfit: MisfitError | undefined } {
  const fitting: PointMonth[] = [];
  let misfit: MisfitError | undefined;
  for (const [point, pointHours] of pickPoints(hours, block)) {
    const listGaps = prepareGaps(pointHours);
    for (const month of listMonths(block.months)) {
      const [from, end] = computeSpan({ first: month, last: month });
      const pointGaps = listGaps(from, Math.min(end, settledEnd));
      const key = JSON.stringify([point, month]);
      const text = JSON.stringify(pointGaps.map(({ name, at }) => [name, at]));
      if (pointGaps.length === 0 || gaps.get(key) === text) fitting.push({ point, month });
      else if (!gaps.has(key) && pointGaps.every(({ inside }) => inside)) gaps.set(key, text);
      else {
        const [{ name, at }] = pointGaps;
        const missing = name === ""
          ? `it does not have ${formatHour(at)}`
          : `${name} of ${formatHour(at)} is missing`;
        const { first, last } = block.months;
        misfit ??= buildMisfit(
          hours[0]?.file,
          `${missing} at ${formatPoint(point)}, in ${first} to ${last}`,
        );
      }
    }
  }
  return { fitting, misfit };
}
