import { DamagedFileError } from "../../disk/files.ts";
import type { OpenSlice } from "../../storage/files/sliced_file.ts";
import type { StoredFile } from "../../storage/files/files.ts";
import type { Bucket, ObjectHead } from "./bucket.ts";
import { BLOCK_BYTES, type ComparedContent, MAX_READS } from "./compared_content.ts";

/** Bytes that are requested at once: what an answer keeps in memory. */
const SPAN_BYTES = 4 * BLOCK_BYTES;

/** An object whose content was compared; what is read of it later is compared block by block. */
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

  /** @param content Its content, where that was kept when it was compared */
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
    for (let left = MAX_READS; left > 0; left--) {
      const part = await this.#bucket.get(this.name, this.#etag, first, end, signal);
      if (this.#compared.hasPart(first, part)) return part.subarray(from - first, to - first);
    }
    throw new DamagedFileError(
      this.path,
      "its content is not what it was when it was read before. Put it back from a backup, or " +
        "import its site again",
    );
  }
}
