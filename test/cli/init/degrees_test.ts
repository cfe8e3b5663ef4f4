import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { degrees } from "../../../src/cli/init/degrees.ts";

describe("coordinates", () => {
  it("S1: are read as people write them", () => {
    const read = (axis: "latitude" | "longitude") => (text: string) => {
      const { check, normalize } = degrees(axis);
      return check(text, new Map()) ?? normalize(text);
    };
    const north = ["48.45", "48.45 N", "48,45", "N48.45", "48° 27' N", "48°27′00″N", "48.45°"];
    assertEquals(new Set(north.map(read("latitude"))), new Set(["48.45"]));
    assertEquals(["33.9 S", "-33,9", "33° 54' S"].map(read("latitude")), [
      "-33.9",
      "-33.9",
      "-33.9",
    ]);
    const west = ["5.59 W", "-5.59", "5° 35' 24\" W", "w 5,59"];
    assertEquals(new Set(west.map(read("longitude"))), new Set(["-5.59"]));
  });

  it("S1: are refused with an example that works where they are none, or of the other axis", () => {
    const { check, normalize } = degrees("latitude");
    for (
      const text of ["95", "48.45 E", "-48 N", "48° 70'", "N 48 N", "48.45.1", "north", "48;5"]
    ) {
      assertEquals(normalize(text), text);
      assertEquals(
        check(text, new Map()),
        `"${text}" is not a latitude from -90 to 90 degrees. Write it as 48.45, 48.45 N or 48° 27' N`,
      );
    }
  });
});
