/**
 * The table of faults in the docs names existing tests.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";

const wanted = Array.from({ length: 62 }, (_, i) => i + 1);

const page = await Deno.readTextFile(new URL("../../docs/faults.md", import.meta.url));
const rows = page.split("\n").filter((line) => /^\| F\d+ /.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()).slice(1, -1));

describe("docs/faults.md", () => {
  it("has a row for each fault", () => {
    assertEquals(rows.map(([number]) => Number(number.slice(1))), wanted);
  });

  for (const [number, , , name, file] of rows) {
    it(`names an existing test of ${number}`, async () => {
      const source = await Deno.readTextFile(new URL(`../${file}`, import.meta.url));
      assert(source.includes(`"${name}"`), `${file} has no test "${name}"`);
      assert(name.split(" ").some((word) => word === number) || name.includes(number));
    });
  }
});
