/**
 * One request and its answer, against servers that misbehave.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { NetworkError, TimeoutError } from "../../../src/api/errors.ts";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { readWhole } from "../../../src/client/http/body.ts";
import {
  type Exchange,
  exchange,
  MAX_REDIRECTS,
  type RequestLimits,
} from "../../../src/client/http/exchange.ts";
import { redactUrl } from "../../../src/client/http/redaction.ts";
import { CANARY, neverAnswer, withRawServer, withServer } from "../_local_server.ts";

async function get(
  connection: Connection,
  path = "/",
  limits: Partial<RequestLimits> = {},
): Promise<Exchange<Uint8Array>> {
  return await exchange(
    connection,
    { url: connection.baseUrl + path },
    { ...patient(), ...limits },
    (body) => readWhole(body, path),
  );
}

const patient = (): RequestLimits => ({
  deadline: performance.now() + 20_000,
  headers: 60_000,
  idle: 30_000,
  signal: undefined,
});

const decodeText = ({ value }: Exchange<Uint8Array>) => new TextDecoder().decode(value);

function redirect(location: string, status = 302): Response {
  return new Response("elsewhere", { status, headers: { location } });
}

describe("exchange()", () => {
  it("returns status, headers and body", async () => {
    const answer = () => new Response("wind", { status: 418, headers: { "x-a": "b" } });
    await withServer(answer, async ({ connection }) => {
      const result = await get(connection);
      assertEquals([result.status, result.headers.get("x-a"), decodeText(result)], [
        418,
        "b",
        "wind",
      ]);
    });
  });

  it("sends method and body, and does not follow the redirect of a POST", async () => {
    const sent: unknown[] = [];
    const answer = async (request: Request) => {
      sent.push([request.method, await request.text()]);
      return sent.length === 1 ? Response.json({}) : redirect("/elsewhere", 307);
    };
    await withServer(answer, async ({ connection }) => {
      const post = () =>
        exchange(
          connection,
          { url: `${connection.baseUrl}/`, method: "POST", body: "wind" },
          patient(),
          (body) => readWhole(body, "/"),
        );
      assertEquals((await post()).status, 200);
      await assertRejects(post, NetworkError, "the service redirects POST");
      assertEquals(sent, [["POST", "wind"], ["POST", "wind"]]);
    });
  });

  it("reads a long body of unknown length to its end", async () => {
    const part = new Uint8Array(100_000).map((_, i) => i % 251);
    const stream = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (let i = 0; i < 30; i++) controller.enqueue(part);
          controller.close();
        },
      });
    await withServer(() => new Response(stream()), async ({ connection }) => {
      const { value: bytes } = await get(connection);
      assertEquals(bytes.length, 3_000_000);
      for (let i = 0; i < 30; i++) {
        assertEquals(bytes.subarray(i * part.length, (i + 1) * part.length), part);
      }
    });
  });

  it("reads a compressed body, whose stated length counts compressed bytes", async () => {
    const packed = await new Response(
      new Blob(["wind ".repeat(10_000)]).stream().pipeThrough(new CompressionStream("gzip")),
    ).bytes();
    const headers = { "content-encoding": "gzip", "content-length": String(packed.length) };
    await withServer(() => new Response(packed, { headers }), async ({ connection }) => {
      assertEquals(decodeText(await get(connection)), "wind ".repeat(10_000));
    });
  });

  it("reads no body as an empty one", async () => {
    await withServer(() => new Response(null, { status: 204 }), async ({ connection }) => {
      assertEquals((await get(connection)).value.length, 0);
    });
  });

  describe("F12 follows redirects by hand", () => {
    for (const status of [301, 302, 303, 307, 308]) {
      it(`within the origin, with the key: ${status}`, async () => {
        await withServer(
          (_, number) => number === 1 ? redirect("/b?c=d", status) : new Response("there"),
          async ({ connection, seen }) => {
            assertEquals(decodeText(await get(connection, "/a")), "there");
            assertEquals(seen.map(({ path, key }) => [path, key]), [
              ["/a", CANARY],
              ["/b?c=d", CANARY],
            ]);
          },
        );
      });
    }

    it("including relative ones, and the same origin written in full", async () => {
      await withServer((request, number) => {
        if (number === 1) return redirect("../b");
        if (number === 2) return redirect(new URL("/c", request.url).href);
        return new Response("there");
      }, async ({ connection, seen }) => {
        await get(connection, "/x/y/a");
        assertEquals(seen.map(({ path }) => path), ["/x/y/a", "/x/b", "/c"]);
      });
    });

    it(`but ${MAX_REDIRECTS} at most`, async () => {
      await withServer(() => redirect("/again"), async ({ connection, seen }) => {
        const { message } = await assertRejects(() => get(connection), NetworkError);
        assertStringIncludes(message, `more than ${MAX_REDIRECTS} redirects`);
        assertEquals(seen.length, MAX_REDIRECTS + 1);
      });
    });

    it("and treats a redirect without a location as the answer", async () => {
      await withServer(() => new Response("here", { status: 302 }), async ({ connection }) => {
        assertEquals((await get(connection)).status, 302);
      });
    });
  });

  describe("F18 refuses a redirect to another origin", () => {
    it("and sends no request there, and no key", async () => {
      await withServer(() => new Response("caught"), async (other) => {
        await withServer(() => redirect(`${other.url}/x`), async ({ connection }) => {
          const { message } = await assertRejects(() => get(connection), NetworkError);
          assertStringIncludes(message, other.url);
          assertEquals(other.seen, []);
        });
      });
    });

    for (
      const location of [
        "//127.0.0.1:1/x",
        "https://127.0.0.1/x",
        "http://localhost/x",
        "file:///etc/passwd",
        "data:text/plain,x",
        "http://user@127.0.0.1:1/",
      ]
    ) {
      it(`such as ${location}`, async () => {
        await withServer(() => redirect(location), async ({ connection, seen }) => {
          await assertRejects(() => get(connection), NetworkError);
          assertEquals(seen.length, 1);
        });
      });
    }
  });

  it("refuses an address of another origin than its connection's", async () => {
    await withServer(() => new Response(), async (other) => {
      await withServer(() => new Response(), async ({ connection }) => {
        const call = () =>
          exchange(connection, { url: `${other.url}/` }, patient(), (body) => readWhole(body, "/"));
        await assertRejects(call, NetworkError);
        assertEquals(other.seen, []);
      });
    });
  });

  describe("throws a NetworkError", () => {
    it("F1 if no server listens", async () => {
      // A port that was free a moment ago.
      const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const { port } = listener.addr as Deno.NetAddr;
      listener.close();
      const connection = connect({ url: `http://127.0.0.1:${port}`, key: CANARY });
      const error = await assertRejects(() => get(connection, "/a"), NetworkError);
      assertStringIncludes(error.message, `Cannot fetch http://127.0.0.1:${port}/a: `);
      assertStringIncludes(error.message, "Check the address and the network");
      assertEquals(error.url, `http://127.0.0.1:${port}/a`);
    });

    const truncated: Readonly<Record<string, string>> = {
      "F4 if the body is shorter than announced":
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
      "F4 if a chunk breaks off":
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nonly this",
      "F4 if the last chunk is missing":
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nwind\r\n",
      "if the headers break off": "HTTP/1.1 200 OK\r\nContent-Le",
      "if the answer is not HTTP": "220 mail.example ESMTP\r\n",
      "if there is no answer at all": "",
    };
    for (const [name, answer] of Object.entries(truncated)) {
      it(name, async () => {
        await withRawServer(answer, async ({ connection }) => {
          await assertRejects(() => get(connection), NetworkError, "Cannot fetch http://127.0.0.1");
        });
      });
    }

    it("F4 if a compressed body breaks off", async () => {
      const packed = await new Response(
        new Blob([crypto.getRandomValues(new Uint8Array(10_000))]).stream()
          .pipeThrough(new CompressionStream("gzip")),
      ).bytes();
      const head = new TextEncoder().encode(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n",
      );
      const answer = new Uint8Array([...head, ...packed.subarray(0, 5000)]);
      await withRawServer(answer, async ({ connection }) => {
        await assertRejects(() => get(connection), NetworkError);
      });
    });
  });

  describe("F2 throws a TimeoutError", () => {
    it("if the headers do not come before the deadline", async () => {
      await withServer(neverAnswer, async ({ connection }) => {
        const limits = { deadline: performance.now() + 50 };
        const { message } = await assertRejects(() => get(connection, "/", limits), TimeoutError);
        assertStringIncludes(message, "took longer than the timeout of the call");
      });
    });

    it("if the body stalls beyond the deadline", async () => {
      const stalling = () =>
        new Response(
          new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) }),
        );
      await withServer(stalling, async ({ connection }) => {
        const limits = { deadline: performance.now() + 50 };
        await assertRejects(() => get(connection, "/", limits), TimeoutError);
      });
    });

    it("if the deadline has passed already", async () => {
      await withServer(neverAnswer, async ({ connection }) => {
        const limits = { deadline: performance.now() - 1 };
        await assertRejects(() => get(connection, "/", limits), TimeoutError);
      });
    });
  });

  describe("F15 ends with its signal", () => {
    it("before anything is sent", async () => {
      await withServer(() => new Response(), async ({ connection, seen }) => {
        const signal = AbortSignal.abort(new Error("stop"));
        await assertRejects(() => get(connection, "/", { signal }), Error, "stop");
        assertEquals(seen.length, 0);
      });
    });

    it("while it waits for headers, and the server sees it", async () => {
      const controller = new AbortController();
      let gone = false;
      const handler = async (request: Request) => {
        controller.abort(new Error("stop"));
        const response = await neverAnswer(request);
        gone = true;
        return response;
      };
      await withServer(handler, async ({ connection }) => {
        const { signal } = controller;
        await assertRejects(() => get(connection, "/", { signal }), Error, "stop");
      });
      assert(gone, "the server waits for ever");
    });

    it("while it reads the body", async () => {
      const controller = new AbortController();
      const stalling = () =>
        new Response(
          new ReadableStream({
            start: (body) => body.enqueue(new Uint8Array(10)),
            pull: () => {
              controller.abort(new Error("stop"));
              return new Promise(() => {});
            },
          }, { highWaterMark: 2 }),
        );
      await withServer(stalling, async ({ connection }) => {
        const { signal } = controller;
        await assertRejects(() => get(connection, "/", { signal }), Error, "stop");
      });
    });

    it("and leaves no listener on a reused signal", async () => {
      let listeners = 0;
      const { signal } = new AbortController();
      const [add, remove] = [signal.addEventListener, signal.removeEventListener];
      signal.addEventListener = (
        ...all: unknown[]
      ) => (listeners++, add.apply(signal, all as never));
      signal.removeEventListener = (
        ...all: unknown[]
      ) => (listeners--, remove.apply(signal, all as never));
      await withServer(() => new Response("x"), async ({ connection }) => {
        await get(connection, "/", { signal });
      });
      assertEquals(listeners, 0);
    });
  });
});

describe("redactUrl()", () => {
  it("F21 hides e-mail and serial number, and nothing else", () => {
    assertEquals(
      redactUrl("https://a.example/apikey?serial_number=S-1&email=a%40example.com&x=1"),
      "https://a.example/apikey?serial_number=***&email=***&x=1",
    );
    assertEquals(redactUrl("https://a.example/a/b"), "https://a.example/a/b");
  });

  it("hides user name and password", () => {
    assertEquals(redactUrl("https://user:secret@a.example/"), "https://a.example/");
  });
});
