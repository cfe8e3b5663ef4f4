/**
 * `update` of a site with climate from its source: against the stand-in of test/era5, whose preliminary months change.
 *
 * @module
 */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { getEra5 } from "../../../src/era5/era5.ts";
import type { FetchEra5 } from "../../../src/sites/climate/fetch_reanalyses.ts";
import { connect } from "../../../src/client/connection/connection.ts";
import { readSiteFile } from "../../../src/sites/declaration/site.ts";
import { saveSite } from "../../../src/sites/declaration/save_site.ts";
import { importSite } from "../../../src/sites/import_site.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { describeFrame, provenance } from "../../../src/frames/origin/provenance.ts";
import { displayOf } from "../../../src/show/check_frame.ts";
import { formatMonthLabel } from "../../../src/time/zones.ts";
import { withoutPauses } from "../../faults/_reads.ts";
import { rowsBetween, wholeExample } from "../../sites/_site.ts";
import { defineSourced, fetchFrom, withSource } from "../../sites/_sourced_site.ts";
import { environmentOf, withNow } from "../../era5/_cds_call.ts";
import { CDS_KEY, type CdsServer, problem } from "../../era5/_cds_server.ts";
import type { TaskOutput } from "../_task.ts";
import { copyFolder, pickFigures, readMonths, runUpdate } from "./_update.ts";

/** Fetches climate with an additional note from the source. */
function sayMore(server: CdsServer, note: string): FetchEra5 {
  return async (options) => {
    const frame = await fetchFrom(server)(options);
    const [{ notes = [], ...origin }] = provenance(frame);
    return describeFrame(frame, displayOf(frame)!.columns, { ...origin, notes: [note, ...notes] });
  };
}

/** A settled year, and everything published since. */
const CLIMATE = { source: "cds", from: "2023" } as const;

/** First instant of a day, ms since 1970 UTC. */
const instantOf = (day: Temporal.PlainDate) => Date.parse(`${day}T00:00Z`);

/** Months until final values replace preliminary ones. */
const REPLACED_AFTER = 3;

/** Days until preliminary values are published. */
const DELAY = 5;

const NOTHING = "No news since the last update";

interface World {
  readonly server: CdsServer;
  readonly data: string;
  readonly siteFile: string;
  /** Imports the site into a data directory, with climate stored in a home folder. */
  importInto(data: string, home: string): Promise<void>;
  /** Runs an act on a day, with the stand-in's data as of that day. */
  onDay<T>(day: string, act: () => Promise<T>): Promise<T>;
  /** Runs `update`, by default with climate from the stand-in. */
  run(fetch?: FetchEra5): Promise<TaskOutput>;
}

/** Runs a test with a site imported and updated on 10 January 2024. */
async function withWorld(body: (world: World) => Promise<void>): Promise<void> {
  await withSource(async (site, server, data) => {
    const { valueOf } = server;
    const siteFile = site.path("site.json");
    await saveSite(defineSourced(site, { climate: CLIMATE }), siteFile);
    const world: World = {
      server,
      data,
      siteFile,
      async importInto(data, home) {
        await using connection = connect({ sample: true, home });
        const era5 = fetchFrom({ url: server.url, connection });
        await importSite(await readSiteFile(siteFile), { data, era5 });
      },
      async onDay(text, act) {
        const day = Temporal.PlainDate.from(text);
        const final = day.with({ day: 1 }).subtract({ months: REPLACED_AFTER });
        server.end = instantOf(day.subtract({ days: DELAY }));
        server.valueOf = (name, latitude, longitude, at) =>
          // preliminary wind is a little stronger
          valueOf(name, latitude, longitude, at) *
          (/^[uv]/.test(name) && at >= instantOf(final) ? 1.02 : 1);
        server.plans.length = 0;
        server.plans.push({ states: ["successful"] }, { states: ["successful"] });
        return await withNow(`${day}T12:00Z`, act);
      },
      run: async (fetch = fetchFrom(server)) => await runUpdate(["--data", data], fetch),
    };
    await world.onDay("2024-01-10", async () => {
      await world.importInto(data, server.home);
      assertEquals((await world.run()).code, 3);
    });
    await body(world);
  });
}

describe("update with climate from its source", () => {
  beforeAll(withoutPauses.before);
  afterAll(withoutPauses.after);

  it("revises months that became final for three months, and has the figures of an import on each day", async () => {
    await withWorld(async ({ server, data, importInto, onDay, run }) => {
      const aside = await Deno.makeTempDir();
      await copyFolder(data, `${aside}/first`);
      for (let i = 1; i <= 3; i++) {
        const day = Temporal.PlainDate.from("2024-01-10").add({ months: i });
        const ago = (months: number) => day.subtract({ months }).toPlainYearMonth().toString();
        const before = new Map((await readMonths(data)).map((one) => [formatMonthLabel(one), one]));
        const { code, out, error } = await onDay(`${day}`, () => run());
        assertEquals([code, error], [0, ""]);
        // The last hour of a month in UTC belongs to the next month in Denmark.
        assertEquals(out.match(/\d{4}-\d\d/g), [ago(1), ago(4), ago(3), ago(5)], out);
        assertMatch(out, /; revised .* \(preliminary climate replaced\); final \d{4}-\d\d with /);
        // Values settled a month ago are not requested again, and on the same day nothing is.
        assertEquals(server.submitted.at(-1)!.inputs.date, [`${ago(5)}-01/${day}`]);
        assertEquals(await onDay(`${day}`, () => run()), { code: 3, out: NOTHING, error: "" });
        assertEquals(server.submitted.length, 2 * i);

        const direct = `${aside}/${i}`;
        await copyFolder(`${aside}/first`, direct);
        await onDay(`${day}`, () => importInto(direct, `${direct}-home`));
        const months = await readMonths(data);
        assertEquals(months.map(pickFigures), (await readMonths(direct)).map(pickFigures));
        for (const month of months) {
          const old = before.get(formatMonthLabel(month));
          const isRevised = month.revision !== (old?.revision ?? 0);
          const isOther = !old ||
            JSON.stringify(pickFigures(month)) !== JSON.stringify(pickFigures(old));
          assertEquals(isRevised, isOther, formatMonthLabel(month));
        }
      }
      await Deno.remove(aside, { recursive: true });
    });
  });

  it("SI9: needs no person if production waits for a month that the source does not have yet", async () => {
    await withWorld(async ({ siteFile, onDay, run }) => {
      const production = (await wholeExample())["production.csv"];
      await Deno.writeTextFile(
        siteFile.replace("site.json", "production.csv"),
        rowsBetween(production, "2022-12-31T23", "2024-01-31T23"),
      );
      const waits = "  E1: the climate data end on 2024-01-27 and do not cover all of 2024-01. " +
        "Each update requests more from its source";
      const { code, out } = await onDay("2024-02-02", () => run());
      assertEquals([code, out.split("\n").at(-1)], [0, waits]);
      const later = await onDay("2024-02-10", () => run());
      assertEquals(later.code, 0);
      assertMatch(later.out, /\n {2}E1: new 2024-01 /);
      assertEquals(later.out.includes("waits"), false);
    });
  });

  it("prints new notes of the source once, but not those of the import", async () => {
    await withWorld(async ({ server, onDay, run }) => {
      assertEquals(await onDay("2024-01-10", () => run()), { code: 3, out: NOTHING, error: "" });
      const next = await onDay("2024-02-10", () => run(sayMore(server, "It ends on 1 December")));
      assertEquals(next.code, 78);
      assertStringIncludes(
        next.out,
        "\nPlease check:\n  example: era5: It ends on 1 December",
      );
      assertEquals(next.out.includes("The request ends at"), false);
      const after = await onDay("2024-02-10", () => run(sayMore(server, "It ends on 1 December")));
      assertEquals(after, { code: 3, out: NOTHING, error: "" });
    });
  });

  it("asks the source even if the home folder is configured to use only its cache", async () => {
    await withWorld(async ({ server, onDay, run }) => {
      const { home } = server;
      await using connection = connect({ sample: true, home, cache: "only" });
      const { code } = await onDay("2024-02-10", () => run(fetchFrom({ ...server, connection })));
      assertEquals(code, 0);
    });
  });

  it("needs a person after updates have failed for three days, even if they run rarely", async () => {
    await withWorld(async ({ server: { connection }, data, onDay, run }) => {
      const fetch: FetchEra5 = async (options) =>
        await getEra5(
          { ...options, connection },
          environmentOf({ CDSAPI_URL: "http://127.0.0.1:9/api", CDSAPI_KEY: CDS_KEY }),
        );
      await onDay("2024-02-01", () => run());
      assertEquals((await onDay("2024-02-10", () => run(fetch))).code, 75);
      assertEquals((await onDay("2024-02-12", () => run(fetch))).code, 75);
      const { code, error } = await onDay("2024-02-13", () => run(fetch));
      assertEquals(code, 78);
      assertMatch(
        error,
        /^No update has succeeded since the failure on 2024-02-10T12:00 UTC: .*127\.0\.0\.1:9/,
      );
      {
        await using other = await openStorage(data);
        await using _lock = await other.store.lockUpdates(); // held by an update that never ends
        assertEquals((await onDay("2024-02-12", () => run())).code, 75);
        assertEquals((await onDay("2024-02-13", () => run())).code, 78);
      }
      assertEquals((await onDay("2024-02-13", () => run())).code, 0);
      assertEquals((await onDay("2024-02-20", () => run(fetch))).code, 75);
    });
  });

  const refusals: readonly (readonly [string, number, string, (server: CdsServer) => void])[] = [
    ["a licence that is not accepted", 78, "manage-licences", (server) => {
      server.licenceAccepted = false;
    }],
    ["a key that is not known", 78, "Check the key", ({ faults }) => {
      faults.push({ on: "submit", answer: () => problem(401, "Authentication failed") });
    }],
    ["a limit of rates", 75, "429", ({ faults }) => {
      const answer = () => problem(429, "too many", "too many", {}, { "retry-after": "0" });
      for (let i = 0; i < 20; i++) faults.push({ on: "submit", answer });
    }],
    ["a job that failed", 78, "that the job failed", ({ plans }) => {
      plans.length = 0;
      plans.push({ states: ["failed"], reason: "MARS is down" });
    }],
  ];
  for (const [what, expected, message, prepare] of refusals) {
    it(`ends with ${expected} at ${what}, and changes nothing; the next one continues`, async () => {
      await withWorld(async ({ server, data, onDay, run }) => {
        const before = await readMonths(data);
        const { code, out, error } = await onDay("2024-02-10", async () => {
          prepare(server);
          return await run();
        });
        assertEquals([code, out], [expected, ""], error);
        assertStringIncludes(error, message);
        assertEquals(error.includes(CDS_KEY), false);
        assertEquals(await readMonths(data), before);
        server.faults.length = 0;
        server.licenceAccepted = true;
        const next = await onDay("2024-02-10", () => run());
        assertEquals(next.code, 0);
        assertMatch(next.out, /new 2024-01 with /);
      });
    });
  }

  const environments: readonly (readonly [string, number, Record<string, string>, string])[] = [
    ["without a key", 78, { CDSAPI_RC: "/no/such/file" }, "its key is missing"],
    [
      "without a network",
      75,
      { CDSAPI_URL: "http://127.0.0.1:9/api", CDSAPI_KEY: CDS_KEY },
      "127.0.0.1:9",
    ],
  ];
  for (const [what, expected, variables, message] of environments) {
    it(`ends with ${expected} ${what}`, async () => {
      await withWorld(async ({ server: { connection }, onDay, run }) => {
        const fetch: FetchEra5 = async (options) =>
          await getEra5({ ...options, connection }, environmentOf(variables));
        const { code, error } = await onDay("2024-02-10", () => run(fetch));
        assertEquals(code, expected);
        assertStringIncludes(error, message);
      });
    });
  }
});
