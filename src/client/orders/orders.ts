import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { buildRows } from "../../frames/frame.ts";
import { addCaption, describeFrame, type Provenance } from "../../frames/provenance.ts";
import {
  type CallOptions,
  callOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import { Ledger } from "./ledger.ts";
import { buildOrderRow, listNextSteps, orderColumns } from "./order_row.ts";
import { readOptions } from "../../show/options/read_options.ts";

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
    // A home folder has the orders of all connections: they are invented only where the sample is among them.
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
    const wanted = uncertain.filter((order) => entry === undefined || order.entry === entry);
    if (entry !== undefined && wanted.length === 0) {
      throw new ArgumentError(
        `Cannot forget entry ${entry}: it is not one of the uncertain ones (${
          uncertain.map((order) => order.entry).join(", ") || "there are none"
        })`,
      );
    }
    for (const order of wanted) ledger.forget(order.entry);
  };
  Object.defineProperty(frame, "forget", { value: forget, enumerable: false, configurable: true });
  return frame as OrdersFrame;
}
