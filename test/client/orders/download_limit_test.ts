import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { downloadClimate } from "../../../src/client/calls/climate_data.ts";
import { modelData } from "../../../src/client/calls/model_data.ts";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { orderAndWait } from "../../../src/client/orders/place_order.ts";
import { type Handler, type LocalServer, withServer } from "../_local_server.ts";

const LIMIT = 1_000_000;
const place = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 };
const TABLE = "time\twSpeed.100\n2020-01-01T00:00:00Z\t9.5\n";
const headers = { etag: '"v1"' };

/** A body that states its length. */
function announce(): Response {
  return new Response(new Uint8Array(LIMIT + 1), { headers });
}

/** A body without an end, in parts that can be cancelled. */
function flow(): Response {
  const part = new TextEncoder().encode(TABLE.repeat(1_000));
  return new Response(new ReadableStream({ pull: (to) => to.enqueue(part) }), { headers });
}

/** A small answer that unpacks to 20 MB. */
async function pack(): Promise<Response> {
  const bytes = new Blob([new Uint8Array(20_000_000)]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Response(await new Response(bytes).bytes(), {
    headers: { ...headers, "content-encoding": "gzip" },
  });
}

/** A part that announces a file of 10 GB. */
function announcePart(request: Request): Response {
  const from = /(\d+)-/.exec(request.headers.get("range") ?? "")?.[1];
  if (from === undefined) {
    const start = new ReadableStream({
      start: (to) => to.enqueue(new Uint8Array(1_000)),
      pull: (to) => to.error(new Error("it breaks off")),
    });
    return new Response(start, { headers });
  }
  const range = `bytes ${from}-9999999999/10000000000`;
  return new Response("x", { status: 206, headers: { ...headers, "content-range": range } });
}

function serveBody(body: (request: Request) => Response | Promise<Response>): Handler {
  return (request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname.includes("/climate/order/")) return Response.json("o-1");
    if (pathname.includes("/climate/status/")) return Response.json(`${origin}/files/a.csv`);
    return body(request);
  };
}

/** The files that are left in the home folder, locks and the ledger apart. */
function listFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return listFiles(`${folder}/${name}`);
    return /\.lock$|^orders\.db$/.test(name) ? [] : [name];
  });
}

async function assertRefused(
  { home, connection }: LocalServer,
  call: (connection: Connection) => Promise<unknown>,
): Promise<void> {
  const { message } = await assertRejects(() => call(connection), DataFormatError);
  assertStringIncludes(message, `but maxDownload allows only ${LIMIT}`);
  assertStringIncludes(message, "maxDownload in connect()");
  assertEquals(listFiles(home), []);
}

describe("H10 a download larger than maxDownload is refused, and leaves no file", () => {
  const calls: Readonly<Record<string, (connection: Connection) => Promise<unknown>>> = {
    "orderAndWait()": (connection) => orderAndWait("era5", { ...place, connection, firstPause: 0 }),
    "downloadClimate()": (connection) => downloadClimate("era5", { ...place, connection }),
    "modelData()": (connection) =>
      modelData("T1", { from: "2020-01-01", to: "2020-12-31", connection }),
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`by ${name}, if its length is announced`, () =>
      withServer(serveBody(announce), async (server) => {
        await assertRefused(server, call);
      }, { maxDownload: LIMIT }));

    it(`F57 by ${name}, if it has no end`, () =>
      withServer(serveBody(flow), async (server) => {
        await assertRefused(server, call);
      }, { maxDownload: LIMIT }));
  }

  it("F57 by downloadClimate(), if a small answer unpacks to a large one", () =>
    withServer(serveBody(pack), async (server) => {
      await assertRefused(server, calls["downloadClimate()"]);
    }, { maxDownload: LIMIT }));

  it("by orderAndWait(), if a part announces a larger file", () =>
    withServer(serveBody(announcePart), async (server) => {
      await assertRefused(server, calls["orderAndWait()"]);
    }, { maxDownload: LIMIT }));
});

it("H10 a larger maxDownload lets the same download through", async () => {
  const table = () => new Response(TABLE);
  for (const maxDownload of [TABLE.length, undefined]) {
    await withServer(serveBody(table), async ({ connection }) => {
      const frame = await orderAndWait("era5", { ...place, connection, fileType: "csv" });
      assertEquals(frame.height, 1);
    }, maxDownload === undefined ? {} : { maxDownload });
  }
});

it("H10 connect() refuses a limit that is not a whole number of bytes", () => {
  for (const maxDownload of [0, -1, 1.5, NaN]) {
    assertThrows(() => connect({ sample: true, maxDownload }), ArgumentError, "maxDownload");
  }
});
