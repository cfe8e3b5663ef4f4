import project from "../deno.json" with { type: "json" };
import type { Command } from "../src/cli/command/command.ts";
import { runCommand } from "../src/cli/command/run_command.ts";

/**
 * Runs a task that only a checkout has, with the help and the exit codes of the command line, and ends the process.
 *
 * @param name Its name in deno.json, which has its purpose
 * @param task The task as a command
 * @param args What it is given
 */
export async function runTask(
  name: keyof typeof project.tasks,
  task: Command,
  args: readonly string[] = Deno.args,
): Promise<never> {
  Deno.exit(await runCommand({ name, purpose: project.tasks[name].description }, task, args));
}
