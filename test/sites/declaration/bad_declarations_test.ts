import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import {
  type BadInput,
  badInputSuite,
  climateOf,
  monthly,
  produce,
  scaled,
  turbineOf,
} from "../_bad_input.ts";

const units: readonly BadInput[] = [
  {
    name: "an unknown unit of production",
    spoil: (site) => produce(site, { unit: "TWh" as never }),
    error: ArgumentError,
    place: ["site.json", "turbines[0].production[0].unit"],
    remedy: /"TWh" is unknown. Give "kW", "MW", "kWh", "MWh", "W", "GW", "Wh" or "GWh"$/,
  },
  {
    name: "an unknown unit of climate",
    spoil: (site) => void (climateOf(site).variables!.wind_speed_10.unit = "Bft"),
    error: ArgumentError,
    place: ["site.json", "climate[0].variables.wind_speed_10.unit", '"Bft"'],
    remedy:
      /is not a unit of wind_speed_10. Give "m\/s" or "km\/h" or "knots" or "mph" or "ft\/s"$/,
  },
  {
    name: "kW of a month",
    spoil: (site) => void (turbineOf(site).production = [{ ...monthly, unit: "kW" }]),
    error: ArgumentError,
    place: ["site.json", "turbines[0].production[0].unit"],
    remedy: /Use kWh or MWh/,
  },
  {
    name: "MWh for kWh of hours: power above rated",
    spoil: (site) => produce(site, { unit: "MWh" }),
    error: ArgumentError,
    place: ["E1", "2023-01 to 2023-12", "probably 1000 times too much, such as kWh read as MWh"],
    remedy: /Check the unit, the rated power and the number of units$/,
  },
  {
    name: "kW for MW of hours: power close to zero",
    spoil: (site) => site.editColumn("production.csv", "power", scaled(0.001)),
    error: ArgumentError,
    place: [
      "E1",
      "2023-01 to 2023-12",
      "probably 1/1000 of the true value, such as MWh read as kWh",
    ],
    remedy: /Check the unit, the rated power and the number of units$/,
  },
  {
    name: "MWh for kWh of months: energy above rated",
    spoil: async (site) => {
      await site.editColumn("production_monthly.csv", "energy", scaled(1000));
      turbineOf(site).production = [monthly];
    },
    error: ArgumentError,
    place: ["E1", "2020-01"],
    remedy: /Check (its|the) unit, the rated power and the number of units$/,
  },
  {
    name: "kWh for MWh of months: energy close to zero",
    spoil: (site) => void (turbineOf(site).production = [{ ...monthly, unit: "kWh" }]),
    error: ArgumentError,
    place: ["E1", "2020-01", "close to zero all the time"],
    remedy: /Check (its|the) unit, the rated power and the number of units$/,
  },
  {
    name: "the total of a park of hours without its units",
    spoil: (site) => site.editColumn("production.csv", "power", scaled(12)),
    error: ArgumentError,
    place: ["E1", "2023-01 to 2023-12", "probably the total of about 12 units"],
    remedy: /Check the unit, the rated power and the number of units$/,
  },
  {
    name: "the total of a park of months without its units",
    spoil: async (site) => {
      await site.editColumn("production_monthly.csv", "energy", scaled(12));
      turbineOf(site).production = [monthly];
    },
    error: ArgumentError,
    place: ["E1", "2020-01: capacity factor of"],
    remedy: /Check (its|the) unit, the rated power and the number of units$/,
  },
  {
    name: "a month above what rated power allows",
    spoil: async (site) => {
      await site.edit(
        "production_monthly.csv",
        (text) => text.replace(/^2023-05,.*$/m, "2023-05,1712"),
      );
      turbineOf(site).production = [monthly];
    },
    error: ArgumentError,
    place: ["E1", "2023-05: capacity factor of 100.0 %"], // 744 h of 2300 kW are 1711.2 MWh
    remedy: /Check (its|the) unit, the rated power and the number of units$/,
  },
  {
    name: "temperature in K declared as degC",
    spoil: (site) =>
      site.editColumn("climate.csv", "temperature", (value) => String(Number(value) + 273.15)),
    error: DataFormatError,
    place: ["climate.csv", 'column "temperature"', "row 1 is 27"],
    remedy: /outside of -90 to 60. The values look like K. Declare "unit": "K"$/,
  },
  {
    name: "pressure in hPa declared as Pa",
    spoil: (site) => site.editColumn("climate.csv", "pressure", scaled(0.01)),
    error: DataFormatError,
    place: ["climate.csv", 'column "pressure"'],
    remedy: /The values look like hPa. Declare "unit": "hPa"$/,
  },
];

const zones: readonly BadInput[] = [
  {
    name: "an unknown zone of a turbine",
    spoil: (site) => void (turbineOf(site).time_zone = "Europe/Kopenhagen"),
    error: ArgumentError,
    place: ["site.json", "turbines[0].time_zone", '"Europe/Kopenhagen"'],
    remedy: /Give a name like "Europe\/Copenhagen"/,
  },
  {
    name: "F36 an offset for a zone",
    spoil: (site) => void (turbineOf(site).time_zone = "+01:00"),
    error: ArgumentError,
    place: ["site.json", "turbines[0].time_zone", '"+01:00"'],
    remedy: /Give a name like "Europe\/Copenhagen"/,
  },
  {
    name: "F36 a zone of Windows for production",
    spoil: (site) => produce(site, { time_zone: "W. Europe Standard Time" }),
    error: ArgumentError,
    place: ["site.json", "turbines[0].production[0].time_zone"],
    remedy: /Give "Europe\/Berlin"/,
  },
  {
    name: "an unknown zone of climate",
    spoil: async (site) => {
      climateOf(site).time = { column: "time", zone: "Europe/Kopenhagen" };
      await site.edit("climate.csv", (text) => text.replaceAll(/(\d)Z,/g, "$1,"));
    },
    error: ArgumentError,
    place: ["site.json", "climate[0].time.zone", '"Europe/Kopenhagen"'],
    remedy: /Give a name like "Europe\/Copenhagen"/,
  },
];

const declarations: readonly BadInput[] = [
  {
    name: "a turbine without elevation",
    spoil: (site) => void delete (turbineOf(site) as { elevation?: number }).elevation,
    error: ArgumentError,
    place: ["site.json", "turbines[0].elevation: is missing"],
    remedy: /Give the elevation of the ground above sea level in m/,
  },
  {
    name: "an unknown variable of climate",
    spoil: (site) => void (climateOf(site).variables!.wind_sped_10 = { column: "wind_speed_10" }),
    error: ArgumentError,
    place: ["site.json", "climate[0].variables.wind_sped_10"],
    remedy: /Use wind_speed_H and wind_direction_H/,
  },
  {
    name: "an unknown field",
    spoil: (site) => void Object.assign(turbineOf(site), { hubheight: 80 }),
    error: ArgumentError,
    place: ["site.json", "turbines[0]", '"hubheight"'],
    remedy: /did you mean "hub_height"\?$/,
  },
  {
    name: "a field of production in the writing of a program",
    spoil: (site) => produce(site, { timeZone: "UTC" } as never),
    error: ArgumentError,
    place: ["site.json", "turbines[0].production[0]", '"timeZone"'],
    remedy: /did you mean "time_zone"\?$/,
  },
  {
    name: "fields of production that do not go together",
    spoil: (site) => produce(site, { availability: "a" }),
    error: ArgumentError,
    place: ["site.json", "turbines[0].production[0].availability"],
    remedy: /Give availability_unit "%" or "share"$/,
  },
  {
    name: "columns of other turbines",
    spoil: (site) => produce(site, { column: { E7: "power" } }),
    error: ArgumentError,
    place: ["production.csv", '"E7"', '"E1"'],
    remedy: /Name the column or the rows of "E1"$/,
  },
  {
    name: "production of several turbines that names none",
    spoil: (site) => void (site.declared.production = [{ ...turbineOf(site).production[0] }]),
    error: ArgumentError,
    place: ["site.json", "production[0].column"],
    remedy:
      /Give "turbine", .* Or give a column for each turbine, .* or move the entry to its turbine$/,
  },
  {
    name: "production of a turbine that the site has not",
    spoil: (site) =>
      void (site.declared.production = [{
        ...turbineOf(site).production[0],
        column: { E1: "power", E7: "power" },
      }]),
    error: ArgumentError,
    place: ["site.json", "production[0].column", '"E7"'],
    remedy: /Use "E1"$/,
  },
  {
    name: "an exclusion that ends before it begins",
    spoil: (site) =>
      void (turbineOf(site).exclude = [{
        from: "2023-05-02",
        to: "2023-05-01",
        reason: "service",
      }]),
    error: ArgumentError,
    place: ["site.json", "turbines[0].exclude[0]"],
    remedy: /2023-05-02/,
  },
  {
    name: "owners of more than all",
    spoil: (site) =>
      void (turbineOf(site).ownership = [
        { owner: "A", percent: 60 },
        { owner: "B", percent: 40 },
        { owner: "B", percent: 50, from: "2023-05-01" },
      ]),
    error: ArgumentError,
    place: ["site.json", "turbines[0].ownership"],
    remedy: /adds up to 110 % from 2023-05-01 on\. Give 100 at most$/,
  },
  {
    name: "an owner twice from the same day",
    spoil: (site) =>
      void (turbineOf(site).ownership = [
        { owner: "A", percent: 10, from: "2023-05-01" },
        { owner: "A", percent: 20, from: "2023-05-01" },
      ]),
    error: ArgumentError,
    place: ["site.json", "turbines[0].ownership[1]"],
    remedy: /Give one entry for each$/,
  },
  {
    name: "two turbines of one id",
    spoil: ({ declared }) => void declared.turbines.push(declared.turbines[0]),
    error: ArgumentError,
    place: ["site.json", "turbines", '"E1"'],
    remedy: /is duplicated. Give each turbine its own id$/,
  },
  {
    name: "the turbine of another site",
    spoil: ({ declared }) => void (declared.site = "elsewhere"),
    error: ArgumentError,
    place: ["elsewhere", 'the turbine "E1"', 'the site "example"'],
    remedy: /Give the turbine another id/,
  },
];

badInputSuite("imports with a wrong unit", units);
badInputSuite("imports with a wrong zone", zones);
badInputSuite("imports with a wrong declaration", declarations);
