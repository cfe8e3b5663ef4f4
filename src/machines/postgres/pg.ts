/**
 * The client of PostgreSQL. Its types are in another package, which a project that uses only Vindkit can reach only by
 * its address. Loaded only for a database.
 *
 * @module
 */
// @ts-types="npm:@types/pg@8.23.1"
export { default } from "pg";
// @ts-types="npm:@types/pg@8.23.1"
export type { Pool, PoolClient, PoolConfig, QueryConfig, QueryResult } from "pg";
