import { DataFormatError } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import type { ParameterValues } from "../api/request_path.ts";
import type { Connection } from "./connection.ts";
import type { Exchange } from "./exchange.ts";

/** The beginning of a body for a message; what is secret in it is `***`. */
export type Excerpt = (bytes: Uint8Array) => string;

const MAX_CHARACTERS = 200;

/** Parameters whose values are nobody else's business. */
const PRIVATE_PARAMETERS = ["email", "serial_number"];

/**
 * How bodies of a call are quoted: without the key and the customer, and not at all where the body is a key.
 *
 * @param operation The operation
 * @param values Its parameters by wire name
 * @param connection Connection of the call
 */
export function excerptOf(
  operation: Operation,
  values: ParameterValues,
  connection: Connection,
): Excerpt {
  if (operation.id === "api_key") return () => "***";
  const secrets = PRIVATE_PARAMETERS.map((name) => values[name])
    .concat(connection.key?.reveal())
    .filter((secret): secret is string => typeof secret === "string" && secret !== "");
  return (bytes) => {
    let text = new TextDecoder().decode(bytes.subarray(0, 8 * MAX_CHARACTERS)).trim();
    for (const secret of secrets) text = text.replaceAll(secret, "***");
    return text.slice(0, MAX_CHARACTERS);
  };
}

/**
 * Refuses a page where data is expected: a login, a proxy or a "busy" page comes with status 200, too.
 *
 * @throws {DataFormatError} If the answer is a page
 */
export function assertNoPage(
  operation: Operation,
  { bytes }: Exchange,
  url: string,
  excerpt: Excerpt,
): void {
  const start = new TextDecoder().decode(bytes.subarray(0, 100)).replace(/^\ufeff/, "").trimStart();
  if (!start.startsWith("<")) return;
  throw new DataFormatError(
    `Cannot use the answer of ${url}: it is a web page: ${
      JSON.stringify(excerpt(bytes))
    }. Check the ` +
      "address, and whether a login or a proxy stands in between",
    { operation: operation.id, url },
  );
}
