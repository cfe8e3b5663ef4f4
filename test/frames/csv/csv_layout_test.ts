import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { type CsvLayout, findCsvLayout } from "../../../src/frames/csv/csv_layout.ts";
import { readCsv } from "../../../src/frames/csv/csv_reader.ts";
import { column, latin1, utf8 } from "../_text.ts";

const layout = (text: string, required = ["a"]): CsvLayout =>
  findCsvLayout(utf8(text), "data.csv", required.map((name) => [name]));

/** The whole table, all of its columns as text. */
const table = (text: string | Uint8Array, required = ["a"]) =>
  readCsv(
    typeof text === "string" ? utf8(text) : text,
    required.map((name) => column(name, "utf8")),
    { file: "data.csv" },
  ).frame;

const countRows = (text: string) => table(text).height;

const refused = (text: string | Uint8Array, message: string, required?: string[]) =>
  assertThrows(() => table(text, required), DataFormatError, `Cannot read data.csv: ${message}`);

describe("findCsvLayout()", () => {
  for (const [name, delimiter] of [["comma", ","], ["semicolon", ";"], ["tab", "\t"]]) {
    it(`F31 finds a ${name} between fields`, () => {
      const text = ["a", "b", "c"].join(delimiter) + "\n" + [1, 2, 3].join(delimiter);
      const result = layout(text);
      assertEquals([result.delimiter, result.names], [
        delimiter as CsvLayout["delimiter"],
        ["a", "b", "c"],
      ]);
      assertEquals<unknown>(table(text).toRecords(), [{ a: "1", b: 2, c: 3 }]);
    });
  }

  it("F31 is not misled by decimal commas and by commas in names of a semicolon file", () => {
    const result = layout("a;power, kW\n1,5;2,5\n");
    assertEquals([result.delimiter, result.names], [";", ["a", "power, kW"]]);
  });

  it("finds the header below a preamble, and keeps the preamble", () => {
    const result = layout("Latitude: 55.5\nLongitude: 7.75\n\na,b\n1,2\n3,4\n");
    assertEquals(result.preamble, ["Latitude: 55.5", "Longitude: 7.75", ""]);
    assertEquals([result.headerLine, result.header], [4, "a,b"]);
    assertEquals(layout("x\r\na,b\r\n1,2\r\n").preamble, ["x"]);
    assertEquals(layout("x\r\na,b\r\n1,2\r\n").from, 8);
  });

  it("looks for the header among the first 50 lines only", () => {
    assertEquals(layout("x\n".repeat(49) + "a,b\n1,2\n").headerLine, 50);
    refused("x\n".repeat(50) + "a,b\n1,2\n", "no line among the first 50 has the columns");
  });

  it("removes quotes and spaces around names", () => {
    assertEquals(layout(' a , "b" ,c d\n1,2,3\n').names, ["a", "b", "c d"]);
  });

  it("reads a quoted name with the delimiter in it as one name", () => {
    const text = 'a,"energy, MWh"\n1,2\n';
    assertEquals(layout(text).names, ["a", "energy, MWh"]);
    assertEquals(countRows(text), 1);
  });

  it("F30 reads Windows, Unix and mixed line ends, with and without one at the end of the file", () => {
    for (const text of ["a,b\r\n1,2\r\n3,4\r\n", "a,b\n1,2\n3,4", "a,b\r\n1,2\n3,4\r\n"]) {
      assertEquals(layout(text).names, ["a", "b"]);
      const expected = [{ a: "1", b: 2 }, { a: "3", b: 4 }];
      assertEquals<unknown>(table(text).toRecords(), expected, JSON.stringify(text));
    }
  });

  it("F30 does not count a byte order mark as part of the first name", () => {
    const result = layout("\ufeffa,b\n1,2\n");
    assertEquals([result.names, result.from], [["a", "b"], 7]);
  });

  it("ignores empty lines at the end", () => {
    assertEquals(countRows("a,b\n1,2\n\n\r\n\n"), 1);
  });

  it("F32 refuses an empty line in the middle, by its line number", () => {
    refused("a,b\n1,2\n\n3,4\n", "line 3 is empty in the middle of the table");
    refused("a,b\r\n1,2\r\n\r\n\r\n3,4\r\n", "line 3 is empty");
  });

  it("F32 refuses ragged rows, by their line number, counted from the file's first line", () => {
    refused("a,b\n1,2\n3,4,5\n", "line 3 has 3 fields, but the header has 2");
    refused("x\ny\na,b\n1,2\n3\n", "line 5 has 1 fields, but the header has 2");
    refused("a,b\n1,2\n3,4,\n", "line 3 has 3 fields, but the header has 2");
    refused("a;b\n1;2\n3,4\n", "line 3 has 1 fields");
  });

  it("F31 refuses decimal commas in a comma file as ragged, instead of cutting numbers silently", () => {
    refused("a,b\n1,5,2,5\n", "line 2 has 4 fields, but the header has 2");
  });

  it("F32 does not count delimiters and line feeds in quoted fields", () => {
    assertEquals(countRows('a,b\n"one, ""two""\nthree",2\n3,4\n'), 2);
    // The quoted field takes lines 2 and 3: the ragged row is on line 5.
    refused('a,b\n"one\ntwo",2\n3,4\n5\n', "line 5 has 1 fields, but the header has 2");
  });

  it("refuses a quoted field that does not end, by the line it begins on", () => {
    refused('a,b\n1,2\n3,"four\n5,6\n', "line 3: a quoted field has no closing quote");
  });

  it("F32 refuses a name that is duplicated", () => {
    refused("x\na,b,a\n1,2,3\n", 'line 2: column "a" is duplicated');
  });

  it("F32 names missing columns and the columns of the header, or the first line if the file is not a table", () => {
    refused(
      "not a table\n",
      'no line among the first 1 has the columns "time", "energy". The first line is "not a table"',
      ["time", "energy"],
    );
    refused(
      "# Plant, north, of four, five, six\n# SYNTHETIC\ntime,power,station\n1,2,A\n1,2,A\n",
      'no line among the first 5 has the columns "time", "energy". Its columns are "time", "power", "station"',
      ["time", "energy"],
    );
    refused(
      "time,power\n1,2\n",
      'no line among the first 2 has the columns "time", "energy". Its columns are "time", "power"',
      ["time", "energy"],
    );
  });

  it("refuses an empty file", () => void refused("", "it is empty"));

  it("refuses a file with only a byte order mark or empty lines", () => {
    refused("\ufeff", "no line among the first");
    refused("\n\n", "no line among the first");
  });

  it("has no rows if there is only a header", () => {
    assertEquals(countRows("a,b\n"), 0);
    assertEquals(countRows("a,b"), 0);
  });

  it("F30 refuses UTF-16 by its name, with and without a byte order mark", () => {
    const wide = Uint8Array.from([..."\ufeffa,b\n1,2\n"].flatMap((character) => {
      const code = character.charCodeAt(0);
      return [code & 0xff, code >> 8];
    }));
    refused(wide, "it is UTF-16 text. Save it as UTF-8");
    const big = wide.map((_, i) => wide[i ^ 1]);
    refused(big, "it is UTF-16 text. Save it as UTF-8");
    refused(wide.subarray(2), "byte 1 is NUL, so this is not a text file");
  });

  it("F30 refuses the line ends of old Macs, alone and among others", () => {
    refused(
      "a,b\r1,2\r",
      "line 1 has a carriage return without a line feed. Save the file with Unix",
    );
    refused("a,b\n1,2\n3\r,4\n", "line 3 has a carriage return without a line feed");
    refused("a,b\n1,2\r3,4\n", "line 2 has a carriage return without a line feed");
    refused("a,b\n1,2\n3,\r4\n", "line 3 has a carriage return without a line feed");
    refused("x\ry\na,b\n1,2\n", "line 1 has a carriage return without a line feed");
    assertEquals(table('a,b\n"1\r2",3\n').getColumn("a").getIndex(0), "1\r2");
  });

  it("F30 refuses Latin-1 and names the byte, counted from 0", () => {
    // a , b \n c a f é: the é of Latin-1 is byte 7.
    refused(latin1("a,b\ncafé,1\n1,2\n"), "byte 7 is not UTF-8. Save it as UTF-8");
    refused(latin1("a,b\n1,2\n3,é"), "byte 10 is not UTF-8");
    refused(latin1(`a,b\n${"1,2\n".repeat(5000)}é,1\n`), "byte 20004 is not UTF-8");
  });

  it("reads letters beyond ASCII in UTF-8", () => {
    assertEquals(layout("a,Ø\n€,𝔸\n").names, ["a", "Ø"]);
  });

  it("F30 refuses NUL and names the byte, at the beginning, far below and in a quoted field", () => {
    refused("a,b\n1\0,2\n", "byte 5 is NUL");
    const long = "a,b\n" + "1,2\n".repeat(2000);
    refused(`${long}3\0,4\n`, "line 2002: byte 8005 is NUL");
    refused(`${long}"3\0",4\n`, "line 2002: byte 8006 is NUL");
  });

  it("F5 refuses a web page and shows its beginning", () => {
    const page = `\ufeff\n <!DOCTYPE html><html><body>Log in, please ${
      "x".repeat(500)
    }</body></html>`;
    const { message } = refused(page, "it is a web page, not a table");
    assertStringIncludes(message, "<!DOCTYPE html><html><body>Log in, please");
    assertEquals(message.includes("x".repeat(250)), false);
  });
});
