/**
 * Reads production from a table, with its further columns: status, availability, power limit and valid hours.
 *
 * @module
 */
import pl, { type DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { type CellTable, isEmpty, pickRows, refuseCell, textOf } from "../cells/cell_table.ts";
import { assertUnit } from "../cells/named_unit.ts";
import { buildNumberReader, type NumberReader } from "../cells/number_cells.ts";
import { buildDatetimes, buildNumbers, buildSeries } from "../frame.ts";
import { refuseFile } from "../files/read_file.ts";
import { judgeValues } from "./judge_values.ts";
import { productionColumns, productionExtras } from "./production_columns.ts";
import { convertUnit } from "./units.ts";
import { MAX_LIMIT } from "./period_shares.ts";
import { filterRows, splitByTurbine } from "./filter_rows.ts";
import { type Periods, readPeriods, startsOf } from "./period_rows.ts";
import {
  columnsByTurbine,
  listSeries,
  namesByTurbine,
  type ProductionFormat,
  type ProductionSeries,
} from "./production_format.ts";
import { chooseError, isTimeError } from "./production_times.ts";

/**
 * Reads the status by row; null if empty.
 *
 * @param column Position of its column
 * @throws {DataFormatError} If a cell is not a text; the message names it
 */
function readStatus(table: CellTable, column: number): (string | null)[] {
  return table.columns[column].cells.map((cell, row) => {
    if (cell !== null && typeof cell === "object") {
      const content = "fault" in cell ? cell.fault : "a time";
      return refuseCell(table, row, column, `${content} is not a status. Correct the cell`);
    }
    return textOf(cell) || null;
  });
}

const unit = { code: "unit", field: "availability_unit" } as const;

/**
 * Checks availabilities, and converts them to shares.
 *
 * @param column Position of their column
 * @param read Its numbers; missing is NaN
 * @throws {DataFormatError} If one is not a share of the time; the message names its cell
 */
function readAvailability(
  table: CellTable,
  column: number,
  read: Float64Array,
  { availability_unit: availabilityUnit }: ProductionFormat,
): Float64Array {
  const shares = availabilityUnit === "%" ? read.map((value) => value / 100) : read;
  const row = shares.findIndex((share) => share < 0 || share > 1);
  if (row !== -1) {
    const problem = `an availability of ${read[row]} is not a share of time`;
    refuseCell(table, row, column, `${problem}. Check availability_unit`, unit);
  }
  const firstPositive = read.findIndex((value) => value > 0);
  if (availabilityUnit === "%" && firstPositive !== -1 && !read.some((value) => value > 1)) {
    const problem =
      "all availabilities are at most 1 %, so they are probably shares. Cells that Excel shows as " +
      '97 % contain 0.97. Declare availability_unit "share"';
    refuseCell(table, firstPositive, column, problem, unit);
  }
  return shares;
}

/**
 * Checks power limits, and converts them to kW or to shares of the rated power.
 *
 * @param column Position of their column
 * @param read Its numbers; missing is NaN
 * @param power Power of the rows, kW: it is the limit if a flag says that it was limited
 * @throws {DataFormatError} If one is below 0, above the rated power, or is not a flag; the message names its cell
 */
function readLimit(
  table: CellTable,
  column: number,
  read: Float64Array,
  { limit_unit: unit }: ProductionFormat,
  power: Float64Array,
): Float64Array {
  const refuse = (isWrong: (value: number) => boolean, problem: string) => {
    const row = read.findIndex(isWrong);
    if (row === -1) return;
    const fact = { code: "unit", field: "limit_unit" } as const;
    refuseCell(table, row, column, `a limit of ${read[row]} ${problem}. Check limit_unit`, fact);
  };
  if (unit === "flag") {
    refuse((value) => value !== 0 && value !== 1 && !Number.isNaN(value), "is not 0 or 1");
    return read.map((flag, row) => flag === 1 ? Math.max(0, power[row]) : NaN);
  }
  refuse((value) => value < 0, "is below 0");
  if (unit === "MW") return read.map((value) => 1000 * value);
  if (unit === "kW") return read;
  const fullShare = unit === "%" ? 100 : 1;
  refuse((value) => value > MAX_LIMIT * fullShare, `${unit} is more than the rated power`);
  if (unit === "%" && read.some((value) => value > 0) && !read.some((value) => value > 1)) {
    refuse((value) => value > 0, "% is probably a share, because no limit is above 1 %");
  }
  return read.map((value) => value / fullShare);
}

/**
 * Checks valid hours. Accepts one more hour in any period, because clocks may go back.
 *
 * @param column Position of their column
 * @param read Its numbers; missing is NaN
 * @param hoursOf Hours of the period of a row
 * @throws {DataFormatError} If they are negative, or more than the period has; the message names the cell
 */
function readValidHours(
  table: CellTable,
  column: number,
  read: Float64Array,
  hoursOf: (row: number) => number,
): Float64Array {
  const row = read.findIndex((value, i) => value < 0 || value > hoursOf(i) + 1);
  if (row !== -1) {
    const problem = read[row] < 0 ? "less than 0" : `more than the ${hoursOf(row)} h of the period`;
    const advice = "Give the hours for which the energy is known";
    refuseCell(table, row, column, `${read[row]} valid hours are ${problem}. ${advice}`);
  }
  return read;
}

/** Lists the columns of a file that a format names: time, each series, the turbine, and the columns that select rows. */
export function listWantedColumns(how: ProductionFormat): string[] {
  const times = typeof how.time === "string" ? [how.time] : how.time;
  const turbine = how.turbine === undefined ? [] : [how.turbine];
  return [
    ...times,
    ...listSeries(how).flatMap(listNames),
    ...turbine,
    ...Object.keys(how.where ?? {}),
  ];
}

function listNames(series: ProductionSeries): string[] {
  const { columns, status, availability, limit, validHours } = series;
  const extras = [status, availability, limit, validHours];
  return [...columns, ...extras.filter((name) => name !== undefined)];
}

/**
 * Values of the columns of {@linkcode listFrameColumns} for one series. They become one frame at the end: a frame per
 * turbine would take most of the time and memory.
 */
type PartValues = readonly (Float64Array | readonly (string | null)[])[];

/** Production of a file, or readings of its meters in their unit, with the places of the rows in the file. */
export interface TableRows {
  /** The columns of {@linkcode listFrameColumns}. */
  readonly frame: DataFrame;
  /** Place of the production of a row, for messages: `line 7, column "power"`. */
  readonly place: (row: number) => string;
  /** Remarks on the rows, in sentences. */
  readonly notes: readonly string[];
  /** Names of all turbines of the file, read or not; missing if no column names them. */
  readonly turbines?: readonly string[];
}

/** Place of a row, for messages. */
export interface RowPlace {
  /** Name of its file. */
  readonly file: string;
  /** Its place there: `line 7, column "power"`. */
  readonly at: string;
}

/**
 * Reads production from a table.
 *
 * @param read The columns that {@linkcode listWantedColumns} lists
 * @param repeats Whether rows may repeat a time, in any order: the caller merges them
 * @throws {DataFormatError} If a cell does not fit its declaration; the message names it
 */
export function readProductionTable(
  read: CellTable,
  how: ProductionFormat,
  repeats = false,
): TableRows {
  const table = filterRows(read, how.where);
  const dates = how.time.length === 2 && Array.isArray(how.time) ? countMissingDates(table) : 0;
  const notes = dates === 0
    ? []
    : [`${dates} rows have a time of day but no date; they get the date of the row above`];
  if (how.turbine === undefined) {
    const { parts, place, notes: rowNotes } = readTurbines(table, how, repeats);
    return { frame: buildRows(parts, how), place, notes: [...notes, ...rowNotes] };
  }
  const column = listWantedColumns({ ...how, where: {} }).length - 1;
  const all = splitByTurbine(table, column);
  const names = namesByTurbine(how);
  const wanted = new Set(names ? Object.values(names) : all.keys());
  const selected = [...all].filter(([id]) => wanted.has(id)).map(([id, pick]) => {
    const { parts: [values], place, notes } = readTurbines(pick(), how, repeats);
    return { values: [Array<string>(values[0].length).fill(id), ...values], place, notes };
  });
  const places = selected.map(({ values, place }) => ({ height: values[0].length, place }));
  return {
    frame: buildRows(selected.map(({ values }) => values), how),
    place: (row) => {
      let part = 0;
      for (; row >= places[part].height; part++) row -= places[part].height;
      return places[part].place(row);
    },
    notes: [...notes, ...new Set(selected.flatMap(({ notes }) => notes))],
    turbines: [...all.keys()],
  };
}

const REVERSED = "The newest row comes first, so the rows are read in reverse";

const BY_START =
  "If clocks change, each timestamp is read as the start of its period plus its length, such as 03:00 for 02:00 to 03:00";

/** Counts the rows that have a time of day but no date, as in files that write the date once a day. */
function countMissingDates({ columns: [dates, times] }: CellTable): number {
  return dates.cells.filter((cell, row) => isEmpty(cell) && !isEmpty(times.cells[row])).length;
}

/**
 * Reads the rows of one turbine, or of turbines side by side. If the times do not fit, tries again from the last row,
 * because the newest may come first, and with ends of periods as their start plus their length.
 */
function readTurbines(table: CellTable, how: ProductionFormat, repeats: boolean) {
  const ends = how.stamp === "end" && !how.counter && !repeats;
  const attempt = (ordered: CellTable, notes: readonly string[]) => {
    try {
      const read = readInOrder(ordered, how, repeats);
      return { ...read, notes: [...notes, ...read.notes] };
    } catch (error) {
      if (!ends || !isTimeError(error)) throw error;
      try {
        const read = readInOrder(ordered, how, repeats, true);
        return { ...read, notes: [...notes, BY_START, ...read.notes] };
      } catch {
        throw error;
      }
    }
  };
  try {
    return attempt(table, []);
  } catch (error) {
    if (!isTimeError(error)) throw error;
    try {
      const rows = [...table.columns[0].cells.keys()].reverse();
      return attempt(pickRows(table, rows), [REVERSED]);
    } catch (reversed) {
      throw chooseError(error, reversed);
    }
  }
}

function buildRows(parts: readonly PartValues[], how: ProductionFormat): DataFrame {
  return pl.DataFrame(
    listFrameColumns(how).map((column, i) => {
      const values = parts.length === 1 ? parts[0][i] : parts.flatMap((part) => [...part[i]]);
      if (column.dtype === "utf8") return buildSeries(column, values as string[]);
      const numbers = Float64Array.from(values as ArrayLike<number>);
      if (column.dtype === "datetime") return buildDatetimes(column.name, numbers, how.time_zone);
      return column.dtype === "f64"
        ? buildNumbers(column.name, numbers)
        : buildSeries(column, numbers);
    }),
  );
}

/** Reads rows in the order of time. */
function readInOrder(table: CellTable, how: ProductionFormat, repeats: boolean, byStart = false) {
  const times = typeof how.time === "string" ? 1 : how.time.length;
  const periods = readPeriods(table, times, how, { repeats, byStart });
  const numbers = buildNumberReader(table, how);
  let next = times;
  const usedNames = new Set<string>();
  const firsts: number[] = [];
  const parts: PartValues[] = [];
  const notes: string[] = [];
  for (const series of listSeries(how)) {
    const first = next;
    firsts.push(first);
    for (const { name } of table.columns.slice(first, first + series.columns.length)) {
      // Probably a copying error, which the figures would not show.
      const problem = `column "${name}" is declared twice. Declare another column for one of them`;
      if (usedNames.has(name)) refuseFile(table.file, problem, { field: "column" });
      usedNames.add(name);
    }
    next += listNames(series).length;
    parts.push(buildPart(table, how, series, first, periods, numbers, !repeats, notes));
  }
  numbers.end();
  const cells = Array.isArray(how.column) ? 12 : 1;
  const height = periods.values.length;
  const { place } = table; // a closure would keep the table in memory, for 100,000 turbines
  return {
    parts,
    notes,
    place: (row: number) =>
      place(Math.floor(row % height / cells), firsts[Math.floor(row / height)]),
  };
}

/** Lists the columns of the frame of a format. */
export function listFrameColumns(how: ProductionFormat): readonly Column[] {
  const { turbine, status, availability, limit, limitShare, validHours } = productionExtras;
  const isShare = how.limit_unit === "%" || how.limit_unit === "share";
  return [
    ...(columnsByTurbine(how) || how.turbine !== undefined ? [turbine] : []),
    ...productionColumns[how.resolution],
    ...(how.status === undefined ? [] : [status]),
    ...(how.availability === undefined ? [] : [availability]),
    ...(how.limit === undefined ? [] : [isShare ? limitShare : limit]),
    ...(how.valid_hours === undefined ? [] : [validHours]),
  ];
}

function buildPart(
  table: CellTable,
  how: ProductionFormat,
  series: ProductionSeries,
  first: number,
  periods: Periods,
  numbers: NumberReader,
  inOrder: boolean,
  notes: string[],
): PartValues {
  const read = series.columns.map((_, i) => {
    const column = table.columns[first + i].name;
    assertUnit(table.file, { column, quantity: "power", unit: how.unit });
    return numbers.read(first + i);
  });
  const raw = read.length === 1 ? read[0] : Float64Array.from(
    { length: 12 * read[0].length },
    (_, i) => read[i % 12][Math.floor(i / 12)],
  );
  const judged = {
    file: table.file,
    column: series.columns[0],
    values: raw,
    starts: periods.values,
    line: (row: number) => table.line(Math.floor(row / series.columns.length)),
  };
  notes.push(...judgeValues(judged, how, inOrder));
  // Readings are converted after all files are joined.
  const power = how.counter
    ? raw
    : convertUnit(raw, how, periods.hours, startsOf(periods.values, how));
  const columns: PartValues[number][] = [periods.values, power];
  const height = periods.values.length;
  let next = first + series.columns.length;
  const take = (name: string | undefined) => name === undefined ? undefined : next++;
  const readAt = (at: number | undefined) =>
    at === undefined ? new Float64Array(height).fill(NaN) : numbers.read(at);
  if (how.status !== undefined) {
    const at = take(series.status);
    columns.push(at === undefined ? Array(height).fill(null) : readStatus(table, at));
  }
  if (how.availability !== undefined) {
    const at = take(series.availability);
    columns.push(readAvailability(table, at ?? next, readAt(at), how));
  }
  if (how.limit !== undefined) {
    const at = take(series.limit);
    columns.push(readLimit(table, at ?? next, readAt(at), how, power));
  }
  if (how.valid_hours !== undefined) {
    const at = take(series.validHours);
    columns.push(readValidHours(table, at ?? next, readAt(at), periods.hours));
  }
  if (series.turbine !== undefined) columns.unshift(Array<string>(height).fill(series.turbine));
  return columns;
}
