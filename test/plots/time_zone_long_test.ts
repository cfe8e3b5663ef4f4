/** Pictures and archives do not depend on the zone of the machine. A zone belongs to a process, so each has its own. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Drawn } from "./_every_plot.ts";

const HERE = new URL("./", import.meta.url).pathname;

/** Runs Deno in a zone, and gives what it printed. */
async function inZone(zone: string, ...args: string[]): Promise<string> {
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
function testFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return testFiles(`${folder}${name}/`);
    return name.endsWith("_test.ts") ? [folder + name] : [];
  });
}

describe("in Newfoundland", () => {
  it("every plot looks as in UTC", async () => {
    const [utc, newfoundland] = await Promise.all(
      ["UTC", "America/St_Johns"].map(async (zone): Promise<Drawn> =>
        JSON.parse(await inZone(zone, "run", "--no-check", "-A", `${HERE}_every_plot.ts`))
      ),
    );
    assertEquals([utc.offset, newfoundland.offset], [0, 210]);
    assertEquals(utc.plots, newfoundland.plots);
  });

  it("every test of a plot holds, its snapshot too, and so do archives", async () => {
    const files = testFiles(HERE).filter((path) => !path.endsWith("_long_test.ts"));
    const archives = `${HERE}../frames/archive/zip_test.ts`;
    await inZone("America/St_Johns", "task", "test", ...files, archives);
  });
});
