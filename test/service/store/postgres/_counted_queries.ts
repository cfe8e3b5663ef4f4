import type { PostgresQueries } from "../../../../src/service/store/postgres/postgres_queries.ts";

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
