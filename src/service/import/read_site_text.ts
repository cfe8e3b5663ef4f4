import { ArgumentError } from "../../api/errors.ts";
import { MAX_JSON_LENGTH } from "../../api/reader_limits.ts";
import { assertUtf8 } from "../../frames/csv/utf8.ts";
import { readRegularFile } from "../../frames/read_file.ts";

/**
 * Reads the text of a site file, without its byte order mark.
 *
 * @param path Path of the site file
 * @throws {ArgumentError} If it is missing, or no regular file
 * @throws {DataFormatError} If it is not UTF-8, or too large
 */
export async function readSiteText(path: string): Promise<string> {
  try {
    const bytes = await readRegularFile(path, MAX_JSON_LENGTH);
    assertUtf8(bytes, path);
    return new TextDecoder().decode(bytes);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new ArgumentError(`Cannot read ${path}: the file is missing`, { cause });
  }
}
