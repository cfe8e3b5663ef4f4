import { DataFormatError } from "../../api/errors.ts";
import { redactText, refuseSecret } from "./redaction.ts";
import type { Transport } from "./transport.ts";

function refuse(url: string): never {
  throw new DataFormatError(`Cannot use the answer of ${url}: it repeats the key`, {
    url,
    hint: "Tell the provider of the service; until then nothing of it is shown or kept",
  });
}

/**
 * The parts of a body in which the key does not stand: what is read as data is shown, quoted and kept.
 *
 * @param transport How the call was sent
 * @param url Address, without secrets
 * @throws {DataFormatError} If the key stands there
 */
export function assertNoKey(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  transport: Transport,
  url: string,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  return refuseSecret(parts, transport.key?.reveal(), () => refuse(url));
}

/**
 * Refuses headers in which the key stands: some are shown with the figures.
 *
 * @throws {DataFormatError} If it does
 */
export function assertNoKeyInHeaders(headers: Headers, transport: Transport, url: string): void {
  const key = transport.key?.reveal();
  if (key === undefined) return;
  const all = [...headers.values()].join("\n");
  if (redactText(all, [key]) !== all) refuse(url);
}
