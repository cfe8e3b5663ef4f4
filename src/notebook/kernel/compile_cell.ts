import { SourceMap } from "node:module";
import { runDeno } from "./kernel_files.ts";

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
export async function transpile(
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

/** Message of the kernel about code that it cannot compile. */
const NOT_COMPILED = "Execution failed";

/** What Deno's kernel says of a cell that failed. */
export interface FailedReply {
  /** Class of the error. */
  readonly name: string;
  readonly message: string;
}

/** Finds what is wrong with a cell that failed without an error of its own: where its code cannot be compiled, the kernel says only that. */
export async function explainFailure(
  source: string,
  { name, message }: FailedReply,
): Promise<{ readonly line?: number; readonly message: string }> {
  const { fault } = message === NOT_COMPILED ? await transpile(source) : {};
  return fault
    ? { line: fault.line, message: `${fault.message} (column ${fault.column})` }
    : { message: `${name}: ${message}` };
}
