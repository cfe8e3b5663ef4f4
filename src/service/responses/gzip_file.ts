import { writeAtomically } from "../../disk/atomic_write.ts";
import type { FileHashes } from "../../disk/file_hashes.ts";
import { Sha256 } from "../../disk/sha256.ts";
import { SideFile } from "../../disk/side_file.ts";

/** Compressions under way by path: concurrent requests for the same file wait for one. */
const underWay = new Map<string, Promise<string>>();

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

/**
 * Gzips an immutable file at its first use; the result is stored beside the file, with a note of both hashes, and made
 * again where it does not have them.
 *
 * @param path The file
 * @param hash SHA-256 of the file, hexadecimal
 * @param hashes Hashes of files
 */
export async function gzipFile(
  path: string,
  hash: string,
  hashes: FileHashes,
): Promise<GzippedFile> {
  const target = `${path}.gz`;
  const own = await hashes.get(target);
  if (own !== undefined && await readNote(target) === formatNote(hash, own)) {
    return { path: target, hash: own };
  }
  const work = underWay.get(target) ??
    compress(path, target, hash).finally(() => underWay.delete(target));
  underWay.set(target, work);
  return { path: target, hash: await work };
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

/** Part by part, so that other requests are answered meanwhile; returns the hash of the result. */
async function compress(path: string, target: string, hash: string): Promise<string> {
  const source = await Deno.open(path); // closed by its stream
  await using side = await SideFile.create(target);
  const own = new Sha256();
  for await (const part of source.readable.pipeThrough(new CompressionStream("gzip"))) {
    own.update(part);
    await side.write(part);
  }
  await side.commit(target);
  const hex = own.hex();
  await writeAtomically(notePath(target), new TextEncoder().encode(formatNote(hash, hex)));
  return hex;
}
