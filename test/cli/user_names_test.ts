/**
 * SV4: names that every object of JavaScript knows, as names of a site, of its turbines, owners and columns: the whole
 * way from files to a report.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { monthlyIndices, readProduction } from "../../mod.ts";
import { withService } from "../../src/testing/mod.ts";
import { makeSite, type TestSite } from "../sites/_site.ts";
import { callCommand, callSuccessfully } from "./_command.ts";

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty"];

/** An object with these keys, as `JSON.parse()` makes it: in a literal, `__proto__` would be no key. */
const keyed = <T>(valueOf: (name: string, i: number) => T): Record<string, T> =>
  Object.fromEntries(NAMES.map((name, i) => [name, valueOf(name, i)]));

/** The column of a turbine, named for another turbine: a lookup by the wrong name would take the wrong one. */
const columnOf = (i: number) => NAMES[(i + 1) % NAMES.length];

/** Factor of the production of a turbine. */
const factorOf = (i: number) => 1 - i / 20;

interface FleetRow {
  readonly turbine_id: string;
  readonly produced: number;
  readonly share: number;
}

describe("SV4: names that every object knows", () => {
  let site: TestSite;
  let data: string;
  const call = (command: string, ...words: string[]) =>
    callSuccessfully(command, ...words, "--data", data);
  const update = (...words: string[]) => callCommand("update", ...words, "--data", data);

  beforeAll(async () => {
    data = await Deno.makeTempDir();
    site = await makeSite();
    await site.editLines("production.csv", ([, ...rows]) => [
      ["time", ...NAMES.map((_, i) => columnOf(i))].join(),
      ...rows.map((row) => {
        const [time, power] = row.split(",");
        return [time, ...NAMES.map((_, i) => power && Number(power) * factorOf(i))].join();
      }),
    ]);
    const [turbine] = site.declared.turbines;
    const [entry] = turbine.production;
    Object.assign(site.declared, {
      site: "constructor",
      turbines: NAMES.map((id, i) => ({
        ...turbine,
        id,
        name: id,
        longitude: turbine.longitude + i / 200,
        production: [],
        ownership: [{ owner: "__proto__", percent: 50 }, { owner: "constructor", percent: 10 * i }],
        exclude: [{ from: "2023-03-05", to: "2023-03-07", reason: "__proto__" }],
      })),
      production: [{ ...entry, column: keyed((_, i) => columnOf(i)) }],
    });
  });
  afterAll(async () => {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(data, { recursive: true });
  });

  it("imports a site, and updates it again and again without news", async () => {
    const all = site.declared.turbines;
    site.declared.turbines = all.slice(0, 1);
    site.declared.production![0].column = { ["__proto__"]: columnOf(0) };
    await call("import", await site.siteFile());
    site.declared.turbines = all;
    site.declared.production![0].column = keyed((_, i) => columnOf(i));
    await site.siteFile();
    const first = await update();
    assertEquals(first.code, 78); // a year is a short reference period
    assertStringIncludes(first.out, "\n  constructor, hasOwnProperty, toString: new 24 months");
    for (let i = 0; i < 2; i++) {
      assertEquals(await update(), {
        code: 3,
        out: "No news since the last update",
        error: "",
      });
    }
  });

  it("serves each turbine by its own name", async () => {
    await withService(async ({ connection }) => {
      for (const name of NAMES) {
        const frame = await monthlyIndices(name, { connection });
        assertEquals([...new Set(frame.getColumn("turbine_id").toArray())], [name]);
      }
    }, { data });
  });

  it("checks the fleet with the share of an owner, each turbine by its own column", async () => {
    const words = ["--month", "2023-06", "--owner", "constructor", "--json", "-"];
    const { frames, left_out: leftOut } = JSON.parse(await call("check", ...words));
    const rows = new Map<string, FleetRow>(
      frames.turbines.rows.map((row: FleetRow) => [row.turbine_id, row]),
    );
    assertEquals([leftOut, [...rows.keys()].sort()], [{}, NAMES.toSorted()]);
    const { produced } = rows.get(NAMES[0])!;
    assert(produced > 0);
    for (const [i, name] of NAMES.entries()) {
      const row = rows.get(name)!;
      assertEquals(row.share, 10 * i);
      assertEquals((row.produced / produced).toFixed(6), factorOf(i).toFixed(6), name);
    }
  });

  it("makes the budget of all of them, and answers about each", async () => {
    const words = ["--question", "quality,index,budget,long-term", "--json", "-"];
    for (const name of NAMES) {
      const { answers, unanswered } = JSON.parse(await call("check", name, ...words));
      assertEquals([Object.keys(answers).length, unanswered], [4, {}]);
    }
    assertMatch(await call("check", "--question", "budget"), /is [\d,]+ MWh/);
  });

  it("writes reports and an export with all of them", async () => {
    const to = site.path("report");
    await call("report", "--to", to, "--month", "2023-06", "--xlsx");
    const html = await Deno.readTextFile(`${to}/index.html`);
    const pages = [...Deno.readDirSync(`${to}/turbines`)].map(({ name }) => name);
    for (const name of NAMES) {
      assertStringIncludes(html, name);
      assert(pages.includes(`${name}.html`), pages.join());
    }
    await call("export", "--what", "indices", "--to", site.path("export"));
    const { code, error } = await update("--report", site.path("reports"));
    assertEquals([code, error], [3, ""]);
    await call("verify");
  });

  it("reads the columns of a file by these names in a script", async () => {
    const frame = await readProduction(site.path("production.csv"), {
      column: keyed((_, i) => columnOf(i)),
      time: "time",
      resolution: "hour",
      unit: "kW",
    });
    assertEquals(new Set(frame.getColumn("turbine_id").toArray()), new Set(NAMES));
  });
});
