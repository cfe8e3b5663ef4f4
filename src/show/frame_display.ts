import type { Column } from "../api/columns/column.ts";

/** Properties that a frame carries to show itself: its declared columns, and lines about its origin. */
export interface FrameDisplay {
  /** Declarations of the frame's columns; undeclared ones are shown by name. */
  readonly columns: readonly Column[];
  /** Lines below the table: origin, licence, notes; not that the source is missing. */
  readonly caption: readonly string[];
  /** Whether the figures are invented: then the table says SYNTHETIC above its header; `undefined` if their source is not stated. */
  readonly synthetic: boolean | undefined;
}

/** Property under which a frame carries {@linkcode FrameDisplay}. */
export const DISPLAY: unique symbol = Symbol.for("vindkit.shown") as never;

/** Display properties of a frame; `undefined` for a frame made by hand. */
export function displayOf(value: object): FrameDisplay | undefined {
  return (value as { [DISPLAY]?: FrameDisplay })[DISPLAY];
}
