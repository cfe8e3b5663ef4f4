import { DataFormatError } from "../../api/errors.ts";
import { SYNTHETIC } from "../../api/world.ts";
import { buildFileSource, type HashedFile, isSyntheticText } from "../file_origin.ts";
import type { Origin } from "../provenance.ts";
import { type FrameMetadata, metadataPath, readMetadata } from "./frame_metadata.ts";
import { readRegularFile } from "../read_file.ts";

/** Reads the metadata of `saveFrame()` beside a file; of damaged ones, or those of another program, only the mark. */
async function findMetadata(
  path: string,
): Promise<Pick<FrameMetadata, "sha256" | "origin" | "synthetic"> | undefined> {
  try {
    return await readMetadata(path);
  } catch (error) {
    if (!(error instanceof DataFormatError)) throw error;
    const text = new TextDecoder().decode(await readRegularFile(metadataPath(path)));
    return { sha256: "", origin: [], synthetic: text.includes(SYNTHETIC) };
  }
}

/** Whether a file, or the metadata beside it, says that its figures are invented. */
export async function isSyntheticFile(path: string, bytes: Uint8Array): Promise<boolean> {
  return isSyntheticText(bytes) || ((await findMetadata(path))?.synthetic ?? false);
}

/**
 * Finds the sources of figures in a file of any kind: those that `saveFrame()` stored beside it, else the file itself.
 *
 * @param operation Name of the function that reads it
 */
export async function readFileOrigin(
  path: string,
  content: Uint8Array | HashedFile,
  operation: string,
): Promise<Origin> {
  const metadata = await findMetadata(path);
  if (!metadata) return [buildFileSource(path, content, operation)];
  const source = buildFileSource(path, content, operation, metadata.synthetic || undefined);
  // A file that was changed since is a file of one's own; what was invented stays invented.
  const known = metadata.sha256 === source.sha256[0] ? metadata.origin : [];
  if (known.length > 0) return known;
  return [{ ...source, attribution: metadata.origin.flatMap(({ attribution }) => attribution) }];
}
