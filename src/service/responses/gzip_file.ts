import { writeAtomically } from "../../disk/atomic_write.ts";
import type { FileHashes } from "../../disk/file_hashes.ts";
import { Sha256 } from "../../disk/sha256.ts";
import { SideFile } from "../../disk/side_file.ts";

/**
 * Whether an `Accept-Encoding` header takes gzip (RFC 9110, section 12.5.3).
 *
 * @param header Value of the header; `null` where there is none
 */
export function acceptsGzip(header: string | null): boolean {
  const weights = new Map(
    (header ?? "").toLowerCase().split(",").map((entry) => {
      const [coding, ...parameters] = entry.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

/** A gzipped file. */
interface GzippedFile {
  readonly path: string;
  /** Its SHA-256, hexadecimal. */
  readonly hash: string;
}

/** Path of the note about a gzipped file. */
function notePath(target: string): string {
  return `${target}.sha256`;
}

function formatNote(hash: string, gzipped: string): string {
  return `${hash} ${gzipped}\n`;
}

async function readNote(target: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(notePath(target));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Finds the gzipped form of a file, where it was made of this content and is not damaged.
 *
 * @param path The file
 * @param hash SHA-256 of the file, hexadecimal
 * @param hashes Hashes of files
 * @returns `undefined` where it must be made
 */
export async function findGzipped(
  path: string,
  hash: string,
  hashes: FileHashes,
): Promise<GzippedFile | undefined> {
  const target = `${path}.gz`;
  const own = await hashes.get(target);
  if (own === undefined || await readNote(target) !== formatNote(hash, own)) return undefined;
  return { path: target, hash: own };
}

/**
 * Gzips an immutable file; the result is stored beside it, with the ending `.gz`, and a note of both hashes.
 *
 * @param path The file
 */
export async function gzipFile(path: string): Promise<void> {
  const target = `${path}.gz`;
  const source = await Deno.open(path); // closed by its stream
  await using side = await SideFile.create(target);
  const [plain, gzipped] = [new Sha256(), new Sha256()];
  const read = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, controller) {
      plain.update(part);
      controller.enqueue(part);
    },
  });
  const parts = source.readable.pipeThrough(read).pipeThrough(new CompressionStream("gzip"));
  for await (const part of parts) {
    gzipped.update(part);
    await side.write(part);
  }
  await side.commit(target);
  const note = formatNote(plain.hex(), gzipped.hex());
  await writeAtomically(notePath(target), new TextEncoder().encode(note));
}
