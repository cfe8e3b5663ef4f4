import type { Connection } from "../connection/connection.ts";
import {
  type CallOptions,
  resolveConnection,
  setDefaultConnection,
} from "../connection/default_connection.ts";
import { DataLock } from "../connection/data_lock.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

const OPTIONS = declareOptions<Pick<CallOptions, "connection">>()("connection");

/**
 * Ties an analysis to the data it used. The file records each body that is used from now on: operation, parameters,
 * SHA-256 and time, never the data. If the file exists, the same bodies are used again, from the cache; a body that is
 * no longer in the cache is fetched, and must be the same. To see what the service has revised since, call with
 * `cache: "refresh"`: the error says how many months changed, and how to accept them.
 *
 * @param path Path of the file, beside the notebook or script
 * @param options Connection. @default the default one, which then gets the lock
 * @returns The connection with the lock, for calls that name one
 * @throws {ConfigurationError} If the file is not a data lock, or is one of another service
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
