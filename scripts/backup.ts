/** Backs up a data directory: `deno task backup --data DIR --to FOLDER`. */
import { backUp, defaultDataDirectory } from "@vindkit/vindkit/service";
import { callerPath, command } from "./_command.ts";

const HELP = `Backs up a data directory, also while a service, an import and clients use it.

deno task backup --to FOLDER [--data DIR]

  --to FOLDER  where the backup will stand: a new folder in one that is there, such as /backup/2026-01-31
  --data DIR   data directory (default: ${defaultDataDirectory()})

The backup is as the data directory was at one moment; each of its files is held against its hash. Until it is whole and
on the disk it stands in FOLDER.partial; what is left there by a run that was killed, the next one removes.
To restore: deno task serve --data FOLDER, or copy the folder to where the data directory was.
Keys are in it as hashes only. Rendered tables are not in it, the service renders them again.`;

await command(
  HELP,
  { data: { type: "string" }, to: { type: "string" } },
  0,
  async ({ text }) => {
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
);
