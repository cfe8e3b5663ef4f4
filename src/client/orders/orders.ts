import type { DataFrame } from "nodejs-polars";
import { type Column, ownColumn } from "../../api/column.ts";
import { ArgumentError } from "../../api/errors.ts";
import { frameOf } from "../../frames/frame.ts";
import { describeFrame } from "../../frames/provenance.ts";
import { type CallOptions, connectionOf } from "../default_connection.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";

/** The frame of `orders()`. */
const ledgerFrame: readonly Column[] = [
  ownColumn("entry", "i32", "Entry", "Number in the ledger."),
  ownColumn("service", "utf8", "Service", "Base address, `sample`, or `data:` and the directory."),
  ownColumn("dataset", "utf8", "Dataset", "Identifier of the dataset."),
  { ...ownColumn("latitude", "f64", "Latitude", "Latitude of the place."), unit: "deg" },
  { ...ownColumn("longitude", "f64", "Longitude", "Longitude of the place."), unit: "deg" },
  ownColumn("start_year", "i32", "From", "First year."),
  ownColumn("end_year", "i32", "To", "Last year, included."),
  ownColumn("file_type", "utf8", "File type", "Format of the file."),
  ownColumn("order_id", "utf8", "Order", "Identifier of the service; null where none is known."),
  ownColumn(
    "state",
    "utf8",
    "State",
    "What is known of it: sent (uncertain), placed, delivered, ...",
  ),
  ownColumn("status", "utf8", "Status", "Last status that the service told."),
  ownColumn("sent_at", "datetime", "Sent", "When it was sent."),
];

/** The ledger as a frame, whose uncertain orders can be forgotten. */
export type OrdersFrame = DataFrame & {
  /**
   * Ends the uncertainty about orders that were sent without an answer: the next call with their parameters sends them
   * anew. The ledger goes on to list them.
   *
   * @param entry Number in the ledger. @default all uncertain ones
   */
  forget(entry?: number): void;
};

function rowOf(order: LedgerEntry): (string | number | bigint | null)[] {
  const { parameters } = order;
  return [
    order.entry,
    order.place,
    parameters.service_id,
    parameters.lat,
    parameters.lon,
    parameters.start_year,
    parameters.end_year,
    parameters.filetype,
    order.orderId,
    order.state,
    order.status,
    BigInt(Math.floor(Temporal.Instant.from(order.sentAt).epochMilliseconds / 1000)) * 1_000_000n,
  ];
}

/**
 * Lists the orders that were sent from this home folder, whatever became of them.
 *
 * @param options Connection
 * @returns A frame of `entry` (Int32), `service`, `dataset` (String), `latitude`, `longitude` (Float64, deg),
 * `start_year`, `end_year` (Int32), `file_type`, `order_id`, `state`, `status` (String), `sent_at` (Datetime, UTC); its
 * `forget()` ends the uncertainty about orders without an answer
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
  const ledger = new Ledger(connectionOf(options).home);
  const entries = ledger.entries();
  const rows = entries.map(rowOf);
  const values = Object.fromEntries(
    ledgerFrame.map(({ name }, i) => [name, rows.map((row) => row[i])]),
  );
  const frame = describeFrame(frameOf(ledgerFrame, values), ledgerFrame);
  const forget = (entry?: number): void => {
    const uncertain = entries.filter(({ state }) => state === "sent");
    const wanted = uncertain.filter((order) => entry === undefined || order.entry === entry);
    if (entry !== undefined && wanted.length === 0) {
      throw new ArgumentError(
        `Cannot forget entry ${entry}: it is none of the uncertain ones (${
          uncertain.map((order) => order.entry).join(", ") || "there are none"
        })`,
      );
    }
    for (const order of wanted) ledger.forget(order.entry);
  };
  Object.defineProperty(frame, "forget", { value: forget, enumerable: false, configurable: true });
  return frame as OrdersFrame;
}
