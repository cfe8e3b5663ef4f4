/**
 * The command for the question "wind or turbine?" on the sample, first as its task, and on a data directory.
 *
 * @module
 */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Verdict } from "../../../src/analysis/verdict/row.ts";
import {
  importFile,
  makeSite,
  moveProduction,
  type TestSite,
  withSite,
} from "../../sites/_site.ts";
import { callCommand, callSuccessfully } from "../_command.ts";
import { runSuccessfully } from "../_task.ts";

const QUESTIONS = ["quality", "index", "budget", "references", "long-term", "price"];

/** A verdict of the table of turbines. */
type Row = Verdict & { readonly turbine_id: string; readonly name: string; readonly units: number };

/** Fields of a verdict in the JSON. */
interface Output {
  readonly form: number;
  readonly notice?: string;
  readonly world: string;
  readonly period: string;
  readonly verdict: Verdict;
  readonly summary: readonly string[];
  readonly share?: { readonly owner: string; readonly verdict: Verdict };
  readonly left_out: Readonly<Record<string, string>>;
  readonly frames: {
    readonly turbines: {
      readonly units: Readonly<Record<string, string>>;
      readonly rows: readonly Row[];
    };
  };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

/** The printed paragraphs, each on one line. */
const paragraphsOf = (text: string) => text.trim().split("\n\n").map(oneLine);

/** Rows of the printed table by their first word, with their cells: figures, dashes and the verdict. */
function readTable(text: string): Map<string, string[]> {
  const [table] = /^MWh .*(\n.+)+/m.exec(text)!;
  const [, ...rows] = table.split("\n");
  return new Map(rows.map((row) => [
    row.slice(0, 26).trim(),
    row.slice(26).trim().split(/ {2,}/),
  ]));
}

const parseFigure = (text: string) => Number(text.replaceAll(",", "").replace("−", "-"));

async function callJson(...words: string[]): Promise<Output> {
  return JSON.parse(await callSuccessfully("check", ...words, "--json", "-"));
}

describe("deno task check on the sample", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("judges all turbines without arguments, says that they are SYNTHETIC and which ones are left out", async () => {
    const out = await runSuccessfully("check");
    const [title, verdict] = paragraphsOf(out);
    assertEquals(title, "Wind or turbines? The fleet in December 2024 (SYNTHETIC)");
    // T3, a park, has most of the energy but only annual production, so a sum of the others is no verdict on all.
    assertStringIncludes(
      verdict,
      "Cannot tell wind from turbine: only 6 of 26 turbines have production",
    );
    assert(!out.includes("Sum of"));
    assertEquals([...readTable(out).keys()].map((name) => name.slice(0, 2)).sort(), [
      ...["T1", "T2", "T3", "T4", "T5", "T6", "T7"],
    ]);
    assertStringIncludes(oneLine(out), "T8 is left out: ");
    // The wind of the fleet is the same figure wherever it is printed.
    const worth = [...oneLine(out).matchAll(/would have (?:given|produced) ([\d,]+) MWh/g)]
      .map(([, energy]) => energy);
    assertEquals([worth.length, new Set(worth).size], [2, 1]);
  });

  it("lists the turbine with the largest own loss first, and the sum of all last", async () => {
    const out = await callSuccessfully("check", "--sample", "--year", "2024");
    const table = readTable(out);
    const names = [...table.keys()];
    assertEquals(names.slice(-3), [
      "Sum of 26 turbines",
      "90 % interval, from",
      "to",
    ]);
    const cells = names.slice(0, -3).map((name) => table.get(name)!);
    const lost = cells.map((row) =>
      row.slice(3, 6).reduce((sum, cell) => sum + (cell === "-" ? 0 : parseFigure(cell)), 0)
    );
    assertEquals(lost, lost.toSorted((a, b) => a - b));
    const sum = table.get("Sum of 26 turbines")!;
    const produced = cells.reduce((total, [one]) => total + parseFigure(one), 0);
    assertAlmostEquals(parseFigure(sum[0]), produced, 5); // printed with four digits
  });

  it("AN1 answers with the verdict on the month first, which differs between two months", async () => {
    const say = async (month: string) =>
      paragraphsOf(await callSuccessfully("check", "T1", "--sample", "--month", month));
    const [[title, march, , record], [, april]] = [await say("2024-03"), await say("2022-04")];
    assertEquals(title, "Wind or turbine? Vesterklit Rev 1, March 2024 (SYNTHETIC)");
    assertMatch(
      march,
      /^It was the turbine: stops cost 214\.1 MWh \(90 % interval 19\d\.\d to 23\d\.\d\)\. March 2024: 729\.2 MWh produced, 19\d\.\d MWh \(21\.\d %\) less than a normal March \(9\d\d\.\d MWh, mean of 2006 to 2025\)\. Stops: Standstill, 2024-03-05 to 2024-03-11\.$/,
    );
    assertNotEquals(april, march);
    assertMatch(april, /^It was the turbine: stops cost 1\d\d\.\d MWh .* April 2022: 642\.0 MWh/);
    assertStringIncludes(april, "2022-04-12 to 2022-04-19");
    assertMatch(record, /^The whole record, 2021-01 to 2024-12: The turbine produced [\d,]+ MWh/);
  });

  it("accepts a year, a range, and several turbines", async () => {
    const say = (...words: string[]) => callSuccessfully("check", ...words, "--sample");
    const year = await say("T2", "T6", "--year", "2023");
    assertMatch(year, /^Wind or turbines\? The fleet in 2023 /);
    assertEquals(await say("T2,T6", "T2", "--from", "2023-01", "--to", "2023"), year);
    const half = await say("T1", "--from", "2024-01", "--to", "2024-06");
    assertMatch(half, /^Wind or turbine\? Vesterklit Rev 1, January 2024 to June 2024 /);
    assertMatch(half, /\n\nIt was the turbine: stops cost/);
    assert(!half.includes("The whole record")); // its sentences are about the range
  });

  it("judges the last year of an annual production, and suggests a year instead of a month", async () => {
    assertMatch(
      await callSuccessfully("check", "T3", "--sample"),
      /^Wind or turbine\? Graagrund park, 2024 \(SYNTHETIC\)\n\nAs usual\. 2024: 160,\d+ MWh produced/,
    );
    const month = await callSuccessfully("check", "T3", "--sample", "--month", "2024-03");
    assertStringIncludes(
      oneLine(month),
      "the production is annual, 2020 to 2024, so ask for a year",
    );
    const late = await callSuccessfully("check", "T1", "--sample", "--month", "2025-03");
    assertStringIncludes(
      oneLine(late),
      "covers January 2021 to December 2024, so ask for a time within it",
    );
  });

  it("prints only JSON, with the figures of the text and the notice", async () => {
    const words = ["T1", "T2", "--sample", "--month", "2024-03"];
    const json = await callJson(...words);
    assertEquals([json.form, json.world, json.period], [2, "sample", "2024-03"]);
    assertStringIncludes(json.notice!, "SYNTHETIC");
    const { rows, units } = json.frames.turbines;
    assertEquals(rows.map(({ turbine_id }) => turbine_id), ["T1", "T2"]);
    assertEquals([units.produced, units.stops_low], ["MWh", "MWh"]);

    const file = `${folder}/check.json`;
    const out = await callSuccessfully("check", ...words, "--json", file);
    const table = [...readTable(out).values()];
    for (const [i, row] of [...rows, json.verdict].entries()) {
      const { produced, normal, wind, stops, limited, rest } = row;
      const figures = [produced, normal, wind, stops, limited, rest];
      for (const [k, figure] of figures.entries()) {
        const cell = table[i][k];
        if (figure === null) assertEquals(cell, "-");
        else assertAlmostEquals(parseFigure(cell), figure, Math.abs(figure) < 1000 ? 0.05 : 0.5);
      }
      assertEquals(table[i][6], row.verdict);
    }
    const [, ...sentences] = paragraphsOf(out);
    assertEquals(sentences[0], json.verdict.text);
    assertEquals(rows[0].verdict, "stops");
    assertAlmostEquals(rows[0].stops!, -214.1, 0.05);

    const { generated_at: _, ...written } = JSON.parse(await Deno.readTextFile(file));
    const { generated_at: __, ...printed } = json as Output & { generated_at: string };
    assertEquals(written, printed);
  });

  it("AN9 plans the coming year of the fleet: the sum of its turbines", async () => {
    const file = `${folder}/fleet.json`;
    const words = ["--sample", "--question", "budget", "--json"];
    const out = await callSuccessfully("check", ...words, file);
    assertMatch(
      oneLine(out),
      /^The fleet, budget \(SYNTHETIC\) The expected energy of January 2026 to December 2026 is [\d,]+ MWh \(90 % interval [\d,]+ to [\d,]+ MWh\)\. For T3, the budget does not scale the model to past production, because each has fewer than six months with production\. T8 is left out: /,
    );
    const { answers } = JSON.parse(await Deno.readTextFile(file));
    const ids = ["T1", "T2", "T3", "T4", "T5", "T6", "T7"];
    const { answers: each } = JSON.parse(await callSuccessfully("check", ...ids, ...words, "-"));
    assertEquals(Object.keys(each), ids.map((id) => `${id} budget`));
    const sum = ids.reduce(
      (total, id) => total + (id === "T3" ? 20 : 1) * each[`${id} budget`].total.expected,
      0,
    );
    assertAlmostEquals(answers.budget.total.expected, sum, 1e-6);
    assertStringIncludes(answers.budget.notice, "SYNTHETIC");
  });

  it("answers the other questions about a turbine in terminal lines, and as one JSON", async () => {
    const file = `${folder}/t1.json`;
    const words = ["T1", "--sample", "--question", QUESTIONS.join(", "), "--price", "62"];
    const out = await callSuccessfully("check", ...words, "--json", file);
    const heads = out.split("\n").filter((line) => line.startsWith("T1, "));
    assertEquals(heads, QUESTIONS.map((name) => `T1, ${name} (SYNTHETIC)`));
    assertEquals(out.split("\n").filter((line) => line.length > 80), []);
    const { form, answers, unanswered } = JSON.parse(await Deno.readTextFile(file));
    assertEquals([form, Object.keys(answers)], [2, QUESTIONS.map((name) => `T1 ${name}`)]);
    assertEquals(unanswered, {});
    for (const [name, answer] of Object.entries<Record<string, unknown>>(answers)) {
      assertStringIncludes(String(answer.notice), "SYNTHETIC", name);
      for (const field of ["frames", "findings", "summary", "notes", "provenance"]) {
        assert(field in answer, `${name} has no ${field}`);
      }
      const [sentence] = answer.summary as string[];
      assertStringIncludes(oneLine(out), sentence);
    }
    const index = ["T1", "--sample", "--question", "index", "--month", "2023-05", "--json", "-"];
    const { answers: { "T1 index": may } } = JSON.parse(await callSuccessfully("check", ...index));
    assertEquals(may.month, "2023-05");
  });

  it("values the steps at a price, or at the prices of a file, in a separate table", async () => {
    const words = ["T1", "T4", "--sample", "--month", "2024-03"];
    const without = await callSuccessfully("check", ...words);
    assert(!without.includes("EUR"));
    const unpriced = await callCommand("check", "T1", "--sample", "--question", "price");
    assertEquals(unpriced.code, 1);
    assertStringIncludes(
      oneLine(unpriced.out),
      "Cannot answer --question price: --price is missing. Give a price such as --price 62,",
    );
    const at62 = await callSuccessfully("check", ...words, "--price", "62");
    assertStringIncludes(
      at62,
      without.slice(without.indexOf("MWh      "), without.indexOf("\n\nVesterklit")),
    );
    const [, table] = at62.split(/^EUR {10}.*$/m);
    const [t1, t4, sum] = table.trim().split("\n").map((line) => line.slice(26).trim().split(/ +/));
    assertEquals([t1[0], t1[3]], ["45,210", "−13,271"]); // 729.2 and 214.05 MWh
    assertEquals(parseFigure(t1[0]) + parseFigure(t4[0]), parseFigure(sum[0]));
    assertStringIncludes(oneLine(at62), "The production is worth 45,210 EUR, ");

    const start = Date.parse("2024-02-29T23:00Z");
    const rows = Array.from(
      { length: 744 },
      (_, i) => `${new Date(start + i * 3_600_000).toISOString()},${i % 24 < 6 ? -0.5 : 8.25}\n`,
    );
    await Deno.writeTextFile(`${folder}/prices.csv`, `Start,Price\n${rows.join("")}`);
    const declared = {
      file: "prices.csv",
      column: "Price",
      time: "Start",
      resolution: "hour",
      unit: "ct/kWh",
    };
    await Deno.writeTextFile(`${folder}/prices.json`, JSON.stringify(declared));
    const { verdict } = await callJson(
      "T1",
      "--sample",
      "--month",
      "2024-03",
      "--price",
      `${folder}/prices.json`,
    );
    assertEquals([verdict.value!.currency, verdict.value!.priced], ["EUR", 1]);
    assert(verdict.value!.produced! > 0 && verdict.value!.stops! < 0);
    for (const text of ["null", "[1]", '{"column": "Price"}']) {
      await Deno.writeTextFile(`${folder}/odd.json`, text);
      const odd = await callCommand("check", "T1", "--sample", "--price", `${folder}/odd.json`);
      assertEquals(odd.code, 2);
      assertMatch(odd.error, /it has no "file"\. Give a price such as 62/);
    }
  });

  it("names unanswered questions, and ends with 1 only if no question is answered", async () => {
    const file = `${folder}/t8.json`;
    const words = ["--sample", "--question", "budget", "--json", file];
    assertMatch(
      await callSuccessfully("check", "T8", "T2", ...words),
      /^T8 budget: no answer\n.*T8 has no indices yet[^]*\nT2, budget \(SYN/,
    );
    const { answers, unanswered } = JSON.parse(await Deno.readTextFile(file));
    assertEquals([Object.keys(answers), Object.keys(unanswered)], [["T2 budget"], ["T8 budget"]]);
    assertEquals((await callCommand("check", "T8", ...words)).code, 1);
    const { code, error } = await callCommand("check", "T8", "--sample");
    assertEquals(code, 1);
    assertMatch(error, /T8 has no indices yet/);
    const { left_out: leftOut } = await callJson("T2", "T9", "--sample");
    assertMatch(leftOut.T9, /there is no turbine "T9"/);
  });

  it("refuses arguments that it cannot read or does not use, with a reason", async () => {
    const time = /only index takes --month.*Omit the period/;
    const wrong: readonly (readonly [string, number, RegExp])[] = [
      ["T1 --question bugdet", 2, /did you mean budget\?/],
      [
        "--question quality",
        2,
        /Cannot answer --question quality for all .* Name a turbine, such as T1/,
      ],
      ["T1 --question quality --month 2024-03", 2, time],
      ["--question budget --year 2024", 2, time],
      ["T1 --question budget --owner X", 2, /Omit --owner or the turbines/],
      ["T1 --price cheap", 2, /Give a price such as 62 or 450DKK, or a JSON file such as/],
      ["T1 --price 0.06", 1, /a mean price of 0\.060 looks like a price per kWh/],
      ["T1 --month 2023-13", 2, /Cannot read --month: "2023-13" has the wrong form/],
      ["T1 --year 24", 2, /Cannot read --year: "24" has the wrong form. Give a year such as 2024/],
      ["T1 --month 2024-03 --year 2024", 2, /Give only --month, only --year/],
      ["T1 --year 2024 --from 2024-03", 2, /Give only --month, only --year/],
      [
        "T1 --from 2024-06 --to 2024-01",
        2,
        /--from 2024-06 with --to 2024-01: --from is later than --to\. Give the earlier month as --from/,
      ],
      ["T1 --from 2025 --to 2024-12", 2, /--from is later/],
      [",", 2, /it is not a turbine identifier\. Give identifiers such as T1, or none for all/],
      [
        "T2 --owner X",
        2,
        /Cannot find the share of "X": the site file is missing\. Give --ownership SITE\.json/,
      ],
    ];
    for (const [words, wanted, message] of wrong) {
      const { code, error } = await callCommand("check", ...words.split(" "), "--sample");
      assertEquals([code, words], [wanted, words]);
      assertMatch(error, message);
    }
  });

  it("writes no JSON of the sample by accident", async () => {
    const bare = await callCommand("check", "T1", "--json", "-");
    assertEquals([bare.code, bare.out], [1, ""]);
    assertMatch(
      bare.error,
      /VINDKIT_URL is not set, and --data is missing.*give --sample for/,
    );
    const lost = await callCommand("check", "T1", "--data", ""); // as with an unset variable
    assertEquals([lost.code, lost.out], [1, ""]);
    assertEquals(lost.error, bare.error);
  });

  it("reuses the answers of its data lock, and reports if they have changed", async () => {
    const lock = `${folder}/check.lock.json`;
    const words = ["T2", "--sample", "--lock", lock];
    const first = await callSuccessfully("check", ...words);
    const text = await Deno.readTextFile(lock);
    assertEquals(await callSuccessfully("check", ...words), first);
    await Deno.writeTextFile(lock, text.replaceAll(/"sha256": "./g, '"sha256": "0'));
    const { code, error } = await callCommand("check", ...words);
    assertEquals(code, 1);
    assertMatch(error, /wind_indices.*T2/);
  });
});

describe("deno task check on a data directory", () => {
  let folder: string;
  let data: string;
  let site: TestSite;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    data = `${folder}/data`;
    site = await makeSite();
    const [turbine] = site.declared.turbines;
    Object.assign(turbine, {
      ownership: [
        { owner: "A. Hansen", percent: 20 },
        { owner: "Vindlaug", percent: 40, from: "2023-07-01" },
      ],
    });
    await importFile(await site.siteFile(), data);
  });
  afterAll(async () => {
    await Deno.remove(folder, { recursive: true });
    await Deno.remove(site.folder, { recursive: true });
  });

  const ask = (...words: string[]) => callCommand("check", ...words, "--data", data);

  it("uses the imported production, or the production of a site file", async () => {
    const stored = await ask("E1", "--month", "2023-05");
    assertEquals(stored.code, 0, stored.error);
    assertMatch(
      oneLine(stored.out),
      /^Wind or turbine\? Vesterklit .* May 2023: [\d.]+ MWh produced/,
    );
    const named = await ask("E1", "--month", "2023-05", "--production", site.path("site.json"));
    assertEquals(named, stored);
    assertMatch(
      (await ask("E1", "--question", "references,long-term")).out,
      /^E1, references\n[^\n]+fits best: [^]*\nE1, long-term\n/,
    );
  });

  it("ends an open range with the production, and names the period with figures", async () => {
    // Production covers 2023, indices cover two years.
    const pairs = [
      [["--from", "2023-05"], ["--from", "2023-05", "--to", "2023-12"]],
      [["--to", "2023-06"], ["--from", "2023-01", "--to", "2023-06"]],
    ];
    for (const [open, closed] of pairs) {
      const { code, out } = await ask("E1", ...open);
      assertEquals([code, out], [0, (await ask("E1", ...closed)).out]);
    }
    const wrong: readonly (readonly [string, RegExp])[] = [
      ["E9", /there is no turbine "E9"/],
      [
        "--month 2030-01",
        /no turbine has figures for 2030-01\. The last month .* is 2024-12\. Give/,
      ],
      ["--year 2025", /no turbine has figures for 2025\. The last month .* is 2024-12\. Give/],
      ["--month 1990-01", /The first month with figures is 2023-01\. Give this month or a later/],
    ];
    for (const [words, message] of wrong) {
      const { code, error } = await ask(...words.split(" "));
      assertEquals([code, words], [1, words]);
      assertMatch(error, message);
    }
  });

  it("AN9 shows the share of an owner in the verdict and in the budget", async () => {
    const { out } = await ask("--month", "2023-05", "--owner", "A. Hansen");
    const table = readTable(out);
    const [whole, part] = ["E1 Vesterklit Rev 1 (SYN", "Share of A. Hansen"].map((name) =>
      table.get([...table.keys()].find((key) => key.startsWith(name))!)!
    );
    assertAlmostEquals(parseFigure(part[0]), 0.2 * parseFigure(whole[0]), 0.1);
    assertStringIncludes(oneLine(out), "Share of A. Hansen: ");
    const words = ["--month", "2023-05", "--owner", "A. Hansen", "--json", "-"];
    const { share, verdict }: Output = JSON.parse((await ask(...words)).out);
    assertEquals(share!.owner, "A. Hansen");
    for (const name of ["produced", "normal", "wind", "wind_low", "stops", "rest"] as const) {
      assertAlmostEquals(share!.verdict[name]!, 0.2 * verdict[name]!, 1e-9);
    }
    const total = async (...more: string[]) => {
      const { out, error } = await ask("--question", "budget", "--json", "-", ...more);
      assertEquals(error, "");
      return JSON.parse(out).answers.budget.total.expected;
    };
    assertAlmostEquals(await total("--owner", "A. Hansen"), 0.2 * await total(), 1e-9);
  });

  it("uses the mean share of a year, and says if there is none in a month", async () => {
    const json = await ask("--year", "2023", "--owner", "Vindlaug", "--json", "-");
    const { frames: { turbines: { rows: [row] } } } = JSON.parse(json.out);
    assertAlmostEquals(row.share, 20, 1e-9); // 40 % of six months
    const { out } = await ask("--month", "2023-05", "--owner", "Vindlaug");
    assertStringIncludes(out, "Vindlaug has no share of these turbines in 2023-05.");
  });

  it("refuses an owner without turbines, and names the known owners", async () => {
    const message = /no turbine has the owner "B"\. Use one of "A\. Hansen", "Vindlaug"/;
    const verdict = await ask("--owner", "B");
    assertEquals(verdict.code, 1);
    assertMatch(verdict.error, message);
    const budget = await ask("--owner", "B", "--question", "budget");
    assertEquals(budget.code, 1);
    assertMatch(oneLine(budget.out), message);
  });

  it("reports a production that cannot be read, and answers for the others", async () => {
    await Deno.rename(site.path("production.csv"), site.path("away.csv"));
    const questions = await ask("E1", "--question", "quality,budget");
    const verdict = await ask("--month", "2023-05");
    const named = await ask("--production", site.path("site.json"));
    await Deno.rename(site.path("away.csv"), site.path("production.csv"));
    assertEquals(questions.code, 0);
    assertMatch(
      questions.out,
      /^E1 quality: no answer\nCannot read production\.csv: [^]*\nE1, budget/,
    );
    assertEquals(verdict.code, 0);
    assertMatch(
      oneLine(verdict.out),
      /the wind would have given [\d.]+ MWh.* Cannot tell wind from turbine: Cannot read production\.csv: /,
    );
    assertEquals(named.code, 1);
    assertMatch(named.error, /^Cannot read production\.csv: /);
  });

  it("does not call a year normal if half of its months are missing, and invents no interval", async () => {
    const rows = Array.from(
      { length: 12 },
      (_, i) => `2023-${String(i + 1).padStart(2, "0")},${[900, 700, 850, 640][i % 4]}`,
    );
    const [turbine] = site.declared.turbines;
    const meter = { column: "MWh", time: "month", resolution: "month", unit: "MWh" };
    const use = async (kept: readonly string[], ...words: string[]) => {
      await Deno.writeTextFile(site.path("months.csv"), ["month,MWh", ...kept].join("\n") + "\n");
      await Deno.writeTextFile(
        site.path("months.json"),
        JSON.stringify({
          ...site.declared,
          turbines: [{ ...turbine, production: [{ file: "months.csv", ...meter }] }],
        }),
      );
      const { code, out, error } = await ask(...words, "--production", site.path("months.json"));
      assertEquals(code, 0, error);
      return oneLine(out);
    };
    const half = rows.filter((_, i) => i % 2 === 0 || i === 11);
    assertStringIncludes(
      await use(half, "--year", "2023"),
      "Cannot tell wind from turbine: only 58.8 % of the hours are compared. 2023: ",
    );
    const few = await use(rows.slice(0, 3), "--month", "2023-02");
    assertStringIncludes(few, "without six months of production");
    assert(!few.includes("90 % interval, from"), few);
  });

  it("refuses the site file of other turbines, and a folder without data", async () => {
    const { code, error } = await callCommand(
      ...["check", "T1", "--sample", "--production", site.path("site.json")],
    );
    assertEquals(code, 2);
    assertMatch(
      error,
      /production of E1, but you asked for T1\. Give the site file of the turbines/,
    );
    const empty = await callCommand("check", "--data", folder);
    assertEquals(empty.code, 1);
    assertMatch(
      empty.error,
      /vindkit\.sqlite is missing there\. Import a site with: vindkit import/,
    );
  });
});

describe("deno task check of a turbine with a useless calibration", () => {
  it("SI7: says so first, gives no figures of the whole record, and marks other answers", async () => {
    await withSite(async (site, data) => {
      await moveProduction(site, 24 * 100);
      await importFile(await site.siteFile(), data);
      const { out } = await callCommand("check", "E1", "--month", "2023-05", "--data", data);
      assertMatch(
        paragraphsOf(out)[1],
        /^Cannot tell wind from turbine: the modelled wind does not explain the production \(/,
      );
      assert(!out.includes("The whole record"), out);
      const other = await callCommand("check", "E1", "--question", "index", "--data", data);
      assertMatch(oneLine(other.out), /^E1, index (\(SYNTHETIC\) )?USELESS calibration: this wind/);
    });
  });
});
