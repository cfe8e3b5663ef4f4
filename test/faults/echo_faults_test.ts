/**
 * Answers about other things than requested, and requests that must never be sent.
 *
 * @module
 */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../src/api/errors.ts";
import { downloadClimate } from "../../src/client/calls/climate_data.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { monthlyIndices } from "../../src/client/calls/monthly_indices.ts";
import { monthlyReport } from "../../src/client/calls/reports.ts";
import { turbineDetails, turbines } from "../../src/client/calls/turbines.ts";
import { monthlyIndex } from "../../src/client/calls/wind_indices.ts";
import { type Fault, withService } from "./_with_service.ts";
import type { BodyAct } from "./_fault.ts";
import { readColumn } from "../client/_frames.ts";
import { withServer } from "../client/_local_server.ts";
import { reads } from "./_reads.ts";

/** Replaces each body of an operation. */
const buildBodyFault = (on: Fault["on"], body: BodyAct["body"]): Fault => ({
  on,
  times: Infinity,
  act: { kind: "body", body },
});

/** Changes the text of the honest body. */
const changeText = (change: (text: string) => string) => (honest: Uint8Array) =>
  new TextEncoder().encode(change(new TextDecoder().decode(honest)));

/** Replaces the first value of this name. */
const replaceValue = (name: string, value: string) =>
  changeText((text) =>
    text.replace(new RegExp(`("${name}":)\\s*("[^"]*"|[\\d.]+|null)`), `$1${value}`)
  );

const BEYOND = "9007199254740993";

describe("F35 an answer for something else", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["turbineDetails()", "turbine_id", ['"T2"', '"t1"', '"T1 "', "1", BEYOND, "null"]],
    ["turbineDetails([])", "turbine_id", ['"T2"', BEYOND]],
    ["monthlyIndex()", "turbine_id", ['"T2"', BEYOND]],
    ["monthlyIndex()", "year", ["2023", BEYOND, '"2023"', "2024.5", "20240"]],
    ["monthlyIndex()", "month", ["4", BEYOND, '"4"', "null"]],
    ["monthlyReport()", "turbine_id", ['"T2"', "1", BEYOND, "null", "-1"]],
    ["monthlyReport()", "period", ['"2024-04"', '"2024-5"', "202405", BEYOND, "null"]],
  ];
  for (const [name, field, values] of cases) {
    const { operation, call } = reads[name];
    for (const value of values) {
      it(`F35 ${name} refuses ${field} ${value}, and names it`, async () => {
        await withService(async ({ connection }) => {
          const error = await assertRejects(() => call({ connection }), DataFormatError);
          assertStringIncludes(error.message, field);
        }, { faults: [buildBodyFault(operation, replaceValue(field, value))] });
      });
    }
  }

  it("F35 a missing value does not match", async () => {
    await withService(async ({ connection }) => {
      await assertRejects(() => monthlyIndex("T1", "2024-05", { connection }), DataFormatError);
      await assertRejects(() => turbineDetails("T1", { connection }), DataFormatError);
    }, {
      faults: [
        buildBodyFault("monthly_index", changeText((text) => text.replace('"month"', '"mon"'))),
        buildBodyFault(
          "turbine_details",
          changeText((text) => text.replace('"turbine_id"', '"id"')),
        ),
      ],
    });
  });

  it("F35 K1: ids of turbines keep every digit, as text and as numbers", async () => {
    const list = (id: string) => `[{"turbine_id":${id}}]`;
    await withServer(
      (_, number) => new Response(list(number === 1 ? `"${BEYOND}"` : BEYOND)),
      async (
        { connection },
      ) => {
        assertEquals((await turbines({ connection })).getColumn("turbine_id").toArray(), [BEYOND]);
        assertEquals((await turbines({ connection })).getColumn("turbine_id").toArray(), [BEYOND]);
      },
    );
  });
});

describe("F37 dates", () => {
  const bad: Readonly<Record<string, (o: object) => Promise<unknown>>> = {
    "29 Feb of a common year": (o) => modelData("T1", { from: "2023-02-29", ...o }),
    "29 Feb of 2100": (o) => modelData("T1", { from: "2020-01-01", to: "2100-02-29", ...o }),
    "31 April": (o) => modelData("T1", { to: "2023-04-31", ...o }),
    "month 0": (o) => monthlyIndex("T1", "2023-00", o),
    "month 13": (o) => monthlyIndex("T1", "2023-13", o),
    "month 0 of a report": (o) => monthlyReport("T1", "2023-00", o),
    "month 0 of a date": (o) => modelData("T1", { from: "2023-00-01", ...o }),
    "a two-digit year": (o) => monthlyIndex("T1", "23-05", o),
    "a two-digit year of a date": (o) => modelData("T1", { from: "23-05-01", ...o }),
    "a year of three digits": (o) => monthlyIndices("T1", { from: "023-05", ...o }),
    "year 9999": (o) => monthlyIndex("T1", "9999-01", o),
    "year 9999 of a date": (o) => modelData("T1", { to: "9999-12-31", ...o }),
    "a year with a sign": (o) => monthlyIndex("T1", "+002023-05", o),
    "a day among months": (o) => monthlyIndices("T1", { from: "2023-05-01", ...o }),
    "no text": (o) => modelData("T1", { from: 20230501, ...o }),
    "a future month": (o) => monthlyIndex("T1", "2090-05", o),
    "a future month of a report": (o) => monthlyReport("T1", "2090-05", o),
    "a future day": (o) => modelData("T1", { from: "2090-01-01", to: "2090-01-31", ...o }),
    "future months": (o) => monthlyIndices("T1", { from: "2090-01", to: "2090-02", ...o }),
    "a future climate year": (o) => {
      const years = { from: 2090, to: 2090 };
      return downloadClimate("era5", { latitude: 1, longitude: 1, ...years, ...o });
    },
    "days in the wrong order": (o) =>
      modelData("T1", { from: "2024-01-02", to: "2024-01-01", ...o }),
    "from after to": (o) => monthlyIndices(["T1"], { from: "2024-02", to: "2024-01", ...o }),
    "years in the wrong order": (o) => {
      const years = { from: 2023, to: 2022 };
      return downloadClimate("era5", { latitude: 1, longitude: 1, ...years, ...o });
    },
    "a two-digit climate year": (o) => {
      const years = { from: 23, to: 23 };
      return downloadClimate("era5", { latitude: 1, longitude: 1, ...years, ...o });
    },
    "climate year 9999": (o) => {
      const years = { from: 2023, to: 9999 };
      return downloadClimate("era5", { latitude: 1, longitude: 1, ...years, ...o });
    },
  };
  for (const [label, call] of Object.entries(bad)) {
    it(`F37 ${label} is refused: nothing is sent`, async () => {
      await withServer(() => Response.json([]), async ({ connection, seen }) => {
        await assertRejects(() => call({ connection }), ArgumentError);
        assertEquals(seen, []);
      });
    });
  }

  it("F37 29 Feb of a leap year is a day", async () => {
    await withService(async ({ connection }) => {
      const options = { from: "2024-02-29", to: "2024-02-29", connection };
      assertEquals((await modelData("T1", options)).height, 24);
    });
  });

  it("F37 training_end null is read, alone and in a frame", async () => {
    const ends = changeText((text) => text.replace(/("training_end":)\s*"[^"]*"/, "$1null"));
    await withService(async ({ connection }) => {
      assertEquals((await turbineDetails("T1", { connection })).training_end, null);
      const frame = await turbineDetails(["T1"], { connection });
      assertEquals(readColumn(frame, "training_end"), [null]);
      assertEquals(readColumn(frame, "training_start").length, 1);
    }, { faults: [buildBodyFault("turbine_details", ends)] });
  });
});
