import { DataFormatError } from "../../api/errors.ts";

/** How a text is encoded; "latin1" is Windows-1252, which holds all of Latin-1. */
export type Encoding = "utf-8" | "utf-16" | "latin1";

/**
 * A text as UTF-8. One that is declared as such stays as it is, to be checked by its reader.
 *
 * @param bytes The text
 * @param file Its name, for messages
 * @throws {DataFormatError} If it is not encoded so
 */
export function convertToUtf8(bytes: Uint8Array, encoding: Encoding, file: string): Uint8Array {
  if (encoding === "utf-8") return bytes;
  const bigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
  const label = encoding === "latin1" ? "windows-1252" : bigEndian ? "utf-16be" : "utf-16le";
  try {
    return new TextEncoder().encode(new TextDecoder(label, { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new DataFormatError(`Cannot read ${file}: it is no ${encoding} text`, {
      hint: "Declare the encoding that it has",
      cause,
    });
  }
}
