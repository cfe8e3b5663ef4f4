/**
 * An unwanted column never makes a file fail, whatever it has.
 *
 * @module
 */
import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type CellValue, writeXlsx } from "hucre/xlsx";
import pl from "nodejs-polars";
import { DataFormatError } from "../../../src/api/errors.ts";
import {
  type ProductionFormat,
  readProductionRows,
  readTextRows,
} from "../../../src/frames/production/production.ts";
import { buildDatetimes } from "../../../src/frames/frame.ts";
import { listColumn, utf8 } from "../_text.ts";

const plain: ProductionFormat = {
  ...{ column: "kW", time: "time", resolution: "hour", unit: "kW", time_zone: "UTC" },
};
const readers = [["plain tables", plain], ["other tables", { ...plain, decimal: "." }]] as const;

describe("SI10 an unwanted column", () => {
  for (const [name, how] of readers) {
    const read = (header: string, cells: readonly string[]) => {
      const rows = cells.map((cell, i) => `2023-05-01T0${i}:00,${i},${cell}\n`);
      const { frame } = readTextRows(
        utf8(`time,kW,${header}\n${rows.join("")}`),
        "t.csv",
        how,
        false,
      );
      return listColumn(frame, "power");
    };

    it(`does not make a text fail: ${name}`, () => {
      const cells = [
        '12" rotor',
        "-",
        "1.2.3,4".replace(",", ";"),
        '"a,\n""b"""',
        "x".repeat(1e6),
        "\u0007",
      ];
      assertEquals(read("x", cells), [0, 1, 2, 3, 4, 5]);
      assertEquals(read('Rotor 12"', ["1", "2"]), [0, 1]);
      assertEquals(read("", ["1", "2"]), [0, 1]);
      assertEquals(read("x,x,x", ["1,2,3", "4,5,6"]), [0, 1]);
      assertEquals(read("Power [MW],", ["1,", "2,3"]), [0, 1]);
    });

    it(`needs quotes around a delimiter, or its row is refused: ${name}`, () => {
      assertThrows(() => read("x", ["stop, wind", "run"]), DataFormatError, "line 2 has 4 fields");
      assertEquals(read("x", ['"stop, wind"', "run"]), [0, 1]);
    });
  }

  it("does not make a workbook fail", async () => {
    const times = [0, 1, 2].map((hour) => new Date(Date.UTC(2023, 4, 1, hour)));
    const others: CellValue[] = ["n/v", new Date("1899-12-30Z"), true];
    const rows = times.map((time, i): CellValue[] => [time, i, others[i], null, "a"]);
    const merges = [{ startRow: 1, startCol: 4, endRow: 3, endCol: 4 }];
    const sheets = [{ name: "S", rows: [["time", "kW", "x", "x", ""], ...rows], merges }];
    const { frame } = await readProductionRows(await writeXlsx({ sheets }), "t.xlsx", plain);
    assertEquals(listColumn(frame, "power"), [0, 1, 2]);
  });

  it("does not make a typed table fail", async () => {
    const start = Date.UTC(2023, 4, 1);
    const stamps = Float64Array.from([0, 1, 2], (hour) => start + hour * 3_600_000);
    const struct = pl.DataFrame({ a: [1, 2, 3], b: ["a", "b", "c"] }).toStruct("struct");
    const frame = pl.DataFrame([
      buildDatetimes("time", stamps, "UTC"),
      pl.Series("kW", [0, 1, 2]),
      pl.Series("list", [[1], [2, 3], []]),
      pl.Series("clock", [1, 2, 3], pl.Int64).cast(pl.Time),
      pl.Series("none", [null, null, null]),
      struct,
    ]);
    const bytes = new Uint8Array(frame.writeParquet() as unknown as Uint8Array);
    const { time_zone: _, ...typed } = plain;
    const read = await readProductionRows(bytes, "t.parquet", typed);
    assertEquals(listColumn(read.frame, "power"), [0, 1, 2]);
  });
});
