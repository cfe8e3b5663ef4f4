import { z } from "zod";
import { isTimeZone } from "../../time/zones.ts";
import { oneOf, strictFields } from "./declared_fields.ts";

/**
 * How a production file is to be read. Four fields say what the file means; the others say how it is written, and are
 * given where it is not a plain table. Nothing is guessed: a file that departs from its declaration is an error.
 */
export interface ProductionFormat {
  /**
   * Name of the column with the production. Of turbines side by side: the name for each, by turbine; the frame has a
   * column `turbine_id` then. Of months side by side: twelve names, January first; `time` names the year then.
   */
  readonly column: string | readonly string[] | Readonly<Record<string, string>>;
  /** Name of the column with the time: stamps, months as "2018-05", or years. Two names where date and time of day have a column each. */
  readonly time: string | readonly [string, string];
  /** What a row stands for. Ten minutes stay ten minutes. */
  readonly resolution: "10min" | "hour" | "month" | "year";
  /** Unit of the production; kW and MW only for ten minutes and hours. */
  readonly unit: "kW" | "MW" | "kWh" | "MWh";
  /** IANA zone of stamps without offset. */
  readonly timeZone?: string;
  /** Whether a stamp names the start or the end of its ten minutes or hour. Months and years are named by themselves. @default {"start"} */
  readonly stamp?: "start" | "end";
  /**
   * How times are written, as "DD.MM.YYYY HH:mm": `YYYY`, `YY` (of this century), `MM`, `M`, `MMM` (Jan), `DD`, `D`,
   * `HH`, `H`, `hh`, `h`, `A` (AM, PM), `mm`, `ss`, `SSS`, `Z` (offset); all else is taken as it is.
   * @default ISO 8601
   */
  readonly timeFormat?: string;
  /** Decimal mark. @default found, where some number proves it */
  readonly decimal?: "." | ",";
  /** Mark between groups of three digits; " " is any space. @default none */
  readonly thousands?: "." | "," | "'" | " ";
  /** Character between fields of a text. @default found by the header: comma, semicolon or tab */
  readonly delimiter?: "," | ";" | "\t" | "|";
  /** Encoding of a text; "latin1" is Windows-1252. @default {"utf-8"} */
  readonly encoding?: "utf-8" | "utf-16" | "latin1";
  /** Rows of the header. Names of several rows are joined, "WTG 03 / Power / kW"; merged cells count for all they cover. @default {1} */
  readonly headerRows?: 1 | 2 | 3;
  /** Rows before the header. @default found: those before the first that has the names */
  readonly skipRows?: number;
  /** Rows after the last period, such as totals. @default {0} */
  readonly footerRows?: number;
  /** What means a missing value, beside the usual such as an empty cell, "NaN" and "-". @default none */
  readonly nullValues?: readonly (string | number)[];
  /** Name of the sheet of an Excel file. @default the only one that can be seen */
  readonly sheet?: string;
  /** Cells of the sheet that are the table, header included, as "B4:H100". @default the whole sheet */
  readonly range?: string;
  /**
   * Whether the column has meter readings: what was produced is the difference to the next reading. A reading of ten
   * minutes or hours is of the instant of its stamp; one of a month or year of its start, or of its end with `stamp`
   * "end". A meter that begins anew at a number, as 1000000, has that as its `rollover`. @default {false}
   */
  readonly counter?: boolean | { readonly rollover: number };
  /**
   * Rows to read, where a file has others too: values of other columns by name, as `{ Turbine: "WTG 03" }` of turbines
   * below each other.
   * @default all rows
   */
  readonly where?: Readonly<Record<string, string | number>>;
  /** Name of a column with the status of the turbine, or one for each turbine: it is carried along. @default none */
  readonly status?: string | Readonly<Record<string, string>>;
  /** Name of a column with the availability, or one for each turbine: it is carried along, as a share. @default none */
  readonly availability?: string | Readonly<Record<string, string>>;
  /** Unit of the availability in the file: "share" is 0 to 1. It has to be given with it. */
  readonly availabilityUnit?: "%" | "share";
}

const name = z.string({ error: "is no text" }).min(1, { error: "is empty" });
const value = z.union([z.string(), z.number()], { error: "is neither a text nor a number" });
const byTurbine = z.record(name, name).readonly();
const columns = { error: "is neither the name of a column nor names by turbine" };
const rows = z.int({ error: ({ input }) => `${input} is no whole number of rows` })
  .min(0, { error: ({ input }) => `${input} is no number of rows` });

const notRollover = {
  error: ({ input }: { input?: unknown }) => `${input} is no number at which a meter begins anew`,
};
const rollover = z.number(notRollover).positive(notRollover);

/** The fields of a production format with what each may be: readProduction() and site files are checked by it. */
export const productionFields = {
  column: z.union([name, z.array(name).readonly(), byTurbine], {
    error: ({ input }) =>
      input === undefined
        ? "is missing. Give the name of the column with the production"
        : "is neither the name of a column, nor twelve names of months, nor names by turbine",
  }),
  time: z.union([name, z.tuple([name, name]).readonly()], {
    error: ({ input }) =>
      input === undefined
        ? "is missing. Give the name of the column with the time"
        : "is neither the name of a column nor two names, of date and time of day",
  }),
  resolution: oneOf(["10min", "hour", "month", "year"]),
  unit: oneOf(["kW", "MW", "kWh", "MWh"]),
  timeZone: name.refine(isTimeZone, {
    error: ({ input }) => `"${input}" is no IANA time zone. Give one like "Europe/Copenhagen"`,
  }).optional(),
  stamp: oneOf(["start", "end"]).optional(),
  timeFormat: name.optional(),
  decimal: oneOf([".", ","]).optional(),
  thousands: oneOf([".", ",", "'", " "]).optional(),
  delimiter: oneOf([",", ";", "\t", "|"]).optional(),
  encoding: oneOf(["utf-8", "utf-16", "latin1"]).optional(),
  headerRows: z.literal([1, 2, 3], { error: ({ input }) => `${input} is not 1, 2 or 3` })
    .optional(),
  skipRows: rows.optional(),
  footerRows: rows.optional(),
  nullValues: z.array(value, {
    error: "is no list of texts and numbers",
  }).readonly().optional(),
  sheet: name.optional(),
  range: name.optional(),
  counter: z.union([z.boolean(), z.strictObject({ rollover }).readonly()], {
    error: ({ input }) =>
      `${
        JSON.stringify(input)
      } is neither true nor { rollover }, the number at which the meter begins anew`,
  }).optional(),
  where: z.record(name, value, {
    error: 'has no value for each column. Give one like { "Turbine": "WTG 03" }',
  }).readonly().optional(),
  status: z.union([name, byTurbine], columns).optional(),
  availability: z.union([name, byTurbine], columns).optional(),
  availabilityUnit: oneOf(["%", "share"]).optional(),
};

/** The fields of a production format, checked one by one; {@linkcode findContradiction} checks them together. */
export const productionSchema = strictFields(productionFields);

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;

// The interface is written out for its documentation. The type check fails here where it and the schema differ.
true satisfies Same<Readonly<z.infer<typeof productionSchema>>, ProductionFormat>;
