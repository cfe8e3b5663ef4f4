/** How long a cell is held back after its result was handed over, ms. */
const PAUSE = 30;

/**
 * Code that makes Deno's kernel tell the result of a cell before it tells that the cell has ended.
 *
 * The kernel hands the result to another thread, and says "idle" 5 ms later, whether or not the result is out: on a busy
 * machine Jupyter's own runner (nbclient) lost one in sixty. The kernel waits for `broadcastResult()`, so a pause in it
 * gives the other thread its time. Our runner needs none of this: it asks once more and takes what comes before the answer.
 */
export const RESULTS_FIRST: string = `{
  const { jupyter } = Deno[Deno.internal] ?? {};
  const broadcastResult = jupyter?.broadcastResult;
  if (broadcastResult) {
    jupyter.broadcastResult = async (...result) => {
      await broadcastResult(...result);
      await new Promise((resolve) => setTimeout(resolve, ${PAUSE}));
    };
  }
}`;
