/**
 * Storage of `era5()` by grid point and month: it requests only missing months.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { NotCachedError } from "../../src/api/errors.ts";
import { Ledger } from "../../src/client/orders/ledger.ts";
import { extractEpochs, extractNumbers } from "../../src/frames/frame.ts";
import { provenance } from "../../src/frames/origin/provenance.ts";
import { getEra5 } from "../../src/era5/era5.ts";
import {
  countRoute,
  environmentOf,
  finishJobs,
  getTwoMonths,
  stopWhileRunning,
  withNow,
} from "./_cds_call.ts";
import { type CdsServer, withCds } from "./_cds_server.ts";
import { makeValue } from "./_era5_data.ts";
import { withOpenMeteo } from "./_open_meteo_server.ts";

function listDates({ submitted }: CdsServer): unknown[] {
  return submitted.flatMap(({ inputs }) => inputs.date);
}

function listMonthsAndAreas({ submitted }: CdsServer): unknown[] {
  return submitted.map(({ inputs: { year, month, area } }) =>
    [year, month, area].flat(2).join(" ")
  );
}

function listStates({ home }: CdsServer): string[] {
  return new Ledger(home).listEntries().map(({ state }) => state);
}

describe("months of a grid point", () => {
  it("are requested once: a longer range requests only the months before and after", async () => {
    await withCds(async (server) => {
      await getTwoMonths(server);
      const range = { from: "2022-12", to: "2023-04" };
      const frame = await getTwoMonths(server, range);
      assertEquals(listDates(server), [
        "2023-01-01/2023-02-28",
        "2022-12-01/2022-12-31",
        "2023-03-01/2023-04-30",
      ]);
      assertEquals([frame.height, provenance(frame)[0].sha256.length], [151 * 24, 3]);
      const repeated = await getTwoMonths(server, { ...range, cache: "only" });
      assertEquals(repeated.toRecords(), frame.toRecords());
    });
  });

  it("are the same from one file or several", async () => {
    await withCds(async (server) => {
      const joint = await getTwoMonths(server);
      await withCds(async (other) => {
        await getTwoMonths(other, { to: "2023-01" });
        assertEquals((await getTwoMonths(other)).toRecords(), joint.toRecords());
      });
    });
  });

  it("need no request for a second turbine at the same point", async () => {
    await withCds(async (server) => {
      await getTwoMonths(server, { points: 4 });
      const before = server.seen.length;
      await getTwoMonths(server, { points: 4, latitude: 55.45, longitude: 7.85 });
      assertEquals(server.seen.length, before);
    });
  });

  it("are requested for the two missing points of a turbine in the next cell", async () => {
    await withCds(async (server) => {
      await getTwoMonths(server, { points: 4 });
      const frame = await getTwoMonths(server, { points: 4, longitude: 8.1 });
      assertEquals(listMonthsAndAreas(server), [
        "2023 01 02 55.5 7.75 55.25 8",
        "2023 01 02 55.5 8.25 55.25 8.25",
      ]);
      const u = extractNumbers(frame, "wind_u_100");
      const wanted = [[55.25, 8], [55.25, 8.25], [55.5, 8], [55.5, 8.25]].map(([south, east]) =>
        makeValue("u100", south, east, Date.UTC(2023, 0, 1))
      );
      assertEquals([0, 1, 2, 3].map((i) => u[i * 59 * 24]), wanted);
    });
  });

  it("are all requested again with cache: refresh", async () => {
    await withCds(async (server) => {
      await getTwoMonths(server);
      server.valueOf = (...where) => makeValue(...where) + 1;
      const frame = await getTwoMonths(server, { to: "2023-01", cache: "refresh" });
      assertEquals(listDates(server)[1], "2023-01-01/2023-01-31");
      const wanted = makeValue("u100", 55.5, 8, Date.UTC(2023, 0, 1)) + 1;
      assertEquals(extractNumbers(frame, "wind_u_100")[0], wanted);
      const both = await getTwoMonths(server);
      const old = makeValue("u100", 55.5, 8, Date.UTC(2023, 1, 1));
      assertEquals(extractNumbers(both, "wind_u_100")[31 * 24], old);
    });
  });

  it("are fetched again if their stored file was altered", async () => {
    await withCds(async (server) => {
      await getTwoMonths(server);
      for await (const { name } of Deno.readDir(`${server.home}/cache/bodies`)) {
        await Deno.writeTextFile(`${server.home}/cache/bodies/${name}`, "altered");
      }
      await assertRejects(() => getTwoMonths(server, { cache: "only" }), NotCachedError);
      assertEquals((await getTwoMonths(server)).height, 59 * 24);
    });
  });

  it("of Open-Meteo are stored the same way, as received", async () => {
    await withOpenMeteo(async ({ url, connection, seen }) => {
      const place = { latitude: 55.4, longitude: 7.9, source: "open-meteo" } as const;
      const get = (from: string, to: string) =>
        getEra5(
          { ...place, from, to, connection },
          environmentOf({ OPEN_METEO_URL: url, OPEN_METEO_KEY: "canary-meteo-7c1d2e" }),
        );
      await get("2023-01", "2023-01");
      await get("2022-12", "2023-03");
      const ranges = seen.map(({ query }) => `${query.get("start_date")} ${query.get("end_date")}`);
      assertEquals(ranges, [
        "2023-01-01 2023-01-31",
        "2022-12-01 2022-12-31",
        "2023-02-01 2023-03-31",
      ]);
    });
  });
});

describe("preliminary months", () => {
  const range = { from: "2022-08", to: "2023-02" };

  it("M7: are reused on the same day, and fetched again on the next, for four months", async () => {
    await withCds(async (server) => {
      await withNow("2023-02-20T08:00Z", () => getTwoMonths(server, range));
      await withNow("2023-02-20T23:00Z", () => getTwoMonths(server, range));
      assertEquals(listDates(server), ["2022-08-01/2023-02-20"]);
      await withNow("2023-02-21T08:00Z", () => getTwoMonths(server, range));
      await withNow("2023-07-01T08:00Z", () => getTwoMonths(server, range));
      await withNow("2023-07-02T08:00Z", () => getTwoMonths(server, range));
      assertEquals(listDates(server), [
        "2022-08-01/2023-02-20",
        "2022-10-01/2023-02-21",
        "2022-10-01/2023-02-28",
      ]);
    });
  });

  it("are in the next frame as revised", async () => {
    await withCds(async (server) => {
      const get = () => getTwoMonths(server, range);
      await withNow("2023-02-20T08:00Z", get);
      server.valueOf = (...where) => makeValue(...where) + 1;
      const u = extractNumbers(await withNow("2023-03-20T08:00Z", get), "wind_u_100");
      const wanted = (month: number) => makeValue("u100", 55.5, 8, Date.UTC(2022, month, 1));
      assertEquals([u[0], u[61 * 24]], [wanted(7), wanted(9) + 1]);
    });
  });

  it("H3: from yesterday are available offline today", async () => {
    await withCds(async (server) => {
      server.end = Date.UTC(2023, 1, 15);
      const frame = await withNow("2023-02-20T08:00Z", () => getTwoMonths(server, range));
      const offline = { ...range, cache: "only" } as const;
      const repeated = await withNow("2023-02-21T08:00Z", () => getTwoMonths(server, offline));
      assertEquals(repeated.height, frame.height);
    });
  });

  it("H3: of yesterday's order are joined today, and leave no job", async () => {
    await withCds(async (server) => {
      await withNow("2023-02-20T08:00Z", () => stopWhileRunning(server, range));
      finishJobs(server);
      const frame = await withNow("2023-02-21T07:00Z", () => getTwoMonths(server, range));
      assertEquals(listDates(server), ["2022-08-01/2023-02-20"]);
      assertEquals([listStates(server), server.jobs.size], [["delivered"], 0]);
      assertEquals(extractEpochs(frame, "time").at(-1), Date.UTC(2023, 1, 20, 23));
    });
  });

  it("H3: of last week's order are requested again after it is joined", async () => {
    await withCds(async (server) => {
      await withNow("2023-02-13T08:00Z", () => stopWhileRunning(server, range));
      finishJobs(server);
      const frame = await withNow("2023-02-20T08:00Z", () => getTwoMonths(server, range));
      assertEquals(listDates(server), ["2022-08-01/2023-02-13", "2022-10-01/2023-02-20"]);
      assertEquals(extractEpochs(frame, "time").at(-1), Date.UTC(2023, 1, 20, 23));
    });
  });

  it("H3: of an open order are joined by a call for more, which requests only the rest", async () => {
    await withCds(async (server) => {
      await stopWhileRunning(server);
      finishJobs(server);
      assertEquals((await getTwoMonths(server, { to: "2023-03" })).height, 90 * 24);
      assertEquals(listDates(server), ["2023-01-01/2023-02-28", "2023-03-01/2023-03-31"]);
      assertEquals([listStates(server), server.jobs.size], [["delivered", "delivered"], 0]);
    });
  });
});

describe("stored files", () => {
  it("are removed when no month needs them any more, of one point and of four", async () => {
    for (const points of [1, 4] as const) {
      await withCds(async (server) => {
        for (const day of ["2023-02-20", "2023-02-21", "2023-02-22"]) {
          const range = { from: "2022-12", to: "2023-02", points };
          await withNow(`${day}T08:00Z`, () => getTwoMonths(server, range));
        }
        const frame = await getTwoMonths(server, { from: "2022-12", to: "2023-02", points });
        const bodies = [...Deno.readDirSync(`${server.home}/cache/bodies`)]
          .map(({ name }) => name).filter((name) => /^[0-9a-f]{64}$/.test(name));
        assertEquals(bodies.sort(), [...provenance(frame)[0].sha256].sort());
      });
    }
  });
});

describe("open orders", () => {
  it("M10: with a job that could not be deleted are ended by the next call", async () => {
    await withCds(async (server) => {
      const busy = () => new Response(null, { status: 503, headers: { "retry-after": "0" } });
      for (let i = 0; i < 3; i++) server.faults.push({ on: "delete", answer: busy });
      assertEquals((await getTwoMonths(server)).height, 59 * 24);
      assertEquals([listStates(server), server.jobs.size], [["placed"], 1]);
      await getTwoMonths(server);
      assertEquals([listStates(server), server.jobs.size], [["delivered"], 0]);
      assertEquals([server.submitted.length, countRoute(server, "file")], [1, 1]);
    });
  });

  it("of jobs that cannot be deleted on two days do not return the same old file forever", async () => {
    await withCds(async (server) => {
      const refuse = () => new Response(null, { status: 405 });
      for (let i = 0; i < 20; i++) server.faults.push({ on: "delete", answer: refuse });
      server.end = Date.UTC(2023, 2, 5);
      await withNow("2023-03-10T06:00Z", () => getTwoMonths(server));
      await withNow("2023-03-11T12:00Z", () => getTwoMonths(server));
      assertEquals(server.submitted.length, 2);
      assertEquals(countRoute(server, "file") <= 4, true);
    });
  });

  it("M6: keep warnings of the store as notes for later calls", async () => {
    await withCds(async (server) => {
      await getTwoMonths(server);
      const [{ notes }] = provenance(await getTwoMonths(server));
      assert(notes?.includes("The Climate Data Store says: WARNING: The 2021 autumn may change"));
    });
  });
});
