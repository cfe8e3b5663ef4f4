import { DataFormatError } from "../../api/errors.ts";
import { type Cell, type CellTable, isEmpty } from "../cells/cell_table.ts";
import { readStampCells } from "../cells/stamp_cells.ts";
import { readTolerantCsv } from "../cells/tolerant_csv.ts";
import type { EventsLayout } from "../presets/preset.ts";
import type { Event } from "./event.ts";
import { IEC_CATEGORIES } from "./event_columns.ts";

/** Events of a file. */
interface EventLog {
  readonly events: readonly Event[];
  /** Events whose duration is not the time between their stamps. */
  readonly otherDurations: number;
}

/**
 * Reads a status log.
 *
 * @param bytes The file
 * @param file Its name, for messages
 * @param layout Its columns
 * @param of Its turbine, and the zone of its stamps
 * @throws {DataFormatError} If a cell is not what its column has, or an event ends before it begins; the message names it
 */
export function readLog(
  bytes: Uint8Array,
  file: string,
  layout: EventsLayout,
  { turbine, timeZone }: { readonly turbine: string; readonly timeZone: string },
): EventLog {
  const { from, to, duration, status, code, text, category } = layout.columns;
  const wanted = [from, to, duration, status, code, text, category];
  const table = readTolerantCsv(
    bytes,
    file,
    { headerRows: 1, footerRows: 0, encoding: "utf-8" },
    wanted,
  );
  const refuse = (row: number, column: number, found: string): never => {
    throw new DataFormatError(`Cannot read ${file}: ${table.place(row, column)}: ${found}`);
  };
  const cells = (column: number, row: number) => readText(table.columns[column].cells[row]);
  const height = table.columns[0].cells.length;
  const starts = readStampCells(table, 1, { timeZone });
  const ends = readEnds(table, timeZone);
  let otherDurations = 0;
  const events = Array.from({ length: height }, (_, row): Event => {
    const [start, end] = [starts[row], ends[row]];
    if (end !== null && end < start) refuse(row, 1, "the event ends before it begins");
    const stated = cells(2, row);
    const seconds = stated === null ? null : readDuration(stated);
    if (seconds === undefined) {
      refuse(row, 2, `${JSON.stringify(stated!.slice(0, 60))} is not a duration like 211:08:29`);
    }
    if (end !== null && seconds !== null && Math.abs((end - start) / 1000 - seconds!) > 1) {
      otherDurations++;
    }
    return {
      turbine,
      from: start,
      to: end,
      category: spellCategory(cells(6, row)),
      status: cells(3, row),
      code: cells(4, row),
      text: cells(5, row),
      instant: end === start || end === null && layout.instants.includes(cells(3, row) ?? ""),
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
function readEnds(table: CellTable, timeZone: string): (number | null)[] {
  const [, { name, cells }] = table.columns;
  const rows = [...cells.keys()].filter((row) => readText(cells[row]) !== null);
  const closed: CellTable = {
    ...table,
    columns: [{ name, cells: rows.map((row) => cells[row]) }],
    line: (i) => table.line(rows[i]),
    place: (i) => table.place(rows[i], 1),
  };
  const stamps = rows.length === 0 ? [] : readStampCells(closed, 1, { timeZone });
  const ends = Array<number | null>(cells.length).fill(null);
  for (const [i, row] of rows.entries()) ends[row] = stamps[i];
  return ends;
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
