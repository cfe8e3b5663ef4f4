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

/** How long a download address holds, ms: a week. */
export const ADDRESS_LIFETIME = 7 * 24 * 3_600_000;

/** How often a file is built that cannot be, for a reason that may pass. */
const BUILD_ATTEMPTS = 3;

/** Orders of a licence that are not built yet, at most: each build holds up others for a moment. */
export const MAX_UNFINISHED_ORDERS = 200;

/** Seconds after which one who has more is told to order again. */
const RETRY_AFTER = 10;

/** Files that nothing names any more are looked for this often, at most, ms. */
const CLEANING_INTERVAL = 3_600_000;

function createName(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

/** Told of an order that ends: how, and after how long since it was placed or taken up, ms. */
type OrderEndListener = (state: "complete" | "failed", milliseconds: number) => void;

/**
 * The request for a file that parameters mean.
 *
 * @throws {Error} If they are not those of an order
 */
export function readClimateRequest(
  parameters: Readonly<Record<string, ParameterValue | undefined>>,
): ClimateRequest {
  if (!areParameters(climateParameterTable, parameters)) {
    throw new Error(`Cannot make a file of ${JSON.stringify(parameters)}: a parameter is wrong`);
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
 * Climate orders: placed in a queue, worked off step by step in this process. A step is one change of the stored order,
 * so that whoever takes it up after a crash goes on with the next one. A licence's own open order for the same is
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
  /** Instants since which the orders are known that are not done, `performance.now`. */
  readonly #known = new Map<string, number>();
  /** How often each order that is not done could not be built. */
  readonly #failures = new Map<string, number>();
  #closed = false;
  #cleaned = -Infinity;

  /**
   * @param store Where orders are remembered
   * @param files Where finished files are kept
   * @param pace How fast orders go on; as fast as they can unless given
   * @param ended Told of each order that ends
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
   * Places an order; while the licence has an open one for the same parameters, that one is meant.
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
   * Status of an order of a licence as the wire has it: a word or the download address.
   *
   * @returns `undefined` where the licence has no such order
   */
  async status(licence: Licence, id: string, origin: string): Promise<string | undefined> {
    let order = await this.#store.orders.get(id);
    if (!order || order.serialNumber !== licence.serialNumber) return undefined;
    this.#takeUp(order); // whoever had it may be gone, and somebody waits for it
    if (await this.#pacer.onStatusRequest(id)) order = await this.#store.orders.get(id);
    return order && (wordOf(order) ?? addressOf(order, origin));
  }

  /** The finished order of a download address, while that holds. */
  async findByToken(token: string): Promise<(Order & { readonly file: string }) | undefined> {
    const order = await this.#store.orders.findByToken(token);
    if (!order?.file || order.expires === null || order.expires < Date.now()) return undefined;
    return { ...order, file: order.file };
  }

  /** Notes that the file of an order has been sent to its end: the next order for the same is another one. */
  async markDelivered(id: string): Promise<void> {
    await this.#store.orders.update(id, { state: "delivered" }, ["complete"]);
  }

  /** Notes that the file of an order is gone: its address ends, and the next order for the same is built anew. */
  async markLost(id: string): Promise<void> {
    console.error(`the file of order ${id} is lost`);
    const ended = { state: "delivered", expires: Date.now() - 1 } as const;
    await this.#store.orders.update(id, ended, ["complete", "delivered"]);
  }

  /** Waits for the step under way; nothing new is begun. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pacer.close();
    await this.#turn;
  }

  /** @throws {Refusal} If a licence has too many orders that are not built yet */
  async #checkQueue({ serialNumber }: Licence): Promise<void> {
    if (this.#known.size < MAX_UNFINISHED_ORDERS) return; // there are not as many of all licences
    const own = (await this.#store.orders.unfinished())
      .filter((order) => order.serialNumber === serialNumber);
    if (own.length < MAX_UNFINISHED_ORDERS) return;
    throw new Refusal(
      "too_many_requests",
      `${own.length} orders of the licence wait to be built. Order again in ${RETRY_AFTER} s`,
      { retryAfter: RETRY_AFTER, status: STATUS_CODE.TooManyRequests },
    );
  }

  /** Takes up an order that is not done, also a joined one: the process that placed it may be gone. */
  #takeUp({ id, state, expires }: Order): void {
    if (this.#closed || state === "failed" || expires !== null) return;
    if (!this.#known.has(id)) this.#known.set(id, performance.now());
    this.#pacer.takeUp(id, () => this.#inTurn(() => this.#step(id)));
  }

  /** Steps are taken one after the other, whatever becomes of each. */
  async #inTurn(step: () => Promise<boolean>): Promise<boolean> {
    const turn = this.#turn.then(() => !this.#closed && step()).catch((error) => {
      console.error("an order could not go on:", error);
      return false;
    });
    this.#turn = turn;
    return await turn;
  }

  /**
   * Takes the next step of an order; says whether there is another one. Another process may take it too: each change is
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
    // Its data may have been replaced since it was built: then it is joined no more, but who placed it gets the file.
    await this.#store.orders.update(id, this.#address(), ["complete", "delivered"]);
    this.#known.delete(id);
    return false;
  }

  #address(): { expires: number } {
    return { expires: Date.now() + ADDRESS_LIFETIME };
  }

  /** Builds the file; says whether there is another step now. */
  async #build({ id, parameters }: Order): Promise<boolean> {
    try {
      const file = await this.#fileFor(readClimateRequest(parameters));
      // Who is told "complete" would ask again in vain: the address comes with it, unless steps are to be seen.
      const address = this.#paced ? {} : this.#address();
      const finished = { state: "complete", token: createName(), file, ...address } as const;
      if (await this.#store.orders.update(id, finished, ["approved"])) this.#tell(id, "complete");
      return true;
    } catch (error) {
      console.error(`order ${id} failed:`, error);
      const attempts = (this.#failures.get(id) ?? 0) + 1;
      this.#failures.set(id, attempts);
      // A full disk may have room soon: whoever asks for the status lets it be tried again.
      if (!(error instanceof Refusal) && attempts < BUILD_ATTEMPTS) return false;
      await this.#store.orders.update(id, { state: "failed" }, ["approved"]);
      this.#tell(id, "failed");
      return false;
    }
  }

  /** Builds a file, anew where its data were replaced meanwhile: an import ends only orders that are complete by then. */
  async #fileFor(request: ClimateRequest): Promise<string> {
    const [{ sites }, files] = [this.#store, this.#files];
    while (true) {
      const { file: series } = await findPoint(sites, request);
      const { name, bytes } = await deliverClimate(sites, files, request);
      const file = await files.put(bytes, name.slice(name.lastIndexOf(".") + 1));
      if ((await findPoint(sites, request)).file === series) return file;
    }
  }

  #tell(id: string, state: "complete" | "failed"): void {
    const since = this.#known.get(id);
    this.#known.delete(id);
    this.#failures.delete(id);
    if (since !== undefined) this.#ended?.(state, performance.now() - since);
  }

  /** Between two builds no file is put whose order does not name it yet. */
  async #clean(): Promise<void> {
    const now = performance.now();
    if (now - this.#cleaned < CLEANING_INTERVAL) return;
    this.#cleaned = now;
    await removeOrphanFiles(this.#store, this.#files)
      .catch((error) => console.error("files that nothing names could not be removed:", error));
  }
}

/** What the wire says of an order; `undefined` while its address holds. */
function wordOf({ state, expires }: Order): OrderWord | undefined {
  if (state === "failed") return "unknown";
  if (state === "placed" || state === "approved") return state;
  if (expires === null) return "complete";
  return expires < Date.now() ? "delivered" : undefined;
}

function addressOf({ token, file }: Order, origin: string): string {
  return `${origin}${ORDER_FILES}/${token}/${file}`;
}
