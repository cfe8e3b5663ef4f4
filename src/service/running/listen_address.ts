import { ConfigurationError } from "../../api/errors.ts";

/** Addresses that stand for all of a machine, and the one under which the machine itself reaches each. */
const EVERYWHERE: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** An address as a program listens on it: `[::1]`, as it stands in a URL, is `::1`. */
function removeBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** An address as it stands in a URL. */
function formatHost(hostname: string): string {
  const host = removeBrackets(hostname);
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Whether somebody listens on all addresses of a machine.
 *
 * @param hostname Address to listen on
 */
export function isEverywhere(hostname: string): boolean {
  return Object.hasOwn(EVERYWHERE, removeBrackets(hostname));
}

/**
 * Address under which this machine reaches whoever listens; `0.0.0.0` is none that can be asked.
 *
 * @param hostname Address that is listened on
 */
export function formatListenerUrl(hostname: string, port: number): string {
  const host = isEverywhere(hostname) ? EVERYWHERE[removeBrackets(hostname)] : hostname;
  return `http://${formatHost(host)}:${port}`;
}

/** What stands in the way of listening, by the name of the runtime's error. */
const REASONS: Readonly<Record<string, readonly [found: string, hint: string]>> = {
  AddrInUse: ["the port is taken", "Choose another with --port; 0 takes a free one"],
  AddrNotAvailable: [
    "this machine has no such address",
    "Give one of its own with --host: 127.0.0.1 is for this machine only, 0.0.0.0 for all that reach it",
  ],
  NotCapable: ["this program is not allowed to", "Run it with --allow-net"],
  PermissionDenied: [
    "the system does not let this user have the port",
    "Choose one from 1024 on with --port, and put a proxy before it",
  ],
};

/**
 * Says why nobody can listen, and what to do.
 *
 * @param error What the runtime says
 * @param hostname Address to listen on
 */
export function buildListenError(
  error: unknown,
  hostname: string,
  port: number,
): ConfigurationError {
  const { name, message } = error as Error;
  const [found, hint] = REASONS[name] ?? [message, "Give another address with --host"];
  return new ConfigurationError(`Cannot listen on ${formatHost(hostname)}:${port}: ${found}`, {
    hint,
    cause: error,
  });
}
