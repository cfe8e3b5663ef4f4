import { describeValue } from "../api/check_options.ts";
import { ArgumentError } from "../api/errors.ts";

/**
 * Reads a file that a caller names.
 *
 * @param file Its path
 * @throws {ArgumentError} If there is no such file, or it cannot be read
 */
export async function readNamedFile(file: string | URL): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof file !== "string" && !((file as unknown) instanceof URL) || file === "") {
    throw new ArgumentError(
      `Cannot read a file: its path is needed; this is ${describeValue(file)}`,
    );
  }
  try {
    return await Deno.readFile(file);
  } catch (cause) {
    const found = cause instanceof Deno.errors.NotFound
      ? "there is no such file"
      : (cause as Error).message;
    throw new ArgumentError(`Cannot read ${file}: ${found}`, { cause });
  }
}
