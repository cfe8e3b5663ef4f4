import pl, { type DataFrame } from "nodejs-polars";
import { time } from "../../api/columns/columns.ts";
import { type Column, ownColumn } from "../../api/columns/column.ts";
import { ArgumentError, DataFormatError } from "../../api/errors.ts";
import type { CellTable } from "../cells/cell_table.ts";
import { assertUnit } from "./assert_unit.ts";
import { readTolerantCsv } from "../cells/tolerant_csv.ts";
import { readFrameCells } from "../cells/frame_cells.ts";
import { detectFrameFile, readFrameFile } from "../typed/read_frame_file.ts";
import { readFileOrigin } from "../storage/read_file_origin.ts";
import {
  findFactor,
  listFrameColumns,
  listWantedColumns,
  readProductionTable,
} from "./production_table.ts";
import { assertRegular, assertResolution, TEN_MINUTES } from "../../time/regular_stamps.ts";
import { readSheetCells } from "../cells/sheet_cells.ts";
import { readCsv } from "../csv/csv.ts";
import { buildDatetimes, extractEpochs } from "../frame.ts";
import { HOUR } from "../../time/hour_axis.ts";
import { buildFileSource } from "../file_origin.ts";
import { describeUnknownShares } from "./period_shares.ts";
import { productionColumns } from "./production_columns.ts";
import type { ProductionFormat } from "./production_format.ts";
import { assertFormat } from "./production_rules.ts";
import { isPlain } from "./production_series.ts";
import { describeFrame, type Origin } from "../provenance.ts";
import { toPath } from "../storage/save_frame.ts";
import { isZip } from "../archive/zip.ts";
import { computeClockShift } from "../../time/zones.ts";
import { readNamedFile } from "../read_file.ts";

export { productionColumns } from "./production_columns.ts";
export type { ProductionFormat } from "./production_format.ts";

const OPERATION = "readProduction";

/** First bytes of Excel files before 2007, and of those with a password. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

const number = (name: string): Column => ownColumn(name, "f64", name, name);

/**
 * Reads production from a file: CSV and other delimited texts, Excel (.xlsx), Parquet or Arrow.
 *
 * @param file Path of the file
 * @param how Its columns, unit, resolution, zone and format; nothing is guessed
 * @returns A frame of `time` (Datetime, in the zone given or UTC) and `power` (Float64, kW) for ten minutes and hours;
 * `month` (Date) and `energy` (Float64, MWh) for months; `year` (Int32) and `energy` for years. Of several turbines
 * `turbine_id` comes first, one turbine after the other; `status` (Utf8), `availability` (Float64, 0 to 1) and
 * `valid_hours` (Float64, h) come last if they are declared. Missing values are null
 * @throws {DataFormatError} If the file does not fit, an availability is not a share, or valid hours are more than the
 * period has; the message names line and column, or the cell
 * @throws {ArgumentError} If fields contradict each other, or the zone is unknown
 *
 * @example Monthly production
 * ```ts
 * import { readProduction } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(file, "month;energy\n2023-01;412.5\n2023-02;\n");
 * const production = await readProduction(file, {
 *   column: "energy",
 *   time: "month",
 *   resolution: "month",
 *   unit: "MWh",
 * });
 * assertEquals(production.getColumn("energy").nullCount(), 1);
 * await Deno.remove(file);
 * ```
 *
 * @example Ten minutes of two turbines side by side, with a merged header and decimal commas
 * ```ts
 * import { readProduction } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(
 *   file,
 *   "Zeit;WTG 03;;WTG 04;\n;Power;Status;Power;Status\n;kW;;kW;\n" +
 *     "01.05.2023 00:10;1.840,5;Run;1.902,0;Run\n",
 * );
 * const production = await readProduction(file, {
 *   column: { T3: "WTG 03 / Power / kW", T4: "WTG 04 / Power / kW" },
 *   status: { T3: "WTG 03 / Status", T4: "WTG 04 / Status" },
 *   time: "Zeit",
 *   timeFormat: "DD.MM.YYYY HH:mm",
 *   timeZone: "Europe/Berlin",
 *   stamp: "end",
 *   resolution: "10min",
 *   unit: "kW",
 *   headerRows: 3,
 *   decimal: ",",
 *   thousands: ".",
 * });
 * assertEquals(production.columns, ["turbine_id", "time", "power", "status"]);
 * assertEquals(production.getColumn("power").toArray(), [1840.5, 1902]);
 * await Deno.remove(file);
 * ```
 */
export async function readProduction(
  file: string | URL,
  how: ProductionFormat,
): Promise<DataFrame> {
  assertFormat(String(file), how);
  const bytes = await readNamedFile(file);
  return await parseProductionFile(
    bytes,
    String(file),
    how,
    await readFileOrigin(toPath(file), bytes, OPERATION),
  );
}

/**
 * Reads production from the bytes of a file of any kind, as {@linkcode readProduction} does.
 *
 * @param bytes Content of the file
 * @param file Its name, for messages
 * @param how Its columns, unit, resolution and zone
 * @param origin Its sources
 */
export async function parseProductionFile(
  bytes: Uint8Array,
  file: string,
  how: ProductionFormat,
  origin: Origin,
): Promise<DataFrame> {
  assertFormat(file, how);
  if (isZip(bytes)) {
    assertNotGiven(file, how, "an Excel file", ["delimiter", "encoding"]);
    const cells = await readSheetCells(bytes, file, layoutOf(how), listWantedColumns(how));
    return buildProduction(cells, how, origin);
  }
  const kind = detectFrameFile(bytes);
  if (!kind) return parseProductionText(bytes, file, how, origin);
  const textual = ["delimiter", "encoding", "headerRows", "skipRows", "sheet", "range"] as const;
  assertNotGiven(file, how, "a file of a typed table", textual);
  const frame = readFrameFile(bytes, file, kind);
  const cells = readFrameCells(frame, file, listWantedColumns(how), how.footerRows ?? 0);
  return buildProduction(cells, how, origin);
}

/**
 * Reads production from the bytes of a delimited text, as {@linkcode readProduction} does.
 *
 * @param bytes Content of the file
 * @param file Its name, for messages
 * @param how Its columns, unit, resolution and zone
 * @param origin Its sources. @default the text itself
 */
export function parseProductionText(
  bytes: Uint8Array,
  file: string,
  how: ProductionFormat,
  origin: Origin = [buildFileSource(file, bytes, OPERATION)],
): DataFrame {
  assertFormat(file, how);
  assertNotGiven(file, how, "a text", ["sheet", "range"]);
  if (COMPOUND_FILE.every((byte, i) => bytes[i] === byte)) {
    throw new DataFormatError(
      `Cannot read ${file}: it is an old Excel file (.xls), or one with a password. Save it as .xlsx ` +
        "without a password",
    );
  }
  // A plain table is read in one pass over the bytes, which is many times as fast.
  const stamped = how.resolution === "hour" || how.resolution === "10min";
  if (stamped && isPlain(how)) {
    const frame = readPlainText(bytes, file, how as PlainFormat);
    return describeFrame(frame, productionColumns[how.resolution], origin);
  }
  const { delimiter, encoding = "utf-8" } = how;
  const layout = { ...layoutOf(how), delimiter, encoding };
  const table = readTolerantCsv(bytes, file, layout, listWantedColumns(how));
  return buildProduction(table, how, origin);
}

/** A format of a text that is a plain table. */
type PlainFormat = ProductionFormat & { readonly column: string; readonly time: string };

function layoutOf(how: ProductionFormat) {
  const { headerRows = 1, skipRows, footerRows = 0, sheet, range } = how;
  return { headerRows, skipRows, footerRows, sheet, range };
}

function buildProduction(table: CellTable, how: ProductionFormat, origin: Origin): DataFrame {
  const frame = readProductionTable(table, how);
  const notes = how.resolution === "month" || how.resolution === "year"
    ? describeUnknownShares(frame)
    : [];
  return describeFrame(frame, listFrameColumns(how), origin, notes);
}

/** Refuses declared fields that a file of this kind cannot have: it may be the wrong file. */
function assertNotGiven(
  file: string,
  how: ProductionFormat,
  kind: string,
  fields: readonly (keyof ProductionFormat)[],
): void {
  const given = fields.find((field) => how[field] !== undefined);
  if (given === undefined) return;
  throw new ArgumentError(`Cannot read ${file}: it is ${kind}, which has no ${given}`);
}

function readPlainText(bytes: Uint8Array, file: string, how: PlainFormat): DataFrame {
  const columns: Column[] = [{ ...time, wire: how.time }, number(how.column)];
  const zone = how.timeZone ? { timeZone: how.timeZone } : {};
  const { frame: read, firstLine, names } = readCsv(bytes, columns, {
    file,
    extra: false,
    ...zone,
  });
  assertUnit(file, names[1], how.unit);
  const stamps = extractEpochs(read, time.name);
  const ten = how.resolution === "10min";
  const step = ten ? TEN_MINUTES : HOUR;
  const series = {
    file,
    place: (row: number) => `line ${firstLine + row}`,
    step,
    clockShift: how.timeZone && stamps.length > 0
      ? computeClockShift(stamps[0], how.timeZone)
      : undefined,
  };
  assertRegular(stamps, series);
  assertResolution(stamps, series);
  const move = how.stamp === "end" ? -step : 0;
  const [, power] = productionColumns[how.resolution];
  return pl.DataFrame([
    buildDatetimes(time.name, stamps.map((stamp) => stamp + move), how.timeZone),
    read.getColumn(how.column).multiplyBy(findFactor(how)).rename(power.name),
  ]);
}
