/** Imports a site: `deno task import SITE.json --data DIR`. */
import { parseArgs } from "node:util";
import { defaultDataDirectory, importSiteFile } from "@vindkit/vindkit/service";

const HELP = `Imports climate, turbines and production, and computes their wind indices.

deno task import SITE.json [--data DIR] [--recalibrate]

  SITE.json      declares climate sources, turbines and production files (see docs/site-file.md)
  --data DIR     data directory (default: ${defaultDataDirectory()})
  --recalibrate  chooses the years of the reference period anew (k is fitted at every changed import)

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

if (values.help || positionals.length !== 1) {
  console.log(HELP);
  Deno.exit(values.help ? 0 : 2);
}
try {
  const data = values.data ?? defaultDataDirectory();
  const { text, key } = await importSiteFile(positionals[0], data, {
    recalibrate: values.recalibrate,
  });
  console.log(text);
  if (key) {
    console.log(`\nKey of the local licence, shown this once: ${key}`);
    console.log(`Serve the data with: deno task serve --data ${data}`);
  }
} catch (error) {
  console.error((error as Error).message);
  Deno.exit(1);
}
