import { formatJob, JobQueue, jobTable, type QueueRow } from "../../machines/mod.ts";
import { type Command, MisuseError, PROGRAM } from "../command/command.ts";
import { readDatabase, sharedOptions } from "../command/storage.ts";

/** Finds the job whose identifier starts with the given characters. */
async function findOne(queue: JobQueue, start: string): Promise<QueueRow> {
  const [row, another] = await queue.find(start);
  if (row && !another) return row;
  throw new Error(
    `Cannot find the job "${start}": ${
      another ? "several identifiers begin" : "no identifier begins"
    } with this text. List the jobs with: ${PROGRAM} jobs list`,
  );
}

/** Shows the jobs of the queue, and retries dead ones. */
export const jobs: Command = {
  forms: ["list [OPTIONS]", "show ID [OPTIONS]", "retry ID [OPTIONS]"],
  arguments: {
    list: "shows running jobs, waiting jobs in their order, and dead jobs",
    show: "shows all details of a job; ID is its first characters",
    retry: "gives a dead job one more try",
  },
  options: { database: sharedOptions.database },
  example: "list --database postgres://vindkit@db.example.org/vindkit",
  notes: [
    "The queue tries a failing job three times and doubles the pause each time. Then the job is dead for seven days, or " +
    "until you retry it or a request needs it again. The queue deletes a finished job after seven days.",
  ],
  async run({ text, rest: [action, id] }) {
    const queue = await JobQueue.open(readDatabase(text));
    try {
      if (action === "list") {
        const rows = await queue.list();
        if (rows.length === 0) return console.log("The queue has no running, waiting or dead jobs");
        return console.log(jobTable(rows, await queue.count()));
      }
      const row = await findOne(queue, id);
      if (action === "show") return console.log(formatJob(row));
      if (row.state !== "failed") {
        throw new MisuseError(
          `Cannot retry ${row.id}: this job is not dead, and the queue retries only dead jobs. Give a job that "jobs list" shows as dead`,
        );
      }
      await queue.retry(row);
      console.log(`${row.id} will be tried again`);
    } finally {
      await queue.close();
    }
  },
};
