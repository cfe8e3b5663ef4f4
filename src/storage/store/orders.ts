import { sha256 } from "../../disk/hashes.ts";
import type { Document, Documents, Draft } from "./documents.ts";
import type { Order, OrderChange, OrderState } from "./order.ts";

/** An order as it is stored: with the time at which it was placed, and a number for those of one time. */
export interface StoredOrder extends Order {
  readonly placed: number;
  readonly number: number;
}

/** The state of an order whose download address is known, in its row. */
const addressed = (state: string) => `${state}, addressed`;

/** States of orders that have no address yet, and of those that others may join. */
const UNFINISHED = ["placed", "approved", "complete", "delivered"];
const JOINED = ["placed", "approved", "complete"].flatMap((state) => [state, addressed(state)]);

/** A document of an order: its owner is the licence, its `search` what was ordered. */
export function toOrderDraft(order: StoredOrder): Draft {
  const { id, serialNumber, state, expires } = order;
  return {
    id,
    owner: serialNumber,
    state: expires === null ? state : addressed(state),
    search: nameRequest(order),
    parts: [order],
  };
}

/** Name of what was ordered: the same for the same parameters, whatever their order. */
function nameRequest({ serviceId, parameters }: Order): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
  return sha256(JSON.stringify([serviceId, sorted])).slice(0, 32);
}

const inOrder = (documents: readonly Document<StoredOrder>[]): StoredOrder[] =>
  documents.map(({ contents: [order] }) => order).sort((a, b) =>
    a.placed - b.placed || a.number - b.number
  );

/**
 * Name of the document that leads to an order with a token or a file: the token, if there is one. Its `search` is the
 * file.
 */
const nameLead = ({ token, file, id }: Order) =>
  token ?? (file === null ? undefined : ` of order ${id}`);

/** Stores an order, within a transaction. */
export async function putOrder(all: Documents, order: StoredOrder, before?: Order): Promise<void> {
  const { id, serialNumber, file } = order;
  await all.put("order", [toOrderDraft(order)]);
  const [name, last] = [nameLead(order), before && nameLead(before)];
  if (last !== undefined && last !== name) await all.remove("token", { ids: [last] });
  if (name === undefined) return;
  const other = await all.get<string>("token", name);
  if (other !== undefined && other !== id) {
    throw new Error(`Orders ${id} and ${other} have one token`);
  }
  await all.put("token", [{ id: name, owner: serialNumber, search: file ?? "", parts: [id] }]);
}

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
      const number = await all.next("order"); // nobody else places one from here on
      const stored = { ...order, placed: now, number };
      const draft = toOrderDraft(stored);
      const same = await all.read<StoredOrder>("order", {
        owner: draft.owner,
        search: [draft.search!],
        states: JOINED,
      });
      const open = inOrder(same).find(({ expires }) => expires === null || expires >= now);
      if (open) return toOrder(open);
      if (await all.find("order", order.id)) {
        throw new Error(`There is an order ${order.id} already`);
      }
      await putOrder(all, stored);
      return order;
    });
  }

  async get(id: string): Promise<Order | undefined> {
    const order = await this.#documents.get<StoredOrder>("order", id);
    return order && toOrder(order);
  }

  async findByToken(token: string): Promise<Order | undefined> {
    const id = await this.#documents.get<string>("token", token);
    const order = id === undefined ? undefined : await this.get(id);
    return order?.token === token ? order : undefined;
  }

  /**
   * Orders that are not finished, oldest first: those that have no address yet and did not fail.
   *
   * @param serialNumber Of this licence only; of all unless given
   * @param limit Largest number of them; all unless given
   */
  async unfinished(serialNumber?: string, limit?: number): Promise<Order[]> {
    const owner = serialNumber === undefined ? {} : { owner: serialNumber };
    const found = await this.#documents.read<StoredOrder>("order", {
      ...owner,
      states: UNFINISHED,
    });
    return inOrder(found).slice(0, limit).map(toOrder);
  }

  /**
   * Changes an order. Once it is complete, nobody else replaces points until the transaction ends, so points that the
   * transaction reads afterwards stay as they are.
   *
   * @param from States in which it is changed, in one step, so only the first of two processes does; any state unless
   * given
   * @returns Whether it was changed
   */
  async update(id: string, change: OrderChange, from?: readonly OrderState[]): Promise<boolean> {
    return await this.#documents.transaction(async (all) => {
      if (change.file) await all.engine.lock("files", true);
      if (change.state === "complete") await all.engine.lock("points", true);
      await all.begin("order");
      const order = await all.get<StoredOrder>("order", id);
      if (!order || from && !from.includes(order.state)) return false;
      await putOrder(all, { ...order, ...change }, order);
      return true;
    });
  }
}

/** Stops others from joining finished orders of a dataset, as its data are replaced; within a transaction. */
export async function endJoining(all: Documents, serviceId: string): Promise<void> {
  const complete = await all.read<StoredOrder>("order", {
    states: ["complete", addressed("complete")],
  });
  const own = complete.flatMap(({ contents: [order] }) =>
    order.serviceId === serviceId ? [toOrderDraft({ ...order, state: "delivered" })] : []
  );
  await all.put("order", own);
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
  return (await documents.read<StoredOrder>("order", { ids }))
    .map(({ contents: [order] }) => order)
    .flatMap(({ file, expires }) => file && (expires === null || expires >= now) ? [file] : []);
}

function toOrder({ placed: _placed, number: _number, ...order }: StoredOrder): Order {
  return order;
}
