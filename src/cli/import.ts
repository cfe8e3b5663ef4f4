import { defaultDataDirectory, importSiteFile } from "../service/mod.ts";
import { callerPath } from "./caller_path.ts";
import type { Command } from "./command.ts";
import { PROGRAM } from "./project.ts";

const HELP = `Imports climate, turbines and production, and computes their wind indices.

${PROGRAM} import SITE.json [--data DIR] [--recalibrate]

  SITE.json      declares climate sources, turbines and production files (see docs/site-file.md)
  --data DIR     data directory (default: ${defaultDataDirectory()})
  --recalibrate  calibrates again with all production, and chooses the reference period again: all months are revised.
                 Without it a calibration is kept as long as the production it was fitted to is unchanged, and so
                 is what 100 % means: one month of revised reanalysis changes one month

Everything is checked before anything is changed; repeating an import changes nothing.`;

/** Imports a site into a data directory. */
export const importSite: Command = {
  help: HELP,
  options: { data: { type: "string" }, recalibrate: { type: "boolean" } },
  rest: 1,
  async run({ text, flag, rest: [siteFile] }) {
    const given = text("data");
    const data = given ? callerPath(given) : defaultDataDirectory();
    const recalibrate = flag("recalibrate");
    const account = await importSiteFile(callerPath(siteFile), data, { recalibrate });
    console.log(account.text);
    if (account.key === undefined) return;
    console.log(`\nKey of the local licence, shown this once: ${account.key}`);
    console.log(`Serve the data with: ${PROGRAM} serve --data ${data}`);
  },
};
