/** A code cell, a text, or a code cell with tags. */
export type CellOf = string | { markdown: string } | { code: string; tags: readonly string[] };

/** A notebook file as Jupyter writes it. */
export function notebookText(cells: readonly CellOf[]): string {
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { name: "deno", display_name: "Deno", language: "typescript" } },
    cells: cells.map((cell, i) => {
      const id = `cell-${i + 1}`;
      if (typeof cell === "object" && "markdown" in cell) {
        return { cell_type: "markdown", id, metadata: {}, source: cell.markdown };
      }
      const { code, tags } = typeof cell === "string" ? { code: cell, tags: [] } : cell;
      const metadata = tags.length > 0 ? { tags } : {};
      return { cell_type: "code", id, metadata, source: code, outputs: [], execution_count: null };
    }),
  });
}

/** A temporary folder, removed at the end. */
export class Folder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<Folder> {
    return new Folder(await Deno.makeTempDir({ prefix: "vindkit-test-" }));
  }

  /** Writes a notebook, and returns its path. */
  async notebook(name: string, cells: readonly CellOf[]): Promise<string> {
    return await this.write(`${name}.ipynb`, notebookText(cells));
  }

  async write(name: string, text: string): Promise<string> {
    const path = `${this.path}/${name}`;
    await Deno.writeTextFile(path, text);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}
