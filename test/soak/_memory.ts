/**
 * Memory and files of a process, as Linux reports them.
 *
 * @module
 */

/** What a process takes at a moment. */
export interface Taken {
  /** Memory that it has in RAM, MB. */
  readonly resident: number;
  /** The most it ever had, MB. */
  readonly peak: number;
  /** Open files and sockets. */
  readonly descriptors: number;
}

async function output(command: string, ...args: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command(command, { args, stderr: "null" }).output();
  if (!success) throw new Error(`Cannot look at the process: ${command} ${args.join(" ")} fails`);
  return new TextDecoder().decode(stdout);
}

/**
 * Reads the present use of a process. Deno needs all permissions for the entries of another process, so programs read them.
 *
 * @param pid The process
 */
export async function takenBy(pid: number): Promise<Taken> {
  const status = await output("cat", `/proc/${pid}/status`);
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)![1]) / 1024;
  return {
    resident: megabytes("VmRSS"),
    peak: megabytes("VmHWM"),
    descriptors: (await output("ls", `/proc/${pid}/fd`)).trimEnd().split("\n").length,
  };
}

/** Lets the event loop turn, so that the memory of frames that nobody holds any more is freed: else 100 worlds need 20 GB. */
export const freeFrames = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
