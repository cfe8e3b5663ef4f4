import { sha256 } from "../../disk/sha256.ts";
import { type Bucket, ObjectChangedError } from "../s3/bucket.ts";
import type { ExportTarget, VersionedText } from "./export_target.ts";

/** An export in an object store. */
export class S3Target implements ExportTarget {
  readonly address: string;
  readonly isShared = true;
  readonly #bucket: Bucket;

  /** @param bucket Where it is, which is closed with it */
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
        if (!(error instanceof ObjectChangedError)) throw error; // else it is looked for again
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
