/** First bytes of Excel files before 2007, and of those with a password. */
const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0];

/** Whether a file that begins with these bytes is an old workbook, or one with a password. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}
