import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { pickColumns } from "../../../src/api/columns/column.ts";
import {
  type ColumnTable,
  fromWire,
  isRecord,
  listColumns,
  type Quantity,
  requireColumns,
  toWire,
} from "../../../src/api/columns/column_table.ts";

interface Mast {
  readonly id: string;
  readonly height: Quantity<"m"> | null;
  readonly month_index?: Quantity<"%"> | null;
  readonly levels: number;
  readonly serial: number | bigint;
  readonly kind: "lattice" | "tube";
  readonly built: string | number;
  readonly heated: boolean;
}

const about = { label: "Label", description: "A value.", tag: "ours" } as const;

const mastTable: ColumnTable<Mast> = {
  id: { ...about, dtype: "utf8", notNull: true },
  height: { ...about, dtype: "f64", unit: "m" },
  month_index: { ...about, dtype: "f64", unit: "%", wire: "monthIndex", optional: true },
  levels: { ...about, dtype: "i32", notNull: true },
  serial: { ...about, dtype: "i64", notNull: true },
  kind: { ...about, dtype: "utf8", values: ["lattice", "tube"], notNull: true },
  built: { ...about, dtype: "date", notNull: true },
  heated: { ...about, dtype: "bool", notNull: true },
};

const mast: Mast = {
  id: "M1",
  height: null,
  month_index: 98.5,
  levels: 4,
  serial: 12n,
  kind: "tube",
  built: "2019-05",
  heated: false,
};

describe("a table of columns", () => {
  it("is a list in its order, each column with its name", () => {
    const columns = listColumns(mastTable);
    assertEquals(columns.map(({ name }) => name), Object.keys(mast) as (keyof Mast)[]);
    assertEquals(columns[1], { ...about, name: "height", dtype: "f64", unit: "m" });
    assertEquals(columns.map(({ name }) => mast[name]), Object.values(mast));
  });

  it("can require optional columns", () => {
    const { month_index } = requireColumns(mastTable);
    assertEquals([mastTable.month_index.optional, month_index.optional], [true, false]);
  });

  it("renames fields for the wire and back, and drops undeclared ones", () => {
    const { month_index, ...others } = mast;
    const wire = { ...others, monthIndex: month_index };
    assertEquals(toWire(mastTable, mast), wire);
    assertEquals(fromWire(mastTable, wire), mast);
    const more = { ...wire, park: "P" };
    assertEquals(fromWire(mastTable, more), mast);
  });

  it("keeps null, and leaves out absent fields", () => {
    const { month_index: _, ...others } = mast;
    assertEquals(toWire(mastTable, others), others);
    assertEquals(fromWire(mastTable, others), others);
  });
});

describe("isRecord()", () => {
  it("accepts a record with a value of the declared type for each column, and additions", () => {
    assert(isRecord(mastTable, { ...mast, park: "P" }));
    assert(isRecord(mastTable, { ...mast, month_index: undefined, built: 2019, serial: 12 }));
    assert(isRecord(mastTable, { ...mast, month_index: null }));
  });

  for (
    const wrong of [
      { id: null },
      { id: undefined },
      { id: 5 },
      { height: undefined },
      { height: "80" },
      { levels: 4.5 },
      { levels: "4" },
      { serial: 1.5 },
      { kind: "tower" },
      { built: true },
      { heated: 0 },
    ]
  ) {
    it(`refuses ${Object.entries(wrong).map(([name, value]) => `${name} ${value}`)}`, () => {
      assertEquals(isRecord(mastTable, { ...mast, ...wrong }), false);
    });
  }
});

describe("pickColumns()", () => {
  it("returns the columns in the order of the names", () => {
    const [kind, id] = pickColumns(listColumns(mastTable), ["kind", "id"]);
    assertEquals([kind.values, id.dtype], [["lattice", "tube"], "utf8"]);
  });

  it("refuses a name that is not declared", () => {
    const columns: readonly {
      name: string;
      dtype: "f64";
      label: string;
      description: string;
      tag: "ours";
    }[] = [];
    assertThrows(() => pickColumns(columns, ["gust"]), Error, '"gust": it is not declared');
  });
});
