import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  areParameters,
  listParameters,
  type ParameterTable,
} from "../../../src/api/operations/parameter.ts";

interface Search {
  readonly dataset: string;
  readonly count?: number;
}

const searchTable: ParameterTable<Search> = {
  dataset: { in: "path", type: "identifier", required: true, description: "A.", tag: "ours" },
  count: {
    in: "query",
    type: "integer",
    required: false,
    maximum: 9,
    description: "B.",
    tag: "ours",
  },
};

describe("a table of parameters", () => {
  it("is a list in its order, each parameter with its name", () => {
    assertEquals(listParameters(searchTable).map(({ name, type }) => [name, type]), [
      ["dataset", "identifier"],
      ["count", "integer"],
    ]);
  });

  it("accepts allowed values, and an absent optional one", () => {
    for (const values of [{ dataset: "era5", count: 9 }, { dataset: "era5" }]) {
      assertEquals(areParameters(searchTable, values), true);
    }
  });

  it("refuses a missing value, another type, or a value out of bounds", () => {
    const wrong = [{ count: 1 }, { dataset: 5 }, { dataset: "era5", count: 10 }, {
      dataset: "era5",
      count: "1",
    }];
    for (const values of wrong) assertEquals(areParameters(searchTable, values), false);
  });
});
