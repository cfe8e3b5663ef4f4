import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { callRefused } from "./_command.ts";
import { runSuccessfully } from "./_task.ts";

async function deno(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assertEquals(code, 0, err);
  return out;
}

describe("deno task new", () => {
  it("U4: writes a folder whose first script runs, and has its types", async () => {
    const home = await Deno.makeTempDir();
    try {
      const folder = `${home}/my wind`;
      assertStringIncludes(await runSuccessfully("new", folder), "deno task first");
      const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
      assertEquals(names, [".gitignore", ".vscode", "deno.json", "first.ts"]);
      assertStringIncludes(await deno(folder, "task", "first"), "MWh are expected");
      assertEquals(
        [...Deno.readDirSync(`${folder}/out`)].map(({ name }) => name).sort(),
        ["budget.html", "budget.json", "budget.md", "index.svg"],
      );
      await deno(folder, "check", "first.ts");

      const before = await Deno.readTextFile(`${folder}/first.ts`);
      assertStringIncludes(await callRefused("new", folder), "it has .gitignore already");
      assertEquals(await Deno.readTextFile(`${folder}/first.ts`), before);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  });
});
