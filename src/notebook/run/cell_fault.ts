import { findCompileFault, findErrorLine } from "./cell_code.ts";
import type { Reply } from "../kernel/kernel.ts";
import type { Output } from "../document/outputs.ts";

/** Why a notebook counts as failed. */
export interface CellFault {
  /** Number of the cell among all, from 1; 0 where it lies in no cell. */
  readonly position: number;
  /** Line of the cell, from 1, where it is known. */
  readonly line?: number;
  /** That line. */
  readonly code?: string;
  /** What is wrong. */
  readonly message: string;
}

/** Most characters of what a cell wrote to stderr that a message holds. */
const MAX_STDERR = 500;

/** What the kernel says of code that it cannot compile. */
const NOT_COMPILED = "Execution failed";

/**
 * A fault at a line of a cell.
 *
 * @param position Number of the cell, from 1
 * @param source Code of the cell
 * @param line The line, from 1, where it is known
 * @param message What is wrong
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

/** A fault as text: where, what, and the line of code. */
export function faultText({ position, line, code, message }: CellFault): string {
  if (position === 0) return message;
  const place = line === undefined ? `cell ${position}` : `cell ${position}, line ${line}`;
  return `${place}: ${message}${code ? `\n    ${code}` : ""}`;
}

/**
 * Why a cell counts as failed. The kernel's reply does not tell all: it is "ok" for a cell whose result cannot be shown.
 *
 * @param position Number of the cell, from 1
 * @param source Its code
 * @param reply The kernel's reply
 * @param outputs What the cell put out
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
      const words = output.text.trim().slice(0, MAX_STDERR);
      faults.push({ position, message: `it wrote to stderr: ${words}` });
    }
  }
  if (reply.status === "error" && !outputs.some((output) => output.output_type === "error")) {
    const found = reply.message === NOT_COMPILED ? await findCompileFault(source) : undefined;
    faults.unshift(
      found
        ? buildFault(position, source, found.line, `${found.message} (column ${found.column})`)
        : { position, message: `${reply.name}: ${reply.message}` },
    );
  }
  return faults;
}
