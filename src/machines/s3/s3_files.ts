import { DamagedFileError } from "../../disk/files.ts";
import { Sha256, sha256 } from "../../disk/hashes.ts";
import {
  Files,
  type FindOptions,
  IDENTITY_FILE,
  type OpenSlice,
  RENEWAL_AGE,
  type StoredFile,
} from "../../storage/files/files.ts";
import { type Bucket, ObjectChangedError, type ObjectHead } from "./bucket.ts";

/** Bytes of a block: parts of an object are read in whole blocks, each compared with its hash. */
const BLOCK_BYTES = 256 * 1024;

/** Most reads of a content that does not match its hash: it may have been damaged on its way. */
const MAX_READS = 3;

const HASH_BYTES = 32;

/** Hash of a content that was read once, and of each of its blocks, to verify any part that is read later. */
class ComparedContent {
  readonly #contentHash = new Sha256();
  readonly #blocks: Uint8Array;
  #hash: string | undefined;
  #count = 0;

  /** @param size Size of the content, bytes */
  constructor(size: number) {
    this.#blocks = new Uint8Array(Math.ceil(size / BLOCK_BYTES) * HASH_BYTES);
  }

  /** Adds the next part: whole blocks, the last one may be shorter. */
  add(part: Uint8Array): void {
    this.#contentHash.update(part);
    for (let at = 0; at < part.length; at += BLOCK_BYTES) {
      const block = part.subarray(at, at + BLOCK_BYTES);
      this.#blocks.set(Uint8Array.fromHex(sha256(block)), HASH_BYTES * this.#count++);
    }
  }

  /** SHA-256 of the whole, hexadecimal. */
  get hash(): string {
    return this.#hash ??= this.#contentHash.hex();
  }

  /**
   * Whether a part is unchanged.
   *
   * @param from Its first byte, the start of a block
   * @param part Whole blocks, the last one may be shorter
   */
  hasPart(from: number, part: Uint8Array): boolean {
    const first = from / BLOCK_BYTES;
    for (let at = 0; at < part.length; at += BLOCK_BYTES) {
      const place = HASH_BYTES * (first + at / BLOCK_BYTES);
      const knownHash = this.#blocks.subarray(place, place + HASH_BYTES).toHex();
      if (sha256(part.subarray(at, at + BLOCK_BYTES)) !== knownHash) return false;
    }
    return true;
  }
}

/** Bytes per request, which an answer keeps in memory. */
const SPAN_BYTES = 4 * BLOCK_BYTES;

/** An object whose content was verified; later reads are verified block by block. */
export class S3File implements StoredFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly hash: string;
  readonly stored: number;
  readonly #bucket: Bucket;
  readonly #etag: string;
  readonly #compared: ComparedContent;
  readonly #content: Uint8Array<ArrayBuffer> | undefined;

  /** @param content Its content, if verification kept it */
  constructor(
    bucket: Bucket,
    name: string,
    head: ObjectHead,
    compared: ComparedContent,
    content: Uint8Array<ArrayBuffer> | undefined,
  ) {
    this.path = bucket.path(name);
    this.name = name;
    this.size = head.size;
    this.hash = compared.hash;
    this.stored = head.stored;
    this.#bucket = bucket;
    this.#etag = head.etag;
    this.#compared = compared;
    this.#content = content;
  }

  open(from: number, to: number): Promise<OpenSlice> {
    const closing = new AbortController();
    let position = from;
    let ready: Uint8Array = new Uint8Array();
    return Promise.resolve({
      load: async () => {
        if (ready.length > 0) return;
        const end = Math.min(to, position - position % SPAN_BYTES + SPAN_BYTES);
        ready = await this.#read(position, end, closing.signal);
        position = end;
      },
      read: (part) => {
        const length = Math.min(part.length, ready.length);
        part.set(ready.subarray(0, length));
        ready = ready.subarray(length);
        return Promise.resolve(length);
      },
      close: () => closing.abort(),
    });
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#content) return this.#content;
    const content = new Uint8Array(this.size);
    for (let at = 0; at < this.size; at += SPAN_BYTES) {
      content.set(await this.#read(at, Math.min(at + SPAN_BYTES, this.size)), at);
    }
    return content;
  }

  /** Reads a part, with the rest of its blocks. */
  async #read(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> {
    const first = from - from % BLOCK_BYTES;
    const end = Math.min(this.size, Math.ceil(to / BLOCK_BYTES) * BLOCK_BYTES);
    for (let readsLeft = MAX_READS; readsLeft > 0; readsLeft--) {
      const part = await this.#bucket.get(this.name, this.#etag, first, end, signal);
      if (this.#compared.hasPart(first, part)) return part.subarray(from - first, to - first);
    }
    throw new DamagedFileError(
      this.path,
      "its content has changed since it was last read. Restore it from a backup, or import its site again",
    );
  }
}

/** Largest number of files whose hashes are kept: some 2 kB for each. */
const MAX_KNOWN = 10_000;

/** Bytes per request while a content is verified for the first time. */
const COPY_BYTES = 32 * BLOCK_BYTES;

/** Files in a bucket of an object store. */
export class S3Files extends Files {
  readonly #bucket: Bucket;
  /** Contents that this process has verified, by name; the most recently used are at the end. */
  readonly #known = new Map<string, { version: string; compared: Promise<ComparedContent> }>();

  /** @param bucket The bucket, closed with the files */
  constructor(bucket: Bucket) {
    super();
    this.#bucket = bucket;
  }

  override path(name: string): string {
    return this.#bucket.path(name);
  }

  override async find(name: string, options: FindOptions = {}): Promise<StoredFile | undefined> {
    while (true) {
      const head = await this.#bucket.head(name);
      if (!head) return undefined;
      try {
        return await this.#compare(name, head, options);
      } catch (error) {
        if (!(error instanceof ObjectChangedError)) throw error; // retry: it was replaced meanwhile
      }
    }
  }

  override async isUnchanged(name: string): Promise<boolean> {
    const head = await this.#bucket.head(name);
    if (head?.hash === undefined) return head !== undefined && await this.isSound(name);
    return name.startsWith(`${head.hash}.`);
  }

  override async write(name: string, bytes: Uint8Array): Promise<void> {
    await this.#bucket.put(name, bytes, sha256(bytes));
    this.#known.delete(name);
  }

  override async writeNew(name: string, bytes: Uint8Array): Promise<boolean> {
    return await this.#bucket.replace(name, bytes, sha256(bytes), undefined);
  }

  override async renew(name: string): Promise<boolean> {
    const head = await this.#bucket.head(name);
    if (!head) return false;
    const isYoung = (stored: number) => Date.now() - stored < RENEWAL_AGE;
    if (isYoung(head.stored)) return true;
    const stored = await this.#bucket.touch(name, head);
    if (stored !== undefined && isYoung(stored)) return true;
    const file = await this.find(name, { content: true }); // the store kept the old time, or the object was replaced
    if (!file || isYoung(file.stored)) return file !== undefined;
    await this.write(name, await file.bytes());
    return true;
  }

  override async names(): Promise<string[]> {
    return (await this.#bucket.names()).filter((name) => name !== IDENTITY_FILE);
  }

  override async removeOlder(name: string, instant: number): Promise<boolean> {
    const head = await this.#bucket.head(name);
    if (!head || head.stored > instant) return false;
    await this.#bucket.remove(name);
    return true;
  }

  override close(): void {
    this.#bucket.close();
  }

  /** Verifies an object by its hash, once for each version. */
  async #compare(name: string, head: ObjectHead, { content }: FindOptions): Promise<StoredFile> {
    const version = `${head.etag} ${head.stored} ${head.size}`;
    const cached = this.#known.get(name);
    this.#known.delete(name);
    const keptContent = content && cached?.version !== version
      ? new Uint8Array(head.size)
      : undefined;
    const entry = cached?.version === version
      ? cached
      : { version, compared: this.#readWhole(name, head, keptContent) };
    this.#known.set(name, entry);
    const oldest = this.#known.keys().next().value!;
    if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest);
    const forget = () => {
      if (this.#known.get(name) === entry) this.#known.delete(name);
    };
    try {
      const compared = await entry.compared;
      if (head.hash !== undefined && compared.hash !== head.hash) forget();
      return new S3File(this.#bucket, name, head, compared, keptContent);
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Reads and hashes a content; reads it again if it differs from the stored one. */
  async #readWhole(
    name: string,
    head: ObjectHead,
    content: Uint8Array | undefined,
  ): Promise<ComparedContent> {
    for (let readsLeft = MAX_READS;; readsLeft--) {
      const compared = new ComparedContent(head.size);
      for (let at = 0; at < head.size; at += COPY_BYTES) {
        const end = Math.min(at + COPY_BYTES, head.size);
        const part = await this.#bucket.get(name, head.etag, at, end);
        compared.add(part);
        content?.set(part, at);
      }
      if (head.hash === undefined || compared.hash === head.hash || readsLeft === 1) {
        return compared;
      }
    }
  }
}
