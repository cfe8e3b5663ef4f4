/**
 * A program with only requests and pandas (`read_all.py`) reads every operation, and must get the same as Vindkit's
 * client: rows, columns, sums, gaps, instants, records, bytes.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import { operations } from "../../src/api/operations/operations.ts";
import { assertSameFacts } from "./_facts.ts";
import { type ReadByBoth, readByBoth } from "./_read_by_both.ts";
import { whyWithout } from "./_venv.ts";

const why = whyWithout("requests", "pandas");
const group = why ? describe.ignore : describe;
let read: ReadByBoth;

group(why ? `requests and pandas (${why})` : "requests and pandas", () => {
  beforeAll(async () => {
    read = await readByBoth("read_all.py");
  });

  it("read all operations and no more", () => {
    assertEquals(Object.keys(read.peer).sort(), operations.map(({ id }) => id).sort());
  });

  for (const { id } of operations) {
    it(`read of ${id} what our own client reads`, () => {
      assertSameFacts(read.peer[id], read.ours[id]);
    });
  }
});
