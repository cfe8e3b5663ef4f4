import { putSite } from "../../../src/sites/keep/put_site.ts";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { buildOrder } from "../../../src/service/fulfilment/build_order.ts";
import type { SiteRecord } from "../../../src/sites/keep/site_record.ts";
import type { Order } from "../../../src/storage/store/orders.ts";
import { builtOrder } from "../../storage/store/_orders.ts";
import { withOrderData } from "./_order_data.ts";

type Point = SiteRecord["points"][number];

describe("buildOrder()", () => {
  for (
    const [label, replace, state] of [
      ["are replaced", (point: Point) => [{ ...point, file: "0d.parquet" }], "delivered"],
      ["are gone", () => [], "delivered"],
      ["stay", (point: Point) => [point], "complete"],
    ] as const
  ) {
    it(`completes an order that others join only until its data are replaced: they ${label} before its commit`, async () => {
      await withOrderData(async ({ store, files, site, values }) => {
        const order: Order = {
          id: "one",
          serialNumber: "local",
          serviceId: "era5",
          parameters: values,
          state: "approved",
        };
        await store.orders.place(order, Date.now());
        await buildOrder(store, files, { id: "one" }, {
          commit: async (body) => {
            await putSite(store, {
              ...site,
              fingerprint: "2",
              points: site.points.flatMap(replace),
            });
            return await store.transaction(body);
          },
          report: () => {},
        });
        const built = await builtOrder(store, "one");
        assertEquals(built.state, state);
        assertEquals(await files.isSound(built.file), true);
        const next = await store.orders.place({ ...order, id: "next" }, Date.now());
        assertEquals(next.id, state === "complete" ? "one" : "next");
      });
    });
  }
});
