import type { DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { ArgumentError } from "../../api/errors.ts";
import { refuseFile } from "../refuse_file.ts";
import { assertTimeZone, isSameZone } from "../../time/zones.ts";
import { checkHeap, checkTableSize } from "../csv/table_bounds.ts";
import { buildFrame } from "../frame.ts";
import { describeFiles, eachFile, type FileNames } from "../presets/named_files.ts";
import { readPreamble } from "../presets/preamble.ts";
import { findPreset, type PresetName } from "../presets/presets.ts";
import { describeFrame, type Provenance } from "../provenance.ts";
import type { Event } from "./event.ts";
import type { CountersLayout } from "../presets/preset.ts";
import { counterColumns, eventColumns } from "./event_columns.ts";
import { joinCounters, readCounters } from "./read_counters.ts";
import { readLog } from "./read_log.ts";

/**
 * Says what needs care of each event: `duplicate` of an earlier row, `overlap` in time with another event of the turbine,
 * `open` without an end, `instant` without a duration, `negative` where it ends before it begins, `unclear hour` where the
 * clock repeats its hour and its duration does not say which one it is.
 */
function flagEvents(events: readonly Event[]): (string | null)[] {
  const flags = events.map((): string[] => []);
  const seen = new Set<string>();
  /** The event of the turbine that ends last. */
  let last = -1;
  for (const [i, event] of events.entries()) {
    const { turbine, from, to, instant, unclear } = event;
    const key = JSON.stringify(event);
    if (events[i - 1]?.turbine !== turbine || events[i - 1].from !== from) seen.clear(); // none of those comes again
    if (seen.has(key)) flags[i].push("duplicate");
    else if (to !== null && to > from) {
      // What ends before the last one ends overlaps that one, or nothing that comes later.
      const before = events[last];
      if (before?.turbine === turbine && before.to! > from) {
        for (const one of [last, i]) {
          if (!flags[one].includes("overlap")) flags[one].push("overlap");
        }
      }
      if (before?.turbine !== turbine || to > before.to!) last = i;
    }
    seen.add(key);
    if (instant) flags[i].push("instant");
    else if (to === null) flags[i].push("open");
    else if (to < from) flags[i].push("negative");
    if (unclear) flags[i].push("unclear hour");
  }
  return flags.map((own) => own.length === 0 ? null : own.join(", "));
}

const OPERATION = "readEvents";

/** A preset, and what its files do not say. */
export interface EventsFormat {
  /** Name of the preset. */
  readonly preset: PresetName;
  /** IANA zone of the stamps. @default that of the file */
  readonly time_zone?: string;
}

const OPTIONS = declareOptions<EventsFormat>()("preset! time_zone");

/**
 * Reads the events of status logs, or the counters of states of a preset that has these. Nothing is dropped or merged: what
 * needs care is flagged.
 *
 * @param files Path or URL of a file, a list of them, a folder, a pattern like "data/Status*.csv", or a zip archive of many
 * @param how Name of their layout, "greenbyte"; or `{ preset, time_zone }` where they do not name the zone of their stamps
 * @returns A frame of `turbine_id`, `from` and `to` (Datetime, in the zone of the first file; `to` is null where the file has
 * none), `category` of IEC 61400-26, `status`, `code`, `text` and `flags` (`duplicate`, `overlap`, `open`, `instant`,
 * `negative`, `unclear hour`), in the order of turbine and start; of "hill-of-towie" a row for each turbine and ten minutes,
 * `turbine_id`, `from`, `to`, and in s the time in them of `environment_stop`, `commanded_stop`, `turbine_stop`, `grid_stop`,
 * `ready_to_operate` and `wind_in_range` (Float64; null where it is missing), which may overlap
 * @throws {DataFormatError} If a file does not fit; the message names line and column
 * @throws {ArgumentError} If there is no such file, the preset has no status logs, or a file does not say its turbine or zone
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
  const { preset, time_zone: given } = format;
  if (given !== undefined) assertTimeZone(given, "time_zone");
  const layout = findPreset(preset, "read events");
  if ("register" in layout || !layout.events) {
    throw new ArgumentError(
      `Cannot read events: the preset "${preset}" has no status logs. "greenbyte" and "hill-of-towie" have`,
    );
  }
  const { events: log } = layout;
  if ("step" in log) {
    if (given === undefined || isSameZone(given, "UTC")) return await readAllCounters(files, log);
    throw new ArgumentError(
      `Cannot read events: the times of "${preset}" are in UTC. Leave time_zone out`,
      { field: "time_zone", value: given },
    );
  }
  const { preamble } = log;
  const events: Event[] = [];
  const sources: Provenance[] = [];
  let zone: string | undefined;
  const notes: string[] = [];
  let otherDurations = 0;
  const choice = { wanted: log.files, operation: OPERATION };
  await eachFile(files, choice, async ({ name, bytes, origin }) => {
    const { turbine, timeZone, notes: own } = readPreamble(bytes, name, preamble, given);
    if (turbine === undefined) {
      throw new ArgumentError(
        `Cannot read ${name}: no line "# ${preamble.turbine}: …" above its table names the turbine. Add it`,
      );
    }
    zone ??= timeZone;
    notes.push(...own.map((note) => `${name}: ${note}`));
    const read = await readLog(bytes, name, log, { turbine, timeZone });
    for (const event of read.events) events.push(event);
    otherDurations += read.otherDurations;
    checkHeap(events.length, eventColumns.length, (found) => refuseFile(name, found));
    sources.push(...origin);
  });
  events.sort((a, b) => a.turbine === b.turbine ? a.from - b.from : a.turbine < b.turbine ? -1 : 1);
  return describeFrame(
    buildEvents(events, zone),
    eventColumns,
    sources,
    [
      ...notes,
      ...(otherDurations === 0
        ? []
        : [`${otherDurations} events have a duration other than the time between their stamps`]),
    ],
  );
}

async function readAllCounters(files: FileNames, layout: CountersLayout): Promise<DataFrame> {
  const parts: DataFrame[] = [];
  const sources: Provenance[] = [];
  let rows = 0;
  await eachFile(
    files,
    { wanted: layout.files, operation: OPERATION },
    async ({ name, bytes, origin }) => {
      const part = await readCounters(bytes, name, layout);
      rows += part.height;
      checkTableSize(rows, part.width, (found) => refuseFile(name, found));
      parts.push(part);
      sources.push(...origin);
    },
  );
  const { frame, notes } = joinCounters(parts, describeFiles(files), layout);
  return describeFrame(frame, counterColumns, sources, notes);
}

function buildEvents(events: readonly Event[], timeZone: string | undefined): DataFrame {
  const micros = (stamp: number | null) => stamp === null ? null : stamp * 1000;
  return buildFrame(eventColumns, {
    [turbineId.name]: events.map(({ turbine }) => turbine),
    from: events.map(({ from }) => micros(from)),
    to: events.map(({ to }) => micros(to)),
    category: events.map(({ category }) => category),
    status: events.map(({ status }) => status),
    code: events.map(({ code }) => code),
    text: events.map(({ text }) => text),
    flags: flagEvents(events),
  }, timeZone);
}
