import { ConfigurationError } from "../../api/errors.ts";
import { EVERYWHERE, removeBrackets } from "../limits/request_host.ts";

/** Formats an address for a URL. */
function formatHost(hostname: string): string {
  const host = removeBrackets(hostname);
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Whether an address means all addresses of the machine.
 *
 * @param hostname Address to listen on
 */
export function isEverywhere(hostname: string): boolean {
  return Object.hasOwn(EVERYWHERE, removeBrackets(hostname));
}

/**
 * Formats the address under which this machine reaches a listener; `0.0.0.0` itself cannot be reached.
 *
 * @param hostname Address to listen on
 */
export function formatListenerUrl(hostname: string, port: number): string {
  const host = isEverywhere(hostname) ? EVERYWHERE[removeBrackets(hostname)] : hostname;
  return `http://${formatHost(host)}:${port}`;
}

/** Why listening fails, by the name of the runtime's error. */
const REASONS: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  AddrInUse: ["the port is taken", "Choose another port with --port; 0 chooses a free port"],
  AddrNotAvailable: [
    "this machine has no such address",
    "Give one of its addresses with --host: 127.0.0.1 for this machine only, 0.0.0.0 for all networks",
  ],
  NotCapable: [
    "this program does not have the permission",
    "deno task serve may listen on loopback, or with --host 0.0.0.0 on all addresses. For another address, " +
    "run src/cli/mod.ts serve with --allow-net=ADDRESS",
  ],
  PermissionDenied: [
    "the system does not allow your user to use this port",
    "Choose a port from 1024 up with --port, and put a proxy in front of it",
  ],
};

/**
 * Builds the error with the reason why listening failed, and a remedy.
 *
 * @param error Error of the runtime
 * @param hostname Address to listen on
 */
export function buildListenError(
  error: unknown,
  hostname: string,
  port: number,
): ConfigurationError {
  const { name, message } = error as Error;
  const [reason, hint] = REASONS[name] ?? [message, "Give another address with --host"];
  return new ConfigurationError(`Cannot listen on ${formatHost(hostname)}:${port}: ${reason}`, {
    hint,
    cause: error,
    ...(name === "AddrInUse" ? { code: "port_taken" } : {}),
  });
}
