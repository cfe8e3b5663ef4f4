/**
 * Downloads each address in an endless loop, until it is killed: `KEY ADDRESS...`. After a rejection it pauses and
 * retries, as a client does.
 *
 * @module
 */
import { KEY_HEADER } from "../../src/api/operations/operations.ts";

const [key, ...addresses] = Deno.args;

async function loop(address: string): Promise<never> {
  const headers = { [KEY_HEADER]: key, "accept-encoding": "identity" };
  while (true) {
    const response = await fetch(address, { headers });
    for await (const _part of response.body!); // reads and discards
    if (!response.ok) await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

await Promise.all(addresses.map(loop));
