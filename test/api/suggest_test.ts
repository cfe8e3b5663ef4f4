import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { suggestName } from "../../src/show/options/suggest.ts";

const known = ["timeZone", "timeFormat", "time", "unit", "from", "to"];

describe("suggestName()", () => {
  it("finds the nearest name", () => {
    assertEquals(suggestName("timezone", known), "timeZone");
    assertEquals(suggestName("time_zone", known), "timeZone");
    assertEquals(suggestName("timFormat", known), "timeFormat");
    assertEquals(suggestName("units", known), "unit");
  });

  it("counts two swapped neighbours as one edit", () => {
    assertEquals(suggestName("form", known), "from");
    assertEquals(suggestName("ot", known), "to");
  });

  it("suggests nothing if more than a third of the letters differ", () => {
    assertEquals(suggestName("zone", known), undefined);
    assertEquals(suggestName("decimal", known), undefined);
    assertEquals(suggestName("", known), undefined);
    assertEquals(suggestName("x", []), undefined);
  });
});
