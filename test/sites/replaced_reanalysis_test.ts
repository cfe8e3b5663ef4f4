/**
 * The life of preliminary reanalysis, from import to report: hours of it make a month preliminary, the record grows, the
 * hours are replaced. Only the figures that they are part of change, and what was published stays readable.
 *
 * @module
 */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { formatImport } from "../../src/sites/fleet/format_import.ts";
import type { ImportResult } from "../../src/sites/fleet/store_site.ts";
import { importFile, makeSite, rowsBetween, type TestSite, wholeExample } from "./_site.ts";
import {
  all,
  mapRevisions,
  mapStates,
  monthsBetween,
  type PublishedFigures,
  readPublished,
  reportPath,
  withAsk,
} from "../service/_published.ts";

const START = "2021-12-31T00";

/** Hours that are preliminary at first: the second half of August 2023 and the first days of September. */
const isPreliminary = (stamp: string) => stamp >= "2023-08-15T00" && stamp < "2023-09-10T00";

/** Writes the climate up to a stamp, with the mark of preliminary hours. */
async function writeClimate(
  site: TestSite,
  end: string,
  row: (stamp: string, fields: string[]) => { fields: string[]; preliminary: boolean },
): Promise<void> {
  const text = rowsBetween((await wholeExample())["climate.csv"], START, end);
  const [header, ...rows] = text.trimEnd().split("\n");
  const lines = rows.map((line) => {
    const { fields, preliminary } = row(line.slice(0, 16), line.split(","));
    return [...fields, preliminary ? 1 : 0].join(",");
  });
  await Deno.writeTextFile(
    site.path("climate.csv"),
    [`${header},expver`, ...lines, ""].join("\n"),
  );
}

/** As it comes at first. */
const atFirst = (stamp: string, fields: string[]) => ({
  fields,
  preliminary: isPreliminary(stamp),
});

/** The preliminary hours replaced: the wind is a fifth stronger, and nothing is preliminary any more. */
function replaced(stamp: string, fields: string[]) {
  const stronger = fields.map((value, i) =>
    i === 1 || i === 3 ? (1.2 * Number(value)).toFixed(3) : value
  );
  return { fields: isPreliminary(stamp) ? stronger : fields, preliminary: false };
}

interface Step {
  readonly result: ImportResult;
  readonly account: string;
  readonly published: PublishedFigures;
}

describe("preliminary reanalysis", () => {
  let data: string;
  let first: Step; // climate to the end of 2023
  let grown: Step; // a month more
  let whole: Step; // to the end of 2024
  let final: Step; // its hours replaced

  beforeAll(async () => {
    data = await Deno.makeTempDir();
    // Production of 2023: the replaced hours are in the training window.
    const site = await makeSite({ climate: [START, "2024-01-01T00"] });
    site.declared.climate[0].variables!.preliminary = { column: "expver" };
    const step = async (end: string, row: typeof atFirst): Promise<Step> => {
      await writeClimate(site, end, row);
      const result = await importFile(await site.siteFile(), data);
      return { result, account: formatImport(result), published: await readPublished(data) };
    };
    try {
      first = await step("2024-01-01T00", atFirst);
      grown = await step("2024-02-01T00", atFirst);
      whole = await step("2025-01-01T00", atFirst);
      final = await step("2025-01-01T00", replaced);
    } finally {
      await Deno.remove(site.folder, { recursive: true });
    }
  });
  afterAll(async () => await Deno.remove(data, { recursive: true }));

  const before2024 = monthsBetween("2022-01", "2023-12");
  const everyMonth = monthsBetween("2022-01", "2024-12");
  /** Months with the replaced hours in their own, their last twelve months, quarter or year. */
  const concerned = new Set([
    ...monthsBetween("2023-08", "2023-09"), // their own hours
    ...monthsBetween("2023-08", "2024-08"), // the last twelve months
    ...monthsBetween("2023-09", "2023-11"), // the third quarter
    ...monthsBetween("2023-12", "2024-11"), // the year 2023
  ]);
  const others = everyMonth.filter((month) => !concerned.has(month));

  it("makes the months preliminary in which it has an hour, and no other", () => {
    const states = { ...all(before2024, "final"), ...all(["2023-08", "2023-09"], "preliminary") };
    assertEquals(mapStates(first.published), states);
    for (const [month, status] of Object.entries(states)) {
      assertEquals(first.published.table.get(month)!.status, status, month);
      assertEquals(first.published.records.get(month)!.status, status, month);
      assertEquals(first.published.reports.get(month)!.status, status, month);
    }
    assertEquals(mapRevisions(first.published), all(before2024, 1));
  });

  it("leaves the latest whole year out of the reference period", () => {
    for (const { published } of [first, grown, whole, final]) {
      assertEquals(published.turbine.calibration!.referenceYears, [2022]);
      const { first_year, last_year } = published.reports.get("2023-12")!.reference_period;
      assertEquals([first_year, last_year], [2022, 2022]);
    }
  });

  it("adds a month when the record grows by one, and changes nothing of what was published", () => {
    assertEquals(mapRevisions(grown.published), all([...before2024, "2024-01"], 1));
    for (const [name, report] of first.published.revisions) {
      assertEquals(grown.published.revisions.get(name), report, name);
    }
    for (const [month, row] of first.published.table) {
      assertEquals(grown.published.table.get(month), row, month);
    }
    assertEquals(grown.result.revised, new Map([["E1", { own: [], trailing: 0 }]]));
  });

  it("lets the last wind index follow the record", () => {
    const last = ({ published: { details, lastReport } }: Step) => [
      details.data_ready,
      details.last_wind_index,
      lastReport,
    ];
    assertEquals(last(first), [true, { month: 12, year: 2023 }, "2023-12"]);
    assertEquals(last(grown), [true, { month: 1, year: 2024 }, "2024-01"]);
    assertEquals(last(whole), [true, { month: 12, year: 2024 }, "2024-12"]);
    assertEquals(last(final), last(whole));
  });

  it("gives the months that replaced hours are part of a second revision, and no other", () => {
    assertEquals(mapRevisions(whole.published), all(everyMonth, 1));
    assertEquals(mapRevisions(final.published), {
      ...all(everyMonth, 1),
      ...all([...concerned], 2),
    });
    const own = ["2023-08", "2023-09"];
    const trailing = concerned.size - own.length;
    assertEquals(final.result.revised, new Map([["E1", { own, trailing }]]));
    assertStringIncludes(
      final.account,
      `\n  published months with a new revision: ${concerned.size}; ` +
        `with a new energy: 2023-08, 2023-09; ${trailing} with a new status or a new figure of twelve months`,
    );
  });

  it("makes every month final once its hours are replaced", () => {
    assertEquals(mapStates(final.published), all(everyMonth, "final"));
    assertEquals(final.published.reports.get("2023-08")!.status, "final");
  });

  it("changes the figures that the hours are part of, and leaves the others to the last bit", () => {
    const changed = (month: string) => {
      const [old, now] = [whole, final].map(({ published }) => published.table.get(month)!);
      return Object.keys(old).filter((name) => old[name] !== now[name]);
    };
    const interval = ["predicted_production_low", "predicted_production_high"];
    const own = ["month_index", "month_abnormality_index", "last12_month_index"];
    assertEquals(
      changed("2023-08").sort(),
      [...own, "predicted_production", "status", "revision", ...interval].sort(),
    );
    assertEquals(
      changed("2023-09").sort(),
      [...own, "predicted_production", "last_full_quarter_index", "status", "revision", ...interval]
        .sort(),
    );
    const figuresOf = (month: string) =>
      changed(month).filter((name) => name !== "revision" && !interval.includes(name)).sort();
    assertEquals(figuresOf("2023-11"), ["last12_month_index", "last_full_quarter_index"]);
    assertEquals(figuresOf("2023-12"), ["last12_month_index", "last_full_year_index"]);
    assertEquals(figuresOf("2024-08"), ["last12_month_index", "last_full_year_index"]);
    assertEquals(figuresOf("2024-11"), ["last_full_year_index"]);
    for (const month of others) assertEquals(changed(month), [], month);
    // A fifth more wind in them is more energy.
    const index = ({ published }: Step) => Number(published.table.get("2023-08")!.month_index);
    assert(index(final) > 1.05 * index(whole));
  });

  it("does not change a published report in any field", () => {
    for (const month of everyMonth) {
      const old = whole.published.reports.get(month);
      assertEquals(final.published.revisions.get(`${month} 1`), old, month);
    }
  });

  it("gives the new report without a revision, and with -1", async () => {
    await withAsk(data, async (ask) => {
      for (const month of ["2023-08", "2024-11"]) {
        const [latest, second, old] = await Promise.all(
          [-1, 2, 1].map(async (revision) =>
            await (await ask(reportPath("E1", month, revision))).json()
          ),
        );
        assertEquals(latest, second);
        assertEquals([latest.revision, old.revision], [2, 1]);
        assertNotEquals(latest.indices, old.indices);
        assertEquals((await ask(reportPath("E1", month, 3))).status, 404);
      }
    });
  });

  it("has in the history of each report the figures of its time", () => {
    const history = ({ published }: Step, name: string) =>
      published.revisions.get(name)!.history.map(({ period, revision, status }) => [
        period,
        revision,
        status,
      ]);
    const span = monthsBetween("2023-02", "2024-01");
    assertEquals(
      history(final, "2024-01 1"),
      span.map((month) => [
        month,
        1,
        month === "2023-08" || month === "2023-09" ? "preliminary" : "final",
      ]),
    );
    assertEquals(
      history(final, "2024-01 2"),
      span.map((month) => [month, concerned.has(month) ? 2 : 1, "final"]),
    );
    for (const [name, { history, period, indices, revision }] of final.published.revisions) {
      const own = history.at(-1)!;
      assertEquals([own.period, own.revision], [period, revision], name);
      assertEquals(own.last12_month_index, indices.last12_month_index, name);
    }
  });

  it("refits nothing: the calibration is kept, though the hours are in its training window", () => {
    for (const { result, published, account } of [grown, whole, final]) {
      assertEquals(result.turbines[0].outcome, "unchanged");
      assertEquals(published.turbine.calibration, first.published.turbine.calibration);
      assertEquals(new Set(published.months.map((month) => month.calibration)), new Set([1]));
      assert(account.includes("\n  calibration 1 is kept, because "), account);
    }
    assertEquals(first.result.turbines[0].outcome, "first");
    assert(!first.account.includes("is kept"), first.account);
    assertEquals(
      [first, grown, whole, final].map(({ published }) => published.turbine.edition),
      [1, 2, 3, 4],
    );
  });
});

describe("reanalysis whose latest months are preliminary", () => {
  it("settles month by month: those after a settled one have new figures and stay preliminary", async () => {
    const data = await Deno.makeTempDir();
    const site = await makeSite();
    site.declared.climate[0].variables!.preliminary = { column: "expver" };
    /** The climate to the end of a month; hours from `unsettled` on are preliminary and a little too strong. */
    const step = async (end: string, unsettled: string): Promise<PublishedFigures> => {
      await writeClimate(site, end, (stamp, fields) => {
        const preliminary = stamp >= unsettled;
        const wind = (value: string) => (1.03 * Number(value)).toFixed(3);
        return {
          fields: fields.map((value, i) =>
            preliminary && (i === 1 || i === 3) ? wind(value) : value
          ),
          preliminary,
        };
      });
      await importFile(await site.siteFile(), data);
      return await readPublished(data);
    };
    const latest = ({ months }: PublishedFigures) =>
      months.filter(({ year, month }) => year === 2024 && month > 1)
        .map(({ month, status, revision }) => [month, status, revision]);
    try {
      // Stamps are UTC: local months begin an hour or two before.
      const march = await step("2024-04-01T00", "2024-02-01T00");
      assertEquals(latest(march), [[2, "preliminary", 1], [3, "preliminary", 1]]);
      const april = await step("2024-05-01T00", "2024-03-01T00");
      assertEquals(latest(april), [
        [2, "final", 2],
        [3, "preliminary", 2], // its last twelve months and its quarter contain February
        [4, "preliminary", 1],
      ]);
      const may = await step("2024-06-01T00", "2024-04-01T00");
      assertEquals(latest(may), [
        [2, "final", 2],
        [3, "final", 3],
        [4, "preliminary", 2],
        [5, "preliminary", 1],
      ]);
      for (const [name, report] of april.revisions) {
        assertEquals(may.revisions.get(name), report, name);
      }
      assertEquals(may.turbine.calibration, march.turbine.calibration);
      const unchanged = monthsBetween("2022-01", "2023-12");
      for (const month of unchanged) assertEquals(may.table.get(month), march.table.get(month));
    } finally {
      await Deno.remove(site.folder, { recursive: true });
      await Deno.remove(data, { recursive: true });
    }
  });
});

describe("a turbine", () => {
  it("is ready once it has production, and not before", async () => {
    const data = await Deno.makeTempDir();
    const site = await makeSite();
    try {
      const { production } = site.declared.turbines[0];
      site.declared.turbines[0].production = [];
      await importFile(await site.siteFile(), data);
      const empty = await readPublished(data);
      assertEquals([empty.details.data_ready, empty.details.last_wind_index], [false, null]);
      assertEquals([empty.details.training_start, empty.lastReport], [null, undefined]);
      site.declared.turbines[0].production = production;
      await importFile(await site.siteFile(), data);
      const { details, lastReport, turbine } = await readPublished(data);
      assertEquals([details.data_ready, details.last_wind_index], [true, {
        month: 12,
        year: 2024,
      }]);
      assertEquals([lastReport, turbine.edition], ["2024-12", 2]);
    } finally {
      await Deno.remove(site.folder, { recursive: true });
      await Deno.remove(data, { recursive: true });
    }
  });
});
