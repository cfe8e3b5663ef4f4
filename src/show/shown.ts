import type { Column } from "../api/columns/column.ts";

/** What a frame carries so that it can show itself: its declared columns and lines about its origin. */
export interface Shown {
  /** Declarations of the frame's columns; undeclared ones are shown by name. */
  readonly columns: readonly Column[];
  /** Lines below the table: origin, licence, notes. */
  readonly caption: readonly string[];
  /** Whether the figures are invented: then the table says SYNTHETIC above its head. */
  readonly synthetic: boolean;
}

/** Property under which a frame carries {@linkcode Shown}. */
export const SHOWN: unique symbol = Symbol.for("vindkit.shown") as never;

/** Reads what an object carries to show itself. */
export function shownOf(value: object): Shown | undefined {
  return (value as { [SHOWN]?: Shown })[SHOWN];
}
