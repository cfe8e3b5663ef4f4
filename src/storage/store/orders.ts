import { sha256 } from "../../disk/hashes.ts";
import type { Document, Documents, Draft } from "./documents.ts";

/** An order of a licence. */
interface OrderRequest {
  readonly id: string;
  /** Licence that placed it. */
  readonly serialNumber: string;
  readonly serviceId: string;
  /** Parameters as sent, by their names in the API. */
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** An order without a file; a failed one never gets one. */
interface UnbuiltOrder extends OrderRequest {
  readonly state: "placed" | "approved" | "failed";
}

/**
 * An order with its file. New equal orders join a complete one, but not a delivered one, whose file was fully sent or
 * whose data were replaced.
 */
export interface BuiltOrder extends OrderRequest {
  readonly state: "complete" | "delivered";
  /** Unguessable part of the download address. */
  readonly token: string;
  /** Name of the file. */
  readonly file: string;
  /** When the download address expires, milliseconds since 1970 UTC. */
  readonly expires: number;
}

/** A climate order. */
export type Order = UnbuiltOrder | BuiltOrder;

/** The next state of an order, with the fields that it gains. */
export type OrderChange =
  | { readonly state: "approved" | "failed" }
  | Pick<BuiltOrder, "token" | "file" | "expires"> & { readonly state: "complete" }
  | { readonly state: "delivered"; readonly expires?: number };

/** States from which each state can follow. */
const PREDECESSORS: Readonly<Record<OrderChange["state"], readonly Order["state"][]>> = {
  approved: ["placed"],
  complete: ["approved"],
  delivered: ["complete", "delivered"],
  failed: ["placed", "approved"],
};

/** States of orders still to be built, and of orders that others may join. */
const UNFINISHED: readonly Order["state"][] = ["placed", "approved"];
const JOINABLE: readonly Order["state"][] = [...UNFINISHED, "complete"];

/** Whether an order still has to be built. */
export function isUnfinished({ state }: Order): boolean {
  return UNFINISHED.includes(state);
}

/** Whether an order has its file. */
export function isBuilt(order: Order): order is BuiltOrder {
  return order.state === "complete" || order.state === "delivered";
}

/** A stored order, with the time of placing and a number that orders equal times. */
export type StoredOrder = Order & { readonly placed: number; readonly number: number };

function toOrder({ placed: _placed, number: _number, ...order }: StoredOrder): Order {
  return order;
}

/** Builds the document of an order: `owner` is the licence, `search` a hash of the sorted parameters. */
function toOrderDraft(order: StoredOrder): Draft {
  const { id, serialNumber, state, serviceId, parameters } = order;
  const sorted = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
  const search = sha256(JSON.stringify([serviceId, sorted])).slice(0, 32);
  return { id, owner: serialNumber, state, search, parts: [order] };
}

/** Stores an order, and a token document that leads to it and has the file as `search`. Needs a transaction. */
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
   * Places an order in one step. If its licence has an open order with the same parameters and a valid download
   * address, no new one is added.
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
        states: JOINABLE,
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
   * Orders still to be built, oldest first.
   *
   * @param serialNumber Licence of the orders; all by default
   * @param limit Largest number of orders; all by default
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
   * Moves an order to its next state in one step; of two processes, only the first succeeds. Completing an order locks
   * the points until the transaction ends, so points read in it afterwards cannot be replaced.
   *
   * @returns Whether the state could follow the order's present one
   */
  async update(id: string, change: OrderChange): Promise<boolean> {
    return await this.#documents.transaction(async (all) => {
      if (change.state === "complete") {
        await all.engine.lock("files", true);
        await all.engine.lock("points", true);
      }
      await all.begin("order");
      const order = await all.get<StoredOrder>("order", id);
      if (!order || !PREDECESSORS[change.state].includes(order.state)) return false;
      await putOrder(all, { ...order, ...change } as StoredOrder);
      return true;
    });
  }
}

/** Stops others from joining finished orders of a dataset whose data are replaced. Needs a transaction. */
export async function endJoining(all: Documents, serviceId: string): Promise<void> {
  const complete = await all.read<StoredOrder>("order", { states: ["complete"] });
  const delivered = complete.map(({ contents: [order] }) => order)
    .filter((order) => order.serviceId === serviceId)
    .map((order) => toOrderDraft({ ...order, state: "delivered" } as StoredOrder));
  await all.put("order", delivered);
}

/**
 * Lists the files of orders that are still needed.
 *
 * @param among Restricts the result to these names
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
