/**
 * State of a climate order. It is open while it is placed, approved, or complete and not yet fetched; delivered once its
 * file has been sent to the end. It has its address once `expires` is set: until then it is processed further,
 * unless it failed.
 */
export type OrderState = "placed" | "approved" | "complete" | "delivered" | "failed";

/** A climate order. */
export interface Order {
  readonly id: string;
  /** Licence that placed it. */
  readonly serialNumber: string;
  readonly serviceId: string;
  /** Parameters as sent, by wire name. */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly state: OrderState;
  /** Unguessable part of the download address, once complete. */
  readonly token: string | null;
  /** Name of the file, once complete. */
  readonly file: string | null;
  /** When the download address ends, milliseconds since 1970 UTC; `null` until the order has it. */
  readonly expires: number | null;
}

/** Changed fields of an order. */
export type OrderChange = Partial<Pick<Order, "state" | "token" | "file" | "expires">>;
