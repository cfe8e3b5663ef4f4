import { DataFormatError } from "../../api/errors.ts";
import { listKeys, redactText, refuseSecret } from "./redaction.ts";
import type { Transport } from "./transport.ts";

function refuse(url: string): never {
  throw new DataFormatError(`Cannot use the answer of ${url}: it repeats the key`, {
    url,
    hint: "Tell the provider of the service; nothing of the answer is shown or stored",
  });
}

/**
 * Passes the parts of a body on, and refuses one that contains the key: data are shown, quoted and stored.
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
