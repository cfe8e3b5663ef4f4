import pl, { type DataFrame } from "nodejs-polars";
import { addedColumn, type Column } from "../../api/columns/column.ts";
import { month, time } from "../../api/columns/columns.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import { formatStamp } from "../../time/stamps.ts";
import { buildNumbers, extractEpochs, extractNumbers } from "../frame.ts";
import { describeFrame, provenance } from "../origin/provenance.ts";
import { findStepLength, isStep } from "../production/production_columns.ts";
import type { ProductionFormat } from "../production/production_format.ts";
import { refuseFields } from "../production/production_rules.ts";
import { findFactor } from "../production/units.ts";
import { describeFiles, eachFile, type FileNames } from "./named_files.ts";
import { planReading, wantedFiles } from "./preset_format.ts";
import { openProduction } from "./read_production.ts";

/** Column of the prices; its unit names the currency. */
export const priceColumn: Column = addedColumn(
  "price",
  "f64",
  "Price",
  "Price of 1 MWh; null if it is missing in the file.",
  "EUR/MWh",
);

/** Format of files with prices: columns, times and numbers are declared as for `readProduction()`. */
export interface PriceFormat extends
  Pick<
    ProductionFormat,
    | "time"
    | "time_zone"
    | "stamp"
    | "time_format"
    | "decimal"
    | "thousands"
    | "delimiter"
    | "encoding"
    | "header_rows"
    | "skip_rows"
    | "leave_out"
    | "null_values"
    | "sheet"
    | "range"
    | "where"
  > {
  /** Name of the column with the price. */
  readonly column: string;
  /** Period of a price: "hour", "15min", "30min" or "month". */
  readonly resolution: ProductionFormat["resolution"];
  /** Currency and energy, such as "EUR/MWh" or "DKK/kWh"; "ct/kWh" are euro cents. */
  readonly unit: string;
}

/** Fields of production that prices do not have. The type does not exclude them in JSON. */
const PRODUCTION_ONLY: ReadonlySet<string> = new Set<keyof ProductionFormat>([
  "other_units",
  "counter",
  "turbine",
  "turbines",
  "status",
  "availability",
  "availability_unit",
  "limit",
  "limit_unit",
  "valid_hours",
]);

/** Currencies that headers name. */
const CURRENCIES = "EUR|DKK|SEK|NOK|GBP|USD|PLN|CHF|CZK|HUF|RON|INR|AUD|CAD|BRL|JPY";

/** Parts of a unit: a currency, or cents, and the energy. */
const UNIT = /^([A-Z]{3}|ct)\/([kM]Wh)$/;

/**
 * Reads prices of energy from files: CSV and other delimited texts, Excel (.xlsx) or Parquet.
 *
 * @param files Path or URL of a file, a list of them, a folder, or a pattern like "data/*.csv"
 * @param how Columns, unit, resolution, zone and format of the files, as for `readProduction()`; none of them is guessed
 * @returns A frame of `time` (Datetime, in the zone given or UTC), or of months `month` (Date), and `price` (Float64), in the currency
 * of the unit per MWh; missing prices are null, and a note in its provenance, and below the table, counts them
 * @throws {DataFormatError} If a file does not fit, or two rows have one time; the message names line and column, or the cell
 * @throws {ArgumentError} If there is no such file, a field does not fit, or a fact that the file does not state, such
 * as its zone, is missing
 *
 * @example Hours in local time, with decimal commas
 * ```ts
 * import { readPrices } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(file, "Hour;Price\n2024-05-01 00:00;31,20\n2024-05-01 01:00;-4,10\n");
 * const prices = await readPrices(file, {
 *   column: "Price",
 *   time: "Hour",
 *   resolution: "hour",
 *   unit: "EUR/MWh",
 *   time_zone: "Europe/Copenhagen",
 *   decimal: ",",
 * });
 * assertEquals(prices.getColumn("price").toArray(), [31.2, -4.1]);
 * await Deno.remove(file);
 * ```
 */
export async function readPrices(files: FileNames, how: PriceFormat): Promise<DataFrame> {
  const name = describeFiles(files);
  const refuse = (field: string, problem: string) => refuseFields(name, [{ field, problem }]);
  const { column: header, resolution, unit } = (how ?? {}) as PriceFormat;
  const other = Object.keys(how ?? {}).find((field) => PRODUCTION_ONLY.has(field));
  if (other !== undefined) refuse(other, "this field does not apply to prices. Omit it");
  if (typeof header !== "string") refuse("column", "it is not a name. Name the price column");
  const [, currency, energy] = UNIT.exec(unit) ?? [];
  if (!energy) refuse("unit", `"${unit}" is not a price unit. Give a unit such as "EUR/MWh"`);
  const [, ofHeader = energy] = /\/ ?([kM]Wh)\b/i.exec(header) ?? [];
  if (/(?:ct|cents?|øre|öre|\bp|\bc) ?\/ ?[kM]Wh\b/i.test(header) && currency !== "ct") {
    refuse(
      "unit",
      `column "${header}" is in hundredths of a currency. Declare "ct/kWh" for euro cents. For another currency, divide the prices by 100`,
    );
  }
  const headerCurrency = new RegExp(`(?:${CURRENCIES})(?![a-z])`).exec(header)?.[0] ?? currency;
  const stated = `${headerCurrency}/${ofHeader[0] === "k" ? "kWh" : "MWh"}`;
  if (stated !== unit) {
    refuse("unit", `the name of column "${header}" implies ${stated}. Declare unit "${stated}"`);
  }
  if (!isStep(resolution) && resolution !== "month") {
    refuse(
      "resolution",
      `the resolution "${resolution}" does not apply to prices. Give hourly, sub-hourly or monthly prices`,
    );
  }
  // Read as energies of this unit, so a header with another unit is refused. `counter: false`, because prices are not
  // meter readings.
  const format = { ...how, unit: energy, counter: false } as ProductionFormat;
  const plan = planReading(name, format);
  const reader = openProduction(plan, name);
  await eachFile(
    files,
    { wanted: wantedFiles(plan), operation: "readPrices" },
    (file) => reader.add(file),
  );
  const read = reader.end();
  const [key, value, ...others] = read.columns;
  if (others.length > 0) refuse("column", `it also has ${others.join(", ")}. Omit this field`);
  const perMwh = (energy === "kWh" ? 1000 : 1) / (currency === "ct" ? 100 : 1);
  const scale = findFactor(format) / (isStep(resolution) ? 1 : 1000);
  // Rounded, because two multiplications add digits that a price does not have.
  const prices = extractNumbers(read, value)
    .map((one) => Number((one / scale * perMwh).toPrecision(14)));
  const frame = pl.DataFrame([read.getColumn(key), buildNumbers(priceColumn.name, prices)]);
  const column = { ...priceColumn, unit: `${currency === "ct" ? "EUR" : currency}/MWh` };
  const sources = provenance(read).map(({ notes = [], ...source }) => ({
    ...source,
    notes: notes.filter((note) => !note.includes("adds them up")), // prices are averaged
  }));
  return describeFrame(
    frame,
    [key === time.name ? time : month, column],
    sources,
    countMissing(frame, how),
  );
}

/** Counts the prices that are missing between the first and the last, in a sentence. */
function countMissing(frame: DataFrame, { resolution }: PriceFormat): string[] {
  if (!isStep(resolution)) return [];
  const epochs = extractEpochs(frame, time.name);
  const prices = extractNumbers(frame, priceColumn.name);
  const step = findStepLength(resolution);
  const all = Math.round((epochs[epochs.length - 1] - epochs[0]) / step) + 1;
  const known = epochs.filter((_, i) => !Number.isNaN(prices[i]));
  if (known.length === all) return [];
  const gap = known.findIndex((at, i) => i > 0 && at - known[i - 1] > step);
  const from = gap === -1 ? undefined : known[gap - 1] + step;
  return [
    `${formatNumber(all - known.length)} of ${formatNumber(all)} prices are missing` +
    (from === undefined ? "" : `, the first at ${formatStamp(from)}`),
  ];
}
