/**
 * `deno task init` as a user sees it: in a pseudo-terminal made by `script` of util-linux. Its dialogue is stored in
 * `transcript.txt`; `deno task test test/cli/init/init_long_test.ts -- --update` writes it.
 *
 * @module
 */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { writeExampleFiles } from "../../../src/sample/example_files.ts";
import { drawScreen } from "./_screen.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
const TRANSCRIPT = new URL("transcript.txt", import.meta.url);
const [CTRL_C, DOWN] = ["\x03", "\x1b[B"];

/** Whether this machine has the `script` of util-linux. */
async function hasScript(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

/** Marks of the terminal before a question, and after its answer. */
const [ACTIVE, ANSWERED] = ["◆", "◇"];

/** Runs it in a terminal of 100 columns, and answers each question with some keys. Returns the screen and the exit code. */
async function answer(folder: string, options: readonly string[], answers: readonly string[]) {
  const call = ["deno", "task", "--quiet", "--cwd", ROOT, "init", ...options];
  const command = call.map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qec", `stty cols 100 rows 50; ${command}`, "/dev/null"],
    // the caller's folder, as set by a shell in it
    env: { INIT_CWD: folder, NO_COLOR: "1", TZ: "Europe/Copenhagen", CI: "1" }, // CI hides progress
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const waiting = [...answers];
  let [said, from] = ["", 0];
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += part;
    // A question is drawn again with its answer; then the next one is active.
    const at = said.lastIndexOf(ACTIVE);
    if (at < from || said.includes(ANSWERED, at)) continue;
    from = said.length;
    const next = waiting.shift();
    if (next === undefined) {
      child.kill();
      break;
    }
    await input.write(new TextEncoder().encode(next === CTRL_C ? next : `${next}\r`));
  }
  await input.close().catch(() => {}); // the process may have ended
  const { code } = await child.status;
  return { said: drawScreen(said), code, left: waiting };
}

const present = await hasScript();
if (!present) console.log("Skipped: init through a terminal needs `script` of util-linux");
const described = present ? describe : describe.ignore;

described("init in a terminal", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    await writeExampleFiles(folder);
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("V13: leads from the example files to an index, as the transcript shows", async () => {
    const { said, code, left } = await answer(folder, ["--data", "data"], [
      "Hill 1",
      "95, 8",
      `55° 36' N, 7.92`,
      "0",
      "2300",
      "power_curve.csv", // another file
      "production.csv",
      "", // kW
      "", // start
      "climate.csv",
      "920", // another unit
      "92",
      "80",
      DOWN.repeat(16), // the point of the climate is wrong
      "55.5, 8",
      DOWN.repeat(19), // the power curve is missing
      "power_curve.csv",
      "",
    ]);
    assertEquals([left, code], [[], 0], said);
    const dialogue =
      said.slice(0, said.indexOf("\nWritten: ")).replaceAll(folder, "/home/ann/wind") + "\n";
    if (Deno.args.includes("--update")) await Deno.writeTextFile(TRANSCRIPT, dialogue);
    assertEquals(dialogue, await Deno.readTextFile(TRANSCRIPT));
    assertMatch(said, /\nhill-1 +2025-12 +\d+\.\d +\d+\.\d +final\n/);
    assertStringIncludes(
      said,
      "\nChart of the last 24 months: hill-1/first_index.svg\n" +
        "After you change site.json: deno task import hill-1/site.json --data data\n" +
        "Serve the data: deno task serve --data data\n",
    );
  });

  it("M10, S7: writes nothing at Ctrl-C, and says how to resume with all answers", async () => {
    const { said, code } = await answer(
      folder,
      ["--data", "none", "--position=-55.6, 7.92", "--hub-height", "80"],
      ["Ann's hill", "0", "", "2300", "production.csv", "", CTRL_C],
    );
    assertEquals(code, 130, said);
    const call = [
      "deno task init",
      "--name 'Ann'\\''s hill'",
      "--position='-55.6, 7.92'",
      "--elevation 0",
      "--time-zone Etc/GMT-1",
      "--production production.csv",
      "--production-time time",
      "--production-column power",
      "--production-resolution hour",
      "--production-unit kW",
      "--rated-power 2300",
      "--hub-height 80",
      "--data none",
    ].join(" \\\n    ");
    assertStringIncludes(said, `To continue with your answers:\n  ${call}\n`);
    assertStringIncludes(
      said,
      "Stopped by Ctrl-C. No step is left half done. The lines above say how to continue.",
    );
    assertEquals(await Deno.stat(`${folder}/none`).then(() => true, () => false), false);
  });
});
