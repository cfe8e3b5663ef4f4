import { DataFormatError } from "../../api/errors.ts";
import {
  assertNoSwap,
  assertPast,
  explainDisorder,
} from "../../frames/production/production_times.ts";
import { buildHourlyGrid, HOUR, type HourlyGrid } from "../../time/hourly.ts";
import { findStampProblem, formatStamp } from "../../time/stamps.ts";
import type { ClimateSource } from "../declaration/site_file.ts";

/** Milliseconds to add to a stamp so that it names the start of its hour. */
const stampShift = { instant: 0, start: 0, end: -HOUR, middle: -HOUR / 2 } as const;

/** Fewest stamps whose distance says what step a file has. */
const MIN_STAMPS = 24;

/** What a file with the same times in several rows has, and what to do. */
const POINTS =
  "the file has several points, one below the other, or repeats some rows. Give each point its own file";

/** Where the stamps of a file come from. */
interface StampSource {
  readonly file: string;
  /** What a stamp names. */
  readonly stamp: ClimateSource["stamp"];
  /** Line of the first stamp; without it the row is named. */
  readonly firstLine?: number | undefined;
  /** Zone of the clock of the file. @default UTC */
  readonly timeZone?: string | undefined;
}

/**
 * Places stamps on hours, each at the start of its own. Steps of several hours are refused: between them there is no wind, so no
 * month would be complete.
 *
 * @param stamps Milliseconds since 1970 UTC, in the order of the file
 * @throws {DataFormatError} If they are not hours in their order; the message names the place
 */
export function placeHours(stamps: Float64Array, source: StampSource): HourlyGrid {
  const { file, stamp, firstLine, timeZone } = source;
  const place = (row: number) =>
    firstLine === undefined ? `row ${row + 1}` : `line ${firstLine + row}`;
  const series = { file, place, step: HOUR, timeZone };
  assertNoSwap(stamps, series, "Export the times again in the form 2023-05-31 13:00");
  const isStamp = (stamp: number) => findStampProblem(stamp) === undefined;
  const back = stamps.every(isStamp) ? stamps.findIndex((stamp, i) => stamp < stamps[i - 1]) : -1;
  const found = back === -1 ? undefined : explainDisorder(stamps, back, series, {}, POINTS);
  if (found) {
    throw new DataFormatError(
      `Cannot use ${file}: ${place(back)}: ${formatStamp(stamps[back])} ${found}`,
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
