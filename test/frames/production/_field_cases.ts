/**
 * For each field of a production format, a file that needs it. The list comes from the schema, so a field without a
 * case fails the type check.
 *
 * @module
 */
import type { ProductionFormat } from "../../../src/frames/production/production_format.ts";
import { latin1, utf8 } from "../_text.ts";

/** A file that can be read only with a field. */
export interface FieldCase {
  /** Content of the file; a name is one of `test/fixtures/production/`. */
  readonly file: Uint8Array | string;
  /** Its declaration. */
  readonly how: ProductionFormat;
}

const hourly: ProductionFormat = {
  column: "power",
  time: "time",
  resolution: "hour",
  unit: "kW",
  time_zone: "UTC",
};

const workbook: ProductionFormat = {
  column: "WTG 03 / Power / kW",
  time: "Time",
  time_zone: "Europe/Copenhagen",
  resolution: "10min",
  unit: "kW",
  header_rows: 3,
  sheet: "10 min",
};

/** A text of hours: a header, then rows that begin with a stamp each. */
function text(header: string, ...rows: string[]): Uint8Array {
  return utf8([header, ...rows.map((row, i) => `2023-05-01T0${i}:00${row}`), ""].join("\n"));
}

const plain = (...values: string[]) => text("time;power", ...values.map((value) => `;${value}`));

/** The cases by field. */
export const fieldCases: Readonly<Record<keyof ProductionFormat, FieldCase>> = {
  turbine: {
    file: text("time,power,wtg", ",1,E1", ",2,E1"),
    how: { ...hourly, turbine: "wtg" },
  },
  turbines: {
    file: utf8("time,power,wtg\n2023-05-01T00:00,1,E1\n2023-05-01T00:00,9,E2\n"),
    how: { ...hourly, turbine: "wtg", turbines: ["E1"] },
  },
  column: {
    file: text("time,a,b", ",1,10", ",2,20"),
    how: { ...hourly, column: { E1: "a", E2: "b" } },
  },
  time: {
    file: utf8("day,clock,power\n2023-05-01,00:00,1\n2023-05-01,01:00,2\n"),
    how: { ...hourly, time: ["day", "clock"], time_format: "YYYY-MM-DD HH:mm" },
  },
  resolution: {
    file: utf8("time,power\n2023-05-01T00:00,1\n2023-05-01T00:10,2\n2023-05-01T00:20,3\n"),
    how: { ...hourly, resolution: "10min" },
  },
  unit: { file: plain("1.5", "0.5"), how: { ...hourly, unit: "MW" } },
  other_units: {
    file: utf8("month;energy\n2023-01;500\n2023-02;400000\n2023-03;300000\n2023-04;200\n"),
    how: {
      column: "energy",
      time: "month",
      resolution: "month",
      unit: "MWh",
      other_units: [{ from: "2023-02", to: "2023-03", unit: "kWh" }],
    },
  },
  time_zone: { file: plain("1", "2"), how: { ...hourly, time_zone: "Europe/Copenhagen" } },
  stamp: { file: plain("1", "2"), how: { ...hourly, stamp: "end" } },
  time_format: {
    file: utf8("time;power\n01.05.2023 00:00;1\n01.05.2023 01:00;2\n"),
    how: { ...hourly, time_format: "DD.MM.YYYY HH:mm" },
  },
  decimal: { file: plain("1,234"), how: { ...hourly, decimal: "," } },
  thousands: {
    file: plain("1.234,5", "17"),
    how: { ...hourly, decimal: ",", thousands: "." },
  },
  delimiter: { file: text("time|power", "|1", "|2"), how: { ...hourly, delimiter: "|" } },
  encoding: {
    file: latin1("time;Målt\n2023-05-01T00:00;1\n"),
    how: { ...hourly, column: "Målt", encoding: "latin1" },
  },
  header_rows: {
    file: utf8("time;WTG 03\n;kW\n2023-05-01T00:00;1\n"),
    how: { ...hourly, column: "WTG 03 / kW", header_rows: 2 },
  },
  skip_rows: {
    file: utf8("time;power\nof the park\ntime;power\n2023-05-01T00:00;1\n"),
    how: { ...hourly, skip_rows: 2 },
  },
  leave_out: {
    file: utf8("time;power\n2023-05-01T00:00;1\n2023-05-01T01:00;2\nsum;3\n"),
    how: { ...hourly, leave_out: ["sum"] },
  },
  null_values: { file: plain("Bad", "2", "-999"), how: { ...hourly, null_values: ["Bad", -999] } },
  sheet: { file: "merged_header.xlsx", how: { ...workbook, leave_out: ["Total"] } },
  range: { file: "merged_header.xlsx", how: { ...workbook, range: "A3:B9" } },
  counter: {
    file: plain("998.5", "999.5", "1.5"),
    how: { ...hourly, unit: "kWh", counter: { rollover: 1000 } },
  },
  where: {
    file: utf8("time;mill;power\n2023-05-01T00:00;3;1\n2023-05-01T00:00;4;2\n"),
    how: { ...hourly, where: { mill: 4 } },
  },
  status: {
    file: text("time;power;state", ";1;Run", ";0;Stop"),
    how: { ...hourly, status: "state" },
  },
  availability: {
    file: text("time;power;share", ";1;1", ";0;0.25"),
    how: { ...hourly, availability: "share", availability_unit: "share" },
  },
  availability_unit: {
    file: text("time;power;share", ";1;100", ";0;25"),
    how: { ...hourly, availability: "share", availability_unit: "%" },
  },
  limit: {
    file: text("time;power;set point", ";1;2", ";0;"),
    how: { ...hourly, limit: "set point", limit_unit: "kW" },
  },
  limit_unit: {
    file: text("time;power;set point", ";1;100", ";0;30"),
    how: { ...hourly, limit: "set point", limit_unit: "%" },
  },
  valid_hours: {
    file: utf8("month;energy;valid;share\n2023-01;500;700;0.9\n2023-02;400;;1\n2023-03;;0;\n"),
    how: {
      column: "energy",
      time: "month",
      resolution: "month",
      unit: "MWh",
      valid_hours: "valid",
      availability: "share",
      availability_unit: "share",
    },
  },
};

/** Writes the file of a case into a folder. */
export async function writeCase(folder: string, { file }: FieldCase): Promise<string> {
  if (typeof file !== "string") {
    await Deno.writeFile(`${folder}/production.csv`, file);
    return "production.csv";
  }
  const fixture = new URL(`../../fixtures/production/${file}`, import.meta.url);
  await Deno.copyFile(fixture, `${folder}/${file}`);
  return file;
}
