import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HOUR } from "../../../src/time/hourly.ts";
import { Neighbourhood } from "../../../src/sites/production/neighbour_production.ts";
import type { SiteData } from "../../../src/sites/site_data.ts";
import { checkProduction } from "../../../src/sites/production/training_inputs.ts";
import type {
  HourlyProduction,
  Production,
} from "../../../src/windindex/calibration/production.ts";
import type { Turbine } from "../../../src/windindex/turbine/turbine.ts";
import type { ImportResult } from "../../../src/sites/fleet/store_site.ts";
import { factorOf, importFile, type TestSite, withSite } from "../_site.ts";
import { readPublished } from "../../service/_published.ts";
import { turbine } from "../_turbine.ts";

const START = Date.UTC(2023, 0, 1);

/** A degree of latitude, km. */
const DEGREE = 6371 * Math.PI / 180;

function turbineAt(id: string, kilometres = 0, changes: Partial<Turbine> = {}): Turbine {
  const latitude = 55 + kilometres / DEGREE;
  return { ...turbine, id, name: id, latitude, timeZone: "UTC", ...changes };
}

/** Builds power that changes every hour, between 30 and 90 % of rated power, `later` hours after the start of 2023. */
function hours(count: number, later = 0, rated = 1000): HourlyProduction {
  return {
    kind: "hourly",
    axis: { start: START + later * HOUR, length: count },
    power: Float64Array.from({ length: count }, (_, i) => rated * (0.3 + (i * 379 % 601) / 1000)),
  };
}

const months: Production = {
  kind: "periods",
  periods: [{ label: "2023-01", start: START, end: START + 744 * HOUR, energy: 2e5 }],
};

function buildSite(entries: readonly [Turbine, readonly Production[]][]): SiteData {
  return {
    site: "s",
    fingerprint: "",
    world: "own",
    reanalyses: [],
    turbines: entries.map(([turbine, production]) => ({ turbine, production, exclusions: [] })),
  };
}

/** Lists the masked hours of the first turbine next to the others. */
function listIdle(entries: readonly [Turbine, readonly Production[]][]): number[] {
  const [[turbine, production]] = entries;
  const neighbours = new Neighbourhood(buildSite(entries)).findNearest(0);
  const { inputs } = checkProduction(production, turbine, [], neighbours);
  return [...inputs[0].masked!].flatMap((flag, i) => flag === 1 ? [i] : []);
}

/** Builds hours, some of them at standstill. */
function stopped(count: number, from: number, to: number): HourlyProduction {
  const production = hours(count);
  production.power.fill(0, from, to);
  return production;
}

describe("Neighbourhood", () => {
  it("is the nearest eight within 20 km, nearest first, in any order of the site file", () => {
    const distances = [19.9, 3, 12, 1, 20.1, 7, 15, 2, 9, 30, 11, 5];
    const entries = distances.map((away, i): [Turbine, Production[]] => [
      turbineAt(`N${away}`, away, { ratedPower: 1000 + away }),
      [hours(10 + i)],
    ]);
    const tested: [Turbine, Production[]] = [turbineAt("T"), [hours(10)]];
    const site = buildSite([...entries.slice(0, 5), tested, ...entries.slice(5)]);
    assertEquals(
      new Neighbourhood(site).findNearest(5).map(({ ratedPower }) => ratedPower - 1000),
      [1, 2, 3, 5, 7, 9, 11, 12],
    );
  });

  it("has no turbine farther than 20 km", () => {
    const entries: [Turbine, Production[]][] = [
      [turbineAt("T"), [hours(10)]],
      [turbineAt("A", 19.99), [hours(11)]],
      [turbineAt("B", 20.01), [hours(12)]],
    ];
    assertEquals(
      new Neighbourhood(buildSite(entries)).findNearest(0).map(({ production }) =>
        production.power.length
      ),
      [
        11,
      ],
    );
  });

  it("has only turbines with hourly production, without their monthly production", () => {
    const entries: [Turbine, Production[]][] = [
      [turbineAt("T"), [hours(10)]],
      [turbineAt("A", 1), [months]],
      [turbineAt("B", 2), []],
      [turbineAt("C", 3), [months, hours(13)]],
      [turbineAt("D", 4), [hours(14), hours(15, 100.5)]], // two clocks, not joined
    ];
    assertEquals(
      new Neighbourhood(buildSite(entries)).findNearest(0).map(({ production }) =>
        production.power.length
      ),
      [13, 14, 15],
    );
  });

  it("is empty for a turbine without neighbours", () => {
    assertEquals(new Neighbourhood(buildSite([[turbineAt("T"), [hours(10)]]])).findNearest(0), []);
  });

  it("has all other turbines for each, even at the same place", () => {
    const entries: [Turbine, Production[]][] = [
      [turbineAt("A"), [hours(10)]],
      [turbineAt("B"), [hours(11)]],
    ];
    const lengths = (position: number) =>
      new Neighbourhood(buildSite(entries)).findNearest(position).map(({ production }) =>
        production.power.length
      );
    assertEquals([lengths(0), lengths(1)], [[11], [10]]);
  });
});

describe("checkProduction() with neighbours", () => {
  const neighbour = turbineAt("N", 1);

  it("masks hours in which neighbours ran and the turbine did not", () => {
    assertEquals(listIdle([[turbineAt("T"), [stopped(200, 50, 56)]], [neighbour, [hours(200)]]]), [
      50,
      51,
      52,
      53,
      54,
      55,
    ]);
  });

  it("masks nothing if the neighbours were at standstill too, or have no value", () => {
    const tested: [Turbine, Production[]] = [turbineAt("T"), [stopped(200, 50, 56)]];
    assertEquals(listIdle([tested, [neighbour, [stopped(200, 50, 56)]]]), []);
    assertEquals(listIdle([tested]), []);
  });

  for (const later of [40, -100, 0]) {
    it(`aligns production that begins ${later} h later`, () => {
      const tested = stopped(200, 50, 56);
      const other = hours(400, later);
      other.power[52 - later] = 0; // the neighbour was at standstill too
      assertEquals(listIdle([[turbineAt("T"), [tested]], [neighbour, [other]]]), [
        50,
        51,
        53,
        54,
        55,
      ]);
    });
  }

  it("judges only the hours that a neighbour has", () => {
    const tested = stopped(200, 50, 56);
    assertEquals(listIdle([[turbineAt("T"), [tested]], [neighbour, [hours(400, 53)]]]), [
      53,
      54,
      55,
    ]);
    assertEquals(listIdle([[turbineAt("T"), [tested]], [neighbour, [hours(53)]]]), [50, 51, 52]);
    assertEquals(listIdle([[turbineAt("T"), [tested]], [neighbour, [hours(50, 300)]]]), []);
  });

  it("does not compare hours that differ by half an hour", () => {
    assertEquals(
      listIdle([[turbineAt("T"), [stopped(200, 50, 56)]], [neighbour, [hours(200, 0.5)]]]),
      [],
    );
  });

  it("compares each with its rated power: 8 % of a large turbine is no sign of wind at a small one", () => {
    const large = turbineAt("L", 1, { ratedPower: 10_000 });
    const weak = hours(200, 0, 10_000);
    weak.power.forEach((_, i) => weak.power[i] = 800 - 30 * (i % 5));
    const tested: [Turbine, Production[]] = [turbineAt("T"), [stopped(200, 50, 56)]];
    assertEquals(listIdle([tested, [large, [weak]]]), []);
    weak.power.forEach((value, i) => weak.power[i] = 1.5 * value);
    assertEquals(listIdle([tested, [large, [weak]]]).length, 6);
  });
});

describe("an import of neighbouring turbines", () => {
  const STOP = ["2023-02-10T00", "2023-02-12T00"] as const; // 48 h: too short for an outage without neighbours

  /** Adds a second turbine like the first, with separate production; the first is at standstill for two days. */
  async function standTogether(site: TestSite, units = 1): Promise<void> {
    const [first] = site.declared.turbines;
    const file = "beside.csv";
    await Deno.copyFile(site.path("production.csv"), site.path(file));
    await site.editColumn(file, "power", (value) => value && `${0.97 * units * Number(value)}`);
    site.declared.turbines.push({
      ...first,
      id: "E2",
      latitude: first.latitude + 0.01,
      units,
      production: [{ ...first.production[0], file }],
    });
    await site.editLines(
      "production.csv",
      (lines) =>
        lines.map((line) =>
          line >= STOP[0] && line < STOP[1] ? line.replace(/,.*/, ",-3.5") : line
        ),
    );
  }

  async function importPlain(): Promise<ImportResult> {
    let result: ImportResult;
    await withSite(async (site, data) => {
      result = await importFile(await site.siteFile(), data);
    });
    return result!;
  }

  for (const [label, units] of [["a turbine", 1], ["a park of 30 units", 30]] as const) {
    it(`masks a standstill while ${label} nearby ran, and says so in the report`, async () => {
      const plain = factorOf(await importPlain());
      await withSite(async (site, data) => {
        await standTogether(site, units);
        const result = await importFile(await site.siteFile(), data);
        assertAlmostEquals(factorOf(result), plain, 0.003);
        const { reports } = await readPublished(data);
        const { findings } = reports.get("2024-05")!.calibration;
        const idle = findings.find((line) => line.startsWith("idle, "))!;
        // Hours in which the other turbine had little wind do not count.
        const [, reported] = /^idle, \d+ h: 2023-02 \((\d+) h\)[,.]/.exec(idle)!.map(Number);
        assert(reported >= 30 && reported <= 50, idle);
        assert(
          idle.endsWith(
            "why the turbine was stopped while its neighbours ran. The fit excludes them.",
          ),
          idle,
        );
        assertEquals(result.turbines[1].findings.some((line) => line.startsWith("idle")), false);
      });
    });
  }

  it("fits a standstill if no neighbour is near enough", async () => {
    const plain = await importPlain();
    await withSite(async (site, data) => {
      await standTogether(site);
      site.declared.turbines[1].latitude += 0.3; // 33 km
      const result = await importFile(await site.siteFile(), data);
      assertEquals(result.turbines[0].findings.some((line) => line.startsWith("idle")), false);
      const [hours, all] = [result, plain].map((result) =>
        result.turbines[0].calibration!.calibration.hours
      );
      assertEquals(hours, all);
      assert(factorOf(result) < factorOf(plain), `${factorOf(result)} of ${factorOf(plain)}`);
    });
  });
});
