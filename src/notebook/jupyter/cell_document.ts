import type { TextPosition } from "./language_server.ts";

/** A declaration at the beginning of a line; the group has its names. */
const DECLARATION =
  /^(?:export\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|interface|type|enum)\s+(\{[^}]*\}|\[[^\]]*\]|[\w$]+)/gm;

/** Names that code declares at the top. */
function listDeclarations(code: string): string[] {
  return [...code.matchAll(DECLARATION)].flatMap(([, names]) => names.match(/[\w$]+/g) ?? []);
}

/** The cells that have run, as one text: what is known where code is being written. */
export class CellDocument {
  #cells: readonly string[] = [];

  /** Adds a cell that has run, in place of those that declared one of its names before. */
  add(code: string): void {
    this.#cells = [...this.#select(code), code];
  }

  /**
   * The text of the cells with code that is being written, after those that have run.
   *
   * @param cursor Position in it, UTF-16 code units
   */
  textWith(code: string, cursor: number): { text: string; position: TextPosition } {
    const above = this.#select(code).map((cell) => `${cell}\n`).join("");
    const lines = (above + code.slice(0, cursor)).split("\n");
    const position = { line: lines.length - 1, character: lines[lines.length - 1].length };
    return { text: above + code, position };
  }

  /** The cells that declare none of the names in some code: of two declarations the language server takes the first. */
  #select(code: string): string[] {
    const names = new Set(listDeclarations(code));
    return this.#cells.filter((cell) =>
      cell !== code && !listDeclarations(cell).some((name) => names.has(name))
    );
  }
}
