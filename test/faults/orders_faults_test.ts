/**
 * Orders on the real service when the network, the service or this process fails.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import {
  DataFormatError,
  LicenceError,
  NetworkError,
  OrderUncertainError,
} from "../../src/api/errors.ts";
import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import { downloadClimate } from "../../src/client/calls/climate_data.ts";
import { connect } from "../../src/client/connection/connection.ts";
import type { ClimateOrder } from "../../src/client/orders/climate_order.ts";
import { Ledger } from "../../src/client/orders/ledger.ts";
import { attachOrder, orderAndWait, placeOrder } from "../../src/client/orders/place_order.ts";
import { verifyZip } from "../../src/frames/files/archive.ts";
import type { Fault, FaultAct } from "./_fault.ts";
import type { SeenRequest } from "./_exchange.ts";
import { type FaultyServiceOptions, type ServiceUnderTest, withService } from "./_with_service.ts";
import { withServer } from "../client/_local_server.ts";
import { SHARED_SAMPLE } from "../service/_sample.ts";

const place = { latitude: 55.5, longitude: 7.75, from: 2022, to: 2022 };
const HOURS = 8760;
const quick = { firstPause: 1, timeout: 20_000 };

async function withFaults(
  faults: readonly Fault[],
  body: (service: ServiceUnderTest) => Promise<void>,
  connection: FaultyServiceOptions["connection"] = {},
): Promise<void> {
  await withService(body, { folder: SHARED_SAMPLE, faults, connection });
}

/** Faults of the order's file, one after the other. */
function buildFileFaults(...acts: FaultAct[]): Fault[] {
  return acts.map((act) => ({ on: "order_file", act }));
}

function listRequests(requests: readonly SeenRequest[], operation: SeenRequest["operation"]) {
  return requests.filter((request) => request.operation === operation);
}

/** Lists range and status of each request for the file. */
function listFileRequests({ requests }: ServiceUnderTest): [string | null, number | undefined][] {
  return listRequests(requests, "order_file").map((
    { headers, status },
  ) => [headers.get("range"), status]);
}

/** Fetches the file of a finished order without our client. */
async function fetchHonestFile(order: ClimateOrder): Promise<Uint8Array> {
  const { url } = await order.wait(quick);
  return await (await fetch(url!)).bytes();
}

/** Compares files without showing all of them. */
function assertBytes(actual: Uint8Array, expected: Uint8Array): void {
  const differs = actual.findIndex((byte, i) => byte !== expected[i]);
  assertEquals({ bytes: actual.length, differs }, { bytes: expected.length, differs: -1 });
}

function listDownloads(home: string): string[] {
  return Array.from(Deno.readDirSync(`${home}/downloads`), ({ name }) => name)
    .filter((name) => !name.endsWith(".lock"));
}

function listStates(home: string): string[] {
  return new Ledger(home).listEntries().map(({ state }) => state);
}

describe("orders on a service that fails", () => {
  const { random } = Math;
  beforeEach(() => {
    Math.random = () => 0; // pauses before a further try are as short as chance allows
  });
  afterEach(() => {
    Math.random = random;
  });

  describe("F11 an order whose answer is lost", () => {
    const losses: Readonly<Record<string, FaultAct>> = {
      "the answer is lost": { kind: "lose_answer" },
      "the connection is reset": { kind: "reset" },
      "no byte comes": { kind: "stall", where: "headers" },
      "the answer is truncated": { kind: "cut", framing: "length" },
      "a page comes": {
        kind: "body",
        body: "<html>busy</html>",
        headers: { "content-type": "text/html" },
      },
      "only its head comes": { kind: "body", body: "" },
      "another thing comes": { kind: "body", body: "{}" },
      "a gateway fails": { kind: "status", status: 502 },
    };
    for (const [label, act] of Object.entries(losses)) {
      it(`stays uncertain if ${label}, and is not sent again`, async () => {
        await withFaults([{ on: "place_order", act }], async ({ connection, requests }) => {
          for (let i = 0; i < 2; i++) {
            const call = () => orderAndWait("era5", { ...place, ...quick, connection });
            const { message } = await assertRejects(call, OrderUncertainError);
            for (const way of ["downloadClimate()", "{ repeat: true }", "orders().forget(1)"]) {
              assertStringIncludes(message, way);
            }
          }
          assertEquals(requests.map(({ operation }) => operation), ["place_order"]);
          assertEquals(listStates(connection.home), ["sent"]);
        }, { headersTimeout: 1000 });
      });
    }

    it("is the same order when it is repeated; the direct download needs no order", async () => {
      const lost: Fault = { on: "place_order", act: { kind: "lose_answer" } };
      await withFaults([lost], async ({ connection, requests, url, key }) => {
        await assertRejects(
          () => placeOrder("era5", { ...place, connection }),
          OrderUncertainError,
        );
        assertEquals((await downloadClimate("era5", { ...place, connection })).height, HOURS);
        const order = await placeOrder("era5", { ...place, repeat: true, connection });
        const [first, second] = listRequests(requests, "place_order");
        assertEquals(second.path, first.path);
        const again = await fetch(url + first.path, { headers: { [KEY_HEADER]: key.reveal() } });
        assertEquals(await again.json(), order.id); // one open order of the licence
        assertEquals((await order.download(quick)).height, HOURS);
        assertEquals(listStates(connection.home), ["repeated", "delivered"]);
      });
    });
  });

  it("F10 keeps the order if the licence ends meanwhile", async () => {
    const ended: Fault = { on: "order_status", act: { kind: "status", status: 401 } };
    await withFaults([ended], async ({ connection }) => {
      const order = await placeOrder("era5", { ...place, connection });
      const { message } = await assertRejects(() => order.download(quick), LicenceError, order.id);
      assertStringIncludes(message, `attachOrder("${order.id}")`);
      assertEquals((await attachOrder(order.id, { connection }).download(quick)).height, HOURS);
    });
  });

  describe("a file that breaks off continues where it ended", () => {
    const cuts: Readonly<Record<string, FaultAct>> = {
      "F4 a short body": { kind: "cut", framing: "length" },
      "F4 a broken chunk": { kind: "cut", framing: "chunked" },
      "F2 a stall": { kind: "stall", where: "body" },
    };
    for (const [label, act] of Object.entries(cuts)) {
      it(`after ${label}`, async () => {
        await withFaults(buildFileFaults(act), async (service) => {
          const { connection } = service;
          const order = await placeOrder("era5", { ...place, connection });
          const path = `${connection.home}/wind.zip`;
          await order.save(path, quick);
          const files = listFileRequests(service);
          const file = await fetchHonestFile(order);
          assertBytes(await Deno.readFile(path), file);
          assertEquals(files, [[null, 200], [`bytes=${Math.floor(file.length / 2)}-`, 206]]);
        }, { idleTimeout: 1000 }); // the second answer has as long
      });
    }

    it("again and again, as long as there is progress", async () => {
      const faults = buildFileFaults(
        ...Array<FaultAct>(7).fill({ kind: "cut", framing: "length", at: 0.6 }),
      );
      await withFaults(faults, async (service) => {
        const order = await placeOrder("era5", { ...place, connection: service.connection });
        assertEquals((await order.download(quick)).height, HOURS);
        assertEquals(listFileRequests(service).map(([, status]) => status), [
          200,
          ...Array(7).fill(206),
        ]);
      });
    });

    it("F3 also after one whose truncation could not be noticed", async () => {
      await withFaults(buildFileFaults({ kind: "cut", framing: "close" }), async (service) => {
        const order = await placeOrder("era5", { ...place, connection: service.connection });
        assertEquals((await order.download(quick)).height, HOURS);
        // A complete archive needs no length; this one is truncated, so the data came without the order.
        assertEquals(service.requests.at(-1)!.operation, "download_climate");
      });
    });

    it("F4 and begins again after one that was compressed without request, then truncated", async () => {
      await withFaults(
        buildFileFaults({ kind: "cut", framing: "gzip" }),
        async ({ connection }) => {
          const path = `${connection.home}/wind.zip`;
          const order = await placeOrder("era5", { ...place, connection });
          await order.save(path, quick).catch(() => order.save(path, quick));
          assertBytes(await Deno.readFile(path), await fetchHonestFile(order));
        },
      );
    });

    it("F15 after its signal: sockets are closed, part and order stay, nothing is saved", async () => {
      const controller = new AbortController();
      const onRequest = ({ operation, error }: { operation?: unknown; error?: unknown }) => {
        if (operation === undefined && error) controller.abort(new Error("stop"));
      };
      await withFaults(buildFileFaults({ kind: "cut", framing: "length" }), async (service) => {
        const { connection, url, key } = service;
        const { home } = connection;
        const path = `${home}/wind.zip`;
        const order = await placeOrder("era5", { ...place, connection });
        const { signal } = controller;
        await assertRejects(() => order.save(path, { ...quick, signal }), Error, "stop");
        assertEquals([...Deno.readDirSync(home)].some(({ name }) => name.includes("zip")), false);
        assertEquals([listDownloads(home).length, listStates(home)], [2, ["placed"]]);

        // as a later process, which has only the home folder and the identifier
        const later = attachOrder(order.id, { connection: connect({ url, key, home }) });
        await later.save(path, quick);
        const files = listFileRequests(service);
        const file = await fetchHonestFile(order);
        assertEquals(files, [[null, 200], [`bytes=${Math.floor(file.length / 2)}-`, 206]]);
        assertBytes(await Deno.readFile(path), file);
        assertEquals([listDownloads(home), listStates(home)], [[], ["delivered"]]);
      }, { onRequest });
    });

    it("F15 while nothing arrives: the download ends at once", async () => {
      const controller = new AbortController();
      await withFaults(
        buildFileFaults({ kind: "stall", where: "body" }),
        async ({ connection }) => {
          const order = await placeOrder("era5", { ...place, connection });
          const { url } = await order.wait(quick);
          assert(url);
          const call = order.download({ ...quick, signal: controller.signal });
          const stop = setTimeout(() => controller.abort(new Error("stop")), 50);
          await assertRejects(() => call, Error, "stop");
          clearTimeout(stop);
          assertEquals(listStates(connection.home), ["placed"]);
        },
      );
    });
  });

  describe("a file whose parts cannot be trusted is fetched again", () => {
    const cut: FaultAct = { kind: "cut", framing: "length" };
    const cases: Readonly<Record<string, readonly [FaultAct[], (number | undefined)[]]>> = {
      "F13 a part that was not requested": [[{ kind: "range", how: "unasked" }], [206, 200]],
      "F13 a part of another place": [[cut, { kind: "range", how: "wrong_offset" }], [
        200,
        206,
        200,
      ]],
      "F13 a range beyond the file": [[cut, { kind: "range", how: "unsatisfiable" }], [
        200,
        416,
        200,
      ]],
      "F14 another file meanwhile": [[cut, { kind: "range", how: "changed" }], [200, 200]],
      "F14 a complete file instead of the requested part": [
        [cut, { kind: "range", how: "ignore" }],
        [
          200,
          200,
        ],
      ],
    };
    for (const [label, [acts, expected]] of Object.entries(cases)) {
      it(`after ${label}`, async () => {
        await withFaults(buildFileFaults(...acts), async (service) => {
          const { connection } = service;
          const path = `${connection.home}/wind.zip`;
          const order = await placeOrder("era5", { ...place, connection });
          await order.save(path, quick);
          assertEquals(listFileRequests(service).map(([, status]) => status), expected);
          assertBytes(await Deno.readFile(path), await fetchHonestFile(order));
        });
      });
    }
  });

  describe("F25 a damaged file is refused, removed, and fetched again by the next call", () => {
    const damages: Readonly<Record<string, (file: Uint8Array) => Uint8Array>> = {
      "an altered byte": (file) => {
        const altered = file.slice();
        altered[file.length >> 1] ^= 1;
        return altered;
      },
      "the half of an archive": (file) => file.slice(0, file.length >> 1),
      "an archive without its beginning": (file) => file.slice(100),
      "an empty one": () => new Uint8Array(),
      "a page": () => new TextEncoder().encode("<!doctype html><title>Login</title>"),
    };
    for (const [label, body] of Object.entries(damages)) {
      for (const way of ["download", "save"] as const) {
        it(`such as ${label}, in ${way}()`, async () => {
          await withFaults(buildFileFaults({ kind: "body", body }), async (service) => {
            const { connection } = service;
            const path = `${connection.home}/wind.zip`;
            const order = await placeOrder("era5", { ...place, connection });
            const get = () => way === "save" ? order.save(path, quick) : order.download(quick);
            await assertRejects(get, DataFormatError);
            assertEquals(listDownloads(connection.home), []);
            assertEquals(listStates(connection.home), ["placed"]);
            await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
            await get();
            assertEquals(listFileRequests(service), [[null, 200], [null, 200]]);
            assertEquals(listStates(connection.home), ["delivered"]);
          });
        });
      }
    }
  });

  it("F12 gives up on a circle of redirects, and keeps the order", async () => {
    const circle: Fault = { on: "order_file", times: Infinity, act: { kind: "redirect", to: "?" } };
    await withFaults([circle], async (service) => {
      const { connection } = service;
      const order = await placeOrder("era5", { ...place, connection });
      await assertRejects(() => order.download(quick), NetworkError, "more than 5 redirects");
      assertEquals([listFileRequests(service).length, listStates(connection.home)], [6, [
        "placed",
      ]]);
    });
  });

  describe("F16 F17 F18 an address on a foreign host", () => {
    /** Runs a test with another host that has the file, or redirects to the service. */
    async function withForeign(
      how: "status" | "redirect",
      consent: boolean,
      body: (service: ServiceUnderTest, keys: () => (string | null)[]) => Promise<void>,
    ): Promise<void> {
      let file: Uint8Array<ArrayBuffer> | undefined;
      await withServer(() => new Response(file), async (foreign) => {
        const to = `${foreign.url}/wind.zip`;
        await withFaults([], async (service) => {
          const order = await placeOrder("era5", { ...place, connection: service.connection });
          file = await fetchHonestFile(order) as Uint8Array<ArrayBuffer>;
          service.inject(
            how === "status"
              ? { on: "order_status", act: { kind: "body", body: JSON.stringify(to) } }
              : { on: "order_file", act: { kind: "redirect", to } },
          );
          await body(service, () => foreign.seen.map(({ key }) => key));
        }, consent ? { downloadOrigins: [foreign.url] } : {});
      });
    }

    for (const how of ["status", "redirect"] as const) {
      it(`gets no request and no key (${how})`, async () => {
        await withForeign(how, false, async ({ connection }, keys) => {
          const call = () => orderAndWait("era5", { ...place, ...quick, connection });
          const { message } = await assertRejects(call, NetworkError);
          assertStringIncludes(message, "downloadOrigins");
          assertEquals([keys(), listStates(connection.home)], [[], ["placed"]]);
        });
      });

      it(`gets the request without the key by consent (${how})`, async () => {
        await withForeign(how, true, async ({ connection }, keys) => {
          const frame = await orderAndWait("era5", { ...place, ...quick, connection });
          assertEquals([frame.height, keys()], [HOURS, [null]]);
        });
      });
    }
  });

  it("saves a complete zipraw order: its checksums are right, nothing else is left", async () => {
    await withFaults([], async ({ connection }) => {
      const path = `${connection.home}/wind.zip`;
      const order = await placeOrder("era5", { ...place, fileType: "zipraw", connection });
      await order.save(path, quick);
      await verifyZip(path, path);
      assertBytes(await Deno.readFile(path), await fetchHonestFile(order));
      assertEquals([listDownloads(connection.home), listStates(connection.home)], [[], [
        "delivered",
      ]]);
    });
  });
});
