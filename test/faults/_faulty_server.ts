import { readHonestAnswer } from "./_honest_answer.ts";
import { AnswerWriter, requestKindOf, type SeenRequest } from "./_exchange.ts";
import type { Fault, FaultAct, RequestKind } from "./_fault.ts";
import { sendAnswer } from "./_misbehave.ts";

/** Longest head that is read, bytes. */
const MAX_HEAD = 65_536;

/** Headers are bytes, one character each. */
const decoder = new TextDecoder("latin1");

/** Line and headers of a request. */
interface RequestHead {
  readonly method: string;
  /** Path with query, as sent. */
  readonly target: string;
  /** Headers, as sent. */
  readonly headers: Headers;
}

/**
 * Reads the head of a request, and ignores the rest.
 *
 * @returns `undefined` if the client went away, or sent no head of HTTP/1
 */
async function readHead(
  connection: { read(into: Uint8Array): Promise<number | null> },
): Promise<RequestHead | undefined> {
  const bytes = new Uint8Array(MAX_HEAD);
  for (let length = 0; length < MAX_HEAD;) {
    const read = await connection.read(bytes.subarray(length));
    if (read === null) return undefined;
    length += read;
    const text = decoder.decode(bytes.subarray(0, length));
    const end = text.indexOf("\r\n\r\n");
    if (end >= 0) return parseHead(text.slice(0, end));
  }
  return undefined;
}

function parseHead(text: string): RequestHead | undefined {
  const [line, ...lines] = text.split("\r\n");
  const [method, target, version] = line.split(" ");
  if (!version?.startsWith("HTTP/1.") || !target.startsWith("/")) return undefined;
  const headers = new Headers();
  try {
    for (const header of lines) {
      const colon = header.indexOf(":");
      headers.append(header.slice(0, colon), header.slice(colon + 1).trim());
    }
  } catch {
    return undefined;
  }
  return { method, target, headers };
}

/** A fault with its numbers of passed and affected requests so far. */
interface PendingFault {
  readonly fault: Fault;
  passed: number;
  hit: number;
}

/** Whether an act can affect a request: range acts need a request with a range, `unasked` one without. */
function appliesTo(act: FaultAct, hasRange: boolean): boolean {
  return act.kind !== "range" || hasRange === (act.how !== "unasked");
}

/** Decides which fault affects which request. */
export class FaultPlan {
  readonly #pending: PendingFault[] = [];

  /** @param faults The faults, first come first served */
  constructor(faults: readonly Fault[]) {
    for (const fault of faults) this.inject(fault);
  }

  /** Adds a fault behind the others. */
  inject(fault: Fault): void {
    this.#pending.push({ fault: { ...fault }, passed: 0, hit: 0 });
  }

  /**
   * Counts a request, and selects its act.
   *
   * @param hasRange Whether it requests a range
   * @returns `undefined` if it is answered correctly
   */
  take(kind: RequestKind | undefined, hasRange: boolean): FaultAct | undefined {
    for (const pending of this.#pending) {
      const { on = kind, after = 0, times = 1, act } = pending.fault;
      if (pending.hit >= times || on !== kind || !appliesTo(act, hasRange)) continue;
      if (pending.passed < after) {
        pending.passed++;
        continue;
      }
      pending.hit++;
      return act;
    }
    return undefined;
  }
}

/** The service behind the server, as a function. */
type Fetch = (request: Request) => Promise<Response>;

/** Errors that mean that the client ended the connection. */
const ends = [
  Deno.errors.BadResource,
  Deno.errors.BrokenPipe,
  Deno.errors.ConnectionAborted,
  Deno.errors.ConnectionReset,
  Deno.errors.Interrupted,
  Deno.errors.NotConnected,
];

function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // it is closed
  }
}

/**
 * Hand-written HTTP/1.1 on loopback, which can send what a proper server never would. One request per connection, any
 * number of connections.
 */
export class FaultyServer {
  /** Its address. */
  readonly url: string;
  /** Requests in the order in which they came. */
  readonly requests: readonly SeenRequest[];

  readonly #seen: SeenRequest[] = [];
  readonly #plan: FaultPlan;
  readonly #fetch: Fetch;
  readonly #listener: Deno.Listener;
  readonly #connections = new Map<Deno.Conn, Promise<void>>();
  readonly #accepted: Promise<void>;

  /** Listens on a free port. */
  constructor(fetch: Fetch, faults: readonly Fault[]) {
    this.#fetch = fetch;
    this.#plan = new FaultPlan(faults);
    this.requests = this.#seen;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.url = `http://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
    this.#accepted = this.#accept();
  }

  /** Adds a fault behind the others. */
  inject(fault: Fault): void {
    this.#plan.inject(fault);
  }

  /** Stops listening and closes every connection, even in the middle of an answer. */
  async close(): Promise<void> {
    this.#listener.close();
    await this.#accepted;
    const handled = [...this.#connections.values()];
    for (const connection of this.#connections.keys()) closeQuietly(connection);
    await Promise.all(handled);
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener) {
      this.#connections.set(connection, this.#handle(connection));
    }
  }

  async #handle(connection: Deno.Conn): Promise<void> {
    const gone = new AbortController();
    let watched: Promise<void> | undefined;
    try {
      const head = await readHead(connection);
      if (!head) return;
      const url = new URL(
        `http://${head.headers.get("host") ?? new URL(this.url).host}${head.target}`,
      );
      const seen = this.#see(head, requestKindOf(url.pathname));
      const act = this.#plan.take(seen.operation, head.headers.has("range"));
      watched = watch(connection, gone);
      const incoming = {
        headers: head.headers,
        ask: async (headers: Headers = head.headers) =>
          await readHonestAnswer(
            await this.#fetch(new Request(url, { method: head.method, headers })),
          ),
      };
      await sendAnswer(
        act,
        incoming,
        new AnswerWriter(connection, gone.signal, (s) => seen.status = s),
      );
    } catch (error) {
      if (!gone.signal.aborted && !ends.some((end) => error instanceof end)) {
        console.error("the service under test could not answer:", error);
      }
    } finally {
      closeQuietly(connection);
      await watched;
      this.#connections.delete(connection);
    }
  }

  #see(
    { target, headers }: RequestHead,
    operation: RequestKind | undefined,
  ): SeenRequest & { status: number | undefined } {
    const seen = { operation, path: target, headers, status: undefined };
    this.#seen.push(seen);
    return seen;
  }
}

/** Reads and discards until the client leaves or this side closes the connection. */
async function watch(connection: Deno.Conn, gone: AbortController): Promise<void> {
  const buffer = new Uint8Array(1024);
  try {
    while (await connection.read(buffer) !== null);
  } catch {
    // a broken connection ends here too
  }
  gone.abort();
}
