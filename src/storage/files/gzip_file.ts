import { DamagedFileError } from "../../disk/files.ts";
import { sha256 } from "../../disk/hashes.ts";
import type { Files, StoredFile } from "./files.ts";

function nameGzipped(name: string): string {
  return `${name}.gz`;
}

function nameNote(name: string): string {
  return `${nameGzipped(name)}.sha256`;
}

function formatNote(hash: string, gzipped: string): string {
  return `${hash} ${gzipped}\n`;
}

/**
 * Finds the gzipped form of a file, if it was made from this content and is not damaged.
 *
 * @returns `undefined` if it must be made
 */
export async function findGzipped(
  files: Files,
  { name, hash }: StoredFile,
): Promise<StoredFile | undefined> {
  const [gzipped, note] = await Promise.all([
    files.find(nameGzipped(name)),
    files.find(nameNote(name), { content: true }),
  ]);
  if (!gzipped || !note) return undefined;
  const text = new TextDecoder().decode(await note.bytes());
  return text === formatNote(hash, gzipped.hash) ? gzipped : undefined;
}

/**
 * Gzips an immutable file; stores the result next to it, with the ending `.gz`, and a note with both hashes.
 *
 * @throws {DamagedFileError} If it is missing
 */
export async function gzipFile(files: Files, name: string): Promise<void> {
  const file = await files.find(name, { content: true });
  if (!file) {
    throw new DamagedFileError(files.path(name), "it is missing and will be rendered again");
  }
  const plain = await file.bytes();
  const stream = new Blob([plain]).stream().pipeThrough(new CompressionStream("gzip"));
  const gzipped = await new Response(stream).bytes();
  await files.write(nameGzipped(name), gzipped);
  const note = formatNote(sha256(plain), sha256(gzipped));
  await files.write(nameNote(name), new TextEncoder().encode(note));
}
