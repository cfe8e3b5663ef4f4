import { CUSTOM_INSPECT } from "../show/jupyter.ts";
import { loadService } from "./in_process.ts";
import type { Secret } from "./secret.ts";
import { type ConnectOptions, type Settings, settingsOf } from "./settings.ts";

/** Origin that requests to a service in this process name; it is never looked up. */
export const IN_PROCESS_ORIGIN = "http://in-process.vindkit.invalid";

/** A service that runs in this process. */
interface InProcessService {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * A connection to a service: the sample, one's own data or a live service. It does not change; make another one with
 * {@linkcode connect}.
 */
export class Connection {
  readonly #settings: Settings;
  #service: Promise<InProcessService> | undefined;

  /**
   * Makes a connection; {@linkcode connect} finds the settings.
   *
   * @param settings Where to and how
   */
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Which world it was made for; a live service may itself say that it is another. */
  get target(): "sample" | "own" | "live" {
    return this.#settings.target.kind;
  }

  /** Base address of requests. */
  get baseUrl(): string {
    const { target } = this.#settings;
    return target.kind === "live" ? target.url : IN_PROCESS_ORIGIN;
  }

  /** The key; it goes to the own origin only. */
  get key(): Secret | undefined {
    const { target } = this.#settings;
    return target.kind === "live" ? target.key : undefined;
  }

  /** Longest time of a whole call, ms. */
  get timeout(): number {
    return this.#settings.timeout;
  }

  /** Requests under way at the same time in calls for several turbines. */
  get concurrency(): number {
    return this.#settings.concurrency;
  }

  /** Sends one request, as it is. */
  async send(request: Request): Promise<Response> {
    const { target } = this.#settings;
    if (target.kind === "live") return await fetch(request);
    this.#service ??= this.#open(target).catch((error) => {
      this.#service = undefined; // the next request may have more luck: the data are imported by then
      throw error;
    });
    return await (await this.#service).fetch(request);
  }

  async #open(
    target: Exclude<Settings["target"], { kind: "live" }>,
  ): Promise<InProcessService> {
    const { openSample, openService } = await loadService();
    return target.kind === "sample"
      ? await openSample({ trusted: true })
      : await openService(target.data, { trusted: true });
  }

  /** Closes the service in this process, if one was opened; the next request opens it again. */
  async close(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await (await service)?.close();
  }

  /** Closes the connection at the end of `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** What the connection goes to; never the key. */
  toString(): string {
    const { target } = this.#settings;
    switch (target.kind) {
      case "sample":
        return "Connection to the built-in SYNTHETIC sample";
      case "own":
        return `Connection to own data in ${target.data}`;
      case "live":
        return `Connection to ${target.url} (${target.key ? "with" : "without"} a key)`;
    }
  }

  /** The same in `console.log`. */
  [CUSTOM_INSPECT](): string {
    return this.toString();
  }
}

/**
 * Makes a connection. What is not given comes from the environment (`VINDKIT_URL` and `VINDKIT_KEY`, or `VINDKIT_DATA`),
 * then from the config file; where nothing is set it is the built-in sample.
 *
 * @param options Address and key, or a data directory
 * @throws {ConfigurationError} If the settings contradict each other: a key without an address, two places at once
 *
 * @example The sample, whatever the environment says
 * ```ts
 * import { connect, turbines } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * await using connection = connect({ sample: true });
 * const all = await turbines({ connection });
 * assertEquals(all.height, 8);
 * ```
 */
export function connect(options: ConnectOptions = {}): Connection {
  return new Connection(settingsOf(options));
}
