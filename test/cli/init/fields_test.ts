import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  climateFields,
  type Field,
  findZone,
  formatValue,
  placeFields,
  productionFields,
  readAnswers,
  readPosition,
  turbineFields,
} from "../../../src/cli/init/fields.ts";

/** The value of answers, or their fault. */
function read(field: Field, ...answers: string[]): unknown {
  const reading = readAnswers(field, answers);
  return "value" in reading ? reading.value : reading.problem;
}

describe("fields of the questions", () => {
  it("use the words and codes of the schema of site files", () => {
    assertEquals(turbineFields.hub_height.about, "The height of the hub above ground in m");
    assertEquals(productionFields.unit.choices, ["kW", "MW", "kWh", "MWh", "W", "GW", "Wh", "GWh"]);
    assertEquals(productionFields.unit.value, "kW|MW|kWh|MWh|W|GW|Wh|GWh");
    assertEquals(productionFields.time_zone.name, "production-time-zone");
    assertEquals(productionFields.null_values.several, true);
    for (const fields of [placeFields, productionFields, climateFields, turbineFields]) {
      for (const { name, about } of Object.values<Field>(fields)) assertMatch(about, /^\S/, name);
    }
  });

  it("are validated by the schema, and refused with its message", () => {
    assertEquals(read(turbineFields.hub_height, "80"), 80);
    assertEquals(
      read(turbineFields.hub_height, "500"),
      "hub-height is 500. Give the height of the hub above ground in m, a number of 5 to 300",
    );
    assertMatch(
      String(read(turbineFields.hub_height, "x")),
      /^hub-height is "x"\. Give the height/,
    );
    assertEquals(read(productionFields.header_rows, "2"), 2);
    assertEquals(read(productionFields.null_values, "-999", "err"), [-999, "err"]);
    assertEquals(read(productionFields.column, "a", "b"), ["a", "b"]);
    assertEquals(read(productionFields.decimal, "none"), null);
    assertEquals(read(productionFields.counter, "1000000"), { rollover: 1000000 });
    assertEquals(
      [read(productionFields.counter, "true"), read(productionFields.counter, "resets")],
      [true, "resets"],
    );

    assertMatch(
      String(read(productionFields.unit, "kilowatt")),
      /"kilowatt" is unknown\. Give "kW"/,
    );
    assertEquals(read(placeFields.elevation, "1", "2"), "Got 2 answers. Give one");
    assertEquals(read(placeFields.time_zone, "Paris"), "Europe/Paris");
  });

  it("U3: accept the list of variables that they format themselves", () => {
    const variables = {
      wind_speed_100: { column: "ws 100", unit: "m/s" },
      preliminary: { column: "era5t" },
    };
    const answers = formatValue(variables);
    assertEquals(answers, ["wind_speed_100=ws 100 m/s", "preliminary=era5t"]);
    assertEquals(read(climateFields.variables, ...answers), variables);
    assertEquals(read(climateFields.variables, answers.join(", ")), variables);
    assertEquals(read(climateFields.shear, "exponent=0.2"), { exponent: 0.2 });
  });

  it("U3: accept a position in usual notations", () => {
    const write = (text: string) => {
      const position = readPosition([text]);
      return typeof position === "string" ? position : formatValue(position)[0];
    };
    assertEquals(write("52.4, -0.95"), "52.4, -0.95");
    assertEquals(write("52.4,-0.95"), "52.4, -0.95");
    assertEquals(write("52,4; -0,95"), "52.4, -0.95");
    assertEquals(write(`48° 27' N, 5° 35' 24" W`), "48.45, -5.59");
    assertEquals(write("48.45 N 5.59 W"), "48.45, -5.59");
    assertEquals(write("-55.6 8"), "-55.6, 8");
    for (const wrong of ["95, 8", "8", "8 E, 55 N", "55.6, 7.92, 3", "55° 61' N, 8"]) {
      assertEquals(write(wrong), wrong);
    }
    assertMatch(
      String(read(placeFields.position, "95, 8")),
      /^position "95, 8" is not a latitude from -90/,
    );
  });

  it("N1: accept a time zone by its city", () => {
    assertEquals(["Paris", "buenos aires", "UTC", "Nowhere"].map((city) => findZone([city])), [
      "Europe/Paris",
      "America/Buenos_Aires",
      "UTC",
      "Nowhere",
    ]);
  });
});
