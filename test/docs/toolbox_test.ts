import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import * as vindkit from "../../mod.ts";
import { runSuccessfully } from "../cli/_task.ts";
import { assertSnapshot } from "../plots/_snapshot.ts";
import { drawFleetMonth } from "./_fleet_month.ts";

const DOCS = new URL("../../docs/", import.meta.url);
const PAGES = new URL("toolbox/", DOCS);

const pages = [...Deno.readDirSync(PAGES)].map(({ name }) => name)
  .filter((name) => name.endsWith(".md")).sort();

describe("docs/toolbox.md", () => {
  it("lists every chart with its question", async () => {
    const page = await Deno.readTextFile(new URL("toolbox.md", DOCS));
    const listed = [...page.matchAll(/^\|.+\? +\| `(plot\w+)\(/gm)].map(([, name]) => name);
    const charts = Object.keys(vindkit).filter((name) => name.startsWith("plot"));
    assertEquals(listed.toSorted(), charts.toSorted());
  });
});

/** The text of the first block of a language. */
function blockOf(page: string, language: string): string {
  const match = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "m").exec(page);
  assert(match, `no block of ${language}`);
  return match[1];
}

describe("the pages of docs/toolbox", () => {
  let folder: URL;
  const { log } = console;

  beforeAll(async () => {
    await Deno.mkdir(new URL("../../out/", import.meta.url), { recursive: true });
    const path = await Deno.makeTempDir({ dir: new URL("../../out/", import.meta.url).pathname });
    folder = new URL(`file://${path}/`); // in the checkout: there the package has its name
  });
  afterAll(async () => {
    console.log = log;
    await Deno.remove(folder, { recursive: true });
  });

  it("are eight", () => assertEquals(pages.length, 8));

  for (const name of pages) {
    const stem = name.replace(".md", "");

    it(`${name} has a question, and a sample that prints and draws what it shows`, async () => {
      const page = await Deno.readTextFile(new URL(name, PAGES));
      assert(/^# .+\?\n/.test(page), "the title is a question");
      assert(page.includes(`](${stem}.svg)`), "it shows its picture");
      const sample = new URL(`${stem}.ts`, folder);
      const text = blockOf(page, "ts");
      assert(text.includes(`"out/${stem}.svg"`));
      const picture = new URL(`${stem}.svg`, folder);
      await Deno.writeTextFile(sample, text.replace(`"out/${stem}.svg"`, `"${picture.pathname}"`));
      const printed: string[] = [];
      console.log = (...words) => printed.push(words.join(" "));
      await import(sample.href);
      console.log = log;
      const said = printed.join("\n") + "\n";
      if (Deno.args.includes("--update")) {
        const updatedPage = page.replace(
          /^```text\n[^]*?^```$/m,
          () => `\`\`\`text\n${said}\`\`\``,
        );
        await Deno.writeTextFile(new URL(name, PAGES), updatedPage);
      } else assertEquals(blockOf(page, "text"), said);
      await assertSnapshot(stem, () => ({ svg: () => Deno.readTextFile(picture) }), PAGES);
    });
  }
});

describe("the commands of docs/toolbox", () => {
  for (const name of pages) {
    const path = new URL(name, PAGES);
    const [block] = Deno.readTextFileSync(path).match(/^```console\n[^]*?^```$/m) ?? [];
    if (block === undefined) continue;

    it(`${name} shows what its command prints`, async () => {
      const command = block.split("\n")[1];
      assert(command.startsWith("$ deno task "), command);
      const out = await runSuccessfully(...command.split(" ").slice(3));
      const today = `\`\`\`console\n${command}\n${out.trimEnd()}\n\`\`\``;
      if (Deno.args.includes("--update")) {
        const page = await Deno.readTextFile(path);
        await Deno.writeTextFile(path, page.replace(block, () => today));
      } else assertEquals(block, today);
    });
  }
});

describe("the picture of README.md", () => {
  it("is today's month of the sample's fleet", async () => {
    const chart = await drawFleetMonth();
    await assertSnapshot("fleet_month", () => chart, DOCS);
  });
});
