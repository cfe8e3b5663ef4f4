import { ArgumentError } from "../../api/errors.ts";
import { assertTimeZone } from "../../time/zones.ts";

/**
 * How a production file is to be read. Four fields say what the file means; the others say how it is written, and are
 * given where it is not a plain table. What is declared is held to: a file that departs from it is an error.
 */
export interface ProductionFormat {
  /**
   * Name of the column with the production. Of turbines side by side: the name for each, by turbine; the frame has a
   * column `turbine_id` then. Of months side by side: twelve names, January first; `time` names the year then.
   */
  readonly column: string | readonly string[] | Readonly<Record<string, string>>;
  /** Name of the column with the time: stamps, months as "2018-05", or years. Two names where date and time of day stand apart. */
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
   * `HH`, `H`, `hh`, `h`, `A` (AM, PM), `mm`, `ss`, `SSS`, `Z` (offset); all else stands for itself.
   * @default ISO 8601
   */
  readonly timeFormat?: string;
  /** Decimal mark. @default found, where some number proves it */
  readonly decimal?: "." | ",";
  /** Mark between groups of three digits; " " stands for any space. @default none */
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
  /** What stands for a missing value, beside the usual such as an empty cell, "NaN" and "-". @default none */
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
  /** Name of a column with the status of the turbine, or one for each turbine: it is carried along. @default none */
  readonly status?: string | Readonly<Record<string, string>>;
  /** Name of a column with the availability, or one for each turbine: it is carried along, as a share. @default none */
  readonly availability?: string | Readonly<Record<string, string>>;
  /** Unit of the availability in the file: "share" is 0 to 1. It has to be given with it. */
  readonly availabilityUnit?: "%" | "share";
}

/** Fields by which a text is no plain table any more. */
const declaring = [
  "timeFormat",
  "decimal",
  "thousands",
  "delimiter",
  "encoding",
  "headerRows",
  "skipRows",
  "footerRows",
  "nullValues",
  "counter",
  "status",
  "availability",
] as const;

const known: ReadonlySet<string> = new Set([
  "column",
  "time",
  "resolution",
  "unit",
  "timeZone",
  "stamp",
  "sheet",
  "range",
  "availabilityUnit",
  ...declaring,
]);

/** Whether a format declares nothing of how the text is written: then its header and its numbers tell. */
export function isPlain(how: ProductionFormat): boolean {
  return typeof how.column === "string" && typeof how.time === "string" &&
    declaring.every((field) => how[field] === undefined);
}

/** Production by turbine, with its columns; a single one has no name. */
export interface ProductionSeries {
  /** Identifier of the turbine, where there are several. */
  readonly turbine?: string;
  /** Name of the column, or of the twelve columns of months. */
  readonly columns: readonly string[];
  /** Name of the column with the status. */
  readonly status?: string;
  /** Name of the column with the availability. */
  readonly availability?: string;
}

/**
 * The series that a format declares.
 *
 * @throws {ArgumentError} If status or availability are not declared as the production is
 */
export function seriesOfFormat(file: string, how: ProductionFormat): ProductionSeries[] {
  const { column } = how;
  const beside = (field: "status" | "availability", turbine?: string) => {
    const given = how[field];
    if (given === undefined) return {};
    if ((typeof given === "string") !== (turbine === undefined)) {
      refuse(
        file,
        turbine === undefined
          ? `its ${field} is given by turbine, its column is not. Give one name`
          : `its columns are given by turbine, its ${field} is not. Give one for each turbine`,
      );
    }
    if (typeof given === "string") return { [field]: given };
    return Object.hasOwn(given, turbine!) ? { [field]: given[turbine!] } : {};
  };
  if (typeof column === "string" || Array.isArray(column)) {
    const columns = typeof column === "string" ? [column] : column as readonly string[];
    return [{ columns, ...beside("status"), ...beside("availability") }];
  }
  for (const field of ["status", "availability"] as const) {
    const other = Object.keys(typeof how[field] === "object" ? how[field] : {})
      .find((turbine) => !Object.hasOwn(column, turbine));
    if (other !== undefined) {
      refuse(file, `its ${field} is given for "${other}", which is no turbine of its columns`);
    }
  }
  return Object.entries(column).map(([turbine, name]) => ({
    turbine,
    columns: [name as string],
    ...beside("status", turbine),
    ...beside("availability", turbine),
  }));
}

function refuse(file: string, found: string): never {
  throw new ArgumentError(`Cannot read ${file}: ${found}`);
}

/**
 * Checks a format by itself. Notebooks are not type-checked: a misspelt word must not pass for another one.
 *
 * @throws {ArgumentError} If a field is unknown, has no such value, or does not go with another
 */
export function assertFormat(file: string, how: ProductionFormat): void {
  const other = Object.keys(how).find((field) => !known.has(field));
  if (other !== undefined) {
    refuse(file, `a format has no field "${other}". It has ${[...known].join(", ")}`);
  }
  assertOneOf(file, "resolution", String(how.resolution), ["10min", "hour", "month", "year"]);
  assertOneOf(file, "unit", String(how.unit), ["kW", "MW", "kWh", "MWh"]);
  assertOneOf(file, "stamp", how.stamp, ["start", "end"]);
  assertOneOf(file, "decimal", how.decimal, [".", ","]);
  assertOneOf(file, "thousands", how.thousands, [".", ",", "'", " "]);
  assertOneOf(file, "delimiter", how.delimiter, [",", ";", "\t", "|"]);
  assertOneOf(file, "encoding", how.encoding, ["utf-8", "utf-16", "latin1"]);
  assertOneOf(file, "headerRows", how.headerRows, [1, 2, 3]);
  assertOneOf(file, "availabilityUnit", how.availabilityUnit, ["%", "share"]);
  for (const field of ["skipRows", "footerRows"] as const) {
    const value = how[field];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0)) {
      refuse(file, `the ${field} ${value} is no number of rows`);
    }
  }
  if (how.timeZone !== undefined) assertTimeZone(how.timeZone);
  assertTogether(file, how);
}

function assertTogether(file: string, how: ProductionFormat): void {
  const { column, resolution, unit, counter, time } = how;
  const period = resolution === "month" || resolution === "year";
  const power = unit === "kW" || unit === "MW";
  if (period && power) {
    refuse(file, `the unit of a ${resolution}'s production is kWh or MWh, not ${unit}`);
  }
  if (period && how.stamp === "end" && !counter) {
    refuse(
      file,
      `a ${resolution} is named by itself, not by its end. Leave stamp out, and name each ${resolution} ` +
        "by itself in the file",
    );
  }
  if (counter && power) refuse(file, `a meter counts kWh or MWh, not ${unit}`);
  if (typeof counter === "object" && !(counter.rollover > 0)) {
    refuse(file, `the rollover ${counter.rollover} is no number at which a meter begins anew`);
  }
  if (how.thousands !== undefined && how.decimal === undefined) {
    refuse(file, "a mark for thousands needs a decimal mark beside it. Give decimal too");
  }
  if (how.thousands !== undefined && how.thousands === how.decimal) {
    refuse(file, `"${how.decimal}" cannot mark decimals and thousands at once`);
  }
  if (how.availability !== undefined && how.availabilityUnit === undefined) {
    refuse(
      file,
      'the unit of its availability is not declared. Give availabilityUnit "%" or "share"',
    );
  }
  if (typeof time !== "string" && period) {
    refuse(file, `the time of a ${resolution} is one column, not ${time.length}`);
  }
  if (Array.isArray(column)) {
    if (column.length !== 12) {
      refuse(file, `${column.length} columns side by side are no year. Give twelve, January first`);
    }
    if (resolution !== "month") {
      refuse(file, `twelve columns side by side are months, not ${resolution}`);
    }
    if (counter) refuse(file, "meter readings are read from one column, not from twelve");
    if (how.status !== undefined || how.availability !== undefined) {
      refuse(file, "twelve columns side by side have no room for status or availability");
    }
  } else if (typeof column === "object" && Object.keys(column).length === 0) {
    refuse(file, "no turbine is named. Give the name of a column for each");
  }
}

function assertOneOf(
  file: string,
  what: string,
  value: string | number | undefined,
  allowed: readonly (string | number)[],
): void {
  if (value === undefined || allowed.includes(value)) return;
  const list = allowed.map((one) => one === "\t" ? "tab" : one === " " ? "space" : one).join(", ");
  refuse(file, `the ${what} "${value}" is none of ${list}`);
}
