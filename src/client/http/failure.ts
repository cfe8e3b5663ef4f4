import { NetworkError, RefusedConnectionError } from "../../api/errors.ts";

/** The connection was not established: nothing was sent, so even an order may be sent again. */
export class ConnectError extends NetworkError {
  override name = "NetworkError"; // the class that callers check for
}

/** The certificate or the secure connection failed: a retry would fail, too. */
export class TlsError extends RefusedConnectionError {}

/** The cause behind Deno's "fetch failed", without the address, which may have private parameters. */
function readReason(error: unknown): { phase: string; text: string } {
  const { message, cause } = error as Error;
  const full = cause instanceof Error ? cause.message : message;
  const [, phase = "", text = ""] = /client error \((\w+)\)(?:: (.*))?$/s.exec(full) ?? [];
  return { phase, text: text || full.replaceAll(/\S*https?:\/\/\S+/g, "the address") };
}

/**
 * Builds the error for a failed fetch.
 *
 * @param shown Address, without secrets
 */
export function buildNetworkError(error: unknown, shown: string): NetworkError {
  const { phase, text } = readReason(error);
  const message = `Cannot fetch ${shown}: ${text}`;
  if (error instanceof Deno.errors.NotCapable) {
    return new RefusedConnectionError(message, { url: shown, hint: "Allow the program this host" });
  }
  if (phase !== "Connect") {
    return new NetworkError(message, { url: shown, hint: "Check the address and the network" });
  }
  if (/certificate|tls|ssl|handshake|peer|alert|corrupt message/i.test(text)) {
    return new TlsError(message, {
      url: shown,
      hint: "Check the address. If a company's proxy is in between, name its certificate " +
        "in DENO_CERT",
    });
  }
  return new ConnectError(message, { url: shown, hint: "Check the address and the network" });
}
