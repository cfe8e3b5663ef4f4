import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/column.ts";
import { ArgumentError } from "../../api/errors.ts";
import { frameOf } from "../../frames/frame.ts";
import { describeFrame } from "../../frames/provenance.ts";
import { type CallOptions, connectionOf } from "../default_connection.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";

function text(name: string, label: string, description: string): Column {
  return { name, dtype: "utf8", label, description, tag: "ours" };
}

function number(name: string, dtype: "f64" | "i32", label: string, description: string): Column {
  return { name, dtype, label, description, tag: "ours" };
}

/** The frame of `orders()`. */
const ledgerFrame: readonly Column[] = [
  number("entry", "i32", "Entry", "Number in the ledger."),
  text("service", "Service", "Base address, `sample`, or `data:` and the data directory."),
  text("dataset", "Dataset", "Identifier of the dataset."),
  { ...number("latitude", "f64", "Latitude", "Latitude of the place."), unit: "deg" },
  { ...number("longitude", "f64", "Longitude", "Longitude of the place."), unit: "deg" },
  number("start_year", "i32", "From", "First year."),
  number("end_year", "i32", "To", "Last year, included."),
  text("file_type", "File type", "Format of the file."),
  text("order_id", "Order", "Identifier that the service gave; null where no answer is known."),
  text("state", "State", "What is known of it: sent (uncertain), placed, delivered, refused, ..."),
  text("status", "Status", "Last status that the service told."),
  {
    name: "sent_at",
    dtype: "datetime",
    label: "Sent",
    description: "When it was sent.",
    tag: "ours",
  },
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
