import type { DataFrame } from "nodejs-polars";
import { describeValue } from "../api/error_text.ts";
import { ArgumentError } from "../api/errors.ts";
import type { Column } from "../api/columns/column.ts";
import { SYNTHETIC } from "../api/world.ts";

/** Whether a value is a Polars frame. */
export function isFrame(value: unknown): value is DataFrame {
  // A frame is a proxy in which a column hides the method of the same name, but every frame has the native frame inside.
  return typeof (value as { _df?: unknown } | null | undefined)?._df === "object";
}

/**
 * Refuses anything but a frame, before any column is read.
 *
 * @param what Purpose of the frame, such as `plot monthly indices`
 * @param madeBy The functions that return such frames, such as `monthlyIndices()`
 * @throws {ArgumentError} If it is a Promise, a list, missing, or anything else but a frame
 */
export function checkFrame(
  value: unknown,
  what: string,
  madeBy: string,
): asserts value is DataFrame {
  if (isFrame(value)) return;
  const hasFrames = Array.isArray(value) && isFrame(value[0]);
  throw new ArgumentError(
    `Cannot ${what}: this is ${describeValue(value)}, not a frame. ${
      hasFrames ? "Join its frames with pl.concat()" : `Give a frame from ${madeBy}`
    }`,
  );
}

/** Display properties of a frame: its declared columns, and lines about its origin. */
export interface FrameDisplay {
  /** Declarations of the frame's columns; other columns are shown by name. */
  readonly columns: readonly Column[];
  /** Lines below the table: origin, licence, notes; without the line for a missing source. */
  readonly caption: readonly string[];
  /** Whether the figures are invented, so the table says SYNTHETIC above its header; `undefined` if their source is unknown. */
  readonly synthetic: boolean | undefined;
}

/** Property of a frame that holds {@linkcode FrameDisplay}. */
export const DISPLAY: unique symbol = Symbol.for("vindkit.shown") as never;

/** Display properties of a frame; `undefined` for a frame made by hand. */
export function displayOf(value: object): FrameDisplay | undefined {
  return (value as { [DISPLAY]?: FrameDisplay })[DISPLAY];
}

let used = false;

/** Records that this process has shown figures of the sample: later figures without a source may be invented. */
export function noteSampleUse(): void {
  used = true;
}

/** Whether this process has used the sample. */
export function hasUsedSample(): boolean {
  return used;
}

/** The line that replaces a missing source. */
export function formatMissingSource(): string {
  return used
    ? `Source: not stated. ${SYNTHETIC} figures of the sample were used in this process`
    : "Source: not stated";
}
