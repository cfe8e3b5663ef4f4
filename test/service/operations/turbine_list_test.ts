/**
 * Lists of more turbines than a page, over HTTP and from a real store whose pages a test delays.
 *
 * @module
 */
import { putSite } from "../../../src/sites/keep/put_site.ts";
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { openStorage, type Storage } from "../../../src/storage/storage.ts";
import { issueKey, TURBINES_A_PAGE } from "../../../src/service/licences/licences.ts";
import { ConcurrencyLimiter } from "../../../src/service/limits/request_limits.ts";
import { createApp } from "../../../src/service/routing/app.ts";
import type { FreshMonth } from "../../../src/sites/keep/site_record.ts";
import { inlineJobs, inlineOrders } from "../_inline_orders.ts";
import { makeSmallData } from "../_small_data.ts";
import { Sites } from "../../../src/sites/keep/sites.ts";
import type { Licence } from "../../../src/storage/store/licences.ts";

const LIST = "/wind-index/calibrated/";
const REPORTS = "/onlinedata-services/windindex/calibrated/report/";

/** Three pages and a turbine. */
const ids = Array.from(
  { length: 3 * TURBINES_A_PAGE + 1 },
  (_, i) => `W${String(i).padStart(5, "0")}`,
);

const month: FreshMonth = {
  year: 2024,
  month: 5,
  month_index: 101,
  month_abnormality_index: 99,
  last12_month_index: null,
  last_full_quarter_index: null,
  last_full_year_index: null,
  predicted_production: 1000,
  predicted_production_low: null,
  predicted_production_high: null,
  completeness: 1,
  status: "final",
};

const licence: Licence = {
  serialNumber: "S-1",
  email: "a@example.com",
  expires: null,
  turbines: null,
  datasets: null,
};

const toItems = (names: readonly string[]) => names.map((turbine_id) => ({ turbine_id }));
const toReports = (names: readonly string[]) =>
  names.map((turbine_id) => ({ turbine_id, last_available_report: "2024-05" }));

describe("a list of many turbines", () => {
  let folder: string;
  let directory: Storage;
  let server: Deno.HttpServer<Deno.NetAddr>;
  let limits: ConcurrencyLimiter;
  let key: string;
  /** Called before each page of all turbines is read. */
  /** Called before a page is read; may return the page instead. */
  let beforePage: (after: string) => Promise<string[] | void> | string[] | void;
  const { nextTurbineIds } = Sites.prototype;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    await makeSmallData(folder, ids, [month]);
  });
  afterAll(async () => await Deno.remove(folder, { recursive: true }));

  beforeEach(async () => {
    directory = await openStorage(folder);
    const { store, files } = directory;
    beforePage = () => {};
    Sites.prototype.nextTurbineIds = async function (after, limit) {
      return await beforePage(after) ?? await nextTurbineIds.call(this, after, limit);
    };
    await store.licences.put(licence);
    key = await issueKey(licence, store.licences);
    limits = new ConcurrencyLimiter();
    const app = createApp({
      store,
      files,
      jobs: inlineJobs(store, files),
      orders: inlineOrders(store, files),
    }, { limits });
    server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {}, onError: () => new Response("failed") },
      (request, info) => app(request, info),
    );
  });
  afterEach(async () => {
    await server.shutdown();
    limits.close();
    await directory.store.close();
    Sites.prototype.nextTurbineIds = nextTurbineIds;
  });

  const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    fetch(`http://127.0.0.1:${server.addr.port}${path}`, {
      ...init,
      headers: { "x-auth": key, ...init.headers },
    });

  /** Stores another site: lists may have changed. */
  async function importAnother(): Promise<void> {
    await putSite(directory.store, {
      site: "hills",
      fingerprint: "1",
      world: "own",
      datasets: [],
      points: [],
      turbines: [],
    });
  }

  /** The tag of a list, whose body is not read. */
  async function readTag(path: string): Promise<string> {
    const answer = await ask(path, { method: "HEAD" });
    return answer.headers.get("etag")!;
  }

  it("has all turbines for a licence that covers all, in their order", async () => {
    assertEquals(await (await ask(LIST)).text(), JSON.stringify(toItems(ids)));
    assertEquals(await (await ask(REPORTS)).text(), JSON.stringify(toReports(ids)));
  });

  it("has only the turbines that a licence names, in their order", async () => {
    const named = ids.filter((_, i) => i % 2 === 0);
    const turbines = ["W77777", ...named.toReversed(), "x", named[0]];
    await directory.store.licences.put({ ...licence, turbines });
    assertEquals(await (await ask(LIST)).text(), JSON.stringify(toItems(named)));
    assertEquals(await (await ask(REPORTS)).text(), JSON.stringify(toReports(named)));
  });

  it("is sent as usual if one page has all of it, with its length and its hash", async () => {
    const turbines = ids.slice(-TURBINES_A_PAGE);
    await directory.store.licences.put({ ...licence, turbines });
    const answer = await ask(LIST);
    const text = await answer.text();
    assertEquals(text, JSON.stringify(toItems(turbines)));
    assertEquals(answer.headers.get("content-length"), String(text.length));
  });

  it("is sent while it is read, so its beginning arrives before the last page is read", async () => {
    const held = Promise.withResolvers<void>();
    const last = ids[3 * TURBINES_A_PAGE - 1];
    beforePage = (after) => after === last ? held.promise : undefined;
    const answer = await ask(LIST);
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value!; // would wait forever if all pages had to be read first
    assert(text.startsWith('[{"turbine_id":"W00000"},'));
    held.resolve();
    for (let part; !(part = await reader.read()).done;) text += part.value;
    assertEquals(text, JSON.stringify(toItems(ids)));
  });

  it("breaks off if an import changes it meanwhile, without mixing editions", async () => {
    beforePage = async (after) => {
      if (after === ids[2 * TURBINES_A_PAGE - 1]) await importAnother();
    };
    const answer = await ask(LIST);
    assertEquals(answer.status, 200);
    await assertRejects(() => answer.text(), TypeError);
  });

  it("breaks off even if an import removes all remaining turbines", async () => {
    beforePage = async (after) => {
      if (after === ids.at(-1)) await importAnother();
    };
    const answer = await ask(LIST);
    await assertRejects(() => answer.text(), TypeError);
  });

  for (const [page, after] of ["", ids[TURBINES_A_PAGE - 1]].entries()) {
    it(`is begun again if an import changes it before page ${page + 1}`, async () => {
      let tries = 0;
      beforePage = async (id) => {
        if (id === after && tries++ === 0) await importAnother();
      };
      assertEquals(await (await ask(LIST)).json(), toItems(ids));
      assertEquals(tries, 2);
    });
  }

  it("is begun again if an import leaves no second page", async () => {
    let tries = 0;
    beforePage = async (after) => {
      if (after === "" || tries++ > 0) return;
      await importAnother();
      return [];
    };
    assertEquals(await (await ask(LIST)).json(), toItems(ids));
  });

  it("has a stable strong tag, another tag for other turbines, and 304 for a client that has it", async () => {
    const answer = await ask(LIST);
    await answer.body?.cancel();
    const tag = answer.headers.get("etag")!;
    assert(/^"[0-9a-f]{32}"$/.test(tag));
    assertEquals(await readTag(LIST), tag);
    const same = await ask(LIST, { headers: { "if-none-match": tag } });
    assertEquals([same.status, await same.text()], [304, ""]);
    const tags = [tag, await readTag(REPORTS)];
    await directory.store.licences.put({ ...licence, turbines: ids.slice(0, -1) });
    tags.push(await readTag(LIST), await readTag(REPORTS));
    assertEquals(new Set(tags).size, tags.length);
    const other = await ask(LIST, { headers: { "if-none-match": tag } });
    assertEquals((await other.json() as unknown[]).length, ids.length - 1);
  });

  it("has another tag after an import that may have changed it", async () => {
    const before = await readTag(REPORTS);
    await importAnother();
    assertNotEquals(await readTag(REPORTS), before);
  });

  it("answers HEAD without a body, without reading on, and without a length, as for GET", async () => {
    let pages = 0;
    beforePage = () => void pages++;
    const head = await ask(LIST, { method: "HEAD" });
    assertEquals([head.status, await head.text()], [200, ""]);
    assertEquals(head.headers.get("content-length"), null);
    assertEquals(pages, 2);
  });

  it("suggests no turbine for an unknown one in a large fleet, and reads no more than two pages", async () => {
    let pages = 0;
    beforePage = () => void pages++;
    const refused = await ask("/wind-index/calibrated/details/W0000x");
    assertEquals(refused.status, 400);
    assertEquals((await refused.json()).detail, 'no data found: there is no turbine "W0000x"');
    assertEquals(pages, 2);
  });
});
