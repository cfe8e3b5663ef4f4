import { assert } from "@std/assert";
import { delay } from "@std/async";

/** Pause between two polls, ms: workers have the lowest priority, so polling without pause would starve them. */
const PAUSE = 10;

/** How long an order may take, ms. */
const DEADLINE = 60_000;

/** Polls the status of an order until it is the address of its file, and returns the address. */
export async function waitForAddress(ask: () => Promise<string>): Promise<string> {
  const end = performance.now() + DEADLINE;
  while (true) {
    const status = await ask();
    if (status.startsWith("http")) return status;
    assert(performance.now() < end, `it is still ${status}`);
    await delay(PAUSE);
  }
}
