/**
 * The notebooks of this project, and the folders where tests run them.
 *
 * @module
 */
import { homeFolder } from "../../../src/disk/home.ts";
import { installKernelspec } from "../../../src/notebook/kernel/kernelspec.ts";
import type { Cell, NotebookDocument } from "../../../src/notebook/document/notebook_document.ts";

/** Folder of the notebooks, with a slash at the end. */
export const NOTEBOOKS: URL = new URL("../../../notebooks/", import.meta.url);

/** Names of the notebooks, in order. */
export const notebookNames: readonly string[] = [...Deno.readDirSync(NOTEBOOKS)]
  .map(({ name }) => name)
  .filter((name) => name.endsWith(".ipynb"))
  .sort();

/** Path of a notebook in this project. */
export function notebookPath(name: string): string {
  return new URL(name, NOTEBOOKS).pathname;
}

/** Number of outputs of a notebook with a format. */
export function countOutputs(notebook: NotebookDocument, type: string): number {
  const holds = (cell: Cell) =>
    cell.outputs.filter((output) => "data" in output && type in output.data).length;
  return notebook.cells.reduce((sum, cell) => sum + holds(cell), 0);
}

/** Number of tables in the outputs of a notebook. */
export function countTables(notebook: NotebookDocument): number {
  const findHtml = (cell: Cell) =>
    cell.outputs.map((output) => "data" in output ? String(output.data["text/html"] ?? "") : "");
  const html = notebook.cells.flatMap(findHtml).join("");
  return html.split("<table").length - 1;
}

/** Copies of all notebooks outside of the project, with a Jupyter configuration that has our kernel. */
export class NotebookCopies implements AsyncDisposable {
  /** Folder of the copies. */
  readonly folder: string;
  /** Environment of Jupyter: the folders of the kernel and of the sample. */
  readonly env: Readonly<Record<string, string>>;
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
    this.folder = `${root}/notebooks`;
    this.env = {
      HOME: root,
      JUPYTER_DATA_DIR: `${root}/data`,
      JUPYTER_CONFIG_DIR: `${root}/config`,
      JUPYTER_RUNTIME_DIR: `${root}/runtime`,
      VINDKIT_HOME: homeFolder(),
      NO_COLOR: "1",
    };
  }

  /** Makes the copies. */
  static async make(): Promise<NotebookCopies> {
    const copies = new NotebookCopies(await Deno.makeTempDir({ prefix: "vindkit-test-" }));
    await Deno.mkdir(copies.folder);
    for (const name of notebookNames) {
      await Deno.copyFile(notebookPath(name), `${copies.folder}/${name}`);
    }
    await installKernelspec(copies.env.JUPYTER_DATA_DIR);
    return copies;
  }

  /** Path of a copy. */
  path(name: string): string {
    return `${this.folder}/${name}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#root, { recursive: true });
  }
}
