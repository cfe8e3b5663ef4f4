import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { exampleFile } from "../../mod.ts";
import { ArgumentError } from "../../src/api/errors.ts";
import { provenance } from "../../src/frames/origin/provenance.ts";
import { readSiteFile, readTraining } from "../../src/sites/entry.ts";
import { copyExample } from "./_site.ts";

describe("readTraining()", () => {
  it("reads the inputs of an import's calibration: production with masks, and climate at the hub", async () => {
    const [training, ...others] = await readTraining(
      await readSiteFile(await exampleFile("site.json")),
    );
    assertEquals(others, []);
    assertEquals(training.turbine.id, "E1");
    const [{ production, masked }] = training.inputs;
    assert(production.kind === "hourly" && masked?.length === production.power.length);
    assert(masked.some((hour) => hour === 1), "the outage of the example is masked");
    assertEquals(training.climates.length, 1);
    assert(training.climates[0].hub.windSpeed.length > 20 * 8766);
    const [{ operation, world, parameters }] = provenance(training);
    assertEquals([operation, world, parameters.turbine_id], ["readTraining", "sample", "E1"]);
  });

  it("rejects a site without production, with a remedy", async () => {
    const folder = await Deno.makeTempDir();
    await copyExample(folder);
    const declared = JSON.parse(await Deno.readTextFile(`${folder}/site.json`));
    for (const turbine of declared.turbines) delete turbine.production;
    await Deno.writeTextFile(`${folder}/site.json`, JSON.stringify(declared));
    const site = await readSiteFile(`${folder}/site.json`);
    await assertRejects(
      () => readTraining(site),
      ArgumentError,
      "no turbine has production. Declare production",
    );
    await Deno.remove(folder, { recursive: true });
  });
});
