import { DataFormatError } from "../../api/errors.ts";
import type { Operation } from "../../api/operations/operation.ts";
import type { Call } from "../../api/operations/request_path.ts";
import { listKeys, PRIVATE_PARAMETERS, redactText } from "./redaction.ts";
import type { Transport } from "./transport.ts";

/** Quotes the beginning of a body for a message; secrets in it become `***`. */
export type Excerpt = (bytes: Uint8Array) => string;

const MAX_CHARACTERS = 200;

/** Bytes that are decoded: more than the characters shown, since redaction shortens the text. */
const MAX_BYTES = 65_536;

/** Bytes of a page that are enough to quote. */
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
      `Cannot use the answer of ${url}: it is a web page: ${JSON.stringify(excerpt(start))}`,
      {
        operation: operation.id,
        url,
        hint: "Check the address, and whether there is a login or a proxy in between",
      },
    );
  }
}

function joinBytes(a: Uint8Array, b: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
