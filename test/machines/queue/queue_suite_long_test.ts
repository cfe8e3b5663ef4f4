/**
 * The queue in PostgreSQL as an implementation of `Jobs`: the suite, with workers that are processes.
 *
 * @module
 */
import { JobQueue } from "../../../src/machines/queue/job_queue.ts";
import { QueuedJobs } from "../../../src/machines/queue/queued_jobs.ts";
import { shareStorage } from "../../../src/machines/shared_storage.ts";
import { openQueueWorker } from "../../../src/machines/open_queue_worker.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { testJobs } from "../../storage/jobs/_jobs_suite.ts";
import { filesOf, makeQueue, openQueueStorage, retryAtOnce } from "./_queue_data.ts";

describeWithPostgres("a queue", (server) => {
  let original: string | undefined;
  let address: string;

  testJobs(
    "a process that takes them from a queue",
    async ({ folder }) => {
      const jobs = await QueuedJobs.open(address);
      const worker = await openQueueWorker(
        shareStorage({ database: address, files: filesOf(folder) }),
        1,
      );
      return {
        jobs: {
          run: (job, options) => jobs.run(job, options),
          async close() {
            await worker.close();
            await jobs.close();
          },
        },
        async begun() {
          const queue = await JobQueue.open(address);
          while ((await queue.list())[0]?.state !== "active");
          await queue.close();
        },
      };
    },
    {
      openFolder: async (folder) => {
        if (original === undefined) {
          original = await makeQueue(server());
          await retryAtOnce(original);
        }
        address = await server().createDatabase(original);
        return await openQueueStorage(address, folder);
      },
    },
  );
});
