import { DataFormatError } from "../../api/errors.ts";

/** Encoding of a text; "latin1" is Windows-1252, which contains Latin-1. */
export type Encoding = "utf-8" | "utf-16" | "latin1";

/**
 * Converts a text to UTF-8. A text that is declared as UTF-8 is returned unchanged, and checked by its reader.
 *
 * @throws {DataFormatError} If it does not have the declared encoding
 */
export function convertToUtf8(bytes: Uint8Array, encoding: Encoding, file: string): Uint8Array {
  if (encoding === "utf-8") return bytes;
  const bigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
  const label = encoding === "latin1" ? "windows-1252" : bigEndian ? "utf-16be" : "utf-16le";
  try {
    return new TextEncoder().encode(new TextDecoder(label, { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new DataFormatError(
      `Cannot read ${file}: it is not ${encoding} text. Declare another encoding, or leave encoding out if it is UTF-8`,
      { cause },
    );
  }
}
