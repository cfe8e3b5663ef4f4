import { sha256 } from "../../disk/hashes.ts";
import type { Document, Documents, Draft } from "./documents.ts";

/** What a licence has ordered. */
interface OrderRequest {
  readonly id: string;
  /** Licence that placed it. */
  readonly serialNumber: string;
  readonly serviceId: string;
  /** Parameters as sent, by wire name. */
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** An order without a file: a failed one never gets it. */
interface UnbuiltOrder extends OrderRequest {
  readonly state: "placed" | "approved" | "failed";
}

/**
 * An order with its file. A complete one is joined by whoever orders the same; a delivered one is not, because its file
 * was sent to the end or its data were replaced.
 */
export interface BuiltOrder extends OrderRequest {
  readonly state: "complete" | "delivered";
  /** Unguessable part of the download address. */
  readonly token: string;
  /** Name of the file. */
  readonly file: string;
  /** When the download address ends, milliseconds since 1970 UTC. */
  readonly expires: number;
}

/** A climate order. */
export type Order = UnbuiltOrder | BuiltOrder;

/** The next state of an order, with what it has from then on. */
export type OrderChange =
  | { readonly state: "approved" | "failed" }
  | Pick<BuiltOrder, "token" | "file" | "expires"> & { readonly state: "complete" }
  | { readonly state: "delivered"; readonly expires?: number };

/** The states that each state follows. */
const BEFORE: Readonly<Record<OrderChange["state"], readonly Order["state"][]>> = {
  approved: ["placed"],
  complete: ["approved"],
  delivered: ["complete", "delivered"],
  failed: ["placed", "approved"],
};

/** States of orders that are to be built, and of those that others may join. */
const UNFINISHED: readonly Order["state"][] = ["placed", "approved"];
const JOINED: readonly Order["state"][] = [...UNFINISHED, "complete"];

/** Whether an order is to be built. */
export function isUnfinished({ state }: Order): boolean {
  return UNFINISHED.includes(state);
}

/** Whether an order has its file. */
export function isBuilt(order: Order): order is BuiltOrder {
  return order.state === "complete" || order.state === "delivered";
}

/** An order as it is stored: with the time at which it was placed, and a number for those of one time. */
export type StoredOrder = Order & { readonly placed: number; readonly number: number };

function toOrder({ placed: _placed, number: _number, ...order }: StoredOrder): Order {
  return order;
}

/** A document of an order: its owner is the licence, its `search` the same for the same parameters in any order. */
function toOrderDraft(order: StoredOrder): Draft {
  const { id, serialNumber, state, serviceId, parameters } = order;
  const sorted = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
  const search = sha256(JSON.stringify([serviceId, sorted])).slice(0, 32);
  return { id, owner: serialNumber, state, search, parts: [order] };
}

/** Stores an order, within a transaction; a document with the name of its token leads to it, its `search` is the file. */
async function putOrder(all: Documents, order: StoredOrder): Promise<void> {
  const { id, serialNumber } = order;
  await all.put("order", [toOrderDraft(order)]);
  if (!isBuilt(order)) return;
  const other = await all.get<string>("token", order.token);
  if (other === id) return;
  if (other !== undefined) throw new Error(`Orders ${id} and ${other} have the same token`);
  const token = { id: order.token, owner: serialNumber, search: order.file, parts: [id] };
  await all.put("token", [token]);
}

const inOrder = (documents: readonly Document<StoredOrder>[]): Order[] =>
  documents.map(({ contents: [order] }) => order)
    .sort((a, b) => a.placed - b.placed || a.number - b.number).map(toOrder);

/** Climate orders. */
export class Orders {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /**
   * Places an order, in one step: where its licence has an open one for the same parameters whose download address has
   * not ended, no new one is added.
   *
   * @param now Instant at which addresses are checked, milliseconds since 1970 UTC
   * @returns The open order, or the given one
   */
  async place(order: Order, now: number): Promise<Order> {
    return await this.#documents.transaction(async (all) => {
      const number = await all.next("order"); // holds the write lock
      const stored = { ...order, placed: now, number };
      const { owner, search } = toOrderDraft(stored);
      const same = await all.read<StoredOrder>("order", {
        owner,
        search: [search!],
        states: JOINED,
      });
      const open = inOrder(same).find((one) => !isBuilt(one) || one.expires >= now);
      if (open) return open;
      if (await all.find("order", order.id)) {
        throw new Error(`Order ${order.id} already exists`);
      }
      await putOrder(all, stored);
      return order;
    });
  }

  async get(id: string): Promise<Order | undefined> {
    const order = await this.#documents.get<StoredOrder>("order", id);
    return order && toOrder(order);
  }

  async findByToken(token: string): Promise<BuiltOrder | undefined> {
    const id = await this.#documents.get<string>("token", token);
    const order = id === undefined ? undefined : await this.get(id);
    return order && isBuilt(order) ? order : undefined;
  }

  /**
   * Orders that are to be built, oldest first.
   *
   * @param serialNumber Of this licence only; of all unless given
   * @param limit Largest number of them; all unless given
   */
  async unfinished(serialNumber?: string, limit?: number): Promise<Order[]> {
    const owner = serialNumber === undefined ? {} : { owner: serialNumber };
    const orders = await this.#documents.read<StoredOrder>("order", {
      ...owner,
      states: UNFINISHED,
    });
    return inOrder(orders).slice(0, limit);
  }

  /**
   * Brings an order into its next state, in one step: of two processes only the first does. Once it is complete, nobody
   * else replaces points until the transaction ends, so points that the transaction reads afterwards stay as they are.
   *
   * @returns Whether it was in a state that the next one follows
   */
  async update(id: string, change: OrderChange): Promise<boolean> {
    return await this.#documents.transaction(async (all) => {
      if (change.state === "complete") {
        await all.engine.lock("files", true);
        await all.engine.lock("points", true);
      }
      await all.begin("order");
      const order = await all.get<StoredOrder>("order", id);
      if (!order || !BEFORE[change.state].includes(order.state)) return false;
      await putOrder(all, { ...order, ...change } as StoredOrder);
      return true;
    });
  }
}

/** Stops others from joining finished orders of a dataset, as its data are replaced; within a transaction. */
export async function endJoining(all: Documents, serviceId: string): Promise<void> {
  const complete = await all.read<StoredOrder>("order", { states: ["complete"] });
  const delivered = complete.map(({ contents: [order] }) => order)
    .filter((order) => order.serviceId === serviceId)
    .map((order) => toOrderDraft({ ...order, state: "delivered" } as StoredOrder));
  await all.put("order", delivered);
}

/**
 * Names of the files of orders that are needed.
 *
 * @param among Of these only
 */
export async function listOrderFiles(
  documents: Documents,
  now: number,
  among?: readonly string[],
): Promise<string[]> {
  const tokens = await documents.read<string>("token", among ? { search: among } : {});
  const ids = tokens.map(({ contents: [id] }) => id);
  if (ids.length === 0) return [];
  return (await documents.read<StoredOrder>("order", { ids })).map(({ contents: [order] }) => order)
    .flatMap((order) => isBuilt(order) && order.expires >= now ? [order.file] : []);
}
