import type { Output } from "../document/outputs.ts";
import type { Reply } from "../kernel/kernel.ts";
import { runDeno } from "../kernel/kernel_files.ts";

/** A position in a text: line and column, both from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes a segment: base64 digits of 5 bits each, lowest first; the lowest bit of a number is its sign. */
function decodeNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = BASE64.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = shift = 0;
  }
  return numbers;
}

/**
 * Finds the position in the source for a position in the generated text.
 *
 * @param mappings Field `mappings` of a source map of one source (ECMA-426)
 * @param place Position in the generated text
 */
function findSourcePosition(mappings: string, place: Position): Position | undefined {
  let [line, column] = [0, 0];
  let found: Position | undefined;
  for (const [i, segments] of mappings.split(";").slice(0, place.line).entries()) {
    let generatedColumn = 0;
    for (const segment of segments.split(",").filter((text) => text !== "")) {
      const [generated, _, lines = 0, columns = 0] = decodeNumbers(segment);
      generatedColumn += generated;
      line += lines;
      column += columns;
      const before = i + 1 < place.line || generatedColumn < place.column;
      if (before || found === undefined) found = { line: line + 1, column: column + 1 };
    }
  }
  return found;
}

/** A fault in the code of a cell and its position. */
interface CodeFault extends Position {
  /** Message of the compiler. */
  readonly message: string;
}

/** A message of Deno about a file: the text, then lines of code, then the position. */
const FAULT = /^(?:error: )?([^\n]+)\n[^]*?^ {4}at file:\/\/\S+:(\d+):(\d+)$/m;

/** Compiles the code of a cell as Deno's kernel does. */
async function transpile(
  source: string,
): Promise<{ mappings?: string; fault?: CodeFault }> {
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
      const [, map] = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(out) ?? [];
      const text = new TextDecoder().decode(Uint8Array.fromBase64(map ?? "e30="));
      return { mappings: JSON.parse(text).mappings ?? "" };
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
  const { mappings } = await transpile(source);
  if (mappings === undefined) return undefined;
  const place = { line: Number(frame[1]), column: Number(frame[2]) };
  return findSourcePosition(mappings, place)?.line;
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
