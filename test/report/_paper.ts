/**
 * Reads the words of a PDF and their positions.
 *
 * @module
 */

/** A word on paper, pt from the upper left corner. */
interface Word {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** A sheet: its words in their written order, and its lines from left to right. */
export interface Sheet {
  readonly words: readonly Word[];
  readonly lines: readonly (readonly Word[])[];
}

/** Whether this machine can read a PDF. */
export const PDFTOTEXT: boolean = await new Deno.Command("pdftotext", {
  args: ["-v"],
  stdout: "null",
  stderr: "null",
}).output().then(() => true, () => false);

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** Letters of one line differ in height by less than this, pt. */
const SAME_LINE = 1.5;

function listLines(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of words.toSorted((a, b) => a.top - b.top)) {
    const line = lines.at(-1);
    if (line && word.top - line[0].top < SAME_LINE) line.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => line.sort((a, b) => a.left - b.left));
}

/** Reads the sheets of a PDF. */
export async function readSheets(path: string): Promise<Sheet[]> {
  const args = ["-raw", "-bbox", path, "-"];
  const { stdout } = await new Deno.Command("pdftotext", { args, stderr: "null" }).output();
  const pages = new TextDecoder().decode(stdout).split("<page ").slice(1);
  return pages.map((page) => {
    const words = [
      ...page.matchAll(
        /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="[\d.]+">(.*?)<\/word>/g,
      ),
    ].map(([, left, top, right, text]): Word => ({
      text: text.replace(/&(amp|lt|gt|quot);/g, (_, name) => ENTITIES[name])
        .replaceAll("&apos;", "'").replaceAll("&#39;", "'"),
      ...{ left: Number(left), right: Number(right), top: Number(top) },
    }));
    return { words, lines: listLines(words) };
  });
}

/** A printed row of a table: its cells, and the gaps between them, pt. */
export interface PrintedRow {
  readonly cells: readonly string[];
  readonly gaps: readonly number[];
}

/**
 * Finds a row of a table on paper; its name may wrap.
 *
 * @param cells Texts of the cells, its name first
 */
export function findRow(
  sheets: readonly Sheet[],
  [name, ...cells]: readonly string[],
): PrintedRow | undefined {
  const wanted = cells.filter((cell) => cell !== "").map((cell) => cell.split(" "));
  const tail = wanted.flat();
  for (const line of sheets.flatMap(({ lines }) => lines)) {
    const start = line.length - tail.length;
    if (start < 1 || !tail.every((word, i) => line[start + i].text === word)) continue;
    const written = line.slice(0, start).map(({ text }) => text).join(" ");
    if (written !== name && !name.startsWith(`${written} `)) continue;
    const gaps: number[] = [];
    const texts = [written];
    let at = start;
    for (const words of wanted) {
      gaps.push(line[at].left - line[at - 1].right);
      texts.push(line.slice(at, at + words.length).map(({ text }) => text).join(" "));
      at += words.length;
    }
    return { cells: texts, gaps };
  }
  return undefined;
}
