import { SourceMap } from "node:module";
import type { Output } from "../document/outputs.ts";
import type { Reply } from "../kernel/kernel.ts";
import { runDeno } from "../kernel/kernel_files.ts";

/** A fault in the code of a cell and its position. */
interface CodeFault {
  /** Message of the compiler. */
  readonly message: string;
  /** Line and column, both from 1. */
  readonly line: number;
  readonly column: number;
}

/** A message of Deno about a file: the text, then lines of code, then the position. */
const FAULT = /^(?:error: )?([^\n]+)\n[^]*?^ {4}at file:\/\/\S+:(\d+):(\d+)$/m;

/** Compiles the code of a cell as Deno's kernel does. */
async function transpile(
  source: string,
): Promise<{ map?: SourceMap; fault?: CodeFault }> {
  const file = await Deno.makeTempFile({ prefix: "vindkit-cell-", suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, source);
    const { success, out, err } = await runDeno([
      "transpile",
      "--quiet",
      "--source-map",
      "inline",
      file,
    ]);
    if (success) {
      const [, map] = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(out)!;
      const text = new TextDecoder().decode(Uint8Array.fromBase64(map));
      return { map: new SourceMap(JSON.parse(text)) };
    }
    const [, message, line, column] = FAULT.exec(err) ?? [];
    return {
      fault: {
        message: message ?? err.trim(),
        line: Number(line ?? 1),
        column: Number(column ?? 1),
      },
    };
  } finally {
    await Deno.remove(file);
  }
}

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

/** Message of the kernel about code that it cannot compile. */
const NOT_COMPILED = "Execution failed";

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
    const { fault } = reply.message === NOT_COMPILED ? await transpile(source) : {};
    faults.unshift(
      fault
        ? buildFault(position, source, fault.line, `${fault.message} (column ${fault.column})`)
        : { position, message: `${reply.name}: ${reply.message}` },
    );
  }
  return faults;
}
