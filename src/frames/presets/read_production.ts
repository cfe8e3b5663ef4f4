import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError, DataFormatError } from "../../api/errors.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import { formatCellName } from "../cells/sheet_cells.ts";
import { checkTableSize } from "../files/reader_limits.ts";
import { buildFrame, buildNumbers, buildSeries } from "../frame.ts";
import { convertReadings, type ReadingsFormat } from "../production/convert_readings.ts";
import { listTexts } from "../production/filter_rows.ts";
import { joinRows } from "../production/join_rows.ts";
import { OPERATION, type ProductionRows, readProductionRows } from "../production/production.ts";
import { productionColumns, productionExtras } from "../production/production_columns.ts";
import {
  columnsByTurbine,
  namesByTurbine,
  type ProductionFormat,
} from "../production/production_format.ts";
import { listFrameColumns } from "../production/production_table.ts";
import { describeFrame, type Provenance } from "../origin/provenance.ts";
import { readTexts } from "../read_columns.ts";
import { refuseFile } from "../files/read_file.ts";
import { describeFiles, eachFile, type FileNames, type NamedFile } from "./named_files.ts";
import { readPreamble } from "./preamble.ts";
import type { PresetName, RegisterPreset } from "./presets.ts";
import { planReading, type PresetFormat, type ReadingPlan, wantedFiles } from "./preset_format.ts";
import { readRegisterNumber, readRegisterSheets } from "./register_sheets.ts";

const [month, energy] = productionColumns.month;

/**
 * Reads the months of a register.
 *
 * @param turbines Identifiers of the turbines to read. @default all
 * @returns `turbine_id`, `month` and `energy` (MWh), a row for each month of each turbine; empty cells are null
 * @throws {DataFormatError} If it has no months, or a cell is not a number; the message names it
 */
async function readRegister(
  bytes: Uint8Array,
  file: string,
  preset: RegisterPreset,
  turbines?: ReadonlySet<string>,
): Promise<ProductionRows> {
  const sheets = await readRegisterSheets(bytes, file, preset);
  const wanted = sheets.map((sheet) => ({
    sheet,
    rows: sheet.rows.filter(({ id }) => turbines?.has(id) ?? true),
  }));
  if (sheets.every(({ months }) => months.length === 0)) {
    refuseFile(
      file,
      "its header has no column with a month. Read its turbines with readTurbines(), or give the file with the months",
      { code: "columns" },
    );
  }
  const count = wanted.reduce((sum, { sheet, rows }) => sum + rows.length * sheet.months.length, 0);
  checkTableSize(count, 3, (problem) => refuseFile(file, `${problem}, or name the turbines`));
  const ids: string[] = [];
  const days = new Int32Array(count);
  const values = new Float64Array(count);
  for (const { sheet, rows } of wanted) {
    const starts = sheet.months.map(({ month }) => monthAsDays(monthOfNumber(month)));
    for (const row of rows) {
      for (const [i, { column }] of sheet.months.entries()) {
        days[ids.length] = starts[i];
        values[ids.length] = readRegisterNumber(sheet, row, column) / 1000;
        ids.push(row.id);
      }
    }
  }
  const frame = buildFrame([productionExtras.turbine, month], {
    [productionExtras.turbine.name]: ids,
    [month.name]: days,
  }).withColumn(buildNumbers(energy.name, values));
  return {
    file,
    frame,
    place: (at) => {
      let index = at;
      for (const { sheet, rows } of wanted) {
        const width = sheet.months.length;
        if (index < rows.length * width) {
          const { column } = sheet.months[index % width];
          return `${sheet.sheet}, cell ${
            formatCellName(rows[Math.floor(index / width)].row, column)
          }`;
        }
        index -= rows.length * width;
      }
      return file;
    },
    turbines: sheets.flatMap(({ rows }) => rows.map(({ id }) => id)),
    notes: sheets.flatMap(({ notes }) => notes),
    tentative: true,
  };
}

/** The rows of a register. */
const REGISTER: ReadingsFormat = { resolution: "month", unit: "MWh" };

/**
 * Reads production of one file after the other, and joins it at the end.
 *
 * @param source Names of the files, for messages
 */
export function openProduction(plan: ReadingPlan, source: string) {
  /** Identifiers of the turbines to read, with their names in the files; empty for all. */
  const names = Object.entries(namesByTurbine("register" in plan ? plan : plan.how) ?? {});
  const wanted = names.length > 0 ? new Set(names.map(([, name]) => name)) : undefined;
  const parts: ProductionRows[] = [];
  const sources: Provenance[] = [];
  /** Turbines of the files, including those that are not read. */
  const known = new Set<string>();

  /**
   * Reads a file.
   *
   * @throws {DataFormatError} If it is not as declared; the message names line and column, or the cell
   * @throws {ArgumentError} If a fact is missing that the file does not state
   */
  async function add({ name, bytes, origin }: NamedFile): Promise<void> {
    const rows = "register" in plan
      ? await readRegister(bytes, name, plan.register, wanted)
      : await readTurbine(bytes, name, plan);
    if (rows === undefined) return;
    // A table with other turbines has no rows either.
    const empty = rows.frame.height === 0 && !rows.turbines?.length;
    parts.push(empty ? { ...rows, notes: [...rows.notes, "it has no rows"] } : rows);
    sources.push(...origin);
  }

  /** Reads a file with the facts in the lines above its table; `undefined` if its turbine is not wanted. */
  async function readTurbine(
    bytes: Uint8Array,
    file: string,
    { how, preset: { preamble, repeats } }: Extract<ReadingPlan, { how: unknown }>,
  ): Promise<ProductionRows | undefined> {
    if (!preamble) return await readProductionRows(bytes, file, how, repeats);
    const { turbine, timeZone, notes } = readPreamble(bytes, file, preamble, how.time_zone);
    const { turbines: _, ...format } = { ...how, time_zone: timeZone };
    const columns = Object.entries(columnsByTurbine(how) ?? {});
    if (turbine !== undefined && columns.length > 0) {
      const [[id, column]] = columns;
      throw new ArgumentError(
        `Cannot read ${file}: its header already names the turbine ${
          JSON.stringify(turbine)
        }, so "column" must not name one. Give column: ${JSON.stringify(column)}, turbines: ${
          JSON.stringify({ [id]: turbine })
        }`,
      );
    }
    if (turbine === undefined && columns.length === 0) {
      throw new ArgumentError(
        `Cannot read ${file}: the line "# ${preamble.turbine}: …" is missing above the table. Name the turbine yourself, for example "column": { "T1": ${
          JSON.stringify(how.column)
        } }`,
      );
    }
    if (turbine !== undefined) {
      known.add(turbine);
      if (wanted && !wanted.has(turbine)) return undefined;
    }
    const rows = await readProductionRows(bytes, file, format, repeats);
    const { name } = productionExtras.turbine;
    const frame = turbine === undefined
      ? rows.frame
      : rows.frame.withColumn(pl.lit(turbine).alias(name)).select(name, ...rows.frame.columns);
    return { ...rows, frame, notes: [...rows.notes, ...notes] };
  }

  /**
   * Joins the rows of all files, in the order of time.
   *
   * @throws {DataFormatError} If two files have different values for a time
   * @throws {ArgumentError} If no file has one of the turbines; the message lists the turbines that they have
   */
  function end(): DataFrame {
    const [how, columns, repeats, assumed] = "register" in plan
      ? [REGISTER, productionColumns.month, true, []]
      : [plan.how, listFrameColumns(plan.how), plan.preset.repeats, plan.preset.assumed ?? []];
    assertTurbines();
    const joined = joinRows(parts, how, repeats ?? false);
    if (joined.frame.height === 0) {
      throw new DataFormatError(`Cannot use ${source}: it has no rows. Give a file with rows`);
    }
    const converted = convertReadings(joined.frame, how, joined.place);
    const frame = identify(converted.frame);
    const columnSet = new Set([productionExtras.turbine, ...columns]);
    const several = parts.length > 1;
    const fileNotes = parts.flatMap(({ file, notes }) =>
      notes.map((note) => several ? `${file}: ${note}` : note)
    );
    return describeFrame(
      frame,
      [...columnSet].filter(({ name }) => frame.columns.includes(name)),
      sources,
      [...fileNotes, ...joined.notes, ...converted.notes, ...assumed],
    );
  }

  /** Refuses turbines that no file has. */
  function assertTurbines(): void {
    for (const { turbines = [] } of parts) for (const id of turbines) known.add(id);
    const missing = names.filter(([, name]) => !known.has(name));
    if (missing.length === 0) return;
    const turbineNames = [...known].sort();
    const [[id]] = missing;
    throw new ArgumentError(
      `Cannot read ${source}: it has no turbine ${listTexts(missing.map(([, name]) => name))}. ` +
        (turbineNames.length === 0
          ? "It names no turbines"
          : `It has ${
            listTexts(turbineNames)
          }. Give the name that the file uses for the turbine: "turbines": ${
            JSON.stringify({ [id]: turbineNames[0] })
          }`),
    );
  }

  /** Replaces the names of turbines in the files with their identifiers. */
  function identify(frame: DataFrame): DataFrame {
    if (names.every(([id, name]) => id === name)) return frame;
    const idOf = new Map(names.map(([id, name]) => [name, id]));
    const { turbine } = productionExtras;
    const ids = readTexts(frame, turbine.name).map((name) => idOf.get(name!)!);
    return frame.withColumn(buildSeries(turbine, ids));
  }

  return { add, end };
}

/**
 * Reads production from files: CSV and other delimited texts, Excel (.xlsx) or Parquet, also packed as `.gz`.
 *
 * @param files Path or URL of a file, a list of them, a folder, a pattern like "data/*.csv", or a zip archive of many. Files
 * are joined in the order of time; rows of the same turbine and time with equal values are counted once
 * @param how Columns, unit, resolution, zone and format of the files; none of them is guessed. Or the name of a preset, a
 * known layout: "greenbyte", "hill-of-towie", "edp" or "danish-register"; or `{ preset, … }` with fields that differ
 * from it
 * @returns A frame of `time` (Datetime, in the zone given or UTC) and `power` (Float64, kW) for hours, parts of them and days;
 * `month` (Date) and `energy` (Float64, MWh) for months; `year` (Int32) and `energy` for years. With several turbines,
 * `turbine_id` comes first, one turbine after the other; `status` (Utf8), `availability` (Float64, 0 to 1) and
 * `valid_hours` (Float64, h) come last if they are declared. Missing values are null
 * @throws {DataFormatError} If a file does not fit, two rows of a time have different values, an availability is not a share, or valid hours are more than the
 * period has; the message names line and column, or the cell
 * @throws {ArgumentError} If there is no such file or preset, fields contradict each other, or a fact that a file does
 * not state, such as its zone, is missing
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
 *   time_format: "DD.MM.YYYY HH:mm",
 *   time_zone: "Europe/Berlin",
 *   stamp: "end",
 *   resolution: "10min",
 *   unit: "kW",
 *   header_rows: 3,
 *   decimal: ",",
 *   thousands: ".",
 * });
 * assertEquals(production.columns, ["turbine_id", "time", "power", "status"]);
 * assertEquals(production.getColumn("power").toArray(), [1840.5, 1902]);
 * await Deno.remove(file);
 * ```
 */
export async function readProduction(
  files: FileNames,
  how: ProductionFormat | PresetName | PresetFormat,
): Promise<DataFrame> {
  const name = describeFiles(files);
  const plan = planReading(name, how);
  const reader = openProduction(plan, name);
  const choice = { wanted: wantedFiles(plan), operation: OPERATION };
  await eachFile(files, choice, (file) => reader.add(file));
  return reader.end();
}
