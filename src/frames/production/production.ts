import pl from "nodejs-polars";
import { time } from "../../api/columns/columns.ts";
import { addedColumn, type Column } from "../../api/columns/column.ts";
import type { CellTable } from "../cells/cell_table.ts";
import { assertUnit } from "../cells/named_unit.ts";
import { assertTextFile, readCells } from "../cells/read_cells.ts";
import { readTolerantCsv } from "../cells/tolerant_csv.ts";
import { isParquet } from "../files/parquet.ts";
import { formatCount } from "../../show/text/numbers.ts";
import { findFactor } from "./units.ts";
import { listWantedColumns, readProductionTable, type TableRows } from "./production_table.ts";
import { type CsvTable, readCsv } from "../csv/csv_reader.ts";
import type { TableAdvice } from "../csv/csv_layout.ts";
import { buildDatetimes, extractEpochs, toFloats } from "../frame.ts";
import { describeUnknownShares } from "./period_shares.ts";
import { findStepLength, isStamped, productionColumns } from "./production_columns.ts";
import { judgeValues } from "./judge_values.ts";
import { isPlain, type PlainFormat, type ProductionFormat } from "./production_format.ts";
import { assertFormat } from "./production_rules.ts";
import { assertStamps, chooseError, isTimeError } from "./production_times.ts";
import { isZip } from "../files/archive.ts";

export { productionColumns } from "./production_columns.ts";
export type { ProductionFormat } from "./production_format.ts";

/** Name of the function that reads production, in provenances. */
export const OPERATION = "readProduction";

/** Advice on fields of a format that fix a table. */
const ADVICE: TableAdvice = {
  encoding: 'Declare encoding "latin1" or "utf-16", or save it as UTF-8',
  trailing: "List rows that are not periods in leave_out",
  times: "Declare another time_format, and list rows that are not periods in leave_out",
};

/** Advice on fields that are not declared yet. */
const adviseOn = ({ stamp }: ProductionFormat): TableAdvice =>
  stamp === "end"
    ? ADVICE
    : { ...ADVICE, unclear: 'If the timestamps mark the end of their period, declare stamp "end"' };

const number = (name: string): Column => addedColumn(name, "f64", name, name);

/** Production of one file, before it is joined with other files. */
export interface ProductionRows extends Omit<TableRows, "notes"> {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Remarks on it, in sentences. */
  readonly notes: readonly string[];
  /** Whether later files revise its newest periods. @default {false} */
  readonly tentative?: boolean;
}

/**
 * Reads production from the bytes of a file of any kind.
 *
 * @param repeats Whether rows may repeat a time, in any order: the caller merges them
 * @throws {DataFormatError} If the file does not fit; the message names line and column, or the cell
 * @throws {ArgumentError} If fields contradict each other, or the file cannot have one of them
 */
export async function readProductionRows(
  bytes: Uint8Array,
  file: string,
  how: ProductionFormat,
  repeats = false,
): Promise<ProductionRows> {
  assertFormat(file, how);
  if (!isZip(bytes) && !isParquet(bytes)) return readTextRows(bytes, file, how, repeats);
  return readTable(
    await readCells(bytes, file, how, listWantedColumns(how), adviseOn(how)),
    how,
    repeats,
  );
}

/** Reads production from the bytes of a delimited text. */
export function readTextRows(
  bytes: Uint8Array,
  file: string,
  how: ProductionFormat,
  repeats: boolean,
): ProductionRows {
  assertTextFile(bytes, file, how);
  const readAny = () => {
    const table = readTolerantCsv(bytes, file, how, listWantedColumns(how), adviseOn(how));
    return readTable(table, how, repeats);
  };
  if (!isPlain(how)) return readAny();
  try { // much faster: reads a plain table in one pass over the bytes
    const columns: Column[] = [{ ...time, wire: how.time }, number(how.column)];
    const passRule = repeats ? "copies" : "order";
    const options = {
      file,
      extra: false,
      advice: adviseOn(how),
      passRule,
      timeZone: how.time_zone,
    } as const;
    return buildPlainRows(readCsv(bytes, columns, options), file, how, repeats);
  } catch (error) {
    if (!isTimeError(error)) throw error;
    try { // the newest row may come first
      return readAny();
    } catch (other) {
      throw chooseError(error, other);
    }
  }
}

function readTable(table: CellTable, how: ProductionFormat, repeats: boolean): ProductionRows {
  const { notes: rowNotes, ...rows } = readProductionTable(table, how, repeats);
  const { leftOut: [first, ...others] } = table;
  const notes = isStamped(how.resolution) ? [] : describeUnknownShares(rows.frame);
  const left = first === undefined ? [] : [
    `${
      formatCount(others.length + 1, "row is", "rows are")
    } left out, as declared; the first is line ${first}`,
  ];
  return { file: table.file, ...rows, notes: [...left, ...rowNotes, ...notes] };
}

function buildPlainRows(
  { frame: read, firstLine, names }: CsvTable,
  file: string,
  how: PlainFormat,
  repeats: boolean,
): ProductionRows {
  assertUnit(file, { column: names[1], quantity: "power", unit: how.unit });
  const stamps = extractEpochs(read, time.name);
  const step = findStepLength(how.resolution);
  const series = {
    file,
    place: (row: number) => `line ${firstLine + row}`,
    line: (row: number) => firstLine + row,
    step,
    timeZone: how.time_zone,
  };
  assertStamps(stamps, series, how, repeats);
  const values = toFloats(read.getColumn(how.column));
  const notes = judgeValues(
    { ...series, column: names[1], values, starts: stamps },
    how,
    !repeats,
  );
  const move = how.stamp === "end" ? -step : 0;
  const [, power] = productionColumns[how.resolution];
  const frame = pl.DataFrame([
    buildDatetimes(time.name, stamps.map((stamp) => stamp + move), how.time_zone),
    read.getColumn(how.column).multiplyBy(findFactor(how)).rename(power.name),
  ]);
  return { file, frame, place: series.place, notes };
}
