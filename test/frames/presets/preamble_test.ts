/** Facts in the lines above a table, together with the caller's. */
import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { readPreamble } from "../../../src/frames/presets/preamble.ts";
import { utf8 } from "../_text.ts";

const labels = { turbine: "Turbine", timeZone: "Time zone" };
const read = (zone: string, givenZone?: string) =>
  readPreamble(utf8(`# Turbine: K1\n# Time zone: ${zone}\n`), "k.csv", labels, givenZone);

describe("readPreamble()", () => {
  it("L4: accepts another name of the file's zone", () => {
    assertEquals(read("UTC", "Etc/UTC"), { turbine: "K1", timeZone: "UTC", notes: [] });
    assertEquals(read("Europe/London", "Europe/Belfast").timeZone, "Europe/London");
    assertThrows(() => read("UTC", "Europe/London"), ArgumentError, 'Omit "time_zone"');
  });

  it("L4: says that the caller's zone replaces an unknown one", () => {
    assertEquals(read("CET", "Europe/Paris").notes, [
      'Time zone "CET" is unknown, so the declared time zone Europe/Paris is used',
    ]);
    assertThrows(
      () => read("CET"),
      ArgumentError,
      'Give "time_zone", such as "UTC" or "Europe/London"',
    );
  });
});
