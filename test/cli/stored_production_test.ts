import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readProductions } from "../../src/cli/stored_production.ts";

describe("readProductions()", () => {
  it("W6: says of annual production that a report compares months", async () => {
    const site = new URL("../sites/horns_rev.json", import.meta.url).pathname;
    assertEquals(
      await readProductions([site]),
      new Map([["HR1", "it is of whole years, and a report compares months"]]),
    );
  });
});
