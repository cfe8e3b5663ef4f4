import { DamagedFileError } from "../../disk/files.ts";
import { sha256 } from "../../disk/hashes.ts";
import { PassingError } from "../failures/is_passing.ts";

/** A part of a file that is being read. */
export interface OpenSlice {
  /** Waits, out of turn, until the next bytes can be read at once; absent where they are read from a disk. */
  load?(): Promise<void>;
  /**
   * Reads the next bytes.
   *
   * @param part Where they are put; fewer may be there than it has room for
   * @returns Number of bytes; 0 where the file has ended
   */
  read(part: Uint8Array): Promise<number>;
  close(): void;
}

/** A file of which parts can be read. */
export interface SlicedFile {
  /** Where it is, as messages name it. */
  readonly path: string;
  /**
   * Opens a part.
   *
   * @param from First byte
   * @param to Position after the last byte
   */
  open(from: number, to: number): Promise<OpenSlice>;
}

/** Files whose presence is looked at at the same time. */
const MAX_LOOKS = 16;

/**
 * Age from which a file that is needed again gets the present time, ms. Younger files keep theirs: each renewal makes a
 * new version, whose content would be compared again.
 */
export const RENEWAL_AGE = 600_000;

/** Name of the file with the identity of the database that the files belong to. */
export const IDENTITY_FILE = "vindkit-identity";

/** A stored file as it was found: its content was compared, and is read only as long as it is the same. */
export interface StoredFile extends SlicedFile {
  /** Name among the files. */
  readonly name: string;
  /** Size, bytes. */
  readonly size: number;
  /** SHA-256 of its content, hexadecimal. */
  readonly hash: string;
  /** When it was stored or renewed, milliseconds since 1970 UTC. */
  readonly stored: number;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Selects the names that do not pass a look, some at a time. */
async function selectFailing(
  names: Iterable<string>,
  look: (name: string) => Promise<boolean>,
): Promise<string[]> {
  const left = [...names];
  const failing: string[] = [];
  while (left.length > 0) {
    const some = left.splice(0, MAX_LOOKS);
    const found = await Promise.all(some.map(look));
    failing.push(...some.filter((_, i) => !found[i]));
  }
  return failing;
}

/** Options of {@linkcode Files.find}. */
export interface FindOptions {
  /** Whether its whole content is read next: then what is read to compare it is kept for that. @default {false} */
  readonly content?: boolean;
}

/** Hash in such a name. */
function hashIn(name: string): string {
  return name.slice(0, name.indexOf("."));
}

/**
 * Immutable files named by the hash of their content, which is compared before they are used, and what is rendered of them,
 * whose names begin with that of its source.
 */
export abstract class Files {
  /** Where a file is, as messages name it: its path in a folder, or the address of its object. */
  abstract path(name: string): string;

  /**
   * Finds a file as it is now; its content is read and hashed once for each version of it.
   *
   * @returns `undefined` where it is missing
   */
  abstract find(name: string, options?: FindOptions): Promise<StoredFile | undefined>;

  /**
   * Whether a file is there as it was stored, judged by a note kept beside its content. If there is such a note the
   * content is not read, so decay of the disk without a write goes unnoticed.
   */
  abstract isUnchanged(name: string): Promise<boolean>;

  /**
   * Writes a file that is rendered from another one, so its name is not the hash of its content. The write is durable,
   * and readers see the old content or the new, never a part.
   *
   * @param name Name, which begins with that of its source
   */
  abstract write(name: string, bytes: Uint8Array): Promise<void>;

  /**
   * Writes a file durably unless one has its name.
   *
   * @returns Whether it was written
   */
  abstract writeNew(name: string, bytes: Uint8Array): Promise<boolean>;

  /**
   * Sets the time of a file to now, unless it is only minutes old: an old file that no row names would be removed.
   *
   * @returns Whether it exists
   */
  abstract renew(name: string): Promise<boolean>;

  /** Names of all files but the identity; empty where nothing has been stored yet. */
  abstract names(): Promise<string[]>;

  /**
   * Removes a file unless it was stored or renewed after an instant.
   *
   * @param instant Milliseconds since 1970 UTC
   * @returns Whether it was removed
   */
  abstract removeOlder(name: string, instant: number): Promise<boolean>;

  abstract close(): void;

  /** The identity that pairs them with their database; `undefined` before the first import. */
  async identity(): Promise<string | undefined> {
    const found = await this.find(IDENTITY_FILE, { content: true });
    return found && new TextDecoder().decode(await found.bytes()).trim();
  }

  /** Finds a file that has the content that its name says; `undefined` where it is missing or damaged. */
  async findSound(name: string): Promise<StoredFile | undefined> {
    const found = await this.find(name);
    return found?.hash === hashIn(name) ? found : undefined;
  }

  /**
   * Sets a damaged file aside, under its name and `.damaged`: an import and a backup put back what is missing.
   *
   * @returns Whether it is there
   */
  async setAside(name: string): Promise<boolean> {
    const found = await this.find(name, { content: true });
    if (!found) return false;
    await this.write(`${name}.damaged`, await found.bytes());
    return await this.removeOlder(name, Infinity);
  }

  /** Whether a file is there with the content that its name says. */
  async isSound(name: string): Promise<boolean> {
    return await this.findSound(name) !== undefined;
  }

  /** Renews a file; whether it is there with the content that its name says. */
  async keep(name: string): Promise<boolean> {
    return await this.isSound(name) && await this.renew(name);
  }

  /**
   * Stores a file, once; the same content is the same file. A damaged one is replaced. It stays for a day, so that a row can
   * name it: where an import fails, or is killed, the next one finds there what it had stored.
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
   * @throws {DamagedFileError} If it is missing, or its content is not what its name says
   */
  async read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const found = await this.find(name, { content: true });
    if (found?.hash === hashIn(name)) return await found.bytes();
    throw new DamagedFileError(
      this.path(name),
      (found
        ? "it is damaged, because its content does not match the hash in its name"
        : "it is missing") +
        ". Restore it from a backup, or import its site again",
    );
  }

  /**
   * Makes sure that files are there and stay for a day. Call it in the transaction that names them, after the call that
   * names them.
   *
   * @throws {PassingError} If one is gone: it is to be made again
   */
  async assertPresent(names: Iterable<string>): Promise<void> {
    const [gone] = await this.renewAll(names);
    if (gone === undefined) return;
    throw new PassingError(
      `Cannot use ${this.path(gone)}: it was removed after it was stored. Try again`,
    );
  }

  /**
   * Restarts the time for which files stay, some at a time.
   *
   * @returns Names of those that are missing
   */
  async renewAll(names: Iterable<string>): Promise<string[]> {
    return await selectFailing(names, (name) => this.renew(name));
  }

  /** Names of those files that are missing or changed, as {@linkcode Files.isUnchanged} says, looked at some at a time. */
  async selectChanged(names: Iterable<string>): Promise<string[]> {
    return await selectFailing(names, (name) => this.isUnchanged(name));
  }
}
