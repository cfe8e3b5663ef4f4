import type { DataFrame } from "nodejs-polars";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { parseJsonFile } from "../../frames/files/json.ts";
import { parseSite, type SiteFile } from "./site_file.ts";
import { basename, dirname, join } from "node:path";
import { MAX_JSON_LENGTH } from "../../frames/files/reader_limits.ts";
import { assertUtf8 } from "../../frames/csv/csv_layout.ts";
import { readRegularFile } from "../../frames/files/read_file.ts";

/** A declared site, of `defineSite()` or `readSiteFile()`: its declaration is checked, its files are not read yet. */
export interface Site {
  /** Name of the site. */
  readonly site: string;
}

/** What a site is made of. */
export interface SiteParts {
  /** What a site file says of it, as it is saved. */
  readonly document: unknown;
  /** The same with all that may be left out. */
  readonly declared: SiteFile;
  /** The text whose change is a change of the declaration. */
  readonly text: string;
  /** Its name in messages: the path of the site file, if it has one. */
  readonly label: string;
  /** Path of its site file, links followed; `undefined` of a site that a program defines. */
  readonly path?: string;
  /** Folder from which its paths lead. */
  readonly folder: string;
  /** Frames of the program, by the names of the files that they are when the site is saved. */
  readonly frames: ReadonlyMap<string, DataFrame>;
}

const parts = new WeakMap<object, SiteParts>();

/** Makes a site of its parts. */
export function buildSite(of: SiteParts): Site {
  const site: Site = Object.freeze({ site: of.declared.site });
  parts.set(site, of);
  return site;
}

/**
 * The parts of a site.
 *
 * @param site What the caller gave
 * @param act What is being done, for the message
 * @throws {ArgumentError} If it is no site
 */
export function partsOf(site: Site, act: string): SiteParts {
  const found = typeof site === "object" && site !== null ? parts.get(site) : undefined;
  if (found) return found;
  throw new ArgumentError(
    `Cannot ${act}: ${
      describeValue(site)
    } is not a site. Give a site from defineSite() or readSiteFile()`,
  );
}

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
  const document = parseJsonFile(text, path);
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
