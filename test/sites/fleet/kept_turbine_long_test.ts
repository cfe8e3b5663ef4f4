/**
 * An import computes only turbines whose inputs changed. The stored data are the same as if it computed all, to the
 * last bit.
 *
 * @module
 */
import { cpSync } from "node:fs";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { formatImport } from "../../../src/sites/fleet/format_import.ts";
import type { Reanalysis, SiteData } from "../../../src/sites/site_data.ts";
import { PassingError } from "../../../src/storage/failures/is_passing.ts";
import type { ImportResult } from "../../../src/sites/fleet/store_site.ts";
import {
  buildGridSite,
  buildProduction,
  buildTurbine,
  changePower,
  changeTurbine,
  forgetInputs,
  importData,
  readStored,
  withDirectory,
} from "../_grid_site.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";
import { wantedFiles } from "../../../src/sites/keep/named_files.ts";

const idsOf = (turbines: ImportResult["kept"] | ImportResult["turbines"]) =>
  turbines.map(({ turbine }) => turbine.id);

/** Changes the reanalysis in a copy of the site. */
function changeReanalysis(
  data: SiteData,
  change: (reanalysis: Reanalysis) => Reanalysis,
): SiteData {
  return { ...data, reanalyses: data.reanalyses.map(change) };
}

/** Changes the wind of an hour at one point in a copy of the site. */
function changePoint(data: SiteData, latitude: number, longitude: number): SiteData {
  return changeReanalysis(data, (reanalysis) => ({
    ...reanalysis,
    climate: reanalysis.climate.map((point) => {
      if (point.latitude !== latitude || point.longitude !== longitude) return point;
      const [{ height, u, v }] = point.levels;
      return { ...point, levels: [{ height, u: u.with(9000, 12.5), v }] };
    }),
  }));
}

const first = changeTurbine(
  buildGridSite(),
  "T2",
  () => ({ production: [buildProduction("2", 8000)] }),
);

const changes: Readonly<Record<string, { of: (data: SiteData) => SiteData; computed: string }>> = {
  "nothing but another file": { of: (data) => data, computed: "" },
  "later production": {
    of: (data) => changeTurbine(data, "T2", () => ({ production: [buildProduction("2")] })),
    computed: "T1 T2",
  },
  "another value of production": {
    of: (data) => changePower(data, "T3", (power) => power.with(500, 77)),
    computed: "T3 T4",
  },
  "production that is gone": {
    of: (data) => changeTurbine(data, "T4", () => ({ production: [] })),
    computed: "T3 T4",
  },
  "a point of the western cell": { of: (data) => changePoint(data, 55, 8), computed: "T1 T2" },
  "a point of both cells": { of: (data) => changePoint(data, 56, 9), computed: "T1 T2 T3 T4" },
  "an exclusion": {
    of: (data) =>
      changeTurbine(data, "T1", () => ({
        exclusions: [{ from: "2022-03-01", to: "2022-03-20", reason: "curtailed" }],
      })),
    computed: "T1",
  },
  "a name": {
    of: (data) =>
      changeTurbine(data, "T1", ({ turbine }) => ({ turbine: { ...turbine, name: "One" } })),
    computed: "T1",
  },
  "another turbine": {
    of: (data) => ({ ...data, turbines: [...data.turbines, buildTurbine("T5", 55.1, 8.1)] }),
    computed: "T5",
  },
  "one turbine less": {
    of: (data) => ({ ...data, turbines: data.turbines.slice(1) }),
    computed: "T2",
  },
  "other wind shear": {
    of: (data) =>
      changeReanalysis(data, (reanalysis) => ({ ...reanalysis, shear: { exponent: 0.2 } })),
    computed: "T1 T2 T3 T4",
  },
  "other attributions": {
    of: (data) =>
      changeReanalysis(data, (reanalysis) => ({
        ...reanalysis,
        dataset: { ...reanalysis.dataset, attribution: ["Somebody else"] },
      })),
    computed: "T1 T2 T3 T4",
  },
};

describe("an import", () => {
  let folder: string;
  const [before, kept, complete] = ["before", "kept", "whole"].map((name) => () =>
    `${folder}/${name}`
  );

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    await importData(first, before());
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));
  beforeEach(() => {
    for (const copy of [kept(), complete()]) cpSync(before(), copy, { recursive: true });
  });
  afterEach(async () => {
    for (const copy of [kept(), complete()]) await Deno.remove(copy, { recursive: true });
  });

  for (const [label, { of, computed }] of Object.entries(changes)) {
    it(`of ${label} computes the turbines concerned, and stores the same as computing all`, async () => {
      const data = of(first);
      const result = await importData(data, kept());
      assertEquals(idsOf(result.turbines).join(" "), computed);
      await forgetInputs(complete());
      assertEquals((await importData(data, complete())).kept, []);
      assertEquals(await readStored(kept()), await readStored(complete()));
      assertEquals((await importData(data, kept())).turbines, [], "it is stored with its inputs");
    });
  }

  it("keeps edition, months and files of a turbine that is not computed", async () => {
    const read = () =>
      withDirectory(kept(), async ({ store, files }) => ({
        turbine: await sitesOf(store).turbine("T3"),
        months: await sitesOf(store).months("T3"),
        wanted: (await wantedFiles(store, 0)).includes(
          (await sitesOf(store).turbine("T3"))!.modelFile!,
        ),
        changed: await files.selectChanged(await wantedFiles(store, 0)),
      }));
    const stored = await read();
    await importData(changes["later production"].of(first), kept());
    assertEquals(await read(), stored);
    assert(stored.wanted);
  });

  it("computes a turbine with a damaged hourly model again", async () => {
    const modelFile = await withDirectory(
      kept(),
      async ({ store, files }) => files.path((await sitesOf(store).turbine("T3"))!.modelFile!),
    );
    await Deno.truncate(modelFile, 100);
    assertEquals(idsOf((await importData(first, kept())).turbines), ["T3"]);
    assertEquals(await readStored(kept()), await readStored(before()));
  });

  it("is not stored if a reused file is removed while it computes", async () => {
    const stored = await readStored(kept());
    const remove = () => Deno.removeSync(`${kept()}/files/${stored[0].stored.modelFile}`);
    let left = 1;
    const options = { recalibrate: true, onTurbine: () => void (left-- > 0 && remove()) };
    await assertRejects(
      () => importData(first, kept(), options),
      PassingError,
      "Try again",
    );
    assertEquals(await readStored(kept()), stored);
  });

  it("computes all turbines with recalibrate", async () => {
    const { turbines } = await importData(first, kept(), { recalibrate: true });
    assertEquals(turbines.map(({ outcome }) => outcome), Array(4).fill("requested"));
  });

  it("has a line for a turbine that is not computed", async () => {
    const result = await importData(changes["later production"].of(first), kept());
    const account = formatImport(result);
    assertStringIncludes(account, "\nT3, T4: not computed, ");
    for (const id of ["T1", "T2", "T3", "T4"]) {
      assertMatch(account, new RegExp(`\\n  ${id}  2022-01-01 to 2022-12-31, 8,760 h valid`));
    }
  });
});
