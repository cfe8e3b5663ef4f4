import { SYNTHETIC } from "../../api/world.ts";
import { formatCount, formatNumber } from "../../show/text/numbers.ts";
import { EXPORT_NAMES, exportParquet, isExportName } from "../../machines/export/mod.ts";
import { callerPath } from "../command/arguments.ts";
import { type Command, formatUnknown, MisuseError } from "../command/command.ts";
import { readStorage, storageOptions } from "../command/storage.ts";

/** Exports a table as Parquet. */
export const exportTable: Command = {
  forms: ["--what indices|hours --to FOLDER|s3://BUCKET/PREFIX [OPTIONS]"],
  options: {
    what: { value: "TABLE", about: "indices: monthly wind indices; hours: hours of the model" },
    to: {
      value: "PLACE",
      about:
        "folder of the export, such as /lake, created if missing; or an object store, such as " +
        "s3://wind/lake",
    },
    ...storageOptions,
  },
  example: "--what indices --data ~/wind --to /lake",
  notes: [
    "PLACE/TABLE has a folder of Parquet files for each year, PLACE/TABLE.manifest.json names the files and is " +
    "written last: docs/export.md has the columns, and how other programs read them.",
    "Repeated, it writes what has changed. Files that are replaced stay until the next export is complete, " +
    "for those who are still reading them.",
    "An object store is reached by AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; " +
    "in a checkout by: deno task shared export.",
  ],
  resume: "What was exported before is as it was: the same command goes on.",
  async run({ text, signal }) {
    const [what, to] = [text("what"), text("to")];
    if (!what) {
      throw new MisuseError(`Cannot export: say what with --what ${EXPORT_NAMES.join("|")}`);
    }
    if (!isExportName(what)) throw new MisuseError(formatUnknown("table", what, EXPORT_NAMES));
    if (!to) {
      throw new MisuseError("Cannot export: say where to with --to FOLDER|s3://BUCKET/PREFIX");
    }
    const place = to.includes("://") ? to : callerPath(to);
    const data = readStorage(text);
    const { turbines, rows, files, bytes, newFiles, removedFiles, world } = await exportParquet(
      data,
      place,
      { what, signal },
    );
    if (world === "sample") {
      console.log(`${SYNTHETIC}: these figures are invented`);
    }
    console.log(
      `Exported the ${what} of ${formatCount(turbines, "turbine")} to ${place}: ` +
        `${formatCount(rows, "row")} in ${formatCount(files, "file")}, ` +
        `${formatNumber(bytes / 1e6, 1)} MB; ${newFiles} written, ${removedFiles} old ones removed`,
    );
  },
};
