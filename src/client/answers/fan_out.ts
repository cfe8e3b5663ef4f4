import { pooledMap } from "@std/async";
import { declareOptions, type OptionTable } from "../../show/options/read_options.ts";
import { describeValue } from "../../api/error_text.ts";
import { turbineId } from "../../api/columns/columns.ts";
import { ArgumentError, LicenceError, NoDataError, VindkitError } from "../../api/errors.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import { operationOf } from "../../api/operations/operations.ts";
import { requestPath } from "../../api/operations/request_path.ts";
import { buildRefuse, type Refuse } from "../../frames/read_columns.ts";
import { obtainWhole } from "../cache/obtain.ts";
import { readJson } from "./read_answer.ts";
import { startProgress } from "../../show/progress.ts";
import {
  type CallOptions,
  type InnerOptions,
  resolveConnection,
} from "../connection/default_connection.ts";

/** Options of calls for several turbines. */
export interface FanOutOptions {
  /**
   * What happens if some turbines fail: `"throw"` an error that carries the frame of the others, or `"collect"`, which
   * returns that frame; `failures()` then lists the failed turbines. @default {"throw"}
   */
  onFailure?: "throw" | "collect";
}

/** The options of {@linkcode FanOutOptions}. */
export const fanOutOptions: OptionTable<FanOutOptions, "onFailure"> = declareOptions<
  FanOutOptions
>()("", {
  onFailure: "throw",
});

/** A turbine that failed in a call for several. */
export interface Failure {
  /** Identifier of the turbine. */
  readonly turbineId: string;
  /** Error of the turbine's own call. */
  readonly error: VindkitError;
  /**
   * Whether the service reports that the turbine's data are not ready yet; it is then left out, and the call succeeds.
   */
  readonly notReady: boolean;
}

/** Result of a call for several turbines. */
export interface FanOutResult<T> {
  /** Turbines that succeeded, in the requested order. */
  readonly done: readonly { readonly turbineId: string; readonly value: T }[];
  /** Turbines that failed, in the requested order. */
  readonly failed: readonly Failure[];
}

/**
 * Lists the turbines of a call, checked before anything is sent.
 *
 * @throws {ArgumentError} If the list is empty, has a duplicate, or an identifier or `onFailure` is not valid
 */
export function readTurbineIds(
  turbineIds: string | readonly string[],
  id: OperationId,
  { onFailure = "throw" }: FanOutOptions,
): readonly string[] {
  if (onFailure !== "throw" && onFailure !== "collect") { // notebooks are not type-checked
    throw new ArgumentError(
      `Cannot use onFailure ${
        JSON.stringify(onFailure)
      }: this value is unknown. Give "throw" or "collect"`,
    );
  }
  const ids = typeof turbineIds === "string" ? [turbineIds] : turbineIds;
  const refuse: Refuse = buildRefuse(`call ${id}`);
  if (!Array.isArray(ids)) {
    refuse(
      `the turbines are ${describeValue(ids)}, not an identifier or a list of identifiers. ` +
        `turbines() lists the identifiers in its column "${turbineId.name}"`,
    );
  }
  if (ids.length === 0) refuse("the list of turbines is empty. Give at least one identifier");
  const seen = new Set<string>();
  for (const turbine of ids) {
    if (seen.has(turbine)) refuse(`turbine "${turbine}" is listed twice. Give each turbine once`);
    seen.add(turbine);
    requestPath({ ...operationOf(id), parameters: operationOf(id).parameters.slice(0, 1) }, {
      [turbineId.name]: turbine,
    });
  }
  return ids;
}

/** Result of one of several calls. */
export type CallOutcome<I, T> =
  | { readonly item: I; readonly value: T }
  | { readonly item: I; readonly error: VindkitError };

/**
 * Makes several calls in order, some of them at the same time. A failed call does not stop the others; an expired
 * licence does, and so does the signal.
 *
 * @param items The items to request, one call each
 * @param callOne Makes one call
 * @param advance Called when one has ended
 */
export async function callEach<I, T>(
  items: readonly I[],
  options: CallOptions,
  callOne: (item: I, call: InnerOptions) => Promise<T>,
  advance: () => void = () => {},
): Promise<CallOutcome<I, T>[]> {
  let stop: VindkitError | undefined;
  const quiet: InnerOptions = { ...options, quiet: items.length > 1 };
  const call = async (item: I): Promise<CallOutcome<I, T>> => {
    options.signal?.throwIfAborted();
    try {
      if (stop) throw stop;
      return { item, value: await callOne(item, quiet) };
    } catch (error) {
      if (!(error instanceof VindkitError)) throw error;
      if (error instanceof LicenceError) stop = error;
      return { item, error };
    } finally {
      advance();
    }
  };
  try {
    return await Array.fromAsync(pooledMap(resolveConnection(options).concurrency, items, call));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error; // notebooks do not show the members of an AggregateError
  }
}

/** Whether the details of a failed turbine say that its data are not ready yet. */
async function isNotReady(
  turbineId: string,
  error: VindkitError,
  options: CallOptions,
): Promise<boolean> {
  if (!(error instanceof NoDataError)) return false;
  const call: InnerOptions = { ...options, quiet: true };
  try {
    const values = { turbine_id: turbineId };
    const { value } = await obtainWhole("turbine_details", values, call, readJson);
    return (value as { data_ready?: unknown } | null)?.data_ready === false;
  } catch (reason) {
    if (!(reason instanceof VindkitError)) throw reason;
    return false;
  }
}

/** Calls the service for several turbines; see {@linkcode callEach}. */
export async function fanOut<T>(
  turbineIds: readonly string[],
  options: CallOptions,
  one: (turbineId: string, call: InnerOptions) => Promise<T>,
): Promise<FanOutResult<T>> {
  using progress = startProgress("Turbines", {
    total: turbineIds.length,
    unit: "turbines",
    silent: !resolveConnection(options).progress || turbineIds.length === 1,
  });
  const outcomes = await callEach(turbineIds, options, one, () => progress.advance());
  const done = outcomes.flatMap((outcome) =>
    "value" in outcome ? [{ turbineId: outcome.item, value: outcome.value }] : []
  );
  const failed = outcomes.flatMap((outcome) => "error" in outcome ? [outcome] : []);
  return {
    done,
    failed: await Promise.all(failed.map(async ({ item: turbineId, error }) => ({
      turbineId,
      error,
      notReady: done.length > 0 && await isNotReady(turbineId, error, options),
    }))),
  };
}
