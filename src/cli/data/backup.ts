import { backUp } from "../../service/mod.ts";
import { formatCount } from "../../show/text/numbers.ts";
import { formatStorage } from "../../storage/mod.ts";
import { callerPath } from "../command/arguments.ts";
import { type Command, MisuseError, PROGRAM } from "../command/command.ts";
import { readStorage, storageOptions } from "../command/storage.ts";

/** Copies a data directory while it is in use. */
export const backup: Command = {
  forms: ["--to FOLDER [--data DIR]"],
  options: {
    to: {
      value: "FOLDER",
      about: "a new folder for the backup, in a folder that exists, such as /backup/2026-01-31",
    },
    ...storageOptions,
  },
  example: "--data ~/wind --to /backup/2026-01-31",
  notes: [
    "The backup is as the data directory was at one moment; each of its files is compared with its hash. Until it " +
    "is complete and on the disk it is FOLDER.partial; the next run removes what a killed one left there.",
    `To restore: ${PROGRAM} serve --data FOLDER, or copy the folder to where the data directory was. Keys are in ` +
    "it as hashes only. Rendered tables are not in it, the service renders them again.",
    "What machines share is backed up by the tools of its database and its object store (docs/scaling.md).",
  ],
  resume:
    "There is no backup yet, and the data directory is unchanged: the same command makes one.",
  async run({ text, signal }) {
    const to = text("to");
    if (!to) throw new MisuseError("Cannot back up: say where to with --to FOLDER");
    const data = readStorage(text);
    if (typeof data !== "string") {
      throw new MisuseError(
        `Cannot back up ${
          formatStorage(data)
        }: the database is backed up with pg_dump or a base backup, and then ` +
          "its files with a copy of the bucket or folder (docs/scaling.md)",
      );
    }
    const folder = callerPath(to);
    const { files, bytes } = await backUp(data, folder, { signal });
    const size = `${formatCount(files, "file")}, ${(bytes / 1e6).toFixed(1)} MB`;
    console.log(`Backed up ${data} to ${folder}: the database and ${size}`);
  },
};
