/**
 * Whatever bytes a server sends, each function that reads keeps its promise or throws an error of ours. Answers are
 * mutated real ones and random ones; all follow from one seed.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { VindkitError } from "../../src/api/errors.ts";
import { ATTRIBUTION_HEADER, TIME_ZONE_HEADER, WORLD_HEADER } from "../../src/api/world.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { openSample } from "../../src/service/mod.ts";
import { JUPYTER_DISPLAY } from "../../src/show/jupyter.ts";
import { CANARY } from "../client/_local_server.ts";
import { reads, withoutPauses } from "./_reads.ts";

const CASES = 320;

/** Set VINDKIT_SEED for other cases. */
const SEED = Number(Deno.env.get("VINDKIT_SEED") || 20_261_120);

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function seedRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

const drawInteger = (random: Random, below: number) => Math.floor(random() * below);
const drawOne = <T>(random: Random, of: readonly T[]): T => of[drawInteger(random, of.length)];

/** Misplaced texts of services and proxies, and texts that parsers stumble over. */
const odd: readonly string[] = [
  "null",
  "NaN",
  "Infinity",
  "-999",
  "1e999",
  "1e-400",
  "-0",
  "9007199254740993",
  "99999999999999999999999999",
  "true",
  "{}",
  "[]",
  '""',
  '"\\ud800"',
  '"__proto__"',
  "\0",
  "\r",
  "\n",
  '"',
  ",",
  ";",
  "\t",
  "\ufeff",
  "<",
  "0000-00-00",
  "2024-02-30",
  "275760-09-13",
  "-271821-04-20",
  "+00:00",
  "%",
  "\u{1f4a8}",
  "2024-03-31T02:30:00",
  "2024-01-01T00:00:00+25:00",
];

function spliceBytes(bytes: Uint8Array, from: number, to: number, put: Uint8Array) {
  return new Uint8Array([...bytes.subarray(0, from), ...put, ...bytes.subarray(to)]);
}

/** Mutates a body, or makes one from nothing. */
function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  const at = drawInteger(random, bytes.length + 1);
  const text = () => new TextDecoder("latin1").decode(bytes);
  const encoded = (value: string) => new TextEncoder().encode(value);
  switch (drawInteger(random, 9)) {
    case 0: // a bit or more
      return bytes.map((byte, i) =>
        i === at || random() < 0.001 ? byte ^ (1 << drawInteger(random, 8)) : byte
      );
    case 1: // cut
      return bytes.slice(0, at);
    case 2: // a stretch left out
      return spliceBytes(
        bytes,
        at,
        Math.min(bytes.length, at + drawInteger(random, 40)),
        new Uint8Array(),
      );
    case 3: // something put in
      return spliceBytes(bytes, at, at, encoded(drawOne(random, odd)));
    case 4: { // a value replaced
      const values = [...text().matchAll(/"[^"]*"|-?\d+(\.\d+)?|null|[^,;\n]+/g)].slice(0, 400);
      if (values.length === 0) return bytes;
      const { index, 0: value } = drawOne(random, values);
      return spliceBytes(bytes, index, index + value.length, encoded(drawOne(random, odd)));
    }
    case 5: { // lines in another order, twice or missing
      const lines = text().split("\n");
      const [a, b] = [drawInteger(random, lines.length), drawInteger(random, lines.length)];
      [lines[a], lines[b]] = random() < 0.5 ? [lines[b], lines[a]] : [lines[a], lines[a]];
      return encoded(lines.join("\n"));
    }
    case 6: // all of a mark replaced
      return encoded(
        text().replaceAll(drawOne(random, [",", '"', "\n", ":", ".", "T"]), drawOne(random, odd)),
      );
    case 7: // nothing at all
      return Uint8Array.from({ length: drawInteger(random, 3000) }, () => drawInteger(random, 256));
    default: // JSON of any kind
      return encoded(
        `[${Array.from({ length: drawInteger(random, 5) }, () => drawOne(random, odd)).join()}]`,
      );
  }
}

const names = [WORLD_HEADER, ATTRIBUTION_HEADER, TIME_ZONE_HEADER, "content-type", "content-length"]
  .concat("content-encoding", "transfer-encoding", "location", "retry-after");
const values = [
  "",
  "%",
  "%E0%A4%A",
  ",,,",
  "gzip",
  "chunked",
  "0",
  "-1",
  "1e9",
  "text/html",
  "\xff",
]
  .concat("Mars/Olympus", "GMT+1", "UTC", "sample", "application/json", "//", "data:,x", ".");
const statuses = [200, 200, 200, 200, 200, 204, 206, 299, 301, 304, 400, 404, 418, 600, 99];

/** An answer on the wire. */
function buildAnswer(honest: { headers: Headers; bytes: Uint8Array }, random: Random): Uint8Array {
  const body = random() < 0.9 ? mutate(honest.bytes, random) : honest.bytes;
  const headers = new Map([...honest.headers].filter(([name]) => name !== "content-encoding"));
  if (random() < 0.8) headers.set("content-length", String(body.length));
  else headers.delete("content-length");
  for (let i = drawInteger(random, 3); i > 0; i--) {
    if (random() < 0.5) headers.set(drawOne(random, names), drawOne(random, values));
    else headers.delete(drawOne(random, names));
  }
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  let head: Uint8Array = Uint8Array.from(
    `HTTP/1.1 ${drawOne(random, statuses)} X\r\n${lines}connection: close\r\n\r\n`,
    (character) => character.charCodeAt(0),
  );
  if (random() < 0.05) head = mutate(head, random);
  return new Uint8Array([...head, ...body]);
}

/** Starts a server that sends the current answer to each request. */
function startRawServer() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let answer = new Uint8Array();
  const open = new Set<Promise<void>>();
  const serve = async (connection: Deno.Conn) => {
    try {
      if (await connection.read(new Uint8Array(65_536)) !== null) {
        for (let sent = 0; sent < answer.length;) {
          sent += await connection.write(answer.subarray(sent));
        }
        await connection.closeWrite();
        while (await connection.read(new Uint8Array(1024)) !== null); // the client closes first
      }
    } catch {
      // the client has seen enough
    } finally {
      connection.close();
    }
  };
  const accepted = (async () => {
    for await (const connection of listener) {
      const served = serve(connection);
      open.add(served);
      served.finally(() => open.delete(served));
    }
  })();
  return {
    url: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`,
    answer: (bytes: Uint8Array) => void (answer = bytes as Uint8Array<ArrayBuffer>),
    async close(): Promise<void> {
      listener.close();
      await accepted;
      await Promise.all(open);
    },
  };
}

describe("any answer", () => {
  beforeAll(withoutPauses.before);
  afterAll(withoutPauses.after);

  it(`becomes a frame or an error of ours, soon: ${CASES} answers of seed ${SEED}`, async () => {
    const service = await openSample({ trusted: true });
    const server = startRawServer();
    const home = await Deno.makeTempDir();
    const honest = new Map<string, { headers: Headers; bytes: Uint8Array }>();
    const bad: string[] = [];
    let frames = 0;
    try {
      const requests: Request[] = [];
      const real = connect({ sample: true, home });
      const send = real.send.bind(real);
      real.send = async (request) => (requests.push(request), await send(request));
      for (const [name, { call }] of Object.entries(reads)) {
        requests.length = 0;
        await call({ connection: real }).catch(() => {});
        const response = await service.fetch(new Request(requests[0]));
        honest.set(name, { headers: response.headers, bytes: await response.bytes() });
      }
      await real.close();
      const connection = connect({
        url: server.url,
        key: CANARY,
        home,
        timeout: 1000,
        headersTimeout: 300,
        idleTimeout: 300,
      });
      const kinds = Object.entries(reads);
      for (let i = 0; i < CASES; i++) {
        const random = seedRandom(SEED + i);
        const [name, { call }] = kinds[i % kinds.length];
        server.answer(buildAnswer(honest.get(name)!, random));
        const start = performance.now();
        try {
          const result = await call({ connection }) as { [JUPYTER_DISPLAY]?: () => unknown };
          await result[JUPYTER_DISPLAY]?.();
          frames++;
        } catch (error) {
          const text = Deno.inspect(error, { depth: 5 });
          if (!(error instanceof VindkitError)) bad.push(`case ${i}, ${name}: ${text}`);
          else if (text.includes(CANARY)) bad.push(`case ${i}, ${name} shows the key: ${text}`);
        }
        const took = performance.now() - start;
        if (took > 5000) bad.push(`case ${i}, ${name}: took ${Math.round(took)} ms`);
      }
    } finally {
      await server.close();
      await service.close();
      await Deno.remove(home, { recursive: true });
    }
    assertEquals(bad.length, 0, `${bad.length} of ${CASES}:\n${bad.slice(0, 6).join("\n")}`);
    assert(frames > CASES / 20 && frames < CASES, `${frames} frames: the answers are no mixture`);
  });
});
