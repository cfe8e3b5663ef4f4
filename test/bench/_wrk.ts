import { KEY_HEADER } from "../../src/api/operations/operations.ts";

/** Result of `wrk`. */
export interface Load {
  /** Answers a second. */
  readonly rate: number;
  /** 99th percentile of the answer times, ms. */
  readonly p99: number;
  /** Bytes a second. */
  readonly bytes: number;
  /** Answers other than success, and connections that failed. */
  readonly failures: number;
}

const UNITS: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3, m: 60e3 };
const SIZES: Readonly<Record<string, number>> = { B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 };

/** Whether `wrk` is installed. */
export async function hasWrk(): Promise<boolean> {
  try {
    await new Deno.Command("wrk", { args: ["--version"], stdout: "null", stderr: "null" }).output();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Requests one address repeatedly with `wrk`, in one thread.
 *
 * @param address The address
 * @param key The key
 * @param seconds How long
 * @param connections Number of simultaneous requests
 */
export async function wrk(
  address: string,
  key: string,
  seconds: number,
  connections: number,
): Promise<Load> {
  const { stdout } = await new Deno.Command("wrk", {
    args: [
      "-t1",
      `-c${connections}`,
      `-d${seconds}s`,
      "--latency",
      "-H",
      `${KEY_HEADER}: ${key}`,
      address,
    ],
  }).output();
  const text = new TextDecoder().decode(stdout);
  const [, p99, unit] = /99%\s+([\d.]+)(\w+)/.exec(text)!;
  const [, size, sizeUnit] = /Transfer\/sec:\s+([\d.]+)(\w+)/.exec(text)!;
  const counted = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text);
  return {
    rate: counted(/Requests\/sec:\s+([\d.]+)/),
    p99: Number(p99) * UNITS[unit],
    bytes: Number(size) * SIZES[sizeUnit],
    failures: counted(/Non-2xx or 3xx responses: (\d+)/) +
      (sockets?.slice(1).reduce((sum, number) => sum + Number(number), 0) ?? 0),
  };
}
