/** Writes types.ts, docs/api.md and docs/site-file.schema.json from their declarations, and the packages and font of NOTICE; or compares all but types.ts. */
import { type Command, runCommand } from "@vindkit/vindkit/cli";
import { siteFileSchema } from "@vindkit/vindkit/sites";
import { writeTypes } from "./types.ts";
import { apiReference } from "./api_reference.ts";
import { type LockedPackages, readLicencesOf, writeNotice } from "./notice.ts";

async function findPackageCache(): Promise<string> {
  const { stdout } = await new Deno.Command("deno", { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).npmCache;
}

const docs: Command = {
  forms: ["[--check]"],
  options: { check: { about: "only compares, and fails where a file differs" } },
  example: "--check",
  async run({ flag }) {
    const text = await Deno.readTextFile("deno.lock");
    const { npm } = JSON.parse(text) as { npm: LockedPackages };
    const findLicence = readLicencesOf(await findPackageCache());
    const fontLicence = await Deno.readTextFile("src/plots/drawing/fonts/LICENSE.txt");
    const files = {
      "docs/api.md": () => apiReference(),
      "docs/site-file.schema.json": () => siteFileSchema(),
      NOTICE: (now: string) => writeNotice(now, npm, findLicence, fontLicence),
    };
    if (!flag("check")) console.log(`types.ts written: ${await writeTypes()} types`); // with --check the lint of the docs compares them
    for (const [path, write] of Object.entries(files)) {
      const now = await Deno.readTextFile(path).catch(() => "");
      const text = write(now);
      if (!flag("check")) {
        await Deno.writeTextFile(path, text);
        console.log(`${path} written`);
      } else if (text !== now) {
        throw new Error(`${path} is not what it should be. Run: deno task docs`);
      }
    }
  },
};

const purpose =
  "Writes types.ts, docs/api.md, docs/site-file.schema.json and the packages and font of NOTICE";
Deno.exit(await runCommand({ name: "docs", purpose }, docs, Deno.args));
