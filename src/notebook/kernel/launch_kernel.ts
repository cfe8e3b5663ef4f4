/**
 * The process that the kernelspec starts: it starts Deno's kernel in a folder where this library can be imported, and
 * then changes to the folder of the notebook. Jupyter connects to the kernel itself.
 *
 * @module
 */
import { findDeno } from "./deno.ts";
import { KernelClient } from "./kernel_client.ts";
import { readConnection } from "../wire/kernel_connection.ts";
import { buildKernelArguments, kill } from "./kernel_process.ts";
import { enterFolder, findWorkspace, type KernelWorkspace } from "./kernel_workspace.ts";

/** Signals that end the kernel. A terminal sends SIGINT to the kernel as well, which handles it. */
const ENDING: readonly Deno.Signal[] = Deno.build.os === "windows" ? [] : ["SIGTERM", "SIGHUP"];

function ignore(): void {}

/**
 * Starts Deno's kernel for the working directory, and waits for its end.
 *
 * @param connectionFile File of Jupyter with the ports and the key of the kernel
 * @returns Exit code of the kernel
 * @throws {DataFormatError} If the file is not a connection file
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
 * Changes the kernel to the folder of the notebook before Jupyter runs anything in it, and then makes each cell end after
 * its outputs, until the kernel ends.
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
