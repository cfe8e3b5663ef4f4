import { NetworkError } from "../../api/errors.ts";

/** The connection was never made: nothing was sent, so even an order may be tried again. */
export class ConnectError extends NetworkError {
  override name = "NetworkError"; // callers know that class
}

/** Another server than expected, or no secure connection to it: asking again would end the same. */
export class TlsError extends NetworkError {
  override name = "NetworkError"; // callers know that class
}

/** What Deno says of the failure behind its "fetch failed", without the address, which may hold what is private. */
function readReason(error: unknown): { phase: string; text: string } {
  const { message, cause } = error as Error;
  const told = cause instanceof Error ? cause.message : message;
  const [, phase = "", text = ""] = /client error \((\w+)\)(?:: (.*))?$/s.exec(told) ?? [];
  return { phase, text: text || told.replaceAll(/\S*https?:\/\/\S+/g, "the address") };
}

/**
 * The error that a failed fetch stands for.
 *
 * @param error What fetch threw
 * @param shown Address, without secrets
 */
export function buildNetworkError(error: unknown, shown: string): NetworkError {
  const { phase, text } = readReason(error);
  const message = `Cannot fetch ${shown}: ${text}`;
  if (phase !== "Connect") {
    return new NetworkError(message, { url: shown, hint: "Check the address and the network" });
  }
  if (/certificate|tls|ssl|handshake|peer|alert|corrupt message/i.test(text)) {
    return new TlsError(message, {
      url: shown,
      hint: "Check the address. Where a company's proxy stands in between, name its certificate " +
        "in DENO_CERT",
    });
  }
  return new ConnectError(message, { url: shown, hint: "Check the address and the network" });
}
