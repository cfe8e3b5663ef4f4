import type { DataFrame } from "nodejs-polars";
import {
  assertFrameType,
  buildClimateParameters,
  climateOptions,
  readStoredClimate,
} from "../answers/climate_files.ts";
import { placeOrder, type PlaceOrderOptions } from "./place_order.ts";
import type { WaitOptions } from "./wait_for_order.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

/** Options of {@linkcode orderAndWait}. */
export interface OrderAndWaitOptions
  extends PlaceOrderOptions, Pick<WaitOptions, "onStatus" | "timeout" | "firstPause"> {}

const OPTIONS = declareOptions<OrderAndWaitOptions>()(
  "repeat onStatus timeout firstPause",
  {},
  climateOptions,
);

/**
 * Orders climate data, waits until they are ready, and returns them as a frame. After a crash the same call continues: it
 * joins the open order and an interrupted download.
 *
 * @param dataset Identifier of the dataset
 * @param options The place, first and last year; `timeout` (longest wait) and `firstPause` in ms, `onStatus` for each
 * new status; `repeat`; `fileType` of the transfer; `columns` and `timeZone`: names and zone of a table if they
 * differ from ours; connection and signal, use of the cache
 * @returns A frame of `time` (Datetime, UTC) and the variables of the dataset (Float64), such as `wind_speed_100` (m/s)
 * @throws {ArgumentError} If place or years are not valid, before anything is sent
 * @throws {NoDataError} If there is no data
 * @throws {OrderUncertainError} If this order, or an earlier one with the same parameters, got no answer
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
 *   from: 2022,
 *   to: 2023,
 * });
 * assertEquals(wind.height, 17520);
 * ```
 */
export async function orderAndWait(
  dataset: string,
  options: OrderAndWaitOptions,
): Promise<DataFrame> {
  readOptions("orderAndWait()", options, OPTIONS);
  assertFrameType(options.fileType);
  const stored = await readStoredClimate(buildClimateParameters(dataset, options), options);
  if (stored) return stored;
  const { onStatus, timeout, firstPause, ...order } = options;
  return await (await placeOrder(dataset, order)).download({ onStatus, timeout, firstPause });
}
