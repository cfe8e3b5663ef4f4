/**
 * The commands on a shared PostgreSQL and object store: the same answers as from a data directory.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { delay } from "@std/async";
import { afterAll, beforeAll, it } from "@std/testing/bdd";
import { openPostgresStore } from "../../../src/machines/postgres/postgres_store.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { describeWithS3 } from "../../_s3.ts";
import {
  answersTo,
  answerTo,
  type Ask,
  buildPath,
  listPaths,
  ORDERED,
} from "../../service/_answers.ts";
import { monthsBetween } from "../../service/_published.ts";
import { hashesBelow, makeSite, type TestSite } from "../../sites/_site.ts";
import { startServeTask } from "../_serve_task.ts";
import { runTaskWith, type TaskOutput } from "../_task.ts";

/** Time limit of an order, ms. */
const DEADLINE = 60_000;

function askingAt(url: string): Ask {
  return (path, headers) => fetch(new URL(path, url), { headers });
}

/** Places an order, waits until it has its address, and downloads its file. */
async function downloadOrder(ask: Ask, key: string): Promise<string> {
  const placed = await answerTo(ask, buildPath("place_order", ORDERED), key);
  const status = buildPath("order_status", { order_id: JSON.parse(placed.slice(4)) });
  for (const end = performance.now() + DEADLINE; performance.now() < end; await delay(50)) {
    const word = JSON.parse((await answerTo(ask, status, key)).slice(4));
    if (word.startsWith("http")) return await answerTo(ask, word, "");
  }
  throw new Error("the order has no address yet");
}

/** Starts `deno task work`, and waits until it is ready. */
async function startWorker(env: Record<string, string>): Promise<AsyncDisposable> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "work"],
    env,
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("stop it with Ctrl-C\n")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`deno task work has ended: ${text}`);
    text += value;
  }
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await reader.cancel();
    },
  };
}

describeWithPostgres("a shared storage", (postgres) => {
  describeWithS3("of PostgreSQL and an object store", (s3) => {
    let site: TestSite;
    let home: string;
    let variables: Record<string, string>;
    let keys: Record<"shared" | "directory", string>;

    /** Runs a task, and asserts that it prints no secret. */
    async function run(...words: string[]): Promise<TaskOutput> {
      const output = await runTaskWith(variables, ...words);
      const { password } = new URL(variables.VINDKIT_DATABASE);
      const secrets = [password, decodeURIComponent(password), variables.AWS_SECRET_ACCESS_KEY];
      for (const secret of secrets) assert(!`${output.out}${output.error}`.includes(secret));
      return output;
    }

    beforeAll(async () => {
      site = await makeSite();
      home = await Deno.makeTempDir();
      variables = {
        VINDKIT_HOME: home,
        VINDKIT_DATABASE: await postgres().createDatabase(),
        VINDKIT_FILES: `${s3().address}/wind`,
        ...s3().environment,
      };
    });
    afterAll(async () => {
      await Deno.remove(site.folder, { recursive: true });
      await Deno.remove(home, { recursive: true });
    });

    it("must be migrated before the first import", async () => {
      const early = await run("shared", "import", await site.siteFile());
      assertEquals([early.code, early.out], [1, ""]);
      assertMatch(early.error, /it has no Vindkit tables\. Run: vindkit migrate --database/);
      const first = await run("migrate");
      assertEquals([first.code, first.out], [0, "Created the tables, version 3\n"]);
      assertEquals((await run("migrate")).out, "The tables already have version 3\n");
    });

    it("is refused by tasks without access, which name the task with access", async () => {
      for (const words of [["licence", "list"], ["serve"]]) {
        const { code, error } = await run(...words);
        assertEquals(code, 1);
        assertMatch(
          error,
          /has no permission for it\. In a checkout, run: deno task shared COMMAND/,
        );
      }
    });

    it("is filled once by an import, as a data directory is, and a worker computes the turbines", async () => {
      await using _worker = await startWorker(variables);
      const read = async (...words: string[]) => {
        const { code, out, error } = await run(...words);
        assertEquals([code, error], [0, ""]);
        return out;
      };
      const file = await site.siteFile();
      const [shared, directoryOutput] = [
        await read("import", file), // as "shared import" does
        await read("import", file, "--data", `${home}/own`),
      ];
      const add = ["licence", "add", "OWN-1", "own@example.org"];
      const keyOf = (text: string) => /[0-9a-f]{64}/.exec(text)![0];
      keys = {
        shared: keyOf(await read("shared", ...add)),
        directory: keyOf(await read(...add, "--data", `${home}/own`)),
      };
      const account = (text: string) => text.slice(0, text.indexOf("\nServe the data"));
      assertEquals(account(shared), account(directoryOutput));
      assertMatch(shared, /Serve the data with: deno task shared serve --database postgres:\/\//);
      assertEquals((await read("shared", "import", file)).includes("unchanged"), true);
    });

    it("answers with the same bytes as a data directory, and workers build the orders", async () => {
      await using _worker = await startWorker(variables);
      const options = { env: variables, shared: true };
      const [shared, directoryServer] = await Promise.all([
        startServeTask([], options),
        startServeTask(["--data", `${home}/own`]),
      ]);
      assertMatch(shared.begun, /^Serving postgres:\/\/vindkit@\S+ and s3:\/\/vindkit\/wind at/);
      const [ask, askOwn] = [askingAt(shared.url), askingAt(directoryServer.url)];
      const paths = listPaths(monthsBetween("2023-01", "2023-12"));
      assertEquals(
        await answersTo(ask, paths, keys.shared),
        await answersTo(askOwn, paths, keys.directory),
      );
      assertEquals(
        await downloadOrder(ask, keys.shared),
        await downloadOrder(askOwn, keys.directory),
      );
      for (const server of [shared, directoryServer]) {
        const { code, err } = await server.stop();
        assertEquals([code, err], [0, ""]);
      }
    });

    it("is moved to a data directory, and from there to another one, with the same answers", async () => {
      const { VINDKIT_DATABASE: database, VINDKIT_FILES: files } = variables;
      const from = ["--from-database", database, "--from-files", files];
      const migrated = await run("migrate", ...from, "--data", `${home}/moved`);
      assertEquals([migrated.code, migrated.error], [0, ""]);
      const what =
        /: \d+ files, [\d.]+ MB; documents: world 1, licence 1, key 1, site 1, dataset 1, points 1, turbine 1, /;
      assertMatch(migrated.out, what);
      assertMatch(
        migrated.out,
        /^Moved postgres:\/\/vindkit@\S+ and s3:\/\/vindkit\/wind to \S+\/moved: /,
      );
      assertMatch(migrated.out, /\nServe it with: deno task serve --data \S+\/moved\n$/);
      const other = ["--database", await postgres().createDatabase(), "--files", `${files}/other`];
      const move = () => run("migrate", "--from", `${home}/moved`, ...other);
      const back = await move();
      assertEquals([back.code, back.error], [0, ""]);
      assertEquals(what.exec(back.out)?.[0], what.exec(migrated.out)?.[0]);
      const again = await move();
      assertEquals([again.code, again.out], [1, ""]);
      assertMatch(
        again.error,
        /^Cannot move data to postgres:\/\/\S+: this database already has sites, licences or orders/,
      );

      const [, otherDatabase, , otherFiles] = other;
      const moved = {
        ...variables,
        ...{ VINDKIT_DATABASE: otherDatabase, VINDKIT_FILES: otherFiles },
      };
      await using _worker = await startWorker(variables);
      await using _otherWorker = await startWorker(moved);
      const servers = await Promise.all([
        startServeTask([], { env: variables, shared: true }),
        startServeTask(["--data", `${home}/moved`]),
        startServeTask([], { env: moved, shared: true }),
      ]);
      const paths = listPaths(monthsBetween("2023-01", "2023-12"));
      const [first, ...others] = await Promise.all(
        servers.map(({ url }) => answersTo(askingAt(url), paths, keys.shared)),
      );
      for (const answers of others) assertEquals(answers, first);
      for (const server of servers) await server.stop();
    });

    it("has its own licences, which take effect in a running server at once", async () => {
      const server = await startServeTask([], { env: variables, shared: true });
      const added = await run("shared", "licence", "add", "S-1", "a@example.com");
      assertMatch(added.out, /^Added in postgres:\/\/vindkit@/);
      const key = /[0-9a-f]{64}/.exec(added.out)![0];
      const status = async () =>
        (await answerTo(askingAt(server.url), buildPath("turbines"), key)).slice(0, 3);
      assertEquals(await status(), "200");
      assertMatch((await run("shared", "licence", "revoke", "S-1")).out, /1 key ended\n$/);
      assertEquals(await status(), "401");
      await server.stop();
    });

    it("is exported, byte for byte as a data directory is", async () => {
      const [to, directoryLake] = [`${home}/lake`, `${home}/lake_own`];
      const place = `${s3().address}/lake`;
      for (const what of ["indices", "hours"]) {
        const words = ["export", "--what", what, "--to"];
        const { code, out } = await run("shared", ...words, to);
        assertEquals([code, out.slice(0, out.indexOf(" to "))], [
          0,
          `Exported the ${what} of 1 turbine`,
        ]);
        await run(...words, directoryLake, "--data", `${home}/own`);
        const exported = async (folder: string) =>
          Object.values(await hashesBelow(`${folder}/${what}`));
        assertEquals(await exported(to), await exported(directoryLake));
        // A worker writes to an object store, regardless of the caller.
        const asked = run("shared", ...words, place);
        while (!(await run("jobs", "list")).out.includes("export_group"));
        await using _worker = await startWorker(variables);
        const stored = await asked;
        assertEquals([stored.code, stored.out], [0, out.replace(to, place)]);
        assertEquals(await exported(`${s3().folder}/lake`), await exported(directoryLake));
      }
    });

    it("is updated; the reported state is kept below VINDKIT_HOME", async () => {
      const { code, out } = await run("shared", "update");
      assertEquals([code, out], [3, "No news since the last update\n"]);
      const [folder] = [...Deno.readDirSync(`${home}/updates`)].map(({ name }) => name);
      const kept = [...Deno.readDirSync(`${home}/updates/${folder}`)].map(({ name }) => name);
      assertEquals(kept, ["update.json"]);
    });

    it("is updated by one machine at a time", async () => {
      const { VINDKIT_DATABASE: database } = variables;
      const other = await openPostgresStore(database);
      const lock = await other.lockUpdates();
      const { code, error } = await run("shared", "update");
      assertEquals(code, 75);
      assertMatch(
        error,
        /^Cannot update postgres:\S+ and s3:\S+: another update is running\. /,
      );
      await lock![Symbol.asyncDispose]();
      await other.close();
      assertEquals((await run("shared", "update")).code, 3);
    });
  });
});
