import { DamagedFileError } from "../../../disk/damaged_file.ts";
import type { StoredFile } from "../files.ts";
import type { Bucket, ObjectHead } from "./bucket.ts";
import { BLOCK_BYTES, type ComparedContent, MAX_READS } from "./compared_content.ts";

/** Bytes that are requested at once: what an answer keeps in memory. */
const SPAN_BYTES = 4 * BLOCK_BYTES;

/**
 * Builds a file of an object whose content was compared; what is read of it later is compared block by block.
 *
 * @param content Its content, where that was kept when it was compared
 */
export function buildS3File(
  bucket: Bucket,
  name: string,
  { etag, size, stored }: ObjectHead,
  compared: ComparedContent,
  content: Uint8Array<ArrayBuffer> | undefined,
): StoredFile {
  const path = bucket.path(name);

  /** Reads a part, with the rest of its blocks. */
  async function read(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> {
    const first = from - from % BLOCK_BYTES;
    const end = Math.min(size, Math.ceil(to / BLOCK_BYTES) * BLOCK_BYTES);
    for (let left = MAX_READS; left > 0; left--) {
      const part = await bucket.get(name, etag, first, end, signal);
      if (compared.hasPart(first, part)) return part.subarray(from - first, to - first);
    }
    throw new DamagedFileError(
      path,
      "its content is not what it was when it was read before. Put it back from a backup, or " +
        "import its site again",
    );
  }

  return {
    path,
    name,
    size,
    hash: compared.hash,
    stored,
    open(from, to) {
      const closing = new AbortController();
      let position = from;
      let ready: Uint8Array = new Uint8Array();
      return Promise.resolve({
        load: async () => {
          if (ready.length > 0) return;
          const end = Math.min(to, position - position % SPAN_BYTES + SPAN_BYTES);
          ready = await read(position, end, closing.signal);
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
    },
    async bytes() {
      if (content) return content;
      const whole = new Uint8Array(size);
      for (let at = 0; at < size; at += SPAN_BYTES) {
        whole.set(await read(at, Math.min(at + SPAN_BYTES, size)), at);
      }
      return whole;
    },
  };
}
