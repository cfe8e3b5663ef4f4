/**
 * Memory and files of a process, as Linux reports them.
 *
 * @module
 */

/** Resources of a process at a moment. */
export interface Taken {
  /** Resident memory, MB. */
  readonly resident: number;
  /** Peak resident memory, MB. */
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
 * Reads the resources of a process by other programs, because Deno would need all permissions for another process's
 * entries.
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

/** Lets the event loop free the memory of unused frames; without it 100 worlds need 20 GB. */
export const freeFrames = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
