/** The notebooks themselves: their references to each other, and whether they run as committed. */
import * as vindkit from "../../../mod.ts";
import { pack } from "../../pack/pack.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readNotebookFile } from "../../../src/notebook/document/notebook_document.ts";
import { processNotebook } from "../../../src/notebook/run/run_notebook.ts";
import { notebookNames, notebookPath, NOTEBOOKS } from "./_notebooks.ts";

/** A folder for each question, named after its function. */
const ANALYSES = new URL("../../../src/analysis/", import.meta.url);

describe("the notebooks", () => {
  it("are eight, numbered from one", () => {
    assertEquals(notebookNames.map((name) => name[0]), [..."12345678"]);
  });

  it("show each analysis tool", async () => {
    const all = await Promise.all(
      notebookNames.map((name) => readNotebookFile(notebookPath(name))),
    );
    const code = all.flatMap(({ cells }) => cells.filter(({ cell_type }) => cell_type === "code"))
      .map(({ source }) => source).join("\n");
    const questions = [...Deno.readDirSync(ANALYSES)]
      .map(({ name }) => name.replace(/_./g, ([, letter]) => letter.toUpperCase()))
      .filter((name) => name in vindkit);
    assert(questions.length >= 8);
    const tools = [...questions, "readProduction", "saveFrame", "makeFleetReport"];
    assertEquals(tools.filter((tool) => !code.includes(`${tool}(`)), []);
  });

  for (const name of notebookNames) {
    it(`${name} runs without type errors, with the committed outputs`, async () => {
      const { problems } = await processNotebook(notebookPath(name), { check: true });
      assertEquals(problems, []);
    });

    it(`${name} begins with prose, and has prose before each code cell`, async () => {
      const { cells } = await readNotebookFile(notebookPath(name));
      assertMatch(cells[0].source, new RegExp(`^# ${name[0]} · `));
      const bare = cells.filter(({ cell_type }, i) =>
        cell_type === "code" && cells[i - 1]?.cell_type !== "markdown"
      );
      assertEquals(bare.map(({ source }) => source), []);
    });

    it(`V5: ${name} says SYNTHETIC in each table, card and chart`, async () => {
      const { cells } = await readNotebookFile(notebookPath(name));
      const rich = cells.flatMap(({ outputs }) => outputs).filter((output) =>
        "data" in output && ("text/html" in output.data || "image/svg+xml" in output.data)
      );
      const bare = rich.filter((output) => !JSON.stringify(output).includes("SYNTHETIC"));
      assertEquals(bare, []);
    });

    it(`${name} is short enough for one reading`, async () => {
      assert((await readNotebookFile(notebookPath(name))).cells.length <= 25);
    });

    it(`${name} links to files that exist`, async () => {
      const { cells } = await readNotebookFile(notebookPath(name));
      const prose = cells.filter(({ cell_type }) => cell_type === "markdown");
      const links = prose.flatMap(({ source }) =>
        [...source.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((match) => match[1])
      );
      for (const link of links.filter((link) => !/^https?:/.test(link))) {
        assert((await Deno.stat(new URL(link, NOTEBOOKS))).isFile, link);
      }
    });

    it(`${name} shows nothing specific to this machine`, async () => {
      const text = await Deno.readTextFile(notebookPath(name));
      for (const local of ["\\u001b[", "/tmp/", "file:///", new URL("..", NOTEBOOKS).pathname]) {
        assert(!text.includes(local), `${local} in ${name}`);
      }
    });
  }

  /** Answers that replace a blank, with the cell's reply. */
  const attempts: readonly (readonly [string, blank: string, tries: Record<string, string>])[] = [
    ["1_first_look.ipynb", "NaN;", {
      "107;": "Not yet: the index would be 88 %, not 87 %. What is 100 %?",
      "124;": "Right. The index says nothing about the turbine.",
    }],
    ["2_the_wind_index_explained.ipynb", "NaN;", {
      "99.7;": "Not yet: a mean of abnormality indices counts July as much as January.",
      "101;": "Close: use all hours of 2024, to one decimal.",
      "12;": "Not yet: divide the energy of 2024 by the energy of a normal year.",
      "99.4;": "Right. The mean of the twelve month indices is the same. Why?",
    }],
    ["3_performance_check.ipynb", '"2021-06": "", "2022-04": "", "2024-08": ""', {
      '"2021-06": "turbine", "2022-04": "wind", "2024-08": "turbine"': [6, 4, 8].map((month, i) =>
        `${[2021, 2022, 2024][i]}-0${month}: not yet: which of the two steps is longer?`
      ).join("\n"),
      '"2021-06": "wind", "2022-04": "turbine", "2024-08": "wind"':
        "2021-06: right\n2022-04: right\n2024-08: right",
    }],
  ];
  for (const [name, blank, tries] of attempts) {
    it(`${name} has an exercise that confirms a right answer, or gives a hint`, async () => {
      const folder = await Deno.makeTempDir();
      const notebook = JSON.parse(await Deno.readTextFile(notebookPath(name)));
      const at = notebook.cells.findIndex(({ id }: { id: string }) => id === "exercise");
      const cell = notebook.cells[at];
      const source = cell.source.join("");
      assertStringIncludes(source, blank);
      const tried = Object.keys(tries).map((answer, i) => ({
        ...cell,
        id: `try-${i}`,
        source: source.replace(blank, answer),
      }));
      notebook.cells.splice(at + 1, 0, ...tried); // the same cell again, as a student runs it
      const copy = `${folder}/${name}`;
      await Deno.writeTextFile(copy, JSON.stringify(notebook));
      assertEquals((await processNotebook(copy, { write: true })).problems, []);
      const { cells } = await readNotebookFile(copy);
      const replies = cells.filter(({ id }) => id.startsWith("try-")).map(({ outputs: [output] }) =>
        "text" in output ? [output.text].flat().join("").trim() : ""
      );
      assertEquals(replies, Object.values(tries));
      await Deno.remove(folder, { recursive: true });
    });
  }

  // a year without a month to explain, another year, a much earlier month, another turbine
  const others: readonly (readonly [string, Record<string, unknown>])[] = [
    ["3_performance_check.ipynb", { from: "2021-01", to: "2021-12" }],
    ["4_long_term_production.ipynb", { year: 2024 }],
    ["6_a_fleet_and_its_month.ipynb", { month: "2006-02" }],
    ["8_from_notebook_to_script.ipynb", { turbine: "T2", year: 2023 }],
  ];
  for (const [name, parameters] of others) {
    it(`${name} also runs with ${JSON.stringify(parameters)}`, async () => {
      const { problems } = await processNotebook(notebookPath(name), { parameters });
      assertEquals(problems, []);
    });
  }

  it("8_from_notebook_to_script.ipynb shows a script and a task that run unchanged", async () => {
    const { cells } = await readNotebookFile(notebookPath("8_from_notebook_to_script.ipynb"));
    const prose = cells.map(({ source }) => source).join("\n");
    const fenced = (language: string) =>
      prose.match(new RegExp("^```" + language + "\n(.*?)^```", "ms"))![1];
    const folder = await Deno.makeTempDir();
    await pack(`${folder}/vindkit/out/pack`);
    await Deno.writeTextFile(`${folder}/indices.ts`, fenced("ts"));
    await Deno.writeTextFile(`${folder}/deno.json`, fenced("json"));
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "indices", "T2", "2023"],
      cwd: folder,
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    const csv = await Deno.readTextFile(`${folder}/indices_T2_2023.csv`);
    assertEquals(csv.trim().split("\n").length, 14); // SYNTHETIC, the header, twelve months
    assertStringIncludes(csv, "SYNTHETIC");
    assert((await Deno.stat(`${folder}/indices.lock.json`)).isFile);
    await Deno.remove(folder, { recursive: true });
  });
});
