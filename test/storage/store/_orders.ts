import { assert } from "@std/assert";
import { type BuiltOrder, isBuilt, type Order } from "../../../src/storage/store/orders.ts";
import type { Store } from "../../../src/storage/store/store.ts";

/** Changes a stored order directly, bypassing its states, for example when its address expires. */
export async function changeOrder(
  store: Store,
  id: string,
  change: Partial<BuiltOrder> | Pick<Order, "state">,
): Promise<void> {
  await store.documents.transaction(async (all) => {
    const [{ entry, contents: [order] }] = await all.read<Order>("order", { ids: [id] });
    const changed = { ...order, ...change };
    await all.put("order", [{ ...entry, state: changed.state, parts: [changed] }]);
  });
}

/** Returns a stored order that has its file. */
export async function builtOrder(store: Store, id: string): Promise<BuiltOrder> {
  const order = await store.orders.get(id);
  assert(order && isBuilt(order), `order ${id} is ${order?.state}`);
  return order;
}
