import { era5 } from "../../../mod.ts";
import { describePartial, importSite, readSiteFile } from "../../sites/mod.ts";
import { callerPath } from "../command/arguments.ts";
import { type Command, exitCodes } from "../command/command.ts";
import { formatCall, readStorage, storageOptions } from "../command/storage.ts";

/** Imports a site. */
export const importSiteFile: Command = {
  forms: ["SITE.json [OPTIONS]"],
  arguments: {
    "SITE.json": "declares climate sources, turbines and production files (see docs/site-file.md)",
  },
  options: {
    ...storageOptions,
    recalibrate: {
      about:
        "calibrates again with all production and chooses the reference period again, which revises all months. " +
        "Without it, the import keeps a calibration as long as the production it was fitted to is unchanged. The reference energy (100 %) then stays too, so one revised reanalysis month changes only one month",
    },
  },
  example: "site.json --data ~/wind",
  notes: [
    "If the site file names a climate source, the import first fetches the missing hours; docs/sources.md says where to put its key.",
    "The import checks all input before it changes any data. Repeating an import changes nothing. " +
    `If some turbines cannot be imported, the import continues with the others and exits with ${exitCodes.needsPerson}.`,
  ],
  resume: "Stored data are unchanged. Run the same command to import the site.",
  async run({ text, flag, rest: [siteFile], signal }) {
    const data = readStorage(text);
    const recalibrate = flag("recalibrate");
    const site = await readSiteFile(callerPath(siteFile));
    const account = await importSite(site, { data, recalibrate, era5, signal });
    console.log(account.text);
    if (account.unchanged) return;
    console.log(
      `\nServe the data with: ${formatCall("serve", data)} (--new-key prints a key for programs)`,
    );
    if (account.failures.length === 0) return;
    console.error(describePartial(account));
    return exitCodes.needsPerson;
  },
};
