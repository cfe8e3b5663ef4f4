import { migrateQueue } from "../service/jobs/queue/open_boss.ts";
import { migratePostgres } from "../service/store/postgres/postgres_schema.ts";
import type { Command } from "./command.ts";
import { readDatabase, sharedOptions } from "./shared_storage.ts";

/** Creates the tables and the queue of a shared database, or migrates them. */
export const migrate: Command = {
  forms: ["[--database URL]"],
  options: { database: sharedOptions.database },
  example: "--database postgres://vindkit@db.example.org/wind",
  notes: [
    "It needs a user who may create a schema. Tables of this version are left as they are; while those of an older one " +
    "are migrated, others wait. A service of another version does not start on them.",
  ],
  rest: 0,
  async run({ text }) {
    const database = readDatabase(text);
    const { from, to } = await migratePostgres(database);
    await migrateQueue(database);
    console.log(
      from === to
        ? `The tables have version ${to} already`
        : from === 0
        ? `Created the tables, version ${to}`
        : `Migrated the tables from version ${from} to ${to}`,
    );
  },
};
