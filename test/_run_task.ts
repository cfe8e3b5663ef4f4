import project from "../deno.json" with { type: "json" };
import type { Command } from "../src/cli/command/command.ts";
import { runCommand } from "../src/cli/command/run_command.ts";

/**
 * Runs a task of the checkout with the help and exit codes of the command line, and ends the process.
 *
 * @param name Its name in deno.json, which also has its description
 * @param task The task as a command
 * @param args Its arguments
 */
export async function runTask(
  name: keyof typeof project.tasks,
  task: Command,
  args: readonly string[] = Deno.args,
): Promise<never> {
  Deno.exit(await runCommand({ name, purpose: project.tasks[name].description }, task, args));
}
