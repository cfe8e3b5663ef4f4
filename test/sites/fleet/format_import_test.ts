import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { formatNews } from "../../../src/cli/update/news.ts";
import { describePartial } from "../../../src/sites/site_data.ts";
import { formatImport } from "../../../src/sites/fleet/format_import.ts";
import { importFile, type TestSite, withSite } from "../_site.ts";

async function importAccount(change: (site: TestSite) => void | Promise<void>): Promise<string> {
  let account = "";
  await withSite(async (site, data) => {
    await change(site);
    account = formatImport(await importFile(await site.siteFile(), data));
  });
  return account;
}

describe("formatImport()", () => {
  it("names hours, completeness, k, residual, window, months and reference period", async () => {
    const lines = (await importAccount(() => {})).split("\n");
    assertEquals(lines[0], "example: imported");
    assertMatch(
      lines[1],
      /^E1 \(Vesterklit Rev 1 \(SYNTHETIC\)\): wind speed of the climate times (a factor for each [\w ]+, 0\.\d{3} to 0\.\d{3} \(a single factor would be )?k = 0\.\d{4} \(90 %: 0\.\d{4} to 0\.\d{4}\)\)?; power curve smoothed by [\d.]+ m\/s$/,
    );
    assertMatch(
      lines[2],
      /^ {2}12 periods, each predicted without it: error \d\.\d %, correlation 0\.\d{3}; 12 periods fitted, which differ from the fit by \d\.\d %$/,
    );
    assertEquals(lines[3], "  climate example-climate 17,569 h, 100.0 % complete");
    assertMatch(
      lines[4],
      /^ {2}production 2023-01-01 to 2023-12-31: 8,\d{3} of 8,760 h used, 9\d\.\d %$/,
    );
    assertEquals(
      lines[5],
      "  indices 2023-01 to 2024-12, 24 months; 100 % is the mean of 2023 to 2024 (2 years)",
    );
    assertMatch(
      lines[6],
      /^ {2}a mean year of them gives \d,\d{3} MWh \(90 %: \d,\d{3} to \d{1,2},\d{3}\)$/,
    );
  });

  it("shows k within its interval, scalings and smoothings with their errors", async () => {
    const account = await importAccount(() => {});
    const [k, low, high] = /k = (0\.\d+) \(90 %: (0\.\d+) to (0\.\d+)\)/.exec(account)!.slice(1)
      .map(
        Number,
      );
    assert(low < k && k < high, account);
    assertMatch(
      account,
      /\n {2}Wind speed is scaled by .*\. Prediction error in unseen periods with a smoothing of 1 m\/s: factor \d\.\d %, hour \d\.\d %, sector \d\.\d %\. /,
    );
    assertMatch(
      account,
      /\n {2}The power curve is averaged over a normal spread of wind speeds of [\d.]+ m\/s\. Prediction error in unseen periods by smoothing: 0\.5 m\/s \d\.\d %, 1 m\/s \d\.\d %, 1\.5 m\/s \d\.\d %, 2 m\/s \d\.\d %\. The calibration uses a smoothing other than 1 m\/s only if /,
    );
  });

  it("reports the findings in production", async () => {
    const account = await importAccount((site) =>
      site.edit("production.csv", (text) => text.replaceAll(/^(2023-05-1.*),.*$/gm, "$1,0"))
    );
    assertMatch(
      account,
      /\n {2}found: standstill, 315 h: 2023-05 \(240 h\), 2023-08 \(75 h\)\. Ask the operator why .*\. The fit excludes them\.\n/,
    );
    assertMatch(
      account,
      /\n {2}found: gap, 27 h: 2023-03 \(12 h\), .*, because Vindkit never fills gaps\.$/m,
    );
  });

  it("names the choices and exclusions that a reader should know", async () => {
    const account = await importAccount(({ declared }) =>
      void (declared.turbines[0].exclude = [{
        from: "2023-02-01",
        to: "2023-02-28",
        reason: "curtailed",
      }])
    );
    assertStringIncludes(
      account,
      "\n  Production of 2023-02-01 to 2023-02-28 excluded: curtailed.",
    );
    assertStringIncludes(account, "\n  Left out of the calibration: 2023-02 (");
  });

  it("states that a turbine without production has no indices", async () => {
    const account = await importAccount(({ declared }) =>
      void (declared.turbines[0].production = [])
    );
    assertEquals(
      account,
      "example: imported\n" +
        "E1: climate example-climate 17,569 h, 100.0 % complete; no production, so no calibration and no indices\n" +
        "\nSummary\n" +
        "  E1  no production, so no index\n" +
        "  Capacity factor: mean power of the valid hours divided by rated power. Error: typical difference\n" +
        "  of a month (or year) from the prediction of a fit without it, in % of a mean month. If months\n" +
        "  differ independently, 11 % is about 3 % of a year. Correlation: predicted with produced months.\n" +
        "\nNo problems found.",
    );
  });

  it("S13: ends with a line for each turbine, with its capacity factor over valid hours", async () => {
    let power: number[] = [];
    const account = await importAccount(async (site) => {
      const [first] = site.declared.turbines;
      site.declared.turbines.push({ ...first, id: "Park 2", production: [] });
      await site.editLines(
        "production.csv",
        (lines) => lines.filter((line) => !/^2023-1[12]/.test(line)),
      );
      power = (await Deno.readTextFile(site.path("production.csv"))).trim().split("\n").slice(1)
        .map((line) => line.split(",")[1]).filter((cell) => cell !== "").map(Number);
    });
    const lines = account.slice(account.indexOf("\nSummary\n")).split("\n").slice(2);
    const factor = 100 * power.reduce((sum, one) => sum + one, 0) / power.length / 2300;
    assertMatch(lines[0], /^ {2}E1 {6}.*, correlation 0\.9\d\d, error \d\.\d %; calibration good$/);
    assertStringIncludes(
      lines[0],
      `2023-01-01 to 2023-11-01, ${power.length.toLocaleString("en")} h valid, capacity factor ${
        factor.toFixed(1)
      } %`,
    );
    assertEquals(lines[1], "  Park 2  no production, so no index");
  });

  it("S14: lists problems to check at the end, once for all turbines concerned", async () => {
    const shifted = await importAccount((site) => {
      const [first] = site.declared.turbines;
      site.declared.turbines.push({ ...first, id: "E2" });
      return site.editColumn(
        "production.csv",
        "time",
        (stamp) => Temporal.Instant.from(stamp).add({ hours: 3 }).toString(),
      );
    });
    const [above, below] = shifted.split("\nPlease check:\n");
    const tasks = below.split("\n");
    assertEquals(tasks.length, 3, below);
    assertMatch(tasks[0], /^ {2}E1, E2: .*Check the time zone of the timestamps/);
    assertMatch(
      tasks[1],
      /^ {2}E1, E2: Its production equals a neighbour's production in most hours/,
    );
    assertMatch(
      tasks[2],
      /^ {2}E1, E2: A reference period of 2 years says little about what is normal\. Give climate data of ten years or more\. Vindkit uses up to \d+\.$/,
    );
    for (const task of tasks) assert(!above.includes(task.slice(10)), task);
  });

  it("N7: states once what is equal for all turbines", async () => {
    const account = await importAccount(({ declared }) => {
      const [first] = declared.turbines;
      declared.turbines.push({ ...first, id: "E2", name: "E2", units: 2 });
    });
    const lines = account.split("\n");
    assertEquals(lines.filter((line) => line.startsWith("  climate ")).length, 1);
    assert(lines.indexOf("All 2 turbines:") < lines.findIndex((line) => /^ {2}climate/.test(line)));
    assertEquals(lines.filter((line) => /^E2: wind speed of the climate/.test(line)).length, 1);
    assertEquals(lines.filter((line) => line.startsWith("  A park of 2 units")).length, 1);
  });

  it("N4: reports a clock fault of several turbines once, with the figures of the first", async () => {
    const shifted = await importAccount((site) => {
      const [first] = site.declared.turbines;
      const exclude = [{ from: "2023-02-01", to: "2023-03-31", reason: "curtailed" }];
      site.declared.turbines.push({ ...first, id: "E2", exclude });
      return site.editColumn(
        "production.csv",
        "time",
        (stamp) => Temporal.Instant.from(stamp).add({ hours: 3 }).toString(),
      );
    });
    const lines = shifted.split("\n").filter((line) => line.includes("production comes"));
    assertEquals(lines.length, 1);
    const errors =
      /^ {2}E1, E2: production comes .* the hour\. If the hours are shifted by that lag, the error in unseen months is (\d\.\d) % instead of (\d\.\d) %\. \(Figures of E1\.\)$/
        .exec(lines[0])?.slice(1).map(Number) ?? [];
    assert(errors[0] < errors[1], lines[0]);
  });

  it("N14: lists hours with impossible values, and does not count them", async () => {
    const marked = await importAccount((site) =>
      site.edit("production.csv", (text) => text.replaceAll(/^(2023-05-01.*),.*$/gm, "$1,-200"))
    );
    const [above, below] = marked.split("\nPlease check:\n");
    assertMatch(
      below,
      /^ {2}E1: out of range, 24 h: 2023-05 \(24 h\)\. No turbine .* The fit excludes them, and they do not count as valid\.\n/,
    );
    assert(!above.includes("out of range"), above);
    const hours = (account: string) =>
      Number(/([\d,]+) h valid/.exec(account)![1].replace(",", ""));
    assertEquals(hours(marked), hours(await importAccount(() => {})) - 24);
  });

  it("reports that a repeated import has nothing to do", async () => {
    await withSite(async (site, data) => {
      const path = await site.siteFile();
      await importFile(path, data);
      assertEquals(
        formatImport(await importFile(path, data)),
        "example: unchanged, nothing to do",
      );
    });
  });

  it("SV5: names a few of 3,000 turbines in a line, and the number of the others", async () => {
    await withSite(async (site, data) => {
      const result = await importFile(await site.siteFile(), data);
      const [one] = result.turbines;
      const ids = Array.from({ length: 3000 }, (_, i) => `W${i + 1}`);
      const kept = ids.map((id) => ({ ...one, modelFile: null, turbine: { ...one.turbine, id } }));
      const failures = ids.map((id) => ({ id, message: "its production is empty" }));
      const news = { turbines: new Map(), gone: ids, notes: ids.map((id) => [id, "-"] as const) };
      const lines = [
        ...formatImport({ ...result, kept, failures }).split("\n"),
        ...formatNews(news),
        ...describePartial({ site: "s", failures }).split("\n"),
      ];
      assertEquals(lines.filter((line) => line.length > 1000), []);
      assert(lines.filter((line) => /W1, W2, .*W20 and 2,980 more/.test(line)).length >= 5);
    });
  });
});
