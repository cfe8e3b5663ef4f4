import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { ArgumentError, DataFormatError } from "../../src/api/errors.ts";
import { readSite } from "../../src/sites/import_site.ts";
import {
  assertClear,
  type BadInput,
  badInputSuite,
  climateOf,
  monthly,
  produce,
  turbineOf,
} from "./_bad_input.ts";

function swapLines(position: number): (lines: string[]) => string[] {
  return (lines) => lines.with(position, lines[position + 1]).with(position + 1, lines[position]);
}

function repeatLine(position: number): (lines: string[]) => string[] {
  return (lines) => lines.toSpliced(position, 0, lines[position]);
}

const curves: readonly BadInput[] = [
  {
    name: "an unsorted power curve",
    spoil: (site) => site.editLines("power_curve.csv", swapLines(3)),
    error: ArgumentError,
    place: ["power_curve.csv", "E1", "point 4 (6 m/s) comes after 7 m/s"],
    remedy: /speeds must increase/,
  },
  {
    name: "a power curve with a point twice",
    spoil: (site) => site.editLines("power_curve.csv", repeatLine(3)),
    error: ArgumentError,
    place: ["power_curve.csv", "E1", "point 4"],
    remedy: /repeats the wind speed of 6 m\/s/,
  },
  {
    name: "a power curve with a point above 1.2 x rated",
    spoil: (site) => site.edit("power_curve.csv", (text) => text.replace("2300", "2761")),
    error: ArgumentError,
    place: ["power_curve.csv", "E1", "2761 kW, 120 % of the rated power of 2300 kW"],
    remedy: /Check the power column and rated_power/,
  },
  {
    name: "SI2 a power curve that is declared in another unit",
    spoil: (site) => void Object.assign(turbineOf(site).power_curve, { unit: "W" }),
    error: ArgumentError,
    place: ["power_curve.csv", "E1", "2.3 kW, 0.1 % of the rated power of 2300 kW"],
    remedy: /so the powers are probably in kW. Declare "unit": "kW"/,
  },
  {
    name: "a power curve with an empty field",
    spoil: (site) => site.edit("power_curve.csv", (text) => text.replace(",189", ",")),
    error: DataFormatError,
    place: ["power_curve.csv", "line 3", 'column "power"'],
    remedy: /is empty/,
  },
];

function stamps(file: string, line: number): readonly BadInput[] {
  return [
    {
      name: `a stamp twice in ${file}`,
      spoil: (site) => site.editLines(file, repeatLine(100)),
      error: DataFormatError,
      place: [file, `line ${line}:`],
      remedy: /is duplicated. Remove one of the rows/,
    },
    {
      name: `unsorted stamps in ${file}`,
      spoil: (site) => site.editLines(file, swapLines(100)),
      error: DataFormatError,
      place: [file, `line ${line}:`],
      remedy: /comes after .*. Sort the rows by time/,
    },
    {
      name: `10-minute stamps in ${file}`,
      spoil: (site) =>
        site.editLines(file, ([header, ...rows]) => [
          header,
          ...rows.slice(0, 1000).flatMap((row) =>
            ["00", "10", "20", "30", "40", "50"].map((minute) =>
              row.replace(/T(\d\d):00/, `T$1:${minute}`)
            )
          ),
        ]),
      error: DataFormatError,
      place: [file, "line 3:"],
      remedy: file === "production.csv"
        ? /the rows are 10 minutes apart. Declare resolution "10min"/
        : /Average the values to hours first/,
    },
    {
      name: `stamps without offset in ${file}`,
      spoil: (site) => site.edit(file, (text) => text.replaceAll(/(\d)Z,/g, "$1,")),
      error: DataFormatError,
      place: [file, "line 2", 'column "time"'],
      remedy: /Give its time zone, such as "UTC" or "Europe\/Copenhagen"/,
    },
  ];
}

const sources: readonly BadInput[] = [
  ...["climate", "production", "power curve"].map((label): BadInput => ({
    name: `a missing file of ${label}`,
    spoil: (site) => {
      if (label === "climate") climateOf(site).files = ["nowhere.csv"];
      else if (label === "production") produce(site, { file: "nowhere.csv" });
      else Object.assign(turbineOf(site).power_curve, { file: "nowhere.csv" });
    },
    error: ArgumentError,
    place: ["nowhere.csv"],
    remedy: /Correct the path, which is relative to the site file's folder/,
  })),
  {
    name: "a folder where a file is named",
    spoil: async (site) => {
      await Deno.mkdir(site.path("folder.csv"));
      climateOf(site).files = ["folder.csv"];
    },
    error: ArgumentError,
    place: ["folder.csv"],
    remedy: /folder|directory/,
  },
  {
    name: "a variable whose column is missing",
    spoil: (site) => void (climateOf(site).variables!.wind_speed_10.column = "ws10"),
    error: DataFormatError,
    place: ["climate.csv", '"ws10"'],
    remedy: /Its columns are "time", "wind_speed_10",/,
  },
  {
    name: "a missing column of production",
    spoil: (site) => produce(site, { column: "kw" }),
    error: DataFormatError,
    place: ["production.csv", '"kw"'],
    remedy: /Its columns are "time", "power"/,
  },
  {
    name: "a text in a number column of climate",
    spoil: (site) =>
      site.editLines(
        "climate.csv",
        (lines) => lines.with(50, lines[50].replace(/,[^,]+/, ",calm")),
      ),
    error: DataFormatError,
    place: ["climate.csv", "line 51", 'column "wind_speed_10"'],
    remedy: /"calm" is not a number/,
  },
  {
    name: "a text in a number column of production",
    spoil: (site) =>
      site.editLines("production.csv", (lines) => lines.with(50, lines[50].replace(/,.*/, ",off"))),
    error: DataFormatError,
    place: ["production.csv", "line 51", 'column "power"'],
    remedy: /"off" is not a number/,
  },
  {
    name: "F32 a row with a field too many",
    spoil: (site) => site.editLines("production.csv", (lines) => lines.with(50, `${lines[50]},1`)),
    error: DataFormatError,
    place: ["production.csv", "line 51"],
    remedy: /has 3 fields, but the header has 2/,
  },
  ...[["hourly", "production.csv"], ["monthly", "production_monthly.csv"]].map((
    [label, file],
  ): BadInput => ({
    name: `${label} production without a row`,
    spoil: async (site) => {
      if (label === "monthly") turbineOf(site).production = [monthly];
      await site.editLines(file, ([header]) => [header]);
    },
    error: DataFormatError,
    place: [file],
    remedy: /it has no rows/,
  })),
  {
    name: "F5 a web page for a table",
    spoil: (site) => Deno.writeTextFile(site.path("climate.csv"), "<!doctype html><p>Log in"),
    error: DataFormatError,
    place: ["climate.csv"],
    remedy: /it is a web page, not a table/,
  },
  ...[["c.csv.gz", /gzip/], ["c.parquet", /Parquet/i], ["c.nc", /NetCDF4/]].map((
    [file, remedy],
  ): BadInput => ({
    name: `a file ${file} that is another format`,
    spoil: async (site) => {
      await Deno.rename(site.path("climate.csv"), site.path(file as string));
      climateOf(site).files = [file as string];
    },
    error: DataFormatError,
    place: [file as string],
    remedy: remedy as RegExp,
  })),
];

badInputSuite("imports with a wrong power curve", curves);
badInputSuite("imports with wrong stamps", [
  ...stamps("production.csv", 102),
  ...stamps("climate.csv", 102),
]);
badInputSuite("imports with a wrong file", sources);

describe("imports without a site file", () => {
  for (
    const [name, text, remedy] of [
      ["what is not JSON", '{ "site": }', /it is not valid JSON/],
      ["a list", "[]", /the site: is a list of 0. Give \{ site, climate, turbines \}/],
    ] as const
  ) {
    it(`refuse ${name}`, async () => {
      const path = await Deno.makeTempFile({ suffix: ".json" });
      try {
        await Deno.writeTextFile(path, text);
        const failure = await assertRejects(
          async () => readSite(await readSiteFile(path)),
          ArgumentError,
        );
        assertClear(failure);
        assertStringIncludes(failure.message, path);
        assertMatch(failure.message, remedy);
      } finally {
        await Deno.remove(path);
      }
    });
  }

  it("report the missing file", async () => {
    const { message } = await assertRejects(
      async () => readSite(await readSiteFile("/no/site.json")),
      ArgumentError,
    );
    assertEquals(message, "Cannot read /no/site.json: the file is missing. Check its path");
  });
});
