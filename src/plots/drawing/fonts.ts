import type { Resvg, ResvgRenderOptions } from "@resvg/resvg-js";
import { fileURLToPath } from "node:url";
import { FONT } from "./theme.ts";

/** The font of the charts, regular and bold: a part of DejaVu Sans (docs/decisions/charts.md says which). */
const FILES = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map((name) =>
  new URL(`./fonts/${name}`, import.meta.url)
);

/** Characters to look for in a font: ASCII is in ours, and spaces, accents and signs of control draw nothing by themselves. */
const CHARACTERS = /[^\0-\x7f\s\p{Cc}\p{Cf}\p{M}]/gu;

/** Stands in a PNG for a character that no font has. */
const BOX = "□";

type FontOptions = NonNullable<ResvgRenderOptions["font"]>;

/** Which of some characters a renderer draws with these fonts. */
function findDrawn(
  Renderer: typeof Resvg,
  characters: readonly string[],
  font: FontOptions,
): Set<string> {
  const texts = characters.map((one) => `<text id="c${one.codePointAt(0)}">${one}</text>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${
    texts.join("")
  }</svg>`;
  const drawn = new Renderer(svg, { font }).toString().matchAll(/ id="c(\d+)"/g);
  return new Set(Array.from(drawn, ([, code]) => String.fromCodePoint(Number(code))));
}

/** Options with which a renderer has these files alone. */
function fontOptions(fontFiles: string[]): FontOptions {
  return { fontFiles, loadSystemFonts: false, defaultFontFamily: FONT.split(",")[0] };
}

/** Copies the font to where the renderer can read it, until the process ends. */
async function copyFont(): Promise<string[]> {
  const fonts = await Promise.all(FILES.map(async (url) => await (await fetch(url)).bytes()));
  const folder = await Deno.makeTempDir({ prefix: "vindkit-font-" });
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const paths = fonts.map((_, i) => `${folder}/${i}.ttf`);
  await Promise.all(paths.map((path, i) => Deno.writeFile(path, fonts[i])));
  return paths;
}

/**
 * Finds the files of the font: those of the package, or copies if the renderer cannot read them, as in a package that
 * comes from an address.
 */
async function findFont(Renderer: typeof Resvg): Promise<FontOptions> {
  const isRead = (font: FontOptions) => findDrawn(Renderer, ["A"], font).size > 0;
  if (FILES[0].protocol === "file:") {
    const font = fontOptions(FILES.map((url) => fileURLToPath(url)));
    if (isRead(font)) return font;
  }
  try {
    const font = fontOptions(await copyFont());
    if (isRead(font)) return font;
    throw new Error("it is damaged: install Vindkit again");
  } catch (cause) {
    throw new Error(
      `Cannot draw a PNG: its font cannot be read from ${FILES[0]}: ${(cause as Error).message}. ` +
        "Allow reading it and writing temporary files, or save the chart as .svg",
      { cause },
    );
  }
}

let font: Promise<FontOptions> | undefined;

/** Who draws a character, of those that charts have had. */
const sources = new Map<string, "font" | "machine" | "nobody">();

/** Finds out who draws some characters, and says which no font has. */
function findSources(
  Renderer: typeof Resvg,
  characters: readonly string[],
  font: FontOptions,
): void {
  const drawn = findDrawn(Renderer, characters, font);
  const others = characters.filter((one) => !drawn.has(one));
  const byMachine = others.length > 0
    ? findDrawn(Renderer, others, { ...font, loadSystemFonts: true })
    : drawn;
  const missing = others.filter((one) => !byMachine.has(one)).sort();
  drawn.forEach((one) => sources.set(one, "font"));
  byMachine.forEach((one) => sources.has(one) || sources.set(one, "machine"));
  missing.forEach((one) => sources.set(one, "nobody"));
  if (missing.length === 0) return;
  console.error(
    `A PNG shows "${BOX}" for ${missing.join(", ")}: no font on this machine draws ` +
      "these characters. Install one that does, or save the chart as .svg",
  );
}

/**
 * Chooses the fonts for the texts of a drawing: ours alone, so that a PNG is the same on every machine. If ours lacks a
 * character, those of the machine draw it; if they lack it too, a box stands for it and a message names it.
 *
 * @param svg The drawing
 * @param Renderer What will draw it
 * @returns The drawing with its boxes, and the fonts as an option of the renderer
 * @throws {Error} If our font cannot be read
 */
export async function chooseFonts(
  svg: string,
  Renderer: typeof Resvg,
): Promise<{ readonly svg: string; readonly font: FontOptions }> {
  const ours = await (font ??= findFont(Renderer));
  const characters = [...new Set(svg.replaceAll(/<[^>]*>/g, "").match(CHARACTERS))];
  const unknown = characters.filter((one) => !sources.has(one));
  if (unknown.length > 0) findSources(Renderer, unknown, ours);
  const loadSystemFonts = characters.some((one) => sources.get(one) === "machine");
  const fill = (text: string) =>
    text.replaceAll(CHARACTERS, (one) => sources.get(one) === "nobody" ? BOX : one);
  return { svg: svg.replaceAll(/>[^<]+/g, fill), font: { ...ours, loadSystemFonts } };
}
