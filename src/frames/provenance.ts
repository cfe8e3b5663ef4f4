import type { DataFrame } from "nodejs-polars";
import type { Column } from "../api/columns/column.ts";
import { SYNTHETIC, type World } from "../api/world.ts";
import { CUSTOM_INSPECT, JUPYTER_DISPLAY } from "../show/jupyter.ts";
import { DISPLAY, type FrameDisplay } from "../show/frame_display.ts";
import { table } from "../show/table/table.ts";
import { checkFrame } from "../show/check_frame.ts";

/** Origin of a frame. */
export interface Provenance {
  /** Operation of the API, or name of the function that made the frame. */
  readonly operation: string;
  /** Parameters that were sent; never the key. */
  readonly parameters: Readonly<Record<string, string | number>>;
  /** When the body was received, ISO 8601 UTC. */
  readonly fetchedAt: string;
  /** SHA-256 of the body, hexadecimal; of several bodies, one each. */
  readonly sha256: readonly string[];
  /** Sample, own data or a live service. */
  readonly world: World;
  /** Attributions that the data require. */
  readonly attribution: readonly string[];
  /** What a reader should know: that figures come from a cache, that the service had revised them. */
  readonly notes?: readonly string[];
}

const PROVENANCE: unique symbol = Symbol.for("vindkit.provenance") as never;

function hide(target: object, key: symbol, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: false, configurable: true });
}

/** Formats the lines below a table about the origin of its figures. */
export function formatProvenance(provenance: Provenance): string[] {
  const { operation, world, fetchedAt, sha256, attribution, notes = [] } = provenance;
  const source = world === "sample"
    ? `${SYNTHETIC}: the built-in sample, not real data`
    : world === "own"
    ? "own data"
    : "live service";
  const hash = sha256.length === 1 ? `, sha256 ${sha256[0].slice(0, 12)}` : "";
  return [
    `${operation} from ${source}, ${fetchedAt.slice(0, 16)}Z${hash}`,
    ...notes,
    ...attribution,
  ];
}

/**
 * Makes a frame show itself with its declared columns, and attaches its origin.
 *
 * @param frame The frame; it is changed in place and returned
 * @param columns Declarations of its columns
 * @param origin Its origin, if that is known
 * @param notes Further lines below the frame, shown also if its origin is not known
 */
export function describeFrame(
  frame: DataFrame,
  columns: readonly Column[],
  origin?: Provenance,
  notes: readonly string[] = [],
): DataFrame {
  const provenance = origin && notes.length > 0
    ? { ...origin, notes: [...origin.notes ?? [], ...notes] }
    : origin;
  const shown: FrameDisplay = {
    columns,
    caption: provenance ? formatProvenance(provenance) : notes,
    synthetic: provenance?.world === "sample",
  };
  hide(frame, DISPLAY, shown);
  hide(frame, JUPYTER_DISPLAY, () => table(frame)[JUPYTER_DISPLAY]());
  hide(frame, CUSTOM_INSPECT, () => table(frame)[CUSTOM_INSPECT]());
  if (provenance) hide(frame, PROVENANCE, provenance);
  return frame;
}

/**
 * Attaches its origin to a record.
 *
 * @param record The record; it is changed in place and returned
 * @param from Its origin
 */
export function attachProvenance<T extends object>(record: T, from: Provenance): T {
  hide(record, PROVENANCE, from);
  return record;
}

/**
 * Origin of a frame or a record of the service; `undefined` for one that was derived or made by hand.
 *
 * @param of The frame or record
 *
 * @example A derived frame has no provenance until it is attached again
 * ```ts
 * import { provenance, turbines, withProvenance } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const all = await turbines();
 * const first = all.head(1);
 * assertEquals(provenance(first), undefined);
 * assertEquals(provenance(withProvenance(first, all))?.world, "sample");
 * ```
 */
export function provenance(of: object): Provenance | undefined {
  return (of as { [PROVENANCE]?: Provenance })[PROVENANCE];
}

/**
 * Attaches the provenance and the declared columns of one frame to another that was derived from it.
 *
 * @param frame The derived frame; it is changed in place and returned
 * @param from The frame from which it was derived
 */
export function withProvenance(frame: DataFrame, from: DataFrame): DataFrame {
  checkFrame(frame, "attach a source", "a call or its methods");
  checkFrame(from, "attach a source", "monthlyIndices() or another call");
  const shown = (from as unknown as { [DISPLAY]?: FrameDisplay })[DISPLAY];
  return describeFrame(frame, shown?.columns ?? [], provenance(from));
}
