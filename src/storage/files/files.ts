import { DamagedFileError } from "../../disk/files.ts";
import { sha256 } from "../../disk/hashes.ts";
import { PassingError } from "../failures/is_passing.ts";

/** An open part of a file. */
export interface OpenSlice {
  /** Waits until the next bytes can be read without delay; absent for files on a disk. */
  load?(): Promise<void>;
  /**
   * Reads the next bytes.
   *
   * @param part Buffer for the bytes; it need not be filled completely
   * @returns Number of bytes; 0 at the end
   */
  read(part: Uint8Array): Promise<number>;
  close(): void;
}

/** A file that can be read in parts. */
export interface SlicedFile {
  /** Path or address, for messages. */
  readonly path: string;
  /**
   * Opens a part.
   *
   * @param from First byte
   * @param to Position after the last byte
   */
  open(from: number, to: number): Promise<OpenSlice>;
}

/** Files checked at the same time. */
const MAX_CHECKS = 16;

/**
 * Age from which renewing a file sets its time, ms. Younger files keep theirs, because each renewal makes a new version
 * whose content must be compared again.
 */
export const RENEWAL_AGE = 600_000;

/** Name of the file with the identity of the database. */
export const IDENTITY_FILE = "vindkit-identity";

/** A stored file as found: its content was hashed, and can be read only as long as it stays the same. */
export interface StoredFile extends SlicedFile {
  /** Name of the file. */
  readonly name: string;
  /** Size, bytes. */
  readonly size: number;
  /** SHA-256 of its content, hexadecimal. */
  readonly hash: string;
  /** When it was stored or renewed, milliseconds since 1970 UTC. */
  readonly stored: number;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Selects the names that fail a check, some at a time. */
async function selectFailing(
  names: Iterable<string>,
  check: (name: string) => Promise<boolean>,
): Promise<string[]> {
  const waiting = [...names];
  const failing: string[] = [];
  while (waiting.length > 0) {
    const batch = waiting.splice(0, MAX_CHECKS);
    const passed = await Promise.all(batch.map(check));
    failing.push(...batch.filter((_, i) => !passed[i]));
  }
  return failing;
}

/** Options of {@linkcode Files.find}. */
export interface FindOptions {
  /** Whether the whole content is read next, so the bytes read for hashing are kept. @default {false} */
  readonly content?: boolean;
}

/** Hash in the name of a file. */
function hashIn(name: string): string {
  return name.slice(0, name.indexOf("."));
}

/**
 * Immutable files, named by the hash of their content, which is compared before use. Files rendered from them have
 * names that begin with the name of their source.
 */
export abstract class Files {
  /** Path of a file in a folder or address of its object, for messages. */
  abstract path(name: string): string;

  /**
   * Finds a file as it is now; its content is read and hashed once per version.
   *
   * @returns `undefined` if it is missing
   */
  abstract find(name: string, options?: FindOptions): Promise<StoredFile | undefined>;

  /**
   * Whether a file is unchanged since it was stored, judged by a mark in its metadata. With a valid mark the content is
   * not read, so silent disk corruption goes unnoticed.
   */
  abstract isUnchanged(name: string): Promise<boolean>;

  /**
   * Writes a file, such as one rendered from another. The write is durable, and readers see the old content or the new,
   * never a part.
   *
   * @param name Hash of its content, or the name of its source, and an ending
   */
  abstract write(name: string, bytes: Uint8Array): Promise<void>;

  /**
   * Writes a file durably unless the name exists.
   *
   * @returns Whether it was written
   */
  abstract writeNew(name: string, bytes: Uint8Array): Promise<boolean>;

  /**
   * Sets the time of a file to now, unless it is only minutes old. Otherwise an old file that no row names yet would be
   * removed.
   *
   * @returns Whether it exists
   */
  abstract renew(name: string): Promise<boolean>;

  /** Names of all files except the identity; empty if nothing has been stored yet. */
  abstract names(): Promise<string[]>;

  /**
   * Removes a file unless it was stored or renewed after an instant.
   *
   * @param instant Milliseconds since 1970 UTC
   * @returns Whether it was removed
   */
  abstract removeOlder(name: string, instant: number): Promise<boolean>;

  abstract close(): void;

  /** Identity that pairs the files with their database; `undefined` before the first import. */
  async identity(): Promise<string | undefined> {
    const file = await this.find(IDENTITY_FILE, { content: true });
    return file && new TextDecoder().decode(await file.bytes()).trim();
  }

  /** Finds a file whose content matches its name; `undefined` if it is missing or damaged. */
  async findSound(name: string): Promise<StoredFile | undefined> {
    const file = await this.find(name);
    return file?.hash === hashIn(name) ? file : undefined;
  }

  /**
   * Moves a damaged file aside, with the ending `.damaged`: imports and backups restore missing files only.
   *
   * @returns Whether it existed
   */
  async setAside(name: string): Promise<boolean> {
    const file = await this.find(name, { content: true });
    if (!file) return false;
    await this.write(`${name}.damaged`, await file.bytes());
    return await this.removeOlder(name, Infinity);
  }

  /** Whether a file exists and its content matches its name. */
  async isSound(name: string): Promise<boolean> {
    return await this.findSound(name) !== undefined;
  }

  /** Renews a file, and returns whether it exists and its content matches its name. */
  async keep(name: string): Promise<boolean> {
    return await this.isSound(name) && await this.renew(name);
  }

  /**
   * Stores a file once: the same content is the same file. Replaces a damaged one. The file stays for a day until a row
   * names it, so after a failed or killed import the next one finds it.
   *
   * @param extension Ending of the name, such as "parquet"
   * @returns Its name
   */
  async put(bytes: Uint8Array, extension: string): Promise<string> {
    const name = `${sha256(bytes)}.${extension}`;
    if (!await this.keep(name)) await this.write(name, bytes);
    return name;
  }

  /**
   * Reads a file.
   *
   * @throws {DamagedFileError} If it is missing, or its content does not match its name
   */
  async read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const file = await this.find(name, { content: true });
    if (file?.hash === hashIn(name)) return await file.bytes();
    throw new DamagedFileError(
      this.path(name),
      (file
        ? "it is damaged, because its content does not match the hash in its name"
        : "it is missing") +
        ". Restore it from a backup, or import its site again",
    );
  }

  /**
   * Makes sure that files exist and stay for a day. Call it in the transaction that names them, after the call that
   * names them.
   *
   * @throws {PassingError} If one is gone and must be created again
   */
  async assertPresent(names: Iterable<string>): Promise<void> {
    const [gone] = await this.renewAll(names);
    if (gone === undefined) return;
    throw new PassingError(
      `Cannot use ${this.path(gone)}: it was removed after it was stored. Try again`,
    );
  }

  /**
   * Restarts the grace period of files, some at a time.
   *
   * @returns Names of the missing files
   */
  async renewAll(names: Iterable<string>): Promise<string[]> {
    return await selectFailing(names, (name) => this.renew(name));
  }

  /** Selects files that are missing or changed, by {@linkcode Files.isUnchanged}, some at a time. */
  async selectChanged(names: Iterable<string>): Promise<string[]> {
    return await selectFailing(names, (name) => this.isUnchanged(name));
  }
}
