import { runDeno } from "../kernel/deno.ts";
import { findSourcePosition, type Position } from "./source_map.ts";
import type { Output } from "../document/outputs.ts";

/** A fault in the code of a cell and its position. */
interface CodeFault extends Position {
  /** Message of the compiler. */
  readonly message: string;
}

/** A message of Deno about a file: the text, then lines of code, then the position. */
const FAULT = /^(?:error: )?([^\n]+)\n[^]*?^ {4}at file:\/\/\S+:(\d+):(\d+)$/m;

/** Compiles the code of a cell as Deno's kernel does. */
async function transpile(source: string): Promise<{ mappings: string } | { fault: CodeFault }> {
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

/**
 * Finds why code cannot be compiled; the kernel only reports that it cannot.
 *
 * @returns `undefined` if it can be compiled
 */
export async function findCompileFault(source: string): Promise<CodeFault | undefined> {
  const result = await transpile(source);
  return "fault" in result ? result.fault : undefined;
}

/** A stack frame at the top level of a cell; frames of functions, also of other cells, come before it. */
const TOP_FRAME = /^\s*at (?:async )?<anonymous>:(\d+):(\d+)$/;

/**
 * Finds the line of a cell at which an error was thrown. The kernel counts the lines of the compiled code, which has
 * neither types nor empty lines.
 *
 * @returns The line, from 1; `undefined` if it is not known
 */
export async function findErrorLine(
  source: string,
  error: Output & { output_type: "error" },
): Promise<number | undefined> {
  const frame = error.traceback.flatMap((lines) => lines.split("\n"))
    .map((line) => TOP_FRAME.exec(line)).findLast((match) => match !== null);
  if (!frame) return undefined;
  const result = await transpile(source);
  if ("fault" in result) return undefined;
  const place = { line: Number(frame[1]), column: Number(frame[2]) };
  return findSourcePosition(result.mappings, place)?.line;
}
