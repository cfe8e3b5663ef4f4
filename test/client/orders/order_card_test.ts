import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { connect } from "../../../src/client/connection/connection.ts";
import { Ledger, type LedgerState } from "../../../src/client/orders/ledger.ts";
import { buildOrderCard } from "../../../src/client/orders/climate_order.ts";
import { orders } from "../../../src/client/orders/orders.ts";
import { attachOrder, placeOrder } from "../../../src/client/orders/place_order.ts";
import { formatCard } from "../../../src/show/card.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";
import { table } from "../../../src/show/table/table.ts";
import { withServer } from "../_local_server.ts";

const place = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2021 };
const SENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/;

describe("an order shows itself", () => {
  it("with state, parameters, when it was sent, and the next step", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection, url }) => {
      const order = await placeOrder("era5", { ...place, connection });
      const text = `Climate order o-1

State      placed
Service    (address)
Dataset    era5
Latitude   55.5 deg
Longitude  7.75 deg
From       2020
To         2021
File type  zipcsv
Sent       (stamp)
Next       attachOrder("o-1").download() waits for the file and reads it`;
      for (const one of [order, attachOrder("o-1", { connection })]) {
        const bundle = one[JUPYTER_DISPLAY]();
        assertEquals(Object.keys(bundle), ["text/html", "text/plain"]);
        assertEquals(bundle["text/plain"], Deno.inspect(one));
        assertEquals(Deno.inspect(one).replace(url, "(address)").replace(SENT, "(stamp)"), text);
      }
    });
  });

  it("as in the ledger now, with the service's own status", async () => {
    await withServer(
      (_, number) => Response.json(number === 1 ? "o-1" : "In Queue <b>"),
      async ({ connection }) => {
        const order = await placeOrder("era5", { ...place, connection });
        await order.status();
        assertStringIncludes(
          Deno.inspect(order),
          'placed; the service last reported "in queue <b>"',
        );
        const html = order[JUPYTER_DISPLAY]()["text/html"] as string;
        assertStringIncludes(html, "&quot;in queue &lt;b&gt;&quot;");
      },
    );
  });

  it("in each of its states", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection, home }) => {
      await placeOrder("era5", { ...place, connection });
      const words: [LedgerState, string, string][] = [
        ["delivered", "delivered", "fetches the file again"],
        ["failed", "failed: the service no longer has the order", "placeOrder()"],
        ["refused", "refused: no order was placed", "the order is finished"],
        ["repeated", "replaced by a later order", "the order is finished"],
      ];
      for (const [state, inWords, next] of words) {
        new Ledger(home).note(1, { state });
        const entry = new Ledger(home).listEntries()[0];
        const text = formatCard(buildOrderCard(home, { ...entry, orderId: "o-1" }));
        assertStringIncludes(text, `State      ${inWords}`);
        assertStringIncludes(text, next);
      }
    });
  });

  it("in its earlier state if the ledger cannot be read", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection, home }) => {
      const order = await placeOrder("era5", { ...place, connection });
      await Deno.writeTextFile(`${home}/orders.db`, "no database");
      assertStringIncludes(Deno.inspect(order), "Climate order o-1");
    });
  });
});

describe("orders() shows", () => {
  it("the next steps for open or uncertain orders", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection, home }) => {
      await placeOrder("era5", { ...place, connection });
      new Ledger(home).begin("sample", { service_id: "era5" }, false);
      const text = table(orders({ connection })).text();
      assertStringIncludes(text, 'Entry 1 is open: attachOrder("o-1").download() waits');
      assertStringIncludes(text, "Entry 2 is uncertain: downloadClimate() with the same");
      assertStringIncludes(text, "orders().forget(2)");
    });
  });

  it("next steps only below all orders, not below a selection", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection }) => {
      await placeOrder("era5", { ...place, connection });
      const chosen = orders({ connection }).filter(pl.col("dataset").eq(pl.lit("merra2")));
      assertEquals(table(chosen).text().includes("Entry 1 is open"), false);
    });
  });

  it("no more lines than fit on a screen, and none without open orders", async () => {
    const home = await Deno.makeTempDir();
    try {
      const connection = connect({ sample: true, home });
      const ledger = new Ledger(home);
      for (let i = 0; i < 8; i++) ledger.begin("sample", { service_id: `d${i}` }, false);
      assertStringIncludes(
        table(orders({ connection })).text(),
        "3 more orders are open or uncertain",
      );
      for (let i = 1; i <= 8; i++) ledger.note(i, { state: "refused" });
      assert(!table(orders({ connection })).text().includes("Entry "));
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  });
});
