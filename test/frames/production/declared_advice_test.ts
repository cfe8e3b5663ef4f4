import { type CellValue, writeXlsx } from "hucre/xlsx";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import {
  type ProductionFormat,
  readProductionRows,
  readTextRows,
} from "../../../src/frames/production/production.ts";
import { parseProductionText } from "./_production_text.ts";
import { latin1, listColumn, utf16, utf8 } from "../_text.ts";

const hourly: ProductionFormat = {
  column: "power",
  time: "time",
  resolution: "hour",
  unit: "kW",
  time_zone: "UTC",
};
/** Formats for the reader of plain tables, and for the tolerant reader. */
const formats: readonly ProductionFormat[] = [hourly, { ...hourly, decimal: "." }];
const read = (text: string | Uint8Array, how: ProductionFormat) =>
  parseProductionText(typeof text === "string" ? utf8(text) : text, "t.csv", how);

function refused(text: string | Uint8Array, how: ProductionFormat, message: string): void {
  const { message: actual } = assertThrows(() => read(text, how), DataFormatError);
  assertEquals(actual, `Cannot read t.csv: ${message}`);
}

const table = "time,power,station\n2023-05-01T00:00,1,A\n2023-05-01T01:00,2,A\n";
const FOOTER = "List rows that are not periods in leave_out";

describe("readProduction() names the field that fixes", () => {
  it("an encoding", () => {
    const advice = 'Declare encoding "latin1" or "utf-16", or save it as UTF-8';
    for (const how of formats) {
      refused(latin1(`${table}2023-05-01T02:00,3,ø\n`), how, `byte 80 is not UTF-8. ${advice}`);
      refused(utf16(table), how, `it is UTF-16 text. ${advice}`);
      refused(
        utf16(table).subarray(2),
        how,
        `byte 1 is NUL, so this is not a text file. Save it as CSV. If it is UTF-16 text: ${advice}`,
      );
    }
    const invalid = Uint8Array.of(0xff, 0xfe, 0x00, 0xd8);
    const wide: ProductionFormat = { ...hourly, encoding: "utf-16" };
    refused(
      invalid,
      wide,
      'it is not utf-16 text. Declare another encoding, or omit "encoding" if the file is UTF-8',
    );
  });

  it("rows below the table: totals, notes, and empty lines before them", () => {
    for (const how of formats) {
      refused(`${table}Total,3\n`, how, `line 4 has 2 fields, but the header has 3. ${FOOTER}`);
      refused(
        `${table}\nTotal,3,\n`,
        how,
        `line 4 is empty in the middle of the table. ${FOOTER}`,
      );
      refused(`${table},3,\n`, how, `line 4, column "time": the timestamp is missing. ${FOOTER}`);
    }
    refused(
      `${table}Total,3,\n`,
      hourly,
      `line 4, column "time": "Total" does not have the format of the first timestamp, 2023-05-01T00:00. ${FOOTER}`,
    );
    for (const footer of ["Total,3\n", "\nTotal,3,\n", ",3,\n\n", "\n\nTotal,3,\n\n"]) {
      const production = read(table + footer, { ...hourly, leave_out: ["Total", ""] });
      assertEquals(listColumn(production, "power"), [1, 2], JSON.stringify(footer));
    }
    const daily = `${table}Sum of the day,3\n2023-05-01T02:00,5,A\nSum of the day,5\n`;
    const { frame, notes } = readTextRows(
      utf8(daily),
      "t.csv",
      { ...hourly, leave_out: ["Sum"] },
      false,
    );
    assertEquals(listColumn(frame, "power"), [1, 2, 5]);
    assertEquals(notes, ["2 rows are left out, as declared; the first is line 4"]);
    const middle = "time,power\n2023-05-01T00:00,1\n\n2023-05-01T01:00,2\nTotal,3\n";
    const how: ProductionFormat = { ...hourly, leave_out: ["Total"] };
    refused(middle, how, "line 3 is empty in the middle of the table");
    refused(
      "month,energy\n2023-01,5\n,5\n",
      { column: "energy", time: "month", resolution: "month", unit: "MWh" },
      `line 3, column "month": the month is missing. ${FOOTER}`,
    );
  });

  it("rows below the table of a sheet, with an empty row above them", async () => {
    const sheet = (middle: CellValue[]) =>
      writeXlsx({
        sheets: [{
          name: "S",
          rows: [["month", "energy"], ["2023-01", 5], middle, ["2023-03", 7], [], ["Total", 12]],
        }],
      });
    const how: ProductionFormat = {
      column: "energy",
      time: "month",
      resolution: "month",
      unit: "MWh",
    };
    const readSheet = (bytes: Uint8Array, ...leave_out: string[]) =>
      readProductionRows(bytes, "t.xlsx", { ...how, leave_out });
    const complete = await sheet(["2023-02", 6]);
    const { frame, place } = await readSheet(complete, "Total");
    assertEquals(listColumn(frame, "energy"), [5, 6, 7]);
    assertEquals(place(2), "cell B4");
    await assertRejects(
      () => readSheet(complete),
      DataFormatError,
      `row 5 is empty in the middle of the table. ${FOOTER}`,
    );
    await assertRejects(
      async () => await readSheet(await sheet([]), "Total"),
      DataFormatError,
      "row 3 is empty in the middle of the table",
    );
  });

  it("but not if a row of the table itself is broken", () => {
    for (const how of formats) {
      refused(`${table}2023-05-01T02:00,3\n`, how, "line 4 has 2 fields, but the header has 3");
      refused(
        `${table}\n2023-05-01T02:00,3,A\n`,
        how,
        "line 4 is empty in the middle of the table",
      );
    }
  });

  it("a wrong column, and lists the names of the header, even below other lines", () => {
    const text = `# Plant, north, with A, B, C\n#\n${table}`;
    refused(
      text,
      { ...hourly, column: "Power (kW)" },
      'no line among the first 5 has the columns "time", "Power (kW)". Its columns are "time", "power", "station"',
    );
    refused(
      text,
      { ...hourly, column: "Power (kW)", decimal: "." },
      'no header of one row at the start of the file has the columns "time", "Power (kW)". Its columns are "time", "power", "station"',
    );
    refused(
      text,
      { ...hourly, column: "Power (kW)", skip_rows: 2 },
      'the header after 2 rows does not have the columns "time", "Power (kW)". Its columns are "time", "power", "station"',
    );
  });
});
