import { escapeHtml } from "../../show/text/html.ts";
import { DataFormatError } from "../../api/errors.ts";
import type { Transport } from "./transport.ts";
import type { Operation } from "../../api/operations/operation.ts";
import type { Call } from "../../api/operations/request_path.ts";

/** Shortest key to look for, characters: shorter keys occur in any text by chance. */
const MIN_KEY_LENGTH = 8;

/** Shortest beginning of a secret that is removed at the end of a cut text, characters. */
const MIN_BEGINNING = 4;

/** The keys to look for in a service's answers: one, or none if the key is too short to tell apart from other text. */
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
  const secrets = listKeys(key).flatMap(listEncodings).map((writing) => Buffer.from(writing));
  if (secrets.length === 0) return yield* parts;
  const overlap = Math.max(...secrets.map(({ length }) => length)) - 1;
  let tail = new Uint8Array();
  for await (const part of parts) {
    const seam = Buffer.concat([tail, part.subarray(0, overlap)]);
    const all = Buffer.from(part.buffer, part.byteOffset, part.length);
    if (secrets.some((one) => seam.includes(one) || all.includes(one))) refuse();
    const ending = Buffer.concat([tail, part.subarray(-overlap)]);
    tail = Uint8Array.from(ending.subarray(-overlap));
    yield part;
  }
}

function refuse(url: string): never {
  throw new DataFormatError(`Cannot use the answer of ${url}: it contains your key`, {
    url,
    hint: "Tell the provider of the service. Vindkit does not show or store the answer",
  });
}

/**
 * Passes on the parts of a body, and refuses a body that contains the key, because data are shown, quoted and stored.
 *
 * @param url Address, without secrets
 * @throws {DataFormatError} If the body contains the key
 */
export function assertNoKey(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  transport: Transport,
  url: string,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  return refuseSecret(parts, transport.key?.reveal(), () => refuse(url));
}

/**
 * Refuses headers that contain the key: some are shown with the figures.
 *
 * @throws {DataFormatError} If they do
 */
export function assertNoKeyInHeaders(headers: Headers, transport: Transport, url: string): void {
  const all = [...headers.values()].join("\n");
  if (redactText(all, listKeys(transport.key?.reveal())) !== all) refuse(url);
}

/** Parameters that identify the customer; their values are never shown. */
export const PRIVATE_PARAMETERS: readonly string[] = ["email", "serial_number"];

/** Shortens the address of a file: anybody who knows the whole address may download it. */
export function redactFileUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}/.../${pathname.slice(pathname.lastIndexOf("/") + 1)}`;
}

/** Replaces private values in an address, for messages. */
export function redactUrl(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  for (const name of PRIVATE_PARAMETERS) {
    if (searchParams.has(name)) searchParams.set(name, "***");
  }
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  return `${origin}${pathname}${query}`;
}

/** Quotes the beginning of a body for a message; secrets in it become `***`. */
export type Excerpt = (bytes: Uint8Array) => string;

const MAX_CHARACTERS = 200;

/** Bytes that are decoded: more than the characters shown, since redaction shortens the text. */
const MAX_BYTES = 65_536;

/** Bytes of a page that a quotation needs. */
const PAGE_BYTES = 8 * MAX_CHARACTERS;

/**
 * Builds the function that quotes a call's bodies: without the key and the customer, and empty if the body is a key.
 */
export function buildExcerpt({ operation, parameters }: Call, transport: Transport): Excerpt {
  if (operation.id === "api_key") return () => "***";
  const secrets = [
    ...PRIVATE_PARAMETERS.map((name) => parameters[name]),
    ...listKeys(transport.key?.reveal()),
  ].filter((secret): secret is string => typeof secret === "string" && secret !== "");
  return (bytes) => {
    const text = new TextDecoder().decode(bytes.subarray(0, MAX_BYTES)).trim();
    return redactText(text, secrets, true).slice(0, MAX_CHARACTERS);
  };
}

/** The answer is a web page instead of data. */
export class PageError extends DataFormatError {
  override name = "DataFormatError"; // the class that callers check for
}

/** Whether a body begins like a web page. */
function isPage(start: Uint8Array): boolean {
  return new TextDecoder().decode(start.subarray(0, 100)).replace(/^\ufeff/, "").trimStart()
    .startsWith("<");
}

/**
 * Passes the parts of a body on unless it is a web page: login, proxy and "busy" pages have status 200, too.
 *
 * @param url Address, without secrets
 * @throws {PageError} If it is a page
 */
export async function* assertNoPage(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  operation: Operation,
  url: string,
  excerpt: Excerpt,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let start: Uint8Array<ArrayBuffer> | undefined = new Uint8Array();
  for await (const part of parts) {
    if (!start) {
      yield part;
      continue;
    }
    start = joinBytes(start, part);
    // Enough to recognise a page, and to quote it.
    if (start.length < (isPage(start) ? PAGE_BYTES : 100)) continue;
    refusePage(start);
    yield start;
    start = undefined;
  }
  if (!start) return;
  refusePage(start);
  yield start;

  function refusePage(start: Uint8Array): void {
    if (!isPage(start)) return;
    throw new PageError(
      `Cannot use the answer of ${url}: it is a web page that begins with ${
        JSON.stringify(excerpt(start))
      }`,
      {
        operation: operation.id,
        url,
        hint: "Check the address, and whether a login page or a proxy has answered",
      },
    );
  }
}

function joinBytes(a: Uint8Array, b: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (a.length === 0) return b;
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
