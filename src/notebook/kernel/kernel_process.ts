import {
  findFreeConnection,
  type KernelConnection,
  writeConnection,
} from "../wire/kernel_connection.ts";
import { findDeno } from "../../disk/home.ts";
import { explainStartError } from "./kernel_files.ts";

/** A running kernel. */
export interface KernelProcess {
  /** Its ports and key. */
  readonly connection: KernelConnection;
  /** Settles when the process has ended: how it ended, and its last lines on standard error. */
  readonly ended: Promise<string>;
  /** Removes the file with the key, which a kernel reads only at its start. */
  removeFile(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

/** Characters from the end of a kernel's standard error that go into a message. */
const MAX_STDERR = 2000;

/** Warning that Deno prints at every start of its kernel. */
const START_WARNING = /^Warning "deno jupyter" is unstable.*\n?/m;

/** Reads a stream to its end and returns its last characters. */
async function readEnd(stream: ReadableStream<Uint8Array>): Promise<string> {
  let end = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    end = (end + text).slice(-MAX_STDERR);
  }
  return end.replace(START_WARNING, "").trim();
}

/** Command line of Deno's kernel. */
export function buildKernelArguments(connectionFile: string): string[] {
  return ["jupyter", "--kernel", "--conn", connectionFile];
}

/** Ends a process at once; does nothing if it has ended. */
export function kill(child: Deno.ChildProcess, signal: Deno.Signal = "SIGKILL"): void {
  try {
    child.kill(signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // it has ended
  }
}

/**
 * Starts Deno's kernel in a process of its own.
 *
 * @param folder Working folder: Deno looks for `deno.json` from there upward
 */
export async function startKernelProcess(
  folder: string,
  connection: KernelConnection = findFreeConnection(),
): Promise<KernelProcess> {
  const file = await Deno.makeTempFile({ prefix: "vindkit-kernel-", suffix: ".json" });
  const remove = () => Deno.remove(file).catch(() => {}); // it may be gone already
  try {
    await Deno.writeTextFile(file, writeConnection(connection));
    const child = new Deno.Command(findDeno(), {
      args: buildKernelArguments(file),
      cwd: folder,
      env: { NO_COLOR: "1" }, // outputs are stored
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const stderr = readEnd(child.stderr);
    const ended = child.status.then(async ({ code, signal }) => {
      await remove();
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      const text = await stderr;
      return text === "" ? how : `${how}, and wrote: ${text}`;
    });
    return { connection, ended, removeFile: remove, kill: () => kill(child) };
  } catch (error) {
    await remove();
    throw explainStartError(error);
  }
}
