/** Imports a site: `deno task import SITE.json --data DIR`. */
import { parseArgs } from "node:util";
import {
  defaultDataDirectory,
  hasLocalLicence,
  importAccount,
  importSite,
  issueLocalKey,
  openDataDirectory,
  readSite,
} from "@vindkit/vindkit/service";

const HELP = `Imports climate, turbines and production, and computes their wind indices.

deno task import SITE.json [--data DIR] [--recalibrate]

  SITE.json      declares climate sources, turbines and production files (see docs/site-file.md)
  --data DIR     data directory (default: ${defaultDataDirectory()})
  --recalibrate  chooses the reference period anew: a revision of all months

Everything is checked before anything is changed; the same import twice does nothing.`;

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    data: { type: "string" },
    recalibrate: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

async function run(site: string, path: string): Promise<void> {
  const data = await readSite(site); // before the directory is made: a wrong site file leaves nothing behind
  const directory = openDataDirectory(path, { create: true });
  try {
    const options = { recalibrate: values.recalibrate };
    const result = await importSite(data, directory.store, directory.files, options);
    console.log(importAccount(result));
    if (await hasLocalLicence(directory.store)) return;
    const key = await issueLocalKey(directory.store);
    console.log(`\nKey of the local licence, shown this once: ${key}`);
    console.log(`Serve the data with: deno task serve --data ${path}`);
  } finally {
    directory.store.close();
  }
}

if (values.help || positionals.length !== 1) {
  console.log(HELP);
  Deno.exit(values.help ? 0 : 2);
}
try {
  await run(positionals[0], values.data ?? defaultDataDirectory());
} catch (error) {
  console.error((error as Error).message);
  Deno.exit(1);
}
