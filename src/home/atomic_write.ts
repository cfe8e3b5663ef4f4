/**
 * Writes a file so that a reader sees the old content or the new, never a part: to the side, to the disk, then renamed.
 *
 * @param path Where the file is to stand
 * @param bytes Its content
 */
export async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const side = `${path}.${crypto.randomUUID()}.part`;
  try {
    const file = await Deno.open(side, { write: true, createNew: true, mode: 0o600 });
    try {
      for (let written = 0; written < bytes.length;) {
        written += await file.write(bytes.subarray(written));
      }
      await file.sync();
    } finally {
      file.close();
    }
    await Deno.rename(side, path);
  } catch (error) {
    await Deno.remove(side).catch(() => {}); // it may not have come to exist
    throw error;
  }
}
