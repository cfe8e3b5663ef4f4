import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError, DataFormatError } from "../../api/errors.ts";
import { readFileVersion } from "../../disk/files.ts";
import { hashFile } from "../../disk/hashes.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import { formatCellName } from "../cells/sheet_cells.ts";
import { checkTableSize } from "../csv/table_bounds.ts";
import { buildFrame, buildNumbers, buildSeries } from "../frame.ts";
import { convertReadings, type ReadingsFormat } from "../production/convert_readings.ts";
import { listTexts } from "../production/filter_rows.ts";
import { joinRows } from "../production/join_rows.ts";
import {
  OPERATION,
  type ProductionRows,
  readPlainFile,
  readProductionRows,
} from "../production/production.ts";
import { productionColumns, productionExtras } from "../production/production_columns.ts";
import type { ProductionFormat } from "../production/production_format.ts";
import { columnsByTurbine, isPlain, namesByTurbine } from "../production/production_series.ts";
import { listFrameColumns } from "../production/production_table.ts";
import { isOfTimes } from "../production/production_times.ts";
import { describeFrame, type Origin, type Provenance } from "../provenance.ts";
import { readTexts } from "../read_columns.ts";
import { refuseFile } from "../refuse_file.ts";
import { readFileOrigin } from "../storage/read_file_origin.ts";
import type { LargeFile, NamedFile } from "./named_files.ts";
import { readPreamble } from "./preamble.ts";
import type { RegisterPreset } from "./preset.ts";
import type { ReadingPlan } from "./preset_format.ts";
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
      "no column of its header is a month. Read its turbines with readTurbines(), or give the file with the months",
      { code: "columns" },
    );
  }
  const count = wanted.reduce((sum, { sheet, rows }) => sum + rows.length * sheet.months.length, 0);
  checkTableSize(count, 3, (found) => refuseFile(file, `${found}. Give the turbines to read`));
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
      let rest = at;
      for (const { sheet, rows } of wanted) {
        const width = sheet.months.length;
        if (rest < rows.length * width) {
          const { column } = sheet.months[rest % width];
          return `${sheet.sheet}, cell ${
            formatCellName(rows[Math.floor(rest / width)].row, column)
          }`;
        }
        rest -= rows.length * width;
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

/** Reads production of one file after the other, and joins it at the end. */
export class ProductionReader {
  readonly #plan: ReadingPlan;
  readonly #file: string;
  /** Names in the files of the turbines that are read, by identifier; `undefined` for all. */
  readonly #names: Readonly<Record<string, string>> | undefined;
  readonly #parts: ProductionRows[] = [];
  readonly #sources: Provenance[] = [];
  /** Turbines of the files, also those that are not read. */
  readonly #found = new Set<string>();

  constructor(plan: ReadingPlan, file: string) {
    this.#plan = plan;
    this.#file = file;
    this.#names = namesByTurbine("register" in plan ? plan : plan.how);
  }

  /**
   * Reads a file.
   *
   * @throws {DataFormatError} If it is not as declared; the message names line and column, or the cell
   * @throws {ArgumentError} If a fact that the file does not state is not given
   */
  async add({ name, bytes, origin }: NamedFile): Promise<void> {
    const plan = this.#plan;
    const wanted = this.#names && new Set(Object.values(this.#names));
    const rows = "register" in plan
      ? await readRegister(bytes, name, plan.register, wanted)
      : await this.#nameTurbine(bytes, name, plan, (format) =>
        readProductionRows(bytes, name, format, plan.preset.repeats));
    if (rows !== undefined) this.#take(rows, origin);
  }

  /** Keeps the rows of a file. */
  #take(rows: ProductionRows, origin: Origin): void {
    // A table whose turbines are others has no rows either.
    const empty = rows.frame.height === 0 && !rows.turbines?.length;
    this.#parts.push(empty ? { ...rows, notes: [...rows.notes, "it has no rows"] } : rows);
    this.#sources.push(...origin);
  }

  /**
   * Reads a large text in parts, if it is a plain table.
   *
   * @returns Whether it is one
   * @throws {DataFormatError} If it is not as declared, where the message names line and column, or is changed
   * meanwhile
   * @throws {ArgumentError} If a fact that the file does not state is not given
   */
  async addLarge({ name, start }: LargeFile): Promise<boolean> {
    const plan = this.#plan;
    if ("register" in plan) return false;
    const { turbines: _, ...how } = plan.how;
    if (!isPlain(how)) return false;
    const version = readFileVersion(name);
    let rows: ProductionRows | undefined;
    try {
      rows = await this.#nameTurbine(start, name, plan, (format) =>
        readPlainFile(
          name,
          { ...how, ...(format.time_zone ? { time_zone: format.time_zone } : {}) },
          plan.preset.repeats ?? false,
        ));
    } catch (error) {
      if (isOfTimes(error)) return false; // read as a whole, also from its last row
      throw error;
    }
    if (rows === undefined) return true;
    const content = { start, sha256: await hashFile(name) };
    if (readFileVersion(name) !== version) {
      refuseFile(name, "it was changed while it was read. Read it again when it is complete");
    }
    this.#take(rows, await readFileOrigin(name, content, OPERATION));
    return true;
  }

  /** Reads a file with what the lines above its table say; `undefined` if it is of a turbine that is not wanted. */
  async #nameTurbine(
    start: Uint8Array,
    file: string,
    { how, preset: { preamble } }: Extract<ReadingPlan, { how: unknown }>,
    read: (format: ProductionFormat) => Promise<ProductionRows>,
  ): Promise<ProductionRows | undefined> {
    if (!preamble) return await read(how);
    const { turbine, timeZone, notes } = readPreamble(start, file, preamble, how.time_zone);
    const { turbines: _, ...format } = { ...how, time_zone: timeZone };
    const columns = Object.entries(columnsByTurbine(how) ?? {});
    if (turbine !== undefined && columns.length > 0) {
      const [[id, column]] = columns;
      throw new ArgumentError(
        `Cannot read ${file}: it says itself that its turbine is ${
          JSON.stringify(turbine)
        }. Name the column alone, ` +
          `and the turbine by its id: column: ${JSON.stringify(column)}, turbines: ${
            JSON.stringify({ [id]: turbine })
          }`,
      );
    }
    if (turbine === undefined && columns.length === 0) {
      throw new ArgumentError(
        `Cannot read ${file}: no line "# ${preamble.turbine}: …" above its table names the turbine. Give it ` +
          `with its column: column: { "T1": ${JSON.stringify(how.column)} }`,
      );
    }
    if (turbine !== undefined) {
      this.#found.add(turbine);
      if (this.#names && !Object.values(this.#names).includes(turbine)) return undefined;
    }
    const rows = await read(format);
    const { name } = productionExtras.turbine;
    const frame = turbine === undefined
      ? rows.frame
      : rows.frame.withColumn(pl.lit(turbine).alias(name)).select(name, ...rows.frame.columns);
    return { ...rows, frame, notes: [...rows.notes, ...notes] };
  }

  /**
   * Joins what was read, in the order of time.
   *
   * @throws {DataFormatError} If two files have different values for a time
   * @throws {ArgumentError} If no file has one of the turbines; the message lists those that they have
   */
  end(): DataFrame {
    const plan = this.#plan;
    const [how, columns, repeats, assumed] = "register" in plan
      ? [REGISTER, productionColumns.month, true, []]
      : [plan.how, listFrameColumns(plan.how), plan.preset.repeats, plan.preset.assumed ?? []];
    this.#assertTurbines();
    const joined = joinRows(this.#parts, how, repeats ?? false);
    if (joined.frame.height === 0) {
      throw new DataFormatError(`Cannot use ${this.#file}: it has no rows`);
    }
    const converted = convertReadings(joined.frame, how, joined.place);
    const frame = this.#identify(converted.frame);
    const shown = new Set([productionExtras.turbine, ...columns]);
    const several = this.#parts.length > 1;
    const own = this.#parts.flatMap(({ file, notes }) =>
      notes.map((note) => several ? `${file}: ${note}` : note)
    );
    return describeFrame(
      frame,
      [...shown].filter(({ name }) => frame.columns.includes(name)),
      this.#sources,
      [...own, ...joined.notes, ...converted.notes, ...assumed],
    );
  }

  /** Refuses turbines that no file has. */
  #assertTurbines(): void {
    if (!this.#names) return;
    for (const { turbines = [] } of this.#parts) for (const id of turbines) this.#found.add(id);
    const missing = Object.entries(this.#names).filter(([, name]) => !this.#found.has(name));
    if (missing.length === 0) return;
    const found = [...this.#found].sort();
    const [[id]] = missing;
    throw new ArgumentError(
      `Cannot read ${this.#file}: it has no turbine ${
        listTexts(missing.map(([, name]) => name))
      }. ` +
        (found.length === 0
          ? "It names no turbines"
          : `It has ${listTexts(found)}. Give the name that it has, by the turbine's id: ` +
            `"turbines": ${JSON.stringify({ [id]: found[0] })}`),
    );
  }

  /** Gives the rows of turbines their identifiers in place of their names in the files. */
  #identify(frame: DataFrame): DataFrame {
    const names = Object.entries(this.#names ?? {});
    if (names.every(([id, name]) => id === name)) return frame;
    const idOf = new Map(names.map(([id, name]) => [name, id]));
    const { turbine } = productionExtras;
    const ids = readTexts(frame, turbine.name).map((name) => idOf.get(name!)!);
    return frame.withColumn(buildSeries(turbine, ids));
  }
}
