import { ArgumentError } from "../../api/errors.ts";
import { assertPath, readBeginning, readNamedFile } from "../files/read_file.ts";
import { gunzip, isZip, unzipEach } from "../files/archive.ts";
import { isPattern, matchFiles } from "../../disk/files.ts";
import { buildFileSource } from "../origin/file_origin.ts";
import type { Origin } from "../origin/provenance.ts";
import { readFileOrigin } from "../storage/frame_metadata.ts";
import { toPath } from "../storage/save_frame.ts";

/** Files as a caller names them: a path or URL, a list of them, a folder, a pattern like "data/*.csv", or a zip of many. */
export type FileNames = string | URL | readonly (string | URL)[];

/** Content of one of several files. */
export interface NamedFile {
  /** Its path; for a member of an archive, the path of the archive and its own. */
  readonly name: string;
  /** Its content, unpacked. */
  readonly bytes: Uint8Array;
  /** Its sources. */
  readonly origin: Origin;
}

/** Which files of a folder or an archive are read, and for which function. */
interface FileChoice {
  /** Names of the files. */
  readonly wanted: RegExp;
  /** Name of the function, for provenances. */
  readonly operation: string;
  /** Whether an archive may have none of them. @default {false} */
  readonly optional?: boolean;
  /** Reads and unpacks a file instead of this module, for a caller that counts what it reads. */
  readonly open?: (path: string) => Promise<NamedFile>;
}

/** A choice, and the function that takes files. */
interface FileReading extends FileChoice {
  readonly take: (file: NamedFile) => Promise<void>;
}

/** Members that only workbooks have. */
export const WORKBOOK_MEMBER: RegExp = /^(?:\[Content_Types\]\.xml$|xl\/)/;

/**
 * Reads files one after the other: only one is in memory at a time.
 *
 * @param files Their names; from a folder or an archive only the wanted files are read
 * @param choice Which files are wanted
 * @param take Called with each file: the next one is read after it is done
 * @throws {ArgumentError} If there is no such file, or none that is wanted
 * @throws {DataFormatError} If a file is too large, or an archive is damaged
 */
export async function eachFile(
  files: FileNames,
  choice: FileChoice,
  take: (file: NamedFile) => Promise<void>,
): Promise<void> {
  const list = Array.isArray(files) ? files : [files];
  if (list.length === 0) {
    throw new ArgumentError("Cannot read files: the list is empty. Name at least one file");
  }
  for (const one of list as readonly (string | URL)[]) {
    assertPath(one);
    if (one instanceof URL && one.protocol !== "file:") {
      throw new ArgumentError(
        `Cannot read ${one}: it is not a local file. Download it first`,
      );
    }
    await readPaths(toPath(one), { ...choice, take });
  }
}

/** Names files in a message: the first of a list, and how many more there are. */
export function describeFiles(files: FileNames): string {
  if (!Array.isArray(files)) return String(files);
  return files.length < 2 ? String(files[0]) : `${files[0]} and ${files.length - 1} more`;
}

/** Whether a file is, by its name, a lock file of Excel or a file of macOS with the attributes of another one. */
function isSystemFile(path: string): boolean {
  return /(?:^|[\\/])(?:~\$|\.)[^\\/]*$/.test(path);
}

/** Whether the name of a file is wanted, packed or not. */
function isWanted(path: string, wanted: RegExp): boolean {
  return !isSystemFile(path) && wanted.test(path.split(/[\\/]/).at(-1)!.replace(/\.gz$/i, ""));
}

/** Reads the files of a path: a file, the wanted files of a folder and its archives, or the matches of a pattern. */
async function readPaths(path: string, reading: FileReading): Promise<void> {
  const info = await Deno.stat(path).catch(() => undefined);
  if (info?.isDirectory) return await readFolder(path, reading);
  if (info || !isPattern(path)) return void await readPath(path, reading);
  const matches = (await matchFiles(path)).filter((match) => !isSystemFile(match));
  if (matches.length === 0) {
    throw new ArgumentError(`Cannot read ${path}: no file matches this pattern. Check the folder`);
  }
  for (const match of matches) await readPath(match, reading);
}

async function readFolder(path: string, reading: FileReading): Promise<void> {
  const names = (await Array.fromAsync(Deno.readDir(path)))
    .filter(({ isDirectory }) => !isDirectory).map(({ name }) => name).sort();
  let count = 0;
  for (const name of names) {
    const isArchive = /\.zip$/i.test(name);
    if (isSystemFile(name) || !isArchive && !isWanted(name, reading.wanted)) continue;
    // A source may offer archives of other data in the same folder.
    const all = { ...reading, optional: isArchive };
    count += await readPath(`${path.replace(/\/$/, "")}/${name}`, all);
  }
  if (count === 0) refuseNone(path, "the folder", names, reading.wanted);
}

/** Reads a file, or the wanted members of an archive; returns their number. */
async function readPath(path: string, reading: FileReading): Promise<number> {
  const { operation, open, take } = reading;
  if (open) {
    const file = await open(path);
    const members = await eachMember(file.bytes, file.name, file.bytes, reading);
    if (members === undefined) await take(file);
    return members ?? 1;
  }
  const info = await Deno.stat(path).catch(() => undefined);
  // Something other than a regular file may have no readable beginning; it is refused below.
  const start = info?.isFile
    ? await readBeginning(path).catch(() => new Uint8Array(0))
    : new Uint8Array(0);
  const members = await eachMember(path, path, start, reading);
  if (members !== undefined) return members;
  const bytes = await readNamedFile(path);
  const origin = await readFileOrigin(path, bytes, operation);
  const content = /\.gz$/i.test(path) ? await gunzip(bytes, path) : bytes;
  await take({ name: path, bytes: content, origin });
  return 1;
}

/** Reads the wanted members of an archive one after the other; returns their number, or `undefined` if it is not an archive, or an archive that is one file, such as a workbook. */
async function eachMember(
  source: Uint8Array | string,
  file: string,
  start: Uint8Array,
  { wanted, operation, optional, take }: FileReading,
): Promise<number | undefined> {
  if (!isZip(start)) return undefined;
  let count: number | undefined;
  await unzipEach(source, file, (names) => {
    if (names.some((name) => WORKBOOK_MEMBER.test(name))) return [];
    const chosen = names.filter((name) => isWanted(name, wanted));
    if (chosen.length === 0 && !optional) refuseNone(file, "the archive", names, wanted);
    count = chosen.length;
    return chosen;
  }, async (member, packed) => {
    const name = `${file}/${member}`;
    const bytes = /\.gz$/i.test(member) ? await gunzip(packed, name) : packed;
    await take({ name, bytes, origin: [buildFileSource(name, bytes, operation)] });
  });
  return count;
}

function refuseNone(path: string, kind: string, names: readonly string[], wanted: RegExp): never {
  const examples = names.slice(0, 10).map((name) => JSON.stringify(name.slice(0, 100))).join(", ");
  throw new ArgumentError(
    `Cannot read ${path}: ${kind} has no file with a name like ${wanted.source}. It has ${
      examples || "no file"
    }${names.length > 10 ? ` and ${names.length - 10} more` : ""}. Name the files to read`,
    { code: "file_names" },
  );
}
