/**
 * `deno task work` and `deno task jobs` as an operator runs them.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { DamagedFileError } from "../../../src/disk/files.ts";
import { QueuedJobs } from "../../../src/machines/queue/queued_jobs.ts";
import type { Job } from "../../../src/storage/jobs/job.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { filesOf, makeQueue } from "../../machines/queue/_queue_data.ts";
import { runTaskWith } from "../_task.ts";

/** Starts `deno task work`, and waits until it reports that it works. */
async function startWork(variables: Record<string, string>) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "work"],
    env: { NO_COLOR: "1", ...variables },
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  assertMatch(
    new TextDecoder().decode((await reader.read()).value),
    /^Working on the queue, 1 job/,
  );
  return {
    async stop() {
      child.kill("SIGTERM");
      const { code } = await child.status;
      await reader.cancel();
      return code;
    },
  };
}

describeWithPostgres("deno task work and deno task jobs", (server) => {
  it("run the jobs of the queue, show dead ones with the reason, and retry them", async () => {
    const folder = await Deno.makeTempDir();
    const database = await makeQueue(server());
    const variables = { VINDKIT_DATABASE: database, VINDKIT_FILES: filesOf(folder) };
    const run = async (...words: string[]) => {
      const { code, out, error } = await runTaskWith(variables, "jobs", ...words);
      assert(!`${out}${error}`.includes("word"), "no password is shown");
      return { code, out, error };
    };
    assertEquals((await run("list")).out, "The queue has no running, waiting or dead jobs\n");

    const jobs = await QueuedJobs.open(database);
    const name = "a.csv";
    const job: Job = { kind: "gzip_file", parameters: { name }, turn: "L-1", urgent: true };
    const failing = assertRejects(() => jobs.run(job), DamagedFileError, name);
    const work = await startWork(variables);
    await failing;
    const { out } = await run("list");
    const [, id] = /^id +state .*\n(\w{8}) +dead +gzip_file +{"name":"a.csv"} +L-1 +3 /.exec(out)!;
    assertMatch(out, /\n\n0 running, 0 waiting, 1 dead\n$/);
    assertMatch((await run("show", id)).out, /state +dead\n.*\nsays +.*a\.csv/s);

    await Deno.mkdir(filesOf(folder), { recursive: true });
    await Deno.writeTextFile(`${filesOf(folder)}/${name}`, "a\n1\n");
    assertMatch((await run("retry", id)).out, /will be tried again\n$/);
    while (!(await run("show", id)).out.includes("says        done"));
    assertMatch(
      (await run("retry", id)).error,
      /^Cannot retry .* the queue retries only dead jobs/,
    );
    assertMatch(
      (await run("show", "x")).error,
      /^Cannot find the job "x": no identifier begins with this text/,
    );
    assertEquals((await run("list")).out, "The queue has no running, waiting or dead jobs\n");

    assertEquals(await work.stop(), 0);
    await jobs.close();
    await Deno.remove(folder, { recursive: true });
  });

  it("name missing arguments", async () => {
    const none = { VINDKIT_DATABASE: "", VINDKIT_FILES: "" };
    const list = await runTaskWith(none, "jobs", "list");
    assertEquals(list.code, 2);
    assertMatch(list.error, /Give it as --database or VINDKIT_DATABASE/);
    const address = "postgres://me:password@127.0.0.1:1/n";
    const words = ["work", "--database", address, "--files", "f"];
    const { code, error } = await runTaskWith(none, ...words, "--jobs", "0");
    assertEquals(code, 2);
    assertMatch(error, /--jobs is "0"/);
    assertMatch(
      (await runTaskWith(none, ...words.slice(0, 3))).error,
      /^Cannot use --database without --files/,
    );
    const away = await runTaskWith(none, ...words);
    assertEquals(away.code, 1);
    assertMatch(away.error, /^Cannot reach postgres:\/\/me@127.0.0.1:1\/n/);
    assert(!`${error}${away.error}`.includes("password"), away.error);
  });
});
