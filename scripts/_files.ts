/**
 * Writes a file whole: who opens it, also after a crash, finds the old content or the new, never a part.
 *
 * @param path Where to
 * @param content Its text
 */
export async function writeWhole(path: string, content: string): Promise<void> {
  const part = `${path}.${crypto.randomUUID()}.part`;
  try {
    await Deno.writeTextFile(part, content);
    await Deno.rename(part, path);
  } catch (error) {
    await Deno.remove(part).catch(() => {}); // there is none where it could not be written
    throw error;
  }
}
