import { DataFormatError } from "../../api/errors.ts";
import { readBeginning } from "./file_parts.ts";
import { verifyZip } from "./unzip.ts";
import { isZip } from "./zip.ts";

/**
 * Makes sure that a file is no damaged archive and no web page: of an archive every member is unfolded, and its checksum
 * compared.
 *
 * @param path Path of the file
 * @param file Its name, for messages
 * @param raw Whether it may be of any format
 * @throws {DataFormatError} If it is one
 */
export async function assertWholeFile(path: string, file: string, raw = false): Promise<void> {
  const start = await readBeginning(path);
  if (isZip(start)) return await verifyZip(path, file);
  if (start.length === 0 || !raw && start.includes(0)) {
    throw new DataFormatError(
      `Cannot use ${file}: it is ${start.length === 0 ? "empty" : "neither an archive nor a text"}`,
      { hint: "Get it anew" },
    );
  }
  if (new TextDecoder().decode(start).replace(/^\ufeff/, "").trimStart().startsWith("<")) {
    throw new DataFormatError(`Cannot use ${file}: it is a web page`, {
      hint: "Check the address, and whether a login or a proxy stands in between",
    });
  }
}
