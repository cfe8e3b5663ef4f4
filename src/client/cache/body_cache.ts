import { z } from "zod";
import pl, { type DataFrame } from "nodejs-polars";
import { SideFile, writeAtomically } from "../../disk/side_file.ts";
import { ignoreMissing } from "../../disk/files.ts";
import { hashFile, sha256 } from "../../disk/hashes.ts";
import { prepareFolders } from "../../disk/private_path.ts";
import { bodyFields, buildCallKey, hashSchema, type LockedBody } from "../connection/data_lock.ts";

/** Facts that the cache stores about a body. */
export interface CacheEntry extends Omit<LockedBody, "no_data"> {
  /** Its origin: a base address, the sample, a data directory. */
  readonly place: string;
  /** Headers that describe the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the Parquet file of its frame, if one is stored. */
  readonly frame?: string | undefined;
}

function areHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) !== null;
  } catch {
    return false; // they were changed on the disk
  }
}

const entrySchema: z.ZodType<CacheEntry> = z.strictObject({
  ...bodyFields,
  place: z.string(),
  headers: z.record(z.string(), z.string()).refine(areHeaders),
  frame: hashSchema.optional(),
});

/** Reads a file with this hash; `undefined` if it is missing, is not a plain file, or was altered. */
async function readUnaltered(
  path: string,
  hash: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!(await ignoreMissing(Deno.lstat(path)))?.isFile) return undefined;
  const bytes = await ignoreMissing(Deno.readFile(path));
  return bytes && sha256(bytes) === hash ? bytes : undefined;
}

/**
 * Bodies stored on the disk, each under its hash, with an entry for each call. Files are never changed in place, so
 * processes can share the cache; each file is compared with its hash before use.
 */
export class BodyCache {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Opens the cache, and creates it if it is missing.
   *
   * @throws {ConfigurationError} If other users can write to it
   */
  static async open(home: string): Promise<BodyCache> {
    const folder = `${home}/cache`;
    const parts = ["entries", "bodies", "frames"].map((part) => `${folder}/${part}`);
    await prepareFolders("use the cache", [folder, ...parts]);
    return new BodyCache(folder);
  }

  /**
   * Finds the stored entry of a call.
   *
   * @param place Where the call goes
   * @param hash SHA-256 of the wanted body. @default the latest one's
   */
  async findEntry(
    place: string,
    operation: string,
    parameters: CacheEntry["parameters"],
    hash?: string,
  ): Promise<CacheEntry | undefined> {
    const text = buildCallKey(place, operation, parameters);
    let entry: CacheEntry;
    try {
      entry = entrySchema.parse(JSON.parse(await Deno.readTextFile(this.#entryPath(text, hash))));
    } catch (error) {
      if (error instanceof Deno.errors.PermissionDenied) throw error;
      return undefined; // missing or altered
    }
    const same = buildCallKey(entry.place, entry.operation, entry.parameters) === text;
    return same && (hash === undefined || entry.sha256 === hash) ? entry : undefined;
  }

  /** Reads the body of an entry; `undefined` if it is missing or was altered. */
  async readBytes(entry: CacheEntry): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return await readUnaltered(this.#bodyPath(entry.sha256), entry.sha256);
  }

  /** Finds the file of an entry's body and compares it with its hash; `undefined` if it is missing or was altered. */
  async findPath(entry: Pick<CacheEntry, "sha256">): Promise<string | undefined> {
    const path = this.#bodyPath(entry.sha256);
    if (!(await ignoreMissing(Deno.lstat(path)))?.isFile) return undefined;
    return await ignoreMissing(hashFile(path)) === entry.sha256 ? path : undefined;
  }

  /** Reads the stored frame of a body; `undefined` if it is missing or was altered. */
  async readFrame(entry: CacheEntry): Promise<DataFrame | undefined> {
    if (entry.frame === undefined) return undefined;
    const bytes = await readUnaltered(this.#framePath(entry, entry.frame), entry.frame);
    return bytes && pl.readParquet(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }

  /** Creates a file for a body whose hash is not known yet. */
  async createFile(): Promise<SideFile> {
    return await SideFile.create(`${this.#folder}/bodies/new`);
  }

  /** Stores a body and then its entry, so an entry never names a missing body. */
  async store(entry: CacheEntry, file: { commit(path: string): Promise<void> }): Promise<void> {
    await this.storeBody(entry.sha256, file);
    await this.#write(entry);
  }

  /** Stores a body without an entry for a call. */
  async storeBody(
    sha256: string,
    file: { commit(path: string): Promise<void> },
  ): Promise<void> {
    await file.commit(this.#bodyPath(sha256));
  }

  /** Removes a body that no call needs any more. */
  async removeBody(sha256: string): Promise<void> {
    await Deno.remove(this.#bodyPath(sha256)).catch(() => {}); // another process may have removed it
  }

  /** Stores the frame of a body as Parquet, which is read in milliseconds. */
  async storeFrame(entry: CacheEntry, frame: DataFrame): Promise<void> {
    const bytes = frame.writeParquet({ compression: "zstd" });
    const hash = sha256(bytes);
    await writeAtomically(this.#framePath(entry, hash), bytes);
    await this.#write({ ...entry, frame: hash });
  }

  async #write(entry: CacheEntry): Promise<void> {
    const text = buildCallKey(entry.place, entry.operation, entry.parameters);
    const bytes = new TextEncoder().encode(JSON.stringify(entry, null, 2) + "\n");
    await writeAtomically(this.#entryPath(text, entry.sha256), bytes);
    await writeAtomically(this.#entryPath(text), bytes);
  }

  #entryPath(text: string, hash?: string): string {
    return `${this.#folder}/entries/${sha256(text)}${hash ? `.${hash}` : ""}.json`;
  }

  #bodyPath(hash: string): string {
    return `${this.#folder}/bodies/${hash}`;
  }

  /** The name contains the hash of the body, so an entry cannot name the frame of another body. */
  #framePath({ sha256 }: CacheEntry, hash: string): string {
    return `${this.#folder}/frames/${sha256}.${hash}.parquet`;
  }
}
