/**
 * Pictures and archives do not depend on the time zone of the machine. A process has one time zone, so each test starts
 * one.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { ProgramOutput } from "./_every_plot.ts";

const HERE = new URL("./", import.meta.url).pathname;

/** Runs Deno in a time zone, and returns its output. */
async function runInZone(zone: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: `${HERE}../..`,
    env: { TZ: zone, NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (!success) throw new Error(`${text}${new TextDecoder().decode(stderr)}`);
  return text;
}

/** The test files below a folder. */
function listTestFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return listTestFiles(`${folder}${name}/`);
    return name.endsWith("_test.ts") ? [folder + name] : [];
  });
}

describe("in Newfoundland", () => {
  it("every plot is the same as in UTC", async () => {
    const [utc, newfoundland] = await Promise.all(
      ["UTC", "America/St_Johns"].map(async (zone): Promise<ProgramOutput> =>
        JSON.parse(await runInZone(zone, "run", "--no-check", "-A", `${HERE}_every_plot.ts`))
      ),
    );
    assertEquals([utc.offset, newfoundland.offset], [0, 210]);
    assertEquals(utc.plots, newfoundland.plots);
  });

  it("every picture equals its snapshot, and archives are read and written in the same way", async () => {
    const files = listTestFiles(HERE).filter((path) =>
      !path.endsWith("_long_test.ts") && Deno.readTextFileSync(path).includes("in every time zone")
    );
    assert(files.length > 10);
    const archives = `${HERE}../frames/files/zip_test.ts`;
    await runInZone("America/St_Johns", "task", "test", ...files, archives);
  });
});
