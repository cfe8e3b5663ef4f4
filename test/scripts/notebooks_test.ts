import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Folder } from "../notebook/_notebooks.ts";

/** Runs the task as its user does. */
async function notebooks(...given: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "notebooks", ...given],
    env: { NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, err };
}

describe("deno task notebooks", () => {
  it("runs several, tells a line each with what failed, and fails when one does", async () => {
    await using folder = await Folder.make();
    const good = await folder.notebook("good", ["1 + 1"]);
    const bad = await folder.notebook("bad", ["1", "null.x;"]);
    const before = await Deno.readTextFile(bad);
    const { code, out, err } = await notebooks(good, bad, "--write");
    assertEquals([code, err], [1, "1 of 2 notebooks failed\n"]);
    assertMatch(out, /^ok +\d+\.\d s +\S+good\.ipynb, 1 cells\n +\S+good\.ipynb written$/m);
    assertMatch(out, /^FAILED +\d+\.\d s +\S+bad\.ipynb, 2 cells\n {4}cell 2, line 1: TypeError/m);
    assertEquals(await Deno.readTextFile(bad), before);
  });

  it("--write keeps the outputs once, --check holds them against a run", async () => {
    await using folder = await Folder.make();
    const path = await folder.notebook("n", ["const n = 2;\nn + 1"]);
    assertEquals((await notebooks(path, "--check")).code, 1);
    assertEquals((await notebooks(path, "--write")).code, 0);
    const kept = await Deno.readTextFile(path);
    const again = await notebooks(path, "--write", "--check");
    assertEquals([again.code, again.out.includes("written")], [0, false]);
    await Deno.writeTextFile(path, kept.replace('"3"', '"4"'));
    const { code, out } = await notebooks(path, "--check");
    assertEquals(code, 1);
    assertStringIncludes(
      out,
      "    cell 1: output 1, text/plain differs\n        in the file: 4\n        in the run:  3\n",
    );
  });

  it("-p sets parameters for a page, and is refused with --write and --check", async () => {
    await using folder = await Folder.make();
    const path = await folder.notebook("n", [
      { markdown: "# Title" },
      { code: 'let name = "Ada";', tags: ["parameters"] },
      "console.log(`Hello ${name}`)",
    ]);
    const { code } = await notebooks(path, "-p", "name=Grace", "--html", `${folder.path}/out`);
    assertEquals(code, 0);
    assertStringIncludes(await Deno.readTextFile(`${folder.path}/out/n.html`), "Hello Grace");
    const unknown = await notebooks(path, "-p", "nme=Grace");
    assertEquals([unknown.code, unknown.out], [1, ""]);
    assertStringIncludes(unknown.err, 'Cannot set "nme"');
    for (const option of ["--write", "--check"]) {
      const { code, err } = await notebooks(path, "-p", "name=Grace", option);
      assertEquals(code, 1);
      assert(err.startsWith("Cannot keep or compare outputs that come of parameters"), err);
    }
  });

  it("tells misuse in one line", async () => {
    for (const given of [["-p", "x"], ["--timeout", "no"], ["/nowhere/n.ipynb"]]) {
      const { code, err } = await notebooks(...given);
      assertEquals([code, err.trim().split("\n").length], [1, 1]);
    }
  });
});
