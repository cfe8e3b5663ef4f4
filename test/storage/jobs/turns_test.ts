import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Turns } from "../../../src/storage/jobs/turns.ts";

describe("Turns", () => {
  it("H4: serves each turn once before any is served again", () => {
    const turns = new Turns<string>();
    for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) turns.add(item, item[0], false);
    const served = [];
    for (let item; (item = turns.next()) !== undefined;) {
      served.push(item);
      if (item === "b1") turns.add("b2", "b", false);
    }
    assertEquals(served, ["a1", "b1", "c1", "a2", "b2", "c2", "a3"]);
    assertEquals([turns.next(), turns.isEmpty], [undefined, true]);
  });

  it("serves urgent items first in their turn, but not before other turns", () => {
    const turns = new Turns<string>();
    turns.add("a1", "a", false);
    turns.add("b1", "b", false);
    turns.add("b2", "b", true);
    assertEquals([turns.next(), turns.next(), turns.next()], ["a1", "b2", "b1"]);
  });
});
