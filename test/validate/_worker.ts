/** Runs a task at a time: takes its name and argument, posts its result. */
import { type TaskName, tasks } from "./_tasks.ts";

const worker = self as unknown as Worker;
worker.onmessage = async ({ data: [name, argument] }: MessageEvent<[TaskName, never]>) => {
  worker.postMessage(await tasks[name](argument));
};
