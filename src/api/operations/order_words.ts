/** A status of a climate order that is a word; an order that can be downloaded has an address instead. */
export type OrderWord = "placed" | "approved" | "complete" | "delivered" | "unknown";

/** Meaning of each word in our service. */
export const orderWords: Readonly<Record<OrderWord, string>> = {
  placed: "it waits in the queue",
  approved: "its file is being built",
  complete: "its file is built, the address follows",
  delivered: "its address has expired",
  unknown: "it could not be built",
};
