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
        "calibrates again with all production, and chooses the reference period again: all months are revised. " +
        "Without it a calibration is kept as long as the production it was fitted to is unchanged, and so is what " +
        "100 % means: one month of revised reanalysis changes one month",
    },
  },
  example: "site.json --data ~/wind",
  notes: [
    "Climate with a source is fetched first, what is missing of it; a key for it is read as docs/sources.md says.",
    "Everything is checked before anything is changed; repeating an import changes nothing. " +
    `If some turbines cannot be imported, the others are, and the exit code is ${exitCodes.needsPerson}.`,
  ],
  resume: "What is stored is as it was before: the same command imports the site.",
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
