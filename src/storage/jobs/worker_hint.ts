import { formatCommand } from "../format_command.ts";

/** How long jobs are waited for before it is asked whether there are workers, ms. */
const PATIENCE = 30_000;

/** Says, once, that the workers of a queue may be missing; disposed of when the first is heard of. */
export function startWorkerHint(): Disposable {
  const timer = setTimeout(() =>
    console.error(
      `No worker has begun yet. Look whether workers run (${formatCommand("jobs list")}), ` +
        `and start some: ${formatCommand("work")}`,
    ), PATIENCE);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
