import { backUp, defaultDataDirectory } from "../service/mod.ts";
import { callerPath } from "./caller_path.ts";
import type { Command } from "./command.ts";
import { PROGRAM } from "./project.ts";

const HELP = `Backs up a data directory, also while a service, an import and clients use it.

${PROGRAM} backup --to FOLDER [--data DIR]

  --to FOLDER  a new folder for the backup, in a folder that exists, such as /backup/2026-01-31
  --data DIR   data directory (default: ${defaultDataDirectory()})

The backup is as the data directory was at one moment; each of its files is compared with its hash. Until it is
complete and on the disk it is FOLDER.partial; the next run removes what a killed one left there.
To restore: ${PROGRAM} serve --data FOLDER, or copy the folder to where the data directory was.
Keys are in it as hashes only. Rendered tables are not in it, the service renders them again.`;

/** Copies a data directory while it is in use. */
export const backup: Command = {
  help: HELP,
  options: { data: { type: "string" }, to: { type: "string" } },
  rest: 0,
  async run({ text }) {
    const [given, to] = [text("data"), text("to")];
    if (!to) throw new Error("Cannot back up: say where to with --to FOLDER");
    const data = given ? callerPath(given) : defaultDataDirectory();
    const folder = callerPath(to);
    const { files, bytes } = await backUp(data, folder);
    console.log(
      `Backed up ${data} to ${folder}: the database and ${files} ${
        files === 1 ? "file" : "files"
      }, ${(bytes / 1e6).toFixed(1)} MB`,
    );
  },
};
