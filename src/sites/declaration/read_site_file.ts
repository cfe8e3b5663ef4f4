import { basename, dirname, join } from "node:path";
import { ArgumentError } from "../../api/errors.ts";
import { MAX_JSON_LENGTH } from "../../frames/files/reader_limits.ts";
import { assertUtf8 } from "../../frames/csv/csv_layout.ts";
import { readRegularFile } from "../../frames/files/read_file.ts";
import { buildSite, type Site } from "./site.ts";
import { parseSite, parseSiteText } from "./site_file.ts";

/**
 * Reads a site file and checks all that it declares; the files that it names are read by `importSite()`.
 *
 * @param path Path of the site file
 * @throws {ArgumentError} If it is missing, no regular file, or not valid; the message names each place and what to give
 * @throws {DataFormatError} If it is not UTF-8, or too large
 *
 * @example The sample's own site file
 * ```ts
 * import { exampleFile } from "@vindkit/vindkit";
 * import { readSiteFile } from "@vindkit/vindkit/sites";
 * import { assertEquals } from "@std/assert";
 *
 * const { site } = await readSiteFile(await exampleFile("site.json"));
 * assertEquals(site, "example");
 * ```
 */
export async function readSiteFile(path: string): Promise<Site> {
  let text: string;
  try {
    const bytes = await readRegularFile(path, MAX_JSON_LENGTH);
    assertUtf8(bytes, path);
    text = new TextDecoder().decode(bytes);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new ArgumentError(`Cannot read ${path}: the file is missing. Check its path`, { cause });
  }
  const document = parseSiteText(text, path);
  const declared = parseSite(document, `import ${path}`);
  // Links followed: whether Deno does before ".." depends on the permissions of the process.
  const folder = await Deno.realPath(dirname(path));
  return buildSite({
    declared,
    document,
    text,
    label: path,
    path: join(folder, basename(path)),
    folder,
    frames: new Map(),
  });
}
