/**
 * Storage that several machines share: store and queue in PostgreSQL, files in an object store, and moving data there and
 * back. Modules that import the packages for these are loaded only when such a storage is opened.
 *
 * @module
 */
export { moveData } from "./move_data.ts";
export { migratePostgres } from "./postgres/postgres_schema.ts";
export { JobQueue } from "./queue/job_queue.ts";
export { formatJob, jobTable } from "./queue/job_table.ts";
export { migrateQueue } from "./queue/open_boss.ts";
export { openQueueWorker } from "./open_queue_worker.ts";
export type { QueueRow } from "./queue/queue_row.ts";
export { type Machines, shareStorage } from "./shared_storage.ts";
