import type { ClientInfo } from "./login_throttle.ts";

/** Header in which proxies append the address of their client, one after the other. */
const FORWARDED_FOR = "x-forwarded-for";

/** An IPv4 or IPv6 address as proxies write it; other text is not taken for a client. */
const ADDRESS = /^[0-9a-fA-F.:]{2,45}$/;

/** The first 64 bits of an IPv6 address, a network that one client has to itself; an IPv4 address unchanged. */
function readNetwork(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped || !address.includes(":")) return mapped ?? address;
  const [head, tail = []] = address.split("::").map((part) => part.split(":").filter(Boolean));
  const groups = [...head, ...Array(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail];
  return `${groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/**
 * Reads the address that a request comes from; for IPv6 its network, since a client owns all addresses in it.
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
    if (last && ADDRESS.test(last)) return readNetwork(last);
  }
  return remoteAddr && "hostname" in remoteAddr ? readNetwork(remoteAddr.hostname) : "nowhere";
}
