import { assert } from "@std/assert";
import { delay } from "@std/async";

/** Pause between two questions, ms: a worker goes after all others, also after one who asks without a pause. */
const PAUSE = 10;

/** How long an order may take, ms. */
const DEADLINE = 60_000;

/** Asks for the status of an order until it is the address of its file; gives that. */
export async function waitForAddress(ask: () => Promise<string>): Promise<string> {
  const end = performance.now() + DEADLINE;
  while (true) {
    const status = await ask();
    if (status.startsWith("http")) return status;
    assert(performance.now() < end, `it is still ${status}`);
    await delay(PAUSE);
  }
}
