import { KEY_HEADER } from "../../api/operations/operations.ts";
import { buildCardBundle, type Card, type CardRow, formatCard } from "../../show/card.ts";
import { type Bundle, CUSTOM_INSPECT, JUPYTER_DISPLAY } from "../../show/jupyter.ts";
import { ConcurrencyLimiter } from "../http/concurrency_limiter.ts";
import { Sender, type Timeouts } from "../http/transport.ts";
import type { DataLock } from "./data_lock.ts";
import {
  type CacheMode,
  type ConnectOptions,
  connectOptions,
  findSettings,
  type Secret,
  type Settings,
} from "./settings.ts";
import { readOptions } from "../../show/options/read_options.ts";

/** Origin in requests to a service in this process; it is never resolved. */
const IN_PROCESS_ORIGIN = "http://in-process.vindkit.invalid";

/** A service that runs in this process. */
interface InProcessService {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** How requests reach a service: over the network, or in this process; the service is opened at the first request. */
class Link {
  readonly #target: Settings["target"];
  readonly #sender = new Sender();
  #service: Promise<InProcessService> | undefined;

  /** @param target World to open */
  constructor(target: Settings["target"]) {
    this.#target = target;
  }

  /** Sends one request without changes or retries. */
  async send(request: Request): Promise<Response> {
    if (this.#target.kind === "live") return await this.#sender.send(request);
    this.#service ??= open(this.#target).catch((error) => {
      this.#service = undefined; // the next request opens it again: the data may be imported by then
      throw error;
    });
    return await (await this.#service).fetch(request);
  }

  /** Closes connections, and the service in this process if one was opened; the next request opens them again. */
  async close(): Promise<void> {
    this.#sender[Symbol.dispose]();
    const service = this.#service;
    this.#service = undefined;
    await (await service)?.close();
  }
}

async function open(
  target: Exclude<Settings["target"], { kind: "live" }>,
): Promise<InProcessService> {
  const { openSample, openService } = await loadService();
  return target.kind === "sample"
    ? await openSample({ trusted: true })
    : await openService(target.data, { trusted: true });
}

const cacheTexts: Readonly<Record<CacheMode, string>> = {
  use: "used if the data are known to be unchanged",
  refresh: "everything is fetched again and stored",
  only: "offline: only stored answers are used",
};

function formatTarget(target: Settings["target"]): string {
  switch (target.kind) {
    case "sample":
      return "the built-in sample";
    case "own":
      return `own data in ${target.data}`;
    case "live":
      return target.url;
  }
}

function formatKey(target: Settings["target"]): string {
  if (target.kind !== "live") return "not needed";
  return target.key ? "set" : "not set: give VINDKIT_KEY, or key to connect()";
}

/**
 * Builds the rows of a connection's card, without the key. Home folder and folder of the lock are left out, since
 * notebooks are passed on.
 *
 * @param lock Path of its data lock
 */
function buildConnectionRows(settings: Settings, lock: string | undefined): CardRow[] {
  const { target, cache } = settings;
  const withoutCache = lock ? "stores the answers that the data lock names" : "not used";
  return [
    { label: "Goes to", value: formatTarget(target) },
    { label: "Key", value: formatKey(target) },
    { label: "Cache", value: cache ? cacheTexts[cache] : withoutCache },
    { label: "Data lock", value: lock?.slice(lock.lastIndexOf("/") + 1) ?? "none" },
  ];
}

/** State that connections to the same place share. */
interface SharedParts {
  readonly link: Link;
  readonly limiter: ConcurrencyLimiter;
  readonly pendingOrders: Map<number, Promise<string>>;
}

/**
 * A connection to a service: the sample, your own data or a live service. It does not change; make another one with
 * {@linkcode connect}.
 */
export class Connection {
  readonly #settings: Settings;
  readonly #shared: SharedParts;
  readonly #lock: DataLock | undefined;

  /**
   * Makes a connection; {@linkcode connect} finds the settings.
   *
   * @param settings Address, key, timeouts and the rest
   * @param shared Parts of another connection to the same place
   * @param lock Data lock that bodies are compared with
   */
  constructor(settings: Settings, shared?: SharedParts, lock?: DataLock) {
    this.#settings = settings;
    this.#shared = shared ?? {
      link: new Link(settings.target),
      limiter: new ConcurrencyLimiter(settings.concurrency),
      pendingOrders: new Map(),
    };
    this.#lock = lock;
  }

  /** World that the connection was made for; a live service may report another one. */
  get target(): "sample" | "own" | "live" {
    return this.#settings.target.kind;
  }

  /** Whether the service runs in this process. */
  get inProcess(): boolean {
    return this.target !== "live";
  }

  /** Base address of requests. */
  get baseUrl(): string {
    const { target } = this.#settings;
    return target.kind === "live" ? target.url : IN_PROCESS_ORIGIN;
  }

  /**
   * Names the place in cache, ledger and lock: the base address, `sample`, or `data:` and the directory.
   *
   * @internal
   */
  get place(): string {
    const { target } = this.#settings;
    if (target.kind === "own") return `data:${resolvePath(target.data)}`;
    return target.kind === "live" ? target.url : "sample";
  }

  /** The key; it goes to the service's own origin only. */
  get key(): Secret | undefined {
    const { target } = this.#settings;
    return target.kind === "live" ? target.key : undefined;
  }

  /**
   * Header in which the service expects the key.
   *
   * @internal
   */
  get keyHeader(): string {
    return KEY_HEADER;
  }

  /** Longest waits. */
  get timeouts(): Timeouts {
    return this.#settings.timeouts;
  }

  /**
   * Decides how many requests are under way.
   *
   * @internal
   */
  get limiter(): ConcurrencyLimiter {
    return this.#shared.limiter;
  }

  /** Most requests under way at the same time. */
  get concurrency(): number {
    return this.#settings.concurrency;
  }

  /** Further origins from which files may be downloaded. */
  get downloadOrigins(): readonly string[] {
    return this.#settings.downloadOrigins;
  }

  /** Largest answer or file that is accepted, bytes. */
  get maxDownload(): number {
    return this.#settings.maxDownload;
  }

  /** Folder of cache, ledger of orders and downloads. */
  get home(): string {
    return this.#settings.home;
  }

  /**
   * Orders that are being sent, by their number in the ledger: others with the same parameters wait for them.
   *
   * @internal
   */
  get pendingOrders(): Map<number, Promise<string>> {
    return this.#shared.pendingOrders;
  }

  /** How the cache of bodies is used. */
  get cache(): CacheMode | undefined {
    return this.#settings.cache;
  }

  /**
   * Data lock that bodies are compared with.
   *
   * @internal
   */
  get lock(): DataLock | undefined {
    return this.#lock;
  }

  /** Whether long calls show their progress. */
  get progress(): boolean {
    return this.#settings.progress;
  }

  /** Called for each try of a request. */
  get onRequest(): ConnectOptions["onRequest"] {
    return this.#settings.onRequest;
  }

  /**
   * The same connection, with a data lock.
   *
   * @internal
   */
  withLock(lock: DataLock): Connection {
    return new Connection(this.#settings, this.#shared, lock);
  }

  /** Sends one request without changes or retries. */
  async send(request: Request): Promise<Response> {
    return await this.#shared.link.send(request);
  }

  /** Closes the service in this process, if one was opened; the next request opens it again. */
  async close(): Promise<void> {
    await this.#shared.link.close();
  }

  /** Closes the connection at the end of `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Text that names the target of the connection, never the key. */
  toString(): string {
    const { target } = this.#settings;
    if (target.kind === "sample") return "Connection to the built-in SYNTHETIC sample";
    const key = target.kind === "live" ? ` (${target.key ? "with" : "without"} a key)` : "";
    return `Connection to ${formatTarget(target)}${key}`;
  }

  /** The connection on the console: target, whether a key is set, cache and lock. */
  [CUSTOM_INSPECT](): string {
    return formatCard(this.#card());
  }

  /** The connection in a notebook. */
  [JUPYTER_DISPLAY](): Bundle {
    return buildCardBundle(this.#card());
  }

  #card(): Card {
    return {
      title: "Connection",
      rows: buildConnectionRows(this.#settings, this.#lock?.path),
      synthetic: this.target === "sample",
    };
  }
}

function resolvePath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path; // it may not exist yet
  }
}

/**
 * Makes a connection. Missing settings come from the environment (`VINDKIT_URL` and `VINDKIT_KEY`, or
 * `VINDKIT_DATA`), then from the config file; if nothing is set, the connection goes to the built-in sample.
 *
 * @param options Address and key, or a data directory
 * @throws {ConfigurationError} If the settings contradict each other: a key without an address, two places at once
 * @throws {ArgumentError} If a timeout, the concurrency or `maxDownload` is not a positive number
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
  return new Connection(findSettings(readOptions("connect()", options, connectOptions)));
}

/**
 * Loads the service: the only place where the client reaches it, for the worlds that run in this process and for the
 * sample's own files. A client of a live service never loads it.
 */
export async function loadService() {
  return await import("../../service/mod.ts");
}
