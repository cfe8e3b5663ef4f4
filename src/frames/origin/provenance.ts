import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { SYNTHETIC, type World } from "../../api/world.ts";
import { declaredType, dtypeName } from "../frame.ts";
import { buildFollower } from "./follow_methods.ts";
import { CUSTOM_INSPECT, JUPYTER_DISPLAY } from "../../show/jupyter.ts";
import {
  checkFrame,
  DISPLAY,
  displayOf,
  type FrameDisplay,
  hasUsedSample,
  isFrame,
  noteSampleUse,
} from "../../show/check_frame.ts";
import { table } from "../../show/table/table.ts";

/** A source of a frame. */
export interface Provenance {
  /** Operation of the API, or name of the function that made the frame. */
  readonly operation: string;
  /** Parameters that were sent; never the key. */
  readonly parameters: Readonly<Record<string, string | number>>;
  /** When the body was received, ISO 8601 UTC; absent for a file of the user. */
  readonly fetchedAt?: string;
  /** SHA-256 of the body, hexadecimal; one for each of several bodies. */
  readonly sha256: readonly string[];
  /** Sample, own data or a live service. */
  readonly world: World;
  /** Attributions that the data require. */
  readonly attribution: readonly string[];
  /** Remarks for the reader, such as that figures come from a cache, or that the service has revised them. */
  readonly notes?: readonly string[];
}

/** Sources of figures: one, or several of a joined frame; empty if they are not stated. */
export type Origin = readonly Provenance[];

const PROVENANCE: unique symbol = Symbol.for("vindkit.provenance") as never;

function hide(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: false, configurable: true });
}

/** Whether figures are invented, or may be: their source is not stated, and this process has used the sample. */
export function isSynthetic(origin: Origin): boolean {
  return origin.length === 0 ? hasUsedSample() : origin.some(({ world }) => world === "sample");
}

/**
 * Lists the sources of frames and records, each once: two calls that received the same body at the same time are one.
 *
 * @param from Frames and records; anything else has no source
 */
export function joinOrigins(from: readonly unknown[]): Origin {
  const origins = from.flatMap((one) => {
    const origin = typeof one === "object" && one !== null ? provenance(one) : [];
    return origin.length === 0 ? [] : [origin];
  });
  if (new Set(origins).size < 2) return origins[0] ?? [];
  const sources = new Map<string, Provenance>();
  for (const source of new Set(origins.flat())) {
    const { operation, parameters, sha256, world, fetchedAt } = source;
    const key = JSON.stringify([operation, parameters, sha256, world, fetchedAt]);
    const known = sources.get(key);
    const notes = [...new Set([...known?.notes ?? [], ...source.notes ?? []])];
    if (!known) sources.set(key, source);
    else if (notes.length > (known.notes?.length ?? 0)) sources.set(key, { ...known, notes });
  }
  return [...sources.values()];
}

const SOURCES: Readonly<Record<World, string>> = {
  sample: `${SYNTHETIC}: the built-in sample, not real data`,
  own: "own data",
  live: "live service",
};

/** Formats the sources of figures, a line for each operation, the sample first. */
export function formatSources(origin: Origin): string[] {
  const lines = Map.groupBy(
    origin,
    ({ operation, world }) => `${operation} from ${SOURCES[world]}`,
  );
  return [...lines].sort(([, [a]], [, [b]]) =>
    Number(b.world === "sample") - Number(a.world === "sample")
  ).map(([line, each]) => {
    const latest = each.map(({ fetchedAt = "" }) => fetchedAt).sort().at(-1)!;
    const hashes = new Set(each.flatMap(({ sha256 }) => sha256));
    return [
      line,
      ...(latest === "" ? [] : [`${latest.slice(0, 16)}Z`]),
      ...(hashes.size === 1 ? [`sha256 ${[...hashes][0].slice(0, 12)}`] : []),
    ].join(", ");
  });
}

/** Formats the remarks on figures: notes, and the attributions that their sources require. */
export function formatRemarks(origin: Origin): string[] {
  const notes = origin.flatMap((one) => one.notes ?? []);
  return [...new Set([...notes, ...origin.flatMap(({ attribution }) => attribution)])];
}

/** Formats the lines below a table about the origin of its figures. */
export function formatOrigin(origin: Origin): string[] {
  return [...formatSources(origin), ...formatRemarks(origin)];
}

/** Attaches display and origin to a frame, a lazy frame or a group. */
function attach(
  to: object,
  columns: readonly Column[],
  origin: Origin,
  caption: readonly string[],
) {
  const synthetic = origin.length === 0 ? undefined : isSynthetic(origin);
  if (synthetic) noteSampleUse();
  const display: FrameDisplay = { columns, caption, synthetic };
  hide(to, DISPLAY, display);
  hide(to, PROVENANCE, origin);
}

function showItself(frame: DataFrame): DataFrame {
  hide(frame, JUPYTER_DISPLAY, () => table(frame)[JUPYTER_DISPLAY]());
  for (const name of [CUSTOM_INSPECT, "toString"]) {
    hide(frame, name, () => table(frame)[CUSTOM_INSPECT]());
  }
  followMethods(frame);
  return frame;
}

/** Selects the declarations that fit a column of a frame by name and type. */
function selectColumns(frame: DataFrame, declared: readonly Column[]): Column[] {
  const { columns, dtypes } = frame;
  // Columns with these names hide the properties.
  if (declared.length === 0 || !Array.isArray(columns) || !Array.isArray(dtypes)) return [];
  return columns.flatMap((name, i) => {
    const column = declared.find((one) => one.name === name);
    return column && column.dtype === declaredType(dtypeName(dtypes[i])) ? column : [];
  });
}

/** Lists the declared columns of frames. A name belongs to the first frame that has it, because its unit may differ in others. */
function listDeclared(from: readonly unknown[]): Column[] {
  const seen = new Set<string>();
  return from.flatMap((one) => {
    if (typeof one !== "object" || one === null) return [];
    const declared = (displayOf(one)?.columns ?? []).filter(({ name }) => !seen.has(name));
    if (isFrame(one) && Array.isArray(one.columns)) one.columns.forEach((name) => seen.add(name));
    return declared;
  });
}

const followMethods = buildFollower((made, from, keeps) => {
  const origin = joinOrigins(from);
  if (!isFrame(made)) return attach(made, [], origin, []);
  const declared = listDeclared(from).filter(({ name }) => keeps(name));
  attach(made, selectColumns(made, declared), origin, formatOrigin(origin));
  showItself(made);
});

/**
 * Makes a frame show itself with its declared columns, and attaches its origin. The frame's own methods pass the origin
 * on: results of `filter()`, `groupBy()` or `join()` have it, too. They pass a declaration on if they choose, order,
 * cut or join rows and columns, and else to a column whose values are all unchanged.
 *
 * @param frame The frame; it is changed in place and returned
 * @param from Its source or sources, if they are known
 * @param notes Further lines below the frame, shown even if its origin is unknown
 */
export function describeFrame(
  frame: DataFrame,
  columns: readonly Column[],
  from: Provenance | Origin = [],
  notes: readonly string[] = [],
): DataFrame {
  const [first, ...others] = [from].flat();
  const origin = first === undefined
    ? []
    : notes.length === 0
    ? [first, ...others]
    : [{ ...first, notes: [...first.notes ?? [], ...notes] }, ...others];
  attach(frame, columns, origin, origin.length === 0 ? notes : formatOrigin(origin));
  return showItself(frame);
}

/**
 * Adds lines below a frame that are about its rows; the results of its methods do not keep them.
 *
 * @param frame The frame; it is changed in place and returned
 */
export function addCaption(frame: DataFrame, lines: readonly string[]): DataFrame {
  const display = displayOf(frame)!;
  hide(frame, DISPLAY, { ...display, caption: [...display.caption, ...lines] });
  return frame;
}

/** Attaches an origin to a record. */
export function attachProvenance<T extends object>(record: T, from: Provenance): T {
  if (from.world === "sample") noteSampleUse();
  hide(record, PROVENANCE, [from]);
  return record;
}

/**
 * Lists the sources of a frame or a record. Results of the frame's own methods keep them; a join has the sources of
 * both sides if its left side has one. A frame made by hand has none, and its methods return frames without sources,
 * even a join with a frame that has some. The same holds for `pl.concat()` of lazy frames or with another `how` than
 * "vertical". Put the frame with the source on the left, or attach the sources with `withProvenance()`.
 *
 * @param of The frame or record
 * @returns Its sources; empty if they are not stated
 *
 * @example The result of a method keeps the source
 * ```ts
 * import { pl, provenance, turbines } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const all = await turbines();
 * const [source] = provenance(all.filter(pl.col("turbine_id").neq(pl.lit("T1"))).head(2));
 * assertEquals([source.operation, source.world], ["turbines", "sample"]);
 * assertEquals(provenance(pl.DataFrame(all.toRecords())), []);
 * ```
 */
export function provenance(of: object): Origin {
  return (of as { [PROVENANCE]?: Origin })[PROVENANCE] ?? [];
}

/**
 * Adds the sources and declared columns of frames to a frame that lacks them: a frame made by hand or by the methods of
 * such a frame, or by `pl.concat()` of lazy frames or with another `how` than "vertical".
 *
 * @param frame The frame; it is changed in place and returned
 * @param from A frame from which it was made
 * @param more Further frames
 *
 * @example Two turbines whose columns differ
 * ```ts
 * import { pl, provenance, monthlyIndices, withProvenance } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const one = await monthlyIndices("T1", { from: "2023-01", to: "2023-12" });
 * const two = await monthlyIndices("T2", { from: "2023-01", to: "2023-12" });
 * const both = withProvenance(pl.concat([one, two.drop("revision")], { how: "diagonal" }), one, two);
 * assertEquals(provenance(both).map(({ parameters }) => parameters.turbine_id), ["T1", "T2"]);
 * ```
 */
export function withProvenance(
  frame: DataFrame,
  from: DataFrame,
  ...more: readonly DataFrame[]
): DataFrame {
  checkFrame(frame, "attach a source", "a call or its methods");
  for (const one of [from, ...more]) {
    checkFrame(one, "attach a source", "monthlyIndices() or another call");
  }
  const all = [frame, from, ...more];
  const columns = all.flatMap((one) => displayOf(one)?.columns ?? []);
  return describeFrame(frame, selectColumns(frame, columns), joinOrigins(all));
}
