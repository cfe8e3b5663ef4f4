import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import {
  NetworkError,
  OrderFailedError,
  ServiceError,
  TooManyRequestsError,
  VindkitError,
} from "../../../src/api/errors.ts";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { fetchFile, PartFile } from "../../../src/client/orders/fetch_file.ts";
import { zipSync } from "fflate";
import { sha256 } from "../../../src/disk/hashes.ts";
import { CANARY, type Handler, withRawServer, withServer } from "../_local_server.ts";

const TAG = '"v1"';

/** A file whose bytes depend on their position. */
const FILE: Uint8Array<ArrayBuffer> = Uint8Array.from({ length: 10_000 }, (_, i) => (i * i) % 251);

/** A request to the file server: range, its condition, status and bytes of the answer. */
interface FileRequest {
  readonly range: string | null;
  readonly ifRange: string | null;
  readonly status: number;
  readonly bytes: number;
}

type ReplacedHeaders = Readonly<Record<string, string>>;

/** Builds a correct handler for a file, except for replaced headers. */
function buildFileHandler(
  sent: FileRequest[],
  { file = FILE, etag = TAG as string | null } = {},
  spoil: (answer: Response, number: number) => Response | Promise<Response> = (answer) => answer,
): Handler {
  return async (request, number) => {
    const { headers } = request;
    const range = headers.get("range");
    const ifRange = headers.get("if-range");
    const from = range && ifRange === etag ? Number(/^bytes=(\d+)-$/.exec(range)![1]) : 0;
    const tagged: ReplacedHeaders = etag === null ? {} : { etag };
    const part = `bytes ${from}-${file.length - 1}/${file.length}`;
    const answer = from >= file.length
      ? new Response(null, { status: 416, headers: { "content-range": `bytes */${file.length}` } })
      : from > 0
      ? new Response(file.slice(from), {
        status: 206,
        headers: { ...tagged, "content-range": part },
      })
      : new Response(file, { headers: tagged });
    const spoilt = await spoil(answer, number);
    const bytes = (await spoilt.clone().bytes()).length;
    sent.push({ range, ifRange, status: spoilt.status, bytes });
    return spoilt;
  };
}

/** Fetches into the part of a download, and returns the bytes of the part. */
async function fetchInto(
  connection: Connection,
  url: string,
  before?: { tag: string | null; total: number | null; bytes: Uint8Array },
): Promise<Uint8Array> {
  using part = await PartFile.open(connection.home, "o-1");
  if (before) {
    await part.begin({ tag: before.tag, total: before.total });
    await part.write(before.bytes);
  }
  await fetchFile(connection, url, part, undefined);
  return await Deno.readFile(part.path);
}

/** The first bytes of the file, as an earlier try left them. */
function listFirstBytes(count = 4_000, tag: string | null = TAG) {
  return { tag, total: FILE.length, bytes: FILE.slice(0, count) };
}

/** Compares files without showing all of them. */
function assertBytes(actual: Uint8Array, expected: Uint8Array): void {
  const differs = actual.findIndex((byte, i) => byte !== expected[i]);
  assertEquals({ bytes: actual.length, differs }, { bytes: expected.length, differs: -1 });
}

function listRanges(sent: readonly FileRequest[]): (string | null)[] {
  return sent.map(({ range }) => range);
}

describe("fetchFile()", () => {
  const { random } = Math;
  beforeEach(() => {
    Math.random = () => 0; // pauses before a further try are as short as chance allows
  });
  afterEach(() => {
    Math.random = random;
  });

  it("fetches a complete file", async () => {
    const sent: FileRequest[] = [];
    await withServer(buildFileHandler(sent), async ({ connection, url, seen }) => {
      assertBytes(await fetchInto(connection, `${url}/f.zip`), FILE);
      assertEquals(sent, [{ range: null, ifRange: null, status: 200, bytes: 10_000 }]);
      assertEquals(seen[0].key, CANARY);
    });
  });

  it("continues where an earlier try ended, and fetches only the rest", async () => {
    const sent: FileRequest[] = [];
    await withServer(buildFileHandler(sent), async ({ connection, url }) => {
      assertBytes(await fetchInto(connection, `${url}/f.zip`, listFirstBytes()), FILE);
      assertEquals(sent, [{ range: "bytes=4000-", ifRange: TAG, status: 206, bytes: 6_000 }]);
    });
  });

  it("continues from answer to answer if each sends only a part", async () => {
    const sent: FileRequest[] = [];
    const short = (answer: Response) => {
      if (answer.status !== 206) return answer;
      const { from } = /bytes (?<from>\d+)/.exec(answer.headers.get("content-range")!)!.groups!;
      const headers = {
        etag: TAG,
        "content-range": `bytes ${from}-${Number(from) + 1_999}/${FILE.length}`,
      };
      return new Response(FILE.slice(Number(from), Number(from) + 2_000), { status: 206, headers });
    };
    await withServer(buildFileHandler(sent, {}, short), async ({ connection, url }) => {
      assertBytes(await fetchInto(connection, `${url}/f.zip`, listFirstBytes()), FILE);
      assertEquals(listRanges(sent), ["bytes=4000-", "bytes=6000-", "bytes=8000-"]);
    });
  });

  describe("F14 begins again if the file is no longer the same", () => {
    const NEW = FILE.map((byte) => 255 - byte);

    it("by another tag", async () => {
      const sent: FileRequest[] = [];
      const handler = buildFileHandler(sent, { file: NEW, etag: '"v2"' });
      await withServer(handler, async ({ connection, url }) => {
        assertBytes(await fetchInto(connection, `${url}/f.zip`, listFirstBytes()), NEW);
        assertEquals(sent, [{ range: "bytes=4000-", ifRange: TAG, status: 200, bytes: 10_000 }]);
      });
    });

    for (const etag of ['"v2"', 'W/"v1"', "v1"]) {
      it(`by the tag ${etag} of a part that was sent without comparing tags`, async () => {
        const sent: FileRequest[] = [];
        const careless: Handler = (request, number) => {
          const headers = new Headers(request.headers);
          if (headers.has("if-range")) headers.set("if-range", etag);
          return buildFileHandler(sent, { file: NEW, etag })(
            new Request(request, { headers }),
            number,
          );
        };
        await withServer(careless, async ({ connection, url }) => {
          assertBytes(await fetchInto(connection, `${url}/f.zip`, listFirstBytes()), NEW);
          assertEquals(listRanges(sent), ["bytes=4000-", null]);
        });
      });
    }

    for (const etag of ['W/"v1"', "v1", null]) {
      it(`if its tag is ${etag}, which promises nothing`, async () => {
        const sent: FileRequest[] = [];
        await withServer(buildFileHandler(sent, { etag }), async ({ connection, url }) => {
          await fetchInto(connection, `${url}/f.zip`);
          {
            using part = await PartFile.open(connection.home, "o-1");
            assertEquals([part.tag, part.size], [null, 0]); // removed: the rest may differ
          }
          assertBytes(await fetchInto(connection, `${url}/f.zip`), FILE);
          assertEquals(sent.map(({ range, ifRange }) => [range, ifRange]), [[null, null], [
            null,
            null,
          ]]);
        });
      });
    }

    it("H3 F62 if a part of another file with the same length comes without a tag", async () => {
      for (const [tag, etag] of [[TAG, null], [TAG, 'W/"v1"'], [TAG, "v1"]] as const) {
        const sent: FileRequest[] = [];
        const blind: Handler = (request, number) => {
          if (!request.headers.has("range")) {
            return buildFileHandler(sent, { file: NEW })(request, number);
          }
          return new Response(NEW.slice(4_000), {
            status: 206,
            headers: {
              "content-range": `bytes 4000-9999/${NEW.length}`,
              ...(etag === null ? {} : { etag }),
            },
          });
        };
        await withServer(blind, async ({ connection, url, seen }) => {
          assertBytes(await fetchInto(connection, `${url}/f.zip`, listFirstBytes(4_000, tag)), NEW);
          assertEquals([seen.length, listRanges(sent)], [2, [null]]);
        });
      }
    });

    it("H3 if the joined file does not match a tag that is a hash", async () => {
      const hash = sha256(NEW);
      const sent: FileRequest[] = [];
      const etag = `"${hash}"`;
      const ours = (answer: Response) => {
        answer.headers.set("Vindkit-World", "own");
        return answer;
      };
      const handler = buildFileHandler(sent, { file: NEW, etag }, ours);
      await withServer(handler, async ({ connection, url }) => {
        assertBytes(await fetchInto(connection, `${url}/f.csv`, listFirstBytes(4_000, etag)), NEW);
        assertEquals(listRanges(sent), ["bytes=4000-", null]);
      });
    });

    it("H3 if the joined file is a damaged archive", async () => {
      const archive = zipSync({ "a.csv": FILE }, { level: 0 }) as Uint8Array<ArrayBuffer>;
      const other = archive.slice();
      other[1_000] ^= 1;
      const sent: FileRequest[] = [];
      await withServer(buildFileHandler(sent, { file: archive }), async ({ connection, url }) => {
        const before = { tag: TAG, total: archive.length, bytes: other.slice(0, 2_000) };
        assertBytes(await fetchInto(connection, `${url}/f.zip`, before), archive);
        assertEquals(listRanges(sent), ["bytes=2000-", null]);
      });
    });

    it("H3 if more bytes come than the part announced", async () => {
      const sent: FileRequest[] = [];
      const longer = (answer: Response) =>
        answer.status !== 206 ? answer : new Response(FILE.slice(3_000), {
          status: 206,
          headers: { etag: TAG, "content-range": "bytes 4000-9999/10000" },
        });
      await withServer(buildFileHandler(sent, {}, longer), async ({ connection, url }) => {
        assertBytes(await fetchInto(connection, `${url}/f.zip`, listFirstBytes()), FILE);
        assertEquals(listRanges(sent), ["bytes=4000-", null]);
      });
    });

    it("by another length of the file", async () => {
      const longer = (answer: Response) =>
        answer.status !== 206 ? answer : new Response(FILE.slice(4_000, 9_000), {
          status: 206,
          headers: { etag: TAG, "content-range": "bytes 4000-8999/9000" },
        });
      await withServer(buildFileHandler([], {}, longer), async ({ connection, url }) => {
        assertBytes(await fetchInto(connection, `${url}/f.zip`, listFirstBytes()), FILE);
      });
    });
  });

  describe("F13 checks where a part begins, and starts over once", () => {
    const wrong: Readonly<Record<string, Record<string, string>>> = {
      "an earlier place": { "content-range": "bytes 3999-9999/10000" },
      "a later place": { "content-range": "bytes 4001-9999/10000" },
      "the beginning": { "content-range": "bytes 0-9999/10000" },
      "nowhere": {},
      "a position without a length": { "content-range": "bytes 4000-9999/*" },
      "a place in lines": { "content-range": "lines 4000-9999/10000" },
      "several parts": { "content-type": "multipart/byteranges; boundary=x" },
    };
    for (const [where, headers] of Object.entries(wrong)) {
      it(`such as ${where}`, async () => {
        const sent: FileRequest[] = [];
        const spoil = (answer: Response, number: number) =>
          number > 1 ? answer : new Response(FILE.slice(4_000), { status: 206, headers });
        await withServer(buildFileHandler(sent, {}, spoil), async ({ connection, url }) => {
          assertBytes(await fetchInto(connection, `${url}/f.zip`, listFirstBytes()), FILE);
          assertEquals(listRanges(sent), ["bytes=4000-", null]);
        });
      });
    }

    it("even if no part was requested", async () => {
      const sent: FileRequest[] = [];
      const spoil = (answer: Response, number: number) =>
        number > 1 ? answer : new Response(FILE.slice(0, 5_000), {
          status: 206,
          headers: { etag: TAG, "content-range": "bytes 0-4999/10000" },
        });
      await withServer(buildFileHandler(sent, {}, spoil), async ({ connection, url }) => {
        assertBytes(await fetchInto(connection, `${url}/f.zip`), FILE);
        assertEquals(listRanges(sent), [null, null]);
      });
    });

    it("but not endlessly", async () => {
      const spoil = () =>
        new Response("x", { status: 206, headers: { "content-range": "bytes 1-1/10000" } });
      await withServer(buildFileHandler([], {}, spoil), async ({ connection, url, seen }) => {
        const call = () => fetchInto(connection, `${url}/f.zip`, listFirstBytes());
        await assertRejects(call, NetworkError, "does not continue the earlier one");
        assert(seen.length <= 6, `${seen.length} requests`);
      });
    });

    it("if the service has nothing after the stored bytes", async () => {
      const sent: FileRequest[] = [];
      const file = FILE.slice(0, 3_000);
      const handler: Handler = (request, number) =>
        number > 1
          ? buildFileHandler(sent, { file })(request, number)
          : new Response(null, { status: 416, headers: { "content-range": "bytes */3000" } });
      await withServer(handler, async ({ connection, url, seen }) => {
        assertBytes(await fetchInto(connection, `${url}/f.zip`, listFirstBytes()), file);
        assertEquals([listRanges(sent), seen.length], [[null], 2]);
      });
    });

    it("and gives up if it has no bytes at all", async () => {
      const handler = () => new Response(null, { status: 416 });
      await withServer(handler, async ({ connection, url, seen }) => {
        const call = () => fetchInto(connection, `${url}/f.zip`, listFirstBytes());
        const error = await assertRejects(call, OrderFailedError);
        assertEquals([error.status, seen.length], [416, 2]);
      });
    });
  });

  it("uses a part that is already complete", async () => {
    const sent: FileRequest[] = [];
    await withServer(buildFileHandler(sent), async ({ connection, url }) => {
      assertBytes(await fetchInto(connection, `${url}/f.zip`, listFirstBytes(FILE.length)), FILE);
    });
  });

  it("F3 reports whether truncation of a file would have been noticed", async () => {
    const answer = `HTTP/1.1 200 OK\r\netag: ${TAG}\r\nconnection: close\r\n\r\ntime,x\n`;
    await withRawServer(answer, async ({ url, requests }) => {
      const home = await Deno.makeTempDir();
      const connection = connect({ url, key: CANARY, home });
      {
        using part = await PartFile.open(home, "o-1");
        const { proven } = await fetchFile(connection, `${url}/f.csv`, part, undefined);
        assertEquals([proven, part.resumable, requests()], [false, true, 1]);
      }
      await Deno.remove(home, { recursive: true });
    });
  });

  it("F4 never mistakes the bytes of a compressed answer for the file's", async () => {
    const packed = await new Response(
      new Blob([FILE]).stream().pipeThrough(new CompressionStream("gzip")),
    ).bytes();
    for (const sent of [packed, packed.slice(0, packed.length >> 1)]) {
      const headers = { "content-encoding": "gzip", etag: TAG };
      await withServer(() => new Response(sent, { headers }), async ({ connection, url }) => {
        using part = await PartFile.open(connection.home, "o-1");
        const outcome = await fetchFile(connection, `${url}/f.zip`, part, undefined)
          .catch((error) => error);
        // Decompressed or refused, but a part of it is never continued: ranges count compressed bytes.
        if (!(outcome instanceof VindkitError)) assertBytes(await Deno.readFile(part.path), FILE);
        assertEquals(part.resumable, false);
      });
    }
  });

  for (const status of [400, 403, 404, 410]) {
    it(`reports that the address is no longer valid if it answers ${status}`, async () => {
      const handler = () => new Response("gone", { status });
      await withServer(handler, async ({ connection, url, seen }) => {
        const call = () => fetchInto(connection, `${url}/f.zip`, listFirstBytes());
        const error = await assertRejects(call, OrderFailedError, `answered ${status}`);
        assertEquals([error.status, seen.length], [status, 1]);
        using part = await PartFile.open(connection.home, "o-1");
        assertEquals(part.size, 4_000); // there may be another address
      });
    });
  }

  it("does not call an order failed if its file is unavailable for a while", async () => {
    for (const [status, kind] of [[503, ServiceError], [429, TooManyRequestsError]] as const) {
      const handler = () => new Response("busy", { status, headers: { "retry-after": "0" } });
      await withServer(handler, async ({ connection, url }) => {
        await assertRejects(
          () => fetchInto(connection, `${url}/f.zip`),
          kind,
          "did not cancel the order",
        );
      });
    }
  });

  it("F12 follows five redirects, but no circle", async () => {
    const handler: Handler = (request, number) => {
      const hops = Number(new URL(request.url).searchParams.get("left"));
      return hops === 0 ? buildFileHandler([])(request, number) : new Response(null, {
        status: 302,
        headers: { location: `?left=${hops - 1}` },
      });
    };
    await withServer(handler, async ({ connection, url, seen }) => {
      assertBytes(await fetchInto(connection, `${url}/f.zip?left=5`), FILE);
      assertEquals(seen.length, 6);
      const call = () => fetchInto(connection, `${url}/f.zip?left=6`);
      await assertRejects(call, NetworkError, "more than 5 redirects");
      assertEquals(seen.length, 12);
    });
  });

  describe("F17 refuses an invalid address with an error of ours", () => {
    for (const address of ["https://", "http://[", "https://:81/x", "https://a b/x"]) {
      it(`such as ${address}`, async () => {
        await withServer(buildFileHandler([]), async ({ connection, seen }) => {
          await assertRejects(() => fetchInto(connection, address), VindkitError);
          assertEquals(seen, []);
        });
      });
    }
  });

  describe("F16 F18 sends the key only to the service's own origin", () => {
    /** Runs with a second server that has the file, and one that leads there. */
    async function withOther(
      consent: boolean,
      body: (connection: Connection, servers: {
        readonly ownUrl: string;
        readonly other: string;
        readonly keys: () => (string | null)[];
      }) => Promise<void>,
    ): Promise<void> {
      await withServer(buildFileHandler([]), async (other) => {
        const handler: Handler = () =>
          new Response(null, { status: 302, headers: { location: `${other.url}/f.zip` } });
        await withServer(handler, async ({ connection, url }) => {
          const keys = () => other.seen.map(({ key }) => key);
          await body(connection, { ownUrl: url, other: other.url, keys });
        }, consent ? { downloadOrigins: [other.url] } : {});
      });
    }

    it("and sends no request to others without consent", async () => {
      await withOther(false, async (connection, { other, keys }) => {
        const call = () => fetchInto(connection, `${other}/f.zip`);
        const { message } = await assertRejects(call, NetworkError);
        assertStringIncludes(message, "downloadOrigins");
        assertEquals(keys(), []);
      });
    });

    it("nor after a redirect", async () => {
      await withOther(false, async (connection, { ownUrl, keys }) => {
        await assertRejects(
          () => fetchInto(connection, `${ownUrl}/f.zip`),
          NetworkError,
          "points to",
        );
        assertEquals(keys(), []);
      });
    });

    it("and fetches from another with consent, without the key", async () => {
      await withOther(true, async (connection, { other, ownUrl, keys }) => {
        assertBytes(await fetchInto(connection, `${other}/f.zip`), FILE);
        await Deno.remove(`${connection.home}/downloads`, { recursive: true });
        assertBytes(await fetchInto(connection, `${ownUrl}/f.zip`), FILE);
        assertEquals(keys(), [null, null]);
      });
    });
  });
});
