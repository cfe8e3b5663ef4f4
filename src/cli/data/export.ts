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
    what: { value: "TABLE", about: "indices: monthly wind indices; hours: hourly model data" },
    to: {
      value: "PLACE",
      about:
        "folder for the export, such as /lake, created if missing; or an object store, such as s3://wind/lake",
    },
    ...storageOptions,
  },
  example: "--what indices --data ~/wind --to /lake",
  notes: [
    "PLACE/TABLE has a folder of Parquet files for each year. PLACE/TABLE.manifest.json names the files and is " +
    "written last. docs/export.md lists the columns and shows how other programs read them.",
    "A repeated export writes only the changes. Replaced files stay until the next export is complete, so " +
    "programs can finish reading them.",
    "For an object store, set AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. In a " +
    "checkout, run: deno task shared export.",
  ],
  resume: "Earlier exports are unchanged. Run the same command to continue.",
  async run({ text, signal }) {
    const [what, to] = [text("what"), text("to")];
    if (!what) {
      throw new MisuseError(
        `Cannot export a table: its name is missing. Give --what ${EXPORT_NAMES.join("|")}`,
      );
    }
    if (!isExportName(what)) throw new MisuseError(formatUnknown("table", what, EXPORT_NAMES));
    if (!to) {
      throw new MisuseError(
        "Cannot export the table: the destination is missing. Give --to FOLDER|s3://BUCKET/PREFIX",
      );
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
