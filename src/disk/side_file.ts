/**
 * A file that is written to the side: nobody sees it under its name before it is whole and on the disk. One that was
 * not committed leaves nothing behind.
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

  /** Puts the file on the disk, then in its place. */
  async commit(path: string): Promise<void> {
    await this.#file.sync();
    this.#close();
    await Deno.rename(this.path, path);
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
