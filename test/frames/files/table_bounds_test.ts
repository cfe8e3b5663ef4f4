import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { readCsv } from "../../../src/frames/csv/csv_reader.ts";
import { checkTableSize } from "../../../src/frames/files/reader_limits.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { readFrame } from "../../../src/frames/storage/read_frame.ts";
import { column, utf8 } from "../_text.ts";

/** Finds the problem of a table of this size. */
function findProblem(rows: number, columns: number): string | undefined {
  try {
    checkTableSize(rows, columns, (problem) => {
      throw new RangeError(problem);
    });
  } catch (error) {
    return (error as RangeError).message;
  }
}

describe("checkTableSize()", () => {
  it("H7: bounds rows, columns and their product", () => {
    assertEquals(findProblem(20_000_000, 2), undefined);
    assertEquals(
      findProblem(20_000_001, 1),
      "it has 20000001 rows, but the limit is 20000000. Read fewer rows at once",
    );
    assertEquals(findProblem(0, 20_001), "it has 20001 columns, but the limit is 20000");
    assertEquals(
      findProblem(10_000_000, 6),
      "it has 10000000 x 6 values, but the limit is 50000000. Read fewer rows or columns at once",
    );
  });

  it("H7: refuses a text with more columns before its rows are read", () => {
    const header = Array.from({ length: 20_001 }, (_, i) => `c${i}`).join(",");
    assertThrows(
      () => readCsv(utf8(`${header}\n`), [], { file: "t.csv" }),
      DataFormatError,
      "Cannot read t.csv: line 1: it has 20001 columns, but the limit is 20000",
    );
  });
});

describe("a text that the fuzzer found", () => {
  it("K5: may have columns without a name, named by their position, and missing values in them", () => {
    const required = [column("a", "f64")];
    const { frame } = readCsv(utf8("a,,\n1,2,x\n1,,\n"), [], { file: "t.csv", required });
    assertEquals<unknown>(frame.toRecords(), [
      { a: 1, column_2: 2, column_3: "x" },
      { a: 1, column_2: null, column_3: null },
    ]);
  });

  it("SV5: leaves out last columns without a name and a value, as from a comma at the end of each line", async () => {
    const required = [column("a", "f64")];
    const file = await Deno.makeTempFile({ suffix: ".csv" });
    for (const end of [",", ",,", ", ,"]) {
      const text = `a,b${end}\n1,2${end}\n3,4${end}\n`;
      assertEquals(readCsv(utf8(text), [], { file, required }).frame.columns, ["a", "b"]);
      await Deno.writeTextFile(file, text);
      const frame = await readFrame(file);
      assertEquals(frame.columns, ["a", "b"]);
      const [{ notes }] = provenance(frame);
      assertMatch(`${notes}`, /^[12] last columns? without a name or a value; left out$/);
    }
    await Deno.writeTextFile(file, "a,,b,,\n1,,2,,\n1,,2,,x\n");
    assertEquals((await readFrame(file)).columns, ["a", "column_2", "b", "column_4", "column_5"]);
    await Deno.remove(file);
  });

  it("SV5: does not name such a column in a message", () => {
    const required = [column("c", "f64")];
    const read = () => readCsv(utf8("a,b,\n1,2,\n"), [], { file: "t.csv", required });
    assertThrows(read, DataFormatError, 'has the columns "c". Its columns are "a", "b"');
  });
});
