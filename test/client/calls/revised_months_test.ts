import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { findRevisedMonths, type KeyedRows } from "../../../src/client/calls/revised_months.ts";
import { randomNumbers } from "../../frames/_random.ts";

type Row = readonly [key: number, month: number, value: number | null];

function buildTable(rows: readonly Row[], column = "power"): KeyedRows {
  return {
    frame: pl.DataFrame([
      pl.Series("key", rows.map(([key]) => key), pl.Float64),
      pl.Series(column, rows.map(([, , value]) => value) as number[], pl.Float64),
    ]),
    keys: rows.map(([key]) => key),
    months: rows.map(([, month]) => month),
  };
}

const rows: readonly Row[] = [[1, 10, 5], [2, 10, 7], [3, 11, 9], [4, 11, null]];

const compare = (before: readonly Row[], now: readonly Row[]) =>
  findRevisedMonths(buildTable(before), buildTable(now), ["key"]);

describe("findRevisedMonths()", () => {
  it("finds nothing if nothing differs, nulls included", () => {
    assertEquals(compare(rows, rows), []);
    assertEquals(compare([], []), []);
  });

  it("finds nothing if only the order of the rows differs", () => {
    assertEquals(compare(rows, rows.toReversed()), []);
  });

  it("returns the means of the month, and the rows that differ", () => {
    assertEquals(compare(rows, [[1, 10, 5], [2, 10, 9], ...rows.slice(2)]), [
      { month: 10, column: "power", before: 6, now: 7, rows: 1 },
    ]);
  });

  it("counts a value that was added or removed", () => {
    assertEquals(compare(rows, [...rows.slice(0, 3), [4, 11, 11]]), [
      { month: 11, column: "power", before: 9, now: 10, rows: 1 },
    ]);
    assertEquals(compare([...rows.slice(0, 3), [4, 11, 11]], rows), [
      { month: 11, column: "power", before: 10, now: 9, rows: 1 },
    ]);
  });

  it("counts rows that were added or removed, in their own month", () => {
    const more: readonly Row[] = [...rows, [5, 12, 1], [6, 12, 3]];
    assertEquals(compare(rows, more), [
      { month: 12, column: "power", before: NaN, now: 2, rows: 2 },
    ]);
    assertEquals(compare(more, rows), [
      { month: 12, column: "power", before: 2, now: NaN, rows: 2 },
    ]);
  });

  it("lists a column that only one table has", () => {
    const found = findRevisedMonths(buildTable(rows), buildTable(rows, "gust"), ["key"]);
    assertEquals(found.map(({ month, column, rows }) => [month, column, rows]), [
      [10, "gust", 2],
      [10, "power", 2],
      [11, "gust", 1],
      [11, "power", 1],
    ]);
  });

  it("ignores columns that are keys, and columns of text", () => {
    const text = (value: string): KeyedRows => ({
      frame: pl.DataFrame({ key: [1], status: [value] }),
      keys: [1],
      months: [10],
    });
    assertEquals(findRevisedMonths(text("preliminary"), text("final"), ["key"]), []);
  });

  it("orders by month, then by column", () => {
    const two = (a: number): KeyedRows => ({
      frame: pl.DataFrame({ b: [a, a], a: [a, a] }),
      keys: [1, 2],
      months: [11, 10],
    });
    assertEquals(
      findRevisedMonths(two(1), two(2), []).map(({ month, column }) => `${month}${column}`),
      ["10a", "10b", "11a", "11b"],
    );
  });

  it("finds exactly the months that were changed (property, seeded)", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = randomNumbers(seed);
      const before: Row[] = Array.from({ length: 50 + random(400) }, (_, key) => [
        key,
        Math.floor(key / 30),
        random(10) === 0 ? null : random(1000) / 10,
      ]);
      const changed = new Map<number, number>();
      const now: Row[] = [];
      for (const row of before) {
        const [key, month, value] = row;
        const act = random(60);
        if (act > 2) now.push(row);
        else changed.set(month, (changed.get(month) ?? 0) + 1);
        if (act === 0) now.push([key, month, (value ?? 0) + 1]);
        if (act === 1) now.push([key, month, value === null ? 3 : null]);
      }
      const found = compare(before, now.sort(() => random(2) - 0.5));
      assertEquals(
        new Map(found.map(({ month, rows }) => [month!, rows])),
        changed,
        `seed ${seed}`,
      );
      for (const { month, before: old } of found) {
        const values = before.filter(([, of, value]) => of === month && value !== null)
          .map(([, , value]) => value!);
        if (values.length === 0) assert(Number.isNaN(old));
        else assertAlmostEquals(old, values.reduce((a, b) => a + b) / values.length, 1e-9);
      }
    }
  });
});
