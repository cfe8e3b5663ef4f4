/**
 * Sizes of the text in a PDF by Chromium, as printed on paper, after all styles and scaling of charts.
 *
 * @module
 */
import { unzlibSync } from "fflate";

/** A matrix of six numbers, as PDF writes it. */
type Matrix = readonly [number, number, number, number, number, number];

/** A piece of text on paper. */
export interface PdfText {
  /** Height of its letters' em, pt. */
  readonly size: number;
  /** Its page, from 1. */
  readonly page: number;
}

/** Texts of a PDF. */
export interface PdfTexts {
  readonly pages: number;
  readonly texts: readonly PdfText[];
}

interface PdfObject {
  readonly dictionary: string;
  readonly stream: string | undefined;
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

const latin = new TextDecoder("latin1");

function multiply([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [
    a * A + b * C,
    a * B + b * D,
    c * A + d * C,
    c * B + d * D,
    e * A + f * C + E,
    e * B + f * D + F,
  ];
}

/** Objects by their numbers. */
function readObjects(pdf: Uint8Array): Map<number, PdfObject> {
  const text = latin.decode(pdf);
  const objects = new Map<number, PdfObject>();
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const begin = match.index + match[0].length;
    const streamAt = text.indexOf("stream\n", begin);
    const end = text.indexOf("endobj", begin);
    if (streamAt === -1 || streamAt > end) {
      objects.set(Number(match[1]), { dictionary: text.slice(begin, end), stream: undefined });
      continue;
    }
    const dictionary = text.slice(begin, streamAt);
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1]);
    const bytes = pdf.subarray(streamAt + 7, streamAt + 7 + length);
    const plain = dictionary.includes("/FlateDecode") ? unzlibSync(bytes) : bytes;
    objects.set(Number(match[1]), { dictionary, stream: latin.decode(plain) });
  }
  return objects;
}

/** Numbers of the forms that a dictionary names. */
function readForms(dictionary: string): Map<string, number> {
  const names = /\/XObject\s*<<(.*?)>>/s.exec(dictionary)?.[1] ?? "";
  return new Map(
    [...names.matchAll(/\/(\w+)\s+(\d+) 0 R/g)].map(([, name, id]) => [name, Number(id)]),
  );
}

/**
 * Reads the sizes of all text in a PDF of Chromium.
 *
 * @param pdf The file
 */
export function readPdfText(pdf: Uint8Array): PdfTexts {
  const objects = readObjects(pdf);
  const texts: PdfText[] = [];

  function walk(
    { dictionary, stream }: PdfObject,
    content: string,
    base: Matrix,
    page: number,
  ): void {
    const forms = readForms(dictionary);
    const saved: Matrix[] = [];
    let at = base;
    let line = IDENTITY;
    let size = 0;
    let operands: string[] = [];
    for (
      const token of (stream ?? content).match(/\((?:\\.|[^\\)])*\)|<[^>]*>|[^\s<(\[\]]+/g) ?? []
    ) {
      const numbers = () => operands.slice(-6).map(Number) as unknown as Matrix;
      switch (token) {
        case "q":
          saved.push(at);
          break;
        case "Q":
          at = saved.pop() ?? base;
          break;
        case "cm":
          at = multiply(numbers(), at);
          break;
        case "BT":
          line = IDENTITY;
          break;
        case "Tf":
          size = Number(operands.at(-1));
          break;
        case "Tm":
          line = numbers();
          break;
        case "Tj":
        case "TJ": {
          const [, , c, d] = multiply(line, at);
          texts.push({ size: size * Math.hypot(c, d), page });
          break;
        }
        case "Do": {
          const form = objects.get(forms.get(operands.at(-1)!.slice(1)) ?? -1);
          if (form?.dictionary.includes("/Subtype /Form")) {
            const matrix = /\/Matrix \[([^\]]*)\]/.exec(form.dictionary)?.[1].trim().split(/\s+/)
              .map(
                Number,
              );
            walk(form, "", multiply((matrix as unknown as Matrix) ?? IDENTITY, at), page);
          }
          break;
        }
        default:
          operands.push(token);
          continue;
      }
      operands = [];
    }
  }

  let pages = 0;
  for (const { dictionary } of objects.values()) {
    if (!/\/Type \/Page\b/.test(dictionary)) continue;
    pages++;
    const resources = /\/Resources (\d+) 0 R/.exec(dictionary);
    const content = objects.get(Number(/\/Contents (\d+) 0 R/.exec(dictionary)?.[1]));
    const named = resources ? objects.get(Number(resources[1]))!.dictionary : dictionary;
    walk({ dictionary: named, stream: content?.stream }, "", IDENTITY, pages);
  }
  return { pages, texts };
}
