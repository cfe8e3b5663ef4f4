import { createHash, type Hash } from "node:crypto";

/** SHA-256 of bytes that arrive in parts, which Web Crypto cannot compute. */
export class Sha256 {
  readonly #hash: Hash = createHash("sha256");

  /** Adds the next part. */
  update(part: Uint8Array | string): this {
    this.#hash.update(part);
    return this;
  }

  /** The hash of all parts, hexadecimal. */
  hex(): string {
    return this.#hash.digest("hex");
  }
}

/** SHA-256 of bytes or a text, hexadecimal. */
export function sha256(content: Uint8Array | string): string {
  return new Sha256().update(content).hex();
}

/** SHA-256 of a file, hexadecimal; the file is read in parts of 1 MB. */
export async function hashFile(path: string): Promise<string> {
  const hash = new Sha256();
  using file = await Deno.open(path);
  const part = new Uint8Array(1 << 20);
  for (let read; (read = await file.read(part)) !== null;) hash.update(part.subarray(0, read));
  return hash.hex();
}
