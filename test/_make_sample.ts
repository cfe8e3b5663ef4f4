/**
 * Makes the SYNTHETIC sample, its example files and the copy that tests serve, before any test. Otherwise each suite
 * would simulate the same years.
 *
 * @module
 */
import { cpSync, existsSync } from "node:fs";
import { connect, exampleFile, turbineDetails, turbines } from "../mod.ts";
import { homePath } from "../src/disk/home.ts";
import { SAMPLE_FOLDER } from "../src/sample/sample_world.ts";
import { SHARED_SAMPLE } from "./service/_sample.ts";

{
  await using connection = connect({ sample: true });
  const ids = (await turbines({ connection })).getColumn("turbine_id").toArray() as string[];
  await turbineDetails(ids, { connection }); // creates their sites
}
if (!existsSync(SHARED_SAMPLE)) {
  cpSync(homePath(SAMPLE_FOLDER), SHARED_SAMPLE, { recursive: true });
}
await exampleFile("site.json");
