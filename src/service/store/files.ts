import { writeAtomically } from "../../home/atomic_write.ts";

/** SHA-256 of bytes, hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return new Uint8Array(digest).toHex();
}

/** Name of a file by its content. */
export async function nameOf(bytes: Uint8Array, extension: string): Promise<string> {
  return `${await sha256(bytes)}.${extension}`;
}

/** Immutable files of a data directory, named by the hash of their content. */
export class Files {
  readonly #folder: string;

  /** @param folder Folder of the files; it is made when the first one is put */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Path of a file. */
  path(name: string): string {
    return `${this.#folder}/${name}`;
  }

  /** Whether a file is there. */
  async has(name: string): Promise<boolean> {
    return await Deno.stat(this.path(name)).then((info) => info.isFile, () => false);
  }

  /**
   * Puts a file, once; the same content is the same file.
   *
   * @param bytes Content
   * @param extension Ending of the name, such as "parquet"
   * @returns Its name
   */
  async put(bytes: Uint8Array, extension: string): Promise<string> {
    const name = await nameOf(bytes, extension);
    if (!await this.has(name)) {
      await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeAtomically(this.path(name), bytes);
    }
    return name;
  }

  /** Reads a file. */
  async read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return await Deno.readFile(this.path(name));
  }
}
