import { declareOptions, type OptionTable, readOptions } from "../../show/options/read_options.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { connect, Connection } from "./connection.ts";
import type { SendOptions } from "../http/fetch_answer.ts";
import type { CacheMode } from "./settings.ts";
import { DataLock } from "./data_lock.ts";

/** Options of every function that calls a service. */
export interface CallOptions {
  /** Connection to use. @default from environment and config file, else the sample */
  connection?: Connection;
  /** Cancels the call. */
  signal?: AbortSignal;
  /** How the cache is used. @default the connection's setting */
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
  /** What happens if the service has no data: an error, or a frame without rows. @default {"throw"} */
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

let defaultConnection: Connection | undefined; // the only state of the module: free functions have to share a service

/** Finds the connection of a call: the given one, else the default one, which is made at its first use. */
export function resolveConnection(options: CallOptions): Connection {
  const { connection, signal } = options;
  if (connection !== undefined && !(connection instanceof Connection)) {
    throw new ArgumentError(
      `Cannot use the connection: it is ${
        describeValue(connection)
      }. Give the connection that connect() returns`,
    );
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    const advice = (signal as unknown) instanceof AbortController
      ? "Give the .signal of the controller"
      : "Give the .signal of an AbortController";
    throw new ArgumentError(
      `Cannot use the signal: it is ${describeValue(signal)}, not an AbortSignal. ${advice}`,
    );
  }
  return connection ?? (defaultConnection ??= connect());
}

/** Makes another connection the default one. */
function setDefaultConnection(connection: Connection): void {
  defaultConnection = connection;
}

/** Closes the default connection; the next call reads environment and config file again. */
export async function closeDefaultConnection(): Promise<void> {
  const old = defaultConnection;
  defaultConnection = undefined;
  await old?.close();
}

const OPTIONS = declareOptions<Pick<CallOptions, "connection">>()("connection");

/**
 * Ties an analysis to the data it used. The file records each body that is used from now on: operation, parameters,
 * SHA-256 and time, never the data. If the file exists, the same bodies are used again, from the cache; a body that is
 * no longer in the cache is fetched, and must be the same. To see what the service has revised since, call with
 * `cache: "refresh"`: the error says how many months changed, and how to accept them.
 *
 * @param path Path of the file, next to the notebook or script
 * @param options Connection. @default the default one, which then gets the lock
 * @returns The connection with the lock, for calls that name one
 * @throws {ConfigurationError} If the file is not a data lock, or belongs to another service
 *
 * @example An analysis that will have the same figures next year
 * ```ts
 * import { connect, lockData, monthlyIndices } from "@vindkit/vindkit";
 *
 * const folder = await Deno.makeTempDir();
 * const sample = connect({ sample: true, home: folder });
 * const connection = await lockData(`${folder}/analysis.lock.json`, { connection: sample });
 * await monthlyIndices("T1", { from: "2024-01", to: "2024-12", connection });
 * await connection.close();
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function lockData(
  path: string,
  options: Pick<CallOptions, "connection"> = {},
): Promise<Connection> {
  readOptions("lockData()", options, OPTIONS);
  const connection = resolveConnection(options);
  // A data directory has another path on a colleague's machine.
  const place = connection.target === "own" ? "own data" : connection.place;
  const locked = connection.withLock(await DataLock.open(path, place));
  if (!options.connection) setDefaultConnection(locked);
  return locked;
}
