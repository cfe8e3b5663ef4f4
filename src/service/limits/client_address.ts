import type { ClientInfo } from "./login_throttle.ts";

/** Header in which proxies append the address of their client, one after the other. */
const FORWARDED_FOR = "x-forwarded-for";

/** An IPv4 or IPv6 address as proxies write it; other text is not taken for a client. */
const ADDRESS = /^[0-9a-fA-F.:]{2,45}$/;

/**
 * Reads the address that a request comes from.
 *
 * @param behindProxy Whether the connection is a proxy's: then the last address in `X-Forwarded-For` counts, which is
 * the one that the proxy itself has added; those before it are claims of the client
 * @returns An address, or "nowhere" for requests of this process
 */
export function readClientAddress(
  request: Request,
  { remoteAddr }: ClientInfo,
  behindProxy: boolean,
): string {
  if (behindProxy) {
    const last = request.headers.get(FORWARDED_FOR)?.split(",").at(-1)?.trim();
    if (last && ADDRESS.test(last)) return last;
  }
  return remoteAddr && "hostname" in remoteAddr ? remoteAddr.hostname : "nowhere";
}
