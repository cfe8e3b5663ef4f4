import type { Output } from "../document/outputs.ts";
import type { Reply } from "../kernel/kernel.ts";
import { explainFailure, transpile } from "../kernel/compile_cell.ts";

/** A stack frame at the top level of a cell; frames of functions, also of other cells, come before it. */
const TOP_FRAME = /^\s*at (?:async )?<anonymous>:(\d+):(\d+)$/;

/**
 * Finds the line of a cell at which an error was thrown. The kernel counts the lines of the compiled code, which has
 * neither types nor empty lines.
 *
 * @returns The line, from 1; `undefined` if it is not known
 */
async function findErrorLine(
  source: string,
  error: Output & { output_type: "error" },
): Promise<number | undefined> {
  const frame = error.traceback.flatMap((lines) => lines.split("\n"))
    .map((line) => TOP_FRAME.exec(line)).findLast((match) => match !== null);
  if (!frame) return undefined;
  const { map } = await transpile(source);
  const found = map?.findEntry(Number(frame[1]) - 1, Number(frame[2]) - 1);
  return found && "originalLine" in found ? found.originalLine + 1 : undefined;
}

/** A reason why a notebook counts as failed. */
export interface CellFault {
  /** Number of the cell among all, from 1; 0 for a fault outside of the cells. */
  readonly position: number;
  /** Line of the cell, from 1, if it is known. */
  readonly line?: number;
  /** Code of that line. */
  readonly code?: string;
  /** Error, or what the cell wrote to stderr. */
  readonly message: string;
}

/** Characters of stderr that a message shows at most. */
const MAX_STDERR = 500;

/**
 * Builds a fault with the code of its line.
 *
 * @param position Number of the cell, from 1
 * @param line The line, from 1, if it is known
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
 * Finds why a cell counts as failed. The kernel's reply is not enough: it is "ok" for a cell whose result cannot be shown.
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
      faults.push({ position, message: `it wrote to stderr: ${text}` });
    }
  }
  if (reply.status === "error" && !outputs.some((output) => output.output_type === "error")) {
    const { line, message } = await explainFailure(source, reply);
    faults.unshift(buildFault(position, source, line, message));
  }
  return faults;
}
