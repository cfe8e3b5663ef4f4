import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import { formatCellName } from "../cells/sheet_cells.ts";
import { checkTableSize } from "../csv/table_bounds.ts";
import { buildFrame, buildNumbers } from "../frame.ts";
import { refuseFile } from "../refuse_file.ts";
import type { ProductionRows } from "../production/production.ts";
import { productionColumns, productionExtras } from "../production/production_columns.ts";
import type { RegisterPreset } from "./preset.ts";
import { readRegisterNumber, readRegisterSheets } from "./register_sheets.ts";

const [month, energy] = productionColumns.month;

/**
 * Reads the months of a register.
 *
 * @param turbines Identifiers of the turbines to read. @default all
 * @returns `turbine_id`, `month` and `energy` (MWh), a row for each month of each turbine; empty cells are null
 * @throws {DataFormatError} If it has no months, or a cell is not a number; the message names it
 */
export async function readRegister(
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
