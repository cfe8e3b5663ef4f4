/**
 * The process that the kernelspec starts: it starts Deno's kernel in a folder where this library can be imported, and
 * then changes to the folder of the notebook. Jupyter connects to the kernel itself, except for the sockets shell and
 * control, whose messages pass through here: Deno's kernel knows little of the code that is being written, and an
 * interrupt of code that waits would hang it.
 *
 * @module
 */
import { findDeno } from "../../disk/home.ts";
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
import { KernelRelay } from "./kernel_relay.ts";

/** Signals that end the kernel. A terminal sends SIGINT to the kernel as well, which handles it. */
const ENDING: readonly Deno.Signal[] = Deno.build.os === "windows" ? [] : ["SIGTERM", "SIGHUP"];

/** What the reply to a cell says that was stopped while it computed. */
const INTERRUPTED = {
  ename: "AbortError",
  evalue: "Interrupted: the cell was stopped while it computed",
} as const;

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
  const { ports } = jupyter;
  using shellListener = Deno.listen({ hostname: LOOPBACK, port: ports.shell });
  using controlListener = Deno.listen({ hostname: LOOPBACK, port: ports.control });
  const { shell, control } = findFreeConnection().ports;
  const own: KernelConnection = { ...jupyter, ports: { ...ports, shell, control } };
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
    await attend(workspace, own, { shellListener, controlListener, file }, ended.signal).catch(
      (error) => {
        end();
        if (!ended.signal.aborted) throw error;
      },
    );
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
  { shellListener, controlListener, file }: {
    shellListener: Deno.TcpListener;
    controlListener: Deno.TcpListener;
    file: string;
  },
  signal: AbortSignal,
): Promise<void> {
  await using client = await KernelClient.connect(connection, signal);
  await Deno.remove(file); // the kernel has read it
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  signal.addEventListener("abort", () => client.fail(signal.reason));
  await enterFolder(workspace, client);
  await client.prepare(workspace.temporary);
  await using help = new CodeHelp(client, workspace.startFolder);
  const { ports, key } = connection;
  let interrupted = false;
  await using _shell = new KernelRelay(shellListener, {
    port: ports.shell,
    key,
    improve: async (request, reply) => {
      const better = await help.improve(request, reply);
      if (request.type !== "execute_request" || !interrupted) return better;
      interrupted = false;
      const own = await reply;
      // Deno's kernel says "Execution failed" or nothing of code that was stopped while it computed.
      return own.status === "error" ? { ...own, ...INTERRUPTED } : better;
    },
  });
  // Deno's kernel never comes back from an interrupt while code waits: then the code itself is told to stop.
  await using _control = new KernelRelay(controlListener, {
    port: ports.control,
    key,
    answer: async ({ type }) => {
      if (type !== "interrupt_request") return undefined;
      if (await client.stopWaits()) return { status: "ok" };
      interrupted = true;
    },
  });
  await ended;
}
