import type { SeededRandom } from "../../src/stats/seeded_random.ts";
import { Sha256 } from "../../src/disk/hashes.ts";
import { ORDERED } from "../service/_answers.ts";
import type { LongService } from "./_long_service.ts";
import { ServiceProcess } from "./_processes.ts";

/** Longest part that is read before the service dies, bytes; the file has about 11 MB. */
const MAX_PART = 6e6;

/** Reads a body to its end, to a number of bytes, or until it breaks off. */
async function readUpTo(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  most: number,
  hash: Sha256,
  onMost?: () => Promise<void>,
): Promise<number> {
  let bytes = 0;
  let reached = false;
  try {
    for await (const part of body) {
      hash.update(part);
      bytes += part.length;
      if (reached || bytes < most) continue;
      reached = true;
      await onMost?.(); // without reading meanwhile
    }
  } catch {
    // it broke off
  }
  return bytes;
}

/**
 * Kills a service while it sends the file of an order, starts it again, and resumes the download.
 *
 * @param long The service's data
 * @param random Draws the moment
 * @param fault Called with each violation
 * @returns Moment of the kill
 */
export async function killedDownload(
  long: LongService,
  random: SeededRandom,
  fault: (text: string) => void,
): Promise<string> {
  await using service = await ServiceProcess.start(long.data);
  const path = long.path("place_order", "csv", ORDERED.lat);
  const id = await (await long.ask(service.url, path)).json();
  const address = new URL(await long.addressOf(service.url, id));
  const expected = await long.hashOf(service.url, "csv");
  const hash = new Sha256();
  const response = await fetch(address);
  const size = Number(response.headers.get("content-length"));
  const etag = response.headers.get("etag")!;
  const kill = () => service.end("SIGKILL");
  const got = await readUpTo(response.body!, random.uniform() * MAX_PART, hash, kill);

  await using restarted = await ServiceProcess.start(long.data);
  const before = long.orders(ORDERED.lat).find((order) => order.id === id)!.state;
  if (got < size) {
    const rest = await fetch(new URL(address.pathname, restarted.url), {
      headers: { range: `bytes=${got}-`, "if-range": etag },
    });
    if (rest.status !== 206) fault(`a range request gets status ${rest.status}`);
    if (rest.headers.get("content-range") !== `bytes ${got}-${size - 1}/${size}`) {
      fault(`requested ${got} to ${size}, got ${rest.headers.get("content-range")}`);
    }
    await readUpTo(rest.body!, Infinity, hash);
    if (before !== "complete") fault(`it is ${before} although the file was not sent completely`);
  }
  if (hash.hex() !== expected) fault("the parts do not add up to the file");
  const after = long.orders(ORDERED.lat).find((order) => order.id === id)!.state;
  if (after !== "delivered") fault(`it is ${after} although the file was sent completely`);
  await restarted.end("SIGTERM");
  if (service.errors + restarted.errors !== "") fault(service.errors + restarted.errors);
  return got < size
    ? `in its ${["first", "second", "last"][Math.floor(3 * got / size)]} third`
    : "too late";
}
