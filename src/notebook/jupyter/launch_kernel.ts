import { KernelClient } from "../kernel/kernel_client.ts";
import { type KernelProcess, startKernelProcess } from "../kernel/kernel_process.ts";
import { enterFolder, findWorkspace, type KernelWorkspace } from "../kernel/kernel_workspace.ts";
import {
  findFreeConnection,
  type KernelConnection,
  LOOPBACK,
  readConnection,
} from "../wire/kernel_connection.ts";
import type { Content, KernelMessage } from "../wire/kernel_message.ts";
import type { Parts } from "../wire/zmtp_socket.ts";
import { explainFailure } from "../kernel/kernel.ts";
import { showResult } from "../kernel/prepared_code.ts";
import { CodeHelp } from "./code_help.ts";
import { Relay, type RelayedKernel, relayOutputs } from "./relay.ts";

/** Requests whose replies can be improved. */
const IMPROVABLE: readonly string[] = ["execute_request", "complete_request", "inspect_request"];

/** Hooks of a relay into the requests of Jupyter. */
interface RelayOptions extends RelayedKernel {
  /** Answers a request instead of the kernel; `undefined` forwards it. */
  readonly answer?: (request: KernelMessage) => Promise<Content | undefined>;
  /** Replaces the content of a request to the kernel; `undefined` keeps it. */
  readonly rewrite?: (request: KernelMessage) => Content | undefined;
  /** Improves the kernel's reply to a request that runs, completes or inspects code; `undefined` keeps the reply. */
  readonly improve?: (
    request: KernelMessage,
    reply: Promise<Content>,
  ) => Promise<Content | undefined>;
}

/**
 * Forwards the messages between Jupyter and a socket of a kernel, optionally answering requests or improving replies.
 *
 * @param listener Listener on Jupyter's port
 */
function relayRequests(listener: Deno.TcpListener, options: RelayOptions): Relay {
  const { answer, rewrite, improve } = options;
  return new Relay(listener, options, ["ROUTER", "DEALER"], ({ jupyter, kernel, signer }) => {
    const replies = new Map<string, (content: Content) => Promise<Content | undefined>>();
    const passRequests = async () => {
      for (let parts: Parts | null; (parts = await jupyter.receive()) !== null;) {
        const request = await signer.read(parts).catch(() => undefined); // the kernel will refuse it
        const content = request && await answer?.(request).catch(() => undefined);
        if (content) {
          await jupyter.send(await signer.reply(parts, content));
          continue;
        }
        if (improve && request && IMPROVABLE.includes(request.type)) {
          const { promise, resolve } = Promise.withResolvers<Content>();
          const improved = improve(request, promise).catch(() => undefined);
          replies.set(request.id, (content) => {
            resolve(content);
            return improved;
          });
        }
        const other = request && rewrite?.(request);
        await kernel.send(other ? await signer.replaceContent(parts, other) : parts);
      }
    };
    const passReplies = async () => {
      for (let parts: Parts | null; (parts = await kernel.receive()) !== null;) {
        const received = parts;
        const { parent, content } = await signer.read(received);
        const improved = replies.get(parent)?.(content) ?? Promise.resolve(undefined);
        replies.delete(parent);
        // later replies do not wait while one is improved
        void improved.then(async (content) => {
          const sent = content ? await signer.replaceContent(received, content) : received;
          await jupyter.send(sent);
        }).catch(() => {}); // Jupyter has disconnected
      }
    };
    return [passRequests(), passReplies()];
  });
}

/**
 * The process that the kernelspec starts. It starts Deno's kernel in a folder where this library can be imported, then
 * changes to the folder of the notebook. Jupyter connects directly to the kernel, except for the sockets shell and control,
 * whose messages pass through here: Deno's kernel offers little help for code at the cursor, and an interrupt while code
 * waits would hang it.
 *
 * @module
 */

/** Signals that end the kernel. A terminal sends SIGINT to the kernel as well, which handles it. */
const ENDING: readonly Deno.Signal[] = Deno.build.os === "windows" ? [] : ["SIGTERM", "SIGHUP"];

/** Reply to a cell that was stopped during a computation. */
const INTERRUPTED = {
  ename: "AbortError",
  evalue: "Interrupted: the running cell was stopped",
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
  using outputListener = Deno.listen({ hostname: LOOPBACK, port: ports.iopub });
  const { shell, control, iopub } = findFreeConnection().ports;
  const inner: KernelConnection = { ...jupyter, ports: { ...ports, shell, control, iopub } };
  await using workspace = await findWorkspace(Deno.cwd());
  const kernel = await startKernelProcess(workspace.startFolder, inner, true);
  const end = () => kernel.kill();
  for (const signal of ENDING) Deno.addSignalListener(signal, end);
  Deno.addSignalListener("SIGINT", ignore);
  const ended = new AbortController();
  kernel.ended.then(() => ended.abort(new Error("the kernel has ended")));
  try {
    const listeners = [shellListener, controlListener, outputListener];
    await attend(workspace, kernel, listeners, ended.signal).catch((error) => {
      end();
      if (!ended.signal.aborted) throw error;
    });
    return (await kernel.status).code;
  } finally {
    end();
    await kernel.ended;
    for (const signal of ENDING) Deno.removeSignalListener(signal, end);
    Deno.removeSignalListener("SIGINT", ignore);
  }
}

/**
 * Changes the kernel to the folder of the notebook before Jupyter runs anything in it, makes each cell end after its
 * outputs, and then relays Jupyter's requests until the kernel ends.
 */
async function attend(
  workspace: KernelWorkspace,
  { connection, removeFile }: KernelProcess,
  [shellListener, controlListener, outputListener]: readonly Deno.TcpListener[],
  signal: AbortSignal,
): Promise<void> {
  await using client = await KernelClient.connect(connection, signal);
  await removeFile();
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  signal.addEventListener("abort", () => client.fail(signal.reason));
  await enterFolder(workspace, client);
  await client.prepare(workspace.temporary);
  await using help = new CodeHelp(client, workspace.startFolder);
  const { ports, key } = connection;
  let interrupted = false;
  /** Replies to running cells, by request. */
  const replies = new Map<string, Promise<Content>>();
  const explain = async (
    { content: { code } }: KernelMessage,
    reply: Content,
  ): Promise<Content> => {
    if (reply.status !== "error") return reply;
    if (interrupted) return { ...reply, ...INTERRUPTED };
    const { ename, evalue } = reply;
    const named = { name: String(ename ?? ""), message: String(evalue ?? "") };
    const { line, message } = await explainFailure(String(code), named);
    return line === undefined
      ? reply
      : { ...reply, ename: "SyntaxError", evalue: `line ${line}: ${message}` };
  };
  await using _shell = relayRequests(shellListener, {
    port: ports.shell,
    key,
    rewrite: ({ type, content }) =>
      type === "execute_request" && typeof content.code === "string"
        ? { ...content, code: showResult(content.code) }
        : undefined,
    improve: async (request, reply) => {
      if (request.type !== "execute_request") return await help.improve(request, reply);
      void help.improve(request, reply);
      const explained = reply.then((reply) => explain(request, reply))
        .finally(() => interrupted = false);
      replies.set(request.id, explained);
      return await explained;
    },
  });
  await using _outputs = relayOutputs(outputListener, {
    port: ports.iopub,
    key,
    findError: async (request) => {
      const reply = await replies.get(request);
      replies.delete(request);
      if (reply?.status !== "error") return undefined;
      const { ename, evalue } = reply;
      return { ename, evalue, traceback: [`${ename}: ${evalue}`] };
    },
  });
  // Deno's kernel never recovers from an interrupt while code waits, so the code itself is stopped instead.
  await using _control = relayRequests(controlListener, {
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
