import { z } from "zod";
import { describeValue, findHidden } from "../../api/error_text.ts";
import { isTimeZone, resolveTimeZone } from "../../time/zones.ts";
import { findTimeFormatProblem } from "../../time/time_format.ts";
import { byName, oneOf, strictFields } from "../../show/options/declared_fields.ts";
import { isStep, type StepResolution } from "./production_columns.ts";

/**
 * Declaration of a production file. Four fields say what the file means; the others describe its format, if it is not a
 * plain table. Vindkit does not guess: a file that does not match its declaration is an error.
 */
export interface ProductionFormat {
  /**
   * Name of the column with the production. For turbines side by side: the names by turbine; the frame then has a column
   * `turbine_id`. For months side by side: twelve names, January first; `time` is then the column of the year.
   */
  readonly column: string | readonly string[] | Readonly<Record<string, string>>;
  /**
   * Name of the column with the time: stamps, months as "2018-05", or years. Several names if its parts have a column each:
   * date and time of day, or with `time_format` any others, as `["Year", "Month", "Day", "Hour"]` with "YYYY M D H".
   */
  readonly time: string | readonly string[];
  /** Period of a row. Steps below an hour are not averaged to hours, days are not added to months. */
  readonly resolution: "5min" | "10min" | "15min" | "30min" | "hour" | "day" | "month" | "year";
  /** Unit of the production; a power such as kW not for months and years. */
  readonly unit: "kW" | "MW" | "kWh" | "MWh" | "W" | "GW" | "Wh" | "GWh";
  /**
   * Times whose values are in another unit, as after a change of the export: each with its first and last year, month,
   * day or hour, both included, `{ from: "2023-03", to: "2023-06", unit: "kWh" }`. Days and hours are in `time_zone`,
   * or UTC. Not for meter readings. @default none
   */
  readonly other_units?: readonly {
    readonly from: string;
    readonly to: string;
    readonly unit: ProductionFormat["unit"];
  }[];
  /** IANA zone of stamps without offset; "Etc/GMT-10" is ten hours ahead of UTC all year. */
  readonly time_zone?: string;
  /**
   * Whether a stamp marks the start or the end of its period; the end of a day is the first moment of the next one. Not
   * for months and years. @default {"start"}
   */
  readonly stamp?: "start" | "end";
  /**
   * Format of times, as "DD.MM.YYYY HH:mm": `YYYY`, `YY` (of this century), `MM`, `M`, `MMM` (Jan), `DD`, `D`, `DDD` (day of the year),
   * `HH`, `H`, `hh`, `h`, `A` (AM, PM), `mm`, `m`, `ss`, `s`, `SSS`, `Z` (offset), `z` (name of the zone, as MESZ, or another
   * word for summer time), `N` (hour counted from midnight, to 25 if clocks go back), `X` (mark of the repeated hour: A
   * and B, or `*`, X or Y for its second pass); other characters stand for themselves. "start - end" is read by both, as
   * "DD.MM.YYYY HH:mm - HH:mm".
   * @default ISO 8601
   */
  readonly time_format?: string;
  /** Decimal mark. @default found if some number shows it */
  readonly decimal?: "." | ",";
  /** Mark between groups of three digits; " " is any space. @default none */
  readonly thousands?: "." | "," | "'" | " ";
  /** Character between fields of a text. @default found by the header: comma, semicolon or tab */
  readonly delimiter?: "," | ";" | "\t" | "|";
  /** Encoding of a text; "latin1" is Windows-1252. @default {"utf-8"} */
  readonly encoding?: "utf-8" | "utf-16" | "latin1";
  /** Rows of the header. Names of several rows are joined, "WTG 03 / Power / kW"; a merged cell counts for each that it covers. @default {1} */
  readonly header_rows?: 1 | 2 | 3 | 4;
  /** Rows before the header. @default found: those before the first that has the names */
  readonly skip_rows?: number;
  /**
   * Rows to leave out, such as totals, wherever they are: their time begins with one of these texts, such as "Total";
   * "" is an empty cell. A note counts them. @default none
   */
  readonly leave_out?: readonly string[];
  /**
   * Values that mean missing, in addition to an empty cell, "NaN", "-" and the like. A number that looks like one, as -999, is
   * refused until it is listed; `[]` says that it was measured. @default none
   */
  readonly null_values?: readonly (string | number)[];
  /** Name of the sheet of an Excel file. @default the only visible one */
  readonly sheet?: string;
  /** Cells of the sheet that are the table, header included, as "B4:H100". @default the whole sheet */
  readonly range?: string;
  /**
   * Whether the column has meter readings: production is the difference to the next reading. A reading with a time of
   * day was taken at its stamp; one of a day, month or year at its start, or at its end with `stamp` "end". `rollover`
   * is the number at which the meter restarts from 0, as 1000000; with `"daily"` it restarts each day at 00:00; with
   * `"resets"` it was replaced or set back when it shows less, and the production of that period is null. @default
   * {false}
   */
  readonly counter?: boolean | "resets" | "daily" | { readonly rollover: number };
  /**
   * Rows to read, if the file has others too: values of other columns by name, as `{ Turbine: "WTG 03" }` for turbines
   * below each other.
   * @default all rows
   */
  readonly where?: Readonly<Record<string, string | number>>;
  /**
   * Name of the column that names the turbine of a row, for turbines below each other; the frame then has a column
   * `turbine_id`.
   * @default one turbine
   */
  readonly turbine?: string;
  /**
   * Turbines to read of a file that names them: their names there, or these by the identifiers that the frame is to have,
   * as `{ T3: "WTG 03" }`.
   * @default all, by their names
   */
  readonly turbines?: readonly string[] | Readonly<Record<string, string>>;
  /** Name of a column with the status of the turbine, or names by turbine. @default none */
  readonly status?: string | Readonly<Record<string, string>>;
  /** Name of a column with the availability, or names by turbine; the frame has it as a share. @default none */
  readonly availability?: string | Readonly<Record<string, string>>;
  /** Unit of the availability in the file: "share" is 0 to 1. Required with `availability`. */
  readonly availability_unit?: "%" | "share";
  /**
   * Name of a column with the power to which the turbine was limited, such as a set point, or whether it was; names by
   * turbine. An empty cell is no limit, and a set point of the rated power is none either. For hours and parts of them.
   * @default none
   */
  readonly limit?: string | Readonly<Record<string, string>>;
  /** Unit of the limit in the file: kW or MW, "%" or "share" of the rated power, or "flag", 0 or 1. Required with `limit`. */
  readonly limit_unit?: "kW" | "MW" | "%" | "share" | "flag";
  /**
   * Name of a column with the hours of a day, month or year for which the energy is known, or names by turbine. An energy
   * counts for these hours; an empty cell is the whole period. Not for hours and parts of them.
   * @default none
   */
  readonly valid_hours?: string | Readonly<Record<string, string>>;
}

/** Message with the wrong value, and the value to give instead. */
const expect = (wanted: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    `is ${input === undefined ? "missing" : describeValue(input)}. Give ${wanted}`,
});

/** Joins lines, because the cells of a header may have several. */
const onLine = (text: string) => text.replaceAll(/[\t\r\n]/g, " ");
const name = z.string(expect("a text")).min(1, expect("a text"))
  .refine((text) => findHidden(onLine(text)) === null, {
    error: ({ input }) =>
      `has ${findHidden(onLine(String(input)))}. Use a name without it, in the file too`,
  });
const value = z.union([z.string(), z.number()], expect("a text or a number"));
const byTurbine = byName(name, name).readonly();
const columns = expect("the name of a column, or names by turbine");
const turbines = expect(
  'the names of the turbines in the file, such as ["WTG 03"], or by id, such as { "T3": "WTG 03" }',
);
/** Most columns of a time: year, month, day, hour, minute, second and zone. */
const MAX_TIMES = 7;

const times = expect(`2 to ${MAX_TIMES} column names, such as date and time of day`);
const wholeRows = expect("a whole number of rows, 0 or more");
const bound = expect('a year, month, day or hour, such as "2023-03"');
const spans = expect('periods, such as [{ "from": "2023-03", "to": "2023-06", "unit": "kWh" }]');
const unit = oneOf(["kW", "MW", "kWh", "MWh", "W", "GW", "Wh", "GWh"]);
const rows = z.int(wholeRows).min(0, wholeRows);

const counter = expect(
  'true for meter readings, "resets" if the meter was replaced or reset, "daily" if it restarts each ' +
    "day, or { rollover }, the number at which it restarts",
);
const restart = expect("the number at which the meter restarts, such as 1000000");
const rollover = z.number(restart).positive(restart);

/** Schemas of the fields of a production format, for readProduction(), site files and questions, each with a description. */
export const productionFields = {
  column: z.union(
    [name, z.array(name).readonly(), byTurbine],
    expect(
      "the name of the column with the production, names by turbine, or the names of twelve month columns",
    ),
  ).describe("the column with the production; several for turbines side by side"),
  time: z.union(
    [name, z.array(name).min(2, times).max(MAX_TIMES, times).readonly()],
    expect("the name of the time column, or several names, such as date and time of day"),
  ).describe(
    "the column with the time; several if date and time of day, or other parts, have their own columns",
  ),
  resolution: oneOf(["5min", "10min", "15min", "30min", "hour", "day", "month", "year"]).describe(
    "the period of a row",
  ),
  unit: unit.describe("the unit of the production"),
  other_units: z.array(
    strictFields({ from: z.string(bound), to: z.string(bound), unit }).readonly(),
    spans,
  ).readonly().optional().describe(
    "periods whose values are in another unit, such as 2023-03..2023-06=kWh",
  ),
  time_zone: name.refine(isTimeZone, {
    error: ({ input }) => {
      const likelyZone = resolveTimeZone(String(input)) ?? "Europe/Copenhagen";
      const like = likelyZone === "Europe/Copenhagen" ? "a name like " : "";
      return `"${input}" is not an IANA time zone. Give ${like}"${likelyZone}"`;
    },
  }).optional().describe("the time zone of the file, such as UTC or Europe/Copenhagen"),
  stamp: oneOf(["start", "end"]).optional().describe(
    "whether a timestamp marks the start or the end of its period",
  ),
  time_format: name.superRefine((text, context) => {
    const problem = findTimeFormatProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  }).optional().describe(
    "the format of the times, such as DD.MM.YYYY HH:mm; omit it for 2023-05-01 13:00",
  ),
  decimal: oneOf([".", ","]).optional().describe("the decimal mark"),
  thousands: oneOf([".", ",", "'", " "]).optional().describe("the thousands mark"),
  delimiter: oneOf([",", ";", "\t", "|"]).optional().describe("the field separator"),
  encoding: oneOf(["utf-8", "utf-16", "latin1"]).optional().describe("the encoding of the text"),
  header_rows: z.literal([1, 2, 3, 4], expect("1, 2, 3 or 4")).optional()
    .describe("the number of header rows, including units or formats below the names"),
  skip_rows: rows.optional().describe("the number of rows above the header"),
  leave_out: z.array(z.string(expect("a text")), expect("a list of texts")).readonly().optional()
    .describe("rows to leave out, by the text at the start of their time, such as Total"),
  null_values: z.array(value, expect("a list of texts and numbers")).readonly().optional()
    .describe("values that mean missing, such as -999"),
  sheet: name.optional().describe("the sheet of the workbook"),
  range: name.optional().describe("the cell range of the table in the sheet, such as B4:H100"),
  counter: z.union(
    [z.boolean(), z.literal(["resets", "daily"], counter), strictFields({ rollover }).readonly()],
    counter,
  ).optional().describe(
    "true for meter readings, resets if the meter was replaced or reset, daily if it restarts each day, or the " +
      "number at which it restarts, such as 1000000",
  ),
  where: byName(
    name,
    value,
    expect(
      'names of columns and a value for each, such as { "Turbine": "WTG 03" }: only these rows are read',
    ),
  ).readonly().optional().describe(
    "the rows to read, by values of other columns, such as Turbine=WTG 03",
  ),
  turbine: name.optional().describe("the column that names the turbine of a row"),
  turbines: z.union(
    [z.array(name, turbines).readonly(), byTurbine],
    turbines,
  ).refine((given) => {
    const names = Object.values(given);
    return names.length > 0 && new Set(names).size === names.length;
  }, {
    error: ({ input }) =>
      `is ${
        JSON.stringify(input)
      }. Name at least one turbine, each only once. Omit this field to read all turbines`,
  }).optional().describe("the turbines to read, by their names in the file"),
  status: z.union([name, byTurbine], columns).optional().describe("the column of the status"),
  availability: z.union([name, byTurbine], columns).optional()
    .describe("the column of the availability"),
  availability_unit: oneOf(["%", "share"]).optional().describe(
    "the unit of the availability: % or share (0 to 1)",
  ),
  limit: z.union([name, byTurbine], columns).optional()
    .describe("the column of the power limit: a set point, or a flag for a limit"),
  limit_unit: oneOf(["kW", "MW", "%", "share", "flag"]).optional().describe(
    "the unit of the power limit: kW, MW, % or share of rated power, or flag for 0 and 1",
  ),
  valid_hours: z.union([name, byTurbine], columns).optional().describe(
    "the column of the hours for which the energy of a day, month or year is known",
  ),
};

/** Schema of a production format that checks each field by itself; {@linkcode listContradictions} checks them together. */
export const productionSchema = strictFields(productionFields);

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;

// The interface is written out for its documentation. The type check fails here if it differs from the schema.
true satisfies Same<Readonly<z.infer<typeof productionSchema>>, ProductionFormat>;

/** Fields of the format of a plain table, which needs no others. */
const plain: ReadonlySet<string> = new Set<keyof ProductionFormat>([
  "column",
  "time",
  "resolution",
  "unit",
  "time_zone",
  "stamp",
]);

/** A format of a plain table of stamps. */
export interface PlainFormat extends ProductionFormat {
  readonly column: string;
  readonly time: string;
  readonly resolution: StepResolution;
}

/** Whether a format describes a plain table of stamps, which is read in one pass over the bytes. */
export function isPlain(how: ProductionFormat): how is PlainFormat {
  return isStep(how.resolution) && typeof how.column === "string" && typeof how.time === "string" &&
    Object.entries(how).every(([field, value]) => value === undefined || plain.has(field));
}

/** The columns of one turbine. */
export interface ProductionSeries {
  /** Identifier of the turbine; missing if the format has one turbine only. */
  readonly turbine?: string;
  /** Name of the column, or of the twelve columns of months. */
  readonly columns: readonly string[];
  /** Name of the column with the status. */
  readonly status?: string | undefined;
  /** Name of the column with the availability. */
  readonly availability?: string | undefined;
  /** Name of the column with the power limit. */
  readonly limit?: string | undefined;
  /** Name of the column with the valid hours. */
  readonly validHours?: string | undefined;
}

/** A field with one value, or a value by turbine. */
type ByTurbine = string | Readonly<Record<string, string>> | undefined;

/** Names of columns by turbine; `undefined` if the format does not have turbines side by side. */
export function columnsByTurbine(
  { column }: Pick<ProductionFormat, "column">,
): Readonly<Record<string, string>> | undefined {
  return typeof column === "object" && !Array.isArray(column)
    ? column as Readonly<Record<string, string>>
    : undefined;
}

/** Names in the file of the turbines to read, by identifier; `undefined` if all are read. */
export function namesByTurbine(
  { turbines }: Pick<ProductionFormat, "turbines">,
): Readonly<Record<string, string>> | undefined {
  return Array.isArray(turbines)
    ? Object.fromEntries(turbines.map((name) => [name, name]))
    : turbines as Readonly<Record<string, string>> | undefined;
}

/** Lists the series of a format, one for each turbine. */
export function listSeries(how: ProductionFormat): ProductionSeries[] {
  const turbines = columnsByTurbine(how);
  if (!turbines) {
    const columns = [how.column].flat() as string[];
    return [{ columns, ...findExtras(how) }];
  }
  return Object.keys(turbines).map((turbine) => ({
    turbine,
    columns: [turbines[turbine]],
    ...findExtras(how, turbine),
  }));
}

function findExtras(how: ProductionFormat, turbine?: string) {
  return {
    status: findColumn(how.status, turbine),
    availability: findColumn(how.availability, turbine),
    limit: findColumn(how.limit, turbine),
    validHours: findColumn(how.valid_hours, turbine),
  };
}

function findColumn(given: ByTurbine, turbine: string | undefined): string | undefined {
  if (typeof given !== "object") return given;
  return turbine !== undefined && Object.hasOwn(given, turbine) ? given[turbine] : undefined;
}
