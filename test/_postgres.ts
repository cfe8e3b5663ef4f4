/**
 * A separate PostgreSQL for a test: in a temporary folder, on loopback, ended with the test.
 *
 * @module
 */
import { afterAll, beforeAll, describe } from "@std/testing/bdd";
import { sha256 } from "../src/disk/hashes.ts";
import { homeFolder, homePath } from "../src/disk/home.ts";
import { findFreePort, waitForPort } from "./_ports.ts";

/** Folder of the server's programs on Debian, which is not on the PATH. */
const DEBIAN_FOLDER = "/usr/lib/postgresql/15/bin";

const USER = "vindkit";

/** The password has characters that an address must escape. */
const PASSWORD = "p@ss/word";

/** A running server. */
export interface Postgres {
  /** Port on loopback. */
  readonly port: number;
  /** Process of the server, for signals. */
  readonly pid: number;
  /** Creates a database, empty or as a copy of an unused one; returns its address with user and password. */
  createDatabase(original?: string): Promise<string>;
  /** Runs a program of PostgreSQL on a database, such as `pg_dump`; returns its output. */
  run(program: string, ...args: string[]): Promise<Uint8Array>;
  /** Kills the server like a crash; it recovers at its next start. */
  crash(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

function findFolder(): string | undefined {
  const folders = [DEBIAN_FOLDER, ...(Deno.env.get("PATH") ?? "").split(":")];
  return folders.find((folder) => {
    try {
      return Deno.statSync(`${folder}/initdb`).isFile;
    } catch {
      return false;
    }
  });
}

const folder = findFolder();

/** Whether a server can be started. */
export const hasPostgres: boolean = folder !== undefined;

/** Prefix of commands, because PostgreSQL refuses to run as root. */
const asUser = Deno.uid() === 0
  ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
  : [];

function command(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const [first, ...rest] = [...asUser, `${folder}/${program}`, ...args];
  return new Deno.Command(first, {
    args: rest,
    env: { PGPASSWORD: PASSWORD, LC_ALL: "C.UTF-8", ...env },
    cwd: "/",
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

async function runProgram(program: string, args: readonly string[]): Promise<Uint8Array> {
  const { success, stdout, stderr } = await command(program, args).output();
  if (success) return stdout;
  throw new Error(`${program} failed: ${new TextDecoder().decode(stderr)}`);
}

/** Copies a folder with owners and modes. */
async function copyFolder(from: string, to: string): Promise<void> {
  const { success } = await new Deno.Command("cp", { args: ["-a", from, to] }).output();
  if (!success) throw new Error(`cannot copy ${from} to ${to}`);
}

/** Makes the files of a new cluster: creates one per version, and copies it for each test. */
async function makeCluster(data: string, password: string): Promise<void> {
  const version = new TextDecoder().decode(await runProgram("initdb", ["--version"]));
  const original = homePath(`for-tests-postgres-${sha256(version).slice(0, 8)}`);
  const isMade = await Deno.stat(original).then(() => true, () => false);
  if (isMade) return await copyFolder(original, data);
  await runProgram("initdb", [
    ...[`--pgdata=${data}`, `--username=${USER}`, `--pwfile=${password}`, "--no-sync"],
    ...["--auth=scram-sha-256", "--encoding=UTF8", "--data-checksums"],
  ]);
  const copy = `${original}-${crypto.randomUUID()}`;
  await Deno.mkdir(homeFolder(), { recursive: true, mode: 0o700 });
  await copyFolder(data, copy);
  await Deno.rename(copy, original).catch(() => Deno.remove(copy, { recursive: true })); // another test has made it first
}

/**
 * Starts a server.
 *
 * @param settings Further settings, such as `max_connections=20`
 * @throws {Error} If PostgreSQL is not installed
 */
export async function startPostgres(settings: readonly string[] = []): Promise<Postgres> {
  if (folder === undefined) {
    throw new Error(
      `Cannot start PostgreSQL: initdb is neither in ${DEBIAN_FOLDER} nor on the PATH. Install ` +
        "PostgreSQL 15 or later, on Debian with: apt-get install postgresql",
    );
  }
  const home = await Deno.makeTempDir({ prefix: "vindkit-postgres-" });
  const password = `${home}/password`;
  await Deno.writeTextFile(password, PASSWORD);
  if (asUser.length > 0) {
    await new Deno.Command("chown", { args: ["-R", "postgres", home] }).output();
  }
  const data = `${home}/data`;
  await makeCluster(data, password);
  const port = findFreePort();
  let server: Deno.ChildProcess;
  let ended: Promise<unknown>;
  let databases = 0;

  async function start(): Promise<void> {
    const all = [
      ...[`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="],
      ...["logging_collector=on", "max_connections=200"],
      ...["fsync=off", "full_page_writes=off", "autovacuum=off"], // tests do not crash the machine
      ...settings,
    ];
    server = command("postgres", ["-D", data, ...all.flatMap((one) => ["-c", one])]).spawn();
    ended = Promise.all([server.status, server.stdout.cancel(), server.stderr.cancel()]);
    await waitForPort(port);
    // Connects too, because it listens before it has recovered.
    while (!(await command("pg_isready", ["-h", "127.0.0.1", "-p", `${port}`]).output()).success);
  }

  async function end(signal: Deno.Signal): Promise<void> {
    server.kill(signal);
    await ended;
  }

  const at = ["-h", "127.0.0.1", "-p", `${port}`, "-U", USER];
  await start();
  return {
    port,
    get pid() {
      return server.pid;
    },
    async createDatabase(original) {
      const name = `test_${++databases}`;
      const template = original ? new URL(original).pathname.slice(1) : "template1";
      // Copying as files takes a third of the time.
      const how = ["--strategy=file_copy", `--template=${template}`];
      await runProgram("createdb", [...at, ...how, name]);
      return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${name}`;
    },
    run: (program, ...args) => runProgram(program, [...at, ...args]),
    crash: () => end("SIGQUIT"),
    start,
    async stop() {
      await end("SIGINT");
      await Deno.remove(home, { recursive: true });
    },
  };
}

/**
 * A group of tests with its own server; skipped, with the reason in its name, if PostgreSQL is not installed.
 *
 * @param define Defines the tests; the server runs during them
 */
export function describeWithPostgres(name: string, define: (server: () => Postgres) => void): void {
  if (folder === undefined) {
    describe.ignore(`${name} (left out: PostgreSQL is not installed)`, () => define(fail));
    return;
  }
  describe(name, () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());
    define(() => server);
  });
}

function fail(): never {
  throw new Error("there is no server");
}
