import { addedColumn, type Column } from "../../api/columns/column.ts";
import { buildRows, type Rows } from "../../frames/frame.ts";
import { Ledger, type LedgerEntry, type LedgerState } from "./ledger.ts";
import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { addCaption, describeFrame, type Provenance } from "../../frames/origin/provenance.ts";
import {
  type CallOptions,
  callOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import { readOptions } from "../../show/options/read_options.ts";

/** The columns of `orders()`. */
export const orderColumns: readonly Column[] = [
  addedColumn("entry", "i32", "Entry", "Number in the ledger."),
  addedColumn(
    "service",
    "utf8",
    "Service",
    "Base address, `sample`, or `data:` and the directory.",
  ),
  addedColumn("dataset", "utf8", "Dataset", "Identifier of the dataset."),
  addedColumn("latitude", "f64", "Latitude", "Latitude of the place.", "deg"),
  addedColumn("longitude", "f64", "Longitude", "Longitude of the place.", "deg"),
  addedColumn("start_year", "i32", "From", "First year."),
  addedColumn("end_year", "i32", "To", "Last year, included."),
  addedColumn("file_type", "utf8", "File type", "Format of the file."),
  addedColumn("order_id", "utf8", "Order", "Identifier from the service; null if unknown."),
  addedColumn(
    "state",
    "utf8",
    "State",
    "State of the order: sent (uncertain), placed, delivered, ...",
  ),
  addedColumn("status", "utf8", "Status", "Last status that the service reported."),
  addedColumn("sent_at", "datetime", "Sent", "Time at which the order was sent."),
];

/** Builds the row of an order in `orders()`. */
export function buildOrderRow(order: LedgerEntry): Rows[number] {
  const { parameters } = order;
  const { epochMilliseconds } = Temporal.Instant.from(order.sentAt);
  return {
    entry: order.entry,
    service: order.place,
    dataset: parameters.service_id,
    latitude: parameters.lat,
    longitude: parameters.lon,
    start_year: parameters.start_year,
    end_year: parameters.end_year,
    file_type: parameters.filetype,
    order_id: order.orderId,
    state: order.state,
    status: order.status,
    sent_at: Math.floor(epochMilliseconds / 1000) * 1000,
  };
}

/** Orders that are listed below a frame. */
const MAX_NAMED = 5;

/** Says how to continue an order whose wait or download ended early, whatever the reason. */
export function formatWayOn(orderId: string): string {
  return "Vindkit did not cancel the order. The same call continues " +
    `it, and so does attachOrder(${JSON.stringify(orderId)}).download(), also in another process`;
}

const stateTexts: Readonly<Record<LedgerState, string>> = {
  sent: "sent, but not answered: the order may or may not be in the service's queue",
  placed: "placed",
  delivered: "delivered",
  refused: "refused: no order was placed",
  failed: "failed: the service no longer has the order",
  repeated: "replaced by a later order",
  forgotten: "forgotten on request",
};

/** Formats the state of an order. */
export function formatState({ state, status }: Pick<LedgerEntry, "state" | "status">): string {
  return state === "placed" && status !== null
    ? `placed; the service last reported "${status}"`
    : stateTexts[state];
}

type OrderState = Pick<LedgerEntry, "state" | "entry" | "orderId" | "parameters">;

/** Formats the next step for an order; `undefined` if none is left. */
export function formatNextStep(
  { state, entry, orderId, parameters }: OrderState,
): string | undefined {
  // The whole request is in the entry only if it went to a service of another provider.
  if (parameters.request !== undefined) {
    return state === "sent" || state === "placed"
      ? "the same call of era5() continues it"
      : undefined;
  }
  switch (state) {
    case "sent":
      return `downloadClimate() with the same parameters needs no order; placeOrder() with { repeat: true } may order twice; use orders().forget(${entry}) if the provider says that the order does not exist`;
    case "placed":
      return `attachOrder(${JSON.stringify(orderId)}).download() waits for the file and reads it`;
    case "delivered":
      return `attachOrder(${JSON.stringify(orderId)}).download() fetches the file again, as long ` +
        "as the service stores it";
    case "failed":
      return "placeOrder() with the same parameters places it again; downloadClimate() needs no order";
    default:
      return undefined;
  }
}

/** Lists the next step of each open order, one line each. */
export function listNextSteps(orders: readonly OrderState[]): string[] {
  const open = orders.filter(({ state }) => state === "sent" || state === "placed");
  const lines = open.slice(0, MAX_NAMED).map((order) =>
    `Entry ${order.entry} is ${order.state === "sent" ? "uncertain" : "open"}: ${
      formatNextStep(order)
    }`
  );
  const more = open.length - lines.length;
  return more > 0 ? [...lines, `${more} more orders are open or uncertain`] : lines;
}

/** The ledger as a frame, whose uncertain orders can be forgotten. */
export type OrdersFrame = DataFrame & {
  /**
   * Marks uncertain orders, those sent without an answer, as forgotten: the next call with their parameters sends them
   * again. The ledger still lists them.
   *
   * @param entry Number in the ledger. @default all uncertain ones
   */
  forget(entry?: number): void;
};

/**
 * Lists the orders that were sent from this home folder, whatever their state.
 *
 * @param options Connection
 * @returns A frame of `entry` (Int32), `service`, `dataset` (String), `latitude`, `longitude` (Float64, deg),
 * `start_year`, `end_year` (Int32), `file_type`, `order_id`, `state`, `status` (String), `sent_at` (Datetime, UTC); its
 * `forget()` marks orders without an answer as forgotten
 *
 * @example
 * ```ts
 * import { orders } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(orders().columns[0], "entry");
 * ```
 */
export function orders(options: CallOptions = {}): OrdersFrame {
  readOptions("orders()", options, callOptions);
  const connection = resolveConnection(options);
  const ledger = new Ledger(connection.home);
  const entries = ledger.listEntries();
  const rows = entries.map(buildOrderRow);
  const source: Provenance = {
    operation: "orders",
    parameters: {},
    sha256: [],
    // A home folder has the orders of all connections: they are invented only if the sample is among them.
    world: entries.length === 0 || entries.some(({ place }) => place === "sample")
      ? connection.target
      : "live",
    attribution: [],
  };
  const frame = addCaption(
    describeFrame(buildRows(orderColumns, rows), orderColumns, source),
    listNextSteps(entries),
  );
  const forget = (entry?: number): void => {
    const uncertain = entries.filter(({ state }) => state === "sent");
    const forgettable = uncertain.filter((order) => entry === undefined || order.entry === entry);
    if (entry !== undefined && forgettable.length === 0) {
      throw new ArgumentError(
        `Cannot forget entry ${entry}: orders() can forget only uncertain entries (${
          uncertain.map((order) => order.entry).join(", ") || "there are none"
        })`,
      );
    }
    for (const order of forgettable) ledger.forget(order.entry);
  };
  Object.defineProperty(frame, "forget", { value: forget, enumerable: false, configurable: true });
  return frame as OrdersFrame;
}
