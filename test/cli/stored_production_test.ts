import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readProductions } from "../../src/cli/stored_production.ts";
import { dataPresent } from "../validate/_site_data.ts";

describe("readProductions()", () => {
  const check = dataPresent() ? it : it.ignore;
  const where = dataPresent() ? "" : " (skipped: ../shared/data is not here)";

  check(`W6: says of annual production that a report compares months${where}`, async () => {
    const site = new URL("../sites/horns_rev.json", import.meta.url).pathname;
    assertEquals(
      await readProductions(site),
      new Map([["HR1", "it is of whole years, and a report compares months"]]),
    );
  });
});
