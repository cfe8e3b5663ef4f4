import { delay } from "@std/async";
import type { OrderWord } from "../../api/operations/order_words.ts";
import type { ParameterValue } from "../../api/operations/parameter.ts";
import { describeClimateFile, findPoint, readClimateRequest } from "./climate_delivery.ts";
import { STATUS_CODE } from "@std/http/status";
import { JobError, type Jobs } from "../../storage/jobs/job.ts";
import { logFailure } from "../../storage/failures/failure_log.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { type BuiltOrder, isBuilt, isUnfinished, type Order } from "../../storage/store/orders.ts";
import type { Store } from "../../storage/store/store.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import type { Licence } from "../../storage/store/licences.ts";
import { createName } from "../licences/licences.ts";

/** Path of finished orders, below the origin: an unguessable token, then the file's name (*ours*). */
export const ORDER_FILES = "/onlinedata-services/climatefile";

/** How long a failing build is retried, ms: a day, so a full disk costs no order. */
const RETRY_SPAN = 24 * 3_600_000;

/** Largest number of orders of a licence that wait to be built: each build delays the others. */
export const MAX_UNFINISHED_ORDERS = 200;

/** `Retry-After` for a licence with too many unfinished orders, s. */
const RETRY_AFTER = 10;

/** How many of the oldest unfinished orders are watched: a longer queue means slow workers, not lost orders. */
const MAX_WATCHED_ORDERS = 100;

/** First pause before a failed step is retried, ms; it doubles up to five minutes. */
const [RETRY_PAUSE, MAX_RETRY_PAUSE] = [1000, 300_000];

/** Shortest time between two searches for orphan files, ms. */
const CLEANING_INTERVAL = 3_600_000;

/** Called when an order ends: outcome, and time since it was placed or resumed, ms. */
type OrderEndListener = (state: "complete" | "failed", milliseconds: number) => void;

/**
 * Climate orders, processed step by step. Each step is one change of the stored order, so a process that resumes an order
 * after a crash continues with the next step; the step that builds the file is a job. A licence that repeats its own
 * open order joins it. If two licences order the same, each gets its own build: 20 years take a second at most, and both
 * share one file on the disk.
 */
export class Orders {
  readonly #store: Store;
  readonly #jobs: Jobs;
  readonly #ended: OrderEndListener | undefined;
  /** Orders that this process works on. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Orders that were unfinished at the last check of other servers' orders. */
  #unfinished = new Set<string>();
  #watch: ReturnType<typeof setInterval> | undefined;
  #look = Promise.resolve();
  readonly #closing = new AbortController();
  #cleaned = -Infinity;

  /** @param jobs Jobs that build the files; closed with the orders */
  constructor(store: Store, jobs: Jobs, ended?: OrderEndListener) {
    this.#store = store;
    this.#jobs = jobs;
    this.#ended = ended;
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Resumes the orders that an earlier run left unfinished. */
  async resume(): Promise<void> {
    for (const order of await this.#store.orders.unfinished()) this.#takeUp(order);
  }

  /**
   * Keeps resuming orders that another server of the same store has abandoned, such as by dying after it stored them.
   * An order that is unfinished at two checks in a row counts as abandoned; if two servers work on one order, each step
   * is still done once.
   *
   * @param pause Time between two checks, ms
   */
  watch(pause: number): void {
    this.#watch = setInterval(() => {
      this.#look = this.#takeUpLeft().catch((error) => {
        if (!this.#closed) logFailure("the search for unfinished orders failed", error);
      });
    }, pause);
  }

  /**
   * Places an order, or returns the licence's open order for the same parameters.
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
    };
    const placed = await this.#store.orders.place(order, await this.#store.now());
    this.#takeUp(placed);
    return placed.id;
  }

  /**
   * Status of an order of a licence as sent: a word or the download address.
   *
   * @returns `undefined` if the licence has no such order
   */
  async status(licence: Licence, id: string, origin: string): Promise<string | undefined> {
    const order = await this.#store.orders.get(id);
    if (!order || order.serialNumber !== licence.serialNumber) return undefined;
    this.#takeUp(order); // the process that worked on it may have stopped
    if (order.state === "failed") return "unknown" satisfies OrderWord;
    if (!isBuilt(order)) return order.state satisfies OrderWord;
    return order.expires < await this.#store.now()
      ? "delivered" satisfies OrderWord
      : await this.#addressOf(order, origin);
  }

  /** The finished order of a download address, while the address is valid. */
  async findByToken(token: string): Promise<BuiltOrder | undefined> {
    const order = await this.#store.orders.findByToken(token);
    return order && order.expires >= await this.#store.now() ? order : undefined;
  }

  /** Notes that the file of an order has been sent completely: the next order for the same data is a new one. */
  async markDelivered(id: string): Promise<void> {
    await this.#store.orders.update(id, { state: "delivered" })
      .catch((error) => logFailure("an order could not be marked as delivered", error, { of: id })); // its file was sent
  }

  /**
   * Builds the missing or damaged file of a finished order again. If its data were replaced meanwhile, its address
   * ends, and the next order for the same request is built from the new data.
   *
   * @returns Whether the file was restored
   */
  async rebuild({ id, serialNumber: turn }: Order): Promise<boolean> {
    await this.#jobs.run({ kind: "rebuild_order", parameters: { id }, turn, urgent: true });
    const order = await this.#store.orders.get(id);
    return order !== undefined && isBuilt(order) && order.expires >= await this.#store.now();
  }

  /** Waits for the steps under way, and starts no further step. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#watch);
    await Promise.all([this.#look, ...this.#underWay.values(), this.#jobs.close()]);
  }

  /** @throws {Refusal} If a licence has too many orders that are not built yet */
  async #checkQueue({ serialNumber }: Licence): Promise<void> {
    // includes orders that other servers placed
    const unfinished = await this.#store.orders.unfinished(serialNumber, MAX_UNFINISHED_ORDERS);
    if (unfinished.length < MAX_UNFINISHED_ORDERS) return;
    throw new Refusal(
      "too_many_requests",
      `${MAX_UNFINISHED_ORDERS} orders of the licence are waiting to be built. Place the order again in ${RETRY_AFTER} s`,
      { retryAfter: RETRY_AFTER, status: STATUS_CODE.TooManyRequests },
    );
  }

  async #takeUpLeft(): Promise<void> {
    const oldest = await this.#store.orders.unfinished(undefined, MAX_WATCHED_ORDERS);
    for (const order of oldest) if (this.#unfinished.has(order.id)) this.#takeUp(order);
    this.#unfinished = new Set(oldest.map(({ id }) => id));
  }

  /** Resumes an order that is not built, even a joined one: the process that placed it may have stopped. */
  #takeUp(order: Order): void {
    const { id } = order;
    if (this.#closed || !isUnfinished(order) || this.#underWay.has(id)) return;
    this.#underWay.set(id, this.#work(id).finally(() => this.#underWay.delete(id)));
  }

  /** Takes the steps of an order; retries a failed step after a growing pause, as long as that may help. */
  async #work(id: string): Promise<void> {
    const start = performance.now();
    let pause = 0;
    let failing: number | undefined;
    while (!this.#closed) {
      try {
        const state = await this.#proceed(id);
        if (state === "complete") this.#ended?.(state, performance.now() - start);
        if (state !== "approved") return;
        failing = undefined;
        pause = 0;
      } catch (error) {
        if (this.#closed) return; // the next start continues
        logFailure("an order could not continue", error, { of: id });
        failing ??= performance.now();
        const hopeless = error instanceof Refusal || error instanceof JobError && error.final ||
          performance.now() - failing > RETRY_SPAN;
        if (hopeless && await this.#fail(id, start)) return;
        pause = Math.min(MAX_RETRY_PAUSE, Math.max(RETRY_PAUSE, 2 * pause));
        await delay(pause, { signal: this.#closing.signal }).catch(() => {}); // it is closing
      }
    }
  }

  /**
   * Takes the next step of an order. Another process may take the same one: each change requires one particular earlier
   * state, so only the first counts.
   *
   * @returns The state that this process brought it into; `undefined` if no step is left
   */
  async #proceed(id: string): Promise<"approved" | "complete" | undefined> {
    const { orders } = this.#store;
    const order = await orders.get(id);
    if (order?.state === "placed") {
      await orders.update(id, { state: "approved" });
      return "approved";
    }
    if (order?.state !== "approved") return undefined;
    this.#clean();
    const turn = order.serialNumber;
    await this.#jobs.run({ kind: "build_order", parameters: { id }, turn, urgent: false });
    // If another process failed it first, the job did nothing.
    return (await orders.get(id))?.state === "failed" ? undefined : "complete";
  }

  /** Ends an order that cannot be built; returns whether it has ended. */
  async #fail(id: string, begun: number): Promise<boolean> {
    try {
      // Another process may have been first, and it counts how the order ended.
      if (await this.#store.orders.update(id, { state: "failed" })) {
        this.#ended?.("failed", performance.now() - begun);
      }
      return true;
    } catch (error) {
      logFailure("an order could not be completed", error, { of: id });
      return false;
    }
  }

  /** Download address; its last part is the file name, which some programs use. */
  async #addressOf({ token, parameters }: BuiltOrder, origin: string): Promise<string> {
    const { name } = await describeClimateFile(
      sitesOf(this.#store),
      readClimateRequest(parameters),
    );
    return `${origin}${ORDER_FILES}/${token}/${name}`;
  }

  /** Removes orphan files at intervals, before the next build. */
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
