import type { OrderWord } from "../../api/operations/order_words.ts";
import type { ParameterValue } from "../../api/operations/parameter.ts";
import { ADDRESS_LIFETIME } from "./build_order.ts";
import { describeClimateFile, findPoint, readClimateRequest } from "./climate_delivery.ts";
import { createName } from "../licences/create_name.ts";
import { STATUS_CODE } from "@std/http/status";
import { JobError, type Jobs } from "../../storage/jobs/job.ts";
import { createPacer, type OrderPace, type Pacer, type StepResult } from "./order_pace.ts";
import { logFailure } from "../../storage/failures/failure_log.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import type { Licence } from "../../storage/store/licence.ts";
import type { Order } from "../../storage/store/order.ts";
import type { Store } from "../../storage/store/store.ts";
import { sitesOf } from "../../sites/keep/sites.ts";

/** Path of finished orders, below the origin: an unguessable token, then the file's name (*ours*). */
export const ORDER_FILES = "/onlinedata-services/climatefile";

/** How long an order that cannot be built is tried again, ms: a day, so that a full disk costs no order. */
const RETRY_SPAN = 24 * 3_600_000;

/** Largest number of orders of a licence that wait to be built: each build delays the others. */
export const MAX_UNFINISHED_ORDERS = 200;

/** `Retry-After` for a licence with too many unfinished orders, s. */
const RETRY_AFTER = 10;

/** How many of the oldest unfinished orders are watched: a longer queue means slow workers, not lost orders. */
const MAX_WATCHED_ORDERS = 100;

/** Shortest time between two searches for orphan files, ms. */
const CLEANING_INTERVAL = 3_600_000;

/** Called when an order ends: how, and how long after it was placed or taken up, ms. */
type OrderEndListener = (state: "complete" | "failed", milliseconds: number) => void;

/**
 * Climate orders, processed step by step. Each step is one change of the stored order, so a process that takes an order
 * up after a crash continues with the next step; the step that builds the file is a job. A licence that repeats its own
 * open order joins it. If two licences order the same, it is built for each: 20 years take a second at most, and both
 * share one file on the disk.
 */
export class Orders {
  readonly #store: Store;
  readonly #jobs: Jobs;
  readonly #pacer: Pacer;
  readonly #paced: boolean;
  readonly #ended: OrderEndListener | undefined;
  /** When each unfinished order was placed or taken up, `performance.now`. */
  readonly #known = new Map<string, number>();
  /** When the present step of an order failed first, `performance.now`. */
  readonly #failing = new Map<string, number>();
  /** Orders that were unfinished at the last look at other servers' orders. */
  #unfinished = new Set<string>();
  #watch: ReturnType<typeof setInterval> | undefined;
  #look = Promise.resolve();
  #closed = false;
  #cleaned = -Infinity;

  /**
   * @param jobs What builds their files; they are closed with the orders
   * @param pace Pace of orders; as fast as possible unless given
   */
  constructor(store: Store, jobs: Jobs, pace?: OrderPace, ended?: OrderEndListener) {
    this.#store = store;
    this.#jobs = jobs;
    this.#pacer = createPacer(pace);
    this.#paced = pace !== undefined;
    this.#ended = ended;
  }

  /** Takes up the orders that an earlier run left unfinished. */
  async resume(): Promise<void> {
    for (const order of await this.#store.orders.unfinished()) this.#takeUp(order);
  }

  /**
   * Keeps taking up orders that another server of the same store has abandoned, such as by dying after it stored them.
   * An order that is unfinished at two looks in a row counts as abandoned; if two servers work on one order, each step
   * is still done once.
   *
   * @param pause Time between two looks, ms
   */
  watch(pause: number): void {
    this.#watch = setInterval(() => {
      this.#look = this.#takeUpLeft().catch((error) => {
        if (!this.#closed) logFailure("orders that were left cannot be looked for", error);
      });
    }, pause);
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
    await findPoint(sitesOf(this.#store), readClimateRequest(parameters));
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
    const placed = await this.#store.orders.place(order, await this.#store.now());
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
    return order &&
      (wordOf(order, await this.#store.now()) ?? await this.#addressOf(order, origin));
  }

  /** The finished order of a download address, while that is valid. */
  async findByToken(token: string): Promise<(Order & { readonly file: string }) | undefined> {
    const order = await this.#store.orders.findByToken(token);
    if (!order?.file || order.expires === null) return undefined;
    if (order.expires < await this.#store.now()) return undefined;
    return { ...order, file: order.file };
  }

  /** Notes that the file of an order has been sent to its end: the next order for the same is a new one. */
  async markDelivered(id: string): Promise<void> {
    await this.#store.orders.update(id, { state: "delivered" }, ["complete"])
      .catch((error) => logFailure("an order is not noted as delivered", error, { of: id })); // its file was sent
  }

  /**
   * Builds the missing or damaged file of a finished order again. If its data were replaced meanwhile, its address
   * ends, and the next order for the same request is built from the new data.
   *
   * @returns Whether the file is there again
   */
  async rebuild({ id, file, serialNumber }: Order): Promise<boolean> {
    console.error(`the file ${file} of order ${id} is missing or damaged: it is built again`);
    const parameters = { id };
    await this.#jobs.run({ kind: "rebuild_order", parameters, turn: serialNumber, urgent: true });
    const { expires } = await this.#store.orders.get(id) ?? { expires: null };
    return expires !== null && expires >= await this.#store.now();
  }

  /** Waits for the steps under way; no further step is started. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    await Promise.all([this.#look, this.#pacer.close(), this.#jobs.close()]);
  }

  /** @throws {Refusal} If a licence has too many orders that are not built yet */
  async #checkQueue({ serialNumber }: Licence): Promise<void> {
    // Also those that other servers placed.
    const own = await this.#store.orders.unfinished(serialNumber, MAX_UNFINISHED_ORDERS);
    if (own.length < MAX_UNFINISHED_ORDERS) return;
    throw new Refusal(
      "too_many_requests",
      `${MAX_UNFINISHED_ORDERS} orders of the licence wait to be built. Order again in ${RETRY_AFTER} s`,
      { retryAfter: RETRY_AFTER, status: STATUS_CODE.TooManyRequests },
    );
  }

  async #takeUpLeft(): Promise<void> {
    const oldest = await this.#store.orders.unfinished(undefined, MAX_WATCHED_ORDERS);
    for (const order of oldest) if (this.#unfinished.has(order.id)) this.#takeUp(order);
    this.#unfinished = new Set(oldest.map(({ id }) => id));
  }

  /** Takes up an order that is not done, also a joined one: the process that placed it may have stopped. */
  #takeUp({ id, state, expires }: Order): void {
    if (this.#closed || state === "failed" || expires !== null) return;
    if (!this.#known.has(id)) this.#known.set(id, performance.now());
    this.#pacer.takeUp(id, () => this.#step(id));
  }

  /** Takes the next step of an order; a failed step is retried as long as that may help. */
  async #step(id: string): Promise<StepResult> {
    try {
      const result = await this.#proceed(id);
      this.#failing.delete(id);
      return result;
    } catch (error) {
      if (this.#closed) return "failed"; // the next start continues
      logFailure("an order could not proceed", error, { of: id });
      const since = this.#failing.getOrInsert(id, performance.now());
      const hopeless = error instanceof Refusal || error instanceof JobError && error.final ||
        performance.now() - since > RETRY_SPAN;
      return hopeless ? await this.#fail(id) : "failed";
    }
  }

  /**
   * Another process may take the same step: each change requires one particular earlier state, so only the first
   * counts.
   */
  async #proceed(id: string): Promise<StepResult> {
    const order = await this.#store.orders.get(id);
    if (!order || order.state === "failed" || order.expires !== null) {
      this.#known.delete(id); // another process was first
      return "ended";
    }
    if (order.state === "placed") {
      await this.#store.orders.update(id, { state: "approved" }, ["placed"]);
      return "done";
    }
    if (order.state === "approved") {
      this.#clean();
      const parameters = { id, addressed: !this.#paced };
      // "complete" without an address would only cause another request: the address comes with it, unless steps are paced.
      await this.#jobs.run({
        kind: "build_order",
        parameters,
        turn: order.serialNumber,
        urgent: false,
      });
      if ((await this.#store.orders.get(id))?.state === "failed") {
        this.#known.delete(id); // another process was first, and the job did nothing
        return "ended";
      }
      this.#reportEnd(id, "complete");
      return "done";
    }
    // Its data may have been replaced since it was built: then it is not joined any more, but its owner gets the file.
    const address = { expires: await this.#store.now() + ADDRESS_LIFETIME };
    await this.#store.orders.update(id, address, ["complete", "delivered"]);
    this.#known.delete(id);
    return "ended";
  }

  /** Ends an order that cannot be built. */
  async #fail(id: string): Promise<StepResult> {
    try {
      const failed = { state: "failed" } as const;
      // Another process may have been first, and it counts how the order ended.
      if (!await this.#store.orders.update(id, failed, ["placed", "approved"])) {
        this.#known.delete(id);
      }
    } catch (error) {
      logFailure("an order could not be ended", error, { of: id });
      return "failed";
    }
    this.#failing.delete(id);
    this.#reportEnd(id, "failed");
    return "ended";
  }

  #reportEnd(id: string, state: "complete" | "failed"): void {
    const since = this.#known.get(id);
    this.#known.delete(id);
    if (since !== undefined) this.#ended?.(state, performance.now() - since);
  }

  /** Download address: its last part is the name of the file for programs that take that. */
  async #addressOf({ token, parameters }: Order, origin: string): Promise<string> {
    const { name } = await describeClimateFile(
      sitesOf(this.#store),
      readClimateRequest(parameters),
    );
    return `${origin}${ORDER_FILES}/${token}/${name}`;
  }

  /** Removes orphan files now and then, before the next build. */
  #clean(): void {
    const now = performance.now();
    if (now - this.#cleaned < CLEANING_INTERVAL) return;
    this.#cleaned = now;
    this.#jobs.run({ kind: "remove_orphans", parameters: {}, turn: "", urgent: false })
      .catch((error) => {
        if (!this.#closed) logFailure("orphan files could not be removed", error);
      });
  }
}

/** Status of an order as a word; `undefined` while its address is valid. */
function wordOf({ state, expires }: Order, now: number): OrderWord | undefined {
  if (state === "failed") return "unknown";
  if (state === "placed" || state === "approved") return state;
  if (expires === null) return "complete";
  return expires < now ? "delivered" : undefined;
}
