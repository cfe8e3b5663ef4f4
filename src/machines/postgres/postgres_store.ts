import { Store } from "../../storage/store/store.ts";
import { Documents } from "../../storage/store/documents.ts";
import { PostgresAttempts } from "./postgres_attempts.ts";
import { PostgresDatabase } from "./postgres_database.ts";
import { checkPostgresSchema } from "./postgres_schema.ts";

/**
 * Opens the store that many machines share: PostgreSQL, which has its tables ({@linkcode migratePostgres}).
 *
 * @throws {ConfigurationError} If it refuses the connection, or has another schema
 * @throws {Error} If it cannot be reached
 */
export async function openPostgresStore(address: string): Promise<Store> {
  const database = await PostgresDatabase.open(address);
  try {
    await checkPostgresSchema(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return new Store(new Documents(database), new PostgresAttempts(database));
}
