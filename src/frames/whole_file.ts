import { DataFormatError } from "../api/errors.ts";
import { beginning } from "./file_parts.ts";
import { verifyZip } from "./unzip.ts";
import { isZip } from "./zip.ts";

/**
 * Makes sure that a file is no damaged archive and no web page: of an archive every member is unfolded, and its checksum
 * compared.
 *
 * @param path Path of the file
 * @param file Its name, for messages
 * @throws {DataFormatError} If it is one
 */
export async function assertWholeFile(path: string, file: string): Promise<void> {
  const start = await beginning(path);
  if (isZip(start)) return await verifyZip(path, file);
  if (new TextDecoder().decode(start).replace(/^\ufeff/, "").trimStart().startsWith("<")) {
    throw new DataFormatError(`Cannot use ${file}: it is a web page`, {
      hint: "Check the address, and whether a login or a proxy stands in between",
    });
  }
}
