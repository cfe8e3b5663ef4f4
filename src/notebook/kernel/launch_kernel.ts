/**
 * What the kernelspec starts: Deno's kernel in a place where it knows this library, and the way from there to the
 * folder of the notebook. Jupyter speaks with the kernel itself; this process only stands before it.
 *
 * @module
 */
import { findDeno } from "./deno.ts";
import { KernelClient } from "./kernel_client.ts";
import { readConnection } from "../wire/kernel_connection.ts";
import { buildKernelArguments, kill } from "./kernel_process.ts";
import { enterFolder, findWorkspace, type KernelWorkspace } from "./kernel_workspace.ts";

/** Signals that end the kernel. SIGINT is left to it: a terminal sends that to both. */
const ENDING: readonly Deno.Signal[] = Deno.build.os === "windows" ? [] : ["SIGTERM", "SIGHUP"];

function ignore(): void {}

/**
 * Starts Deno's kernel for the working directory, and waits for its end.
 *
 * @param connectionFile File in which Jupyter says how the kernel is to be reached
 * @returns The code that the kernel ended with
 * @throws {DataFormatError} If the file is none
 */
export async function launchKernel(connectionFile: string): Promise<number> {
  await using workspace = await findWorkspace(Deno.cwd());
  const child = new Deno.Command(findDeno(), {
    args: buildKernelArguments(await Deno.realPath(connectionFile)),
    cwd: workspace.startFolder,
    stdin: "null",
  }).spawn();
  const end = () => kill(child, "SIGKILL");
  for (const signal of ENDING) Deno.addSignalListener(signal, end);
  Deno.addSignalListener("SIGINT", ignore);
  const ended = new AbortController();
  const status = child.status.then((status) => {
    ended.abort(new Error("the kernel has ended"));
    return status;
  });
  try {
    await attend(workspace, connectionFile, ended.signal).catch((error) => {
      end();
      if (!ended.signal.aborted) throw error;
    });
    return (await status).code;
  } finally {
    end();
    await status;
    for (const signal of ENDING) Deno.removeSignalListener(signal, end);
    Deno.removeSignalListener("SIGINT", ignore);
  }
}

/**
 * Brings the kernel to the folder of the notebook before Jupyter asks it to run anything, and then lets each cell end
 * after its outputs, until the kernel ends.
 */
async function attend(
  workspace: KernelWorkspace,
  connectionFile: string,
  signal: AbortSignal,
): Promise<void> {
  const connection = readConnection(await Deno.readTextFile(connectionFile), connectionFile);
  await using client = await KernelClient.connect(connection, signal);
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  signal.addEventListener("abort", () => client.fail(signal.reason));
  await enterFolder(workspace, client);
  await client.prepare(workspace.temporary);
  await ended;
}
