/** How a file takes its place. */
interface CommitOptions {
  /** Whether a file that is there is replaced; otherwise `Deno.errors.AlreadyExists` is thrown. @default {true} */
  readonly overwrite?: boolean;
  /** Whether it is put on the disk first, so that also a crash of the machine leaves a whole one. @default {true} */
  readonly sync?: boolean;
}

/**
 * A file that is written to the side: nobody sees it under its name before it is whole. One that was not committed
 * leaves nothing behind.
 */
export class SideFile {
  /** Where it is written. */
  readonly path: string;
  readonly #file: Deno.FsFile;
  #open = true;
  #left = true;

  private constructor(path: string, file: Deno.FsFile) {
    this.path = path;
    this.#file = file;
  }

  /**
   * Begins a file.
   *
   * @param beside Path beside which it is written: on the same disk as its later place
   * @param mode Who may read and write it
   */
  static async create(beside: string, mode = 0o600): Promise<SideFile> {
    const path = `${beside}.${crypto.randomUUID()}.part`;
    return new SideFile(path, await Deno.open(path, { write: true, createNew: true, mode }));
  }

  /** Appends bytes. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      written += await this.#file.write(bytes.subarray(written));
    }
  }

  /** Puts what was written on the disk; {@linkcode commit} does it too. */
  async sync(): Promise<void> {
    await this.#file.sync();
  }

  /** Puts the file on the disk, then in its place. */
  async commit(path: string, { overwrite = true, sync = true }: CommitOptions = {}): Promise<void> {
    if (sync) await this.sync();
    this.#close();
    if (overwrite) await Deno.rename(this.path, path);
    else await renameToFree(this.path, path);
    this.#left = false;
  }

  /** Closes the file; one that was not committed is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
    if (this.#left) await Deno.remove(this.path).catch(() => {}); // the folder may be gone
    this.#left = false;
  }

  #close(): void {
    if (this.#open) this.#file.close();
    this.#open = false;
  }
}

/** Renames a file unless somebody else has taken the name meanwhile: `rename` alone would replace theirs. */
async function renameToFree(from: string, to: string): Promise<void> {
  try {
    await Deno.link(from, to);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    return await Deno.rename(from, to); // some disks, such as sticks, know no links
  }
  await Deno.remove(from);
}
