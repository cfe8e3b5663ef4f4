/**
 * The questions about a turbine: on the sample, first as its task, and on a data directory.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { importFile, makeSite, type TestSite } from "../sites/_site.ts";
import { callCommand, callSuccessfully } from "./_command.ts";
import { runSuccessfully, runTask } from "./_task.ts";

const QUESTIONS = ["performance", "quality", "explanation", "budget", "references"];

describe("deno task check", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("answers all questions about a turbine in lines of a terminal, and writes them as one JSON", async () => {
    const file = `${folder}/t1.json`;
    const out = await runSuccessfully("check", "T1", "--sample", "--json", file);
    const lines = out.trimEnd().split("\n");
    const heads = lines.filter((line) => !line.startsWith("  "));
    assertEquals(heads, QUESTIONS.map((name) => `T1, ${name} (SYNTHETIC)`));
    assertEquals(lines.filter((line) => line.length > 80), []);
    assertMatch(out, /Produced [\d,]+ MWh of [\d,]+ MWh predicted/);
    assertMatch(out, /What was left out or assumed: 4 notes in --json/);

    const { form, turbine_id, answers, unanswered } = JSON.parse(await Deno.readTextFile(file));
    assertEquals([form, turbine_id, Object.keys(answers), unanswered], [1, "T1", QUESTIONS, {}]);
    for (const [name, answer] of Object.entries<Record<string, unknown>>(answers)) {
      assertStringIncludes(String(answer.notice), "SYNTHETIC", name);
      assertEquals(answer.world, "sample");
      for (const field of ["frames", "findings", "summary", "notes", "provenance"]) {
        assert(field in answer, `${name} has no ${field}`);
      }
      const [sentence] = answer.summary as string[];
      assertStringIncludes(out.replaceAll(/\s+/g, " "), sentence);
    }
    const { comparison, outages } = answers.performance.frames;
    assertEquals(comparison.units.produced, "MWh");
    assertEquals(comparison.rows[0].month, "2021-01-01");
    assertEquals(comparison.rows[0].stable_ratio, null);
    assertMatch(outages.rows[0].from, /^2021-01-29T\d\d:00:00Z$/);
  });

  it("prints the JSON alone where that is asked for, of the questions that are asked", async () => {
    const words = ["T1", "--sample", "--question", "budget, explanation", "--month", "2023-05"];
    const { answers } = JSON.parse(await callSuccessfully("check", ...words, "--json", "-"));
    assertEquals(Object.keys(answers), ["budget", "explanation"]);
    assertEquals(answers.explanation.month, "2023-05");
  });

  it("names what the data do not answer, and ends with 1 only where nothing is answered", async () => {
    const file = `${folder}/t2.json`;
    const some = ["T2", "--sample", "--question", "quality,budget", "--json", file];
    assertMatch(
      await callSuccessfully("check", ...some),
      /^T2, quality: no answer\n {2}There is no production of T2\. Give --production SITE\.json\nT2, budget \(SYN/,
    );
    const { answers, unanswered } = JSON.parse(await Deno.readTextFile(file));
    assertEquals([Object.keys(answers), Object.keys(unanswered)], [["budget"], ["quality"]]);
    const { code, out } = await callCommand("check", "T8", "--sample", "--question", "budget");
    assertEquals(code, 1);
    assertMatch(out, /^T8, budget: no answer\n.*T8 has no indices yet/);
  });

  it("refuses what it cannot read, and never uses the sample by accident", async () => {
    const wrong: readonly (readonly [string[], number, RegExp])[] = [
      [["T1", "--sample", "--question", "perfomance"], 2, /did you mean performance\?/],
      [["T1", "--sample", "--month", "2023-13"], 2, /Cannot read "2023-13" in --month/],
      [["--sample"], 2, /must be 1 argument beside the options/],
      [["T9", "--sample"], 1, /there is no turbine "T9"/],
    ];
    for (const [words, wanted, message] of wrong) {
      const { code, error } = await callCommand("check", ...words);
      assertEquals(code, wanted, error);
      assertMatch(error, message);
    }
    const bare = await runTask("check", "T1");
    assertEquals(bare.code, 1);
    assertMatch(bare.error, /neither VINDKIT_URL nor a data directory is set/);
  });

  describe("on a data directory", () => {
    let site: TestSite;
    let data: string;

    beforeAll(async () => {
      site = await makeSite();
      data = `${folder}/data`;
      await importFile(await site.siteFile(), data);
    });
    afterAll(() => Deno.remove(site.folder, { recursive: true }));

    const ask = (...words: string[]) => callCommand("check", "E1", "--data", data, ...words);

    it("takes the production that was imported, or that of a site file", async () => {
      const [stored, named] = [
        await ask("--question", "performance,references"),
        await ask(
          "--question",
          "performance,references",
          "--production",
          site.path("site.json"),
        ),
      ];
      assertEquals(stored.code, 0, stored.error);
      assertMatch(stored.out, /^E1, performance\n {2}Produced [^]*\nE1, references\n {2}First: /);
      assertEquals(named, stored);
    });

    it("says what is wrong with a production that cannot be read, and answers the rest", async () => {
      await Deno.rename(site.path("production.csv"), site.path("away.csv"));
      const { code, out } = await ask("--question", "quality,budget");
      await Deno.rename(site.path("away.csv"), site.path("production.csv"));
      assertEquals(code, 0);
      assertMatch(
        out,
        /^E1, quality: no answer\n {2}Cannot read production\.csv: [^]*\nE1, budget/,
      );
    });
  });
});
