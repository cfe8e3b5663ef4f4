import type { PostgresQueries } from "./postgres_queries.ts";

/** Number of the lock of whatever names files: "name" as bytes. */
const NAMING_LOCK = 0x6e616d65;

/** Waits until nobody removes files, and keeps others from doing so until the transaction ends, which names some. */
export async function beginNaming(all: PostgresQueries): Promise<void> {
  await all.run("SELECT pg_advisory_xact_lock_shared($1)", NAMING_LOCK);
}

/** Waits until nobody names files, and keeps others from doing so until the transaction ends. */
export async function excludeNaming(all: PostgresQueries): Promise<void> {
  await all.run("SELECT pg_advisory_xact_lock($1)", NAMING_LOCK);
}
