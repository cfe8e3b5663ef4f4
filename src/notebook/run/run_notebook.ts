import { basename, dirname } from "node:path";
import { ArgumentError, DataFormatError, VindkitError } from "../../api/errors.ts";
import { type CellFault, faultText, findFaults } from "./check_cells.ts";
import {
  type Cell,
  CellOutputs,
  type NotebookDocument,
  type Output,
  readNotebookFile,
  writeNotebook,
} from "../document/notebook_document.ts";
import {
  clearCell,
  compareOutputs,
  differenceText,
  finishCell,
  withKeptOutputs,
} from "../document/compare_outputs.ts";
import { Kernel } from "../kernel/kernel.ts";
import type { Content, KernelMessage } from "../wire/kernel_message.ts";
import { insertParameters, type Parameters } from "../document/parameters.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { ignoreMissing } from "../../disk/files.ts";
import { writeAtomically } from "../../disk/side_file.ts";
import { notebookPage } from "../page/notebook_page.ts";

/** Environment variable with the key, which kernels inherit. */
const VARIABLE = "VINDKIT_KEY";

/** Shorter keys are not searched, because they occur in outputs by chance. */
const MIN_LENGTH = 8;

/**
 * Whether outputs contain the key of this environment, for example through `Deno.env.toObject()`. Outputs are stored in
 * files that others read.
 */
function showsKey(outputs: readonly Output[]): boolean {
  const { state } = Deno.permissions.querySync({ name: "env", variable: VARIABLE });
  const key = state === "granted" ? Deno.env.get(VARIABLE) : undefined;
  if (key === undefined || key.length < MIN_LENGTH) return false;
  return JSON.stringify(outputs).includes(JSON.stringify(key).slice(1, -1));
}

/** An executed code cell. */
export interface CellRun {
  /** Number of the cell among all, from 1. */
  readonly position: number;
  /** The cell, with its outputs. */
  readonly cell: Cell;
  /** Duration, ms. */
  readonly milliseconds: number;
  /** Reasons for failure; empty if it succeeded. */
  readonly faults: readonly CellFault[];
}

/** An executed notebook. */
export interface NotebookRun {
  /** Path of its file. */
  readonly path: string;
  /** The notebook with its outputs; cells after a failed one have none. */
  readonly notebook: NotebookDocument;
  /** The executed code cells. */
  readonly cells: readonly CellRun[];
  /** Reasons for failure; empty if it succeeded. */
  readonly faults: readonly CellFault[];
  /** Duration including the start of the kernel, ms. */
  readonly milliseconds: number;
}

/** Progress of a run. */
export interface RunProgress {
  /** Number of the cell that starts or ends, among all, from 1. */
  readonly position: number;
  /** Number of cells. */
  readonly of: number;
  /** The cell after its run; missing before it. */
  readonly done?: CellRun;
}

/** Options of {@linkcode runNotebook}. */
export interface RunNotebookOptions {
  /** Values of its parameters. @default {{}} */
  readonly parameters?: Parameters | undefined;
  /** Time limit of a cell, ms. @default {120_000} */
  readonly timeout?: number | undefined;
  /** Called before and after each code cell. */
  readonly onCell?: ((progress: RunProgress) => void) | undefined;
  /** Stops the run. */
  readonly signal?: AbortSignal | undefined;
}

/** Default time limit of a cell, ms. */
export const CELL_TIMEOUT = 120_000;

/** Largest output of a cell, MB: a loop that prints would fill the memory long before the time limit. */
const MAX_OUTPUT = 100;

/** Notebook languages that Deno's kernel runs. */
const LANGUAGES = ["typescript", "javascript"];

/** The language in the metadata of a notebook. */
function languageOf({ metadata }: NotebookDocument): unknown {
  const { kernelspec, language_info } = metadata as Record<string, Content | undefined>;
  return kernelspec?.language ?? language_info?.name;
}

/**
 * Reads a notebook and prepares it for a run, with values for its parameters.
 *
 * @param path The notebook
 * @param parameters Values of its parameters
 * @throws {ArgumentError} If the file cannot be read, or a parameter is unknown
 * @throws {DataFormatError} If it is not a notebook, or in another language
 */
export async function notebookToRun(
  path: string,
  parameters: Parameters = {},
): Promise<NotebookDocument> {
  const notebook = await readNotebookFile(path);
  const language = languageOf(notebook);
  if (language !== undefined && !LANGUAGES.includes(String(language).toLowerCase())) {
    throw new DataFormatError(
      `Cannot run ${path}: its language is ${language}, but Deno's kernel runs TypeScript`,
      {
        hint:
          "If its cells are TypeScript, choose the Deno kernel in JupyterLab and save the notebook",
      },
    );
  }
  return insertParameters(notebook, parameters, path);
}

const OPTIONS = declareOptions<RunNotebookOptions>()("onCell signal", {
  parameters: {},
  timeout: CELL_TIMEOUT,
});

/**
 * Runs a notebook from top to bottom in a new kernel. The run stops at the first cell that fails: it throws or cannot be
 * compiled, shows an error or the key of VINDKIT_KEY, writes to stderr, takes too long, has more than 100 MB of output, or
 * ends the kernel.
 *
 * @param path The notebook; relative paths in it are resolved from its folder
 * @param options Parameters, time limit of a cell, callback, signal
 * @throws {ArgumentError} If the file cannot be read, or a parameter is unknown
 * @throws {DataFormatError} If it is not a notebook, or in another language
 * @throws {VindkitError} If the kernel does not start
 */
export async function runNotebook(
  path: string,
  options: RunNotebookOptions = {},
): Promise<NotebookRun> {
  const { parameters, timeout, onCell, signal } = readOptions("runNotebook()", options, OPTIONS);
  const started = performance.now();
  const notebook = await notebookToRun(path, parameters);
  const of = notebook.cells.length;
  await using kernel = await Kernel.start({ folder: dirname(path), signal });
  const stop = () => kernel.end(new VindkitError("the run was ended"));
  signal?.addEventListener("abort", stop);
  using _ = { [Symbol.dispose]: () => signal?.removeEventListener("abort", stop) };

  const allOutputs: CellOutputs[] = [];
  const runs: CellRun[] = [];
  for (const [i, cell] of notebook.cells.entries()) {
    if (!hasCode(cell)) continue;
    const position = i + 1;
    onCell?.({ position, of });
    const outputs = new CellOutputs(allOutputs);
    const cellBegun = performance.now();
    let faults = await runCell(kernel, position, cell, timeout, outputs);
    if (showsKey(outputs.outputs)) {
      outputs.outputs.length = 0;
      faults = [{
        position,
        message: "the cell shows the key of VINDKIT_KEY, so Vindkit removed its outputs",
      }];
    }
    signal?.throwIfAborted();
    const milliseconds = performance.now() - cellBegun;
    const finished = finishCell(cell, outputs.outputs, runs.length + 1);
    const done = { position, cell: finished, milliseconds, faults };
    runs.push(done);
    onCell?.({ position, of, done });
    if (faults.length > 0) break;
  }
  // after the last cell, because a later cell may update a picture of an earlier one
  const cells = notebook.cells.map((cell, i) => {
    const k = runs.findIndex(({ position }) => position === i + 1);
    return k < 0 ? clearCell(cell) : finishCell(cell, allOutputs[k].outputs, k + 1);
  });
  return {
    path,
    notebook: { ...notebook, cells },
    cells: runs.map((run) => ({ ...run, cell: cells[run.position - 1] })),
    faults: runs.flatMap(({ faults }) => faults),
    milliseconds: performance.now() - started,
  };
}

/** Runs one cell, and returns its faults. */
async function runCell(
  kernel: Kernel,
  position: number,
  { source }: Cell,
  timeout: number,
  outputs: CellOutputs,
): Promise<CellFault[]> {
  let bytes = 0;
  const take = (message: KernelMessage) => {
    bytes += message.size;
    if (bytes <= MAX_OUTPUT * 1e6) outputs.take(message);
    else kernel.end(new VindkitError(`the cell has more than ${MAX_OUTPUT} MB of output`));
  };
  try {
    const reply = await kernel.run(source, { timeout, onMessage: take });
    return await findFaults(position, source, reply, outputs.outputs);
  } catch (error) {
    if (!(error instanceof VindkitError)) throw error;
    return [{ position, message: error.message }];
  }
}

function hasCode({ cell_type, source }: Cell): boolean {
  return cell_type === "code" && source.trim() !== "";
}

/** Options of {@linkcode processNotebook}. */
export interface ProcessNotebookOptions extends RunNotebookOptions {
  /** Writes the outputs to the file, but keeps unchanged ones. @default {false} */
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
  /** Duration of run, comparison and page, ms. */
  readonly milliseconds: number;
  /** Faults and differences as texts; empty if there are none. */
  readonly problems: readonly string[];
  /** Paths of changed files; without files that already had the same content. */
  readonly written: readonly string[];
}

/** Mode of a new page, before the user's umask. */
const NEW_FILE_MODE = 0o666;

/** Writes a text unless the file already has it; keeps the mode of the file. */
async function writeChanged(path: string, text: string): Promise<string[]> {
  const existing = await ignoreMissing(Deno.readTextFile(path)); // an unreadable file must not be replaced
  if (existing === text) return [];
  const mode = existing === undefined ? null : (await Deno.stat(path)).mode;
  const kept = mode === null ? NEW_FILE_MODE : mode & 0o777;
  await writeAtomically(path, new TextEncoder().encode(text), { mode: kept });
  return [path];
}

const PROCESS_OPTIONS = declareOptions<ProcessNotebookOptions>()(
  "pages parameters timeout onCell signal",
  { write: false, check: false },
);

/**
 * Runs a notebook, and depending on the options compares its outputs, writes them to the file, or writes a page. A failed
 * run changes no file.
 *
 * @param path The notebook
 * @param options Outputs, page, and options of the run
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
    PROCESS_OPTIONS,
  );
  if (Object.keys(parameters).length > 0 && (write || check)) {
    throw new ArgumentError(
      "Cannot write or compare outputs of a run with parameters: the outputs in the file belong to the default values",
      { hint: "Omit the parameters, or write a page instead" },
    );
  }
  const started = performance.now();
  const stored = await readNotebookFile(path);
  const { mode } = await Deno.stat(path);
  if (write && mode !== null && (mode & 0o222) === 0) { // renaming a new file over it would ignore the mode
    throw new ArgumentError(`Cannot write outputs to ${path}: it is read-only. Make it writable`);
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
  const milliseconds = performance.now() - started;
  return { path, cells: run.cells.length, milliseconds, problems, written };
}
