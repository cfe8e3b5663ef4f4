import type { Entry, FileEntry } from "@zip.js/zip.js";
import { DataFormatError } from "../../api/errors.ts";

/** Most bytes that one member may unfold to: twenty years of hourly data take a hundredth of it. */
export const MAX_MEMBER_BYTES = 1_000_000_000;

/** Most members that an archive may have. */
const MAX_MEMBERS = 1000;

/** Most bytes of the list of members: a thousand with the longest names usual take a fiftieth of it. */
const MAX_DIRECTORY_BYTES = 16 * 2 ** 20;

/** Most bytes that a packed byte may unfold to. Hourly tables reach 10; nothing but repetition goes beyond 200. */
const MAX_RATIO = 200;

/** What unfolds to less may be as repetitive as it likes. */
const RATIO_FROM_BYTES = 10_000_000;

/** In this process: a worker would need permissions of its own, and outlive the call. */
export const zipSettings = { useWebWorkers: false } as const;

/** A member that was found, before it is unfolded. */
interface ZipMember {
  /** Bytes that it says it unfolds to. */
  readonly size: number;
}

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
      // At once, so that no other read moves the position in between.
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

type Refuse = (found: string, cause?: unknown) => never;

/**
 * Unfolds the one member of a zip archive that has such an ending, part by part. Nothing is ever written by a member's
 * name; the CRC is checked, and what was taken counts only when this returns.
 *
 * @param source The archive, or its path
 * @param file Its name, for messages
 * @param ending Ending of the member's name, lower case
 * @param sink Takes each part
 * @param begin Takes what the member says of itself, before the first part
 * @throws {DataFormatError} If the archive is damaged, encrypted or a bomb, its checksum is wrong, or it has no such member or several
 */
export async function unzipMember(
  source: Uint8Array | string,
  file: string,
  ending: string,
  sink: (part: Uint8Array) => void,
  begin?: (member: ZipMember) => void,
): Promise<void> {
  await withEntries(source, file, async (entries, archiveBytes, refuse) => {
    const entry = findMember(entries, ending, refuse);
    await unfold(entry, entries, archiveBytes, sink, refuse, begin);
  });
}

/**
 * Makes sure that a zip archive is whole: each of its members is unfolded, and its CRC compared. Nothing is kept.
 *
 * @param source The archive, or its path
 * @param file Its name, for messages
 * @param mostBytes Most bytes that its members may unfold to together
 * @throws {DataFormatError} If it is damaged, encrypted or a bomb
 */
export async function verifyZip(
  source: Uint8Array | string,
  file: string,
  mostBytes: number = Infinity,
): Promise<void> {
  await withEntries(source, file, async (entries, archiveBytes, refuse) => {
    const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (bytes > mostBytes) {
      refuse(`its members unfold to ${bytes} bytes together, more than ${mostBytes}`);
    }
    for (const entry of entries) {
      if (entry.directory) continue;
      assertReadable(entry, refuse);
      await unfold(entry, entries, archiveBytes, () => {}, refuse);
    }
  });
}

/** Opens an archive, lists its members within bounds, and turns what goes wrong into errors that name the file. */
async function withEntries(
  source: Uint8Array | string,
  file: string,
  act: (entries: readonly Entry[], archiveBytes: number, refuse: Refuse) => Promise<void>,
): Promise<void> {
  using opened = typeof source === "string" ? await Deno.open(source) : undefined;
  const access = opened ? wrapFile(opened) : wrapBytes(source as Uint8Array);
  const refuse: Refuse = (found, cause) => {
    throw new DataFormatError(`Cannot unzip ${file}: ${found}`, { cause });
  };
  const { Reader, ZipReader } = await import("@zip.js/zip.js");
  let most = MAX_DIRECTORY_BYTES;
  class Archive extends Reader<Source> {
    override size = access.size;
    override readUint8Array(offset: number, length: number): Promise<Uint8Array> {
      // Else a list of a million members would be in memory before the first of them is counted.
      if (length > most) refuse(`its list of members takes ${length} bytes, more than ${most}`);
      return Promise.resolve(access.read(offset, length));
    }
  }
  const reader = new ZipReader(new Archive(access), {
    ...zipSettings,
    checkCrc32: true,
    filenameValidation: "tolerant", // a name leads nowhere here: it is only compared
  });
  try {
    const entries: Entry[] = [];
    for await (const entry of reader.getEntriesGenerator()) {
      if (entries.push(entry) > MAX_MEMBERS) refuse(`it has more than ${MAX_MEMBERS} members`);
    }
    most = Infinity;
    await act(entries, access.size, refuse);
  } catch (cause) {
    if (cause instanceof DataFormatError) throw cause;
    refuse(`it is damaged or not allowed (${(cause as Error).message}). Get it anew`, cause);
  } finally {
    await reader.close();
  }
}

/** Hands the content of a member on. */
async function unfold(
  entry: FileEntry,
  entries: readonly Entry[],
  archiveBytes: number,
  sink: (part: Uint8Array) => void,
  refuse: Refuse,
  begin?: (member: ZipMember) => void,
): Promise<void> {
  assertAlone(entry, entries, refuse);
  const size = entry.uncompressedSize;
  assertBounded(size, Math.min(entry.compressedSize, archiveBytes), refuse);
  begin?.({ size });
  // The reader hands on no byte beyond the size that the member says, which is bounded, and refuses less.
  await entry.getData(new WritableStream({ write: (part: Uint8Array) => sink(part) }));
}

/** The one member with the ending. */
function findMember(entries: readonly Entry[], ending: string, refuse: Refuse): FileEntry {
  const found = entries.filter((entry): entry is FileEntry =>
    !entry.directory && entry.filename.toLowerCase().endsWith(ending)
  );
  const [entry] = found;
  if (found.length !== 1) {
    const names = (found.length > 1 ? found : entries).slice(0, 10)
      .map(({ filename }) => JSON.stringify(filename.slice(0, 100)));
    const nested = found.length === 0 &&
      entries.some(({ filename }) => filename.toLowerCase().endsWith(".zip"));
    refuse(
      `it has ${found.length} members that end in "${ending}", not one. Its members are ${
        names.join(", ")
      }${entries.length > names.length ? " and others" : ""}. ` +
        (nested ? "Unzip it, and give the archive that is in it" : "Unzip it, and give the file"),
    );
  }
  assertReadable(entry, refuse);
  return entry;
}

/** Refuses a member that has no content of its own that can be read. */
function assertReadable(entry: FileEntry, refuse: Refuse): void {
  if (entry.encrypted) refuse("its member is encrypted. Ask for it without a password");
  const linkType = 0xa000; // what POSIX calls S_IFLNK, in the upper half of the attributes
  if ((entry.externalFileAttributes >>> 16 & 0xf000) === linkType) {
    refuse("its member is a symbolic link, not a file. Ask for the file itself");
  }
}

/** Refuses a member that shares bytes with another: no writer does so, bombs do. */
function assertAlone(entry: FileEntry, entries: readonly Entry[], refuse: Refuse): void {
  const end = (of: Entry) => of.offset + 30 + of.rawFilename.length + of.compressedSize;
  for (const other of entries) {
    if (other === entry || other.directory) continue;
    if (other.offset < end(entry) && end(other) > entry.offset) {
      refuse(`its members overlap (${JSON.stringify(other.filename.slice(0, 100))})`);
    }
  }
}

function assertBounded(size: number, packed: number, refuse: Refuse): void {
  if (size > MAX_MEMBER_BYTES) {
    refuse(`a member unfolds to ${size} bytes, more than ${MAX_MEMBER_BYTES}`);
  }
  if (size > RATIO_FROM_BYTES && size > MAX_RATIO * packed) {
    refuse(
      `a member of ${packed} bytes unfolds to ${size}, more than ${MAX_RATIO} times as much. ` +
        "No table does: unzip it by hand if you trust it",
    );
  }
}
