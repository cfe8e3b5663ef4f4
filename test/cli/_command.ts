/**
 * Runs commands in this process: as in the process of a task, whose start takes longer than most of them. That a task is its
 * command is shown in `cli_test.ts`, and with the permissions of the task by a run in each file.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { runCli } from "../../src/cli/mod.ts";
import type { TaskOutput } from "./_task.ts";

/** Runs an act, and gives its exit code with what it printed. */
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

/** Runs a command that must succeed, and gives what it printed. */
export async function callSuccessfully(...words: readonly string[]): Promise<string> {
  const { code, out, error } = await callCommand(...words);
  assertEquals(code, 0, error);
  return out;
}

/** Runs a command that must fail without writing anything, and gives its message. */
export async function callRefused(...words: readonly string[]): Promise<string> {
  const folder = await Deno.makeTempDir();
  const { code, error } = await callCommand(...words, "--to", folder);
  assertEquals([code === 1 || code === 2, [...Deno.readDirSync(folder)]], [true, []], error);
  await Deno.remove(folder);
  return error;
}
