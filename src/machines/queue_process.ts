/**
 * A worker of the queue: does the jobs from its standard input. Its environment names the database and the files, because
 * all users of the machine can read a command line.
 *
 * @module
 */
import { createJobHandlers, doJobs } from "../service/running/do_jobs.ts";
import { exportGroup } from "./export/export_group.ts";
import { shareStorage } from "./shared_storage.ts";
import { createCommit } from "./queue/commit_job.ts";
import { openBoss } from "./queue/open_boss.ts";

await doJobs(async () => {
  const [database, files] = ["VINDKIT_DATABASE", "VINDKIT_FILES"].map((name) =>
    Deno.env.get(name)!
  );
  const storage = await shareStorage({ database, files }).open();
  const boss = await openBoss(database);
  return {
    handlers: {
      ...createJobHandlers(storage),
      export_group: (group, task) => exportGroup(storage, group, task),
    },
    commitOf: (attempt) => createCommit(storage.store, boss, attempt!), // jobs of the queue always have an attempt
    async close() {
      await boss.stop({ graceful: false });
      await storage.close();
    },
  };
});
