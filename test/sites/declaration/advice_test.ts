/**
 * Follows the advice in messages of `defineSite()`, `saveSite()` and readers of a site: it must lead to the figures of
 * the same site from its files.
 *
 * @module
 */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { defineSite } from "../../../src/sites/declaration/define_site.ts";
import { readSiteFile, type Site } from "../../../src/sites/declaration/site.ts";
import { saveSite } from "../../../src/sites/declaration/save_site.ts";
import { importSite } from "../../../src/sites/import_site.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";
import { readTraining } from "../../../src/sites/read_training.ts";
import { readSiteProduction } from "../../../src/sites/production/site_production.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { monthly } from "../_bad_input.ts";
import { makeSite, type TestSite } from "../_site.ts";
import { toDefinition, withFrames } from "./_definition.ts";

/** A definition with frames, which tests may change. */
type Definition = Omit<Awaited<ReturnType<typeof withFrames>>, "climate" | "turbines"> & {
  climate: Record<string, unknown>[];
  turbines: (Record<string, unknown> & { id: string })[];
};

interface Advice {
  readonly name: string;
  readonly spoil: (good: Definition) => object;
  readonly message: RegExp;
  readonly follow: (good: Definition, text: RegExpExecArray) => object;
}

const climateOf = ({ climate: [{ frame }] }: Definition) => frame as DataFrame;
const productionOf = ({ turbines: [{ production }] }: Definition) => production as DataFrame;

/** Changes the first climate source of a definition. */
const withClimate = (good: Definition, change: object) => ({
  ...good,
  climate: [{ ...good.climate[0], ...change }],
});
const withoutPlace = (good: Definition, frame: DataFrame) => {
  const { latitude: _, longitude: __, ...source } = good.climate[0];
  return { ...good, climate: [{ ...source, frame }] };
};
const withTurbine = (good: Definition, change: object) => ({
  ...good,
  turbines: [{ ...good.turbines[0], ...change }],
});

/** Swaps the two halves of a frame. */
const swap = (frame: DataFrame) => pl.concat([frame.tail(frame.height - 4000), frame.head(4000)]);

const advice: readonly Advice[] = [
  {
    name: "a frame whose columns do not say their units",
    spoil: (good) => withClimate(good, { variables: undefined }),
    message:
      /the frame does not state the units of .* Declare the variables, each with its unit: variables: (\{.*\})$/,
    follow: (good, [, words]) =>
      withClimate(good, { variables: JSON.parse(words.replaceAll(/(\w+): /g, '"$1": ')) }),
  },
  {
    name: "a source with files and a frame",
    spoil: (good) => withClimate(good, { files: ["climate.csv"] }),
    message: /has both files and a frame\. Give one of them$/,
    follow: (good) => good,
  },
  {
    name: "a list of frames of climate",
    spoil: (good) => ({ ...good, climate: [climateOf(good)] }),
    message: /is a frame\. Give \{ frame, latitude, longitude, stamp \}$/,
    follow: (good) => good,
  },
  {
    name: "a frame of several grid points",
    spoil: (good) => {
      const place = (latitude: number) =>
        climateOf(good).withColumns(
          pl.lit(latitude).alias("latitude"),
          pl.lit(8).alias("longitude"),
        );
      const frame = pl.concat([place(55.5), place(55.25)]);
      return withoutPlace(good, frame);
    },
    message:
      /has 2 grid points\. Give one source for each point, from frame\.partitionBy\(\["latitude", "longitude"\]\)/,
    follow: (good) => {
      const frame = climateOf(good).withColumns(
        pl.lit(55.5).alias("latitude"),
        pl.lit(8).alias("longitude"),
      );
      const [one] = frame.partitionBy(["latitude", "longitude"], true);
      return withoutPlace(good, one);
    },
  },
  {
    name: "a list of a frame of production",
    spoil: (good) => withTurbine(good, { production: [productionOf(good)] }),
    message: /is a frame\. Give the frame itself, not a list of it$/,
    follow: (good) => good,
  },
  {
    name: "a frame of production that names no turbine, for two",
    spoil: (good) => ({
      ...good,
      turbines: [{ ...good.turbines[0], production: undefined }, {
        ...good.turbines[0],
        id: "E2",
        production: undefined,
      }],
      production: productionOf(good),
    }),
    message:
      /the frame has no column "turbine_id"\. Move the frame to the entry of its turbine, or/,
    follow: (good) => good,
  },
  {
    name: "a frame of production of a turbine that the site has not",
    spoil: (good) => ({
      ...withTurbine(good, { production: undefined }),
      production: productionOf(good).withColumn(pl.lit("WTG 1").alias("turbine_id")),
    }),
    message: /the turbine_id "WTG 1" is not "(E1)"\. Use the ids of the turbines in the frame$/,
    follow: (good, [, id]) => ({
      ...withTurbine(good, { production: undefined }),
      production: productionOf(good).withColumn(pl.lit(id).alias("turbine_id")),
    }),
  },
  {
    name: "a frame that was joined in another order",
    spoil: (good) => withTurbine(good, { production: swap(productionOf(good)) }),
    message: /If parts were joined in the wrong order, use sort\("time"\)$/,
    follow: (good) => withTurbine(good, { production: swap(productionOf(good)).sort("time") }),
  },
  {
    name: "a frame of a single row",
    spoil: (good) => withTurbine(good, { production: productionOf(good).head(1) }),
    message: /so its step is unknown\. Give two rows or more$/,
    follow: (good) => good,
  },
  {
    name: "a frame whose times have no zone",
    spoil: (good) => {
      const frame = productionOf(good);
      const naive = frame.withColumn(pl.col("time").cast(pl.Datetime("us")));
      return withTurbine(good, { production: naive });
    },
    message: /has a column "time" without a time zone\. Give a frame from readProduction\(\)$/,
    follow: (good) => good, // its frames are from readProduction()
  },
];

describe("advice in messages to a program", () => {
  let site: TestSite;
  let good: Definition;
  let expected: number;

  async function load(definition: object): Promise<number> {
    const data = await Deno.makeTempDir();
    try {
      await importSite(defineSite(definition as Parameters<typeof defineSite>[0]), { data });
      await using storage = await openStorage(data);
      return (await sitesOf(storage.store).turbine("E1"))!.calibration!.meanAnnualEnergy;
    } finally {
      await Deno.remove(data, { recursive: true });
    }
  }

  beforeAll(async () => {
    site = await makeSite();
    const definition = toDefinition(site.declared, site.folder);
    good = await withFrames(definition) as unknown as Definition;
    expected = await load(definition);
  });
  afterAll(() => Deno.remove(site.folder, { recursive: true }));

  for (const { name, spoil, message, follow } of advice) {
    it(`SI4: helps with ${name}`, async () => {
      const { message: text } = await assertRejects(() => load(spoil(good)), ArgumentError);
      assertMatch(text, message);
      assertEquals(await load(follow(good, message.exec(text)!)), expected);
    });
  }

  it("SI4: helps with a path instead of a site", async () => {
    const path = await site.siteFile();
    const data = await Deno.makeTempDir();
    const { message } = await assertRejects(
      () => importSite(path as unknown as Site, { data }),
      ArgumentError,
    );
    assertMatch(message, /is not a site\. Give a site from defineSite\(\) or readSiteFile\(\)/);
    await importSite(await readSiteFile(path), { data });
    await Deno.remove(data, { recursive: true });
  });

  it("SI4: helps with a site saved over another file, and with a folder of its name", async () => {
    const path = site.path("saved.json");
    const saved = await readSiteFile(await site.siteFile());
    await saveSite(saved, path);
    const { message } = await assertRejects(() => saveSite(saved, path), ArgumentError);
    assertMatch(message, /exists\. Choose another folder, or give overwrite: true$/);
    await saveSite(saved, site.path("other/saved.json"));
    await saveSite(saved, path, { overwrite: true });
    const { message: isFolder } = await assertRejects(
      () => saveSite(saved, site.path("other")),
      ArgumentError,
    );
    assertMatch(isFolder, /is a folder\. Choose another name$/);
    await saveSite(saved, site.path("another"));
    assertEquals((await readSiteFile(site.path("another"))).site, saved.site);
  });

  it("SI4: helps with training of a site without production, and with files of two resolutions", async () => {
    const [turbine] = site.declared.turbines;
    const { production } = turbine;
    turbine.production = [];
    const read = async () => await readTraining(await readSiteFile(await site.siteFile()));
    assertMatch(
      (await assertRejects(read, ArgumentError)).message,
      /no turbine has production\. Declare production in the site file$/,
    );
    turbine.production = production;
    assertEquals((await read()).length, 1);

    turbine.production = [...production, monthly];
    const compare = async () => await readSiteProduction(await readSiteFile(await site.siteFile()));
    assertMatch(
      (await assertRejects(compare, ArgumentError)).message,
      /its files have different resolutions\. Name files of one resolution$/,
    );
    turbine.production = production;
    assertEquals((await compare()).length, 1);
  });
});
