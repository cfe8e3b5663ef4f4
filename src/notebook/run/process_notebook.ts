import { ArgumentError } from "../../api/errors.ts";
import { SideFile } from "../../disk/side_file.ts";
import { stemOf } from "../kernel/file_url.ts";
import { faultText } from "./cell_fault.ts";
import { compareOutputs, differenceText, withKeptOutputs } from "../document/compare_outputs.ts";
import { readNotebookFile, writeNotebook } from "../document/notebook_document.ts";
import { notebookPage } from "../page/notebook_page.ts";
import { runNotebook, type RunNotebookOptions } from "./run_notebook.ts";
import { checkOptions, type OptionNames } from "../../api/check_options.ts";

/** Options of {@linkcode processNotebook}. */
export interface ProcessNotebookOptions extends RunNotebookOptions {
  /** Keeps the outputs in the file; those that say the same stay as they are. @default {false} */
  readonly write?: boolean | undefined;
  /** Checks that the outputs in the file are those of the run. @default {false} */
  readonly check?: boolean | undefined;
  /** Folder that gets an HTML page; it must exist. @default none */
  readonly pages?: string | undefined;
}

/** What came of one notebook. */
export interface NotebookOutcome {
  /** Path of the notebook. */
  readonly path: string;
  /** How many cells of code have run. */
  readonly cells: number;
  /** How long all took, ms. */
  readonly milliseconds: number;
  /** What is wrong, a text each; empty where nothing is. */
  readonly problems: readonly string[];
  /** Files that were written. */
  readonly written: readonly string[];
}

const encoder = new TextEncoder();

/** Who may read and write the file of a new page: what the user's mask leaves of it. */
const NEW_FILE_MODE = 0o666;

/** Whether a file is marked as one that nobody writes: a new one in its place would get round that. */
async function isReadOnly(path: string): Promise<boolean> {
  const { mode } = await Deno.stat(path);
  return mode !== null && (mode & 0o222) === 0;
}

/** Writes a text where the file does not hold it already; who may read it stays as it is. */
async function writeChanged(path: string, text: string): Promise<string[]> {
  const known = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error; // one that is there and cannot be read is not to be replaced
  });
  if (known === text) return [];
  const mode = known === undefined ? null : (await Deno.stat(path)).mode;
  await using file = await SideFile.create(path, mode === null ? NEW_FILE_MODE : mode & 0o777);
  await file.write(encoder.encode(text));
  await file.commit(path);
  return [path];
}

const OPTIONS: OptionNames<ProcessNotebookOptions> = {
  write: "optional",
  check: "optional",
  pages: "optional",
  parameters: "optional",
  timeout: "optional",
  onCell: "optional",
  signal: "optional",
};

/**
 * Runs a notebook, and does with it what is asked: compares its outputs, keeps them, makes a page of it. A run that fails
 * changes no file.
 *
 * @param path The notebook
 * @param options What to do, and how to run it
 * @throws {ArgumentError} If the file cannot be read or written, a parameter is unknown, or outputs of other parameters than the
 * notebook's own were to be kept or compared
 * @throws {DataFormatError} If it is no notebook
 */
export async function processNotebook(
  path: string,
  options: ProcessNotebookOptions = {},
): Promise<NotebookOutcome> {
  checkOptions("processNotebook()", options, OPTIONS);
  const { parameters = {}, write, check, pages, ...running } = options;
  if (Object.keys(parameters).length > 0 && (write || check)) {
    throw new ArgumentError(
      "Cannot keep or compare outputs that come of parameters: those in the file come of its own values",
      { hint: "Leave out the parameters, or ask for a page" },
    );
  }
  const begun = performance.now();
  const kept = await readNotebookFile(path);
  if (write && await isReadOnly(path)) {
    throw new ArgumentError(`Cannot keep outputs in ${path}: the file is read-only`);
  }
  const run = await runNotebook(path, { ...running, parameters });
  const problems = run.faults.map(faultText);
  const written: string[] = [];
  if (run.faults.length === 0) {
    if (check) problems.push(...compareOutputs(kept, run.notebook).map(differenceText));
    if (write) {
      written.push(...await writeChanged(path, writeNotebook(withKeptOutputs(kept, run.notebook))));
    }
    if (pages !== undefined) {
      const page = await notebookPage(run.notebook, { title: stemOf(path) });
      written.push(...await writeChanged(`${pages}/${stemOf(path)}.html`, page));
    }
  }
  const milliseconds = performance.now() - begun;
  return { path, cells: run.cells.length, milliseconds, problems, written };
}
