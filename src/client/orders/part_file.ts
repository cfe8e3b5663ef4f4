import { delay } from "@std/async";
import { z } from "zod";
import { SideFile, writeAtomically } from "../../disk/side_file.ts";
import { sha256 } from "../../disk/hashes.ts";
import { prepareDownloadsFolder, refuseDisk } from "../../disk/private_path.ts";

/** Pause before the next try to lock a part, ms. */
const LOCK_PAUSE = 100;

/** What is known of the complete file. */
export interface FileFacts {
  /** Strong entity tag; `null` if there is none: then a part cannot be continued. */
  readonly tag: string | null;
  /** Bytes of the complete file; `null` if unknown. */
  readonly total: number | null;
}

const fileFactsSchema: z.ZodType<FileFacts> = z.strictObject({
  tag: z.string().nullable(),
  total: z.int().min(0).nullable(),
});

/** A download as it grows on the disk, so that it can continue after an interruption or a crash. */
export class PartFile {
  /** Path of the incomplete file. */
  readonly path: string;
  readonly #lock: Deno.FsFile;
  readonly #file: Deno.FsFile;
  #known: FileFacts;
  #size: number;

  private constructor(
    path: string,
    lock: Deno.FsFile,
    file: Deno.FsFile,
    known: FileFacts,
    size: number,
  ) {
    this.path = path;
    this.#lock = lock;
    this.#file = file;
    this.#known = known;
    this.#size = size;
  }

  /**
   * Opens the part of a download, and waits while another process uses it.
   *
   * @param name Name of the download; equal names have the same part
   */
  static async open(home: string, name: string, signal?: AbortSignal): Promise<PartFile> {
    const folder = await prepareDownloadsFolder(home);
    const path = `${folder}/${sha256(name).slice(0, 32)}.part`;
    const options = { read: true, write: true, create: true, mode: 0o600 };
    const lock = await Deno.open(`${path}.lock`, options);
    try {
      while (!await lock.tryLock(true)) {
        await delay(LOCK_PAUSE, signal ? { signal } : {});
      }
      const known = await readStoredFacts(`${path}.json`);
      const file = await Deno.open(path, options);
      try {
        const { size } = await file.stat();
        const part = new PartFile(path, lock, file, known, size);
        // More bytes than the file has, or bytes of an unknown file, are useless.
        if (!part.resumable || known.total !== null && size > known.total) {
          await part.begin(NOTHING);
        }
        return part;
      } catch (error) {
        file.close();
        throw error;
      }
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  /** Bytes that are on the disk. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of the complete file; `null` if unknown. */
  get total(): number | null {
    return this.#known.total;
  }

  /** Strong entity tag of the complete file; `null` if there is none. */
  get tag(): string | null {
    return this.#known.tag;
  }

  /** Whether the download can continue where it ended. */
  get resumable(): boolean {
    return this.#size > 0 && this.tag !== null;
  }

  /** Whether all bytes are there; true if the length is unknown. */
  isWhole(): boolean {
    return this.total === null || this.#size === this.total;
  }

  /** Headers that request the rest, if it is still the same file. */
  rangeHeaders(): Record<string, string> {
    return {
      "accept-encoding": "identity", // a range counts the bytes as they are on the wire
      ...(this.resumable ? { range: `bytes=${this.#size}-`, "if-range": this.tag! } : {}),
    };
  }

  /** Empties the file and begins again. The facts about it are on the disk before its first byte. */
  async begin(known: FileFacts): Promise<void> {
    await onDisk(async () => {
      await this.#file.truncate(0);
      await this.#file.seek(0, Deno.SeekMode.Start);
      this.#size = 0;
      this.#known = known;
      await writeAtomically(`${this.path}.json`, new TextEncoder().encode(JSON.stringify(known)));
    });
  }

  /** Sets the length of the complete file, which a partial answer states. */
  expect(total: number): void {
    this.#known = { ...this.#known, total };
  }

  /** Appends bytes. */
  async write(bytes: Uint8Array): Promise<void> {
    await onDisk(async () => {
      await this.#file.seek(this.#size, Deno.SeekMode.Start);
      for (let written = 0; written < bytes.length;) {
        const count = await this.#file.write(bytes.subarray(written));
        written += count;
        this.#size += count;
      }
    });
  }

  /** Moves the complete file to another path in one step. */
  async moveTo(path: string): Promise<void> {
    await onDisk(async () => {
      await this.#file.sync();
      await moveFile(this.path, path);
      await this.#forget();
    });
  }

  /** Removes the file, which was read or is useless. */
  async remove(): Promise<void> {
    await Deno.remove(this.path).catch(() => {}); // it may have been moved
    await this.#forget();
  }

  /** Closes and unlocks the file; the bytes that it has stay. */
  [Symbol.dispose](): void {
    this.#file.close();
    this.#lock.close();
  }

  async #forget(): Promise<void> {
    await Deno.remove(`${this.path}.json`).catch(() => {}); // it may be missing
  }
}

async function onDisk(act: () => Promise<void>): Promise<void> {
  await act().catch(refuseDisk);
}

const NOTHING: FileFacts = { tag: null, total: null };

async function readStoredFacts(path: string): Promise<FileFacts> {
  try {
    return fileFactsSchema.parse(JSON.parse(await Deno.readTextFile(path)));
  } catch {
    return NOTHING; // missing, or of another version: the download begins again
  }
}

/** Renames a file; to another disk it is copied first. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await Deno.rename(from, to);
  } catch (error) {
    if ((error as { code?: string }).code !== "EXDEV") throw error;
    await using side = await SideFile.create(to);
    for await (const part of (await Deno.open(from)).readable) await side.write(part);
    await side.commit(to);
    await Deno.remove(from);
  }
}
