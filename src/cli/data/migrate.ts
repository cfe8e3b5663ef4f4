import { formatCount, formatNumber } from "../../show/text/numbers.ts";
import { type Machines, migratePostgres, migrateQueue, moveData } from "../../machines/mod.ts";
import { formatStorage, openStorage } from "../../storage/mod.ts";
import { type Command, MisuseError, PROGRAM } from "../command/command.ts";
import {
  formatCall,
  readDatabase,
  readSource,
  readStorage,
  sourceOptions,
  storageOptions,
} from "../command/storage.ts";

/** Creates the tables and the queue of a database unless they exist; returns the versions of the tables. */
async function migrateDatabase(database: string): Promise<{ from: number; to: number }> {
  const versions = await migratePostgres(database);
  await migrateQueue(database);
  return versions;
}

/** Moves data into a database or a data directory, which it prepares if new; returns a message. */
async function move(
  from: string | Machines,
  to: string | Machines,
  signal: AbortSignal,
): Promise<string> {
  await using source = await openStorage(from);
  if (typeof to !== "string") await migrateDatabase(to.database);
  await using target = await openStorage(to, { create: true });
  const { files, bytes, rows } = await moveData(source, target, { signal });
  const counts = Object.entries(rows).map(([kind, count]) => `${kind} ${formatNumber(count)}`);
  return `Moved ${formatStorage(from)} to ${formatStorage(to)}: ` +
    `${formatCount(files, "file")}, ${formatNumber(bytes / 1e6, 1)} MB; documents: ${
      counts.join(", ")
    }\nServe it with: ${formatCall("serve", to)}`;
}

/** Creates the tables and the queue of a shared database, or moves data there and back. */
export const migrate: Command = {
  forms: [
    "[--database URL]",
    "--from DIR [--database URL --files ADDRESS]",
    "--from-database URL --from-files ADDRESS --data DIR",
  ],
  options: { ...storageOptions, ...sourceOptions },
  example: "--database postgres://vindkit@db.example.org/wind",
  notes: [
    "The database user must be allowed to create a schema. The command keeps tables of this version and refuses tables " +
    "of any other version.",
    `To move: ${PROGRAM} migrate --from ~/wind --database postgres://vindkit@db.example.org/wind --files ` +
    "s3://wind-index/production. The destination must be empty. The command compares files and documents with their " +
    "hashes, and moves all documents together. It does not change the source. Stop the service of the source first.",
  ],
  resume: "The tables are unchanged, and no data were moved. Run the same command to start again.",
  async run({ text, signal }) {
    const source = readSource(text);
    if (source !== undefined) {
      console.log(await move(source, readStorage(text), signal));
      return;
    }
    if (text("data")) {
      throw new MisuseError(
        "Cannot move data to --data: the source is missing. Give --from-database and --from-files",
      );
    }
    const { from, to } = await migrateDatabase(readDatabase(text));
    console.log(
      from === to ? `The tables already have version ${to}` : `Created the tables, version ${to}`,
    );
  },
};
