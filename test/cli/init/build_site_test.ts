import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { buildSite } from "../../../src/cli/init/build_site.ts";
import { saveSite } from "../../../src/sites/mod.ts";

const answers = new Map(
  Object.entries({
    name: "Åse Høj",
    latitude: "52.4",
    longitude: "-0.95",
    elevation: "150",
    "time-zone": "Europe/London",
    "rated-power": "2050",
    "rotor-diameter": "92",
    "hub-height": "78.5",
    "power-control": "stall",
    dataset: "era5",
    shear: "0.14",
  }).map(([name, answer]) => [name, [answer]]),
);

describe("buildSite()", () => {
  it("H3, M14: names all files once, in an entry that the turbines share", async () => {
    const folder = await Deno.makeTempDir();
    const site = buildSite(answers, {
      production: {
        file: [`${folder}/a/one.csv`, `${folder}/a/two.csv`],
        how: { preset: "greenbyte" },
        turbines: ["K1", "K2"],
        leftOut: [],
      },
      climate: { source: { files: [`${folder}/era5.nc`], stamp: "instant" }, oneHeight: true },
      curve: undefined,
    });
    await saveSite(site, `${folder}/site/site.json`);
    const saved = JSON.parse(await Deno.readTextFile(`${folder}/site/site.json`));
    await Deno.remove(folder, { recursive: true });
    assertEquals(saved.site, "ase-hoj");
    assertEquals(saved.shear, { exponent: 0.14 });
    assertEquals(saved.climate, [{ files: ["../era5.nc"], stamp: "instant" }]);
    assertEquals(saved.dataset.attribution.length, 1);
    assertEquals(saved.production, [{
      preset: "greenbyte",
      file: ["../a/one.csv", "../a/two.csv"],
      turbines: { K1: "K1", K2: "K2" },
    }]);
    assertEquals(
      saved.turbines.map((
        one: Record<string, unknown>,
      ) => [one.id, one.power_control, one.production]),
      [["K1", "pcStall", undefined], ["K2", "pcStall", undefined]],
    );
  });

  it("names the source of climate that is fetched, whose dataset it is", async () => {
    const folder = await Deno.makeTempDir();
    const site = buildSite(answers, {
      production: {
        file: "production.csv",
        how: { preset: "greenbyte" },
        turbines: [],
        leftOut: [],
      },
      climate: { source: { source: "cds", points: 4, from: "2005" }, oneHeight: false },
      curve: undefined,
    });
    await saveSite(site, `${folder}/site.json`);
    const saved = JSON.parse(await Deno.readTextFile(`${folder}/site.json`));
    await Deno.remove(folder, { recursive: true });
    assertEquals(saved.climate, { source: "cds", points: 4, from: "2005" });
    assertEquals([saved.dataset, saved.shear], [undefined, undefined]);
  });
});
