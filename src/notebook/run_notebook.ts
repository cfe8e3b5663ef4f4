import { VindkitError } from "../api/errors.ts";
import { type CellFault, faultsOfRun } from "./cell_fault.ts";
import { clearedCell, finishedCell } from "./final_outputs.ts";
import { Kernel } from "./kernel.ts";
import { type Cell, type NotebookDocument, readNotebookFile } from "./notebook_document.ts";
import { CellOutputs, type Output } from "./outputs.ts";
import { type Parameters, withParameters } from "./parameters.ts";
import { folderOf } from "./_file_url.ts";

/** A cell of code that has run. */
export interface CellRun {
  /** Number of the cell among all, from 1. */
  readonly position: number;
  /** The cell, with its outputs. */
  readonly cell: Cell;
  /** How long it took, ms. */
  readonly milliseconds: number;
  /** Why it counts as failed; empty where it does not. */
  readonly faults: readonly CellFault[];
}

/** A notebook that has run. */
export interface NotebookRun {
  /** Path of its file. */
  readonly path: string;
  /** The notebook with its outputs; cells after a failed one have none. */
  readonly notebook: NotebookDocument;
  /** The cells of code that have run. */
  readonly cells: readonly CellRun[];
  /** Why it counts as failed; empty where it does not. */
  readonly faults: readonly CellFault[];
  /** How long it took with the start of its kernel, ms. */
  readonly milliseconds: number;
}

/** How far a run has come. */
export interface RunProgress {
  /** Number of the cell that begins or ends, among all, from 1. */
  readonly position: number;
  /** How many cells of code there are. */
  readonly of: number;
  /** The cell, once it has run. */
  readonly done?: CellRun;
}

/** Options of {@linkcode runNotebook}. */
export interface RunNotebookOptions {
  /** Values of its parameters. @default {{}} */
  readonly parameters?: Parameters | undefined;
  /** How long a cell may take, ms. @default {120_000} */
  readonly timeout?: number | undefined;
  /** Told before each cell of code, and after it. */
  readonly onCell?: ((progress: RunProgress) => void) | undefined;
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a cell may take unless said otherwise, ms. */
export const CELL_TIMEOUT = 120_000;

/**
 * Runs a notebook from top to bottom in a kernel of its own. It ends at the first cell that fails: one that throws or
 * cannot be compiled, shows an error, writes to stderr, takes too long, or ends the kernel.
 *
 * @param path The notebook; its folder is where relative paths in it start from
 * @param options Parameters, time of a cell, who is told, what ends it
 * @throws {ArgumentError} If the file cannot be read, or a parameter is unknown
 * @throws {DataFormatError} If it is no notebook
 * @throws {VindkitError} If the kernel does not start
 */
export async function runNotebook(
  path: string,
  options: RunNotebookOptions = {},
): Promise<NotebookRun> {
  const { parameters = {}, timeout = CELL_TIMEOUT, onCell, signal } = options;
  const begun = performance.now();
  const notebook = withParameters(await readNotebookFile(path), parameters, path);
  const of = notebook.cells.filter(hasCode).length;
  await using kernel = await Kernel.start({ folder: folderOf(path), signal });
  const stop = () => kernel.end(new VindkitError("the run was ended"));
  signal?.addEventListener("abort", stop);
  using _ = { [Symbol.dispose]: () => signal?.removeEventListener("abort", stop) };

  const gathered: CellOutputs[] = [];
  const runs: CellRun[] = [];
  for (const [i, cell] of notebook.cells.entries()) {
    if (!hasCode(cell)) continue;
    const position = i + 1;
    onCell?.({ position, of });
    const outputs = new CellOutputs(gathered);
    const cellBegun = performance.now();
    const faults = await faultsOfCell(kernel, position, cell, timeout, outputs);
    signal?.throwIfAborted();
    const milliseconds = performance.now() - cellBegun;
    const finished = finishedCell(cell, outputs.outputs, runs.length + 1);
    const done = { position, cell: finished, milliseconds, faults };
    runs.push(done);
    onCell?.({ position, of, done });
    if (faults.length > 0) break;
  }
  // Only now: a later cell may have updated a picture of an earlier one.
  const outputsOf = new Map<number, readonly Output[]>(
    runs.map(({ position }, i) => [position, gathered[i].outputs]),
  );
  let count = 0;
  const cells = notebook.cells.map((cell, i) => {
    const outputs = outputsOf.get(i + 1);
    return outputs ? finishedCell(cell, outputs, ++count) : clearedCell(cell);
  });
  return {
    path,
    notebook: { ...notebook, cells },
    cells: runs.map((run) => ({ ...run, cell: cells[run.position - 1] })),
    faults: runs.flatMap(({ faults }) => faults),
    milliseconds: performance.now() - begun,
  };
}

/** Runs one cell, and says why it counts as failed. */
async function faultsOfCell(
  kernel: Kernel,
  position: number,
  { source }: Cell,
  timeout: number,
  outputs: CellOutputs,
): Promise<CellFault[]> {
  try {
    const reply = await kernel.run(source, {
      timeout,
      onMessage: (message) => outputs.take(message),
    });
    return await faultsOfRun(position, source, reply, outputs.outputs);
  } catch (error) {
    if (!(error instanceof VindkitError)) throw error;
    return [{ position, message: error.message }];
  }
}

function hasCode({ cell_type, source }: Cell): boolean {
  return cell_type === "code" && source.trim() !== "";
}
