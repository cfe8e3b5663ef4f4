import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { exampleFile } from "../../mod.ts";
import { compareMethods } from "./compare_methods.ts";

describe("deno task benchmark", () => {
  it("prints the errors of unseen months by method and months of training", async () => {
    const lines = await compareMethods(await exampleFile("site.json"), false);
    const rows = lines.filter((line) => line.startsWith("| ")).slice(2)
      .map((line) => line.split("|").map((cell) => cell.trim()).slice(1, -1));
    assertEquals(rows.map(([method]) => method), [
      "Vindkit, index",
      "Vindkit, one factor",
      "monthly regression on wind",
      "mean of the training",
    ]);
    assertMatch(rows[0][3], /^\d+\.\d %, \d+ % in the interval$/);
    const [index, , line, mean] = rows.map((cells) => parseFloat(cells[3]));
    assert(index < line && line < mean, `${index} ${line} ${mean}`);
  });
});
