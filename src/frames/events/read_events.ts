import pl, { type DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import type { PassRule } from "../../time/local_clock.ts";
import { assertTimeZone, isSameZone } from "../../time/zones.ts";
import { type Cell, type CellTable, formatCell, isEmpty, refuseCell } from "../cells/cell_table.ts";
import { buildNumberReader } from "../cells/number_cells.ts";
import { readCells } from "../cells/read_cells.ts";
import { readStampCells } from "../cells/stamp_cells.ts";
import { checkHeap, checkTableSize } from "../files/reader_limits.ts";
import { buildDatetimes, buildNumbers, buildRows } from "../frame.ts";
import { describeFiles, eachFile, type FileNames } from "../presets/named_files.ts";
import { readPreamble } from "../presets/preamble.ts";
import {
  type CountersLayout,
  type EventsLayout,
  findPreset,
  type PresetName,
} from "../presets/presets.ts";
import { describeFrame, type Provenance } from "../origin/provenance.ts";
import { refuseFile } from "../files/read_file.ts";
import { counterColumns, type Event, eventColumns, IEC_CATEGORIES } from "./event_columns.ts";

/**
 * Reads counters of states.
 *
 * @returns A row for each period and turbine of the file, in its order
 * @throws {DataFormatError} If a cell does not fit its column; the message names it
 */
async function readCounters(
  bytes: Uint8Array,
  file: string,
  { time, turbine, step, columns }: CountersLayout,
): Promise<DataFrame> {
  const names = Object.keys(columns);
  const table = await readCells(bytes, file, {}, [time, turbine, ...Object.values(columns)]);
  const ends = readStampCells(table, 1, { time_zone: "UTC", passRule: "copies" });
  const oddRow = ends.findIndex((end) => end % step !== 0);
  if (oddRow !== -1) {
    const problem = `the timestamp is not the end of a period of ${step / 60_000} minutes`;
    refuseCell(table, oddRow, 0, problem, { code: "resolution" });
  }
  const ids = table.columns[1].cells.map((cell, row) => {
    const id = formatCell(cell);
    return id === ""
      ? refuseCell(table, row, 1, "the turbine is missing. Fill the cell", { field: "turbine" })
      : id;
  });
  const numbers = buildNumberReader(table, {});
  const read = names.map((name, i) => {
    const seconds = numbers.read(i + 2);
    const below = seconds.findIndex((value) => value < 0);
    if (below !== -1) refuseCell(table, below, i + 2, `${seconds[below]} s is a negative duration`);
    return buildNumbers(name, seconds);
  });
  return pl.DataFrame([
    pl.Series(turbineId.name, ids, pl.Utf8),
    buildDatetimes("from", ends.map((end) => end - step)),
    buildDatetimes("to", ends),
    ...read,
  ]);
}

/**
 * Joins the counters of files in the order of turbine and time; equal rows of two files are counted once.
 *
 * @param notes Receives sentences on merged rows, and on times that are missing or longer than their period
 * @throws {DataFormatError} If two rows of a turbine and time have different values
 */
function joinCounters(
  parts: readonly DataFrame[],
  files: string,
  { step, columns }: CountersLayout,
  notes: string[],
): DataFrame {
  const all = pl.concat([...parts]);
  const keys = [turbineId.name, "from"];
  const frame = all.unique().sort(keys);
  const conflicts = frame.groupBy(...keys).agg(pl.count("to").alias("count"))
    .filter(pl.col("count").gt(1)).sort(keys);
  if (conflicts.height > 0) {
    const [id, from] = conflicts.select(pl.col(keys[0]), pl.col("from").cast(pl.Utf8)).row(0);
    const problem = `turbine ${id} has two rows for ${from} with different values`;
    refuseFile(files, `${problem}. Remove the wrong rows`, { code: "values_differ" });
  }
  const count = (countIn: (name: string) => number) =>
    Object.keys(columns).reduce((sum, name) => sum + countIn(name), 0);
  const note = (number: number, words: string) => number > 0 && notes.push(`${number} ${words}`);
  note(
    all.height - frame.height,
    "rows occur twice with equal values, in one file or two, so they count once",
  );
  note(count((name) => frame.getColumn(name).nullCount()), "durations are missing");
  note(
    count((name) => frame.filter(pl.col(name).gt(step / 1000)).height),
    "durations in the files are longer than their period",
  );
  return frame;
}

/**
 * Reads a status log.
 *
 * @throws {DataFormatError} If a cell does not fit its column; the message names it
 */
async function readLog(
  bytes: Uint8Array,
  file: string,
  layout: EventsLayout,
  turbine_id: string,
  timeZone: string,
) {
  const { from, to, duration, status, code, text, category } = layout.columns;
  const wanted = [from, to, duration, status, code, text, category];
  const table = await readCells(bytes, file, {}, wanted);
  const cells = (column: number, row: number) => readText(table.columns[column].cells[row]);
  const height = table.columns[0].cells.length;
  // The entries of a log are not in order and may be equal, so their order does not show the pass of a repeated hour.
  const read = (passRule: PassRule) => ({
    starts: readStampCells(table, 1, { time_zone: timeZone, passRule }),
    ends: readEnds(table, timeZone, passRule),
  });
  const earlier = read("earlier");
  const later = timeZone === "UTC" ? earlier : read("later");
  let otherDurations = 0;
  const events = Array.from({ length: height }, (_, row): Event => {
    const statedDuration = cells(2, row);
    const seconds = statedDuration === null ? null : readDuration(statedDuration);
    if (seconds === undefined) {
      const quoted = JSON.stringify(statedDuration!.slice(0, 60));
      return refuseCell(table, row, 2, `${quoted} is not a duration like 211:08:29. Fix the cell`);
    }
    const { from, to, unclear } = placeEvent(
      listDifferent(earlier.starts[row], later.starts[row]),
      listDifferent(earlier.ends[row], later.ends[row]),
      seconds,
    );
    if (to !== null && seconds !== null && !lasts(from, to, seconds)) otherDurations++;
    const [status, code, text, category] = [3, 4, 5, 6].map((column) => cells(column, row));
    const instant = to === from || to === null && layout.instants.includes(status ?? "");
    const spelled = spellings.get(category?.toLowerCase() ?? "") ?? category;
    return { turbine_id, from, to, category: spelled, status, code, text, instant, unclear };
  });
  return { events, otherDurations };
}

/** Reads a cell as a text; `null` if it is empty or "-". */
function readText(cell: Cell): string | null {
  const text = isEmpty(cell) ? "" : String(cell).trim();
  return text === "" || text === "-" ? null : text;
}

/** Reads the ends of events, `null` if there is none. */
function readEnds(
  table: CellTable,
  timeZone: string,
  passRule: PassRule,
): (number | null)[] {
  const [, { name, cells }] = table.columns;
  const rows = [...cells.keys()].filter((row) => readText(cells[row]) !== null);
  const closed: CellTable = {
    ...table,
    columns: [{ name, cells: rows.map((row) => cells[row]) }],
    line: (i) => table.line(rows[i]),
    place: (i) => table.place(rows[i], 1),
  };
  const stamps = rows.length === 0
    ? []
    : readStampCells(closed, 1, { time_zone: timeZone, passRule });
  const ends = Array<number | null>(cells.length).fill(null);
  for (const [i, row] of rows.entries()) ends[row] = stamps[i];
  return ends;
}

const listDifferent = <T>(one: T, other: T) => one === other ? [one] : [one, other];

/** Whether the time from start to end, ms, equals a duration, s, which files round. */
const lasts = (from: number, to: number, seconds: number) =>
  Math.abs((to - from) / 1000 - seconds) <= 1;

/**
 * Chooses start and end of an event, ms, among the possible hours: the pair that fits its duration, else the earliest
 * pair in order.
 */
function placeEvent(
  starts: readonly number[],
  ends: readonly (number | null)[],
  seconds: number | null,
): Pick<Event, "from" | "to" | "unclear"> {
  const all = starts.flatMap((from) => ends.map((to) => ({ from, to })));
  const forward = all.filter(({ from, to }) => to === null || to >= from);
  const matching = forward.filter(({ from, to }) =>
    to !== null && seconds !== null && lasts(from, to, seconds)
  );
  const possible = [matching, forward, all].find((pairs) => pairs.length > 0)!;
  return { ...possible[0], unclear: possible.length > 1 };
}

/** Reads a duration of hours, minutes and seconds, as seconds; `undefined` if it is not one. */
function readDuration(text: string): number | undefined {
  const [, hours, minutes, seconds] = /^(\d+):([0-5]\d):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined
    ? undefined
    : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Categories of IEC 61400-26 in our spelling, by their lower case. Other words are kept. */
const spellings = new Map(IEC_CATEGORIES.map((name) => [name.toLowerCase(), name]));

/**
 * Flags events that need care: `duplicate` of an earlier row, `overlap` in time with another event of the turbine,
 * `open` without an end, `instant` without a duration, `negative` if it ends before it begins, `unclear hour` if the
 * clock repeats its hour and its duration does not show which pass it is.
 */
function flagEvents(events: readonly Event[]): (string | null)[] {
  const flags = events.map((): string[] => []);
  const seen = new Set<string>();
  /** The event of the turbine that ends last. */
  let last = -1;
  for (const [i, event] of events.entries()) {
    const { turbine_id, from, to, instant, unclear } = event;
    const key = JSON.stringify(event);
    if (events[i - 1]?.turbine_id !== turbine_id || events[i - 1].from !== from) seen.clear(); // later rows cannot repeat them
    if (seen.has(key)) flags[i].push("duplicate");
    else if (to !== null && to > from) {
      // An event that ends before `last` does can overlap `last`, but no later event.
      const before = events[last];
      if (before?.turbine_id === turbine_id && before.to! > from) {
        for (const row of [last, i]) {
          if (!flags[row].includes("overlap")) flags[row].push("overlap");
        }
      }
      if (before?.turbine_id !== turbine_id || to > before.to!) last = i;
    }
    seen.add(key);
    if (instant) flags[i].push("instant");
    else if (to === null) flags[i].push("open");
    else if (to < from) flags[i].push("negative");
    if (unclear) flags[i].push("unclear hour");
  }
  return flags.map((eventFlags) => eventFlags.length === 0 ? null : eventFlags.join(", "));
}

const OPERATION = "readEvents";

/** A preset, with facts that its files do not state. */
export interface EventsFormat {
  /** Name of the preset. */
  readonly preset: PresetName;
  /** IANA zone of the stamps. @default the zone of the file */
  readonly time_zone?: string;
}

const OPTIONS = declareOptions<EventsFormat>()("preset! time_zone");

/**
 * Reads the events of status logs, or the counters of states of a preset that has these. Every event of a log is kept;
 * flags mark the ones that need care.
 *
 * @param files Path or URL of a file, a list of them, a folder, a pattern like "data/Status*.csv", or a zip archive of many
 * @param how Name of their layout, "greenbyte"; or `{ preset, time_zone }` if they do not name the zone of their stamps
 * @returns A frame of `turbine_id`, `from` and `to` (Datetime, in the zone of the first file; `to` is null if the file
 * has none), `category` of IEC 61400-26, `status`, `code`, `text` and `flags` (`duplicate`, `overlap`, `open`,
 * `instant`, `negative`, `unclear hour`), in the order of turbine and start; of "hill-of-towie" a row for each turbine
 * and ten minutes, `turbine_id`, `from`, `to`, and in s the time in them of `environment_stop`, `commanded_stop`,
 * `turbine_stop`, `grid_stop`, `ready_to_operate` and `wind_in_range` (Float64; null if missing), which may
 * overlap
 * @throws {DataFormatError} If a file does not fit; the message names line and column
 * @throws {ArgumentError} If there is no such file, the preset has no status logs, or a file does not state its turbine
 * or zone
 *
 * @example Hours of stops by category
 * ```ts
 * import { pl, readEvents } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(
 *   file,
 *   "# Turbine: Kelmarsh 1\n# Time zone: UTC\n" +
 *     "Timestamp start,Timestamp end,Duration,Status,Code,Message,Comment,IEC category\n" +
 *     "2021-03-01 10:00:00,2021-03-01 12:30:00,2:30:00,Stop,250,Gearbox oil,,Forced outage\n" +
 *     "2021-03-02 08:00:00,-,-,Stop,10,Emergency stop,,Forced outage\n",
 * );
 * const events = await readEvents(file, "greenbyte");
 * assertEquals(events.getColumn("category").toArray(), ["Forced Outage", "Forced Outage"]);
 * assertEquals(events.getColumn("flags").nullCount(), 1); // the other one is "open"
 * assertEquals(events.filter(pl.col("to").isNull()).height, 1);
 * await Deno.remove(file);
 * ```
 */
export async function readEvents(
  files: FileNames,
  how: PresetName | EventsFormat,
): Promise<DataFrame> {
  const format = typeof how === "string" ? { preset: how } : how;
  readOptions("readEvents()", format, OPTIONS);
  const { preset, time_zone: givenZone } = format;
  if (givenZone !== undefined) assertTimeZone(givenZone, "time_zone");
  const layout = findPreset(preset, "read events");
  if ("register" in layout || !layout.events) {
    throw new ArgumentError(
      `Cannot read events: the preset "${preset}" has no status logs. Use "greenbyte" or "hill-of-towie"`,
    );
  }
  const { events: log } = layout;
  const choice = { wanted: log.files, operation: OPERATION };
  const sources: Provenance[] = [];
  const notes: string[] = [];
  if ("step" in log) {
    if (givenZone !== undefined && !isSameZone(givenZone, "UTC")) {
      throw new ArgumentError(
        `Cannot read events: the times of "${preset}" are in UTC. Omit "time_zone"`,
        { field: "time_zone", value: givenZone },
      );
    }
    const parts: DataFrame[] = [];
    let rows = 0;
    await eachFile(files, choice, async ({ name, bytes, origin }) => {
      const part = await readCounters(bytes, name, log);
      rows += part.height;
      checkTableSize(rows, part.width, (problem) => refuseFile(name, problem));
      parts.push(part);
      sources.push(...origin);
    });
    const frame = joinCounters(parts, describeFiles(files), log, notes);
    return describeFrame(frame, counterColumns, sources, notes);
  }
  const events: Event[] = [];
  let zone: string | undefined;
  let otherDurations = 0;
  await eachFile(files, choice, async ({ name, bytes, origin }) => {
    const { turbine, timeZone, notes: texts } = readPreamble(bytes, name, log.preamble, givenZone);
    if (turbine === undefined) {
      throw new ArgumentError(
        `Cannot read ${name}: the line "# ${log.preamble.turbine}: …", which names the turbine, is missing above its table. Add this line`,
      );
    }
    zone ??= timeZone;
    notes.push(...texts.map((note) => `${name}: ${note}`));
    const read = await readLog(bytes, name, log, turbine, timeZone);
    for (const event of read.events) events.push(event);
    otherDurations += read.otherDurations;
    checkHeap(events.length, eventColumns.length, (problem) => refuseFile(name, problem));
    sources.push(...origin);
  });
  events.sort((a, b) =>
    a.turbine_id === b.turbine_id ? a.from - b.from : a.turbine_id < b.turbine_id ? -1 : 1
  );
  if (otherDurations > 0) {
    notes.push(
      `${otherDurations} events have a duration that differs from the time between their timestamps`,
    );
  }
  const flags = flagEvents(events);
  const rows = events.map((event, i) => ({ ...event, flags: flags[i] }));
  return describeFrame(buildRows(eventColumns, rows, zone), eventColumns, sources, notes);
}
