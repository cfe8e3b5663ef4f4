import {
  findFreeConnection,
  type KernelConnection,
  writeConnection,
} from "../wire/kernel_connection.ts";
import { explainStartError, findDeno } from "./deno.ts";

/** A kernel that runs, and how it is reached. */
export interface KernelProcess {
  /** How it is reached. */
  readonly connection: KernelConnection;
  /** Settles when the process has ended, with how it ended and what it had to say. */
  readonly ended: Promise<string>;
  /** Removes the file with the key of the connection, which a kernel reads only at its start. */
  removeFile(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

/** Last characters of what a kernel writes on its own that are kept for a message. */
const MAX_STDERR = 2000;

/** What Deno says at every start of its kernel. */
const ALWAYS = /^Warning "deno jupyter" is unstable.*\n?/m;

/** Reads all, and keeps the end. */
async function readEnd(stream: ReadableStream<Uint8Array>): Promise<string> {
  let words = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    words = (words + text).slice(-MAX_STDERR);
  }
  return words.replace(ALWAYS, "").trim();
}

/** Arguments that make Deno a kernel. */
export function buildKernelArguments(connectionFile: string): string[] {
  return ["jupyter", "--kernel", "--conn", connectionFile];
}

/** Ends a process at once; one that has ended is left alone. */
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
 * @param folder Folder it starts in: it looks for `deno.json` from there upward
 * @param connection How it is reached
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
      env: { NO_COLOR: "1" }, // outputs are kept
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const words = readEnd(child.stderr);
    const ended = child.status.then(async ({ code, signal }) => {
      await remove();
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      const said = await words;
      return said === "" ? how : `${how}, and said: ${said}`;
    });
    return { connection, ended, removeFile: remove, kill: () => kill(child) };
  } catch (error) {
    await remove();
    throw explainStartError(error);
  }
}
