/** Bytes that are read at once. */
const PART_BYTES = 2 ** 20;

/** Reads the first bytes of a file: 512 show its format. */
export async function readBeginning(path: string, length = 512): Promise<Uint8Array> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, await file.read(bytes) ?? 0);
}

/**
 * Reads a file in parts; the next part is read while the last one is processed.
 *
 * @param take Called with each part; the bytes are overwritten after it returns
 */
export async function readParts(path: string, take: (part: Uint8Array) => void): Promise<void> {
  using file = await Deno.open(path);
  let [bytes, next] = [new Uint8Array(PART_BYTES), new Uint8Array(PART_BYTES)];
  let reading = file.read(bytes);
  try {
    for (let length; (length = await reading) !== null;) {
      reading = file.read(next);
      take(bytes.subarray(0, length));
      [bytes, next] = [next, bytes];
    }
  } finally {
    await reading.catch(() => {}); // the file is not closed while it is read
  }
}
