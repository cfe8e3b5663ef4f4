import { DataFormatError } from "../../api/errors.ts";
import { HOUR } from "../../time/hour_axis.ts";
import { type ClimateHours, formatHour } from "./climate_hours.ts";
import { type GridPoint, isNear } from "./grid_points.ts";
import { type Months, spanOf } from "./months.ts";

/** What one request asks for: whole months of grid points. */
export interface Block {
  readonly points: readonly GridPoint[];
  readonly months: Months;
}

/** An answer that can be read, but is not what was asked for: the same file would not fit a second time either. */
export class MisfitError extends DataFormatError {
  override name = "DataFormatError"; // the class that callers check for
}

function formatPoint({ latitude, longitude }: GridPoint): string {
  return `${latitude}, ${longitude}`;
}

/** What is wrong with the hours of a point; `undefined` if nothing is. */
function findProblem(
  { stamps, values }: Pick<ClimateHours, "stamps" | "values">,
  months: Months,
  settledEnd: number,
): string | undefined {
  const [from, end] = spanOf(months);
  const other = stamps.find((at) => at < from || at >= end);
  if (other !== undefined) return `it has ${formatHour(other)}, which was not requested`;
  const names = Object.keys(values);
  for (let at = from, i = 0; at < Math.min(end, settledEnd); at += HOUR, i++) {
    if (stamps[i] !== at) return `it does not have ${formatHour(at)}`;
    const missing = names.find((name) => Number.isNaN(values[name][i]));
    if (missing) return `${missing} of ${formatHour(at)} is missing`;
  }
}

/**
 * Checks that an answer is what was asked for: hours of each grid point and no other, and each hour and value of the months
 * that are settled. Hours of later months may be missing, which are asked for again.
 *
 * @param hours The hours as they were read, by point
 * @param block What was asked for
 * @param settledEnd First instant that may be preliminary, ms since 1970 UTC
 * @throws {MisfitError} If it does not fit
 */
export function assertFits(
  hours: readonly ClimateHours[],
  { points, months }: Block,
  settledEnd: number,
): void {
  const refuse = (problem: string) => {
    const file = hours[0]?.file ?? "an empty answer";
    throw new MisfitError(`Cannot use ${file}: ${problem}`, {
      hint: "It was not stored: the same call asks for it anew",
    });
  };
  const other = hours.find((own) => !points.some((point) => isNear(own, point)));
  if (other) {
    refuse(`it is of ${formatPoint(other)}, not of ${points.map(formatPoint).join(" and ")}`);
  }
  for (const point of points) {
    const own = hours.filter((one) => isNear(one, point));
    if (own.length > 1 || own.length === 0 && hours.length > 0) {
      refuse(`it has the grid point ${formatPoint(point)} ${own.length} times, not once`);
    }
    // An answer without rows does not say of which point it is.
    const problem = findProblem(
      own[0] ?? { stamps: new Float64Array(), values: {} },
      months,
      settledEnd,
    );
    if (problem) {
      refuse(`${problem}, of ${formatPoint(point)} and ${months.first} to ${months.last}`);
    }
  }
}
