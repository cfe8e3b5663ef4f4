import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { readCsv } from "../../../src/frames/csv/csv.ts";
import { checkTableSize } from "../../../src/frames/csv/table_bounds.ts";
import { column, utf8 } from "../_text.ts";

/** What is wrong with a table of this size. */
function findProblem(rows: number, columns: number): string | undefined {
  try {
    checkTableSize(rows, columns, (found) => {
      throw new RangeError(found);
    });
  } catch (error) {
    return (error as RangeError).message;
  }
}

describe("checkTableSize()", () => {
  it("H7: bounds rows, columns and their product", () => {
    assertEquals(findProblem(20_000_000, 2), undefined);
    assertEquals(findProblem(20_000_001, 1), "it has 20000001 rows, more than 20000000");
    assertEquals(findProblem(0, 20_001), "it has 20001 columns, more than 20000");
    assertEquals(
      findProblem(10_000_000, 6),
      "it has 10000000 x 6 values, more than 50000000",
    );
  });

  it("H7: refuses a text with more columns before its rows are read", () => {
    const header = Array.from({ length: 20_001 }, (_, i) => `c${i}`).join(",");
    assertThrows(
      () => readCsv(utf8(`${header}\n`), [], { file: "t.csv" }),
      DataFormatError,
      "Cannot read t.csv: line 1: it has 20001 columns, more than 20000",
    );
  });
});

describe("a text that the fuzzer found", () => {
  it("K5: may have columns without a name, which have that of their place, and missing values in them", () => {
    const required = [column("a", "f64")];
    const { frame } = readCsv(utf8("a,,\n1,2,x\n1,,\n"), [], { file: "t.csv", required });
    assertEquals<unknown>(frame.toRecords(), [
      { a: 1, column_2: 2, column_3: "x" },
      { a: 1, column_2: null, column_3: null },
    ]);
  });
});
