import { type Column, ownColumn } from "../../api/columns/column.ts";
import type { LedgerEntry } from "./ledger.ts";

/** The columns of `orders()`. */
export const orderColumns: readonly Column[] = [
  ownColumn("entry", "i32", "Entry", "Number in the ledger."),
  ownColumn("service", "utf8", "Service", "Base address, `sample`, or `data:` and the directory."),
  ownColumn("dataset", "utf8", "Dataset", "Identifier of the dataset."),
  ownColumn("latitude", "f64", "Latitude", "Latitude of the place.", "deg"),
  ownColumn("longitude", "f64", "Longitude", "Longitude of the place.", "deg"),
  ownColumn("start_year", "i32", "From", "First year."),
  ownColumn("end_year", "i32", "To", "Last year, included."),
  ownColumn("file_type", "utf8", "File type", "Format of the file."),
  ownColumn("order_id", "utf8", "Order", "Identifier that the service gave; null if unknown."),
  ownColumn(
    "state",
    "utf8",
    "State",
    "What is known of it: sent (uncertain), placed, delivered, ...",
  ),
  ownColumn("status", "utf8", "Status", "Last status that the service reported."),
  ownColumn("sent_at", "datetime", "Sent", "When it was sent."),
];

/** Builds the row of an order in `orders()`, a value for each of {@linkcode orderColumns}. */
export function buildOrderRow(order: LedgerEntry): (string | number | bigint | null)[] {
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
