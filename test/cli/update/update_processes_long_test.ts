/**
 * `update` in processes: two at once, and killed at each step of its work.
 *
 * @module
 */
import { delay } from "@std/async";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readSiteFile } from "../../../src/sites/declaration/site.ts";
import { saveSite } from "../../../src/sites/declaration/save_site.ts";
import { importSite } from "../../../src/sites/import_site.ts";
import { defineSourced, fetchFrom, withSource } from "../../sites/_sourced_site.ts";
import { countRoute, finishJobs } from "../../era5/_cds_call.ts";
import { CDS_KEY, type CdsServer } from "../../era5/_cds_server.ts";
import { killAt, type Moment } from "../../era5/_killed_era5.ts";
import type { TaskOutput } from "../_task.ts";
import { copyFolder, readMonths, runUpdate } from "./_update.ts";

const SCRIPT = new URL("_update_process.ts", import.meta.url).pathname;

/** The command itself, with its normal pauses. */
const COMMAND = [new URL("../../../src/cli/mod.ts", import.meta.url).pathname, "update"];

/** A data directory with a home folder, updated by a process. */
interface Place {
  readonly data: string;
  readonly home: string;
}

/** Starts an update. */
function start(
  { url }: CdsServer,
  { data, home }: Place,
  program: readonly string[] = [SCRIPT],
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", ...program, "--data", data],
    env: { CDSAPI_URL: url, CDSAPI_KEY: CDS_KEY, VINDKIT_HOME: home, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function readOutput(child: Deno.ChildProcess): Promise<TaskOutput> {
  const { code, stdout, stderr } = await child.output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  return { code, out, error };
}

/** Runs a test with a site imported until March, whose climate file has reached June meanwhile. */
async function withNewMonths(
  body: (server: CdsServer, makePlace: (name: string) => Promise<Place>) => Promise<void>,
): Promise<void> {
  await withSource(async (site, server, data) => {
    const siteFile = site.path("site.json");
    const save = (to: string) =>
      saveSite(defineSourced(site, { climate: { source: "cds", from: "2023", to } }), siteFile, {
        overwrite: true,
      });
    await save("2024-03");
    await importSite(await readSiteFile(siteFile), { data, era5: fetchFrom(server) });
    await runUpdate(["--data", data], fetchFrom(server)); // which repeats the notes of the source
    await save("2024-06");
    await body(server, async (name) => {
      const place = { data: site.path(`${name}/data`), home: site.path(`${name}/home`) };
      await copyFolder(data, place.data);
      await copyFolder(server.home, place.home);
      return place;
    });
  });
}

describe("simultaneous updates", () => {
  it("a second one says that another is running, and how to continue", async () => {
    await withNewMonths(async (server, makePlace) => {
      const place = await makePlace("both");
      server.plans.push({ states: ["running"] });
      const looks = countRoute(server, "job");
      let running = true;
      const first = readOutput(start(server, place)).finally(() => running = false);
      while (running && countRoute(server, "job") === looks) await delay(10);
      const { code, out, error } = await readOutput(start(server, place));
      assertEquals([code, out], [75, ""]);
      assertStringIncludes(error, "another update is running. Wait until it ends");
      finishJobs(server);
      const ended = await first;
      assertEquals([ended.code, ended.error], [0, ""]);
      assertMatch(ended.out, /new 2024-04 with .*2024-05 with .*2024-06 with /);
    });
  });
});

describe("a stopped update", () => {
  it("ends with the code of its signal, and the next one continues", async () => {
    await withNewMonths(async (server, makePlace) => {
      const place = await makePlace("stopped");
      server.plans.push({ states: ["running"] });
      const looks = countRoute(server, "job");
      const child = start(server, place, COMMAND);
      let running = true;
      const stopped = readOutput(child).finally(() => running = false);
      while (running && countRoute(server, "job") === looks) await delay(10);
      child.kill("SIGTERM");
      const { code, out, error } = await stopped;
      assertEquals([code, out], [143, ""], error);
      assertEquals(
        error,
        "Stopped by SIGTERM. No site is left half imported. Run the same command to continue.",
      );
      finishJobs(server);
      const submitted = server.submitted.length;
      assertEquals((await readOutput(start(server, place))).code, 0);
      assertEquals(server.submitted.length, submitted);
    });
  });
});

/** Number of series and models, named or not. */
async function countSeries(data: string): Promise<number> {
  return (await Array.fromAsync(Deno.readDir(`${data}/files`)))
    .filter(({ name }) => name.endsWith(".parquet")).length;
}

/** Kills an update as soon as its import writes. */
async function killImport(server: CdsServer, place: Place): Promise<void> {
  const before = await countSeries(place.data);
  const child = start(server, place);
  let ended = false;
  const end = child.output().then(() => ended = true);
  while (!ended && await countSeries(place.data) === before) await delay(1);
  if (!ended) child.kill("SIGKILL");
  await end;
}

describe("a killed update", () => {
  const moments: readonly Moment[] = [
    { on: "submit", late: false },
    { on: "submit", late: true },
    { on: "job", late: false },
    { on: "results", late: false },
    { on: "file", late: false, bytes: 100 },
    { on: "delete", late: true },
  ];
  it("leaves no trace: the next one has the same figures and reports the same", async () => {
    await withNewMonths(async (server, makePlace) => {
      const run = (place: Place) => readOutput(start(server, place));
      const never = await makePlace("never");
      const wanted = await run(never);
      assertEquals([wanted.code, wanted.error], [0, ""]);
      for (const [i, moment] of [...moments, undefined].entries()) {
        const place = await makePlace(`killed${i}`);
        const before = server.submitted.length;
        if (moment) {
          const same = server.seen.filter(({ route }) => route === moment.on).length;
          const moved = { ...server, home: place.home };
          await killAt(moved, { ...moment, after: same }, () => start(server, place));
        } else await killImport(server, place);
        const where = moment ? `${moment.on}, ${moment.late}` : "import";
        assertEquals(await run(place), wanted, where);
        assertEquals(await readMonths(place.data), await readMonths(never.data), where);
        assertEquals(server.submitted.length, before + 1, where);
        assertEquals((await run(place)).code, 3, where);
      }
    });
  });
});
