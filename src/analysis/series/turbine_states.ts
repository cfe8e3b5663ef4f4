import type { DataFrame } from "nodejs-polars";
import { readNumbers, readStamps, readTexts, type Refuse } from "../../frames/read_columns.ts";
import { readSpan, type TimeRange } from "../../show/options/range.ts";
import { suggestName } from "../../show/options/suggest.ts";
import { formatCount, formatNumber, joinNames } from "../../show/text/numbers.ts";
import { HOUR, type HourAxis } from "../../time/hourly.ts";
import { assertOneTurbine } from "./turbine_stamps.ts";
import { sumOf } from "../../stats/spread.ts";

/** Category of a stop without a stated cause. */
export const UNCLASSIFIED = "Unclassified Stop";

/** Category of time without information. */
export const NO_INFORMATION = "No Information";

/**
 * Categories of the time of a turbine: those of IEC 61400-26, a stop without a cause, and time without information (its
 * IU; "Unavailable" in a log is read as that). If a log states several for the same time, the first counts: force
 * majeure and grid before environment before commanded before technical. That is a convention, not a fact.
 */
export const CATEGORIES = [
  "Force Majeure",
  "Out of Electrical Specification",
  "Out of Environmental Specification",
  "Requested Shutdown",
  "Suspended",
  "Scheduled Maintenance",
  "Planned Corrective Action",
  "Forced Outage",
  UNCLASSIFIED,
  "Technical Standby",
  "Partial Performance",
  NO_INFORMATION,
  "Full Performance",
] as const;

/** A category of the time of a turbine. */
export type Category = typeof CATEGORIES[number];

/** Category of each counter: a cause of stops, or "could run". */
const COUNTERS: Readonly<Record<string, Category>> = {
  grid_stop: "Out of Electrical Specification",
  environment_stop: "Out of Environmental Specification",
  commanded_stop: "Requested Shutdown",
  turbine_stop: "Forced Outage",
  ready_to_operate: "Full Performance",
};

/** Options for reading states from a log or from counters. */
export interface StateOptions extends TimeRange {
  /**
   * Category of entries by their code, message, category or status, or of counters by their column: `{ "Externally
   * stopped": "Out of Electrical Specification" }`. @default the category in the log
   */
  readonly categories?: Readonly<Record<string, string>>;
  /**
   * Priority of categories that overlap, first wins; those not listed follow in their usual order. @default force
   * majeure, grid, environment, commanded, suspended, maintenance, fault
   */
  readonly order?: readonly string[];
  /** Category of time without an entry. @default "Full Performance"; of counters, of time that is neither ready nor counted as a stop, "Unclassified Stop" */
  readonly unlogged?: string;
}

/** A period, or a share of it, in one category. */
export interface Spell {
  /** Start and end, milliseconds since 1970 UTC. */
  readonly from: number;
  readonly to: number;
  readonly category: Category;
  /** Share of the period. */
  readonly share: number;
}

/** The states of a turbine. */
export interface TurbineStates {
  /** In order of their starts; gaps between them are time without information. */
  readonly spells: readonly Spell[];
  /** Periods that a log calls curtailed, as if they were stops. */
  readonly curtailed: readonly Spell[];
  /** Start and end of the period examined, milliseconds since 1970 UTC. */
  readonly from: number;
  readonly to: number;
  /** Zone of the timestamps. */
  readonly timeZone: string;
  /** Assumptions, in sentences. */
  readonly notes: readonly string[];
}

/** Whether a frame has the counters of `readEvents()`. */
export const isCounted = ({ columns }: DataFrame) => columns.includes("ready_to_operate");

/** Whether a turbine runs, or may run, in a category. */
export function mayRun(category: Category): boolean {
  return category === "Full Performance" || category === "Partial Performance" ||
    category === NO_INFORMATION;
}

/** Parses the name of a category. */
export function readCategory(name: string, refuse: Refuse): Category {
  const near = suggestName(String(name), CATEGORIES);
  return CATEGORIES.find((category) => category === name) ??
    refuse(
      `there is no category "${name}". ${
        near ? `Did you mean "${near}"?` : `The categories are ${CATEGORIES.join(", ")}`
      }`,
    );
}

/** Reads both ends of a period; an open side ends with the data. */
export function readEnds({ from, to }: TimeRange, first: number, last: number, timeZone: string) {
  const at = Temporal.Instant.fromEpochMilliseconds;
  // The end is an hour, and that hour is included.
  return readSpan({ from: from ?? at(first), to: to ?? at(last - HOUR) }, timeZone);
}

/** Lists the starts of the hours of an axis, and its end. */
export function listHourEdges({ start, length }: HourAxis): number[] {
  return Array.from({ length: length + 1 }, (_, i) => start + i * HOUR);
}

const OPTION = "of measureAvailability()";

const hours = (time: number) => `${formatNumber(time / HOUR, 1)} h`;

/** Rows of a log or of counters in order of their starts, and options to read them; times are ms since 1970 UTC. */
interface Rows {
  readonly frame: DataFrame;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** Start and end of the period examined. */
  readonly span: readonly [from: number, to: number];
  readonly declared: ReadonlyMap<string, Category>;
  readonly order: readonly Category[];
  readonly unlogged: Category | undefined;
  readonly refuse: Refuse;
}

type Spells = Pick<TurbineStates, "spells" | "curtailed" | "notes">;

/**
 * Reads the states of a turbine from the events or the counters that `readEvents()` returns.
 *
 * @param timeZone Zone of days in `from` and `to`. @default the frame's
 * @throws {ArgumentError} If a column is missing, the frame has several turbines, or a category does not exist
 */
export function readStates(
  events: DataFrame,
  { categories = {}, order = [], unlogged, ...range }: StateOptions,
  refuse: Refuse,
  timeZone?: string,
): TurbineStates {
  const has = (name: string) => events.columns.includes(name);
  if (!has("from") || !has("to") || !(has("category") || isCounted(events)) || !events.height) {
    refuse(
      "the events have no rows, or lack one of from, to and category. Give the frame from readEvents()",
    );
  }
  assertOneTurbine(
    events,
    (problem) => refuse(`the events must be of one turbine, but ${problem}`),
  );
  const frame = events.sort("from");
  const { epochs: starts, timeZone: zone } = readStamps(frame, "from", refuse);
  const ends = readStamps(frame, "to", refuse, "gaps").epochs;
  const last = ends.reduce((last, end) => end > last ? end : last, starts.at(-1)!);
  const span = readEnds(range, starts[0], last, timeZone ?? zone);
  const declarations = Object.entries(categories);
  const declared = new Map(
    declarations.map(([name, category]) => [name, readCategory(category, refuse)]),
  );
  const first = order.map((name) => readCategory(name, refuse));
  const read = (isCounted(events) ? readCounters : readEntries)({
    frame,
    starts,
    ends,
    span,
    declared,
    refuse,
    order: [...new Set([...first, ...CATEGORIES])],
    unlogged: unlogged === undefined ? undefined : readCategory(unlogged, refuse),
  });
  const notes = range.from !== undefined && range.to !== undefined ? read.notes : [
    ...read.notes,
    `The log is assumed to cover the time from its first to its last entry ("from" and "to" ${OPTION}).`,
  ];
  return { ...read, from: span[0], to: span[1], timeZone: zone, notes };
}

/**
 * Splits the time of each row: first by causes of stops in their order, then to "ready", then to the default category.
 */
function readCounters(rows: Rows): Spells {
  const { frame, starts, ends, span, declared, order, unlogged = UNCLASSIFIED, refuse } = rows;
  const counters = Object.entries(COUNTERS).filter(([name]) => frame.columns.includes(name))
    .map(([name, usual]) => ({
      category: declared.get(name) ?? usual,
      seconds: readNumbers(frame, name, refuse),
    }))
    .sort((a, b) => order.indexOf(a.category) - order.indexOf(b.category));
  const spells: Spell[] = [];
  let [overlap, unloggedTime] = [0, 0];
  for (const [i, start] of starts.entries()) {
    const [from, to] = [Math.max(start, span[0]), Math.min(ends[i], span[1])];
    if (!(from < to) || counters.some(({ seconds }) => Number.isNaN(seconds[i]))) continue;
    let left = 1;
    for (const { category, seconds } of counters) {
      const wanted = 1000 * seconds[i] / (ends[i] - start);
      const share = Math.min(left, wanted);
      overlap += (wanted - share) * (to - from);
      left -= share;
      if (share > 0) spells.push({ from, to, category, share });
    }
    if (left > 0) spells.push({ from, to, category: unlogged, share: left });
    unloggedTime += left * (to - from);
  }
  const names = joinNames(counters.map(({ category }) => category));
  const notes = [
    `${
      hours(overlap)
    } are in several counters: the first of ${names} counts, by convention ("order" ${OPTION}).`,
    `${hours(unloggedTime)} are not ready to operate and not counted as a stop: "${unlogged}".`,
  ];
  return { spells, curtailed: [], notes: notes.filter((_, i) => [overlap, unloggedTime][i] > 0) };
}

/** Merges the entries of a log: an entry without an end lasts to the next one, reports are ignored. */
function readEntries(rows: Rows): Spells {
  const { frame, starts, ends, span, declared, order, unlogged = "Full Performance" } = rows;
  const texts = ["code", "text", "category", "status", "flags"]
    .map((name) => frame.columns.includes(name) ? readTexts(frame, name) : []);
  const [skipped, open, blank] = [[] as number[], [] as number[], [] as string[]];
  const classify = (row: number): Category | undefined => {
    const [code, text, category, status] = texts.map((column) => column[row] ?? "");
    const named = [code, text, category, status].find((name) => declared.has(name));
    if (named !== undefined) return declared.get(named);
    if (/^(Informational|Warning)$/.test(status)) return void skipped.push(row);
    if (status === "Communication" || category === "Unavailable") return NO_INFORMATION;
    const known = CATEGORIES.find((one) => one === category);
    if (known !== undefined) return known;
    if (status === "Curtailment") return "Partial Performance";
    blank.push(category === "" ? "blank" : `"${category}"`);
    return UNCLASSIFIED;
  };
  const curtailed: Spell[] = [];
  const edges: { readonly at: number; readonly rank: number; readonly step: number }[] = [];
  for (const [i, from] of starts.entries()) {
    let to = ends[i];
    if (to === from || Number.isNaN(to) && texts[4][i]?.includes("instant")) continue;
    const category = classify(i);
    if (category === undefined) continue;
    if (to < from) skipped.push(i);
    if (Number.isNaN(to)) {
      to = Math.max(from, starts.subarray(i).find((start) => start > from) ?? span[1]);
      open.push(i);
    }
    if (texts[3][i] === "Curtailment" && category === "Partial Performance") {
      curtailed.push({ from, to, category: "Requested Shutdown", share: 1 });
    }
    const rank = order.indexOf(category);
    if (to > from) edges.push({ at: from, rank, step: 1 }, { at: to, rank, step: -1 });
  }
  edges.sort((a, b) => a.at - b.at).push({ at: span[1], rank: order.length, step: 0 });
  const active = order.map(() => 0);
  const spells: Spell[] = [];
  let [at, overlap] = [span[0], 0];
  for (const edge of edges) {
    const to = Math.min(edge.at, span[1]);
    if (to > at) {
      const rank = active.findIndex((count) => count > 0);
      spells.push({ from: at, to, category: order[rank] ?? unlogged, share: 1 });
      if (active.filter((count) => count > 0).length > 1) overlap += to - at;
      at = to;
    }
    active[edge.rank] += edge.step;
  }
  const entries = ({ length }: ArrayLike<unknown>) => formatCount(length, "entry", "entries");
  const [words, stops] = [joinNames([...new Set(blank)], 5), joinNames(order.slice(0, 8))];
  const notes = [
    open.length > 0 &&
    `Vindkit assumes that ${entries(open)} without an end lasted until the next entry.`,
    skipped.length > 0 &&
    `${
      entries(skipped)
    } do not count: they are Informational or Warning, or end before they start.`,
    blank.length > 0 &&
    `${
      entries(blank)
    } without a category of IEC 61400-26 (${words}) count as "${UNCLASSIFIED}" ("categories" ${OPTION}).`,
    overlap > 0 &&
    `${
      hours(overlap)
    } have several categories. By convention, the first of ${stops} counts ("order" ${OPTION}).`,
    `Time without an entry is "${unlogged}" ("unlogged" ${OPTION}).`,
  ];
  return { spells, curtailed, notes: notes.filter((note) => note !== false) };
}

/**
 * Sums the time in each category.
 *
 * @param edges Starts of consecutive periods, and the end of the last one, milliseconds since 1970 UTC
 * @returns Time of each category in each period, ms; the categories add up to the length of the period
 */
export function sumStates(
  { spells }: Pick<TurbineStates, "spells">,
  edges: ArrayLike<number>,
): Record<Category, Float64Array> {
  const count = edges.length - 1;
  const remaining = Float64Array.from({ length: count }, (_, i) => edges[i + 1] - edges[i]);
  const times = CATEGORIES.map((category) => [category, new Float64Array(count)] as const);
  const sums = Object.fromEntries(times) as Record<Category, Float64Array>;
  let [first, k, end] = [0, 0, spells.length];
  while (k < end) {
    const middle = (k + end) >> 1;
    if (spells[middle].to <= edges[0]) k = middle + 1;
    else end = middle;
  }
  for (; k < spells.length && spells[k].from < edges[count]; k++) {
    const { from, to, category, share } = spells[k];
    while (first < count && edges[first + 1] <= from) first++;
    for (let i = first; i < count && edges[i] < to; i++) {
      const time = share * (Math.min(to, edges[i + 1]) - Math.max(from, edges[i]));
      sums[category][i] += time;
      remaining[i] -= time;
    }
  }
  // Less than a microsecond is a rounding error of shares.
  for (const [i, time] of remaining.entries()) if (time > 1e-3) sums[NO_INFORMATION][i] += time;
  return sums;
}

/**
 * Measures how much of each period the turbine was stopped.
 *
 * @param edges Starts of consecutive periods, and the end of the last one, milliseconds since 1970 UTC
 * @returns Stopped share of the known time, NaN if none is known, and the category that took most of it
 */
export function findStops(states: Pick<TurbineStates, "spells">, edges: ArrayLike<number>) {
  const times = sumStates(states, edges);
  const stops = CATEGORIES.filter((category) => !mayRun(category));
  const causes = Array<Category | undefined>(edges.length - 1).fill(undefined);
  const shares = times[NO_INFORMATION].map((unknown, i) => {
    const durations = stops.map((category) => times[category][i]);
    const stopped = sumOf(durations);
    if (stopped > 0) causes[i] = stops[durations.indexOf(Math.max(...durations))];
    const known = edges[i + 1] - edges[i] - unknown;
    return known > 0 ? Math.min(1, stopped / known) : NaN;
  });
  return { shares, causes };
}
