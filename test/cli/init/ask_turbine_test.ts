import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { exampleFile } from "../../../mod.ts";
import { saveSite } from "../../../src/sites/mod.ts";
import { askPlace, askTurbine, buildSite } from "../../../src/cli/init/ask_turbine.ts";
import { climateFields, placeFields, turbineFields } from "../../../src/cli/init/fields.ts";
import { InputFiles } from "../../../src/cli/init/input_files.ts";
import { openDialogue } from "./_dialogue.ts";

const options = {
  name: ["Åse Høj"],
  position: ["52.4, -0.95"],
  elevation: ["150"],
  "time-zone": ["Europe/London"],
  "rated-power": ["2050"],
  "rotor-diameter": ["92"],
  "hub-height": ["78.5"],
  "power-control": ["pcStall"],
  dataset: ["era5"],
  shear: ["exponent=0.14"],
};

/** A dialogue with answers for place and turbine. */
async function answerAll() {
  const { dialogue } = openDialogue({ options });
  for (const fields of [placeFields, turbineFields]) {
    for (const field of Object.values(fields)) {
      if (dialogue.given(field.name).length > 0) await dialogue.ask(field);
    }
  }
  for (const field of [climateFields.dataset, climateFields.shear]) await dialogue.ask(field);
  return dialogue;
}

/** The saved site of some answers. */
async function save(...of: Parameters<typeof buildSite>) {
  const folder = await Deno.makeTempDir();
  try {
    await saveSite(buildSite(...of), `${folder}/site/site.json`);
    return JSON.parse(await Deno.readTextFile(`${folder}/site/site.json`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

describe("questions about the place", () => {
  it("U3: propose the time zone of the position, also at sea", async () => {
    for (const [position, zone] of [["52.4, -0.95", "London"], ["55.5, 7.9", "Copenhagen"]]) {
      const { dialogue, text, find } = openDialogue({
        answers: { name: "Hill", latitude: position, elevation: "0" },
      });
      await find(() => askPlace(dialogue, () => Promise.resolve(undefined)));
      assertEquals(dialogue.value(placeFields.time_zone), `Europe/${zone}`);
      assertStringIncludes(text(), `time-zone: Europe/${zone} (assumed: from the position)`);
    }
  });

  it("require a valid name that no other site has", async () => {
    const { dialogue, text } = openDialogue({
      answers: {
        name: ["…", "Hill", "Hill 2"],
        latitude: "0, 0",
        elevation: "0",
        "time zone": "UTC",
      },
    });
    await askPlace(
      dialogue,
      (site) => Promise.resolve(site === "hill" ? "there is such a site" : undefined),
    );
    assertEquals(dialogue.value(placeFields.name), "Hill 2");
    assertStringIncludes(text(), '"…" has no letter from a to z and no digit');
  });
});

describe("questions about the turbine", () => {
  const rest = { "how it limits": "", "number of identical": "" };

  it("L2: accept any rotor with the manufacturer's power curve", async () => {
    const { dialogue, find } = openDialogue({
      answers: {
        ...rest,
        review: "power-curve",
        "power curve": await exampleFile("power_curve.csv"),
        "rated power": "11",
        "diameter": "13",
        "height of the hub": "18",
      },
    });
    const curve = await find(() => askTurbine(dialogue, new InputFiles()));
    assertEquals(curve, {
      file: await exampleFile("power_curve.csv"),
      wind_speed: "wind_speed",
      power: "power",
    });
    assertEquals(dialogue.value(turbineFields.rotor_diameter), 13);
  });

  it("accept a power curve of WAsP, unless the file has none at 1.225 kg/m3", async () => {
    const folder = await Deno.makeTempDir();
    const good = new URL("../../sites/ugly/c13.wtg", import.meta.url).pathname;
    const other = `${folder}/other.wtg`;
    const text = await Deno.readTextFile(good);
    await Deno.writeTextFile(other, text.replace('AirDensity="1.225"', 'AirDensity="1.1"'));
    const { dialogue, text: said, find } = openDialogue({
      answers: {
        ...rest,
        review: "power-curve",
        "power curve": [other, good],
        "rated power": "2000",
        "diameter": "80",
        "height of the hub": "78",
      },
    });
    assertEquals(await find(() => askTurbine(dialogue, new InputFiles())), { file: good });
    assertStringIncludes(said(), "it has no curve at 1.225 kg/m3");
    await Deno.remove(folder, { recursive: true });
  });

  it("L2: otherwise require data that give a power curve, and name other remedies", async () => {
    const { dialogue, text } = openDialogue({
      answers: {
        ...rest,
        "power curve:": "",
        "rated power of": "2",
        "diameter": ["100", "4"],
        "height of the hub": "18",
      },
    });
    assertEquals(await askTurbine(dialogue, new InputFiles()), undefined);
    assertStringIncludes(text(), "give 0 W/m2");
    assertStringIncludes(
      text(),
      "Correct one of them, or give the maker's power curve as --power-curve",
    );
    assertEquals(text().includes("maxRotorSpeed"), false);
  });
});

describe("buildSite()", () => {
  it("H3, M14: names all files once, in a shared entry of the turbines", async () => {
    const saved = await save(
      await answerAll(),
      {
        entry: { preset: "greenbyte", file: ["/data/a/one.csv", "/data/a/two.csv"] },
        turbines: ["K1", "K2"],
        leftOut: [],
      },
      { source: { files: ["/data/era5.nc"], stamp: "instant" }, oneHeight: true },
    );
    assertEquals(saved.site, "ase-hoj");
    assertEquals(saved.shear, { exponent: 0.14 });
    assertEquals(saved.dataset.service_id, "era5"); // the import knows its attribution
    const [entry] = saved.production;
    assertEquals([entry.preset, entry.file.length, entry.turbines], ["greenbyte", 2, {
      K1: "K1",
      K2: "K2",
    }]);
    assertEquals(
      saved.turbines.map((one: Record<string, unknown>) => [
        one.id,
        one.latitude,
        one.power_control,
        one.production,
      ]),
      [["K1", 52.4, "pcStall", undefined], ["K2", 52.4, "pcStall", undefined]],
    );
  });

  it("names the source and dataset of fetched climate", async () => {
    const saved = await save(
      await answerAll(),
      { entry: { preset: "greenbyte", file: "production.csv" }, turbines: [], leftOut: [] },
      { source: { source: "cds", points: 4, from: "2005" }, oneHeight: false },
    );
    assertEquals(saved.climate, { source: "cds", points: 4, from: "2005" });
    assertEquals([saved.dataset, saved.shear, saved.turbines[0].production.length], [
      undefined,
      undefined,
      1,
    ]);
  });
});
