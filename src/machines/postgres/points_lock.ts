import type { PostgresQueries } from "./postgres_queries.ts";

/** Number of the lock of whatever depends on the points that are served: "poin" as bytes. */
const POINTS_LOCK = 0x706f696e;

/** Waits until nobody replaces points, and keeps others from doing so until the transaction ends, which completes an order. */
export async function beginCompleting(all: PostgresQueries): Promise<void> {
  await all.run("SELECT pg_advisory_xact_lock_shared($1)", POINTS_LOCK);
}

/** Waits until nobody completes an order, and keeps others from doing so until the transaction ends, which replaces points. */
export async function beginReplacing(all: PostgresQueries): Promise<void> {
  await all.run("SELECT pg_advisory_xact_lock($1)", POINTS_LOCK);
}
