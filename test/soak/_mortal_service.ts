import { FaultyServer } from "../faults/_faulty_server.ts";
import type { Fault } from "../faults/_with_service.ts";
import { pause, ServiceProcess } from "./_processes.ts";

/** A body that ends with a connection reset if the service is killed. */
async function* untilKilled(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new Deno.errors.ConnectionReset();
  }
}

/** A service behind a faulty server; it can be killed and started again. */
export class MortalService {
  /** The server that clients reach. */
  readonly server: FaultyServer;
  /** How often it was killed. */
  kills = 0;
  /** Its error output. */
  errors = "";
  readonly #data: string;
  #process: Promise<ServiceProcess> | undefined;

  /**
   * @param data The data directory
   * @param faults Faults between the service and its clients
   */
  constructor(data: string, faults: readonly Fault[]) {
    this.#data = data;
    this.server = new FaultyServer((request) => this.#ask(request), faults);
  }

  /** Starts it. */
  async start(): Promise<void> {
    this.#process = ServiceProcess.start(this.#data, "--public-url", this.server.url);
    await this.#process;
  }

  /** Kills it, and starts it again after a pause in ms. */
  async kill(away: number): Promise<void> {
    const running = await this.#process!;
    await running.end("SIGKILL");
    this.kills++;
    this.errors += running.errors;
    await pause(away);
    await this.start();
  }

  /** Ends it with SIGTERM. */
  async close(): Promise<void> {
    await this.server.close();
    const running = await this.#process!;
    await running.end("SIGTERM");
    this.errors += running.errors;
  }

  /** Ends the process if a run fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#process)?.[Symbol.asyncDispose]();
  }

  async #ask(request: Request): Promise<Response> {
    const { url } = await this.#process!;
    const { pathname, search } = new URL(request.url);
    try {
      const answer = await fetch(new URL(pathname + search, url), { headers: request.headers });
      return new Response(answer.body && ReadableStream.from(untilKilled(answer.body)), answer);
    } catch {
      throw new Deno.errors.ConnectionReset(); // as the client sees a kill
    }
  }
}
