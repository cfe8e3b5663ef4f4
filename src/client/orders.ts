import { delay } from "@std/async";
import type { DataFrame } from "nodejs-polars";
import { z } from "zod";
import { DataFormatError, NetworkError, ServiceError, TimeoutError } from "../api/errors.ts";
import { operationOf } from "../api/operations.ts";
import { STATUS_CODE } from "@std/http/status";
import { ask, MAX_TRIES, tryUntil } from "./ask.ts";
import {
  assertFrameType,
  climateFrame,
  type ClimateOptions,
  climateParameters,
  downloadClimate,
} from "./climate_data.ts";
import { type CallOptions, connectionOf } from "./default_connection.ts";
import { excerptOf } from "./excerpt.ts";
import { checked, jsonOf } from "./frame_of_answer.ts";

/** Status of a climate order. */
export interface OrderStatus {
  /** The word of the service, lower case; `ready` where it gave an address instead. */
  readonly state: string;
  /** Address to download from, once there is one. */
  readonly url?: string;
}

/** Options of a wait. */
export interface WaitOptions extends CallOptions {
  /** Longest wait, ms. @default {1_800_000} */
  timeout?: number;
  /** Told of each new status. */
  onStatus?: (status: OrderStatus) => void;
}

const FIRST_PAUSE = 500; // ms
const MAX_PAUSE = 60_000; // ms
const PAUSE_GROWTH = 1.5;

/** Words that promise a file; three of them in a row without an address lead to the direct download. */
const READY_WORDS = ["complete", "delivered"];
const READY_POLLS = 3;

/**
 * Status of a climate order. The text shows no exact form: any case, quoted or bare, is read; unknown words are shown.
 *
 * @param orderId Identifier of the order
 * @param options Connection and signal
 * @throws {NotFoundError} If the licence has no such order
 *
 * @example
 * ```ts
 * import { orderStatus, placeOrder } from "@vindkit/vindkit";
 *
 * const place = { latitude: 55.5, longitude: 7.75, startYear: 2023, endYear: 2023 };
 * const order = await placeOrder("era5", place);
 * console.log((await orderStatus(order.id)).state);
 * await order.wait();
 * ```
 */
export async function orderStatus(
  orderId: string,
  options: CallOptions = {},
): Promise<OrderStatus> {
  const { bytes } = await ask("order_status", { order_id: orderId }, options);
  const text = wordOf(new TextDecoder().decode(bytes).trim());
  return /^https?:\/\//i.test(text) ? { state: "ready", url: text } : { state: text.toLowerCase() };
}

/** A JSON string, or the bare text. */
function wordOf(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text)).trim();
  } catch {
    return text.replaceAll('"', "");
  }
}

/** A placed climate order. */
export class ClimateOrder {
  /** Identifier of the order. */
  readonly id: string;
  /** Identifier of the dataset. */
  readonly dataset: string;
  readonly #options: ClimateOptions;

  /**
   * Takes up an order by its identifier.
   *
   * @param id Identifier of the order
   * @param dataset Identifier of the dataset
   * @param options What was ordered; connection and signal
   */
  constructor(id: string, dataset: string, options: ClimateOptions) {
    this.id = id;
    this.dataset = dataset;
    this.#options = options;
  }

  /** Its status now. */
  async status(): Promise<OrderStatus> {
    return await orderStatus(this.id, this.#options);
  }

  /**
   * Waits until there is an address, or a word that promises the file stood three times.
   *
   * @param options Longest wait; told of each new status
   * @throws {TimeoutError} If it takes longer; the order stays placed
   * @throws {ServiceError} If the service does not know the order any more
   */
  async wait(options: WaitOptions = {}): Promise<OrderStatus> {
    const { timeout = 1_800_000, onStatus, signal = this.#options.signal } = options;
    let state = "placed";
    const controller = new AbortController();
    const abort = () => controller.abort(signal!.reason);
    signal?.throwIfAborted();
    signal?.addEventListener("abort", abort, { once: true });
    const timer = setTimeout(() => {
      controller.abort(
        new TimeoutError(
          `Cannot wait for order ${this.id} any longer: after ${
            timeout / 1000
          } s it is "${state}". ` +
            "It stays placed: ask again with orderStatus()",
          { operation: "order_status" },
        ),
      );
    }, timeout);
    try {
      return await this.#poll(controller.signal, (status) => {
        state = status.state;
        onStatus?.(status);
      });
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  async #poll(
    signal: AbortSignal,
    onStatus: (status: OrderStatus) => void,
  ): Promise<OrderStatus> {
    let shown: string | undefined;
    let readyPolls = 0;
    for (let pause = FIRST_PAUSE;; pause = Math.min(MAX_PAUSE, pause * PAUSE_GROWTH)) {
      const status = await orderStatus(this.id, { ...this.#options, signal });
      if (status.state !== shown) onStatus(status);
      shown = status.state;
      if (status.url) return status;
      readyPolls = READY_WORDS.includes(status.state) ? readyPolls + 1 : 0;
      if (readyPolls === READY_POLLS) return status;
      if (status.state === "unknown") {
        throw new ServiceError(
          `Cannot wait for order ${this.id}: the service says "unknown". Place it again, or use downloadClimate()`,
          { operation: "order_status" },
        );
      }
      await delay(pause * (0.8 + 0.4 * Math.random()), { signal });
    }
  }

  /**
   * Waits, then downloads.
   *
   * @param options Longest wait; told of each new status
   * @returns A frame of `time` (Datetime, UTC) and the variables of the dataset (Float64)
   */
  async download(options: WaitOptions = {}): Promise<DataFrame> {
    const { url } = await this.wait(options);
    if (!url) return await downloadClimate(this.dataset, this.#options);
    const { baseUrl } = connectionOf(this.#options);
    if (new URL(url).origin !== new URL(baseUrl).origin) {
      throw new NetworkError(
        `Cannot download order ${this.id}: its address leads to ${new URL(url).origin}, away from ${
          new URL(baseUrl).origin
        }. Use downloadClimate()`,
      );
    }
    const { exchange, url: shown } = await tryUntil(url, MAX_TRIES, this.#options);
    if (exchange.status !== STATUS_CODE.OK) {
      throw new ServiceError(
        `Cannot download order ${this.id}: its address answered ${exchange.status}. Ask for its status again`,
        { status: exchange.status },
      );
    }
    const operation = operationOf("download_climate");
    const parameters = climateParameters(this.dataset, this.#options) as Record<
      string,
      string | number
    >;
    return await climateFrame({
      ...exchange,
      operation,
      parameters,
      url: shown,
      fetchedAt: Temporal.Now.instant().toString(),
      excerpt: excerptOf(operation, parameters, connectionOf(this.#options)),
    }, this.#options);
  }
}

/**
 * Orders climate data of the point nearest to a place.
 *
 * @param dataset Identifier of the dataset
 * @param options The place, first and last year; connection and signal
 * @throws {ArgumentError} If place or years are none, before anything is sent
 * @throws {NoDataError} If there is no data
 * @throws {NoAccessError} If the licence does not cover the dataset
 */
export async function placeOrder(
  dataset: string,
  options: ClimateOptions,
): Promise<ClimateOrder> {
  const answer = await ask("place_order", climateParameters(dataset, options), options);
  const id = checked(jsonOf(answer), z.union([z.string(), z.number(), z.bigint()]), answer);
  if (id === "") throw new DataFormatError(`Cannot use the answer of ${answer.url}: it is empty`);
  return new ClimateOrder(String(id), dataset, options);
}

/** Options of {@linkcode orderAndWait}. */
export interface OrderAndWaitOptions extends ClimateOptions, Pick<WaitOptions, "onStatus"> {
  /** Longest wait for the order, ms. @default {1_800_000} */
  timeout?: number;
}

/**
 * Orders climate data, waits until they are there, and gives them as a frame.
 *
 * @param dataset Identifier of the dataset
 * @param options The place, first and last year, longest wait in ms; connection and signal
 * @returns A frame of `time` (Datetime, UTC) and the variables of the dataset (Float64), such as `wind_speed_100` (m/s)
 * @throws {ArgumentError} If place or years are none, before anything is sent
 * @throws {NoDataError} If there is no data
 * @throws {TimeoutError} If it takes longer than the longest wait; the order stays placed
 *
 * @example
 * ```ts
 * import { orderAndWait } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const wind = await orderAndWait("era5", {
 *   latitude: 55.5,
 *   longitude: 7.75,
 *   startYear: 2022,
 *   endYear: 2023,
 * });
 * assertEquals(wind.height, 17520);
 * ```
 */
export async function orderAndWait(
  dataset: string,
  options: OrderAndWaitOptions,
): Promise<DataFrame> {
  assertFrameType(options.fileType);
  const order = await placeOrder(dataset, options);
  const { timeout, onStatus, signal } = options;
  return await order.download({
    ...(timeout === undefined ? {} : { timeout }),
    ...(onStatus ? { onStatus } : {}),
    ...(signal ? { signal } : {}),
  });
}
