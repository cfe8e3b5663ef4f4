import { DataFormatError } from "../../api/errors.ts";
import {
  assertNoSwap,
  assertPast,
  explainDisorder,
} from "../../frames/production/production_times.ts";
import { buildHourlyGrid, HOUR, type HourlyGrid } from "../../time/hourly.ts";
import { findStampProblem, formatStamp } from "../../time/stamps.ts";
import type { ClimateSource } from "../declaration/site_file.ts";

/** Milliseconds from a timestamp to the start of its hour, by the meaning of the timestamp. */
const stampShift = { instant: 0, start: 0, end: -HOUR, middle: -HOUR / 2 } as const;

/** Fewest timestamps from which the time step of a file is judged. */
const MIN_STAMPS = 24;

/** Cause and remedy for repeated times. */
const DUPLICATE_TIMES =
  "the file has several points, one below the other, or repeats some rows. Give each point its own file";

/** Source of timestamps: the file, their meaning and their time zone. */
interface StampSource {
  readonly file: string;
  /** Meaning of a timestamp. */
  readonly stamp: ClimateSource["stamp"];
  /** Line of the first timestamp; without it, messages name rows. */
  readonly firstLine?: number | undefined;
  /** Time zone of the file. @default UTC */
  readonly timeZone?: string | undefined;
}

/**
 * Places timestamps on an hourly grid, each at the start of its hour. Rejects steps of several hours, because no month
 * would be complete.
 *
 * @param stamps Milliseconds since 1970 UTC, in the order of the file
 * @throws {DataFormatError} If they are not hourly and in order; the message names the place
 */
export function placeHours(stamps: Float64Array, source: StampSource): HourlyGrid {
  const { file, stamp, firstLine, timeZone } = source;
  const place = (row: number) =>
    firstLine === undefined ? `row ${row + 1}` : `line ${firstLine + row}`;
  const series = { file, place, step: HOUR, timeZone };
  assertNoSwap(stamps, series, "Export the times again in the form 2023-05-31 13:00");
  const isStamp = (stamp: number) => findStampProblem(stamp) === undefined;
  const back = stamps.every(isStamp) ? stamps.findIndex((stamp, i) => stamp < stamps[i - 1]) : -1;
  const disorder = back === -1
    ? undefined
    : explainDisorder(stamps, back, series, {}, DUPLICATE_TIMES);
  if (disorder) {
    throw new DataFormatError(
      `Cannot use ${file}: ${place(back)}: ${formatStamp(stamps[back])} ${disorder}`,
      { code: "time_order", row: back + (firstLine ?? 1) },
    );
  }
  const layout = buildHourlyGrid(stamps.map((one) => one + stampShift[stamp]), { file, firstLine });
  assertPast(stamps, series, {});
  const { positions } = layout;
  const steps = positions.subarray(1).map((position, i) => position - positions[i]).sort();
  const step = steps[steps.length >> 1];
  if (positions.length < MIN_STAMPS || step === 1) return layout;
  throw new DataFormatError(
    `Cannot use ${file}: its times are ${step} hours apart, but an index needs the wind of every ` +
      "hour. Download hourly data",
    { code: "resolution" },
  );
}
