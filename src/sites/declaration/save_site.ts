import { basename, dirname, join, relative, resolve } from "node:path";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { ArgumentError } from "../../api/errors.ts";
import { ignoreMissing } from "../../disk/files.ts";
import { SideFile } from "../../disk/side_file.ts";
import { metadataPath } from "../../frames/storage/frame_metadata.ts";
import { saveFrame } from "../../frames/storage/save_frame.ts";
import { partsOf, type Site } from "./site.ts";
import { formatSiteFile } from "./site_file.ts";

/** Options of {@linkcode saveSite}. */
export interface SaveSiteOptions {
  /** Whether to replace existing files. @default {false} */
  readonly overwrite?: boolean;
}

const OPTIONS = declareOptions<SaveSiteOptions>()("", { overwrite: false });

/** Fields with keys from the data: variables, columns or turbines. */
const KEYED_BY_DATA: ReadonlySet<string> = new Set([
  ...["variables", "where", "column", "turbines", "status", "availability", "limit", "valid_hours"],
]);

/** Changes the file paths in a declaration; `$schema` may also be a URL, which stays. */
function movePaths(value: unknown, move: (path: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => movePaths(one, move));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, one]) => {
      if (KEYED_BY_DATA.has(field) && !Array.isArray(one)) return [field, one]; // turbines of a site are a list
      if (
        field === "file" || field === "files" ||
        field === "$schema" && typeof one === "string" && !/^\w+:/.test(one)
      ) {
        return [field, Array.isArray(one) ? one.map(move) : move(one)];
      }
      return [field, movePaths(one, move)];
    }),
  );
}

/** Kind of the entry at a path; `undefined` if there is none. */
async function findKind(path: string): Promise<"a folder" | "a file" | undefined> {
  const info = await ignoreMissing(Deno.lstat(path));
  return info && (info.isDirectory ? "a folder" : "a file");
}

/** Resolves links in the path of a file: ".." after a link leads to another folder. */
async function followLinks(path: string): Promise<string> {
  const folder = dirname(path);
  const real = await Deno.realPath(folder).catch(() => resolve(folder)); // the folder may be created later
  return join(real, basename(path));
}

/**
 * Saves a site as a site file, and creates its folder if it is missing. Saves the site's frames next to it as Parquet,
 * each with its metadata. Files stay where they are; the site file names them by paths relative to its folder.
 * Importing the saved site gives the same result, to the byte.
 *
 * All files are written under temporary names and renamed, the site file last.
 *
 * @param site The site, of `defineSite()` or `readSiteFile()`
 * @param path Path of the site file
 * @param options Whether to replace files
 * @throws {ArgumentError} If a file exists (then nothing is written), the path is a folder or the name of a frame, or a
 * frame cannot be saved
 *
 * @example
 * ```ts
 * import { exampleFile } from "@vindkit/vindkit";
 * import { readSiteFile, saveSite } from "@vindkit/vindkit/sites";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * await saveSite(await readSiteFile(await exampleFile("site.json")), `${folder}/mine.json`);
 * const { site } = await readSiteFile(`${folder}/mine.json`);
 * assertEquals(site, "example");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function saveSite(
  site: Site,
  path: string,
  options: SaveSiteOptions = {},
): Promise<void> {
  const { overwrite } = readOptions("saveSite()", options, OPTIONS);
  const { document, folder, frames } = partsOf(site, "save a site");
  const target = resolve(path, "..");
  const frameFiles = [...frames].map(([name, frame]) => ({ file: `${target}/${name}`, frame }));
  const files = frameFiles.flatMap(({ file }) => [file, metadataPath(file)]);
  if (files.includes(resolve(path))) {
    throw new ArgumentError(
      `Cannot save ${path}: the site saves a frame under this name. Choose another name, such as site.json`,
    );
  }
  for (const file of [path, ...files]) {
    const kind = await findKind(file);
    if (kind === "a folder") {
      throw new ArgumentError(`Cannot save ${path}: ${file} is a folder. Choose another name`);
    }
    if (kind === undefined || overwrite) continue;
    throw new ArgumentError(
      `Cannot save ${path}: ${file} exists. Choose another folder, or give overwrite: true`,
    );
  }
  await Deno.mkdir(target, { recursive: true });
  const real = await Deno.realPath(target);
  const places = new Map<string, string>();
  movePaths(document, (name) => (places.set(name, name), name));
  for (const name of places.keys()) {
    if (frames.has(name)) continue;
    places.set(name, relative(real, await followLinks(resolve(folder, name))));
  }
  const moved = movePaths(document, (name) => places.get(name)!);
  for (const { file, frame } of frameFiles) await saveFrame(frame, file, { overwrite });
  await using side = await SideFile.create(path, 0o666); // the umask applies, as for other files of the user
  await side.write(new TextEncoder().encode(formatSiteFile(moved)));
  await side.commit(path, { overwrite });
}
