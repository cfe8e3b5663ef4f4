/**
 * Runs `update` in this process, so that a test decides what time it is.
 *
 * @module
 */
import { runCommand } from "../../src/cli/run_command.ts";
import { update } from "../../src/cli/update.ts";
import type { TaskOutput } from "./_task.ts";

/** Runs it with its arguments, and gives what it printed. */
export async function runUpdate(...words: readonly string[]): Promise<TaskOutput> {
  const { log, error } = console;
  const [out, err]: string[][] = [[], []];
  console.log = (line: string) => void out.push(line);
  console.error = (line: string) => void err.push(line);
  try {
    const code = await runCommand({ name: "update", purpose: "" }, update, words);
    return { code, out: out.join("\n"), error: err.join("\n") };
  } finally {
    Object.assign(console, { log, error });
  }
}
