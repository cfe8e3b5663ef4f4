import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { DataFormatError } from "../../../src/api/errors.ts";
import { readParquet } from "../../../src/frames/files/parquet.ts";

const ROWS = 300;

const table = pl.DataFrame([
  pl.Series("time", Array.from({ length: ROWS }, (_, i) => i), pl.Float64),
  pl.Series("power", Array.from({ length: ROWS }, (_, i) => i % 7 === 0 ? null : i), pl.Float64),
  pl.Series("status", Array.from({ length: ROWS }, (_, i) => i % 3 ? "Run" : "Stop"), pl.Utf8),
]);

const writeParquet = (compression: string, frame = table) =>
  new Uint8Array(frame.writeParquet({ compression } as never) as unknown as Uint8Array);

/** Reads the values as well: damage may show only there. */
function readValues(bytes: Uint8Array): DataFrame {
  const frame = readParquet(bytes, "t");
  for (const series of frame.getColumns()) assertEquals(series.toArray().length, frame.height);
  return frame;
}

/** Changes each of some bytes in turn: every such file must be readable or fail with a typed error. */
function sweep(bytes: Uint8Array, from: number, to: number): number {
  let refused = 0;
  for (let at = from; at < to; at++) {
    for (const value of [255, bytes[at] ^ 1]) {
      const spoiled = bytes.slice();
      spoiled[at] = value;
      try {
        readValues(spoiled);
      } catch (error) {
        if (!(error instanceof DataFormatError)) throw error;
        assertEquals(error.message.includes("\n"), false, error.message);
        refused++;
      }
    }
  }
  return refused;
}

function refusal(bytes: Uint8Array): string {
  return assertThrows(() => readParquet(bytes, "t"), DataFormatError).message;
}

/** Position of the footer. */
function findFooter(bytes: Uint8Array): number {
  return bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
}

describe("readParquet()", () => {
  it("reads what the library writes, packed in any way", () => {
    for (const compression of ["zstd", "snappy", "gzip", "uncompressed"]) {
      assertEquals(readValues(writeParquet(compression)).height, ROWS);
    }
  });

  it("F51 H9: throws a typed error, never ends the process, whichever byte of a Parquet footer is wrong", () => {
    const bytes = writeParquet("uncompressed");
    const refused = sweep(bytes, findFooter(bytes), bytes.length);
    assertEquals(refused > 500, true, `${refused} were refused`);
  });

  it("F51 H9: throws a typed error, never ends the process, whichever byte of its pages is wrong", () => {
    const bytes = writeParquet("zstd");
    const refused = sweep(bytes, 0, findFooter(bytes));
    assertEquals(refused > 100, true, `${refused} were refused`);
  });

  it("F51 H7: refuses a page with more values than its column before they take memory", () => {
    const bytes = writeParquet("zstd");
    // The header of the first page: three numbers, then the number of its values, 300 in two bytes.
    const values = bytes.findIndex((byte, i) => byte === 0xd8 && bytes[i + 1] === 0x04);
    bytes[values] = 0xd9; // -301
    assertEquals(
      refusal(bytes),
      "Cannot read t: it is not a complete Parquet file (a page has -301 values, but its column has only 300). Write the file again",
    );
  });

  it("F51 H7: refuses a small file of a table with too many values", () => {
    const same = pl.Series("a", new Uint8Array(13_000_000) as unknown as number[], pl.UInt8);
    const names = ["b", "c", "d"].map((name) => same.alias(name));
    const bytes = writeParquet("zstd", pl.DataFrame([same, ...names]));
    assertStringIncludes(refusal(bytes), "the limit is 50000000");
  });

  it("reads columns that compress well: empty ones, and ones with a single value", () => {
    const none = Array<null>(200_000).fill(null);
    const columns = [..."abcdefghijkl"].map((name) => pl.Series(name, none, pl.Float64));
    const { shape } = readParquet(writeParquet("zstd", pl.DataFrame(columns)), "t");
    assertEquals([shape.height, shape.width], [200_000, 12]);
  });

  it("F51 H9: refuses a file that is truncated, or not Parquet", () => {
    const bytes = writeParquet("uncompressed");
    for (const part of [bytes.slice(0, 40), bytes.slice(0, 5), bytes.slice(40)]) {
      assertStringIncludes(refusal(part), "Cannot read t: it is not a complete Parquet file");
    }
  });
});
