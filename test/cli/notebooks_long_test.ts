import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Folder } from "../notebook/_folder.ts";

/** Runs the task as a user does. */
async function notebooks(...given: string[]): Promise<{ code: number; out: string; err: string }> {
  return await notebooksWith({}, ...given);
}

/** Runs the task with additional variables. */
async function notebooksWith(
  env: Record<string, string>,
  ...given: string[]
): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "notebooks", ...given],
    env: { NO_COLOR: "1", ...env },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, err };
}

describe("deno task notebooks", () => {
  it("runs several, prints a line for each with its failures, and fails if one does", async () => {
    await using folder = await Folder.make();
    const good = await folder.notebook("good", ["1 + 1"]);
    const bad = await folder.notebook("bad", ["1", "null.x;"]);
    const before = await Deno.readTextFile(bad);
    const { code, out, err } = await notebooks(good, bad, "--write");
    assertEquals(code, 1);
    assertEquals(err.trim().split("\n").sort(), [
      "1 of 2 notebooks failed",
      `starting ${bad}, 2 cells`,
      `starting ${good}, 1 cells`,
    ]);
    assertMatch(out, /^ok +\d+\.\d s +\S+good\.ipynb, 1 cells\n +\S+good\.ipynb written$/m);
    assertMatch(out, /^FAILED +\d+\.\d s +\S+bad\.ipynb, 2 cells\n {4}cell 2, line 1: TypeError/m);
    assertEquals(await Deno.readTextFile(bad), before);
  });

  it("--write stores the outputs once, --check compares them with a run", async () => {
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
      assert(err.startsWith("Cannot write or compare outputs of a run with parameters"), err);
    }
  });

  // `script` makes a terminal; its options differ on other systems.
  const onLinux = Deno.build.os === "linux" ? it : it.ignore;
  onLinux("shows on the last line of a terminal how far it has come", async () => {
    await using folder = await Folder.make();
    const wait = "await new Promise((resolve) => setTimeout(resolve, 1500));";
    const path = await folder.notebook("slow", ["1", wait]);
    const task = `${Deno.execPath()} task --quiet notebooks ${path}`;
    const { stdout } = await new Deno.Command("script", {
      args: ["-qec", task, "/dev/null"],
      env: { NO_COLOR: "1", TERM: "xterm", CI: "" },
    }).output();
    const out = new TextDecoder().decode(stdout).replaceAll("\x1b[K", "<erase>");
    assertMatch(out, /\rNotebooks \[#+-+\] 1 of 2 cells, \d s, slow 2\/2<erase>/);
    assertMatch(out, /\r<erase>ok +\d\.\d s {2}\S+slow\.ipynb, 2 cells\r\n/);
  });

  it("runs nothing if one of several cannot run, or two pages would have the same name", async () => {
    await using folder = await Folder.make();
    const good = await folder.notebook("good", ["1"]);
    const broken = await folder.write("broken.ipynb", "{");
    const refused = await notebooks(good, broken);
    assertEquals([refused.code, refused.out], [1, ""]);
    assertStringIncludes(refused.err, `Cannot read ${broken}: it is not valid JSON`);
    await Deno.mkdir(`${folder.path}/other`);
    const twin = await folder.notebook("other/good", ["2"]);
    const twins = await notebooks(good, twin, "--html", `${folder.path}/out`);
    assertEquals([twins.code, twins.out], [1, ""]);
    assertStringIncludes(
      twins.err,
      "each page would be called good.html. Rename one of the notebooks",
    );
  });

  it("F20 keeps the key out of outputs, pages and messages", async () => {
    await using folder = await Folder.make();
    const key = 'CANARY-key-of-"notebooks"';
    const cells = [
      "Deno.env.toObject()",
      "throw new Error(Deno.env.get('VINDKIT_KEY'));",
      "console.error(Deno.env.get('VINDKIT_KEY'));",
    ];
    for (const cell of cells) {
      const path = await folder.notebook("n", [cell]);
      const pages = `${folder.path}/out`;
      const { code, out, err } = await notebooksWith(
        { VINDKIT_KEY: key },
        ...[path, "--write", "--html", pages],
      );
      assertEquals(code, 1);
      assertStringIncludes(out, "cell 1: the cell shows the key of VINDKIT_KEY");
      assertEquals([...Deno.readDirSync(pages)], []);
      for (const text of [out, err, await Deno.readTextFile(path)]) {
        assert(!text.includes("CANARY"), text);
      }
    }
  });

  it("says that the PATH has no Deno", async () => {
    await using folder = await Folder.make();
    const path = await folder.notebook("n", ["1"]);
    const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
    const [, ...args] = tasks.notebooks.command.split(" ");
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...args, path],
      env: { PATH: folder.path, NO_COLOR: "1" },
    }).output();
    assertEquals(code, 1);
    const err = new TextDecoder().decode(stderr);
    assertStringIncludes(err, "Cannot start Deno: deno is not in the PATH. Add the folder of ");
  });

  it("prints a missing file in one line, and the syntax after misuse", async () => {
    for (const given of [["-p", "x"], ["--timeout", "no"]]) {
      const { code, err } = await notebooks(...given);
      assertEquals([code, err.includes("\n\nUsage:\n  deno task notebooks [FILES]")], [2, true]);
    }
    const { code, err } = await notebooks("/nowhere/n.ipynb");
    assertEquals([code, err.trim().split("\n").length], [1, 1]);
  });

  it("M10: stops at Ctrl-C, and says which notebooks are left", async () => {
    await using folder = await Folder.make();
    const path = await folder.notebook("slow", [
      "await new Promise(() => setInterval(() => {}, 1e6))",
    ]);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["task", "--quiet", "notebooks", path],
      env: { NO_COLOR: "1" },
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let err = "";
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
      err += part;
      if (part.includes("starting")) child.kill("SIGINT");
    }
    assertEquals((await child.status).code, 130);
    assertStringIncludes(
      err,
      "\nStopped by Ctrl-C. The lines above list the finished notebooks. No other file has changed.",
    );
  });
});
