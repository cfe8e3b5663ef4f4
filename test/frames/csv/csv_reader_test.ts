import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Column } from "../../../src/api/columns/column.ts";
import { DataFormatError } from "../../../src/api/errors.ts";
import { openCsv, readCsv, type ReadCsvOptions } from "../../../src/frames/csv/csv_reader.ts";
import { randomNumbers } from "../_random.ts";
import { column, latin1, listColumn, utf8 } from "../_text.ts";

const time = column("time", "datetime");
const power = column("power", "f64");
const name = column("name", "utf8");
const options: ReadCsvOptions = { file: "data.csv", timeZone: "UTC" };

/** Reads a text in blocks of a few bytes. */
function inBlocks(
  text: string | Uint8Array,
  columns: readonly Column[],
  blockBytes: number,
  more: Partial<ReadCsvOptions> = {},
) {
  const reader = openCsv(columns, { ...options, ...more }, blockBytes);
  return reader.end(typeof text === "string" ? utf8(text) : text);
}

const refused = (
  text: string | Uint8Array,
  message: string,
  columns: readonly Column[],
  blockBytes: number,
  more: Partial<ReadCsvOptions> = {},
) =>
  assertThrows(
    () => inBlocks(text, columns, blockBytes, more),
    DataFormatError,
    `Cannot read data.csv: ${message}`,
  );

/** A table with quotes, gaps, both line ends, letters beyond ASCII and an undeclared column. */
function randomTable(seed: number, rows: number): string {
  const random = randomNumbers(seed);
  const texts = ["", "plain", '"one, two"', '"say ""hi"""', '"two\nlines"', "Øre €", '""'];
  const lines = ["Station: 7", "name,power,time,odd"];
  for (let i = 0; i < rows; i++) {
    const stamp = new Date(Date.UTC(2020, 0, 1, i)).toISOString().slice(0, 19);
    const value = ["", "NaN", "-1.5", "1e3", "7.123456789012345", String(random(1000) / 8)];
    lines.push(
      `${texts[random(texts.length)]},${value[random(value.length)]},${stamp}Z,${random(50)}`,
    );
  }
  return lines.map((line) => line + (random(3) === 0 ? "\r\n" : "\n")).join("");
}

describe("openCsv()", () => {
  it("F39 reads rows without quotes like rows with them, wherever the first quote is", () => {
    const texts = ['"two\nlines, "', '"say ""hi"""', '""', '"12"'];
    for (const first of [0, 1, 37, 38, 39, 99, 100]) {
      const rows = Array.from({ length: 100 }, (_, i) => {
        const stamp = `${new Date(Date.UTC(2020, 0, 1, i)).toISOString().slice(0, 19)}Z`;
        const quoted = i >= first && i % 3 === first % 3;
        const text = quoted ? texts[i % texts.length] : "plain";
        return `${text},a,b,${i}.5,c,d,e,f,g,h,i,j,${i === first + 1 ? `"${stamp}"` : stamp}`;
      });
      const text = `name,a,b,power,c,d,e,f,g,h,i,j,time\n${rows.join("\n")}\n`;
      const wrong = text.replace(",70.5,", ",many,");
      const line = 72 + rows.slice(0, 70).filter((row) => row.includes("\n")).length;
      for (const blockBytes of [80, 91, 222, 1000, 4096]) {
        const { frame } = inBlocks(text, [time, power], blockBytes, { extra: false });
        assertEquals(listColumn(frame, "power"), rows.map((_, i) => i + 0.5));
        assertEquals(frame.getColumn("time").nUnique(), 100, `${first}, ${blockBytes}`);
        refused(wrong, `line ${line}, column "power"`, [time, power], blockBytes, {
          extra: false,
        });
      }
    }
  });

  it("F39 gives the same frame for any size of blocks", () => {
    for (const seed of [1, 2, 3]) {
      const text = randomTable(seed, 300);
      const unsplit = readCsv(utf8(text), [time, power, name], options);
      assertEquals(unsplit.frame.height, 300);
      for (const blockBytes of [64, 65, 100, 777, 4096]) {
        const { frame, firstLine } = inBlocks(text, [time, power, name], blockBytes);
        assertEquals(frame.toRecords(), unsplit.frame.toRecords(), `seed ${seed}, ${blockBytes}`);
        assertEquals(frame.dtypes.map(String), unsplit.frame.dtypes.map(String));
        assertEquals(firstLine, unsplit.firstLine);
      }
    }
  });

  it("F39 gives the same frame however the text arrives, even if the parts are overwritten", () => {
    const bytes = utf8(randomTable(4, 40_000)); // beyond the first megabyte, where the header is
    const expected = readCsv(bytes, [time, power, name], options).frame;
    for (const seed of [5, 6, 7]) {
      const random = randomNumbers(seed);
      const reader = openCsv([time, power, name], options, 100_000);
      const part = new Uint8Array(300_000);
      for (let from = 0; from < bytes.length;) {
        const length = Math.min(bytes.length - from, 1 + random(seed === 5 ? 999 : part.length));
        part.set(bytes.subarray(from, from + length));
        reader.write(part.subarray(0, length));
        part.fill(120);
        from += length;
      }
      const { frame } = reader.end();
      assertEquals(frame.frameEqual(expected, true), true, `seed ${seed}`);
    }
  });

  it("F39 returns a frame of blocks that supports sums, filters and arrays", () => {
    const rows = Array.from({ length: 500 }, (_, i) => `${i},${i % 7 ? i : "x"}`).join("\n");
    const { frame } = inBlocks(`power,mark\n${rows}\n`, [power], 100);
    assertEquals(frame.getColumn("power").sum(), 124_750); // 499 x 500 / 2
    assertEquals(frame.getColumn("power").toTypedArray().length, 500);
    assertEquals(frame.filter(frame.getColumn("power").gt(497)).height, 2);
    assertEquals(listColumn(frame.tail(2), "mark"), ["498", "499"]);
  });

  it("finds the columns by the names in the header", () => {
    const seen: string[][] = [];
    const reader = openCsv((names) => {
      seen.push([...names]);
      return names.filter((name) => name.startsWith("p")).map((name) => column(name, "f64"));
    }, { ...options, required: [column("p1", "f64")] });
    const { frame, columns } = reader.end(utf8("x\np1,p2,q\n1,2,3\n"));
    assertEquals(seen, [["p1", "p2", "q"]]);
    assertEquals(columns.map(({ name }) => name), ["p1", "p2"]);
    assertEquals<unknown>(frame.toRecords(), [{ p1: 1, p2: 2, q: 3 }]);
  });

  it("F32 counts lines over the borders of blocks", () => {
    const good = "1,a\n".repeat(1000);
    refused(`power,name\n${good}2\n`, "line 1002 has 1 fields", [power], 64);
    refused(`x\npower,name\n${good}no,b\n`, 'line 1003, column "power": "no"', [power], 64);
    const long = '1,"a\nb"\n'.repeat(1000); // two lines a row
    refused(`power,name\n${long}no,b\n`, 'line 2002, column "power": "no"', [power], 64);
    refused(`power,name\n${good}power,name\n`, "line 1002 repeats the header", [power], 64);
  });

  it("F32 refuses an empty line in the middle even if a block ends with it", () => {
    for (const size of [64, 66, 68, 70]) {
      const text = `power\n${"1\n".repeat(31)}\n${"1\n".repeat(100)}`;
      refused(text, "line 33 is empty in the middle of the table", [power], size);
      refused(
        `power\n${"1\n".repeat(31)}\n\n${"1\n".repeat(9)}`,
        "line 33 is empty",
        [power],
        size,
      );
    }
  });

  it("F30 names the offset of NUL and of Latin-1 in the file, in any block", () => {
    const good = "1,a\n".repeat(2000);
    refused(`power,name\n${good}1,\0\n`, "line 2002: byte 8013 is NUL", [power], 64);
    refused(`power,name\n${good}1,\0`, "line 2002: byte 8013 is NUL", [power], 64);
    const long = "1,a\n".repeat(300_000); // beyond the window of the header
    const wrong = latin1(`power,name\n${long}1,é\n${long}`);
    refused(wrong, "byte 1200013 is not UTF-8", [power], 4096);
  });

  it("refuses a row that is longer than a block, and a quote that never ends", () => {
    const long = "x".repeat(100);
    refused(`power,name\n1,a\n2,${long}\n`, "line 3 is longer than 64 bytes", [power], 64);
    refused(
      `power,name\n1,a\n2,"${"x\n".repeat(100)}`,
      "line 3: a quoted field does not end within 64 bytes",
      [power],
      64,
    );
    refused("x".repeat(2 ** 20 + 5), "line 1 is longer than 1048576 bytes", [power], 64);
  });

  it("F38 requires the format of the first stamp in all blocks", () => {
    const good = "2023-05-01T13:00:00Z\n".repeat(50);
    refused(
      `time\n${good}2023-05-01T13:00:00+00:00\n`,
      'line 52, column "time": "2023-05-01T13:00:00+00:00" does not have the format of the first timestamp',
      [time],
      64,
    );
  });

  it("F36 places a repeated hour whose two stamps lie in two blocks", () => {
    const clocks = ["00:00", "01:00", "02:00", "02:00", "03:00", "04:00"];
    const text = `time\n${clocks.map((clock) => `2023-10-29T${clock}\n`).join("")}`;
    for (const blockBytes of [17, 34, 51, 1000]) {
      const { frame } = inBlocks(text, [time], blockBytes, { timeZone: "Europe/Copenhagen" });
      assertEquals(
        (listColumn(frame, "time") as Date[]).map((date) => date.toISOString().slice(8, 13)),
        [
          ...["28T22", "28T23", "29T00", "29T01", "29T02", "29T03"],
        ],
      );
    }
    const once = text.replace("2023-10-29T02:00\n", "");
    refused(
      once,
      'line 4, column "time": 2023-10-29 02:00 may be either of two',
      [time],
      17,
      {
        timeZone: "Europe/Copenhagen",
      },
    );
  });

  it("keeps a further column as text from its first row on if a late value is not a number", () => {
    const text = `power,mark\n${"1,007\n".repeat(100)}1,x\n1,8\n`;
    const { frame } = inBlocks(text, [power], 64);
    const marks = listColumn(frame, "mark");
    assertEquals([marks[0], marks[99], marks[100], marks[101]], ["007", "007", "x", "8"]);
  });

  it("F31 lets a late value show that commas are decimal marks", () => {
    const text = `name;power\n${"a;1,234\n".repeat(100)}b;0,5\n`;
    const values = listColumn(inBlocks(text, [power], 64).frame, "power");
    assertEquals([values[0], values[99], values[100]], [1.234, 1.234, 0.5]);
  });
});
