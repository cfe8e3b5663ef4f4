import { climateParameterTable } from "../../api/operations/climate_data.ts";
import type { OrderWord } from "../../api/operations/order_words.ts";
import type { ParameterValue } from "../../api/operations/parameter.ts";
import { areParameters } from "../../api/operations/parameter_table.ts";
import { type ClimateRequest, deliverClimate, findPoint } from "./climate_delivery.ts";
import { STATUS_CODE } from "@std/http/status";
import { createPacer, type OrderPace, type Pacer } from "./order_pace.ts";
import { Refusal } from "../responses/refusal.ts";
import type { Files } from "../files/files.ts";
import type { Licence } from "../store/licence.ts";
import type { Order } from "../store/order.ts";
import type { Store } from "../store/store.ts";
import { removeOrphanFiles } from "../files/orphan_files.ts";

/** Path of finished orders, below the origin: an unguessable token, then the file's name (*ours*). */
export const ORDER_FILES = "/onlinedata-services/climatefile";

/** How long a download address is valid, ms: a week. */
export const ADDRESS_LIFETIME = 7 * 24 * 3_600_000;

/** Attempts to build a file that fails for a reason that may pass. */
const BUILD_ATTEMPTS = 3;

/** Largest number of orders of a licence that wait to be built: each build delays the others. */
export const MAX_UNFINISHED_ORDERS = 200;

/** Pause before a licence with more may order again, s. */
const RETRY_AFTER = 10;

/** Shortest time between two searches for orphan files, ms. */
const CLEANING_INTERVAL = 3_600_000;

function createName(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

/** Called when an order ends: how, and how long after it was placed or taken up, ms. */
type OrderEndListener = (state: "complete" | "failed", milliseconds: number) => void;

/**
 * Reads the request for a file from the parameters of an order.
 *
 * @throws {Error} If they are not those of an order
 */
export function readClimateRequest(
  parameters: Readonly<Record<string, ParameterValue | undefined>>,
): ClimateRequest {
  if (!areParameters(climateParameterTable, parameters)) {
    throw new Error(`Cannot build a file of ${JSON.stringify(parameters)}: a parameter is wrong`);
  }
  const { service_id, lat, lon, start_year, end_year, filetype } = parameters;
  return {
    serviceId: service_id,
    latitude: lat,
    longitude: lon,
    startYear: start_year,
    endYear: end_year,
    fileType: filetype,
  };
}

/**
 * Climate orders: placed in a queue, and processed step by step in this process. A step is one change of the stored order,
 * so that a process that takes it up after a crash continues with the next one. A licence's own open order for the same is
 * joined; what two licences order is built for each, since a build of 20 years takes a second at most, and the file on
 * the disk is the same one.
 */
export class Orders {
  readonly #store: Store;
  readonly #files: Files;
  readonly #pacer: Pacer;
  readonly #paced: boolean;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #ended: OrderEndListener | undefined;
  /** When each unfinished order was placed or taken up, `performance.now`. */
  readonly #known = new Map<string, number>();
  /** Number of failed builds of each unfinished order. */
  readonly #failures = new Map<string, number>();
  /** Files that are built again, by order: concurrent downloads wait for one build. */
  readonly #rebuilding = new Map<string, Promise<boolean>>();
  #closed = false;
  #cleaned = -Infinity;

  /**
   * @param store Store of the orders
   * @param files Folder of finished files
   * @param pace Pace of orders; as fast as possible unless given
   * @param ended Called with each order that ends
   */
  constructor(store: Store, files: Files, pace?: OrderPace, ended?: OrderEndListener) {
    this.#store = store;
    this.#files = files;
    this.#pacer = createPacer(pace);
    this.#paced = pace !== undefined;
    this.#ended = ended;
  }

  /** Takes up the orders that an earlier run left unfinished. */
  async resume(): Promise<void> {
    for (const order of await this.#store.orders.unfinished()) this.#takeUp(order);
  }

  /**
   * Places an order; while the licence has an open one for the same parameters, that one is returned.
   *
   * @returns Its identifier
   * @throws {Refusal} If there is no data for it, or the licence has too many that are not built yet
   */
  async place(
    licence: Licence,
    parameters: Readonly<Record<string, ParameterValue | undefined>>,
  ): Promise<string> {
    await findPoint(this.#store.sites, readClimateRequest(parameters));
    await this.#checkQueue(licence);
    const order: Order = {
      id: createName(),
      serialNumber: licence.serialNumber,
      serviceId: parameters.service_id as string,
      parameters: parameters as Order["parameters"],
      state: "placed",
      token: null,
      file: null,
      expires: null,
    };
    const placed = await this.#store.orders.place(order, Date.now());
    this.#takeUp(placed);
    return placed.id;
  }

  /**
   * Status of an order of a licence as sent: a word or the download address.
   *
   * @returns `undefined` where the licence has no such order
   */
  async status(licence: Licence, id: string, origin: string): Promise<string | undefined> {
    let order = await this.#store.orders.get(id);
    if (!order || order.serialNumber !== licence.serialNumber) return undefined;
    this.#takeUp(order); // the process that had it may have stopped
    if (await this.#pacer.onStatusRequest(id)) order = await this.#store.orders.get(id);
    return order && (wordOf(order) ?? addressOf(order, origin));
  }

  /** The finished order of a download address, while that is valid. */
  async findByToken(token: string): Promise<(Order & { readonly file: string }) | undefined> {
    const order = await this.#store.orders.findByToken(token);
    if (!order?.file || order.expires === null || order.expires < Date.now()) return undefined;
    return { ...order, file: order.file };
  }

  /** Notes that the file of an order has been sent to its end: the next order for the same is a new one. */
  async markDelivered(id: string): Promise<void> {
    await this.#store.orders.update(id, { state: "delivered" }, ["complete"]);
  }

  /**
   * Builds the file of a finished order again, which is missing or damaged. Where its data were replaced meanwhile its
   * address ends, and the next order for the same is built of the new data.
   *
   * @returns Whether the file is there again
   */
  async rebuild(order: Order): Promise<boolean> {
    const rebuilding = this.#rebuilding.get(order.id) ??
      this.#rebuild(order).finally(() => this.#rebuilding.delete(order.id));
    this.#rebuilding.set(order.id, rebuilding);
    return await rebuilding;
  }

  async #rebuild({ id, file, parameters }: Order): Promise<boolean> {
    console.error(`the file ${file} of order ${id} is missing or damaged: it is built again`);
    const built = await this.#fileFor(readClimateRequest(parameters)).catch((error) => {
      if (error instanceof Refusal) return undefined; // there are no data for it any more
      throw error;
    });
    if (built === file) return true;
    const ended = { state: "delivered", expires: Date.now() - 1 } as const;
    await this.#store.orders.update(id, ended, ["complete", "delivered"]);
    return false;
  }

  /** Waits for the step under way; no further step is started. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pacer.close();
    await this.#turn;
  }

  /** @throws {Refusal} If a licence has too many orders that are not built yet */
  async #checkQueue({ serialNumber }: Licence): Promise<void> {
    if (this.#known.size < MAX_UNFINISHED_ORDERS) return; // all licences together have fewer
    const own = (await this.#store.orders.unfinished())
      .filter((order) => order.serialNumber === serialNumber);
    if (own.length < MAX_UNFINISHED_ORDERS) return;
    throw new Refusal(
      "too_many_requests",
      `${own.length} orders of the licence wait to be built. Order again in ${RETRY_AFTER} s`,
      { retryAfter: RETRY_AFTER, status: STATUS_CODE.TooManyRequests },
    );
  }

  /** Takes up an order that is not done, also a joined one: the process that placed it may have stopped. */
  #takeUp({ id, state, expires }: Order): void {
    if (this.#closed || state === "failed" || expires !== null) return;
    if (!this.#known.has(id)) this.#known.set(id, performance.now());
    this.#pacer.takeUp(id, () => this.#inTurn(() => this.#step(id)));
  }

  /** Runs steps one after the other; a failed one does not stop the others. */
  async #inTurn(step: () => Promise<boolean>): Promise<boolean> {
    const turn = this.#turn.then(() => !this.#closed && step()).catch((error) => {
      console.error("an order could not proceed:", error);
      return false;
    });
    this.#turn = turn;
    return await turn;
  }

  /**
   * Takes the next step of an order; returns whether another one follows. Another process may take it too: each change is
   * made from one state only, so that of two the first counts.
   */
  async #step(id: string): Promise<boolean> {
    const order = await this.#store.orders.get(id);
    if (!order || order.state === "failed" || order.expires !== null) {
      this.#known.delete(id); // another process was first
      return false;
    }
    if (order.state === "placed") {
      await this.#store.orders.update(id, { state: "approved" }, ["placed"]);
      return true;
    }
    if (order.state === "approved") {
      await this.#clean();
      return await this.#build(order);
    }
    // Its data may have been replaced since it was built: then it is not joined any more, but its owner gets the file.
    await this.#store.orders.update(id, this.#address(), ["complete", "delivered"]);
    this.#known.delete(id);
    return false;
  }

  #address(): { expires: number } {
    return { expires: Date.now() + ADDRESS_LIFETIME };
  }

  /** Builds the file; returns whether another step follows now. */
  async #build({ id, parameters }: Order): Promise<boolean> {
    try {
      const file = await this.#fileFor(readClimateRequest(parameters));
      // "complete" without an address would only cause another request: the address comes with it, unless steps are paced.
      const address = this.#paced ? {} : this.#address();
      const finished = { state: "complete", token: createName(), file, ...address } as const;
      if (await this.#store.orders.update(id, finished, ["approved"])) {
        this.#reportEnd(id, "complete");
      }
      return true;
    } catch (error) {
      console.error(`order ${id} failed:`, error);
      const attempts = (this.#failures.get(id) ?? 0) + 1;
      this.#failures.set(id, attempts);
      // A full disk may have room soon: the next request for the status tries again.
      if (!(error instanceof Refusal) && attempts < BUILD_ATTEMPTS) return false;
      await this.#store.orders.update(id, { state: "failed" }, ["approved"]);
      this.#reportEnd(id, "failed");
      return false;
    }
  }

  /** Builds a file, again where its data were replaced meanwhile: an import ends only orders that are complete by then. */
  async #fileFor(request: ClimateRequest): Promise<string> {
    const [{ sites }, files] = [this.#store, this.#files];
    while (true) {
      const { file: series } = await findPoint(sites, request);
      const { name, bytes } = await deliverClimate(sites, files, request);
      const file = await files.put(bytes, name.slice(name.lastIndexOf(".") + 1));
      if ((await findPoint(sites, request)).file === series) return file;
    }
  }

  #reportEnd(id: string, state: "complete" | "failed"): void {
    const since = this.#known.get(id);
    this.#known.delete(id);
    this.#failures.delete(id);
    if (since !== undefined) this.#ended?.(state, performance.now() - since);
  }

  /** Removes orphan files; it runs between two builds, when every stored file is named by its order. */
  async #clean(): Promise<void> {
    const now = performance.now();
    if (now - this.#cleaned < CLEANING_INTERVAL) return;
    this.#cleaned = now;
    await removeOrphanFiles(this.#store, this.#files)
      .catch((error) => console.error("orphan files could not be removed:", error));
  }
}

/** Status of an order as a word; `undefined` while its address is valid. */
function wordOf({ state, expires }: Order): OrderWord | undefined {
  if (state === "failed") return "unknown";
  if (state === "placed" || state === "approved") return state;
  if (expires === null) return "complete";
  return expires < Date.now() ? "delivered" : undefined;
}

function addressOf({ token, file }: Order, origin: string): string {
  return `${origin}${ORDER_FILES}/${token}/${file}`;
}
