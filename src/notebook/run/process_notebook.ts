import { basename } from "node:path";
import { ArgumentError } from "../../api/errors.ts";
import { ignoreMissing } from "../../disk/files.ts";
import { writeAtomically } from "../../disk/side_file.ts";
import { faultText } from "./cell_code.ts";
import { compareOutputs, differenceText, withKeptOutputs } from "../document/compare_outputs.ts";
import { readNotebookFile, writeNotebook } from "../document/notebook_document.ts";
import { notebookPage } from "../page/notebook_page.ts";
import { runNotebook, type RunNotebookOptions } from "./run_notebook.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

/** Options of {@linkcode processNotebook}. */
export interface ProcessNotebookOptions extends RunNotebookOptions {
  /** Writes the outputs to the file; those that have not changed stay as they are. @default {false} */
  readonly write?: boolean | undefined;
  /** Compares the outputs in the file with those of the run. @default {false} */
  readonly check?: boolean | undefined;
  /** Existing folder for an HTML page of the notebook. @default no page */
  readonly pages?: string | undefined;
}

/** Result of one notebook. */
export interface NotebookOutcome {
  /** Path of the notebook. */
  readonly path: string;
  /** Number of code cells that have run. */
  readonly cells: number;
  /** Time for run, comparison and page, ms. */
  readonly milliseconds: number;
  /** Faults and differences, a text each; empty if there are none. */
  readonly problems: readonly string[];
  /** Paths of files that were written; not those that already had the same content. */
  readonly written: readonly string[];
}

/** Mode of a new page, before the user's umask. */
const NEW_FILE_MODE = 0o666;

/** Writes a text unless the file already has it; the mode of the file is kept. */
async function writeChanged(path: string, text: string): Promise<string[]> {
  const known = await ignoreMissing(Deno.readTextFile(path)); // one that cannot be read must not be replaced
  if (known === text) return [];
  const mode = known === undefined ? null : (await Deno.stat(path)).mode;
  const kept = mode === null ? NEW_FILE_MODE : mode & 0o777;
  await writeAtomically(path, new TextEncoder().encode(text), { mode: kept });
  return [path];
}

const OPTIONS = declareOptions<ProcessNotebookOptions>()(
  "pages parameters timeout onCell signal",
  { write: false, check: false },
);

/**
 * Runs a notebook, and as the options say compares its outputs, writes them to the file, or writes a page. A run that
 * fails changes no file.
 *
 * @param path The notebook
 * @param options What to do, and how to run it
 * @throws {ArgumentError} If the file cannot be read or written, a parameter is unknown, or parameters are given together with
 * `write` or `check`
 * @throws {DataFormatError} If it is not a notebook
 */
export async function processNotebook(
  path: string,
  options: ProcessNotebookOptions = {},
): Promise<NotebookOutcome> {
  const { parameters = {}, write, check, pages, ...running } = readOptions(
    "processNotebook()",
    options,
    OPTIONS,
  );
  if (Object.keys(parameters).length > 0 && (write || check)) {
    throw new ArgumentError(
      "Cannot write or compare outputs of a run with parameters: those in the file are of its own values",
      { hint: "Leave out the parameters, or ask for a page" },
    );
  }
  const begun = performance.now();
  const stored = await readNotebookFile(path);
  const { mode } = await Deno.stat(path);
  if (write && mode !== null && (mode & 0o222) === 0) { // renaming a new file over it would ignore that
    throw new ArgumentError(`Cannot write outputs to ${path}: the file is read-only`);
  }
  const run = await runNotebook(path, { ...running, parameters });
  const problems = run.faults.map(faultText);
  const written: string[] = [];
  if (run.faults.length === 0) {
    if (check) problems.push(...compareOutputs(stored, run.notebook).map(differenceText));
    if (write) {
      written.push(
        ...await writeChanged(path, writeNotebook(withKeptOutputs(stored, run.notebook))),
      );
    }
    if (pages !== undefined) {
      const title = basename(path, ".ipynb");
      const page = await notebookPage(run.notebook, { title });
      written.push(...await writeChanged(`${pages}/${title}.html`, page));
    }
  }
  const milliseconds = performance.now() - begun;
  return { path, cells: run.cells.length, milliseconds, problems, written };
}
