import pl, { type DataFrame } from "nodejs-polars";

/** Beginnings of a text that a spreadsheet would run as a formula. */
const FORMULA = /^(\s*[=+\-@]|[\t\r\n])/;

/**
 * A frame as CSV that is safe to open in a spreadsheet: a text that would be run as a formula gets an apostrophe before it.
 *
 * @param frame The frame
 */
export function spreadsheetCsv(frame: DataFrame): Uint8Array {
  const texts = frame.getColumns().filter(({ dtype }) => dtype.equals(pl.String));
  const safe = texts.map(({ name }) => pl.col(name).str.replace(FORMULA, "'$1"));
  // The types of Polars say string; it is a Buffer.
  return frame.withColumns(...safe).writeCSV() as unknown as Uint8Array;
}

/**
 * Writes a file whole: who opens it, also after a crash, finds the old content or the new, never a part.
 *
 * @param path Where to
 * @param content Its text or bytes
 */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const part = `${path}.${crypto.randomUUID()}.part`;
  try {
    await Deno.writeFile(
      part,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
    await Deno.rename(part, path);
  } catch (error) {
    await Deno.remove(part).catch(() => {}); // there is none where it could not be written
    throw error;
  }
}
