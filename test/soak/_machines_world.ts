import { delay } from "@std/async";
import { openBucket } from "../../src/machines/s3/open_bucket.ts";
import { S3Files } from "../../src/machines/s3/s3_files.ts";
import { migrateQueue } from "../../src/machines/queue/open_boss.ts";
import { QueuedJobs } from "../../src/machines/queue/queued_jobs.ts";
import { migratePostgres } from "../../src/machines/postgres/postgres_schema.ts";
import { openPostgresStore } from "../../src/machines/postgres/postgres_store.ts";
import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import { MachineProcess } from "../_machine_process.ts";
import { startPostgres } from "../_postgres.ts";
import { startS3 } from "../_s3.ts";
import { startFaultyS3 } from "../machines/s3/_faulty_s3.ts";

/** Number of servers, and of workers. */
const MACHINES = 3;

/** Longest time that a client retries, ms: the fault of a round is over by then. */
export const PATIENCE = 180_000;

/** Longest time that a client waits for one try, ms. */
const TRY_TIMEOUT = 30_000;

/** An answer in full. */
export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Servers and workers on a PostgreSQL and an object store, with a faulty network. */
export class MachinesWorld implements AsyncDisposable {
  /** Failed attempts of clients that were repeated. */
  failedTries = 0;
  /** The database's server. */
  readonly postgres;
  /** The object store, without the faulty network. */
  readonly s3;
  /** The faulty network in front of the object store. */
  readonly network;
  /** `deno task shared serve`, each a process. */
  readonly servers: MachineProcess[] = [];
  /** `deno task work`, each a process. */
  readonly workers: MachineProcess[] = [];
  /** The database as an import sees it, in this process. */
  readonly store;
  /** The files as an import sees them, through the network. */
  readonly files;
  /** The queue as an import sees it. */
  readonly jobs;
  /** Address of the database. */
  readonly database: string;
  readonly #home: string;
  readonly #env: Readonly<Record<string, string>>;
  #next = 0;

  private constructor(parts: Awaited<ReturnType<typeof openParts>>) {
    ({
      postgres: this.postgres,
      s3: this.s3,
      network: this.network,
      store: this.store,
      files: this.files,
      jobs: this.jobs,
      database: this.database,
      home: this.#home,
      env: this.#env,
    } = parts);
  }

  /** Creates an empty storage, without servers or workers. */
  static async open(): Promise<MachinesWorld> {
    return new MachinesWorld(await openParts());
  }

  /** Starts the workers. */
  async startWorkers(): Promise<void> {
    for (let i = 0; i < MACHINES; i++) await this.startWorker(i);
  }

  /** Starts the servers, once something is imported. */
  async startServers(): Promise<void> {
    for (let i = 0; i < MACHINES; i++) await this.startServer(i);
  }

  /** Replaces a server that has ended. */
  async startServer(i: number): Promise<void> {
    this.servers[i] = await MachineProcess.start("shared", ["serve", "--port", "0"], this.#env);
  }

  /** Replaces a worker that has ended. */
  async startWorker(i: number): Promise<void> {
    this.workers[i] = await MachineProcess.start("work", [], this.#env);
  }

  /** Sends one request to one server. */
  async askServer(i: number, path: string, key: string): Promise<Answered> {
    const response = await fetch(new URL(path, this.servers[i].url), {
      headers: { [KEY_HEADER]: key },
      signal: AbortSignal.timeout(TRY_TIMEOUT),
    });
    return { status: response.status, text: await response.text() };
  }

  /** Asks the servers in turn, as a proxy does, until one answers. */
  async ask(path: string, key: string): Promise<Answered> {
    return await this.retry(async () => {
      const answered = await this.askServer(this.#next++ % MACHINES, path, key);
      if (answered.status >= 500) throw new Error(`${answered.status} ${answered.text}`);
      return answered;
    });
  }

  /** Repeats a call that fails while a machine is down. */
  async retry<T>(body: () => Promise<T>): Promise<T> {
    for (const end = performance.now() + PATIENCE;; await delay(100)) {
      try {
        return await body();
      } catch (error) {
        if (performance.now() > end) throw error;
        this.failedTries++;
      }
    }
  }

  /** Ends servers and workers with SIGTERM, and returns their exit codes. */
  async end(): Promise<number[]> {
    const machines = [...this.servers.splice(0), ...this.workers.splice(0)];
    return await Promise.all(machines.map((machine) => machine.end("TERM")));
  }

  /** Removes all processes and files, even if a run fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.servers, ...this.workers].map((machine) => machine.end("KILL")));
    await this.jobs.close();
    await this.store.close();
    this.files.close();
    await this.network[Symbol.asyncDispose]();
    await this.s3.stop();
    await this.postgres.stop();
    await Deno.remove(this.#home, { recursive: true });
  }
}

/** Starts database, object store and network. */
async function openParts() {
  const home = await Deno.makeTempDir();
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  const network = startFaultyS3(s3.endpoint);
  const database = await postgres.createDatabase();
  await migratePostgres(database, "own");
  await migrateQueue(database);
  const address = `${s3.address}/wind`;
  const variables: Record<string, string> = {
    ...s3.environment,
    AWS_ENDPOINT_URL: network.endpoint,
  };
  const env = {
    ...variables,
    VINDKIT_HOME: home,
    VINDKIT_DATABASE: database,
    VINDKIT_FILES: address,
  };
  const store = await openPostgresStore(database);
  const files = new S3Files(await openBucket(address, (name) => variables[name]));
  const jobs = await QueuedJobs.open(database);
  return { home, postgres, s3, network, database, env, store, files, jobs };
}
