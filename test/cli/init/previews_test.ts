import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { pl } from "../../../mod.ts";
import { describeProduction } from "../../../src/cli/init/previews.ts";

describe("the shown production", () => {
  it("M14: has a line for each of the first turbines, and the number of the others", () => {
    const ids = Array.from({ length: 400 }, (_, i) => `T${1000 + i}`);
    const frame = pl.DataFrame({
      turbine_id: ids,
      month: ids.map(() => new Date("2021-01-01")),
      energy: ids.map(() => 100),
    });
    const lines = describeProduction(frame);
    assertEquals(lines.length, 12 + 1);
    assertEquals(lines.at(-1), "  and 388 more turbines");
  });

  it("H3: describes a single row", () => {
    const frame = pl.DataFrame({ time: [new Date("2021-01-01")], power: [100] });
    assertEquals(describeProduction(frame), [
      "  2021-01-01 00:00 to 2021-01-01 00:00: 1 of 1 rows have power, first 100, mean 100 kW, 100 to 100 kW",
    ]);
  });
});
