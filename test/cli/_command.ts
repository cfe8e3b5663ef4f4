/**
 * Runs commands in this process, because starting a task takes longer than most commands. `cli_test.ts` checks that each
 * task runs its command, and one run in each file uses the permissions of the task.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { runCli } from "../../src/cli/mod.ts";
import type { TaskOutput } from "./_task.ts";

/** Runs an act, and returns its exit code and output. */
export async function captureOutput(act: () => Promise<number>): Promise<TaskOutput> {
  const { log, error } = console;
  const [out, err]: string[][] = [[], []];
  console.log = (line: string) => void out.push(line);
  console.error = (line: string) => void err.push(line);
  try {
    const code = await act();
    return { code, out: out.join("\n"), error: err.join("\n") };
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Runs a command with its arguments. */
export async function callCommand(...words: readonly string[]): Promise<TaskOutput> {
  return await captureOutput(() => runCli(words));
}

/** Runs a command that must succeed, and returns its output. */
export async function callSuccessfully(...words: readonly string[]): Promise<string> {
  const { code, out, error } = await callCommand(...words);
  assertEquals(code, 0, error);
  return out;
}

/** Runs a command that must fail without output, and returns its message. */
export async function callRefused(...words: readonly string[]): Promise<string> {
  const folder = await Deno.makeTempDir();
  const { code, error } = await callCommand(...words, "--to", folder);
  assertEquals([code === 1 || code === 2, [...Deno.readDirSync(folder)]], [true, []], error);
  await Deno.remove(folder);
  return error;
}
