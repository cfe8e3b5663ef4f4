/**
 * Wrong calls as users write them in notebooks, which are not type-checked: each ends in one sentence with the given value
 * and a remedy, in the words of the sample.
 *
 * @module
 */
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as vindkit from "@vindkit/vindkit";
import * as reports from "@vindkit/vindkit/report";
import { withService } from "@vindkit/vindkit/testing";

const {
  checkPerformance,
  checkQuality,
  compareActual,
  compareReferences,
  connect,
  coverage,
  downloadClimate,
  estimateLongTerm,
  exampleFile,
  explainIndex,
  modelData,
  monthlyIndex,
  monthlyIndices,
  monthlyReport,
  orderAndWait,
  orderStatus,
  attachOrder,
  pl,
  placeOrder,
  planBudget,
  plotBudget,
  plotCoverageMap,
  plotCorrelation,
  plotFleetMap,
  plotMonthlyIndices,
  plotPowerCurve,
  plotWindRose,
  readFrame,
  readProduction,
  requestApiKey,
  saveClimate,
  saveFrame,
  table,
  toHours,
  turbineDetails,
  turbines,
  VindkitError,
  windIndices,
  withProvenance,
  // deno-lint-ignore no-explicit-any -- as in a notebook, whose cells are not type-checked
} = vindkit as any;

// deno-lint-ignore no-explicit-any -- as above
const { makeFleetReport, saveReport } = reports as any;

const place = { latitude: 55.5, longitude: 7.75 };
const years = { from: 2022, to: 2023 };
const file = { column: "power", time: "time", resolution: "hour", unit: "kW" };
const response = new Response("[]");

/** A call, and parts of its message. */
type Case = readonly [name: string, call: () => unknown, ...parts: string[]];

let home: string;
// deno-lint-ignore no-explicit-any -- as above
let connection: any, index: any, hours: any, production: any, details: any;

const misspelt: readonly Case[] = [
  [
    "form for from",
    () => monthlyIndices("T1", { form: "2024-01", connection }),
    '"form"',
    '"from"',
  ],
  ["start for from", () => modelData("T1", { start: "2024-01-01", connection }), "from, to"],
  ["startYear for from", () => orderAndWait("era5", { ...place, startYear: 2022 }), '"startYear"'],
  ["onfailure", () => windIndices(["T1"], { onfailure: "collect" }), '"onFailure"'],
  ["smaple", () => connect({ smaple: true }), '"smaple"', '"sample"'],
  ["lat for latitude", () => coverage("era5", { lat: 55, lon: 8 }), 'Did you mean "latitude"?'],
  ["numpoints", () => coverage("era5", { ...place, numpoints: 4 }), '"numPoints"'],
  [
    "filetype",
    () => downloadClimate("era5", { ...place, ...years, filetype: "csv" }),
    '"fileType"',
  ],
  ["detail for details", () => checkPerformance(production, { detail: details }), '"details"'],
  ["neighbors", () => checkPerformance(production, { neighbors: [] }), '"neighbours"'],
  ["rated_power", () => checkQuality(production, { rated_power: 2300 }), '"ratedPower"'],
  ["leaveout", () => estimateLongTerm(production, index, { leaveout: [] }), '"leaveOut"'],
  ["months of a budget", () => planBudget(index, { months: 12 }), "from, to"],
  ["timezone", () => readProduction("a.csv", { ...file, timezone: "UTC" }), '"time_zone"'],
  ["titel", () => plotMonthlyIndices(index, { titel: "Wind" }), '"titel"', '"title"'],
  ["colour of a chart", () => plotWindRose(hours, { colour: "red" }), "sectors"],
  ["maxrows", () => table(index, { maxrows: 5 }), '"maxRows"'],
  ["overwrit", () => saveFrame(index, "/tmp/a.csv", { overwrit: true }), '"overwrite"'],
  ["min_share", () => toHours(production, { min_share: 0.5 }), '"minShare"'],
  ["moth of a report", () => makeFleetReport(["T1"], { moth: "2024-05" }), '"month"'],
  ["options that are a text", () => monthlyIndices("T1", "2024-01"), '"2024-01"', "an object"],
  ["options that are null", () => modelData("T1", null), "null"],
];

/** Calls without await: the test waits for their end, so they leave nothing open. */
const forgotten: Promise<unknown>[] = [];

function forget<T>(call: Promise<T>): Promise<T> {
  forgotten.push(call);
  return call;
}

const awaited: readonly Case[] = [
  ["a chart", () => plotMonthlyIndices(forget(monthlyIndices("T1", { connection }))), "await it"],
  ["a table", () => table(forget(turbines({ connection }))), "await it"],
  [
    "a check",
    () => checkPerformance(forget(readProduction(home, file).catch(() => {})), {}),
    "await it",
  ],
  [
    "production",
    () => compareActual(forget(modelData("T1", { connection, ...years })), hours),
    "await it",
  ],
  [
    "a list of turbines",
    () => modelData(forget(turbines({ connection })), { connection }),
    "await it",
  ],
  ["a turbine", () => plotPowerCurve(forget(turbineDetails("T1", { connection }))), "await it"],
  [
    "what was saved",
    () => saveFrame(forget(monthlyIndices("T1", { connection })), "/tmp/a.csv"),
    "await it",
  ],
  [
    "a source",
    () => withProvenance(index, forget(monthlyIndices("T1", { connection }))),
    "await it",
  ],
  ["a connection", () => turbines({ connection: Promise.resolve(connection) }), "await it"],
  ["indices of an explanation", () =>
    explainIndex(
      { details, model: hours, indices: forget(monthlyIndices("T1", { connection })) },
      "2023-05",
    ), "await it"],
];

const wrongThings: readonly Case[] = [
  ["nothing for a turbine", () => turbineDetails(), "the turbines are nothing", "turbines()"],
  ["a frame for turbines", () => modelData(index, { connection }), "a frame", "turbines()"],
  ["a number for a turbine", () => monthlyIndices(1, { connection }), "the turbines are 1"],
  [
    "a number for one turbine",
    () => monthlyIndex(1, "2024-05", { connection }),
    "turbine_id is 1, not a text",
  ],
  ["a response for a frame", () => plotMonthlyIndices(response), "a Response"],
  ["an object for a frame", () => plotMonthlyIndices({}), "an empty object", "monthlyIndices()"],
  ["a list of frames", () => plotMonthlyIndices([index]), "pl.concat()"],
  ["a text for a frame", () => planBudget("T1"), '"T1"'],
  ["nothing for a frame", () => checkQuality(), "nothing", "readProduction()"],
  ["nothing for indices", () => estimateLongTerm(production), "nothing", "monthlyIndices()"],
  ["hours for indices", () => plotMonthlyIndices(hours), '"month"', "it has", "monthlyIndices()"],
  ["indices for hours", () => plotWindRose(index), "wind_direction", "it has", "modelData()"],
  ["indices for a budget's months", () => plotBudget(index), "it has", "planBudget()"],
  ["turbines for a map", () => plotFleetMap(index), "latitude", "it has", "turbineDetails()"],
  ["no turbine on a map", () => plotCoverageMap(index), "turbine"],
  ["two indices", () => estimateLongTerm(index, index), "energy"],
  ["a frame without candidates", () => compareReferences(production), "candidate"],
  ["a correlation with nothing", () => plotCorrelation(hours), "nothing"],
  ["no details of a power curve", () => plotPowerCurve(index), "turbineDetails()"],
  ["nothing to explain", () => explainIndex(index, "2023-05"), "details"],
  ["a url for a connection", () => turbines({ connection: "sample" }), "connect()"],
  ["a controller for a signal", () => turbines({ signal: new AbortController() }), ".signal"],
  ["no place", () => coverage("era5"), "latitude and longitude"],
  ["no years", () => orderAndWait("era5", place), "from and to"],
  ["no format", () => readProduction("a.csv"), "column"],
  ["no customer", () => requestApiKey(), "serialNumber and email"],
  ["no file of that name", () => exampleFile("production.xls"), "production.csv"],
  ["a file that is not there", () => readFrame("/nowhere/a.parquet"), "/nowhere/a.parquet"],
  ["no path", () => saveClimate("era5", undefined, { ...place, ...years, connection }), "path"],
  ["an order without a name", () => attachOrder(), "identifier"],
  ["no turbines", () => monthlyIndices([], { connection }), "the list of turbines is empty"],
  ["a turbine twice", () => windIndices(["T1", "T1"], { connection }), "is listed twice"],
  ["a folder that is a report", () => saveReport(index, home), "makeFleetReport()"],
];

const names: readonly Case[] = [
  ["another case", () => monthlyIndices("t1", { connection }), 'no turbine "t1"', '"T1"?'],
  ["a letter too many", () => modelData("T1a", { connection, from: 2024 }), '"T1"?'],
  ["a blank", () => turbineDetails("T 2", { connection }), '"T2"?'],
  ["a word", () => monthlyIndex("Horns Rev", "2024-05", { connection }), "among T1, T2"],
  ["one of a list", () => windIndices(["T1", "t2"], { connection }), '"T2"?'],
  ["a report of another case", () => monthlyReport("t1", "2024-05", { connection }), '"T1"?'],
  ["a dataset", () => coverage("ERA5", { ...place, connection }), '"era5"?'],
  ["an order", () => orderStatus("abc", { connection }), "orders()"],
  [
    "a place without data",
    () => coverage("era5", { latitude: -55, longitude: 8, connection }),
    "150 km",
  ],
  ["a turbine without data", () => monthlyIndices("T8", { connection }), "T8 has no indices yet"],
];

const times: readonly Case[] = [
  ["next year", () => monthlyIndex("T1", "2090-01", { connection }), "has not begun"],
  ["a range that has not begun", () => monthlyIndices("T1", { from: 2090 }), "has not begun"],
  [
    "a month before the record",
    () => monthlyIndex("T1", "1999-12", { connection }),
    "1999-12",
    "2025-12",
  ],
  [
    "the wrong order",
    () => modelData("T1", { from: 2024, to: 2023 }),
    '"from" (2024) is after "to" (2023)',
  ],
  ["a month of two digits", () => monthlyIndex("T1", "24-05", { connection }), '"2023-05"'],
  ["a month by its name", () => monthlyIndices("T1", { from: "May 2024" }), '"2023-05"'],
  ["a Date", () => modelData("T1", { from: new Date(0) }), "a Date has no time zone"],
  ["a day among months", () => monthlyIndices("T1", { from: "2024-05-01" }), "whole months"],
  [
    "a month among years",
    () => placeOrder("era5", { ...place, from: "2023-01", to: 2023 }),
    "Give 2023",
  ],
  ["no month", () => monthlyReport("T1", undefined, { connection }), "month"],
];

describe("a wrong call as users write it", () => {
  beforeAll(async () => {
    home = await Deno.makeTempDir();
    connection = connect({ sample: true, home });
    index = await monthlyIndices("T1", { from: 2022, to: 2023, connection });
    hours = await modelData("T1", { from: "2023-05", to: "2023-06", connection });
    details = await turbineDetails("T1", { connection });
    production = pl.DataFrame({ month: ["2023-05-01"], energy: [400] })
      .withColumn(pl.col("month").str.strptime(pl.Date, "%Y-%m-%d"));
  });
  afterAll(async () => {
    await Promise.allSettled(forgotten);
    await connection.close();
    await Deno.remove(home, { recursive: true });
  });

  const groups = { misspelt, awaited, wrongThings, names, times };
  for (const [group, cases] of Object.entries(groups)) {
    for (const [name, call, ...parts] of cases) {
      it(`(${group}) ${name}`, async () => {
        const error = await Promise.try(call).then(() => undefined, (error) => error);
        assert(error instanceof VindkitError, `${error?.name}: ${error?.message ?? "no error"}`);
        for (const part of parts) assertStringIncludes(error.message, part);
        // words of another world, an address that nobody can open, or "[object Object]"
        const alien = /in-process|licen[cs]e|X-Auth|VINDKIT_KEY|\[object|undefined|https?:/i;
        assert(!alien.test(error.message), error.message);
      });
    }
  }

  it("has at least sixty cases", () => {
    assert(Object.values(groups).flat().length >= 60);
  });

  it("for all turbines of the sample leaves out turbines that are not ready, and reports it", async () => {
    const ids = (await turbines({ connection })).getColumn("turbine_id").toArray();
    const all = await monthlyIndices(ids, { from: 2023, to: 2023, connection });
    assertEquals(all.getColumn("turbine_id").unique().length, ids.length - 1);
    assertEquals(
      vindkit.failures(all).map(({ turbineId, notReady }) => [turbineId, notReady]),
      [["T8", true]],
    );
    assertStringIncludes(vindkit.provenance(all)[0].notes!.join(), "data are not ready: T8");
  });

  it("names the address of a live service", async () => {
    await withService(async ({ connection: live, url }) => {
      const error = await Promise.resolve(monthlyIndices("t1", { connection: live }))
        .catch((error: Error) => error);
      assertStringIncludes(error.message, url);
      assertStringIncludes(error.message, 'Did you mean "T1"?');
    });
  });
});
