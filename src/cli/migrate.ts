import { migratePostgres } from "../service/store/postgres/postgres_schema.ts";
import { type Command, MisuseError } from "./command.ts";
import { readVariable } from "./read_variable.ts";

/** Creates the tables of a shared database, or migrates them. */
export const migrate: Command = {
  forms: ["[--database URL]"],
  options: {
    database: {
      value: "URL",
      about: "PostgreSQL, such as postgres://user@db.example.org/wind (default: VINDKIT_DATABASE)",
    },
  },
  example: "--database postgres://vindkit@db.example.org/wind",
  notes: [
    "It needs a user who may create a schema. Tables of this version are left as they are; while those of an older one " +
    "are migrated, others wait. A service of another version does not start on them.",
  ],
  rest: 0,
  async run({ text }) {
    const database = text("database") || readVariable("VINDKIT_DATABASE");
    if (!database) {
      throw new MisuseError("Cannot migrate: say which database with --database URL");
    }
    const { from, to } = await migratePostgres(database);
    console.log(
      from === to
        ? `The tables have version ${to} already`
        : from === 0
        ? `Created the tables, version ${to}`
        : `Migrated the tables from version ${from} to ${to}`,
    );
  },
};
