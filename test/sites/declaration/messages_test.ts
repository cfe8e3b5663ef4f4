/** V13: messages about a site file, field by field. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { parseJsonFile } from "../../../src/frames/files/json.ts";
import { parseSite, siteFileSchema } from "../../../src/sites/declaration/site_file.ts";

/** Words of the validation library, meaningless to users. */
const FOREIGN = /Invalid|expected|received|Too (small|big)|Unrecognized|undefined|NaN|\[object/;

/** Fields that a climate source of tables needs. */
const MISSING_OF_TABLES: Readonly<Record<string, string>> = {
  latitude: "Give the latitude of the point in deg, north positive",
  longitude: "Give the longitude of the point in deg, east positive",
  time: 'Give { "column": "time" }, the name of the column with the time',
  variables:
    'Give { "wind_speed_100": { "column": "…", "unit": "m/s" } } and so on: names of variables, each with ' +
    "its column and unit",
};

/** End of each message: the remedy. */
const REMEDY = /(Give|Use|Name|Leave|Omit|did you mean|The fields are) .+/;

/** Whether a path is in climate from a source. */
const isOfSource = ([first, second]: readonly (string | number)[]) =>
  first === "climate" && typeof second === "string";

/** Builds a site file with every part; its climate is a list or from a source. */
const buildSite = (sourced = false): Record<string, unknown> => ({
  site: "hill",
  dataset: { service_id: "era5", short_description: "ERA5", attribution: ["line"] },
  climate: sourced ? { source: "cds", points: 4, from: "2005", to: "2023" } : [{
    files: ["a.csv"],
    latitude: 55,
    longitude: 8,
    stamp: "instant",
    time: { column: "time", zone: "UTC" },
    variables: { wind_speed_100: { column: "v", unit: "m/s" } },
  }],
  shear: { exponent: 0.14 },
  other_reanalyses: [],
  turbines: [{
    id: "T1",
    name: "T1",
    latitude: 55,
    longitude: 8,
    elevation: 0,
    hub_height: 80,
    rotor_diameter: 80,
    rated_power: 2000,
    time_zone: "UTC",
    power_control: "pcPitch",
    power_curve: { file: "curve.csv", wind_speed: "v", power: "p", where: { model: "V80" } },
    production: [{ file: "p.csv", column: "P", time: "t", resolution: "hour", unit: "kW" }],
    exclude: [{ from: "2023-01-01", to: "2023-01-02", reason: "service" }],
  }],
});

/** Lists the problems after setting the field at a path to a value; `undefined` removes it. */
function faults(path: readonly (string | number)[], value: unknown): string[] {
  const site = buildSite(isOfSource(path));
  const [last, ...parents] = path.toReversed();
  // deno-lint-ignore no-explicit-any -- any part of a JSON value
  const parent = parents.toReversed().reduce((at: any, part) => at[part], site);
  parent[last] = value;
  if (value === undefined) delete parent[last];
  let message: string;
  try {
    parseSite(site, "import site.json");
    return [];
  } catch (error) {
    assert(error instanceof ArgumentError, `${error}`);
    message = error.message;
  }
  return message.replace(/^Cannot import site\.json(: |, \d+ faults:\n {2})/, "").split("\n  ");
}

/** Lists the fields of a JSON Schema by path; lists have the fields of their first entry. */
function listFields(schema: Schema, path: (string | number)[] = []): (string | number)[][] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([field, one]) =>
    field === "$schema" ? [] : [[...path, field], ...listFields(one, [...path, field])]
  );
  const alternatives = [...schema.anyOf ?? []].flatMap((one) => listFields(one, path));
  const entries = schema.items && schema.items.type === "object"
    ? listFields(schema.items, [...path, 0])
    : [];
  return [...fields, ...alternatives, ...entries];
}

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

const site = buildSite();
const fields = listFields(JSON.parse(siteFileSchema())).filter((path) =>
  // Creates missing parents: lists that are empty here, and points of a curve that is a file.
  path.slice(0, -1).reduce(
    (at: unknown, part) => (at as Record<string, unknown> | undefined)?.[part],
    site as unknown,
  ) !== undefined
);

describe("V13: a site file", () => {
  it("has more than fifty fields to test", () => assert(fields.length > 50, `${fields.length}`));

  for (const path of fields) {
    const place = path.map((part) => typeof part === "number" ? `[${part}]` : `.${part}`).join("")
      .slice(1);
    it(`is rejected in our own words if ${place} is missing or has the wrong type`, () => {
      for (const value of [undefined, null, true, -1e9, "", "\0", [], [null], {}, { a: 1 }]) {
        for (const fault of faults(path, value)) {
          assert(!FOREIGN.test(fault), fault);
          assert(REMEDY.test(fault), fault);
        }
      }
      const named = (fault: string) =>
        fault.startsWith(place) || fault.includes(`the field "${path.at(-1)}"`); // of the other kind of shear
      assert(faults(path, null).some(named), faults(path, null)[0]);
    });
  }

  const turbine = ["turbines", 0] as const;
  const production = [...turbine, "production", 0] as const;
  for (
    const [path, value, expected] of [
      [["site"], "Hill 1", 'site: is "Hill 1". Give a name of a-z, 0-9, _ and -, such as hill-1'],
      [["climate"], [], "climate: is a list of 0. Give a list of at least one climate source"],
      [
        ["climate"],
        { files: ["a.nc"], stamp: "instant" },
        "climate: is an object of files, stamp. Give a list of at least one climate source, or " +
        '{ "source": "cds", "points": 1, "from": "2005" }',
      ],
      [
        ["climate", "source"],
        "merra2",
        'climate.source: "merra2" is unknown. Give "cds" or "open-meteo"',
      ],
      [
        ["climate", "points"],
        2,
        "climate.points: is 2. Give 1 for the grid point nearest to each turbine, or 4 for the points around it",
      ],
      ...["1939", "2090", "2005-13", 2005.5, "2005-01-01T12:00Z"].map((from) =>
        [
          ["climate", "from"],
          from,
          `climate.from: is ${
            JSON.stringify(from)
          }. Give a past or present year, month or day, 1940 or ` +
          'later, such as "2005" or "2005-03"',
        ] as const
      ),
      [
        ["climate", "to"],
        "2004-12",
        'climate.to: "2004-12" is before "from", "2005". Give a year, month or day, which is included, such as ' +
        '"2023" or "2023-12"',
      ],
      [
        ["climate", 0, "variables", "wind_speed_100", "unit"],
        "Bft",
        'climate[0].variables.wind_speed_100.unit: "Bft" is not a unit of wind_speed_100. Give ' +
        '"m/s" or "km/h" or "knots" or "mph" or "ft/s"',
      ],
      [
        [...turbine, "hub_height"],
        "80 m",
        'turbines[0].hub_height: is "80 m". Give the height of the hub above ground in m, a number of ' +
        "5 to 300",
      ],
      [
        [...turbine, "rated_power"],
        2_000_000,
        "turbines[0].rated_power: is 2000000. Give the rated power of one unit in kW, a number of 1 " +
        "to 50000",
      ],
      [
        [...turbine, "power_curve"],
        [{ wind_speed: 4, power: 70 }, { wind_speed: "5", power: 90 }],
        'turbines[0].power_curve[1].wind_speed: is "5". Give the wind speed in m/s, a number of 0 to 100',
      ],
      [
        [...turbine, "power_curve", "where"],
        "V80",
        'turbines[0].power_curve.where: is "V80". Give names of columns and a value for each, such as { ' +
        '"model": "V80" }; other rows are left out',
      ],
      [
        [...turbine, "exclude", 0, "to"],
        "2022-12-31",
        'turbines[0].exclude[0].to: "2022-12-31" is before "from", "2023-01-01". Give the last day, ' +
        "which is included",
      ],
      [
        [...production, "where"],
        ["Turbine", "WTG 03"],
        "turbines[0].production[0].where: is a list of 2. Give names of columns and a value for each, " +
        'such as { "Turbine": "WTG 03" }: only these rows are read',
      ],
      [
        [...production, "unit"],
        "TWh",
        'turbines[0].production[0].unit: "TWh" is unknown. Give "kW", "MW", "kWh", "MWh", "W", "GW", "Wh" or "GWh"',
      ],
      [
        [...turbine, "production"],
        ["production.csv"],
        'turbines[0].production[0]: is "production.csv". Give { file, column, time, resolution, unit }',
      ],
      [
        [...turbine, "production"],
        [{ file: "a.csv", preset: "greenbite" }],
        'turbines[0].production[0].preset: "greenbite" is unknown. Give "greenbyte", "hill-of-towie", "edp" ' +
        'or "danish-register"',
      ],
      [
        [...turbine, "production"],
        [{ file: "a.xlsx", preset: "danish-register", sheet: "2023" }],
        'turbines[0].production[0].sheet: the preset "danish-register" accepts only "turbines". Omit this ' +
        "field",
      ],
      [
        ["production"],
        [{ file: "a.csv", preset: "greenbyte", turbines: { T1: "1", T2: "2" } }],
        'production[0].turbines: "T2" is not the id of a turbine. Use "T1"',
      ],
      [
        ["production"],
        [{ file: "a.csv", preset: "greenbyte", turbines: { T1: "1", T2: "1" } }],
        'production[0].turbines: is {"T1":"1","T2":"1"}. Name at least one turbine, each only once. Omit this ' +
        "field to read all turbines\n  " +
        'production[0].turbines: "T2" is not the id of a turbine. Use "T1"',
      ],
      [
        ["shear"],
        { exponent: 14 },
        "shear.exponent: is 14. Give the exponent of the power law, a number of 0 to 1",
      ],
    ] as const
  ) {
    it(`says ${expected}`, () => assertEquals(faults(path, value), expected.split("\n  ")));
  }

  it("gets a message for each field that tables lack, but not for NetCDF4", () => {
    assertEquals(faults(["climate"], [{ files: ["a.csv", "a.dat"], stamp: "start" }]), [
      'climate[0].files[1]: the ending of "a.dat" does not show the format. Give format "netcdf", "parquet" or "csv"',
      "climate[0].latitude: is missing. Give the latitude of the point in deg, north positive; only " +
      "NetCDF4 files contain it",
      "climate[0].longitude: is missing. Give the longitude of the point in deg, east positive; only " +
      "NetCDF4 files contain it",
      'climate[0].time: is missing. Give { "column": "time" }, the name of the column with the time; only ' +
      "NetCDF4 files contain it",
      'climate[0].variables: is missing. Give { "wind_speed_100": { "column": "…", "unit": "m/s" } } and so ' +
      "on: names of variables, each with its column and unit; only NetCDF4 files contain it",
    ]);
    assertEquals(faults(["climate"], [{ files: ["era5.nc"], stamp: "instant" }]), []);
  });

  it("gets all contradictions of a production file at once", () => {
    const entry = {
      file: "a.csv",
      column: "P",
      time: "t",
      resolution: "month",
      unit: "kW",
      thousands: ".",
    };
    assertEquals(faults([...turbine, "production"], [entry]), [
      "turbines[0].production[0].unit: the unit of a month's production is an energy, not kW. Use kWh or MWh",
      'turbines[0].production[0].thousands: a thousands mark needs a decimal mark. Give "decimal", too',
    ]);
  });

  it("M7: gets problems across fields together with those of single fields", () => {
    assertEquals(faults(["climate"], [{ files: ["x.grib"], stamp: "hour" }]), [
      'climate[0].stamp: "hour" is unknown. Give "instant", "start", "end" or "middle"',
      'climate[0].files[0]: the ending of "x.grib" does not show the format. Give format "netcdf", "parquet" or "csv", ' +
      "and for parquet and csv also latitude, longitude, time, variables",
    ]);
    assertEquals(faults(["climate", 0, "format"], "grib"), [
      'climate[0].format: "grib" is unknown. Give "netcdf", "parquet" or "csv"',
    ]);
    assertEquals(
      faults([...turbine, "exclude"], [{ from: "2023-02-01", to: "2023-01-01", reason: 5 }]),
      [
        "turbines[0].exclude[0].reason: is 5. Give the reason, in a few words",
        'turbines[0].exclude[0].to: "2023-01-01" is before "from", "2023-02-01". Give the last day, which is included',
      ],
    );
    assertEquals(faults([...turbine, "exclude", 0, "from"], "2023-13-01").length, 1);
  });

  it("M7: gets contradictions of a production file together with its other problems, but no spurious ones", () => {
    const entry = { file: "a.csv", column: "P", time: "t", resolution: "month", unit: "kW" };
    const of = (change: object) => faults([...turbine, "production"], [{ ...entry, ...change }]);
    assertEquals(of({ time: 5 }), [
      "turbines[0].production[0].time: is 5. Give the name of the time column, or several names, such as " +
      "date and time of day",
      "turbines[0].production[0].unit: the unit of a month's production is an energy, not kW. Use kWh or MWh",
    ]);
    for (
      const change of [
        { unit: "MWh", thousands: ".", decimal: "x" },
        { unit: "MWh", availability: "a", availability_unit: 5 },
        { unit: "MWh", turbines: ["1"], turbine: 5 },
        { unit: "MWh", column: { T1: 5 }, status: { T1: "s" } },
        { unit: "TWh", counter: true },
        { resolution: "week", valid_hours: "h" },
        { unit: "MWh", time_format: 5 },
      ]
    ) {
      assertEquals(of(change).length, 1, of(change).join("; "));
    }
    assertEquals(of({ resolution: "week", thousands: ".", valid_hours: "h" }), [
      'turbines[0].production[0].resolution: "week" is unknown. Give "5min", "10min", "15min", ' +
      '"30min", "hour", "day", "month" or "year"',
      'turbines[0].production[0].thousands: a thousands mark needs a decimal mark. Give "decimal", too',
    ]);
  });

  it("M7: gets more than twenty problems listed", () => {
    const points = Array.from({ length: 39 }, () => ({ wind_speed: "4", power: 70 }));
    assertEquals(faults([...turbine, "power_curve"], points).length, 39);
  });

  it("S20: may give only the name of the time column, as readers do", () => {
    assertEquals(faults(["climate", 0, "time"], "time_utc"), []);
    assertEquals(faults(["climate", 0, "time"], 5), [
      "climate[0].time: is 5. Give the name of the column with the time, or { column, zone }",
    ]);
  });

  it("that is not JSON is rejected with the line", () => {
    const { message } = assertThrows(
      () => parseJsonFile('{\n  "site": "hill",\n}\n', "site.json"),
      ArgumentError,
    );
    assertEquals(
      message,
      "Cannot read site.json: it is not valid JSON (a key in quotation marks is expected, at " +
        "line 3, character 1). Correct the file at this place",
    );
  });

  it("gets all problems at once, one per line, even from several parts", () => {
    const [turbine] = buildSite().turbines as Record<string, unknown>[];
    const { message } = assertThrows(
      () =>
        parseSite({
          ...buildSite(),
          climate: [{ stamp: "mid", files: ["a.csv"] }],
          turbines: [turbine, { ...turbine, name: 3 }],
          turbins: [],
        }, "import site.json"),
      ArgumentError,
    );
    assertEquals(message.split("\n  "), [
      "Cannot import site.json, 8 faults:",
      'climate[0].stamp: "mid" is unknown. Give "instant", "start", "end" or "middle"',
      ...["latitude", "longitude", "time", "variables"].map((field) =>
        `climate[0].${field}: is missing. ${
          MISSING_OF_TABLES[field]
        }; only NetCDF4 files contain it`
      ),
      "turbines[1].name: is 3. Give the name of the turbine",
      'the site: the field "turbins" is unknown: did you mean "turbines"?',
      'turbines[1].id: the id "T1" is duplicated. Give each turbine its own id',
    ]);
  });
});
