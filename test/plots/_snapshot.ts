import { assertEquals } from "@std/assert";

const FOLDER = new URL("snapshots/", import.meta.url);

/** An SVG with numbers of two decimals and an element a line: further digits of a coordinate depend on rounding. */
function roundNumbers(svg: string): string {
  return svg.replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))))
    .replaceAll("><", ">\n<") + "\n";
}

/**
 * Compares the drawing of a chart with `snapshots/NAME.svg`, whatever the zone of the machine: `time_zone_long_test.ts`
 * does so in another one. `deno task test ... -- --update` writes the file: look at it before you commit it.
 *
 * @param name Name of the file, without extension
 * @param plot Makes the chart, or has its drawing
 * @param folder Where the file is
 */
export async function assertSnapshot(
  name: string,
  plot: () => { svg(): Promise<string> },
  folder: URL = FOLDER,
): Promise<void> {
  const file = new URL(`${name}.svg`, folder);
  const drawn = roundNumbers(await plot().svg());
  if (Deno.args.includes("--update")) {
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(file, drawn);
  }
  assertEquals(drawn, await Deno.readTextFile(file), name);
}
