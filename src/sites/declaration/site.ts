import type { DataFrame } from "nodejs-polars";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { parseJsonFile } from "../../frames/files/json.ts";
import { parseSite, type SiteFile } from "./site_file.ts";
import { basename, dirname, join } from "node:path";
import { MAX_JSON_LENGTH } from "../../frames/files/reader_limits.ts";
import { assertUtf8 } from "../../frames/csv/csv_layout.ts";
import { readRegularFile } from "../../frames/files/read_file.ts";

/** A declared site, from `defineSite()` or `readSiteFile()`: the declaration is checked, the files are not read yet. */
export interface Site {
  /** Name of the site. */
  readonly site: string;
}

/** The parts behind a {@linkcode Site}. */
export interface SiteParts {
  /** The declaration as saved in a site file. */
  readonly document: unknown;
  /** The declaration with all defaults filled in. */
  readonly declared: SiteFile;
  /** Text of the declaration: if it changes, the declaration has changed. */
  readonly text: string;
  /** Name in messages: the path of the site file, if it has one. */
  readonly label: string;
  /** Path of its site file, with links resolved; `undefined` for a site defined in a program. */
  readonly path?: string;
  /** Folder that its paths are relative to. */
  readonly folder: string;
  /** Frames of the program, by the file names under which `saveSite()` saves them. */
  readonly frames: ReadonlyMap<string, DataFrame>;
}

const parts = new WeakMap<object, SiteParts>();

export function buildSite(siteParts: SiteParts): Site {
  const site: Site = Object.freeze({ site: siteParts.declared.site });
  parts.set(site, siteParts);
  return site;
}

/**
 * Returns the parts of a site.
 *
 * @param site The caller's argument
 * @param act The operation, for the message
 * @throws {ArgumentError} If it is not a site
 */
export function partsOf(site: Site, act: string): SiteParts {
  const siteParts = typeof site === "object" && site !== null ? parts.get(site) : undefined;
  if (siteParts) return siteParts;
  throw new ArgumentError(
    `Cannot ${act}: ${
      describeValue(site)
    } is not a site. Give a site from defineSite() or readSiteFile()`,
  );
}

/**
 * Reads a site file and checks its declaration; `importSite()` reads the files that it names.
 *
 * @param path Path of the site file
 * @throws {ArgumentError} If it is missing, not a regular file, or not valid; the message names each place and the
 * remedy
 * @throws {DataFormatError} If it is not UTF-8 or too large
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
  // Resolved here, because whether Deno resolves links before ".." depends on the permissions of the process.
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
