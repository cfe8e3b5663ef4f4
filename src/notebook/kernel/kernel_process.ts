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
  /** Settles when the process ends, with its exit and its last lines on standard error. */
  readonly ended: Promise<string>;
  /** Exit status of the process. */
  readonly status: Promise<Deno.CommandStatus>;
  /** Removes the file with the key, which a kernel reads only at startup. */
  removeFile(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

/** Characters from the end of a kernel's standard error in a message. */
const MAX_STDERR = 2000;

/** Warning that Deno prints whenever its kernel starts. */
const START_WARNING = /^Warning "deno jupyter" is unstable.*\n?/m;

/** How long a download may take before the user is told about it, ms. */
const PATIENCE = 20_000;

/** Explains why a kernel is waiting. */
function reportDownload(address: string): void {
  console.error(
    `A notebook's kernel has waited ${
      PATIENCE / 1000
    } s for ${address}. If there is no network, stop the notebook ` +
      "and run it once with a network; Deno then keeps the package",
  );
}

/** Reads the standard error of a process to the end, and returns its last characters. */
async function readEnd(child: Deno.ChildProcess): Promise<string> {
  let end = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    end = (end + text).slice(-MAX_STDERR);
    clearTimeout(timer);
    const [, address] = /^Download (\S+)\n$/m.exec(text) ?? [];
    if (address) timer = setTimeout(reportDownload, PATIENCE, address);
  }
  clearTimeout(timer);
  return end.replace(START_WARNING, "").trim();
}

/** Ends a process at once; does nothing if it has ended. */
export function kill(child: Deno.ChildProcess, signal: Deno.Signal = "SIGKILL"): void {
  try {
    child.kill(signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // the process has ended
  }
}

/**
 * Starts Deno's kernel in a separate process.
 *
 * @param folder Working folder: Deno looks for `deno.json` in it and its parents
 * @param shown Whether to print its outputs for the user; else they are captured, and the last lines are kept
 */
export async function startKernelProcess(
  folder: string,
  connection: KernelConnection = findFreeConnection(),
  inherit = false,
): Promise<KernelProcess> {
  const file = await Deno.makeTempFile({ prefix: "vindkit-kernel-", suffix: ".json" });
  const remove = () => Deno.remove(file).catch(() => {}); // may be removed already
  try {
    await Deno.writeTextFile(file, writeConnection(connection));
    const child = new Deno.Command(findDeno(), {
      args: ["jupyter", "--kernel", "--conn", file],
      cwd: folder,
      env: inherit ? {} : { NO_COLOR: "1" },
      stdin: "null",
      stdout: inherit ? "inherit" : "null",
      stderr: inherit ? "inherit" : "piped",
    }).spawn();
    const { status } = child;
    const stderr = inherit ? "" : readEnd(child);
    const ended = status.then(async ({ code, signal }) => {
      await remove();
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      const text = await stderr;
      return text === "" ? how : `${how}, and wrote: ${text}`;
    });
    return { connection, ended, status, removeFile: remove, kill: () => kill(child) };
  } catch (error) {
    await remove();
    throw explainStartError(error);
  }
}

/** The result of a promise; `undefined` if it takes longer. */
export async function waitFor<T>(
  promise: Promise<T>,
  milliseconds: number,
): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
