import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import type { PostgresQueries } from "../../../src/machines/postgres/postgres_queries.ts";
import type { Postgres } from "../../_postgres.ts";

/** Opens a new database of a server, with its tables. */
export async function openMigrated(server: Postgres): Promise<PostgresDatabase> {
  const address = await server.createDatabase();
  await migratePostgres(address);
  return await PostgresDatabase.open(address);
}

/** A database and the statements that it was asked. */
export interface CountedQueries extends PostgresQueries {
  /** The statements, in their order. */
  readonly asked: string[];
}

/** Notes the statements that a database is asked outside of transactions. */
export function countQueries(database: PostgresQueries): CountedQueries {
  const asked: string[] = [];
  const noting =
    <Values extends unknown[], T>(ask: (sql: string, ...values: Values) => T) =>
    (sql: string, ...values: Values) => {
      asked.push(sql);
      return ask.call(database, sql, ...values);
    };
  return {
    asked,
    address: database.address,
    all: noting(database.all),
    get: noting(database.get),
    run: noting(database.run),
    transaction: (body, mode) => database.transaction(body, mode),
  };
}
