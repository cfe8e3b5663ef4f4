/**
 * `deno task init` as a person meets it: through a pseudo-terminal, which `script` of util-linux makes. Its dialogue is
 * kept in `init/transcript.txt`; `deno task test test/cli/init_long_test.ts -- --update` writes it.
 *
 * @module
 */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { writeExampleFiles } from "../../src/sample/example_files.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const TRANSCRIPT = new URL("init/transcript.txt", import.meta.url);
const CTRL_C = "\x03";

/** Whether `script` is here, and is that of util-linux. */
async function hasScript(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

/** Calls it in a folder, and answers each question with the next answer. What was said and typed, and the exit code. */
async function answer(folder: string, options: readonly string[], answers: readonly string[]) {
  const call = ["deno", "task", "--quiet", "--cwd", ROOT, "init", ...options];
  const child = new Deno.Command("script", {
    args: ["-qec", call.map((word) => `'${word}'`).join(" "), "/dev/null"],
    // The folder of the call, as a shell in it would have it.
    env: { INIT_CWD: folder, NO_COLOR: "1", TZ: "Europe/Copenhagen", CI: "1" }, // in CI no progress is shown
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const waiting = [...answers];
  let said = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += part;
    if (!said.endsWith(": ")) continue;
    const next = waiting.shift();
    if (next === undefined) {
      child.kill();
      break;
    }
    await input.write(new TextEncoder().encode(next === CTRL_C ? next : `${next}\n`));
  }
  await input.close().catch(() => {}); // it may have ended
  const { code } = await child.status;
  return { said: said.replaceAll("\r\n", "\n"), code, left: waiting };
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
      "95",
      "55° 36' N",
      "7.92",
      "0",
      "",
      "power_curve.csv", // another file
      "production.csv",
      "",
      "2",
      "",
      "",
      "kilowatt",
      "kW",
      "DD/MM/YYYY HH:mm", // another format
      "",
      "start",
      "",
      "climate.csv",
      "",
      "",
      "55.5",
      "8",
      "",
      "",
      "no",
      "7",
      "",
      "",
      "power_curve.csv",
      "2300",
      "920", // another unit
      "92",
      "80",
      "",
      "",
      ".", // has a site file
      "",
      "",
    ]);
    assertEquals([left, code], [[], 0], said);
    const dialogue =
      said.slice(0, said.indexOf("\nWritten: ")).replaceAll(folder, "/home/ann/wind") + "\n";
    assertEquals(dialogue.split("\n").filter((line) => line.trimEnd().length > 100), []);
    if (Deno.args.includes("--update")) await Deno.writeTextFile(TRANSCRIPT, dialogue);
    assertEquals(dialogue, await Deno.readTextFile(TRANSCRIPT));
    assertMatch(said, /\nhill-1 +2025-12 +\d+\.\d +\d+\.\d +final\n/);
    assertStringIncludes(
      said,
      "\nChart of the last 24 months: hill-1/first_index.svg\n" +
        "After a change of site.json: deno task import hill-1/site.json --data data\n" +
        "Serve it: deno task serve --data data\n",
    );
  });

  it("M10, S7: writes nothing at Ctrl-C, and says how to go on with all answers", async () => {
    const { said, code } = await answer(
      folder,
      ["--data", "none", "--latitude=-55.6", "--hub-height", "80"],
      ["Ann's hill", "7.92", "0", "UTC", "production.csv", "", CTRL_C],
    );
    assertEquals(code, 130, said);
    const call = [
      "deno task init",
      "--name 'Ann'\\''s hill'",
      "--latitude=-55.6",
      "--longitude 7.92",
      "--elevation 0",
      "--time-zone UTC",
      "--production production.csv",
      "--time-column time",
      "--hub-height 80",
      "--data none",
    ].join(" \\\n    ");
    assertStringIncludes(said, `To go on with your answers:\n  ${call}\n`);
    assertStringIncludes(
      said,
      "Stopped by Ctrl-C. Nothing is half done: the lines above say how to go on.",
    );
    assertEquals(await Deno.stat(`${folder}/none`).then(() => true, () => false), false);
  });
});
