import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { DataFormatError } from "../../../src/api/errors.ts";
import { type FrameFile, readFrameFile } from "../../../src/frames/typed/read_frame_file.ts";

const ROWS = 300;

const table = pl.DataFrame([
  pl.Series("time", Array.from({ length: ROWS }, (_, i) => i), pl.Float64),
  pl.Series("power", Array.from({ length: ROWS }, (_, i) => i % 7 === 0 ? null : i), pl.Float64),
  pl.Series("status", Array.from({ length: ROWS }, (_, i) => i % 3 ? "Run" : "Stop"), pl.Utf8),
]);

const writeParquet = (compression: string) =>
  new Uint8Array(table.writeParquet({ compression } as never) as unknown as Uint8Array);
const writeArrow = (compression: string) =>
  new Uint8Array(table.writeIPC({ compression } as never) as unknown as Uint8Array);

/** Reads the values as well: damage may show only there. */
function readValues(bytes: Uint8Array, kind: FrameFile): DataFrame {
  const frame = readFrameFile(bytes, "t", kind);
  for (const series of frame.getColumns()) assertEquals(series.length, frame.height);
  return frame;
}

/** Spoils each of some bytes in turn; each file is read or refused with a typed error. */
function sweep(bytes: Uint8Array, kind: FrameFile, from: number, to: number): number {
  let refused = 0;
  for (let at = from; at < to; at++) {
    for (const value of [255, bytes[at] ^ 1]) {
      const spoiled = bytes.slice();
      spoiled[at] = value;
      try {
        readValues(spoiled, kind);
      } catch (error) {
        if (!(error instanceof DataFormatError)) throw error;
        assertEquals(error.message.includes("\n"), false, error.message);
        refused++;
      }
    }
  }
  return refused;
}

function refusal(bytes: Uint8Array, kind: FrameFile): string {
  return assertThrows(() => readFrameFile(bytes, "t", kind), DataFormatError).message;
}

/** Finds the one place of some bytes. */
function findBytes(bytes: Uint8Array, wanted: readonly number[]): number {
  const at = bytes.findLastIndex((_, i) => wanted.every((byte, k) => bytes[i + k] === byte));
  if (at === -1) throw new Error("The bytes are not in the file");
  return at;
}

describe("readFrameFile()", () => {
  it("reads what the library writes, packed in any way", () => {
    for (const compression of ["zstd", "snappy", "gzip", "uncompressed"]) {
      assertEquals(readValues(writeParquet(compression), "parquet").height, ROWS);
    }
    for (const compression of ["uncompressed", "lz4", "zstd"]) {
      assertEquals(readValues(writeArrow(compression), "arrow").height, ROWS);
    }
  });

  it("F51 H9: ends in a typed error, and never the process, whichever byte of a Parquet footer is wrong", () => {
    const bytes = writeParquet("uncompressed");
    const length = new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
    const refused = sweep(bytes, "parquet", bytes.length - 8 - length, bytes.length);
    assertEquals(refused > length / 2, true, `${refused} of ${2 * length}`);
  });

  it("F51 H9: ends in a typed error whichever byte of the metadata of an Arrow file is wrong", () => {
    const bytes = writeArrow("uncompressed");
    assertEquals(sweep(bytes, "arrow", bytes.length - 700, bytes.length) > 100, true);
  });

  it("F51 H7: refuses a number of rows before memory is taken for them", () => {
    const bytes = writeParquet("uncompressed");
    // The footer begins with version 1 or 2, then the list of columns; rows are a zigzag number of two bytes.
    const rows = findBytes(bytes, [0x16, 0xd8, 0x04]);
    const many = bytes.slice();
    many.set([0x16, 0xd8, 0x05], rows); // 300 becomes 364
    assertStringIncludes(refusal(many, "parquet"), "Cannot read t: it is not a complete Parquet");
  });

  const writeBoth = (frame: DataFrame) =>
    ({
      parquet: frame.writeParquet({ compression: "zstd" } as never),
      arrow: frame.writeIPC({ compression: "zstd" } as never),
    }) as unknown as Readonly<Record<FrameFile, Uint8Array>>;

  it("F51 H7: refuses a small file of a table with too many values", () => {
    const same = pl.Series("a", new Uint8Array(13_000_000) as unknown as number[], pl.UInt8);
    const names = ["b", "c", "d"].map((name) => same.alias(name));
    const files = writeBoth(pl.DataFrame([same, ...names]));
    for (const kind of ["parquet", "arrow"] as const) {
      assertStringIncludes(refusal(new Uint8Array(files[kind]), kind), "more than 50000000");
    }
  });

  it("reads what compresses well: columns that are empty or all the same", () => {
    const none = Array<null>(200_000).fill(null);
    const columns = [..."abcdefghijkl"].map((name) => pl.Series(name, none, pl.Float64));
    const files = writeBoth(pl.DataFrame(columns));
    for (const kind of ["parquet", "arrow"] as const) {
      const { shape } = readFrameFile(new Uint8Array(files[kind]), "t", kind);
      assertEquals([shape.height, shape.width], [200_000, 12]);
    }
  });

  it("F51 H9: refuses an Arrow file that is cut off", () => {
    const bytes = writeArrow("uncompressed");
    assertStringIncludes(refusal(bytes.slice(0, 40), "arrow"), "it is not a complete Arrow file");
  });
});
