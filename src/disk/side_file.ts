import { dirname } from "node:path";
import { ConfigurationError } from "../api/errors.ts";
import { adviseGrant, explainDenial } from "./denial.ts";

/**
 * Syncs the names in a folder to the disk, so a file renamed into it survives a power failure. Windows does this by
 * itself.
 */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path);
  await folder.sync();
}

/** Options of {@linkcode SideFile.commit}. */
interface CommitOptions {
  /** Whether an existing file is replaced; otherwise `Deno.errors.AlreadyExists` is thrown. @default {true} */
  readonly overwrite?: boolean;
  /** Whether it is synced to the disk first, so it is complete even after a crash of the machine. @default {true} */
  readonly sync?: boolean;
}

/**
 * A file that is written under a temporary name and renamed when it is complete. Without a commit it is removed.
 */
export class SideFile {
  /** Temporary path. */
  readonly path: string;
  readonly #file: Deno.FsFile;
  #open = true;
  #exists = true;

  private constructor(path: string, file: Deno.FsFile) {
    this.path = path;
    this.#file = file;
  }

  /**
   * Creates the temporary file.
   *
   * @param pathPrefix Prefix of the temporary path, on the same disk as its final path
   * @param mode Mode of the file
   * @throws {ConfigurationError} If its folder does not exist, or this program has no permission to write there
   */
  static async create(pathPrefix: string, mode = 0o600): Promise<SideFile> {
    const path = `${pathPrefix}.${crypto.randomUUID()}.part`;
    const file = await Deno.open(path, { write: true, createNew: true, mode }).catch((cause) => {
      if (!(cause instanceof Deno.errors.NotFound)) {
        throw explainDenial(
          cause,
          `write ${pathPrefix}`,
          () => adviseGrant(dirname(pathPrefix), "write"),
        );
      }
      throw new ConfigurationError(`Cannot write ${pathPrefix}: its folder does not exist`, {
        cause,
        hint: "Create the folder first, or give another path",
      });
    });
    return new SideFile(path, file);
  }

  /** Appends bytes. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#name(async () => {
      for (let written = 0; written < bytes.length;) {
        written += await this.#file.write(bytes.subarray(written));
      }
    });
  }

  /** Syncs the content to the disk; {@linkcode commit} does it too. */
  async sync(): Promise<void> {
    await this.#name(() => this.#file.sync());
  }

  /** Syncs the file to the disk and renames it to its final path. */
  async commit(path: string, { overwrite = true, sync = true }: CommitOptions = {}): Promise<void> {
    if (sync) await this.sync();
    this.#close();
    if (overwrite) await Deno.rename(this.path, path);
    else await renameToFree(this.path, path);
    this.#exists = false;
  }

  /** Closes the file, and removes it if it was not committed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
    if (this.#exists) await Deno.remove(this.path).catch(() => {}); // the folder may be gone
    this.#exists = false;
  }

  /** Writes; an error, such as for a full disk, names the file. */
  async #name(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (cause) {
      const { message } = cause as Error;
      throw new Error(
        `Cannot write ${this.path}: ${message}. Check that the disk is connected and has free space`,
        {
          cause,
        },
      );
    }
  }

  #close(): void {
    if (this.#open) this.#file.close();
    this.#open = false;
  }
}

/** Renames a file unless the name is taken; `rename` alone would replace that file. */
async function renameToFree(from: string, to: string): Promise<void> {
  try {
    await Deno.link(from, to);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    return await Deno.rename(from, to); // some file systems, such as FAT, have no links
  }
  await Deno.remove(from);
}

/**
 * Writes a file so that a reader sees either the old content or the new, never a part: a {@linkcode SideFile} in one call.
 *
 * @param options Mode of the file, and whether to sync it to the disk before renaming it
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  { mode, sync }: { readonly mode?: number; readonly sync?: boolean } = {},
): Promise<void> {
  await using file = await SideFile.create(path, mode);
  await file.write(bytes);
  await file.commit(path, { sync });
}
