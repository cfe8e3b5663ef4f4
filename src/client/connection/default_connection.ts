import { declareOptions, type OptionTable } from "../../show/options/read_options.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { connect, Connection } from "./connection.ts";
import type { SendOptions } from "../http/fetch_answer.ts";
import type { CacheMode } from "./settings.ts";

/** Options of every function that calls a service. */
export interface CallOptions {
  /** Connection to use. @default the one that environment and config file describe, else the sample */
  connection?: Connection;
  /** Cancels the call. */
  signal?: AbortSignal;
  /** How the cache is used. @default as the connection says */
  cache?: CacheMode;
}

/** The options of {@linkcode CallOptions}. */
export const callOptions: OptionTable<CallOptions> = declareOptions<CallOptions>()(
  "connection signal cache",
);

/** Options of a call within another call. */
export type InnerOptions = CallOptions & SendOptions;

/** Options of functions that return a frame. */
export interface FrameOptions extends CallOptions {
  /** What happens where the service has no data: an error, or a frame without rows. @default {"throw"} */
  onNoData?: "throw" | "empty";
}

/** The options of {@linkcode FrameOptions}. */
export const frameOptions: OptionTable<FrameOptions, "onNoData"> = declareOptions<FrameOptions>()(
  "",
  {
    onNoData: "throw",
  },
  callOptions,
);

let shared: Connection | undefined; // the only state of the module: free functions have to share a service

/** Finds the connection of a call: the given one, else the default one, which is made at its first use. */
export function resolveConnection(options: CallOptions): Connection {
  const { connection, signal } = options;
  if (connection !== undefined && !(connection instanceof Connection)) {
    throw new ArgumentError(
      `Cannot use the connection: it is ${describeValue(connection)}. Give what connect() returns`,
    );
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    const own = (signal as unknown) instanceof AbortController ? ". Give its .signal" : "";
    throw new ArgumentError(
      `Cannot use the signal: it is ${describeValue(signal)}, not an AbortSignal${own}`,
    );
  }
  return connection ?? (shared ??= connect());
}

/** Makes another connection the default one. */
export function setDefaultConnection(connection: Connection): void {
  shared = connection;
}

/** Closes the default connection, so that the next call reads environment and config file again. */
export async function closeDefaultConnection(): Promise<void> {
  const old = shared;
  shared = undefined;
  await old?.close();
}
