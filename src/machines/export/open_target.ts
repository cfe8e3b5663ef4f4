import { ArgumentError } from "../../api/errors.ts";
import { explainDenial } from "../../disk/denial.ts";
import { sha256 } from "../../disk/hashes.ts";
import { type Bucket, ObjectChangedError } from "../s3/bucket.ts";
import { dirname } from "node:path";
import { syncFolder, writeAtomically } from "../../disk/side_file.ts";
import { ignoreMissing, lockFolder } from "../../disk/files.ts";
import type { ExportTarget, VersionedText } from "./export_table.ts";
import type { S3Environment } from "../s3/open_bucket.ts";

/** Mode of the files: programs of other users read them, and the parent folder controls access. */
const MODE = 0o644;

/** An export in a folder, which is created with the first file. */
export class FolderTarget implements ExportTarget {
  readonly address: string;
  readonly isShared = false;

  constructor(folder: string) {
    this.address = folder.replace(/(?<=.)\/+$/, "");
  }

  async read(name: string): Promise<VersionedText | undefined> {
    const bytes = await ignoreMissing(Deno.readFile(this.#path(name)));
    return bytes && { text: new TextDecoder().decode(bytes), version: sha256(bytes) };
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await writeAtomically(path, bytes, { mode: MODE });
    // The folders above are synced too: they may be new.
    for (let part = dirname(name);; part = dirname(part)) {
      await syncFolder(this.#path(part));
      if (part === ".") break;
    }
  }

  async replace(name: string, text: string, version: string | undefined): Promise<boolean> {
    await Deno.mkdir(this.address, { recursive: true });
    using _lock = await lockFolder(this.address, true);
    if ((await this.read(name))?.version !== version) return false;
    await this.write(name, new TextEncoder().encode(text));
    return true;
  }

  async list(folder: string): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    const entries = await ignoreMissing(Array.fromAsync(Deno.readDir(this.#path(folder)))) ?? [];
    for (const { name, isDirectory } of entries) {
      const path = `${folder}/${name}`;
      if (isDirectory) {
        for (const [inner, bytes] of await this.list(path)) sizes.set(inner, bytes);
      } else {
        const info = await ignoreMissing(Deno.stat(this.#path(path)));
        if (info) sizes.set(path, info.size);
      }
    }
    return sizes;
  }

  async remove(name: string): Promise<void> {
    await ignoreMissing(Deno.remove(this.#path(name)));
  }

  [Symbol.dispose](): void {}

  #path(name: string): string {
    return `${this.address}/${name}`;
  }
}

/** An export in an object store. */
class S3Target implements ExportTarget {
  readonly address: string;
  readonly isShared = true;
  readonly #bucket: Bucket;

  /** @param bucket Bucket of the export, closed with it */
  constructor(bucket: Bucket) {
    this.address = bucket.path("").replace(/\/$/, "");
    this.#bucket = bucket;
  }

  async read(name: string): Promise<VersionedText | undefined> {
    while (true) {
      const head = await this.#bucket.head(name);
      if (!head) return undefined;
      const { etag, size } = head;
      try {
        const bytes = await this.#bucket.get(name, etag, 0, size);
        return { text: new TextDecoder().decode(bytes), version: etag };
      } catch (error) {
        if (!(error instanceof ObjectChangedError)) throw error; // retry: another program replaced it
      }
    }
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await this.#bucket.put(name, bytes, sha256(bytes));
  }

  async replace(name: string, text: string, version: string | undefined): Promise<boolean> {
    const bytes = new TextEncoder().encode(text);
    return await this.#bucket.replace(name, bytes, sha256(bytes), version);
  }

  async list(folder: string): Promise<ReadonlyMap<string, number>> {
    return await this.#bucket.sizes(folder);
  }

  async remove(name: string): Promise<void> {
    await this.#bucket.remove(name);
  }

  [Symbol.dispose](): void {
    this.#bucket.close();
  }
}

/**
 * Opens the target of an export. The client of object stores is loaded only for one.
 *
 * @param address Path of a folder, or address such as `s3://bucket/prefix`
 * @param variables Reads the variables with an object store's address and credentials
 * @throws {ArgumentError} If it is an address of another kind
 * @throws {ConfigurationError} If an object store cannot be opened
 * @throws {PassingError} If it does not answer
 */
export async function openTarget(
  address: string,
  variables: S3Environment = (name) => Deno.env.get(name),
): Promise<ExportTarget> {
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(address) ?? [];
  if (scheme === undefined) return new FolderTarget(address);
  if (scheme !== "s3://") {
    throw new ArgumentError(
      `Cannot export to an address that begins with ${scheme}: Vindkit supports only folders and S3. ` +
        "Name a folder, or an object store as s3://bucket/prefix",
    );
  }
  const { openBucket } = await import("../s3/open_bucket.ts");
  try {
    return new S3Target(await openBucket(address, variables));
  } catch (error) {
    throw explainDenial(error, `open ${address}`);
  }
}
