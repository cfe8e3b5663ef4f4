/**
 * Sites computed in chunks, in this thread and by processes: stored data are the same, to the last bit.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { putValue } from "../../../src/storage/files/value_file.ts";
import type { SiteData } from "../../../src/sites/site_data.ts";
import { type ImportResult, storeSite } from "../../../src/sites/fleet/store_site.ts";
import { JobPool } from "../../../src/storage/jobs/job_pool.ts";
import { ProcessWorker } from "../../../src/storage/jobs/process_worker.ts";
import { buildWorkerArgs, openJobs } from "../../../src/service/running/open_jobs.ts";
import {
  buildGridSite,
  buildReanalysis,
  changePower,
  importData,
  readStored,
  withDirectory,
} from "../_grid_site.ts";

/** One turbine per chunk. */
const limits = { turbines: 1, bytes: 0 };

let folder: string;

/** Gives each test an empty data directory. */
function eachHasADirectory(): void {
  beforeEach(async () => void (folder = await Deno.makeTempDir()));
  afterEach(() => Deno.remove(folder, { recursive: true }));
}

/** Computes a site in one chunk, and returns the stored data. */
async function storeWhole(data: SiteData): Promise<Awaited<ReturnType<typeof readStored>>> {
  const folder = await Deno.makeTempDir();
  try {
    await importData(data, folder);
    return await readStored(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Imports a site by worker processes. */
async function importByProcesses(
  data: SiteData,
  workers: number,
  onTurbine?: () => void,
  signal?: AbortSignal,
): Promise<ImportResult> {
  return await withDirectory(folder, async (directory) => {
    const jobs = openJobs(folder, directory, workers);
    try {
      return await storeSite(data, directory, { limits, jobs, onTurbine, signal });
    } finally {
      await jobs.close();
    }
  });
}

/** Builds a site of two turbines, the first of each cell. */
function buildSmallSite(): SiteData {
  const { turbines: [one, , three], ...data } = buildGridSite();
  return { ...data, turbines: [one, three] };
}

/** Builds this site with production of the second turbine in a wrong unit. */
const wrongUnit = () =>
  changePower(buildSmallSite(), "T3", (power) => power.map((value) => 1000 * value));

describe("a site in chunks of one turbine", () => {
  eachHasADirectory();

  it("is stored as if computed in one chunk, with neighbours and several reanalyses", async () => {
    const data = buildGridSite({ reanalyses: [buildReanalysis("one"), buildReanalysis("two")] });
    await importData(data, folder, { limits });
    const stored = await readStored(folder);
    assertEquals(stored, await storeWhole(data));
    assertEquals(stored[0].stored.calibration!.reanalyses.length, 2);
    for (const { stored: { calibration } } of stored) {
      assertStringIncludes(calibration!.findings.join(), "neighbour");
    }
  });

  it("is reported in the order of the site", async () => {
    const { turbines: [a, b, c, d], ...data } = buildGridSite();
    const { turbines } = await importData({ ...data, turbines: [d, a, c, b] }, folder, { limits });
    assertEquals(turbines.map(({ turbine }) => turbine.id), ["T4", "T1", "T3", "T2"]);
  });
});

describe("a site computed by processes", () => {
  eachHasADirectory();

  it("is stored as if computed here, and reports each finished turbine", async () => {
    const data = buildSmallSite();
    let done = 0;
    await importByProcesses(data, 2, () => done++);
    assertEquals(await readStored(folder), await storeWhole(data));
    assertEquals(done, 2);
  });

  it("SI8: reports a failed turbine, and stores the other, as if computed here", async () => {
    let done = 0;
    const { turbines, failures } = await importByProcesses(wrongUnit(), 1, () => done++);
    assertEquals([turbines.map(({ turbine }) => turbine.id), done], [["T1"], 2]);
    const [{ id, message }] = failures;
    assertEquals([failures.length, id], [1, "T3"]);
    assertStringIncludes(message, "Cannot use the production of T3 in 2022-01");
    const stored = await readStored(folder);
    assertEquals(stored.map((one) => one.stored.turbine.id), ["T1"]);
    assertEquals((await importData(wrongUnit(), folder)).failures, failures);
    assertEquals(await readStored(folder), stored);
  });

  it("is stored correctly if a worker is killed midway", async () => {
    const data = buildSmallSite();
    const { error } = console;
    const logged: string[] = [];
    console.error = (line) => logged.push(line);
    try {
      await withDirectory(folder, async (directory) => {
        const workers: ProcessWorker[] = [];
        const jobs = new JobPool(() => {
          workers.push(new ProcessWorker(buildWorkerArgs(folder)));
          return workers.at(-1)!;
        }, 1);
        let done = 0;
        const onTurbine = () => {
          if (done++ === 0) Deno.kill(workers[0].pid, "SIGKILL");
        };
        await storeSite(data, directory, { limits, jobs, onTurbine });
        await jobs.close();
        assertEquals([workers.length, done], [2, 2]);
      });
    } finally {
      console.error = error;
    }
    assertStringIncludes(
      logged.join(),
      "lost a worker during compute_chunk (1 of 3): it was ended by SIGKILL",
    );
    assertEquals(await readStored(folder), await storeWhole(data));
  });

  it("stops when its signal aborts, and stores nothing", async () => {
    const stop = new AbortController();
    const reason = new Error("Ctrl-C");
    const error = await assertRejects(() =>
      importByProcesses(buildSmallSite(), 1, () => stop.abort(reason), stop.signal)
    );
    assertEquals(error, reason);
    assertEquals(await readStored(folder), []);
  });

  it("is not computed by a worker with another engine", async () => {
    await withDirectory(folder, async (directory) => {
      const jobs = openJobs(folder, directory, 0);
      const input = await putValue(directory.files, { engine: "0" });
      const run = () =>
        jobs.run({ kind: "compute_chunk", parameters: { input }, turn: "", urgent: false });
      const { message } = await assertRejects(
        run,
        Error,
        "their import uses engine 0, but this worker uses ",
      );
      assert(message.endsWith("Run the same version of the program on all machines"));
      await jobs.close();
    });
  });
});
