/**
 * Downloads addresses again and again, each in a loop of its own, until it is ended: `KEY ADDRESS...`. What is refused is
 * requested again after a pause, as a client does.
 *
 * @module
 */
import { KEY_HEADER } from "../../src/api/operations/operations.ts";

const [key, ...addresses] = Deno.args;

async function loop(address: string): Promise<never> {
  const headers = { [KEY_HEADER]: key, "accept-encoding": "identity" };
  while (true) {
    const response = await fetch(address, { headers });
    for await (const _part of response.body!); // read and forgotten
    if (!response.ok) await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

await Promise.all(addresses.map(loop));
