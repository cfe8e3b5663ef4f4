import type { Entry, FileEntry } from "@zip.js/zip.js";
import { DataFormatError, VindkitError } from "../../api/errors.ts";
import {
  MAX_DIRECTORY_BYTES,
  MAX_MEMBER_BYTES,
  MAX_MEMBERS,
  MAX_RATIO,
  MAX_UNPACKED_BYTES,
  RATIO_FROM_BYTES,
} from "./reader_limits.ts";
import { readBeginning, refuseFile } from "./read_file.ts";

/** No workers: they would need extra permissions, and outlive the call. */
export const zipSettings = { useWebWorkers: false } as const;

/** Random access to an archive. */
interface Source {
  readonly size: number;
  read(offset: number, length: number): Uint8Array;
}

function wrapBytes(bytes: Uint8Array): Source {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  };
}

function wrapFile(file: Deno.FsFile): Source {
  return {
    size: file.statSync().size,
    read(offset, length) {
      // Synchronous, so no other read moves the position in between.
      file.seekSync(offset, Deno.SeekMode.Start);
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const count = file.readSync(bytes.subarray(filled));
        if (count === null) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    },
  };
}

type Refuse = (problem: string, cause?: unknown) => never;

/**
 * Unpacks the only member of a zip archive with a given ending, part by part. Writes no file under a member's name.
 * Checks the CRC at the end, so the parts are valid only after this returns.
 *
 * @param source The archive, or its path
 * @param ending Ending of the member's name, lower case
 * @param sink Called with each part
 * @throws {DataFormatError} If the archive is damaged, encrypted or a bomb, its checksum is wrong, or the member is missing or not the only one with the ending
 */
export async function unzipMember(
  source: Uint8Array | string,
  file: string,
  ending: string,
  sink: (part: Uint8Array) => void,
): Promise<void> {
  await withEntries(source, file, async (entries, archiveBytes, refuse) => {
    const entry = findMember(entries, ending, refuse);
    await unpack(entry, entries, archiveBytes, sink, refuse);
  });
}

/**
 * Unpacks members of a zip archive into memory, one after the other.
 *
 * @param source The archive, or its path
 * @param select Chooses members by the names of all
 * @param take Called with each; the next one is unpacked after it is done
 * @throws {DataFormatError} If the archive is damaged, encrypted or a bomb
 */
export async function unzipEach(
  source: Uint8Array | string,
  file: string,
  select: (names: readonly string[]) => readonly string[],
  take: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<void> {
  await withEntries(source, file, async (entries, archiveBytes, refuse) => {
    const members = entries.filter((entry): entry is FileEntry => !entry.directory);
    const chosen = new Set(select(members.map(({ filename }) => filename)));
    for (const entry of members.filter(({ filename }) => chosen.has(filename))) {
      assertReadable(entry, refuse);
      let bytes = new Uint8Array(0);
      let length = 0;
      const sink = (part: Uint8Array) => {
        bytes.set(part, length);
        length += part.length;
      };
      await unpack(entry, entries, archiveBytes, sink, refuse, (size) => {
        bytes = new Uint8Array(size);
      });
      await take(entry.filename, bytes);
    }
  });
}

/**
 * Checks that a zip archive is complete: unpacks each member and compares its CRC. The content is not stored.
 *
 * @param source The archive, or its path
 * @param maxBytes Uncompressed bytes of all members together at most
 * @param look Returns, for the name of a member, a function that receives its parts. @default none
 * @throws {DataFormatError} If it is damaged, encrypted or a bomb
 */
export async function verifyZip(
  source: Uint8Array | string,
  file: string,
  maxBytes: number = Infinity,
  look?: (name: string) => ((part: Uint8Array) => void) | undefined,
): Promise<void> {
  await withEntries(source, file, async (entries, archiveBytes, refuse) => {
    const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (bytes > maxBytes) {
      refuse(`its files have ${bytes} bytes unpacked, but the limit is ${maxBytes}`);
    }
    for (const entry of entries) {
      if (entry.directory) continue;
      assertReadable(entry, refuse);
      const sink = look?.(entry.filename) ?? (() => {});
      await unpack(entry, entries, archiveBytes, sink, refuse);
    }
  });
}

/** Opens an archive, lists its members within limits, and turns errors into ones that name the file. */
async function withEntries(
  source: Uint8Array | string,
  file: string,
  act: (entries: readonly Entry[], archiveBytes: number, refuse: Refuse) => Promise<void>,
): Promise<void> {
  using opened = typeof source === "string" ? await Deno.open(source) : undefined;
  const access = opened ? wrapFile(opened) : wrapBytes(source as Uint8Array);
  const refuse: Refuse = (problem, cause) => {
    throw new DataFormatError(`Cannot unzip ${file}: ${problem}`, { cause });
  };
  const { Reader, ZipReader } = await import("@zip.js/zip.js");
  let maxLength = MAX_DIRECTORY_BYTES;
  class Archive extends Reader<Source> {
    override size = access.size;
    override readUint8Array(offset: number, length: number): Promise<Uint8Array> {
      // Otherwise a list of a million members would be in memory before the first of them is counted.
      if (length > maxLength) {
        refuse(`its list of files has ${length} bytes, but the limit is ${maxLength}`);
      }
      return Promise.resolve(access.read(offset, length));
    }
  }
  const reader = new ZipReader(new Archive(access), {
    ...zipSettings,
    checkCrc32: true,
    filenameValidation: "tolerant", // no file is written under this name
  });
  try {
    const entries: Entry[] = [];
    for await (const entry of reader.getEntriesGenerator()) {
      if (entries.push(entry) > MAX_MEMBERS) refuse(`it has more than ${MAX_MEMBERS} files`);
    }
    maxLength = Infinity;
    await act(entries, access.size, refuse);
  } catch (cause) {
    if (cause instanceof VindkitError) throw cause;
    refuse(`it is damaged or unsupported (${(cause as Error).message}). Download it again`, cause);
  } finally {
    await reader.close();
  }
}

/** Checks the stated sizes of a member, then passes its content on. */
async function unpack(
  entry: FileEntry,
  entries: readonly Entry[],
  archiveBytes: number,
  sink: (part: Uint8Array) => void,
  refuse: Refuse,
  begin?: (size: number) => void,
): Promise<void> {
  assertAlone(entry, entries, refuse);
  const size = entry.uncompressedSize;
  const packed = Math.min(entry.compressedSize, archiveBytes);
  const problem = findSizeProblem("a member", size, packed, MAX_MEMBER_BYTES);
  if (problem !== undefined) refuse(problem);
  begin?.(size);
  // The reader passes on no more bytes than the stated size, which was checked, and refuses fewer.
  await entry.getData(new WritableStream({ write: (part: Uint8Array) => sink(part) }));
}

/** Finds the only member with the ending. */
function findMember(entries: readonly Entry[], ending: string, refuse: Refuse): FileEntry {
  const files = entries.filter((entry): entry is FileEntry => !entry.directory);
  const findByEnding = (end: string) =>
    files.filter(({ filename }) => filename.toLowerCase().endsWith(end));
  // A single file is the right one, even if it ends in .txt.
  const matches = files.length === 1 && findByEnding(".txt").length === 1
    ? files
    : findByEnding(ending);
  const [entry] = matches;
  if (matches.length !== 1) {
    const names = (matches.length > 1 ? matches : entries).slice(0, 10)
      .map(({ filename }) => JSON.stringify(filename.slice(0, 100)));
    const nested = matches.length === 0 &&
      entries.some(({ filename }) => filename.toLowerCase().endsWith(".zip"));
    refuse(
      `it has ${matches.length} files whose names end in "${ending}", but must have exactly one. Its files are ${
        names.join(", ")
      }${entries.length > names.length ? ", and more" : ""}. ` +
        (nested ? "Unzip it, and give the archive inside" : "Unzip it, and give the file"),
    );
  }
  assertReadable(entry, refuse);
  return entry;
}

/** Refuses members that are encrypted or symbolic links. */
function assertReadable(entry: FileEntry, refuse: Refuse): void {
  if (entry.encrypted) refuse("a file in it is encrypted. Request it without a password");
  const linkType = 0xa000; // S_IFLNK of POSIX, in the upper half of the attributes
  if ((entry.externalFileAttributes >>> 16 & 0xf000) === linkType) {
    refuse("it contains a symbolic link. Request the file itself");
  }
}

/** Refuses a member that shares bytes with another, which only zip bombs do. */
function assertAlone(entry: FileEntry, entries: readonly Entry[], refuse: Refuse): void {
  const end = (member: Entry) =>
    member.offset + 30 + member.rawFilename.length + member.compressedSize;
  for (const other of entries) {
    if (other === entry || other.directory) continue;
    if (other.offset < end(entry) && end(other) > entry.offset) {
      refuse(
        `its files overlap, as in a zip bomb (${JSON.stringify(other.filename.slice(0, 100))})`,
      );
    }
  }
}

/**
 * Explains why content must not be unpacked, before it takes memory; `undefined` if it may be.
 *
 * @param content Name of the content, for the beginning of a sentence
 * @param size Its uncompressed bytes, as stated
 * @param packed Its packed bytes
 * @param maxBytes Uncompressed bytes at most
 */
export function findSizeProblem(
  content: string,
  size: number,
  packed: number,
  maxBytes: number,
): string | undefined {
  if (size > maxBytes) return `${content} has ${size} bytes unpacked, but the limit is ${maxBytes}`;
  if (size <= RATIO_FROM_BYTES || size <= MAX_RATIO * packed) return undefined;
  return `${content} has ${packed} bytes packed and ${size} unpacked, more than ${MAX_RATIO} times as many. ` +
    "Tables do not compress that well. If you trust the file, unpack it yourself";
}

/**
 * Unpacks a gzip file. Checks the size that its end states first, and unpacks no more than that.
 *
 * @throws {DataFormatError} If it is not a complete gzip file, or a bomb
 */
export async function gunzip(
  bytes: Uint8Array<ArrayBuffer>,
  file: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const refuse = (sentence: string, cause?: unknown) => refuseFile(file, sentence, { cause });
  const incomplete =
    "it is not a complete gzip file with one part. Download it again, or compress it again";
  if (bytes.length < 18) refuse(incomplete);
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4, true);
  const problem = findSizeProblem("it", size, bytes.length, MAX_UNPACKED_BYTES);
  if (problem !== undefined) refuse(`${problem}. If it is truncated, download it again`);
  const unpacked = new Uint8Array(size);
  let length = 0;
  try {
    const parts = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    for await (const part of parts) {
      unpacked.set(part, length); // fails if there is more than the file states
      length += part.length;
    }
  } catch (cause) {
    refuse(incomplete, cause);
  }
  if (length < size) refuse(incomplete);
  return unpacked;
}

/** A fixed time, so equal data give equal bytes. Archives store local time: this is midnight in every zone. */
const MEMBER_TIME = new Date(2000, 0, 1);

/** Whether bytes begin like a zip archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b &&
    (bytes[2] === 3 && bytes[3] === 4 || bytes[2] === 5 && bytes[3] === 6);
}

/** Makes a zip archive. */
export async function zip(members: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } = await import("@zip.js/zip.js");
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    ...zipSettings,
    extendedTimestamp: false,
    lastModDate: MEMBER_TIME,
  });
  for (const [name, bytes] of Object.entries(members)) {
    await writer.add(name, new Uint8ArrayReader(bytes));
  }
  return await writer.close();
}

/** First bytes of Excel files before 2007, and of those with a password. */
const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0];

/** Whether a file that begins with these bytes is an old workbook, or one with a password. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}

/**
 * Refuses a file that is a damaged archive or a web page. Unpacks every member of an archive and compares its checksum.
 *
 * @param raw Whether it may be of any binary format
 * @throws {DataFormatError} If it is damaged, empty, a web page, or binary without `raw`
 */
export async function assertWholeFile(path: string, file: string, raw = false): Promise<void> {
  const start = await readBeginning(path);
  if (isZip(start)) return await verifyZip(path, file);
  if (start.length === 0 || !raw && start.includes(0)) {
    throw new DataFormatError(
      `Cannot use ${file}: it is ${start.length === 0 ? "empty" : "not an archive or a text file"}`,
      { hint: "Download it again" },
    );
  }
  if (new TextDecoder().decode(start).replace(/^\ufeff/, "").trimStart().startsWith("<")) {
    throw new DataFormatError(`Cannot use ${file}: it is a web page`, {
      hint: "Check the address, and whether a login page or a proxy has answered",
    });
  }
}
