import { ArgumentError, DataFormatError, type ErrorFacts } from "../../api/errors.ts";
import { describeValue } from "../../api/error_text.ts";
import { MAX_FILE_BYTES } from "./reader_limits.ts";

/**
 * Refuses a file.
 *
 * @param problem Problem, for the message
 * @param facts Further facts; the message also names their row and column
 * @throws {DataFormatError} Always
 */
export function refuseFile(file: string, problem: string, facts: ErrorFacts = {}): never {
  const { row, column } = facts;
  const place = column === undefined ? `line ${row}: ` : `line ${row}, column "${column}": `;
  throw new DataFormatError(
    `Cannot read ${file}: ${row === undefined ? "" : place}${problem}`,
    facts,
  );
}

/**
 * Reads a regular file: pipes and devices have no end.
 *
 * @param maxBytes Bytes at most
 * @throws {ArgumentError} If it is a folder, a pipe or a device
 * @throws {DataFormatError} If it has more bytes
 */
export async function readRegularFile(
  path: string | URL,
  maxBytes: number = MAX_FILE_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const { isFile, isDirectory, size } = await Deno.stat(path);
  if (!isFile) {
    throw new ArgumentError(
      `Cannot read ${path}: it is ${
        isDirectory ? "a folder" : "a pipe or a device"
      }. Give the path of a file`,
    );
  }
  if (size > maxBytes) refuseFile(`${path}`, `it has ${size} bytes, but the limit is ${maxBytes}`);
  return await Deno.readFile(path);
}

/**
 * Reads a file by the path or URL that a caller gives.
 *
 * @throws {ArgumentError} If there is no such file, it cannot be read, or is no regular file
 * @throws {DataFormatError} If it is too large
 */
export async function readNamedFile(file: string | URL): Promise<Uint8Array<ArrayBuffer>> {
  assertPath(file);
  try {
    return await readRegularFile(file);
  } catch (cause) {
    if (cause instanceof ArgumentError || cause instanceof DataFormatError) throw cause;
    const problem = cause instanceof Deno.errors.NotFound
      ? "the file does not exist"
      : (cause as Error).message;
    throw new ArgumentError(
      `Cannot read ${file}: ${problem}. Check that the path is correct, and that your user may read the file`,
      { cause },
    );
  }
}

/**
 * Checks at run time that a value names a file.
 *
 * @throws {ArgumentError} If it is not a path or an address
 */
export function assertPath(file: unknown): void {
  if (typeof file === "string" && file !== "" || file instanceof URL) return;
  throw new ArgumentError(
    `Cannot read a file: its path is ${describeValue(file)}. Give the path of a file`,
  );
}

/** Bytes that are read at once. */
const PART_BYTES = 2 ** 20;

/** Reads the first bytes of a file: 512 show its format. */
export async function readBeginning(path: string, length = 512): Promise<Uint8Array> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, await file.read(bytes) ?? 0);
}

/**
 * Reads a file in parts; the next part is read while the last one is processed.
 *
 * @param take Called with each part; the bytes are overwritten after it returns
 */
export async function readParts(path: string, take: (part: Uint8Array) => void): Promise<void> {
  using file = await Deno.open(path);
  let [bytes, next] = [new Uint8Array(PART_BYTES), new Uint8Array(PART_BYTES)];
  let reading = file.read(bytes);
  try {
    for (let length; (length = await reading) !== null;) {
      reading = file.read(next);
      take(bytes.subarray(0, length));
      [bytes, next] = [next, bytes];
    }
  } finally {
    await reading.catch(() => {}); // do not close the file during a read
  }
}
