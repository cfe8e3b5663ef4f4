import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Column } from "../../../src/api/columns/column.ts";
import { DataFormatError } from "../../../src/api/errors.ts";
import { readCsv } from "../../../src/frames/csv/csv_reader.ts";
import { column, listColumn, utf8 } from "../_text.ts";

const index = column("month_index", "f64", { wire: "monthIndex" });
const speed = column("wind_speed", "f64", { unit: "m/s" });

const read = (text: string, columns: readonly Column[]) =>
  readCsv(utf8(text), columns, { file: "data.csv" }).frame;
const refused = (text: string, message: string, columns: readonly Column[]) =>
  assertThrows(() => read(text, columns), DataFormatError, `Cannot read data.csv: ${message}`);

describe("names of columns in readCsv()", () => {
  const writings = ["monthIndex", "month_index", "Month Index", "MONTH-INDEX", "Month index [%]"];
  for (const name of writings) {
    it(`F32 finds monthIndex under the name ${name}`, () => {
      assertEquals<unknown>(read(`x;${name}\n1;95.5\n`, [index]).toRecords(), [
        { month_index: 95.5, x: 1 },
      ]);
    });
  }

  it("F32 prefers a line with the exact names to one with similar names", () => {
    const power = column("power", "f64");
    assertEquals(listColumn(read("Power\npower\n5\n", [power]), "power"), [5]);
  });

  it("F32 refuses two columns that mean the same one, even if one is exact", () => {
    refused(
      "Month Index,month_index\n1,2\n",
      'line 1: columns "Month Index" and "month_index" both mean "monthIndex". Remove',
      [index],
    );
    refused("x\nmonth_index,monthIndex\n1,2\n", "line 2: columns", [index]);
    refused("Wind speed [m/s],wind_speed (m/s)\n1,2\n", "line 1: columns", [speed]);
  });

  it("F32 accepts a name with a remark in brackets next to the exact one", () => {
    const { columns } = read("wind_speed,wind_speed (max)\n1,2\n", [speed]);
    assertEquals(columns, ["wind_speed", "wind_speed (max)"]);
  });

  it("F32 keeps a column for the declaration with its exact name", () => {
    const columns = [column("T1", "f64"), column("T-1", "f64", { name: "other", wire: "T-1" })];
    assertEquals<unknown>(read("T1,T-1\n1,2\n", columns).toRecords(), [{ T1: 1, other: 2 }]);
  });

  it("F34 reads the unit in brackets in any spelling, and refuses another one", () => {
    for (const unit of ["[m/s]", "(m/s)", "[m s-1]", "[M/S]", "(m·s⁻¹)"]) {
      const frame = read(`Wind speed ${unit}\n7.5\n`, [speed]);
      assertEquals(listColumn(frame, "wind_speed"), [7.5], unit);
    }
    refused(
      "Wind speed [knots]\n7.5\n",
      'line 1: column "Wind speed [knots]" is in knots, but m/s is needed. Convert',
      [speed],
    );
  });

  it("F34 keeps an optional column in another unit under its own name", () => {
    const optional = { ...speed, optional: true };
    const power = column("power", "f64");
    assertEquals(read("power,Wind speed [knots]\n1,2\n", [power, optional]).columns, [
      "power",
      "Wind speed [knots]",
    ]);
  });
});
