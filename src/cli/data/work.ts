import { formatCount } from "../../show/text/numbers.ts";
import { openQueueWorker } from "../../machines/mod.ts";
import { type Command, MisuseError } from "../command/command.ts";
import { findSharedStorage, sharedOptions } from "../command/storage.ts";

/** Most parallel jobs of a process: each runs in a separate process with its own memory. */
const MAX_WIDTH = 64;

function readWidth(text: string): number {
  const width = Number(text);
  if (text.trim() !== "" && Number.isInteger(width) && width >= 1 && width <= MAX_WIDTH) {
    return width;
  }
  throw new MisuseError(
    `Cannot start the worker: --jobs is "${text}", not a whole number from 1 to ${MAX_WIDTH}. Give a number such as 1`,
  );
}

/** Runs the jobs of the queue until it is stopped. */
export const work: Command = {
  forms: ["--database URL --files ADDRESS [--jobs NUMBER]"],
  options: {
    ...sharedOptions,
    jobs: {
      value: "NUMBER",
      about: "number of jobs to run at once, one core for each (default: 1)",
    },
  },
  example: "--database postgres://vindkit@db.example.org/vindkit --files /srv/wind --jobs 2",
  notes: [
    "Any number of machines can work on one queue. After Ctrl-C or SIGTERM, the worker finishes its jobs for up to 15 " +
    "s, then stops. Unfinished jobs go back to the queue.",
  ],
  resume:
    "The jobs of this worker are back in the queue for other workers. Run the same command to start a worker again.",
  async run({ text, signal }) {
    const storage = findSharedStorage(text);
    if (!storage) {
      throw new MisuseError(
        "Cannot start the worker: the address of the queue is missing. Give --database and --files",
      );
    }
    const width = readWidth(text("jobs") ?? "1");
    const worker = await openQueueWorker(storage, width);
    const jobs = formatCount(width, "job");
    console.log(`Working on the queue, ${jobs} at once; stop it with Ctrl-C`);
    const stopped = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve());
    });
    try {
      await Promise.race([stopped, worker.refused]);
    } finally {
      await worker.close();
    }
  },
};
