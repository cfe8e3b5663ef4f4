import type { Fault, RequestKind } from "./fault.ts";
import { FaultPlan } from "./fault_plan.ts";
import { readHonestAnswer } from "./honest_answer.ts";
import { sendAnswer } from "./misbehave.ts";
import { AnswerWriter } from "./outgoing.ts";
import { readHead, type RequestHead } from "./request_head.ts";
import { requestKindOf } from "./request_kind.ts";
import type { SeenRequest } from "./seen_request.ts";

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
 * HTTP/1.1 on loopback, by hand: what a proper server would never send can be sent from here. One request a
 * connection, and as many connections as come.
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

  /**
   * Listens on a free port.
   *
   * @throws {ArgumentError} If no request can match a fault
   */
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

  /** Stops listening and closes every connection, whatever is under way there. */
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

/** Reads whatever still comes, until the client goes away or the connection is closed from here. */
async function watch(connection: Deno.Conn, gone: AbortController): Promise<void> {
  const rest = new Uint8Array(1024);
  try {
    while (await connection.read(rest) !== null);
  } catch {
    // a broken connection ends here too
  }
  gone.abort();
}
