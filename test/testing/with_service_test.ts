import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, TimeoutError } from "../../src/api/errors.ts";
import { datasets } from "../../src/client/calls/climate_data.ts";
import { turbines } from "../../src/client/calls/turbines.ts";
import { withService } from "../../src/testing/mod.ts";
import { withOrderData } from "../service/fulfilment/_order_data.ts";
import { putSite } from "../../src/sites/keep/put_site.ts";
import { SHARED_SAMPLE } from "../service/_sample.ts";

const folder = SHARED_SAMPLE;

describe("withService()", () => {
  it("serves the sample over HTTP, with a key and a ledger of its own, and stops", async () => {
    const [url, height] = await withService(async ({ url, key, connection }) => {
      const answer = await fetch(`${url}/wind-index/calibrated/`, {
        headers: { "X-Auth": key.reveal() },
      });
      assertEquals((await answer.json()).length, 8);
      return [url, (await turbines({ connection })).height] as const;
    }, { folder });
    assertEquals(height, 8);
    await assertRejects(() => fetch(url), TypeError);
  });

  it("serves your own data", async () => {
    await withOrderData(async ({ folder: data, store, site }) => {
      await putSite(store, site);
      await withService(async ({ connection }) => {
        assertEquals((await datasets({ connection })).height, site.datasets.length);
      }, { data });
    });
  });

  it("gives what the body gives, and lets its error through", async () => {
    assertEquals(await withService(() => Promise.resolve(42), { folder }), 42);
    const failing = () => withService(() => Promise.reject(new Error("mine")), { folder });
    await assertRejects(failing, Error, "mine");
  });

  it("passes further settings on to the connection", async () => {
    await withService(async ({ connection }) => {
      await assertRejects(() => turbines({ connection }), TimeoutError);
    }, { folder, connection: { timeout: 0.001 } });
  });

  it("refuses an option that it does not have before anything starts", async () => {
    let started = false;
    await assertRejects(
      () => withService(() => Promise.resolve(started = true), { fault: [] } as object),
      ArgumentError,
      'it has no option "fault"',
    );
    assert(!started);
  });
});
