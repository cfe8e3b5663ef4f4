import { DataFormatError } from "../../api/errors.ts";
import { readBeginning } from "./file_parts.ts";
import { verifyZip } from "./unzip.ts";
import { isZip } from "./zip.ts";

/**
 * Refuses a file that is a damaged archive or a web page. Of an archive every member is unpacked, and its checksum
 * compared.
 *
 * @param raw Whether it may be of any binary format
 * @throws {DataFormatError} If it is damaged, empty, a web page, or binary where that is not allowed
 */
export async function assertWholeFile(path: string, file: string, raw = false): Promise<void> {
  const start = await readBeginning(path);
  if (isZip(start)) return await verifyZip(path, file);
  if (start.length === 0 || !raw && start.includes(0)) {
    throw new DataFormatError(
      `Cannot use ${file}: it is ${start.length === 0 ? "empty" : "neither an archive nor a text"}`,
      { hint: "Download it again" },
    );
  }
  if (new TextDecoder().decode(start).replace(/^\ufeff/, "").trimStart().startsWith("<")) {
    throw new DataFormatError(`Cannot use ${file}: it is a web page`, {
      hint: "Check the address, and whether a login page or a proxy has answered",
    });
  }
}
