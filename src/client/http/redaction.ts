import { escapeHtml } from "../../show/text/html.ts";

/** Shortest key that is looked for, characters: shorter ones occur in any text by chance. */
const MIN_KEY_LENGTH = 8;

/** Shortest beginning of a secret that is removed where a text was cut, characters. */
const MIN_BEGINNING = 4;

/** The keys to look for in what a service sends: one, or none if the key is too short to be told from other text. */
export function listKeys(key: string | undefined): string[] {
  return key !== undefined && key.length >= MIN_KEY_LENGTH ? [key] : [];
}

/** The forms in which a secret may appear: plain, in JSON, in an address, in HTML. */
function listEncodings(secret: string): string[] {
  return [
    ...new Set([
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      escapeHtml(secret),
    ]),
  ];
}

/** Removes the beginning of a secret at the end of a text that was cut there. */
function removePartialSecret(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= MIN_BEGINNING; length--) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length);
  }
  return text;
}

/**
 * Replaces secrets by `***`, in whatever form they appear.
 *
 * @param cut Whether the text is the beginning of a longer one: then a secret may be cut at its end
 */
export function redactText(text: string, secrets: readonly string[], cut = false): string {
  for (const secret of secrets.flatMap(listEncodings)) {
    text = text.replaceAll(secret, "***");
    if (cut) text = removePartialSecret(text, secret);
  }
  return text;
}

/**
 * Passes parts on unless they contain a secret, which may span two parts.
 *
 * @param refuse Throws; called when the secret is found
 */
export async function* refuseSecret(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  key: string | undefined,
  refuse: () => never,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const wanted = listKeys(key).flatMap(listEncodings).map((writing) => Buffer.from(writing));
  if (wanted.length === 0) return yield* parts;
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
