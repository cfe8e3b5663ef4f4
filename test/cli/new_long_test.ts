import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { callCommand } from "./_command.ts";
import { runTaskWith } from "./_task.ts";

const ROOT = new URL("../../", import.meta.url);

/** A script that names other entries too. */
const SCRIPT = `import { connect, turbineDetails } from "@vindkit/vindkit";
import { parametricPowerCurve } from "@vindkit/vindkit/sites";

await using connection = connect({ sample: true });
const curve = parametricPowerCurve({ ratedPower: 2300, rotorDiameter: 92 });
console.log((await turbineDetails("T1", { connection })).turbine_id, curve.length);
`;

async function deno(home: string, folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env: { VINDKIT_HOME: `${home}/home`, VINDKIT_URL: "", VINDKIT_KEY: "", NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assertEquals(code, 0, err);
  return out;
}

describe("deno task new", () => {
  it("U4, S16: writes a folder whose scripts run and have their types, and replaces nothing", async () => {
    const home = await Deno.makeTempDir();
    try {
      const folder = `${home}/my wind`;
      const begun = await runTaskWith({ VINDKIT_HOME: `${home}/home` }, "new", folder);
      assertEquals(begun.code, 0, begun.error);
      assertStringIncludes(begun.out, "deno task first");
      const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
      assertEquals(names, [".gitignore", ".vscode", "deno.json", "deno.lock", "first.ts"]);
      assertStringIncludes(await deno(home, folder, "task", "first"), "MWh are expected");
      assertEquals(
        [...Deno.readDirSync(`${folder}/out`)].map(({ name }) => name).sort(),
        ["budget.html", "budget.json", "budget.md", "index.svg"],
      );
      await Deno.writeTextFile(`${folder}/second.ts`, SCRIPT);
      assertEquals(await deno(home, folder, "run", "-q", "-P", "second.ts"), "T1 45\n");
      await deno(home, folder, "check", "first.ts", "second.ts");

      const before = await Deno.readTextFile(`${folder}/first.ts`);
      const again = await callCommand("new", folder);
      assertEquals(again.code, 1);
      assertStringIncludes(again.error, "it has .gitignore already");
      assertEquals(await Deno.readTextFile(`${folder}/first.ts`), before);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  });

  it("is what the pages show to those who have a checkout", async () => {
    for (const page of ["README.md", "docs/getting-started.md"]) {
      assertStringIncludes(
        await Deno.readTextFile(new URL(page, ROOT)),
        "deno task new ../my-wind",
      );
    }
  });
});
