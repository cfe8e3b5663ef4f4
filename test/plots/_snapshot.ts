import { assertEquals } from "@std/assert";

const FOLDER = new URL("snapshots/", import.meta.url);

/** An SVG with an element per line and numbers of two decimals, because further digits of coordinates depend on rounding. */
function roundNumbers(svg: string): string {
  return svg.replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))))
    .replaceAll("><", ">\n<") + "\n";
}

/**
 * Compares the drawing of a chart with `snapshots/NAME.svg`, in any time zone of the machine (`time_zone_long_test.ts` does
 * so in another one). `deno task test ... -- --update` writes the file; look at it before you commit it.
 *
 * @param name Name of the file, without extension
 * @param plot Makes the chart, or returns its drawing
 * @param folder Folder of the file
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
