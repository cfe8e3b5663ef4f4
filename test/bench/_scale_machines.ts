import { cpuUsage } from "node:process";
import { openBucket } from "../../src/machines/s3/open_bucket.ts";
import { S3Files } from "../../src/machines/s3/s3_files.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { storeSite } from "../../src/sites/fleet/store_site.ts";
import { migrateQueue } from "../../src/machines/queue/open_boss.ts";
import { QueuedJobs } from "../../src/machines/queue/queued_jobs.ts";
import { migratePostgres } from "../../src/machines/postgres/postgres_schema.ts";
import { openPostgresStore } from "../../src/machines/postgres/postgres_store.ts";
import { issueLocalKey } from "../../src/service/licences/licences.ts";
import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import { buildPath } from "../service/_answers.ts";
import { startPostgres } from "../_postgres.ts";
import { startS3 } from "../_s3.ts";
import { MachineProcess } from "../_machine_process.ts";
import { measureProcess } from "./_process_use.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

/** Costs of an import. */
export interface ImportUse {
  /** Time until the last turbine was computed, s. */
  readonly computed: number;
  /** Time until everything was stored, s. */
  readonly stored: number;
  /** Processor time, s. */
  readonly cpu: Readonly<Record<"workers" | "import" | "postgres" | "s3", number>>;
  /** Highest memory of a worker process so far, bytes. */
  readonly memory: number;
}

/** Sizes of the stored data. */
export interface StoredBytes {
  /** Size of the database, bytes. */
  readonly database: number;
  /** Hourly models, bytes. */
  readonly models: number;
  /** Climate of the grid points, bytes. */
  readonly points: number;
  /** Input and output of chunks, removed after a day, bytes. */
  readonly passing: number;
}

/** Costs of one answer. */
export interface AnswerUse {
  /** Processor time of the server, s. */
  readonly server: number;
  /** Processor time of PostgreSQL, s. */
  readonly postgres: number;
}

/** Number of measured answers, of warm-up answers, and of simultaneous requests. */
const ANSWERS = { measured: 10_000, before: 2000, atOnce: 32 };

/** A new PostgreSQL, S3 server and workers on this machine. */
export class ScaleMachines implements AsyncDisposable {
  readonly #parts: Awaited<ReturnType<typeof openParts>>;
  readonly #workers: MachineProcess[] = [];

  private constructor(parts: Awaited<ReturnType<typeof openParts>>) {
    this.#parts = parts;
  }

  /**
   * Starts them.
   *
   * @param workers Number of workers
   */
  static async start(workers: number): Promise<ScaleMachines> {
    const machines = new ScaleMachines(await openParts());
    for (let i = 0; i < workers; i++) {
      machines.#workers.push(await MachineProcess.start("work", [], machines.#parts.env));
    }
    return machines;
  }

  /** Imports a site with the workers, and measures the import. */
  async import(site: SiteData): Promise<ImportUse> {
    const { store, files, jobs } = this.#parts;
    const before = await this.#measureUse();
    const begun = performance.now();
    let computed = begun;
    const { unchanged } = await storeSite(site, { store, files }, {
      jobs,
      onTurbine: () => computed = performance.now(),
    });
    if (unchanged) throw new Error("nothing was imported");
    const stored = performance.now();
    const { cpu, memory } = await this.#measureUse();
    return {
      computed: (computed - begun) / 1000,
      stored: (stored - begun) / 1000,
      cpu: {
        workers: cpu.workers - before.cpu.workers,
        import: cpu.import - before.cpu.import,
        postgres: cpu.postgres - before.cpu.postgres,
        s3: cpu.s3 - before.cpu.s3,
      },
      memory,
    };
  }

  /** Measures the sizes of the stored data. */
  async measureBytes(): Promise<StoredBytes> {
    const { store, postgres, database, folder } = this.#parts;
    const size = await postgres.run(
      "psql",
      ...["-At", "-d", new URL(database).pathname.slice(1), "-c"],
      "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' " +
        "AND relnamespace = 'vindkit'::regnamespace",
    );
    const points = new Set((await sitesOf(store).points("synthetic")).map(({ file }) => file));
    const bytes = { models: 0, points: 0, passing: 0 };
    for (const { name } of Deno.readDirSync(folder)) {
      const kind = points.has(name) ? "points" : name.endsWith(".parquet") ? "models" : "passing";
      bytes[kind] += Deno.statSync(`${folder}/${name}`).size;
    }
    return { database: Number(new TextDecoder().decode(size)), ...bytes };
  }

  /**
   * Measures answers with the index of a month, one turbine after the other.
   *
   * @param turbines Identifiers of the turbines
   */
  async measureAnswers(turbines: readonly string[]): Promise<AnswerUse> {
    const { store, postgres, env } = this.#parts;
    const server = await MachineProcess.start("shared", ["serve", "--port", "0"], env);
    const headers = { [KEY_HEADER]: await issueLocalKey(store.licences) };
    const ask = async (count: number) => {
      let left = count;
      await Promise.all(Array.from({ length: ANSWERS.atOnce }, async () => {
        while (left-- > 0) {
          const turbine_id = turbines[left % turbines.length];
          const path = buildPath("monthly_index", { turbine_id, year: 2023, month: 5 });
          const response = await fetch(new URL(path, server.url), { headers });
          if (!response.ok) throw new Error(await response.text());
          await response.bytes();
        }
      }));
    };
    try {
      await ask(ANSWERS.before);
      const measure = () => Promise.all([server.pid, postgres.pid].map(measureProcess));
      const before = await measure();
      await ask(ANSWERS.measured);
      const [serverUse, postgresUse] = (await measure())
        .map(({ cpu }, i) => (cpu - before[i].cpu) / ANSWERS.measured);
      return { server: serverUse, postgres: postgresUse };
    } finally {
      await server.end("TERM");
    }
  }

  async #measureUse() {
    const { postgres, s3 } = this.#parts;
    const workers = await Promise.all(this.#workers.map(({ pid }) => measureProcess(pid)));
    const { user, system } = cpuUsage();
    return {
      cpu: {
        workers: workers.reduce((sum, { cpu }) => sum + cpu, 0),
        import: (user + system) / 1e6,
        postgres: (await measureProcess(postgres.pid)).cpu,
        s3: (await measureProcess(s3.pid)).cpu,
      },
      memory: Math.max(0, ...workers.map(({ memory }) => memory)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { home, postgres, s3, store, files, jobs } = this.#parts;
    for (const worker of this.#workers) await worker.end("TERM");
    await jobs.close();
    await store.close();
    files.close();
    await s3.stop();
    await postgres.stop();
    await Deno.remove(home, { recursive: true });
  }
}

async function openParts() {
  const home = await Deno.makeTempDir();
  const [postgres, s3] = await Promise.all([
    startPostgres(["fsync=on", "full_page_writes=on", "autovacuum=on"]),
    startS3(),
  ]);
  const database = await postgres.createDatabase();
  await migratePostgres(database, "own");
  await migrateQueue(database);
  const address = s3.address;
  const env = {
    ...s3.environment,
    VINDKIT_HOME: home,
    VINDKIT_DATABASE: database,
    VINDKIT_FILES: address,
  };
  const store = await openPostgresStore(database);
  const files = new S3Files(await openBucket(address, (name) => s3.environment[name]));
  const jobs = await QueuedJobs.open(database);
  return { home, postgres, s3, database, folder: s3.folder, env, store, files, jobs };
}
