import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  climateColumn,
  climateColumnByName,
  climateTime,
} from "../../../src/api/columns/climate_columns.ts";
import { labelWithUnit, wireName } from "../../../src/api/columns/column.ts";

const known = [
  ["wSpeed.100", "wind_speed_100", "Wind speed at 100 m (m/s)"],
  ["wSpeed.10", "wind_speed_10", "Wind speed at 10 m (m/s)"],
  ["wDir.100", "wind_direction_100", "Wind direction at 100 m (deg)"],
  ["temp.2", "temperature_2", "Temperature at 2 m (degC)"],
  ["temp", "temperature", "Temperature (degC)"],
  ["press", "pressure", "Air pressure (Pa)"],
  ["relHum.2", "relative_humidity_2", "Relative humidity at 2 m (%)"],
  ["wSpeed.68.5", "wind_speed_68_5", "Wind speed at 68.5 m (m/s)"],
];

const unknownWire = [
  "",
  "time",
  "wspeed.100",
  "WSPEED.100",
  "wSpeed.",
  "wSpeed.x",
  "wSpeed.-10",
  "wSpeed.100.5.2",
  "wSpeed.1e2",
  "wSpeed100",
  "wSpeed_100",
  " wSpeed.100",
  "wSpeed.100\n",
  "xwSpeed.100",
  "gust.10",
  "constructor",
  "__proto__",
];

const unknownNames = [
  "",
  "time",
  "wind",
  "wind_speed_",
  "wind_speed_x",
  "wind_speed_10_5_2",
  "Wind_speed_100",
  "wind_speed_100 ",
  "wind_speed.100",
  "wSpeed.100",
  "gust_10",
];

describe("climateColumn()", () => {
  for (const [wire, name, label] of known) {
    it(`makes ${wire} the column ${name}`, () => {
      const column = climateColumn(wire);
      assert(column);
      assertEquals([column.name, wireName(column)], [name, wire]);
      assertEquals(labelWithUnit(column), label);
      assertEquals([column.dtype, column.tag], ["f64", "assumed"]);
    });
  }

  it("does not know other names on the wire, which frames keep as they are", () => {
    for (const wire of unknownWire) assertEquals(climateColumn(wire), undefined, wire);
  });

  it("gives every column a range with both ends", () => {
    for (const [wire] of known) {
      const [low, high] = climateColumn(wire)!.range!;
      assert(low !== null && high !== null && low < high, wire);
    }
  });

  it("answers quickly for 1 MB", () => {
    assertEquals(climateColumn("wSpeed." + "1".repeat(1_000_000) + "x"), undefined);
    assertEquals(climateColumn("wSpeed.100".repeat(100_000)), undefined);
  });
});

describe("climateColumnByName()", () => {
  for (const [wire, name] of known) {
    it(`finds ${name} and returns the same column as ${wire}`, () => {
      assertEquals(climateColumnByName(name), climateColumn(wire));
    });
  }

  it("does not know other names", () => {
    for (const name of unknownNames) assertEquals(climateColumnByName(name), undefined, name);
  });
});

describe("climateTime", () => {
  it("is called time in frames and on the wire", () => {
    assertEquals([climateTime.name, wireName(climateTime), climateTime.dtype], [
      "time",
      "time",
      "datetime",
    ]);
  });
});
