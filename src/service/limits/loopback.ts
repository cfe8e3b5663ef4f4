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
