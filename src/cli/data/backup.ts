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
    "The backup shows the data directory at one moment, and the command compares each file with its hash. Until the " +
    "backup is complete and on the disk, it is called FOLDER.partial. If a run is killed, the next one removes its partial backup.",
    `To restore: ${PROGRAM} serve --data FOLDER, or copy the folder to where the data directory was. The backup ` +
    "contains keys only as hashes. It does not contain rendered tables; the service renders them again.",
    "Back up a shared database and its files with the tools of the database and the object store (docs/scaling.md).",
  ],
  resume:
    "There is no backup yet, and the data directory is unchanged. Run the same command to make the backup.",
  async run({ text, signal }) {
    const to = text("to");
    if (!to) {
      throw new MisuseError("Cannot make a backup: the destination is missing. Give --to FOLDER");
    }
    const data = readStorage(text);
    if (typeof data !== "string") {
      throw new MisuseError(
        `Cannot back up ${
          formatStorage(data)
        }: this command backs up data directories only. Back up the database ` +
          "with pg_dump or a base backup, then copy the bucket or folder with its files (docs/scaling.md)",
      );
    }
    const folder = callerPath(to);
    const { files, bytes } = await backUp(data, folder, { signal });
    const size = `${formatCount(files, "file")}, ${(bytes / 1e6).toFixed(1)} MB`;
    console.log(`Backed up ${data} to ${folder}: the database and ${size}`);
  },
};
