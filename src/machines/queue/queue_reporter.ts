/** What pg-boss appends where one of its loops has the problem, each with a number of its own. */
const WORKER = / \(Queue: .*\)$/;

/**
 * Creates what logs the problems of a queue, each once until another one is logged: while the database is away every try of
 * every loop has the same.
 *
 * @param shown Address of the database without its password
 * @returns What logs a problem
 */
export function createQueueReporter(shown: string): (problem: { message: string }) => void {
  let last = "";
  return (problem) => {
    const message = problem.message.replace(WORKER, "");
    if (message === last) return;
    last = message;
    console.error(`the queue of ${shown}: ${message}`);
  };
}
