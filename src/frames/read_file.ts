import { describeValue } from "../api/error_text.ts";
import { ArgumentError, DataFormatError } from "../api/errors.ts";
import { refuseFile } from "./refuse_file.ts";
import { MAX_FILE_BYTES } from "./reader_limits.ts";

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
      }, not a file. Give the path of a file`,
    );
  }
  if (size > maxBytes) refuseFile(`${path}`, `it has ${size} bytes, more than ${maxBytes}`);
  return await Deno.readFile(path);
}

/**
 * Reads a file that a caller names.
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
    const found = cause instanceof Deno.errors.NotFound
      ? "there is no such file"
      : (cause as Error).message;
    throw new ArgumentError(`Cannot read ${file}: ${found}`, { cause });
  }
}

/**
 * Checks at run time that a file is named.
 *
 * @throws {ArgumentError} If it is neither a path nor an address
 */
export function assertPath(file: unknown): void {
  if (typeof file === "string" && file !== "" || file instanceof URL) return;
  throw new ArgumentError(`Cannot read a file: its path is needed; this is ${describeValue(file)}`);
}
