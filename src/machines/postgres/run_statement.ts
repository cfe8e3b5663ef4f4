import type { PoolClient, QueryConfig, QueryResult } from "./pg.ts";
import { isPassing } from "../../storage/failures/is_passing.ts";
import type { StoredRow } from "../../storage/store/engine.ts";

/** SQLSTATE of a transaction that lost against another one: serialization failure, deadlock. */
const LOST = new Set(["40001", "40P01"]);

/** Whether a transaction failed because another one was first: from its beginning it may succeed. */
export function hasLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && LOST.has(String(error.code));
}

/**
 * Runs a statement on a connection.
 *
 * @param address Address of the database without its password
 * @throws {Error} If it fails, with the address where another try may help
 */
export async function runStatement(
  client: PoolClient,
  address: string,
  statement: string | QueryConfig,
): Promise<QueryResult<StoredRow>> {
  try {
    return await client.query<StoredRow>(statement);
  } catch (cause) {
    if (!(cause instanceof Error) || !isPassing(cause) || hasLost(cause)) throw cause;
    throw new Error(`Cannot use ${address}: ${cause.message}. Try again`, { cause });
  }
}
