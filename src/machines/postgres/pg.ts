/**
 * The client of PostgreSQL with its types, which are a package of their own: a project that has only this package knows no
 * other name for them than the address. Loaded only for a database.
 *
 * @module
 */
// @ts-types="npm:@types/pg@8.23.1"
export { default } from "pg";
// @ts-types="npm:@types/pg@8.23.1"
export type { Pool, PoolClient, PoolConfig, QueryConfig, QueryResult } from "pg";
