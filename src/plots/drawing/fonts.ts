import type { Resvg, ResvgRenderOptions } from "@resvg/resvg-js";
import { FONT } from "./theme.ts";

/** The font of the charts, regular and bold: a subset of DejaVu Sans (listed in docs/decisions/charts.md). */
const FILES = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];

/** Characters to look up in a font: ours has ASCII, and spaces, accents and control characters draw nothing by themselves. */
const CHARACTERS = /[^\0-\x7f\s\p{Cc}\p{Cf}\p{M}]/gu;

/** Replaces characters in a PNG that no font has. */
const BOX = "□";

type FontOptions = NonNullable<ResvgRenderOptions["font"]>;

/** Finds the characters that a renderer draws with these fonts. */
function findDrawn(
  Renderer: typeof Resvg,
  characters: readonly string[],
  font: FontOptions,
): string[] {
  const texts = characters.map((one) => `<text id="c${one.codePointAt(0)}">${one}</text>`).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${texts}</svg>`;
  const drawn = new Renderer(svg, { font }).toString().matchAll(/ id="c(\d+)"/g);
  return Array.from(drawn, ([, code]) => String.fromCodePoint(Number(code)));
}

/**
 * Copies the font to a file for the renderer if the package is loaded from a URL; the file is deleted when the process
 * ends.
 */
async function copyFont(): Promise<string[]> {
  const urls = FILES.map((name) => new URL(`./fonts/${name}`, import.meta.url));
  const fonts = await Promise.all(urls.map(async (url) => await (await fetch(url)).bytes()));
  const folder = await Deno.makeTempDir({ prefix: "vindkit-font-" });
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const paths = FILES.map((name) => `${folder}/${name}`);
  await Promise.all(paths.map((path, i) => Deno.writeFile(path, fonts[i])));
  return paths;
}

/** Opens the font as an option of the renderer, which silently draws no text if it cannot read the font. */
async function openFont(Renderer: typeof Resvg): Promise<FontOptions> {
  const { dirname } = import.meta;
  try {
    const fontFiles = dirname ? FILES.map((name) => `${dirname}/fonts/${name}`) : await copyFont();
    const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: FONT.split(",")[0] };
    if (findDrawn(Renderer, ["A"], font).length > 0) return font;
    throw new Error("its file is missing or damaged. Install Vindkit again");
  } catch (cause) {
    const problem = (cause as Error).message;
    throw new Error(
      `Cannot load the font for PNG charts: ${problem}. You can also save the chart as .svg`,
      { cause },
    );
  }
}

let font: Promise<FontOptions> | undefined;

/** Source of each character that charts have had: our font, the machine's, or none. */
const sources = new Map<string, "font" | "machine" | "nobody">();

/**
 * Chooses the fonts for the texts of a drawing: only ours, so a PNG is identical on every machine. If ours lacks a
 * character, fonts of the machine draw it; if they lack it too, a box replaces it and a message names it.
 *
 * @param svg The drawing
 * @param Renderer The renderer of the drawing
 * @returns The drawing with its boxes, and the fonts as an option of the renderer
 * @throws {Error} If our font cannot be read
 */
export async function chooseFonts(
  svg: string,
  Renderer: typeof Resvg,
): Promise<{ readonly svg: string; readonly font: FontOptions }> {
  const ours = await (font ??= openFont(Renderer));
  const characters = [...new Set(svg.replaceAll(/<[^>]*>/g, "").match(CHARACTERS))];
  const findUnknown = () => characters.filter((one) => !sources.has(one));
  for (const source of ["font", "machine"] as const) {
    const fonts = { ...ours, loadSystemFonts: source === "machine" };
    const unknown = findUnknown();
    if (unknown.length === 0) break;
    findDrawn(Renderer, unknown, fonts).forEach((one) => sources.set(one, source));
  }
  const missing = findUnknown().sort();
  missing.forEach((one) => sources.set(one, "nobody"));
  if (missing.length > 0) {
    console.error(
      `A PNG shows "${BOX}" for ${missing.join(", ")}: no font on this machine draws ` +
        "these characters. Install one that does, or save the chart as .svg",
    );
  }
  const fill = (text: string) =>
    text.replaceAll(CHARACTERS, (one) => sources.get(one) === "nobody" ? BOX : one);
  const loadSystemFonts = characters.some((one) => sources.get(one) === "machine");
  return { svg: svg.replaceAll(/>[^<]+/g, fill), font: { ...ours, loadSystemFonts } };
}
