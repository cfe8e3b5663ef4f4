/**
 * Follows the advice in messages of rejected imports: it must lead to the figures of the good site or to the next
 * correct message. Power curves and climate files have separate tests (`power_curve_files_test.ts`).
 *
 * @module
 */
import { assertAlmostEquals, assertMatch, assertRejects } from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import { VindkitError } from "../../src/api/errors.ts";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { importSite, type ImportSiteOptions } from "../../src/sites/import_site.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { climateOf, monthly, produce, turbineOf } from "./_bad_input.ts";
import { makeSite, rowsBetween, type TestSite, wholeExample } from "./_site.ts";

/** State that a case may change: the site and the options of its import. */
interface Case {
  readonly site: TestSite;
  /** Options of the import; `data` is a folder for the test. */
  readonly options: { -readonly [Name in keyof ImportSiteOptions]: ImportSiteOptions[Name] };
}

/** A rejected import and the advice in its message. */
interface Advice {
  /** The fault. */
  readonly name: string;
  /** Breaks the good site, and imports what must be stored before. */
  spoil(now: Case): void | Promise<void>;
  /** The message, which ends with the advice. */
  readonly message: RegExp;
  /** Follows the advice. */
  follow(now: Case, text: RegExpExecArray): void | Promise<void>;
  /** The next message, or the largest relative difference of the mean annual energy from the good site. @default {0} */
  readonly ends?: RegExp | number;
}

async function load({ site, options }: Case): Promise<void> {
  await importSite(await readSiteFile(await site.siteFile()), options);
}

/** Reads the stored mean annual energy of a turbine, kWh. */
async function readEnergy({ options }: Case, id: string): Promise<number> {
  await using storage = await openStorage(options.data);
  return (await sitesOf(storage.store).turbine(id))!.calibration!.meanAnnualEnergy;
}

/** Splits a file in two after a timestamp. */
async function split(site: TestSite, name: string, at: string): Promise<[string, string]> {
  const [header, ...rows] = (await Deno.readTextFile(site.path(name))).trimEnd().split("\n");
  const cut = rows.findIndex((row) => row.startsWith(at));
  const names = [name.replace(".", "_1."), name.replace(".", "_2.")] as [string, string];
  for (const [i, part] of [rows.slice(0, cut), rows.slice(cut)].entries()) {
    await Deno.writeTextFile(site.path(names[i]), [header, ...part, ""].join("\n"));
  }
  return names;
}

const advice: readonly Advice[] = [
  {
    name: "a file that is missing",
    spoil: ({ site }) => produce(site, { file: "exports/production.csv" }),
    message:
      /production\.csv: the file (\S+) is missing\. Correct the path, which is relative to the site file's folder$/,
    async follow({ site }, [, path]) {
      await Deno.mkdir(site.path("exports"));
      await Deno.rename(site.path("production.csv"), path);
    },
  },
  {
    name: "a file of production over the time of another, which is left out",
    async spoil({ site }) {
      await Deno.copyFile(site.path("production.csv"), site.path("again.csv"));
      const { production } = turbineOf(site);
      production.push({ ...production[0], file: "again.csv" });
    },
    message:
      /production\.csv and again\.csv cover the same time, .* Leave out one of these files, or name both files/,
    follow: ({ site }) => void turbineOf(site).production.pop(),
  },
  {
    name: "a file of production over a part of the time of another, which is named beside it",
    async spoil({ site }) {
      const text = await Deno.readTextFile(site.path("production.csv"));
      const [, second] = await split(site, "production.csv", "2023-07-01T00");
      await Deno.writeTextFile(
        site.path("production.csv"),
        rowsBetween(text, "2022-12-31T23", "2023-07-02T00"),
      );
      const { production } = turbineOf(site);
      production.push({ ...production[0], file: second });
    },
    message: /name both files in one entry, "file": \[ … \], so shared rows count only once$/,
    follow({ site }) {
      const [first, second] = turbineOf(site).production;
      turbineOf(site).production = [{ ...first, file: [first.file, second.file].flat() }];
    },
  },
  {
    name: "months of production over the time of hours",
    spoil: ({ site }) => void turbineOf(site).production.push(monthly),
    message: /would count twice\. Leave out one of these files$/,
    follow: ({ site }) => void turbineOf(site).production.pop(),
  },
  {
    name: "rows of several turbines in the file of one",
    async spoil({ site }) {
      await site.editLines("production.csv", ([header, ...rows]) => [
        `${header},unit`,
        ...rows.flatMap((row) => [`${row},WTG 1`, `${row.replace(/,.*/, ",5")},WTG 2`]),
      ]);
      produce(site, { turbine: "unit" });
    },
    message:
      /its rows belong to the turbines .* Declare which of these names the file uses for "E1": ("turbines": \["WTG 1"\])$/,
    follow: ({ site }, [, words]) => produce(site, JSON.parse(`{${words}}`)),
  },
  {
    name: "a column for another turbine",
    spoil: ({ site }) => produce(site, { column: { E2: "power" } }),
    message:
      /the site declares it for "E2", but not for "E1"\. Name the column or the rows of "E1"$/,
    follow: ({ site }) => produce(site, { column: { E1: "power" } }),
  },
  {
    name: "energy in another unit",
    spoil: ({ site }) => produce(site, { unit: "MWh" }),
    message:
      /probably 1000 times too much, such as (\w+) read as MWh\. Check the unit, the rated power/,
    follow: ({ site }, [, unit]) => produce(site, { unit: unit as "kWh" }),
  },
  {
    name: "the total of a park",
    spoil: ({ site }) =>
      site.editColumn("production.csv", "power", (value) => value && `${40 * Number(value)}`),
    message: /probably the total of about (\d+) units\. Check .* the number of units$/,
    follow: ({ site }, [, units]) => void (turbineOf(site).units = Number(units)),
  },
  {
    name: "production of a few days",
    spoil: ({ site }) => site.editLines("production.csv", (lines) => lines.slice(0, 1 + 24 * 20)),
    message:
      /h of production match climate data \(.*\), but the calibration needs at least 672 h\. Give production of more hours/,
    async follow({ site }) {
      const { "production.csv": text } = await wholeExample();
      await Deno.writeTextFile(
        site.path("production.csv"),
        rowsBetween(text, "2022-12-31T23", "2023-12-31T23"),
      );
    },
  },
  {
    name: "climate of another time",
    async spoil({ site }) {
      const { "climate.csv": text } = await wholeExample();
      await Deno.writeTextFile(
        site.path("climate.csv"),
        rowsBetween(text, "2018-12-31T00", "2021-01-01T01"),
      );
    },
    message:
      /production \(.*\) is outside the climate record \(.*\)\. Give climate data for that time$/,
    async follow({ site }) {
      const { "climate.csv": text } = await wholeExample();
      await Deno.writeTextFile(
        site.path("climate.csv"),
        rowsBetween(text, "2022-12-31T00", "2025-01-01T01"),
      );
    },
  },
  {
    name: "a point of climate in two sources",
    async spoil({ site }) {
      const files = await split(site, "climate.csv", "2024-01-01T00");
      const source = climateOf(site);
      site.declared.climate = files.map((file) => ({ ...source, files: [file] }));
    },
    message:
      /the climate point 55\.5, 8 is duplicated\. Name all files of this point in one source$/,
    follow({ site }) {
      const [first, second] = site.declared.climate as ReturnType<typeof climateOf>[];
      site.declared.climate = [{ ...first, files: [...first.files, ...second.files] }];
    },
  },
  {
    name: "a place on the other side of the meridian",
    spoil: ({ site }) => void (turbineOf(site).longitude *= -1),
    message: /km away, more than 50 km\. Check the signs/,
    follow: ({ site }) => void (turbineOf(site).longitude *= -1),
  },
  {
    name: "climate that no longer has the reference period, and is given again",
    async spoil(now) {
      await load(now);
      await now.site.editLines("climate.csv", (lines) => lines.slice(0, 10_000));
    },
    message:
      /some months of this period are incomplete\. Give climate data for all their hours, or recalibrate to choose/,
    async follow({ site }) {
      const { "climate.csv": text } = await wholeExample();
      await Deno.writeTextFile(
        site.path("climate.csv"),
        rowsBetween(text, "2022-12-31T00", "2025-01-01T01"),
      );
    },
  },
  {
    name: "climate that no longer has the reference period, for another one",
    async spoil(now) {
      await load(now);
      await now.site.editLines("climate.csv", (lines) => lines.slice(0, 10_000));
    },
    message: /or recalibrate to choose another period$/,
    follow: ({ options }) => void (options.recalibrate = true),
    ends: 0.1, // 100 % is 2023 alone
  },
  {
    name: "a turbine of another site",
    async spoil(now) {
      await load(now);
      now.site.declared.site = "other";
    },
    message: /the turbine "E1" belongs to the site "example"\. Give the turbine another id$/,
    follow: ({ site }) => void (turbineOf(site).id = "E2"),
  },
  {
    name: "invented figures beside real ones",
    async spoil(now) {
      await load(now);
      now.site.declared.site = "other";
      turbineOf(now.site).id = "E2";
      await now.site.edit("production.csv", (text) => `# SYNTHETIC: a test\n${text}`);
    },
    message:
      /the data already contain real sites\. Import this site into another data directory or database$/,
    follow: ({ options }) => void (options.data = `${options.data}/own`),
  },
  {
    name: "a source of climate without what gets it",
    spoil: ({ site }) =>
      void Object.assign(site.declared, {
        climate: { source: "cds", points: 1, from: "2023" },
        dataset: undefined,
      }),
    message: /importSite\(\) has no function to fetch it\. Give importSite\(\) the function era5/,
    follow({ options }) {
      options.era5 = () => Promise.reject(new VindkitError("Cannot fetch: this is a test"));
    },
    ends: /^Cannot fetch: this is a test$/,
  },
  {
    name: "a zone of Windows",
    spoil: ({ site }) => void (turbineOf(site).time_zone = "Romance Standard Time"),
    message: /is not an IANA time zone\. Give a name like "(Europe\/Copenhagen)"$/,
    follow: ({ site }, [, zone]) => void (turbineOf(site).time_zone = zone),
  },
  {
    name: "two turbines of one id",
    spoil: ({ site }) => void site.declared.turbines.push({ ...turbineOf(site), production: [] }),
    message: /the id "E1" is duplicated\. Give each turbine its own id$/,
    follow: ({ site }) => void (site.declared.turbines[1].id = "E2"),
  },
  {
    name: "a dataset in two climates",
    spoil: ({ site }) => {
      const { dataset, climate } = site.declared;
      site.declared.other_reanalyses = [{ dataset, climate }];
    },
    message: /is duplicated\. Name all files of a dataset in one climate$/,
    follow: ({ site }) => void delete site.declared.other_reanalyses,
  },
  {
    name: "days that end before they begin",
    spoil: ({ site }) =>
      void (turbineOf(site).exclude = [{
        from: "2025-02-02",
        to: "2025-02-01",
        reason: "service",
      }]),
    message: /is before "from", "2025-02-02"\. Give the last day, which is included$/,
    follow: ({ site }) => void Object.assign(turbineOf(site).exclude[0], { to: "2025-02-02" }),
  },
];

describe("advice in messages of an import", () => {
  let good: number;
  const run = async (body: (now: Case) => Promise<void>) => {
    const site = await makeSite();
    const data = await Deno.makeTempDir();
    try {
      await body({ site, options: { data } });
    } finally {
      await Deno.remove(site.folder, { recursive: true });
      await Deno.remove(data, { recursive: true });
    }
  };
  beforeAll(() =>
    run(async (now) => {
      await load(now);
      good = await readEnergy(now, "E1");
    })
  );

  for (const { name, spoil, message, follow, ends = 0 } of advice) {
    it(`SI4: helps with ${name}`, async () => {
      await run(async (now) => {
        await spoil(now);
        const { message: text } = await assertRejects(() => load(now), VindkitError);
        assertMatch(text, message);
        await follow(now, message.exec(text)!);
        if (ends instanceof RegExp) {
          const next = await assertRejects(() => load(now), VindkitError);
          assertMatch(next.message, ends);
          return;
        }
        await load(now);
        const { id } = turbineOf(now.site);
        assertAlmostEquals(await readEnergy(now, id), good, ends * good + 1e-9 * good);
      });
    });
  }
});
