import { backUp } from "../service/mod.ts";
import { callerPath } from "./caller_path.ts";
import { type Command, MisuseError } from "./command.ts";
import { dataOption, readDataDirectory } from "./data_directory.ts";
import { PROGRAM } from "./project.ts";

/** Copies a data directory while it is in use. */
export const backup: Command = {
  forms: ["--to FOLDER [--data DIR]"],
  options: {
    to: {
      value: "FOLDER",
      about: "a new folder for the backup, in a folder that exists, such as /backup/2026-01-31",
    },
    data: dataOption,
  },
  example: "--data ~/wind --to /backup/2026-01-31",
  notes: [
    "The backup is as the data directory was at one moment; each of its files is compared with its hash. Until it " +
    "is complete and on the disk it is FOLDER.partial; the next run removes what a killed one left there.",
    `To restore: ${PROGRAM} serve --data FOLDER, or copy the folder to where the data directory was. Keys are in ` +
    "it as hashes only. Rendered tables are not in it, the service renders them again.",
  ],
  rest: 0,
  resume:
    "There is no backup yet, and the data directory is unchanged: the same command makes one.",
  async run({ text, signal }) {
    const to = text("to");
    if (!to) throw new MisuseError("Cannot back up: say where to with --to FOLDER");
    const data = readDataDirectory(text("data"));
    const folder = callerPath(to);
    const { files, bytes } = await backUp(data, folder, { signal });
    console.log(
      `Backed up ${data} to ${folder}: the database and ${files} ${
        files === 1 ? "file" : "files"
      }, ${(bytes / 1e6).toFixed(1)} MB`,
    );
  },
};
