/**
 * The served pages: addresses, headers, and log lines.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { gunzipSync } from "fflate";
import { rawGet } from "../../faults/_raw.ts";
import { KEY_HEADER } from "../../../src/api/operations/operations.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { createApp } from "../../../src/service/routing/app.ts";
import { type ServedSample, serveSample, SHARED_SAMPLE } from "../_sample.ts";
import { inlineJobs, inlineOrders } from "../_inline_orders.ts";

const PAGES = ["/", "/wind-index/ui/", "/climate-data/ui/", "/user-access/ui/"];

let sample: ServedSample;
const logged: string[] = [];

/** Addresses that a page loads. */
async function loadedBy(path: string): Promise<string[]> {
  const { text } = await sample.ask(path);
  const matches = text.matchAll(/(?:<link[^>]*href|<script[^>]*src)="([^"]+)"/g);
  return [...matches].map(([, address]) => address);
}

describe("the pages", () => {
  beforeAll(async () => {
    sample = await serveSample({ onAnswer: ({ operation }) => logged.push(operation) });
  });
  afterAll(async () => await sample.close());

  for (const path of PAGES) {
    it(`isolate ${path}, with and without the last slash`, async () => {
      for (
        const address of [
          path,
          path === "/" ? "/" : path.replace(/\/?$/, "/"),
          path.replace(/(.)\/$/, "$1"),
        ]
      ) {
        const { status, headers } = await sample.ask(address);
        assertEquals([status, headers.get("content-type")], [200, "text/html; charset=utf-8"]);
        const policy = headers.get("content-security-policy")!;
        assertMatch(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
        assert(!policy.includes("unsafe"), policy);
        assertEquals(headers.get("referrer-policy"), "no-referrer");
        assertEquals(headers.get("x-content-type-options"), "nosniff");
      }
    });

    it(`load the assets of ${path} from addresses whose content never changes`, async () => {
      for (const address of await loadedBy(path)) {
        assertMatch(address, /^\/assets\/[\w-]+\/[0-9a-f]{16}\/[\w.-]+$/);
        const { status, headers } = await sample.ask(address);
        assertEquals([status, headers.get("cache-control")], [
          200,
          "public, max-age=31536000, immutable",
        ]);
        const same = await sample.ask(address, {
          headers: { "if-none-match": headers.get("etag")! },
        });
        assertEquals([same.status, same.text], [304, ""]);
      }
    });

    it(`gzip the assets of ${path} if accepted, with a separate tag`, async () => {
      for (const address of await loadedBy(path)) {
        const get = async (headers: Record<string, string>) => {
          const ownHeaders = { ...headers, connection: "close" };
          return await rawGet({ url: sample.url, path: address, headers: ownHeaders });
        };
        const plain = await get({});
        const packed = await get({ "accept-encoding": "gzip" });
        assertEquals(gunzipSync(packed.body), plain.body, address);
        assert(packed.body.length < plain.body.length, address);
        const encodings = [plain, packed].map(({ headers }) => headers.get("content-encoding"));
        assertEquals(encodings, [null, "gzip"]);
        const tags = [plain, packed].map(({ headers }) => headers.get("etag")!);
        assert(tags[0] !== tags[1], "a cache would take the one for the other");
        for (const { headers, body } of [plain, packed]) {
          assertEquals(headers.get("vary"), "accept-encoding");
          assertEquals(headers.get("content-length"), String(body.length));
          assertEquals(headers.get("content-type"), plain.headers.get("content-type"));
        }
        for (const [headers, tag] of [[{}, tags[0]], [{ "accept-encoding": "gzip" }, tags[1]]]) {
          const same = await get({ ...headers as object, "if-none-match": String(tag) });
          assertEquals([same.status, same.body.length], [304, 0]);
          assertEquals(same.headers.get("etag"), tag);
          assertEquals(same.headers.get("vary"), "accept-encoding");
        }
      }
    });

    it(`name no foreign address in ${path} and in our assets`, async () => {
      const pageAssets = (await loadedBy(path)).filter((address) =>
        address.startsWith("/assets/pages/")
      );
      for (const address of [path, ...pageAssets]) {
        const { text } = await sample.ask(address);
        assertEquals(text.match(/https?:\/\/(?!www\.w3\.org\/2000\/svg)[^\s"'<]+/g), null, address);
      }
    });

    it(`answer 304 to a client that has ${path}`, async () => {
      const etag = (await sample.ask(path)).headers.get("etag")!;
      const same = await sample.ask(path, { headers: { "if-none-match": etag } });
      assertEquals([same.status, same.text], [304, ""]);
    });

    it(`are read-only: POST ${path} is refused`, async () => {
      assertEquals((await sample.ask(path, { method: "POST" })).status, 405);
    });
  }

  it("load only existing modules", async () => {
    const [start] = (await loadedBy("/")).filter((address) => address.endsWith("start.js"));
    const folder = start.slice(0, start.lastIndexOf("/") + 1);
    const seen = new Set<string>();
    const visit = async (name: string) => {
      if (seen.has(name)) return;
      seen.add(name);
      const { status, text } = await sample.ask(folder + name);
      assertEquals(status, 200, name);
      for (const [, other] of text.matchAll(/^(?:import|\}) .*from "\.\/([\w.]+)";$/gm)) {
        await visit(other);
      }
    };
    await visit("start.js");
    assert(seen.size >= 4, [...seen].join());
  });

  it("are 404 for an asset of another version, or an unknown one", async () => {
    for (const path of ["/assets/pages/0000000000000000/start.js", "/assets/x/y/z"]) {
      assertEquals((await sample.ask(path)).status, 404);
    }
    const [style] = await loadedBy("/");
    const folder = style.slice(0, style.lastIndexOf("/") + 1);
    for (const name of ["nothing.js", "constructor", "..%2f..%2fdeno.json", "__proto__"]) {
      assertEquals((await sample.ask(folder + name)).status, 404, name);
    }
  });

  it("W16: are found at /docs, too, by redirect", async () => {
    const { status, headers } = await sample.ask("/docs");
    assertEquals([status, headers.get("location")], [302, PAGES[1]]);
  });

  it("have names in the request log", async () => {
    logged.length = 0;
    for (
      const path of [
        "/",
        "/climate-data/ui",
        "/assets/pages/x/y",
        "/session",
        "/fleet",
        "/fleet/turbines/T1?width=300",
        "/sign-out",
        "/docs",
        "/nothing",
      ]
    ) {
      await sample.ask(path);
    }
    assertEquals(logged, [
      "start_page",
      "ui_page",
      "asset",
      "session",
      "fleet",
      "fleet",
      "sign_out",
      "ui_page",
      "none",
    ]);
  });

  it("V14: show a browser the problem and a way to go on, and a program the problem document", async () => {
    for (
      const [path, status, says] of [
        ["/nothing/<b>here", 404, /This service has no page \/nothing\/%3Cb%3Ehere/],
        ["/wind-index/calibrated/", 401, /no key was sent/],
        ["/sign-in?token=wrong", 401, /is no longer valid/],
      ] as const
    ) {
      const page = await sample.ask(path, { headers: { accept: "text/html,*/*;q=0.8" } });
      assertEquals(page.status, status);
      assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
      assertEquals(page.headers.get("cache-control"), "no-store");
      assertMatch(page.headers.get("content-security-policy")!, /^default-src 'none'/);
      for (
        const part of [says, /SYNTHETIC/, /<h2>Where to go<\/h2>/, /href="\/wind-index\/ui\/"/]
      ) {
        assertMatch(page.text, part);
      }
      for (
        const headers of [
          { accept: "*/*" },
          { accept: "application/json" },
          { accept: "application/json, text/html" },
          { accept: "text/html;q=0, */*" },
        ]
      ) {
        const problem = await sample.ask(path, { headers });
        assertEquals(problem.status, status);
        assertEquals(problem.headers.get("content-type"), "application/problem+json");
        assertMatch(JSON.parse(problem.text).detail, says);
      }
    }
  });

  it("are not sent to a program that sends a key and, like Java, prefers HTML", async () => {
    const accept = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2";
    const headers = { accept, [KEY_HEADER]: "unknown" };
    const problem = await sample.ask("/wind-index/calibrated/", { headers });
    assertEquals(
      [problem.status, problem.headers.get("content-type")],
      [401, "application/problem+json"],
    );
  });

  it("advise the printed address only if the service prints one", async () => {
    const headers = { accept: "text/html" };
    assertMatch((await sample.ask("/nothing", { headers })).text, /or with the address that/);
    const open = await serveSample({ publicUrl: "https://wind.example.org" });
    try {
      assertMatch((await open.ask("/nothing", { headers })).text, /Sign in there\s+with a key\./);
    } finally {
      await open.close();
    }
  });

  it("leave a refusal unchanged if its page cannot be made", async () => {
    const { store, files } = await openStorage(SHARED_SAMPLE);
    const app = createApp({
      store,
      files,
      jobs: inlineJobs(store, files),
      orders: inlineOrders(store, files),
    });
    store.world = () => Promise.reject(new Error("the disk is gone"));
    const logged: unknown[] = [];
    const { error } = console;
    console.error = (...values) => logged.push(...values);
    try {
      const request = new Request("http://127.0.0.1/nothing", { headers: { accept: "text/html" } });
      const answer = await app(request);
      assertEquals([answer.status, (await answer.json()).status, logged.length], [404, 404, 1]);
    } finally {
      console.error = error;
      await store.close();
    }
  });

  it("contain no data of a licence", async () => {
    const { text } = await sample.ask("/");
    for (const word of ["T1", "Vesterklit", "Karumpatti"]) assert(!text.includes(word), word);
  });
});

describe("the pages behind a proxy that has the service below a path", () => {
  it("name their addresses as clients reach them", async () => {
    const sample = await serveSample({ publicUrl: "https://wind.example.org/api" });
    try {
      const { text } = await sample.ask("/");
      for (const [, address] of text.matchAll(/(?:href|src|data-fleet)="(\/[^"]*)"/g)) {
        assertMatch(address, /^\/api\//);
      }
      assertMatch(text, /data-fleet="\/api\/fleet"/);
      assertMatch((await sample.ask("/user-access/ui")).text, /data-prefix="\/api"/);
    } finally {
      await sample.close();
    }
  });
});
