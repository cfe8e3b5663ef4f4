import { sha256 } from "../../disk/hashes.ts";

/** Characters of a hash that distinguish bodies. */
const TAG_LENGTH = 32;

/** Hashes a text, as short as still distinguishes bodies. */
export function hashText(text: string): string {
  return sha256(text).slice(0, TAG_LENGTH);
}

/** Builds an answer with a strong entity tag, which is the hash of its text. */
export function buildTaggedText(text: string, headers: Readonly<Record<string, string>>): Response {
  const etag = `"${hashText(text)}"`;
  return new Response(text, { headers: { ...headers, etag } });
}

/** Builds a JSON answer with a strong entity tag. */
export function buildTaggedJson(
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return buildTaggedText(JSON.stringify(value), { ...headers, "content-type": "application/json" });
}
