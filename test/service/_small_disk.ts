/** Runs a command; returns whether it succeeded. */
async function run(command: string, ...args: string[]): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(command, { args, stderr: "null" }).output();
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A separate file system in memory, which may be full. */
export class SmallDisk implements AsyncDisposable {
  /** Its folder. */
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Mounts one with a size in the format of `mount`, "400k"; `undefined` if that is not permitted. */
  static async mount(size: string): Promise<SmallDisk | undefined> {
    const folder = await Deno.makeTempDir();
    if (await run("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder)) {
      return new SmallDisk(folder);
    }
    await Deno.remove(folder);
  }

  /** Gives it another size. */
  async resize(size: string): Promise<boolean> {
    return await run("mount", "-o", `remount,size=${size}`, this.folder);
  }

  /** Makes it read-only for newly opened files, or writable again. */
  async allowWriting(allowed: boolean): Promise<boolean> {
    if (allowed) return await run("umount", "--lazy", this.folder);
    return await run("mount", "--bind", this.folder, this.folder) &&
      await run("mount", "-o", "remount,bind,ro", this.folder);
  }

  /** Unmounts it, even if a file is still open. */
  async [Symbol.asyncDispose](): Promise<void> {
    await run("umount", "--lazy", this.folder);
    await Deno.remove(this.folder);
  }
}

/** Whether this machine lets us mount. */
export const canMount: boolean = await (async () => {
  await using disk = await SmallDisk.mount("64k");
  return disk !== undefined;
})();

/** Name of a test that needs a small disk. */
export function nameMounting(name: string): string {
  return canMount ? name : `${name} (skipped: no file system can be mounted here)`;
}
