/**
 * Clients that use up the file descriptors of a service: unread downloads, and requests that never end.
 *
 * @module
 */
import { KEY_HEADER, operationOf } from "../../src/api/operations/operations.ts";
import { addLicence } from "../../src/service/licences/licence_book.ts";
import { startServeTask } from "../cli/_serve_task.ts";
import { askRaw, buildHead, connectTo, writeAll } from "../service/_raw_http.ts";
import { buildPath, serveSample } from "../service/_sample.ts";

/** Load by such clients on a service with few file descriptors. */
export interface ServiceCase {
  readonly name: string;
  /** File descriptors of the service. */
  readonly fileLimit: number;
  /** Unread downloads of one licence. */
  readonly downloads: number;
  /** Connections whose requests never end. */
  readonly halfOpen: number;
  /** Number of downloads started at the same time. */
  readonly atOnce: number;
  /** Whether another licence must be answered meanwhile; not if no connection is left. */
  readonly others: boolean;
}

/** The cases. */
export const serviceCases: readonly ServiceCase[] = [
  { fileLimit: 1024, downloads: 500, atOnce: 500 },
  { fileLimit: 256, downloads: 500, atOnce: 50 },
  { fileLimit: 256, downloads: 500, atOnce: 500 },
  { fileLimit: 256, downloads: 1, atOnce: 1, halfOpen: 374 },
].map(({ fileLimit, downloads, atOnce, halfOpen = 0 }) => ({
  name: `service with ${fileLimit} file descriptors, ` +
    (halfOpen > 0
      ? `${halfOpen} half-open connections and a download`
      : `${downloads} unread downloads of one licence, ${atOnce} started at once`),
  fileLimit,
  downloads,
  halfOpen,
  atOnce,
  others: halfOpen === 0,
}));

/** Measured results. */
export interface ServiceRun {
  /** Answers to the downloads by status; 0 without an answer. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Calls of another licence during the unread downloads. */
  readonly calls: number;
  /** Time until the last of these calls without status 200, s. */
  readonly silence: number;
  /** 99th percentile of the answer times with status 200, ms. */
  readonly p99: number;
  /** Time until the first licence is answered again after its readers left, s. */
  readonly again: number;
  /** Exit code after SIGTERM. */
  readonly code: number;
  /** Lines of its error output. */
  readonly lines: number;
  readonly panicked: boolean;
}

const model = buildPath(operationOf("model_data"), { turbine_id: "T1" });
const month = buildPath(operationOf("monthly_index"), { turbine_id: "T1", year: 2024, month: 1 });

/** Duration of the other licence's calls, ms. */
const WATCHED = 3000;

/** Most time for one call, ms. */
const PATIENCE = 5000;

/** A folder with the sample, and the keys of two licences. */
export async function prepareSample(): Promise<{ folder: string; keys: readonly string[] }> {
  const folder = await Deno.makeTempDir();
  const sample = await serveSample({}, folder);
  await sample.ask(model, { key: sample.keys.full }); // creates the site
  await sample.close();
  const keys: string[] = [];
  for (const serialNumber of ["many", "other"]) {
    keys.push((await addLicence(folder, { serialNumber, email: "a@example.org" })).key!);
  }
  return { folder, keys };
}

/** A status; 0 after a timeout. */
async function inTime(status: Promise<number>): Promise<number> {
  let timer: ReturnType<typeof setTimeout>;
  const patience = new Promise<number>((resolve) => timer = setTimeout(resolve, PATIENCE, 0));
  return await Promise.race([status, patience]).finally(() => clearTimeout(timer));
}

/** Status of a call on a new connection; 0 without an answer. */
async function call(url: string, key: string): Promise<number> {
  const head = buildHead(month, `${KEY_HEADER}: ${key}`);
  return await inTime(askRaw(url, head).then(({ status }) => status, () => 0));
}

/** Status of a download that is read only to its first line; 0 without an answer. */
async function beginDownload(
  connected: Promise<Deno.Conn>,
  key: string,
  unread: Deno.Conn[],
): Promise<number> {
  try {
    const connection = await connected;
    unread.push(connection);
    await writeAll(
      connection,
      buildHead(model, `${KEY_HEADER}: ${key}`, "Accept-Encoding: identity"),
    );
    const first = new Uint8Array(12);
    for (let length = 0; length < 12;) {
      length += await connection.read(first.subarray(length)) ?? 12;
    }
    return Number(new TextDecoder().decode(first).split(" ")[1]) || 0;
  } catch {
    return 0;
  }
}

/** Runs a case on a new service. */
export async function runServiceCase(
  { fileLimit, downloads, halfOpen, atOnce }: ServiceCase,
  { folder, keys: [key, other] }: { folder: string; keys: readonly string[] },
): Promise<ServiceRun> {
  const env = { DENO_V8_FLAGS: "--max-old-space-size=512" };
  const service = await startServeTask(["--data", folder], { fileLimit, env });
  const open: Deno.Conn[] = [];
  try {
    // Requested after the half-open connections took all descriptors, so its file cannot be opened.
    const early = halfOpen > 0 ? [connectTo(service.url)] : [];
    await Promise.all(early);
    await Promise.all(Array.from({ length: halfOpen }, async () => {
      const connection = await connectTo(service.url).catch(() => undefined);
      if (!connection) return;
      open.push(connection);
      await writeAll(connection, `GET ${model} HTTP/1.1\r\nHost: localhost\r\n`).catch(() => {});
    }));
    const statuses: Record<number, number> = {};
    let left = downloads;
    await Promise.all(Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const connected = early.pop() ?? connectTo(service.url);
        const status = await inTime(beginDownload(connected, key, open));
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }));
    const times: number[] = [];
    const watched = performance.now();
    let silence = 0;
    let calls = 0;
    for (; performance.now() < watched + WATCHED; calls++) {
      const begun = performance.now();
      const status = await call(service.url, other);
      if (status === 200) times.push(performance.now() - begun);
      else silence = (performance.now() - watched) / 1000;
    }
    for (const connection of open.splice(0)) connection.close();
    const gone = performance.now();
    let again = Infinity;
    while (again === Infinity && performance.now() - gone < 30_000) {
      if (await call(service.url, key) === 200) again = (performance.now() - gone) / 1000;
    }
    const { code, err } = await service.stop().catch(() => service.ended); // ignores a service that has already ended
    times.sort((a, b) => a - b);
    return {
      statuses,
      calls,
      silence,
      p99: times[Math.floor(0.99 * times.length)] ?? Infinity,
      again,
      code,
      lines: err.split("\n").length - 1,
      panicked: err.includes("panicked"),
    };
  } finally {
    for (const connection of open) connection.close();
    await service.stop("SIGKILL").catch(() => {}); // ignores a service that has already ended
  }
}
