import { syncFolder, writeAtomically } from "../../../disk/side_file.ts";
import { ignoreMissing } from "../../../disk/files.ts";
import { type Files, nameByHash, type StagedFiles } from "../files.ts";
import { lockFolder } from "./lock_folder.ts";

/** Beginning of the names of the folders in which files are staged. */
const STAGED = "staged-";

/** File that every process that stages files has locked; the system unlocks it also where a process is killed. */
const STAGING_LOCK = "staging.lock";

/** Ending of a file that is being written, and how long after its last byte it counts as abandoned, ms. */
const PART = { ending: ".part", lifetime: 3_600_000 };

/** Milliseconds that the time of a file has beyond a second, by its name. */
const markOf = (name: string) => 1 + parseInt(name.slice(0, 8), 16) % 999;

/**
 * A time for a file whose content is known to be what its name says: its part of a second is noted in it. Whatever else writes
 * to the file leaves another time.
 *
 * @param instant About when, milliseconds since 1970 UTC
 */
export function markTime(name: string, instant: number): Date {
  return new Date(1000 * Math.floor(instant / 1000) + markOf(name));
}

/** Whether a time is such a one, to its nanosecond. */
export function isMarked(name: string, nanoseconds: bigint): boolean {
  return nanoseconds % 1_000_000_000n === 1_000_000n * BigInt(markOf(name));
}

/**
 * Files on their way into a data directory: written to a folder beside the others, so that an import of many turbines needs
 * no memory for them, and moved to their places all at once. What was not committed leaves nothing behind; where a process was
 * killed, the next import removes what it left.
 */
export class StagedFolder implements StagedFiles {
  readonly #files: Files;
  readonly #folder: string;
  readonly #names = new Set<string>();
  #lock: Deno.FsFile | undefined;

  constructor(files: Files) {
    this.#files = files;
    this.#folder = files.path(`${STAGED}${crypto.randomUUID()}`);
  }

  async put(bytes: Uint8Array, extension: string): Promise<string> {
    await this.#begin();
    const name = nameByHash(bytes, extension);
    if (this.#names.has(name)) return name;
    if (await this.#files.keep(name)) return name;
    await writeAtomically(`${this.#folder}/${name}`, bytes);
    this.#names.add(name);
    return name;
  }

  async commit(): Promise<void> {
    if (this.#names.size === 0) return;
    using _lock = await lockFolder(this.#files.path(""), false);
    for (const name of this.#names) {
      const time = markTime(name, Date.now()); // a day of computing may have passed
      await Deno.utime(`${this.#folder}/${name}`, time, time);
      await Deno.rename(`${this.#folder}/${name}`, this.#files.path(name));
    }
    await syncFolder(this.#files.path("")); // before a row names them
    this.#names.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#lock) return; // nothing was staged
    await Deno.remove(this.#folder, { recursive: true });
    this.#lock.close();
    this.#lock = undefined;
  }

  /** Makes the folder, once; the only process that stages removes what earlier ones left. */
  async #begin(): Promise<void> {
    if (this.#lock) return;
    await Deno.mkdir(this.#files.path(""), { recursive: true, mode: 0o700 });
    const lock = await Deno.open(this.#files.path(STAGING_LOCK), {
      write: true,
      create: true,
      mode: 0o600,
    });
    try {
      if (await lock.tryLock(true)) await this.#removeLeftovers();
      await lock.lock(false);
      await Deno.mkdir(this.#folder, { mode: 0o700 });
    } catch (error) {
      lock.close();
      throw error;
    }
    this.#lock = lock;
  }

  async #removeLeftovers(): Promise<void> {
    for await (const { name } of Deno.readDir(this.#files.path(""))) {
      const path = this.#files.path(name);
      if (name.startsWith(STAGED) || name.endsWith(PART.ending) && await isOld(path)) {
        await Deno.remove(path, { recursive: true });
      }
    }
  }
}

/** Whether a file that is being written is abandoned; one that was moved to its place meanwhile is not. */
async function isOld(path: string): Promise<boolean> {
  const info = await ignoreMissing(Deno.stat(path));
  return info?.mtime != null && Date.now() - info.mtime.getTime() > PART.lifetime;
}
