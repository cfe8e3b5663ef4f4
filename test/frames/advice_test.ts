/**
 * Follows the advice of messages about a file or its declaration, and checks the figures afterwards. Advice on times
 * and declarations is in `production/times_advice_test.ts` and `production/declaration_advice_test.ts`, other steps in
 * `production/ugly_files_test.ts`, columns of frames in `read_columns_test.ts`.
 *
 * @module
 */
import { type CellValue, writeXlsx } from "hucre/xlsx";
import { describe } from "@std/testing/bdd";
import { type AdviceCase, followAdvice } from "./_advice.ts";
import { latin1, utf16 } from "./_text.ts";

const HOURS = ["2023-05-01T00:00", "2023-05-01T01:00", "2023-05-01T02:00"];

/** A table of hours: a time and a row of fields for each. */
const table = (header: string, rows: readonly string[], mark = ",") =>
  [`time${mark}${header}`, ...rows.map((row, i) => `${HOURS[i]}${mark}${row}`), ""].join("\n");

const [plain, any] = [{}, { decimal: "." }] as const; // read by the reader of plain tables, and by the tolerant reader

describe("advice about a text", () => {
  const names = table("kW,station", ["1,A", "2,ø"]);
  const quotes = (middle: string) => table("kW,x", [`${middle},a`, "2,b"]);
  followAdvice([
    ...[plain, any].flatMap((how): AdviceCase[] => [
      {
        says: 'Declare encoding "latin1" or "utf-16", or save it as UTF-8',
        name: `an encoding ${JSON.stringify(how)}`,
        ...{ file: latin1(names), how, then: { how: { encoding: "latin1" } }, gives: [1, 2] },
      },
      {
        says: "it is UTF-16 text",
        name: `UTF-16 ${JSON.stringify(how)}`,
        ...{ file: utf16(names), how, then: { how: { encoding: "utf-16" } }, gives: [1, 2] },
      },
      {
        says: "Save the file with Unix or Windows line endings",
        name: `line ends ${JSON.stringify(how)}`,
        ...{ file: names.replaceAll("\n", "\r"), how, then: { file: names }, gives: [1, 2] },
      },
      {
        says: "a field has a quote in the middle. Put the whole field in quotes",
        name: `a quote in the middle ${JSON.stringify(how)}`,
        ...{ file: quotes('1"1'), how, then: { file: quotes('"1""1"') }, gives: "is not a number" },
      },
      {
        says: "a field continues after its closing quote. Double the quotes within a field",
        name: `a field that continues ${JSON.stringify(how)}`,
        file: table("kW,x", ['1,"a"b"', "2,c"]),
        how: { ...how, column: "x" },
        then: { file: table("kW,x", ['1,"a""b"', "2,c"]), how: { column: "kW" } },
        gives: [1, 2],
      },
      {
        says: 'column "kW" is duplicated. Rename one of these columns',
        name: `a duplicate column ${JSON.stringify(how)}`,
        file: table("kW,kW", ["1,5", "2,6"]),
        ...{ how, then: { file: table("kW,old", ["1,5", "2,6"]) }, gives: [1, 2] },
      },
      {
        says: "Remove or rename one of them",
        name: `two columns with one meaning ${JSON.stringify(how)}`,
        file: table("k_w,K W", ["1,5", "2,6"]),
        ...{ how, then: { file: table("k_w,old", ["1,5", "2,6"]) }, gives: [1, 2] },
      },
      {
        says: "repeats the header. Read each table separately, or remove the line",
        name: `a repeated header ${JSON.stringify(how)}`,
        file: `${table("kW", ["1"])}time,kW\n${HOURS[1]},2\n`,
        ...{ how, then: { file: table("kW", ["1", "2"]) }, gives: [1, 2] },
      },
    ]),
    {
      says: 'Declare another encoding, or omit "encoding" if the file is UTF-8',
      file: Uint8Array.of(0xff, 0xfe, 0x00, 0xd8),
      how: { encoding: "utf-16" },
      then: { file: table("kW", ["1"]), how: { encoding: undefined } },
      gives: [1],
    },
    {
      says: "Save its values as a table in CSV",
      file: '<?xml version="1.0"?><Workbook></Workbook>',
      then: { file: table("kW", ["1"]) },
      gives: [1],
    },
    {
      says: "List rows that are not periods in leave_out",
      file: `${table("kW", ["1"])}Total,1\n`,
      then: { how: { leave_out: ["Total"] } },
      gives: [1],
    },
    {
      says: 'says kWh, but its unit is declared as kW. Declare unit "kWh"',
      file: table("E (kWh)", ["1"]),
      how: { column: "E (kWh)" },
      then: { how: { unit: "kWh" } },
      gives: [1],
    },
    {
      says: 'so "sheet" does not apply. Omit it',
      file: table("kW", ["1"]),
      how: { sheet: "S" },
      then: { how: { sheet: undefined } },
      gives: [1],
    },
  ]);
});

describe("advice about numbers", () => {
  followAdvice([
    {
      says: "Write numbers without thousands marks",
      file: table("kW", ["1,234.5", "2"], ";"),
      then: { file: table("kW", ["1234.5", "2"], ";") },
      gives: [1234.5, 2],
    },
    {
      says: 'Declare its "decimal" and "thousands" marks',
      file: table("kW", ["1,234.5", "2"], ";"),
      how: { null_values: ["x"] },
      then: { how: { decimal: ".", thousands: "," } },
      gives: [1234.5, 2],
    },
    {
      says: "Use one decimal mark in all columns, and no thousands mark",
      file: table("kW", ["1,5", "2.5"], ";"),
      then: { file: table("kW", ["1,5", "2,5"], ";") },
      gives: [1.5, 2.5],
    },
    {
      says:
        "Remove thousands marks. If the mark is a decimal point, separate fields with commas, or give " +
        'readProduction() decimal: "."',
      file: table("kW", ["1.234", "2.345"], ";"),
      then: { how: { decimal: "." } },
      gives: [1.234, 2.345],
    },
    {
      says: "Use a decimal point and no thousands mark",
      file: table("kW", ["1,234", "2,345"], ";"),
      then: { file: table("kW", ["1.234", "2.345"]) },
      gives: [1.234, 2.345],
    },
    {
      says: 'You can also declare "decimal" and "thousands"',
      file: table("kW", ["1,234", "2,345"], ";"),
      how: { null_values: ["x"] },
      then: { how: { decimal: ".", thousands: "," } },
      gives: [1234, 2345],
    },
    {
      says:
        'the declared decimal mark is "," and the thousands mark is none. Correct "decimal" or "thousands"',
      file: table("kW", ["1.234,5", "2"], ";"),
      how: { decimal: "," },
      then: { how: { thousands: "." } },
      gives: [1234.5, 2],
    },
    {
      says: '"n/v" is not a number. Add it to null_values if it means missing',
      file: table("kW", ["n/v", "2"]),
      how: { decimal: "." },
      then: { how: { null_values: ["n/v"] } },
      gives: [null, 2],
    },
    {
      says:
        "the meter shows 5, after 100: it was replaced or reset, or it restarted at its highest number. " +
        'Declare counter "resets", or the highest number: counter { rollover: 1000000 }',
      file: table("kW", ["90", "100", "5"]),
      how: { unit: "kWh", counter: true },
      then: { how: { counter: "resets" } },
      gives: [10, null],
    },
    {
      says: "Declare counter",
      name: "a meter that restarts at its highest number",
      file: table("kW", ["999990", "999995", "5"]),
      how: { unit: "kWh", counter: true },
      then: { how: { counter: { rollover: 1_000_000 } } },
      gives: [5, 10],
    },
    {
      says:
        'so they are probably shares. Cells that Excel shows as 97 % contain 0.97. Declare availability_unit "share"',
      file: table("kW,A", ["1,0.97", "2,1"]),
      how: { availability: "A", availability_unit: "%" },
      then: { how: { availability_unit: "share" } },
      gives: [1, 2],
    },
    {
      says: "is not a share of time. Check availability_unit",
      file: table("kW,A", ["1,97", "2,100"]),
      how: { availability: "A", availability_unit: "share" },
      then: { how: { availability_unit: "%" } },
      gives: [1, 2],
    },
    {
      says:
        "800 valid hours are more than the 744 h of the period. Give the hours for which the energy is known",
      file: "time,MWh,h\n2023-05,9,800\n2023-06,8,720\n",
      how: {
        column: "MWh",
        unit: "MWh",
        resolution: "month",
        time_zone: undefined,
        valid_hours: "h",
      },
      then: { file: "time,MWh,h\n2023-05,9,700\n2023-06,8,720\n" },
      gives: [9, 8],
    },
  ]);
});

const sheetOf = (rows: CellValue[][], more = {}) =>
  writeXlsx({ sheets: [{ name: "S", rows, ...more }] });
const dates = (cells: readonly CellValue[]) => [
  ["time", "kW"] as CellValue[],
  ...cells.map((cell, i): CellValue[] => [new Date(`${HOURS[i]}Z`), cell]),
];
const right = await sheetOf(dates([1, 2]));

const two = await writeXlsx({
  sheets: [{ name: "Notes", rows: [["a"]] }, { name: "Data", rows: dates([1, 2]) }],
});
const serials = [45047, 45047 + 1 / 24].map((day, i): CellValue[] => [day, i + 1]);
const merged = await sheetOf(dates([1, null]), {
  merges: [{ startRow: 1, startCol: 1, endRow: 2, endCol: 1 }],
});
const dated = await sheetOf(dates([1, new Date("2023-05-12Z")]));
const flagged = await sheetOf([["time", "kW", "run"], [new Date(`${HOURS[0]}Z`), 1, true]]);
const texts = await sheetOf(dates(["1,5", "2,5"]));
const counted = await sheetOf([["time", "kW"], ...serials]);
const seven = await sheetOf([["time", "kW"], [7, 1]]);
const dayText = await sheetOf([["time", "kW"], ["1.5.23", 1]]);
const totals = await sheetOf([...dates([1, 2]), [], ["Total", 3]]);

describe("advice about a workbook", () => {
  followAdvice([
    {
      says: 'it has several sheets. Name one of "Notes", "Data"',
      ...{ file: two, then: { how: { sheet: "Data" } }, gives: [1, 2] },
    },
    {
      says: 'it has no sheet "data". Name one of "Notes", "Data"',
      ...{ file: two, how: { sheet: "data" }, then: { how: { sheet: "Data" } }, gives: [1, 2] },
    },
    {
      says: "is merged in the middle of the table. Unmerge them, and fill each cell".replace(
        "is",
        "are",
      ),
      file: merged,
      then: { file: right },
      gives: [1, 2],
    },
    {
      says:
        "a date is not a number. If a spreadsheet has turned numbers such as 12.5 into dates, export the numbers " +
        "again. Otherwise declare another column",
      file: dated,
      then: { file: right },
      gives: [1, 2],
    },
    {
      says: "true is not a number. Declare another column",
      file: flagged,
      how: { column: "run" },
      then: { how: { column: "kW" } },
      gives: [1],
    },
    {
      says:
        '"1,5" is a text, not a number. Declare "decimal" if numbers are stored as texts, or add the text to null_values',
      file: texts,
      then: { how: { decimal: "," } },
      gives: [1.5, 2.5],
    },
    {
      says: '45047 is not a time. If it is an Excel day number, declare time_format "excel"',
      file: counted,
      then: { how: { time_format: "excel" } },
      gives: [1, 2],
    },
    {
      says: "7 is not a time. Store it as a date, or as a text in a declared time_format",
      file: seven,
      then: {
        file: dayText,
        how: { time_format: "D.M.YY [h]" },
      },
      gives: 't.csv as declared: time_format: "D.M.YY [h]" has no hour',
    },
    {
      says: "is empty in the middle of the table. List rows that are not periods in leave_out",
      file: totals,
      then: { how: { leave_out: ["Total"] } },
      gives: [1, 2],
    },
  ]);
});
