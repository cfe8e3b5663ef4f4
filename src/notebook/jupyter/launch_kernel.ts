/**
 * The process that the kernelspec starts: it starts Deno's kernel in a folder where this library can be imported, and
 * then changes to the folder of the notebook. Jupyter connects to the kernel itself, except for the shell socket, whose
 * messages pass through here: Deno's kernel knows little of the code that is being written.
 *
 * @module
 */
import { findDeno } from "../../disk/find_deno.ts";
import { KernelClient } from "../kernel/kernel_client.ts";
import { buildKernelArguments, kill } from "../kernel/kernel_process.ts";
import { enterFolder, findWorkspace, type KernelWorkspace } from "../kernel/kernel_workspace.ts";
import {
  findFreeConnection,
  type KernelConnection,
  LOOPBACK,
  readConnection,
  writeConnection,
} from "../wire/kernel_connection.ts";
import { CodeHelp } from "./code_help.ts";
import { ShellRelay } from "./shell_relay.ts";

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
  const jupyter = readConnection(await Deno.readTextFile(connectionFile), connectionFile);
  using listener = Deno.listen({ hostname: LOOPBACK, port: jupyter.ports.shell });
  const { shell } = findFreeConnection().ports;
  const own: KernelConnection = { ...jupyter, ports: { ...jupyter.ports, shell } };
  await using workspace = await findWorkspace(Deno.cwd());
  const file = await Deno.makeTempFile({ prefix: "vindkit-kernel-", suffix: ".json" });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => Deno.remove(file).catch(() => {})); // the kernel never read it
  await Deno.writeTextFile(file, writeConnection(own));
  const child = new Deno.Command(findDeno(), {
    args: buildKernelArguments(file),
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
    await attend(workspace, own, { listener, file }, ended.signal).catch((error) => {
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
 * Changes the kernel to the folder of the notebook before Jupyter runs anything in it, makes each cell end after its
 * outputs, and then relays Jupyter's requests, until the kernel ends.
 */
async function attend(
  workspace: KernelWorkspace,
  connection: KernelConnection,
  { listener, file }: { listener: Deno.TcpListener; file: string },
  signal: AbortSignal,
): Promise<void> {
  await using client = await KernelClient.connect(connection, signal);
  await Deno.remove(file); // the kernel has read it
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  signal.addEventListener("abort", () => client.fail(signal.reason));
  await enterFolder(workspace, client);
  await client.prepare(workspace.temporary);
  await using help = new CodeHelp(client, workspace.startFolder);
  await using _relay = new ShellRelay(listener, {
    port: connection.ports.shell,
    key: connection.key,
    improve: (request, reply) => help.improve(request, reply),
  });
  await ended;
}
