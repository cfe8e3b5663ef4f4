import { DatabaseSync } from "node:sqlite";
import { type FileType, fileTypes } from "../../src/api/operations/climate_data.ts";
import type { LedgerEntry } from "../../src/client/orders/ledger.ts";
import { hashFile, sha256 } from "../../src/disk/hashes.ts";
import type { StoredOrder } from "../../src/storage/store/orders.ts";
import { openService } from "../../src/service/running/service.ts";
import { buildPath, ORDERED } from "../service/_answers.ts";

/** A file that a client orders. */
export interface FileOrder {
  /** The client, from 0. */
  readonly client: number;
  /** Latitude, deg. It distinguishes the orders, which are all near the same point. */
  readonly latitude: number;
  /** Format. */
  readonly fileType: FileType;
  /** The year that is ordered. */
  readonly year: number;
}

/** Result of all calls. */
export interface OrderAccount {
  /** Number of orders at the service. */
  readonly orders: number;
  /** Number of different files that were ordered. */
  readonly different: number;
  /** Calls that joined an order instead of placing one. */
  readonly shared: number;
  /** Violations, in words. */
  readonly faults: string[];
}

/** Serial number of a client's licence; two clients share one. */
export function formatSerialNumber(client: number): string {
  return `S-${Math.floor(client / 2)}`;
}

/** Hashes of the direct downloads by format and year; each order must deliver the same. */
async function directFiles(
  data: string,
  wanted: readonly FileOrder[],
): Promise<Map<string, string>> {
  const service = await openService(data, { trusted: true });
  const hashes = new Map<string, string>();
  for (const year of new Set(wanted.map((order) => order.year))) {
    for (const filetype of fileTypes) {
      const path = buildPath("download_climate", {
        ...ORDERED,
        filetype,
        start_year: year,
        end_year: year,
      });
      const response = await service.fetch(new Request(`http://localhost${path}`));
      hashes.set(`${filetype} ${year}`, sha256(await response.bytes()));
    }
  }
  await service.close();
  return hashes;
}

/**
 * Compares the delivered files with the orders, and the orders of the service with the calls.
 *
 * @param data The data directory, after the service has ended
 * @param wanted The ordered files
 * @param pathOfCall Where the file of each call was saved
 * @param ledgers Ledger entries of the clients
 */
export async function orderAccount(
  data: string,
  wanted: readonly FileOrder[],
  pathOfCall: (call: number) => string,
  ledgers: readonly LedgerEntry[],
): Promise<OrderAccount> {
  const faults: string[] = [];
  const expected = await directFiles(data, wanted);
  for (const [i, { fileType, year }] of wanted.entries()) {
    const hash = await hashFile(pathOfCall(i)).catch(() => "nothing");
    if (hash !== expected.get(`${fileType} ${year}`)) faults.push(`call ${i} brought ${hash}`);
  }

  using database = new DatabaseSync(`${data}/vindkit.sqlite`);
  const rows = database.prepare("SELECT body FROM contents WHERE kind = 'order'").all()
    .map(({ body }): StoredOrder => JSON.parse(String(body)));
  const idle = rows.filter(({ state }) => state !== "delivered" && state !== "complete");
  if (idle.length > 0) faults.push(`${idle.length} orders were never worked off`);
  const known = new Set(rows.map(({ id }) => id));
  for (const { orderId, state } of ledgers) {
    if (orderId !== null && !known.has(orderId)) faults.push(`order ${orderId} is lost`);
    if (state === "placed") faults.push(`order ${orderId} is ${state} in its ledger`);
  }

  // A call after delivery places a new order; simultaneous calls share an order.
  const called = Map.groupBy(
    wanted,
    (order) =>
      `${formatSerialNumber(order.client)} ${order.latitude} ${order.fileType} ${order.year}`,
  );
  const placed = Map.groupBy(rows, ({ serialNumber, parameters }) => {
    const { lat, filetype, start_year } = parameters;
    return `${serialNumber} ${lat} ${filetype} ${start_year}`;
  });
  let shared = 0;
  for (const [what, calls] of called) {
    const orders = placed.get(what)?.length ?? 0;
    if (orders > calls.length) faults.push(`${what}: ${orders} orders for ${calls.length} calls`);
    shared += calls.length - orders;
  }
  if ([...placed.keys()].some((what) => !called.has(what))) {
    faults.push("orders that no client placed");
  }
  return { orders: rows.length, different: called.size, shared, faults };
}
