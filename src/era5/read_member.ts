import { DataFormatError } from "../api/errors.ts";
import { readBeginning } from "../frames/archive/file_parts.ts";
import { unzipEach } from "../frames/archive/unzip.ts";
import { isZip } from "../frames/archive/zip.ts";

/**
 * Reads a file of the Climate Data Store, which may be zipped whatever was asked for: that is seen by its first bytes.
 *
 * @param dataset Its dataset, for messages
 * @param ending Ending of the member's name
 * @param kind Part of the member's name that tells it from others with the same ending
 * @throws {DataFormatError} If the archive is damaged, or has no such member
 */
export async function readMember(
  path: string,
  dataset: string,
  ending: string,
  kind: string,
): Promise<Uint8Array> {
  if (!isZip(await readBeginning(path))) return await Deno.readFile(path);
  let found = new Uint8Array();
  await unzipEach(path, dataset, (names) => {
    const all = names.filter((name) => name.toLowerCase().endsWith(ending));
    const own = all.length > 1 ? all.filter((name) => name.includes(kind)) : all;
    if (own.length === 1) return own;
    throw new DataFormatError(
      `Cannot use the archive of ${dataset}: its members are ${
        names.slice(0, 10).join(", ")
      }, not one "${kind}" that ends in ${ending}`,
    );
  }, (_, bytes) => {
    found = bytes;
    return Promise.resolve();
  });
  return found;
}
