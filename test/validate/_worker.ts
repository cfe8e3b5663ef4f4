/** Runs one task at a time. A message has its name and argument; the answer has its result. */
import { type TaskName, tasks } from "./_tasks.ts";

const worker = self as unknown as Worker;
worker.onmessage = async ({ data: [name, argument] }: MessageEvent<[TaskName, never]>) => {
  worker.postMessage(await tasks[name](argument));
};
