/**
 * Orders at a pace: how each state is reported, over HTTP, through our client and across a restart.
 *
 * @module
 */
import { putSite } from "../../../src/sites/keep/put_site.ts";
import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { KEY_HEADER, operationOf } from "../../../src/api/operations/operations.ts";
import { orderAndWait } from "../../../src/client/orders/place_order.ts";
import type { ClimateOptions } from "../../../src/client/answers/climate_files.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { LOCAL_LICENCE } from "../../../src/service/licences/licences.ts";
import { type OrderPace, parseOrderPace } from "../../../src/service/fulfilment/order_pace.ts";
import { openSample, openService } from "../../../src/service/running/service.ts";
import { type ServiceUnderTest, withService } from "../../../src/testing/with_service.ts";
import { withOrderData } from "./_order_data.ts";
import { buildPath } from "../_sample.ts";
import { inlineOrders } from "../_inline_orders.ts";

/** Words until the address, and the address. */
async function collectWords(ask: () => Promise<string | undefined>): Promise<string[]> {
  const words: string[] = [];
  while (!words.at(-1)?.startsWith("http")) {
    words.push((await ask())!);
    await new Promise((done) => setTimeout(done)); // the work's turn
  }
  return words.map((word) => word.startsWith("http") ? "URL" : word);
}

describe("an order at a pace", () => {
  it("of polls reports each state so many times, then the address", async () => {
    for (const polls of [1, 3]) {
      await withOrderData(async ({ folder, values }) => {
        await withService(async ({ url, key }) => {
          const headers = { [KEY_HEADER]: key.reveal() };
          const ask = async (path: string) => await (await fetch(url + path, { headers })).json();
          const id = await ask(buildPath(operationOf("place_order"), values));
          const status = buildPath(operationOf("order_status"), { order_id: id });
          const words = await collectWords(() => ask(status));
          const each = (word: string) => Array.from({ length: polls }, () => word);
          assertEquals(words, [...each("placed"), ...each("approved"), ...each("complete"), "URL"]);
        }, { data: folder, orderPace: { polls } });
      });
    }
  });

  it("of seconds proceeds through every state without requests", async () => {
    await withOrderData(async ({ store, files, values }) => {
      const orders = inlineOrders(store, files, { seconds: 0.05 });
      const id = await orders.place(LOCAL_LICENCE, values);
      const words = await collectWords(() => orders.status(LOCAL_LICENCE, id, "http://h"));
      assertEquals([...new Set(words)], ["placed", "approved", "complete", "URL"]);
      await orders.close();
    });
  });

  it("continues after a restart where it was", async () => {
    await withOrderData(async ({ store, files, values }) => {
      const words: string[] = [];
      let id = "";
      for (let run = 0; run < 4; run++) {
        const orders = inlineOrders(store, files, { polls: 2 });
        await orders.resume();
        id ||= await orders.place(LOCAL_LICENCE, values);
        // Of each run the third answer has moved on: the next run begins with that state.
        for (let polls = 0; polls < 3; polls++) {
          words.push((await orders.status(LOCAL_LICENCE, id, "http://h"))!);
        }
        await orders.close();
      }
      assertEquals(words.slice(0, 8), [
        ...["placed", "placed", "approved"],
        ...["approved", "approved", "complete"],
        ...["complete", "complete"],
      ]);
      assertMatch(words[8], /^http/);
      assertEquals(new Set(words.slice(8)).size, 1, "the reported address stays");
    });
  });

  it("is built before it is complete: a process that takes it up then only adds the address", async () => {
    await withOrderData(async ({ store, files, values }) => {
      const paced = inlineOrders(store, files, { polls: 1 });
      const id = await paced.place(LOCAL_LICENCE, values);
      const ask = () => paced.status(LOCAL_LICENCE, id, "http://h");
      assertEquals([await ask(), await ask(), await ask()], ["placed", "approved", "complete"]);
      await paced.close();
      const { token, file, expires } = (await store.orders.get(id))!;
      assertEquals([expires, (await files.names()).includes(file!)], [null, true]);
      assertEquals(await paced.findByToken(token!), undefined, "the address is not reported yet");

      const orders = inlineOrders(store, files);
      await orders.resume();
      await collectWords(() => orders.status(LOCAL_LICENCE, id, "http://h"));
      assertEquals((await orders.findByToken(token!))!.file, file);
      await orders.close();
    });
  });

  it("reports its address, also where its data are replaced before", async () => {
    await withOrderData(async ({ store, files, values, site }) => {
      const orders = inlineOrders(store, files, { polls: 1 });
      const id = await orders.place(LOCAL_LICENCE, values);
      const ask = () => orders.status(LOCAL_LICENCE, id, "http://h");
      assertEquals([await ask(), await ask(), await ask()], ["placed", "approved", "complete"]);
      const points = site.points.map((point) => ({ ...point, file: `0${point.file.slice(1)}` }));
      await putSite(store, { ...site, fingerprint: "2", points });
      assertEquals((await store.orders.get(id))!.state, "delivered");
      assertMatch((await ask())!, /^http/);
      await orders.close();
    });
  });

  it("counts only requests of its own licence, and each of several concurrent ones", async () => {
    await withOrderData(async ({ store, files, values }) => {
      const orders = inlineOrders(store, files, { polls: 2 });
      const id = await orders.place(LOCAL_LICENCE, values);
      const other = { ...LOCAL_LICENCE, serialNumber: "other" };
      for (let i = 0; i < 9; i++) {
        assertEquals(await orders.status(other, id, "http://h"), undefined);
      }
      const words = await Promise.all(
        Array.from({ length: 7 }, () => orders.status(LOCAL_LICENCE, id, "http://h")),
      );
      const shown = words.map((word) => word!.startsWith("http") ? "URL" : word);
      assertEquals(shown, [
        ...["placed", "placed", "approved", "approved", "complete", "complete"],
        "URL",
      ]);
      await orders.close();
    });
  });

  it("does not keep a service from closing, and leaves no timer", async () => {
    await withOrderData(async ({ store, files, values }) => {
      const orders = inlineOrders(store, files, { seconds: 86_400 });
      const id = await orders.place(LOCAL_LICENCE, values);
      await orders.close();
      assertEquals((await store.orders.get(id))!.state, "placed");
    });
  });

  it("proceeds beside the others: none waits for the pause of another", async () => {
    await withOrderData(async ({ store, files, values }) => {
      const orders = inlineOrders(store, files, { polls: 1 });
      const first = await orders.place(LOCAL_LICENCE, values);
      const second = await orders.place(LOCAL_LICENCE, { ...values, filetype: "zipcsv" });
      await collectWords(() => orders.status(LOCAL_LICENCE, second, "http://h"));
      assertEquals(await orders.status(LOCAL_LICENCE, first, "http://h"), "placed");
      await orders.close();
    });
  });
});

describe("orderAndWait() with a service at a pace", () => {
  /** Lets a body order from a service of its own: an order that another test left open would be joined. */
  async function withPace(
    orderPace: OrderPace,
    body: (service: ServiceUnderTest, place: ClimateOptions) => Promise<void>,
  ): Promise<void> {
    await withOrderData(async ({ folder, values: { lat, lon } }) => {
      const at = { latitude: Number(lat), longitude: Number(lon), from: 2023, to: 2023 };
      await withService((service) => body(service, { ...at, connection: service.connection }), {
        data: folder,
        orderPace,
      });
    });
  }

  it("reports each state once, and returns the table", async () => {
    await withPace({ polls: 2 }, async ({ requests }, place) => {
      const states: string[] = [];
      const frame = await orderAndWait("era5", {
        ...place,
        firstPause: 0,
        onStatus: ({ state }) => void states.push(state),
      });
      assertEquals(states, ["placed", "approved", "complete", "ready"]);
      assertEquals(frame.height, 8760);
      const looks = requests.filter(({ operation }) => operation === "order_status");
      assertEquals([looks.length, requests.at(-1)!.operation], [7, "order_file"]);
    });
  });

  it("downloads directly where it is complete three times without an address", async () => {
    await withPace({ polls: 3 }, async ({ requests }, place) => {
      const frame = await orderAndWait("era5", { ...place, firstPause: 0 });
      assertEquals([frame.height, requests.at(-1)!.operation], [8760, "download_climate"]);
    });
  });
});

describe("parseOrderPace()", () => {
  it("reads seconds and polls", () => {
    assertEquals(
      ["5s", "0.5s", "3polls", "1poll"].map(parseOrderPace),
      [{ seconds: 5 }, { seconds: 0.5 }, { polls: 3 }, { polls: 1 }],
    );
  });

  it("refuses anything else, and lists what is allowed", () => {
    for (const text of ["", "5", "s", "-1s", "5 s", "1.5polls", "0polls", "0s", "86401s", "1e3s"]) {
      assertThrows(() => parseOrderPace(text), ArgumentError, "Cannot pace orders: ");
    }
  });
});

describe("an invalid pace", () => {
  it("is refused before anything is opened", async () => {
    const wrong = [{ polls: 0 }, { polls: 1.5 }, { seconds: 0 }, { seconds: NaN }, {}, {
      seconds: 1,
      polls: 1,
    }];
    for (const pace of wrong) {
      const orderPace = pace as OrderPace;
      await assertRejects(() => openSample({ folder: "/nowhere", orderPace }), ArgumentError);
      await assertRejects(() => openService("/nowhere", { orderPace }), ArgumentError);
    }
    await assertRejects(() => openStorage("/nowhere"));
  });
});
