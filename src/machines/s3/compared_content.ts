import { Sha256, sha256 } from "../../disk/hashes.ts";

/** Bytes of a block: parts of an object are read in whole blocks, each compared with its hash. */
export const BLOCK_BYTES = 256 * 1024;

/** How often a content that does not match its hash is read: it may have been damaged on its way. */
export const MAX_READS = 3;

const HASH_BYTES = 32;

/** Hash of a content that was read once, and of each block of it: with them any part of it is compared when it is read again. */
export class ComparedContent {
  readonly #whole = new Sha256();
  readonly #blocks: Uint8Array;
  #hash: string | undefined;
  #count = 0;

  /** @param size Size of the content, bytes */
  constructor(size: number) {
    this.#blocks = new Uint8Array(Math.ceil(size / BLOCK_BYTES) * HASH_BYTES);
  }

  /** Adds the next part: whole blocks, the last one may be shorter. */
  add(part: Uint8Array): void {
    this.#whole.update(part);
    for (let at = 0; at < part.length; at += BLOCK_BYTES) {
      const block = part.subarray(at, at + BLOCK_BYTES);
      this.#blocks.set(Uint8Array.fromHex(sha256(block)), HASH_BYTES * this.#count++);
    }
  }

  /** SHA-256 of the whole, hexadecimal. */
  get hash(): string {
    return this.#hash ??= this.#whole.hex();
  }

  /**
   * Whether a part is as it was.
   *
   * @param from Its first byte, that of a block
   * @param part Whole blocks, the last one may be shorter
   */
  hasPart(from: number, part: Uint8Array): boolean {
    const first = from / BLOCK_BYTES;
    for (let at = 0; at < part.length; at += BLOCK_BYTES) {
      const place = HASH_BYTES * (first + at / BLOCK_BYTES);
      const known = this.#blocks.subarray(place, place + HASH_BYTES).toHex();
      if (sha256(part.subarray(at, at + BLOCK_BYTES)) !== known) return false;
    }
    return true;
  }
}
