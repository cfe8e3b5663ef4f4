/**
 * An answer that does not match the request is rejected and not stored, from any source.
 *
 * @module
 */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../src/api/errors.ts";
import { Ledger } from "../../src/client/orders/ledger.ts";
import type { ClimateHours } from "../../src/era5/climate_hours.ts";
import { type Era5Options, getEra5 } from "../../src/era5/era5.ts";
import { findFitting } from "../../src/era5/find_fitting.ts";
import { findPoints, type GridPoint } from "../../src/frames/grid_points.ts";
import { provenance } from "../../src/frames/origin/provenance.ts";
import { environmentOf, getTwoMonths } from "./_cds_call.ts";
import { withCds } from "./_cds_server.ts";
import { HOUR, makePointCsv, makeValue, SHORT_NAMES } from "./_era5_data.ts";
import { type OpenMeteoServer, withOpenMeteo } from "./_open_meteo_server.ts";

const [BEGIN, END] = [Date.UTC(2023, 0, 1), Date.UTC(2023, 2, 1)];

function makeCsv(from: number, end: number, gap = NaN): Uint8Array<ArrayBuffer> {
  const place = { latitude: 55.5, longitude: 8, from, end };
  return new TextEncoder().encode(
    makePointCsv(
      { variable: Object.keys(SHORT_NAMES), ...place },
      (name, latitude, longitude, at) =>
        at === gap ? NaN : makeValue(name, latitude, longitude, at),
    ),
  );
}

async function getMonthOf(
  { url, connection }: OpenMeteoServer,
  cache?: "refresh",
  range: Pick<Era5Options, "from" | "to"> = { from: "2023-01", to: "2023-01" },
) {
  const place = { latitude: 55.4, longitude: 7.9, ...range };
  return await getEra5(
    { ...place, source: "open-meteo", connection, cache },
    environmentOf({ OPEN_METEO_URL: url, OPEN_METEO_KEY: "canary-meteo-7c1d2e" }),
  );
}

describe("H1: months that are settled, from the Climate Data Store", () => {
  const cases: readonly (readonly [string, Uint8Array<ArrayBuffer>, string])[] = [
    ["end early", makeCsv(BEGIN, END - 9 * 24 * HOUR), "does not have 2023-02-20T00:00Z"],
    ["begin late", makeCsv(BEGIN + HOUR, END), "does not have 2023-01-01T00:00Z"],
    ["are none at all", makeCsv(BEGIN, BEGIN), "does not have 2023-01-01T00:00Z"],
    ["are of other months, too", makeCsv(BEGIN, END + HOUR), "it has 2023-03-01T00:00Z"],
  ];
  for (const [label, file, message] of cases) {
    it(`are not stored if the hours ${label}; the next call requests them again`, async () => {
      await withCds(async (server) => {
        server.packed = "bare";
        server.wrongFiles.push(file);
        await assertRejects(() => getTwoMonths(server), DataFormatError, message);
        const states = new Ledger(server.home).listEntries().map(({ state }) => state);
        assertEquals([states, server.jobs.size], [["failed"], 0]);
        assertEquals((await getTwoMonths(server)).height, 59 * 24);
        assertEquals(server.submitted.length, 2);
      });
    });
  }

  for (const points of [1, 4] as const) {
    it(`with an inner gap are requested twice, then the value is null (${points})`, async () => {
      await withCds(async (server) => {
        const gap = Date.UTC(2023, 0, 20);
        server.valueOf = (name, latitude, longitude, at) =>
          name === "v100" && longitude === 8 && at === gap
            ? NaN
            : makeValue(name, latitude, longitude, at);
        const frame = await getTwoMonths(server, { points });
        const nulls = frame.getColumn("wind_v_100").nullCount();
        assertEquals([frame.height, nulls], [points * 59 * 24, points === 1 ? 1 : 2]);
        assertEquals(server.submitted.length, 2);
        assertStringIncludes(
          provenance(frame)[0].notes!.join("; "),
          "1 hours are missing at the source, fully or partly; their values are null",
        );
        await getTwoMonths(server, { points });
        assertEquals(server.submitted.length, 2);
      });
    });
  }

  it("are complete if the second answer has what the first lacked", async () => {
    await withCds(async (server) => {
      const gap = Date.UTC(2023, 0, 20);
      server.packed = "bare";
      server.wrongFiles.push(makeCsv(BEGIN, END, gap));
      const frame = await getTwoMonths(server);
      assertEquals(frame.getColumn("wind_v_100").nullCount(), 0);
      assertEquals(server.submitted.map(({ inputs }) => inputs.date), [
        ["2023-01-01/2023-02-28"],
        ["2023-01-01/2023-01-31"],
      ]);
      assertEquals(server.jobs.size, 0);
    });
  });

  it("before a truncation are stored: only the others are requested again", async () => {
    await withCds(async (server) => {
      server.packed = "bare";
      server.wrongFiles.push(makeCsv(BEGIN, END - 9 * 24 * HOUR));
      await assertRejects(() => getTwoMonths(server), DataFormatError);
      await getTwoMonths(server);
      assertEquals(server.submitted.at(-1)!.inputs.date, ["2023-02-01/2023-02-28"]);
    });
  });

  it("are not stored if the grid is truncated", async () => {
    await withCds(async (server) => {
      server.end = Date.UTC(2023, 1, 20);
      await assertRejects(
        () => getTwoMonths(server, { points: 4 }),
        DataFormatError,
        "does not have 2023-02-20T00:00Z",
      );
    });
  });
});

describe("H1 and H5: answers of Open-Meteo", () => {
  it("H1: null hours are not stored: the next call requests them again", async () => {
    await withOpenMeteo(async (server) => {
      for (const end of [BEGIN, Date.UTC(2023, 0, 4)]) {
        server.end = end;
        await assertRejects(() => getMonthOf(server), DataFormatError, "it does not have 2023-01-");
      }
      server.end = Infinity;
      assertEquals((await getMonthOf(server)).height, 744);
      assertEquals(server.seen.length, 3);
    });
  });

  it("an inner null costs one more request, not the ten years around it", async () => {
    await withOpenMeteo(async (server) => {
      const { valueOf } = server;
      server.valueOf = (name, latitude, longitude, at) =>
        name === "temperature_2m" && at === Date.UTC(2015, 4, 10)
          ? null
          : valueOf(name, latitude, longitude, at);
      const range = { from: "2014", to: "2016" };
      const frame = await getMonthOf(server, undefined, range);
      assertEquals(frame.getColumn("temperature").nullCount(), 1);
      assertEquals(server.seen.map(({ query }) => query.get("start_date")), [
        "2014-01-01",
        "2015-05-01",
      ]);
      await getMonthOf(server, undefined, range);
      assertEquals(server.seen.length, 2);
    });
  });

  it("H1: hours are not stored if a single variable ends early", async () => {
    await withOpenMeteo(async (server) => {
      const { valueOf } = server;
      server.valueOf = (name, latitude, longitude, at) =>
        name === "temperature_2m" && at >= Date.UTC(2023, 0, 10)
          ? null
          : valueOf(name, latitude, longitude, at);
      await assertRejects(
        () => getMonthOf(server),
        DataFormatError,
        "temperature of 2023-01-10T00:00Z is missing",
      );
    });
  });

  it("H5: an answer for another place is rejected", async () => {
    await withOpenMeteo(async (server) => {
      await getMonthOf(server);
      const url = new URL(`${server.url}/v1/archive?${server.seen[0].query}`);
      url.searchParams.set("latitude", "40");
      url.searchParams.set("longitude", "-3");
      const other = await (await fetch(url)).json();
      server.answers.push(() => Response.json(other));
      await assertRejects(
        () => getMonthOf(server, "refresh"),
        DataFormatError,
        "it has the point 40, -3, not 55.5, 8",
      );
    });
  });
});

describe("findFitting()", () => {
  const month = Temporal.PlainYearMonth.from("2023-01");
  const months = { first: month, last: month };
  const hours = (longitude: number, count: number): ClimateHours => {
    const stamps = Float64Array.from({ length: count }, (_, i) => BEGIN + i * HOUR);
    return {
      file: "a file",
      latitude: 55.5,
      longitude,
      stamps,
      values: { temperature: stamps.map(() => 8) },
    };
  };

  const find = (all: readonly ClimateHours[], points: readonly GridPoint[], settled: number) =>
    findFitting(all, { points, months }, settled, new Map());

  it("L1: accepts a longitude from 0 to 360", () => {
    const points = findPoints({ latitude: 55.5, longitude: -7.75 }, 1);
    assertEquals(find([hours(352.25, 744)], points, END).fitting.length, 1);
  });

  it("accepts missing hours from the first possibly preliminary one on", () => {
    const points = findPoints({ latitude: 55.5, longitude: 8 }, 1);
    assertEquals(find([hours(8, 100)], points, BEGIN + 100 * HOUR).fitting.length, 1);
    const { fitting, misfit } = find([hours(8, 100)], points, BEGIN + 101 * HOUR);
    assertEquals(fitting, []);
    assertStringIncludes(misfit!.message, "does not have 2023-01-05T04:00Z");
  });

  it("rejects a missing or duplicate point", () => {
    const points = findPoints({ latitude: 55.5, longitude: 8.1 }, 4);
    const all = points.map(({ latitude, longitude }) => ({ ...hours(longitude, 744), latitude }));
    assertEquals(find(all, points, END).fitting.length, 4);
    const few = () => find(all.slice(1), points, END);
    assertThrows(few, DataFormatError, "the grid point 55.5, 8 occurs 0 times, not once");
    const findTwice = () => find([...all, all[0]], points, END);
    assert(assertThrows(findTwice, DataFormatError).message.includes("2 times"));
  });
});
