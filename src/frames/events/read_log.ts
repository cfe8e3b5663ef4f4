import { type Cell, type CellTable, isEmpty, refuseCell } from "../cells/cell_table.ts";
import { readStampCells } from "../cells/stamp_cells.ts";
import { readCells } from "../cells/read_cells.ts";
import type { PassRule } from "../../time/local_clock.ts";
import type { EventsLayout } from "../presets/preset.ts";
import type { Event } from "./event.ts";
import { IEC_CATEGORIES } from "./event_columns.ts";

/**
 * Reads a status log.
 *
 * @throws {DataFormatError} If a cell is not what its column has; the message names it
 */
export async function readLog(
  bytes: Uint8Array,
  file: string,
  layout: EventsLayout,
  { turbine, timeZone }: { readonly turbine: string; readonly timeZone: string },
) {
  const { from, to, duration, status, code, text, category } = layout.columns;
  const wanted = [from, to, duration, status, code, text, category];
  const table = await readCells(bytes, file, {}, wanted);
  const cells = (column: number, row: number) => readText(table.columns[column].cells[row]);
  const height = table.columns[0].cells.length;
  // Entries of a log are in no order and may be alike: none says of another which of two hours it is in.
  const read = (passRule: PassRule) => ({
    starts: readStampCells(table, 1, { time_zone: timeZone, passRule }),
    ends: readEnds(table, timeZone, passRule),
  });
  const earlier = read("earlier");
  const later = timeZone === "UTC" ? earlier : read("later");
  let otherDurations = 0;
  const events = Array.from({ length: height }, (_, row): Event => {
    const stated = cells(2, row);
    const seconds = stated === null ? null : readDuration(stated);
    if (seconds === undefined) {
      const shown = JSON.stringify(stated!.slice(0, 60));
      return refuseCell(table, row, 2, `${shown} is not a duration like 211:08:29`);
    }
    const { from, to, unclear } = placeEvent(
      listDifferent(earlier.starts[row], later.starts[row]),
      listDifferent(earlier.ends[row], later.ends[row]),
      seconds,
    );
    if (to !== null && seconds !== null && !lasts(from, to, seconds)) otherDurations++;
    return {
      turbine,
      from,
      to,
      category: spellCategory(cells(6, row)),
      status: cells(3, row),
      code: cells(4, row),
      text: cells(5, row),
      instant: to === from || to === null && layout.instants.includes(cells(3, row) ?? ""),
      unclear,
    };
  });
  return { events, otherDurations };
}

/** Reads a cell as a text; `null` where it is empty or "-". */
function readText(cell: Cell): string | null {
  const text = isEmpty(cell) ? "" : String(cell).trim();
  return text === "" || text === "-" ? null : text;
}

/** Reads the ends of events, `null` where there is none. */
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

/** Whether the time from start to end, ms, is a duration, s, which files round. */
const lasts = (from: number, to: number, seconds: number) =>
  Math.abs((to - from) / 1000 - seconds) <= 1;

/** Start and end of an event of the hours in which both may be, ms: those that its duration shows, else the earliest that are in order. */
function placeEvent(
  starts: readonly number[],
  ends: readonly (number | null)[],
  seconds: number | null,
): Pick<Event, "from" | "to" | "unclear"> {
  const all = starts.flatMap((from) => ends.map((to) => ({ from, to })));
  const forward = all.filter(({ from, to }) => to === null || to >= from);
  const shown = forward.filter(({ from, to }) =>
    to !== null && seconds !== null && lasts(from, to, seconds)
  );
  const possible = [shown, forward, all].find((some) => some.length > 0)!;
  return { ...possible[0], unclear: possible.length > 1 };
}

/** Reads a duration of hours, minutes and seconds, as seconds; `undefined` if it is not one. */
function readDuration(text: string): number | undefined {
  const [, hours, minutes, seconds] = /^(\d+):([0-5]\d):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined
    ? undefined
    : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

const spellings = new Map(IEC_CATEGORIES.map((name) => [name.toLowerCase(), name]));

/** Spells a category of IEC 61400-26 in one way; another word is kept. */
function spellCategory(category: string | null): string | null {
  return category === null ? null : spellings.get(category.toLowerCase()) ?? category;
}
