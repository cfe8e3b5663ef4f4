/** Writes the docs as pages that open from disk. */
import project from "../deno.json" with { type: "json" };
import { type Command, runCommand } from "@vindkit/vindkit/cli";
import { buildSite } from "./build_site.ts";

const FOLDER = "out/site";

const site: Command = {
  forms: [""],
  options: {},
  example: "",
  async run() {
    await Deno.remove(FOLDER, { recursive: true }).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // the folder may not exist yet
    });
    const { pages, links, size } = await buildSite(FOLDER);
    const megabytes = (size / 1e6).toFixed(1);
    console.log(
      `${pages} pages with ${links} links, ${megabytes} MB, written: ${FOLDER}/index.html`,
    );
  },
};

const purpose = project.tasks.site.description;
Deno.exit(await runCommand({ name: "site", purpose }, site, Deno.args));
