/**
 * The suite that every implementation of `Jobs` must pass. It runs real jobs in a data directory with one climate
 * point, and checks results in store and files, as the service does.
 *
 * @module
 */
import { builtOrder } from "../store/_orders.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openStorage, type Storage } from "../../../src/storage/storage.ts";
import type { Files } from "../../../src/storage/files/files.ts";
import { type Job, JobError, type Jobs } from "../../../src/storage/jobs/job.ts";
import { putValue, readValue } from "../../../src/storage/files/value_file.ts";
import type { TurbineFailure } from "../../../src/sites/site_data.ts";
import type { ModelledTurbine } from "../../../src/sites/fleet/compute_fleet.ts";
import type { SiteChunk } from "../../../src/sites/fleet/split_site.ts";
import { Refusal } from "../../../src/storage/jobs/refusal.ts";
import type { Store } from "../../../src/storage/store/store.ts";
import { ENGINE_VERSION } from "../../../src/windindex/power_model.ts";
import { buildGridSite, buildProduction } from "../../sites/_grid_site.ts";
import { putClimatePoint } from "../../service/_climate_data.ts";
import { validValues } from "../../service/_sample.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

/** A data directory for jobs. */
export interface JobData {
  readonly folder: string;
  readonly store: Store;
  readonly files: Files;
  /** Places and approves an order of a year; returns the job that builds its file. */
  approve(
    id: string,
    serialNumber?: string,
    change?: Record<string, string | number>,
  ): Promise<Job>;
}

/** Opens the storage of an empty folder. */
type OpenFolder = (folder: string) => Promise<Storage>;

const openDirectory: OpenFolder = (folder) =>
  openStorage(folder, { create: true, world: "sample" });

/** Runs a body with a data directory with one climate point. */
export async function withJobData(
  body: (data: JobData) => Promise<void>,
  open: OpenFolder = openDirectory,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const { store, files } = await open(folder);
  try {
    const { points: [{ latitude: lat, longitude: lon }] } = await putClimatePoint({ store, files });
    const values = { ...validValues.place_order, filetype: "csv", lat, lon };
    let orders = 0;
    const approve = async (id: string, serialNumber = "a", change = {}): Promise<Job> => {
      const place = { lat: lat + orders++ * 1e-6 }; // otherwise an open equal order would be joined
      await store.orders.place({
        id,
        serialNumber,
        serviceId: "era5",
        parameters: { ...values, ...place, ...change },
        state: "approved",
      }, Date.now());
      const parameters = { id };
      return { kind: "build_order", parameters, turn: serialNumber, urgent: false };
    };
    await body({ folder, store, files, approve });
  } finally {
    await store.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Builds a chunk of one turbine, with an offset in its production, kW. */
function buildChunk(offset: number): SiteChunk {
  const { reanalyses, turbines: [one] } = buildGridSite();
  const base = buildProduction("T1");
  const production = [{ ...base, power: base.power.map((power) => power + offset) }];
  const earlier = new Map([[0, { calibration: null, nextRevision: 1, recalibrate: false }]]);
  return { engine: ENGINE_VERSION, reanalyses, turbines: [{ ...one, production }], earlier };
}

/** An implementation of `Jobs` with one worker. */
export interface OpenJobs {
  readonly jobs: Jobs;
  /** Waits until one of the jobs is running. */
  begun(): Promise<void>;
}

/**
 * Runs the suite on an implementation.
 *
 * @param name Name of the implementation
 * @param open Opens the implementation on a data directory
 * @param options `openFolder`: opens a storage; `order`: whether this implementation decides the order of jobs
 */
export function testJobs(
  name: string,
  open: (data: JobData) => OpenJobs | Promise<OpenJobs>,
  { openFolder, order = true }: { openFolder?: OpenFolder; order?: boolean } = {},
): void {
  describe(`jobs done by ${name}`, () => {
    let data: JobData;
    let jobs: Jobs;
    let waitForBegin: () => Promise<void>;
    let end: () => void;
    let ended: Promise<void>;

    beforeEach(async () => {
      const begun = Promise.withResolvers<void>();
      ended = withJobData(async (made) => {
        data = made;
        ({ jobs, begun: waitForBegin } = await open(data));
        begun.resolve();
        await new Promise<void>((resolve) => end = resolve);
        await jobs.close();
      }, openFolder);
      await Promise.race([begun.promise, ended]);
    });
    afterEach(async () => {
      end();
      await ended;
    });

    const stateOf = async (id: string) => (await data.store.orders.get(id))!.state;

    it("leave their results in the store and in files", async () => {
      await jobs.run(await data.approve("one"));
      const { state, file, expires } = await builtOrder(data.store, "one");
      assertEquals(state, "complete");
      assert(expires > Date.now() && (await data.files.names()).includes(file));
    });

    it("are rejected with the reason", async () => {
      const job = await data.approve("none", "a", { start_year: 1950, end_year: 1950 });
      const refusal = await assertRejects(() => jobs.run(job), Refusal);
      assertEquals(refusal.meaning, "no_data");
    });

    it("answer with the name of a result file that no row names", async () => {
      const input = await putValue(data.files, buildChunk(0));
      const job = {
        kind: "compute_chunk",
        parameters: { input },
        turn: "",
        urgent: false,
      } as const;
      const [one, two] = await Promise.all([jobs.run(job), jobs.run(job)]);
      assertEquals(one, two);
      const read = async (name: string) =>
        await readValue(data.files, name) as readonly ModelledTurbine[];
      const [turbine] = await read(one.result);
      assertEquals(await read((await jobs.run(job)).result), [turbine]);
      assert(turbine.months.length > 11 && (await data.files.names()).includes(turbine.modelFile!));
    });

    it("SI8: answer with the failure of a turbine, because others may succeed", async () => {
      const input = await putValue(data.files, buildChunk(1e6));
      const job = {
        kind: "compute_chunk",
        parameters: { input },
        turn: "",
        urgent: false,
      } as const;
      const [failure] = await readValue(
        data.files,
        (await jobs.run(job)).result,
      ) as TurbineFailure[];
      assertEquals(failure.id, "T1");
      assertStringIncludes(failure.message, "Cannot use the production of T1");
    });

    it("fail with the reason, and the next job is done", async () => {
      const [{ file }] = await sitesOf(data.store).points("era5");
      const [series, away] = [data.files.path(file), `${data.folder}/away`];
      await Deno.rename(series, away);
      const job = await data.approve("one");
      const error = await assertRejects(() => jobs.run(job), Error);
      assert(!(error instanceof Refusal), "it may be tried again");
      await Deno.rename(away, series);
      await jobs.run(job);
      assertEquals(await stateOf("one"), "complete");
    });

    it("finish if running when the queue is closed; the others are left for the next start", async () => {
      const [first, second] = [await data.approve("one"), await data.approve("two")];
      const running = jobs.run(first);
      await waitForBegin();
      const left = assertRejects(() => jobs.run(second), JobError, "after the next start");
      await jobs.close();
      await Promise.all([running, left]);
      assertEquals([await stateOf("one"), await stateOf("two")], ["complete", "approved"]);
      await assertRejects(() => jobs.run(second), JobError);
    });

    if (!order) return;

    it("do no harm if done twice", async () => {
      const job = await data.approve("one");
      await Promise.all([jobs.run(job), jobs.run(job)]);
      const first = await data.store.orders.get("one");
      await jobs.run(job);
      assertEquals(await data.store.orders.get("one"), first);
    });

    it("H4 F49 take turns between licences: the first job of one does not wait for all jobs of another", async () => {
      const order: string[] = [];
      const builds: [id: string, job: Job][] = [];
      for (const id of ["a0", "a1", "a2", "a3", "b0"]) {
        builds.push([id, await data.approve(id, id[0])]);
      }
      await Promise.all(
        builds.map(([id, job]) => jobs.run(job).then(() => void order.push(id))),
      );
      // One of the others is already running; one more may start before this one.
      assert(order.indexOf("b0") <= 2, order.join());
      assertEquals(order.filter((id) => id[0] === "a"), ["a0", "a1", "a2", "a3"]);
    });

    it("with a waiting request go before others of the same licence", async () => {
      const order: string[] = [];
      const run = (name: string, job: Job) => jobs.run(job).then(() => void order.push(name));
      const [one, two, three] = [
        await data.approve("one"),
        await data.approve("two"),
        await data.approve("three"),
      ];
      const { parameters } = (await data.store.orders.get("one"))!;
      const first = run("one", one);
      await waitForBegin();
      // At once, while the first one runs.
      await Promise.all([
        first,
        run("two", two),
        run("three", three),
        run("download", { kind: "build_download", parameters, turn: "a", urgent: true }),
      ]);
      assertEquals(order, ["one", "download", "two", "three"]);
    });
  });
}
