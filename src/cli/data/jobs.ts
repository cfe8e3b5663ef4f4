import { formatJob, JobQueue, jobTable, type QueueRow } from "../../machines/mod.ts";
import { type Command, MisuseError, PROGRAM } from "../command/command.ts";
import { readDatabase, sharedOptions } from "../command/storage.ts";

/** Finds the one job that an operator names by the first characters of its identifier. */
async function findOne(queue: JobQueue, start: string): Promise<QueueRow> {
  const [row, another] = await queue.find(start);
  if (row && !another) return row;
  throw new Error(
    `Cannot find the job "${start}": ${another ? "several begin so" : "none begins so"}. ` +
      `See them with: ${PROGRAM} jobs list`,
  );
}

/** Shows the jobs of the queue, and gives dead ones another try. */
export const jobs: Command = {
  forms: ["list [OPTIONS]", "show ID [OPTIONS]", "retry ID [OPTIONS]"],
  arguments: {
    list: "shows what runs, what waits in its order, and what is dead",
    show: "shows all that is known of a job; ID is its first characters",
    retry: "gives a dead job one more try",
  },
  options: { database: sharedOptions.database },
  example: "list --database postgres://vindkit@db.example.org/vindkit",
  notes: [
    "A job that fails is tried three times, with a pause that doubles; then it is dead for seven days, or until it is " +
    "retried or wanted again. One that is done is forgotten after seven days.",
  ],
  async run({ text, rest: [action, id] }) {
    const queue = await JobQueue.open(readDatabase(text));
    try {
      if (action === "list") {
        const rows = await queue.list();
        if (rows.length === 0) return console.log("No job runs, waits or is dead");
        return console.log(jobTable(rows, await queue.count()));
      }
      const row = await findOne(queue, id);
      if (action === "show") return console.log(formatJob(row));
      if (row.state !== "failed") {
        throw new MisuseError(`Cannot retry ${row.id}: it is not dead`);
      }
      await queue.retry(row);
      console.log(`${row.id} waits for another try`);
    } finally {
      await queue.close();
    }
  },
};
