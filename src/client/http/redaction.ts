import { escapeHtml } from "../../show/text/escape.ts";

/** Secrets shorter than this stand in any text by chance. */
const SHORTEST = 8;

/** How a secret may be written: as it is, in JSON, in an address, in HTML. */
function writings(secret: string): string[] {
  return [
    ...new Set([
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      escapeHtml(secret),
    ]),
  ];
}

/** The beginning of a secret at the end of a text that was cut there is left out. */
function withoutBeginning(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length);
  }
  return text;
}

/**
 * A text without secrets, in whatever writing.
 *
 * @param cut Whether the text goes on where it ends here: then a secret may be cut
 */
export function redacted(text: string, secrets: readonly string[], cut = false): string {
  for (const secret of secrets.flatMap(writings)) {
    text = text.replaceAll(secret, "***");
    if (cut) text = withoutBeginning(text, secret);
  }
  return text;
}

/**
 * Passes parts on until a secret stands in them.
 *
 * @param refuse Called where it stands there
 */
export async function* withoutSecret(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  secret: string | undefined,
  refuse: () => never,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (secret === undefined || secret.length < SHORTEST) return yield* parts;
  const wanted = writings(secret).map((writing) => Buffer.from(writing));
  const overlap = Math.max(...wanted.map(({ length }) => length)) - 1;
  let tail = new Uint8Array();
  for await (const part of parts) {
    const seam = Buffer.concat([tail, part.subarray(0, overlap)]);
    const all = Buffer.from(part.buffer, part.byteOffset, part.length);
    if (wanted.some((one) => seam.includes(one) || all.includes(one))) refuse();
    const ending = Buffer.concat([tail, part.subarray(-overlap)]);
    tail = Uint8Array.from(ending.subarray(-overlap));
    yield part;
  }
}
