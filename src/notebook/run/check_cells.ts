import { dirname } from "node:path";
import { runDeno, toFileUrl } from "../kernel/kernel_files.ts";
import { findConfigUrl, mirrorWorkspace } from "../kernel/kernel_workspace.ts";
import {
  type NotebookDocument,
  type Output,
  readNotebookFile,
  tagsOf,
} from "../document/notebook_document.ts";
import { INJECTED } from "../document/parameters.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { explainFailure, type Reply, transpile } from "../kernel/kernel.ts";

/** First line of the checked file: an export makes it a module with separate names. */
const HEAD = "export {};\n";

/** Last line of a message of the compiler: file, line and column. */
const PLACE = /^ {4}at (file:\/\/\S+):(\d+):(\d+)$/;

/** A line with only pointers to the code above it. */
const POINTER = /^[\s|]*[~^]+$/;

/** Options of {@linkcode checkCells}. */
export interface CheckCellsOptions {
  /** Stops the check. */
  readonly signal?: AbortSignal | undefined;
}

interface CompilerMessage {
  readonly message: string;
  readonly url: string;
  readonly line: number;
}

function readMessages(text: string): CompilerMessage[] {
  const messages: CompilerMessage[] = [];
  let lines: string[] = [];
  for (const line of text.split("\n")) {
    const place = PLACE.exec(line);
    if (line === "") lines = [];
    else if (place) {
      const end = lines.findIndex((_, i) => POINTER.test(lines[i + 1] ?? ""));
      // A syntax error has an empty margin before the code.
      const words = lines.slice(0, end < 0 ? lines.length : end).filter((text) =>
        text.trim() !== "|"
      );
      const message = words.map((text) => text.trim()).join(" ").replace(/^error: /, "");
      messages.push({ message, url: place[1], line: Number(place[2]) });
    } else lines.push(line);
  }
  return messages;
}

/** The code cells of a notebook as one module. */
interface CellModule {
  readonly text: string;
  /** Converts a message about a line of the module to a fault. */
  buildFault(line: number, message: string): CellFault;
}

function buildModule({ cells }: NotebookDocument): CellModule {
  const parts = cells.map((cell, i) => ({ cell, position: i + 1 }))
    .filter(({ cell }) => cell.cell_type === "code" && !tagsOf(cell).includes(INJECTED));
  const starts: number[] = [];
  let text = HEAD;
  for (const { cell } of parts) {
    starts.push(text.split("\n").length);
    text += `${cell.source}\n`;
  }
  return {
    text,
    buildFault(line, message) {
      const i = starts.findLastIndex((start) => start <= line);
      const { cell, position } = parts[i];
      return buildFault(position, cell.source, line - starts[i] + 1, message);
    },
  };
}

/** A notebook to check, with its faults. */
interface NotebookCheck {
  readonly module: CellModule;
  readonly folder: string;
  readonly faults: CellFault[];
}

/** Checks notebooks whose folders use the same configuration. */
async function checkTogether(
  notebooks: readonly NotebookCheck[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await using workspace = await mirrorWorkspace(notebooks[0].folder);
  const byUrl = new Map<string, NotebookCheck>();
  const files: string[] = [];
  for (const [i, notebook] of notebooks.entries()) {
    const file = `${await workspace.mirror(notebook.folder)}/vindkit_cells_${i + 1}.ts`;
    await Deno.writeTextFile(file, notebook.module.text);
    files.push(file);
    byUrl.set(toFileUrl(file).href, notebook);
  }
  const { success, err } = await runDeno(["check", "--quiet", ...files], {
    cwd: workspace.startFolder,
    ...(signal ? { signal } : {}),
  });
  signal?.throwIfAborted();
  const [{ faults: first }] = notebooks;
  const messages = success ? [] : readMessages(err);
  for (const { message, url, line } of messages) {
    const check = byUrl.get(url);
    if (check) check.faults.push(check.module.buildFault(line, message));
    else first.push({ position: 0, message: `${message} (${url}:${line})` });
  }
  if (!success && messages.length === 0) first.push({ position: 0, message: err.trim() });
}

const OPTIONS = declareOptions<CheckCellsOptions>()("signal");

/**
 * Checks the types of the code in notebooks, with one run of the compiler for each `deno.json` that applies. The cells of a
 * notebook form one module: a name declared by two cells is a fault, although the kernel lets the second declaration
 * replace the first.
 *
 * @param paths The notebooks; relative imports are resolved from their folders
 * @param options Signal to stop the check
 * @returns The faults of each notebook, in the order of the paths, by cell and line; those in imported files have
 * position 0 and are listed with the first notebook
 * @throws {ArgumentError} If a file cannot be read
 * @throws {DataFormatError} If it is not a notebook
 */
export async function checkCells(
  paths: readonly string[],
  options: CheckCellsOptions = {},
): Promise<CellFault[][]> {
  readOptions("checkCells()", options, OPTIONS);
  const all: NotebookCheck[] = [];
  const byConfig = new Map<string, NotebookCheck[]>();
  for (const path of paths) { // refuses a bad file before the first check
    const module = buildModule(await readNotebookFile(path));
    const folder = await Deno.realPath(dirname(path));
    const check: NotebookCheck = { module, folder, faults: [] };
    const config = await findConfigUrl(folder);
    byConfig.set(config, [...byConfig.get(config) ?? [], check]);
    all.push(check);
  }
  for (const notebooks of byConfig.values()) await checkTogether(notebooks, options.signal);
  return all.map(({ faults }) => faults);
}

/** A stack frame at the top level of a cell; frames of functions, also in other cells, precede it. */
const TOP_FRAME = /^\s*at (?:async )?<anonymous>:(\d+):(\d+)$/;

/**
 * Finds the line of a cell that threw an error. The kernel counts the lines of the compiled code, which has no types and no
 * empty lines.
 *
 * @returns The line, from 1; `undefined` if unknown
 */
async function findErrorLine(
  source: string,
  error: Output & { output_type: "error" },
): Promise<number | undefined> {
  const frame = error.traceback.flatMap((lines) => lines.split("\n"))
    .map((line) => TOP_FRAME.exec(line)).findLast((match) => match !== null);
  if (!frame) return undefined;
  const { map } = await transpile(source);
  const entry = map?.findEntry(Number(frame[1]) - 1, Number(frame[2]) - 1);
  return entry && "originalLine" in entry ? entry.originalLine + 1 : undefined;
}

/** A reason why a notebook counts as failed. */
export interface CellFault {
  /** Number of the cell among all, from 1; 0 for a fault outside of the cells. */
  readonly position: number;
  /** Line of the cell, from 1, if known. */
  readonly line?: number;
  /** Code of that line. */
  readonly code?: string;
  /** Error, or output of the cell on stderr. */
  readonly message: string;
}

/** Most characters of stderr in a message. */
const MAX_STDERR = 500;

/**
 * Builds a fault with the code of its line.
 *
 * @param position Number of the cell, from 1
 * @param line The line, from 1, if known
 */
export function buildFault(
  position: number,
  source: string,
  line: number | undefined,
  message: string,
): CellFault {
  const code = line === undefined ? undefined : source.split("\n")[line - 1]?.trim();
  return line === undefined || code === undefined
    ? { position, message }
    : { position, line, code, message };
}

/** Formats a fault as text: position, message and line of code. */
export function faultText({ position, line, code, message }: CellFault): string {
  if (position === 0) return message;
  const place = line === undefined ? `cell ${position}` : `cell ${position}, line ${line}`;
  return `${place}: ${message}${code ? `\n    ${code}` : ""}`;
}

/**
 * Finds the reasons why a cell counts as failed. The kernel's reply is not enough: it is "ok" even if the result cannot be
 * shown.
 *
 * @param position Number of the cell, from 1
 */
export async function findFaults(
  position: number,
  source: string,
  reply: Reply,
  outputs: readonly Output[],
): Promise<CellFault[]> {
  const faults: CellFault[] = [];
  for (const output of outputs) {
    if (output.output_type === "error") {
      const line = await findErrorLine(source, output);
      faults.push(buildFault(position, source, line, `${output.ename}: ${output.evalue}`));
    }
    if (output.output_type === "stream" && output.name === "stderr") {
      const text = output.text.trim().slice(0, MAX_STDERR);
      faults.push({ position, message: `the cell wrote to stderr: ${text}` });
    }
  }
  if (reply.status === "error" && !outputs.some((output) => output.output_type === "error")) {
    const { line, message } = await explainFailure(source, reply);
    faults.unshift(buildFault(position, source, line, message));
  }
  return faults;
}
