import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { keepMonths, readProductions } from "../../src/cli/stored_production.ts";
import { dataPresent } from "../validate/_site_data.ts";

describe("keepMonths()", () => {
  const check = dataPresent() ? it : it.ignore;
  const where = dataPresent() ? "" : " (skipped: ../shared/data is not here)";

  check(`W6: says of annual production that a report compares months${where}`, async () => {
    const site = new URL("../sites/horns_rev.json", import.meta.url).pathname;
    const productions = await readProductions(site);
    const found = productions.get("HR1");
    assertEquals(typeof found === "object" && found.columns.includes("year"), true);
    assertEquals(
      keepMonths(productions),
      new Map([["HR1", "its production is of whole years, and a report compares months"]]),
    );
  });
});
