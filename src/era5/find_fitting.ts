import { DataFormatError } from "../api/errors.ts";
import { type GridPoint, isNear } from "../frames/grid_points.ts";
import { HOUR } from "../time/hourly.ts";
import { type ClimateHours, formatHour } from "./climate_hours.ts";
import { type Block, computeSpan, listMonths } from "./months.ts";

/** An answer that can be read, but is not what was asked for. */
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
  /** Whether the answer has that value before and after the gap; an answer that was cut off does not. */
  readonly inside: boolean;
}

function formatPoint({ latitude, longitude }: GridPoint): string {
  return `${latitude}, ${longitude}`;
}

function buildMisfit(file: string | undefined, problem: string): MisfitError {
  return new MisfitError(`Cannot use ${file ?? "an empty answer"}: ${problem}`, {
    hint: "It was not stored. Make the same call to request it again",
  });
}

/** Picks the hours of each point; an answer without rows does not say of which points it is. */
function pickPoints(
  hours: readonly ClimateHours[],
  { points, months }: Block,
): [GridPoint, Pick<ClimateHours, "stamps" | "values">][] {
  const refuse = (problem: string) => {
    throw buildMisfit(hours[0]?.file, problem);
  };
  const other = hours.find((own) => !points.some((point) => isNear(own, point)));
  if (other) {
    refuse(`it has the point ${formatPoint(other)}, not ${points.map(formatPoint).join(" and ")}`);
  }
  const [from, end] = computeSpan(months);
  return points.map((point) => {
    const own = hours.filter((one) => isNear(one, point));
    if (own.length > 1 || own.length === 0 && hours.length > 0) {
      refuse(`it has the grid point ${formatPoint(point)} ${own.length} times, not once`);
    }
    const beyond = own[0]?.stamps.find((at) => at < from || at >= end);
    if (beyond !== undefined) refuse(`it has ${formatHour(beyond)}, which was not requested`);
    return [point, own[0] ?? { stamps: new Float64Array(), values: {} }];
  });
}

/** Makes a function that lists what is missing for a point between two instants. */
function prepareGaps({ stamps, values }: Pick<ClimateHours, "stamps" | "values">) {
  const rows = new Map(Array.from(stamps, (at, i) => [at, i]));
  const series = Object.entries({ "": stamps, ...values }).map(([name, own]) => {
    const known = (value: number) => !Number.isNaN(value);
    const [first, last] = [own.findIndex(known), own.findLastIndex(known)];
    return { name, own, first: stamps[first], last: stamps[last] };
  });
  return (from: number, end: number): Gap[] => {
    const gaps: Gap[] = [];
    for (let at = from; at < end; at += HOUR) {
      const i = rows.get(at);
      for (const { name, own, first, last } of series) {
        const missing = i === undefined ? name === "" : Number.isNaN(own[i]);
        if (missing) gaps.push({ name, at, inside: first < at && at < last });
      }
    }
    return gaps;
  };
}

/**
 * Finds the part of an answer that can be stored: the months of each point that have every hour and value, as far as
 * they are settled. A month with gaps inside is left out once; values that a second answer lacks too are missing at the
 * source.
 *
 * @param settledEnd First instant that may be preliminary, ms since 1970 UTC: later hours may be missing
 * @param gaps Gaps of earlier answers; those of this one are added
 * @returns What can be stored, and an error if the answer was cut
 * @throws {MisfitError} If points or hours are not those that were asked for
 */
export function findFitting(
  hours: readonly ClimateHours[],
  block: Block,
  settledEnd: number,
  gaps: Map<string, string>,
): { readonly fitting: PointMonth[]; readonly misfit: MisfitError | undefined } {
  const fitting: PointMonth[] = [];
  let misfit: MisfitError | undefined;
  for (const [point, own] of pickPoints(hours, block)) {
    const listGaps = prepareGaps(own);
    for (const month of listMonths(block.months)) {
      const [from, end] = computeSpan({ first: month, last: month });
      const found = listGaps(from, Math.min(end, settledEnd));
      const key = JSON.stringify([point, month]);
      const text = JSON.stringify(found.map(({ name, at }) => [name, at]));
      if (found.length === 0 || gaps.get(key) === text) fitting.push({ point, month });
      else if (!gaps.has(key) && found.every(({ inside }) => inside)) gaps.set(key, text);
      else {
        const [{ name, at }] = found;
        const missing = name === ""
          ? `it does not have ${formatHour(at)}`
          : `${name} of ${formatHour(at)} is missing`;
        const { first, last } = block.months;
        misfit ??= buildMisfit(
          hours[0]?.file,
          `${missing}, at ${formatPoint(point)}, ${first} to ${last}`,
        );
      }
    }
  }
  return { fitting, misfit };
}
