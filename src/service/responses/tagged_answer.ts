import { sha256 } from "../../disk/sha256.ts";

/** Characters of a hash that tell bodies apart. */
const TAG_LENGTH = 32;

/** As much of the hash of a text as tells bodies apart. */
export function hashText(text: string): string {
  return sha256(text).slice(0, TAG_LENGTH);
}

/**
 * An answer with a strong entity tag, which is the hash of its text.
 *
 * @param text The body
 */
export function buildTaggedText(text: string, headers: Readonly<Record<string, string>>): Response {
  const etag = `"${hashText(text)}"`;
  return new Response(text, { headers: { ...headers, etag } });
}

/**
 * A JSON answer with a strong entity tag.
 *
 * @param headers Its other headers
 */
export function buildTaggedJson(
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return buildTaggedText(JSON.stringify(value), { ...headers, "content-type": "application/json" });
}
