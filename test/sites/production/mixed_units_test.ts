/**
 * Production with a part in another unit: the import rejects it and names the part, the factor and the unit. Following
 * the remedy gives the calibration of the clean record.
 *
 * @module
 */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import type { ImportResult } from "../../../src/sites/fleet/store_site.ts";
import type { SiteFile } from "../../../src/sites/declaration/site_file.ts";
import { factorOf, importFile, makeSite, type TestSite } from "../_site.ts";

/** Two years in local time, the climate with a margin. */
const SPANS = {
  climate: ["2021-12-31T00", "2024-01-02T00"],
  production: ["2021-12-31T23", "2023-12-31T23"],
} as const;

type Entry = NonNullable<SiteFile["turbines"][number]["production"]>[number];
type Row = readonly [time: string, value: number | null];

const entryOf = ({ declared }: TestSite) => declared.turbines[0].production![0];

async function withYears(body: (site: TestSite, rows: readonly Row[]) => Promise<void>) {
  const site = await makeSite(SPANS);
  try {
    const [, ...lines] = (await Deno.readTextFile(site.path("production.csv"))).trim().split("\n");
    const rows = lines.map((line): Row => {
      const [stamp, power] = line.split(",");
      return [stamp, power === "" ? null : Number(power)];
    });
    await body(site, rows);
  } finally {
    await Deno.remove(site.folder, { recursive: true });
  }
}

async function importSite(site: TestSite): Promise<ImportResult> {
  const data = await Deno.makeTempDir();
  try {
    return await importFile(await site.siteFile(), data);
  } finally {
    await Deno.remove(data, { recursive: true });
  }
}

const messageOf = (site: TestSite) =>
  importSite(site).then(() => "nothing was refused", ({ message }: Error) => message);

const clock = (stamp: string) =>
  Temporal.Instant.from(stamp).toZonedDateTimeISO("Europe/Copenhagen");

/** Computes the energies of the local months, MWh. */
function sumMonths(rows: readonly Row[]): Row[] {
  const months = Map.groupBy(
    rows,
    ([stamp]) => clock(stamp).toPlainDate().toPlainYearMonth().toString(),
  );
  return [...months].map(([month, hours]) =>
    [month, hours.reduce((sum, [, power]) => sum + (power ?? 0), 0) / 1000] as const
  );
}

/** Splits each hour into six rows of ten minutes with the same mean. */
const splitHours = (rows: readonly Row[]) =>
  rows.flatMap(([stamp, power]) =>
    Array.from({ length: 6 }, (_, i): Row => [
      Temporal.Instant.from(stamp).add({ minutes: 10 * i }).toString(),
      power && power * (1 + (i - 2.5) / 100),
    ])
  );

const MONTHS = { column: "value", time: "time", resolution: "month", unit: "MWh" } as const;
const HOURS = {
  column: "value",
  time: "time",
  resolution: "hour",
  unit: "kW",
  time_zone: "UTC",
} as const;
const STEPS = { ...HOURS, resolution: "10min" } as const;

/** A record with a part in another unit. */
interface Mixture {
  readonly name: string;
  readonly rows: (hours: readonly Row[]) => Row[];
  readonly how: Omit<Entry, "file">;
  /** Converts the value of a row to its actual unit. */
  readonly change: (value: number, time: string) => number;
  /** Parts of the message. */
  readonly says: readonly RegExp[];
  /** Whether a row has the undeclared unit. */
  readonly wrong: (time: string) => boolean;
}

const isIn = (time: string, from: string, to: string) => time >= from && time < to;

const mix = (
  name: string,
  how: Mixture["how"],
  wrong: (time: string) => boolean,
  factor: number,
  ...says: RegExp[]
): Mixture => ({
  name,
  rows: how.resolution === "month"
    ? sumMonths
    : how.resolution === "10min"
    ? splitHours
    : (rows) => [...rows],
  how,
  wrong,
  change: (value, time) => wrong(time) ? value * factor : value,
  says,
});

const four = (time: string) => isIn(time, "2023-03", "2023-07");
const scattered = (time: string) => ["2022-02", "2022-09", "2023-05", "2023-06"].includes(time);
const two = (time: string) => isIn(time, "2022-10", "2022-12");
const one = (time: string) => time === "2022-11";
const first = (time: string) => time < "2023";
const most = (time: string) => !isIn(time, "2022-04", "2022-07");
const spring = (time: string) => isIn(time, "2023-04-01", "2023-06-01");
const midday = (time: string) => isIn(time, "2022-03-14T12", "2022-07-20T15");

const mixtures: readonly Mixture[] = [
  mix(
    "four months in kWh among MWh",
    MONTHS,
    four,
    1000,
    /Cannot use the production of E1: 2023-03 to 2023-06 \(4 of 24 months\) are about 1000 times too large, and the rest is not: probably in kWh\. /,
  ),
  mix(
    "four scattered months in kWh",
    MONTHS,
    scattered,
    1000,
    /2022-02, 2022-09 and 2023-05 to 2023-06 \(4 of 24 months\)/,
  ),
  mix(
    "two months in GWh",
    MONTHS,
    two,
    0.001,
    /2022-10 to 2022-11 \(2 of 24 months\) are about 1000 times too small.* probably in GWh/,
  ),
  mix(
    "one month in kWh",
    MONTHS,
    one,
    1000,
    /2022-11 \(1 of 24 months\) is about 1000 times too large/,
  ),
  mix("a first year in kWh", MONTHS, first, 1000, /2022-01 to 2022-12 \(12 of 24 months\)/),
  mix(
    "most months in kWh",
    MONTHS,
    most,
    1000,
    /2022-01 to 2022-03 and 2022-07 to 2023-12 \(21 of 24 months\).* the rest, 2022-04 to 2022-06, is not: probably in kWh/,
  ),
  mix(
    "four months in MWh among kWh",
    { ...MONTHS, unit: "kWh" },
    (time) => !four(time),
    1000,
    /2023-03 to 2023-06 \(4 of 24 months\) are about 1000 times too small.* probably in MWh/,
  ),
  mix(
    "two months of hours in MW among kW",
    HOURS,
    spring,
    0.001,
    /2023-04-01 to 2023-05-31|2023-04 to 2023-05/,
    /times too small, .* probably in MW\. /,
  ),
  mix(
    "two months of hours in kW among MW",
    { ...HOURS, unit: "MW" },
    (time) => !spring(time),
    0.001,
    /times too large, .* probably in kW\. /,
  ),
  mix(
    "most hours in MW",
    HOURS,
    (time) => !spring(time),
    0.001,
    /the rest, 2023-04 to 2023-05, is not: probably in MW/,
  ),
  mix("a first year of hours in MW", HOURS, first, 0.001, /times too small/),
  mix(
    "hours in MW from a midday on to another",
    HOURS,
    midday,
    0.001,
    /2022-03-14T12:00 to 2022-07-20T14:00/,
  ),
  mix(
    "ten minutes in kWh among kW",
    STEPS,
    spring,
    1 / 6,
    /about 6 times too small.* probably in kWh\. /,
  ),
  mix(
    "ten minutes in kW among kWh",
    { ...STEPS, unit: "kWh" },
    (time) => !first(time),
    1 / 6,
    /about 6 times too large.* probably in kW\. /,
  ),
];

/** Writes the rows of a mixture. */
async function write(site: TestSite, mixture: Mixture, hours: readonly Row[]) {
  const lines = mixture.rows(hours).map(([time, value]) =>
    `${time.replace("Z", "")},${
      value === null ? "" : Number(mixture.change(value, time).toPrecision(9))
    }`
  );
  await Deno.writeTextFile(site.path("production.csv"), ["time,value", ...lines, ""].join("\n"));
  site.declared.turbines[0].production = [{ file: "production.csv", ...mixture.how }] as Entry[];
}

describe("SI3 an import of production with a part in another unit", () => {
  const clean = new Map<string, ImportResult>();

  beforeAll(async () => {
    await withYears(async (site, hours) => {
      for (const how of [MONTHS, HOURS]) {
        await write(site, mix("clean", how, () => false, 1), hours);
        clean.set(how.resolution, await importSite(site));
      }
    });
    for (const { turbines: [{ doubts }] } of clean.values()) {
      assertEquals(doubts.filter(({ text }) => text.includes("times too")), []);
    }
  });

  for (const mixture of mixtures) {
    it(`SI3 names ${mixture.name}, and following its remedy gives the index of the clean record`, async () => {
      await withYears(async (site, hours) => {
        await write(site, mixture, hours);
        const message = await messageOf(site);
        for (const words of mixture.says) assertMatch(message, words);
        assertStringIncludes(message, "Give its production entry the unit of th");
        const [, advice] = /"other_units": (\[.*?\])/.exec(message)!;
        Object.assign(entryOf(site), { other_units: JSON.parse(advice) });
        const result = await importSite(site);
        const wanted = clean.get(mixture.how.resolution === "month" ? "month" : "hour")!;
        assertAlmostEquals(factorOf(result), factorOf(wanted), 1e-6);
        assertEquals(
          result.turbines[0].production!.validHours,
          wanted.turbines[0].production!.validHours,
        );
      });
    });
  }

  it("SI3 reports that a single small month may be a standstill, leaves it out, and lists it to check", async () => {
    await withYears(async (site, hours) => {
      await write(site, mix("one in GWh", MONTHS, one, 0.001), hours);
      const { turbines: [{ doubts, findings }] } = await importSite(site);
      const [doubt, ...others] = doubts.filter(({ text }) => text.includes("times too small"));
      assertEquals(others, []);
      assertMatch(doubt.text, /^2022-11 \(1 of 24 months\) is about 1000 times too small/);
      assertMatch(
        doubt.text,
        /If the turbine stood still then, exclude these days\. The fit excludes them\.$/,
      );
      assertEquals(findings.filter((line) => line.startsWith("standstill")), []);
      site.declared.turbines[0].exclude = [
        { from: "2022-11-01", to: "2022-11-30", reason: "standstill" },
      ];
      const repeated = (await importSite(site)).turbines[0];
      assertEquals(repeated.doubts.filter(({ text }) => text.includes("times too")), []);
    });
  });

  it("SI3 rejects hours at a sixth, and gives the index of the clean record once they are corrected", async () => {
    await withYears(async (site, hours) => {
      await write(site, mix("a sixth", HOURS, spring, 1 / 6), hours);
      const message = await messageOf(site);
      assertMatch(
        message,
        /about 6 times too small.*probably energies of 10 minutes read as powers/,
      );
      assertMatch(message, /Ask for the original records, and correct these values in the file$/);
      await write(site, mix("clean", HOURS, () => false, 1), hours);
      assertEquals(factorOf(await importSite(site)), factorOf(clean.get("hour")!));
    });
  });

  it("SI3 distinguishes months of six times the others from a park", async () => {
    await withYears(async (site, hours) => {
      await write(site, mix("six times", MONTHS, four, 6), hours);
      const message = await messageOf(site);
      assertMatch(
        message,
        /capacity factor of \d+\.\d %.* 2023-03 to 2023-06 \(4 of 24 months\) are about \d(\.\d)? times too large, and the rest is not/,
      );
    });
  });

  const faults: readonly [
    string,
    Omit<Entry, "file">,
    (value: number, time: string, i: number) => number,
  ][] = [
    ["a standstill of two months", HOURS, (value, time) => spring(time) ? 0 : value],
    [
      "a standstill with noise",
      HOURS,
      (value, time, i) => spring(time) ? 0.3 + (i * 379 % 97) / 97 : value,
    ],
    ["consumption", HOURS, (value, time, i) => spring(time) ? -3 - i % 5 : value],
    [
      "a limit at a sixth of the power",
      HOURS,
      (value, time) => spring(time) ? Math.min(value, 2300 / 6) : value,
    ],
    [
      "a limit at a quarter of the power",
      HOURS,
      (value, time) => first(time) ? Math.min(value, 2300 / 4) : value,
    ],
    ["months of standstill", MONTHS, (value, time) => two(time) ? 0 : value],
    [
      "a month in which it began",
      MONTHS,
      (value, time) => time === "2022-01" ? value * 0.02 : value,
    ],
    ["two months with a day of power", MONTHS, (value, time) => two(time) ? value / 60 : value],
  ];
  for (const [name, how, change] of faults) {
    it(`SI3 does not mistake ${name} for another unit`, async () => {
      await withYears(async (site, hours) => {
        let row = 0;
        const changed = {
          ...mix(name, how, () => false, 1),
          change: (value: number, time: string) => change(value, time, row++),
        };
        await write(site, changed, hours);
        const { turbines: [{ doubts, findings }] } = await importSite(site);
        assertEquals(doubts.filter(({ text }) => text.includes("times too")), []);
        assert(findings.every((line) => !line.includes("times too")));
      });
    });
  }
});
