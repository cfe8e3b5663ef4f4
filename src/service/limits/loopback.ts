/** Wildcard addresses of a machine, and the address under which the machine itself reaches each. */
export const EVERYWHERE: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Names and addresses that only this machine reaches. */
const LOOPBACK = /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|\[::1\])$/;

/**
 * Whether an address is of this machine only.
 *
 * @param hostname Name or address, such as `127.0.0.1` or `[::1]`
 */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** Removes the brackets that an IPv6 address has in a URL: `[::1]` becomes `::1`. */
export function removeBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
