import { STATUS_CODE } from "@std/http/status";
import { HEALTH_PATHS } from "../responses/health.ts";
import { buildProblem } from "../responses/refusal.ts";

/** Wildcard addresses, and the address under which the machine itself reaches each. */
export const EVERYWHERE: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Names and addresses that only this machine reaches. */
const LOOPBACK = /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|\[::1\])$/;

/**
 * Whether only this machine can reach an address.
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

/** Longest quotation of a host in a refusal, characters. */
const MAX_QUOTED = 100;

/** Whether a name or an address belongs to this machine, according to the system. */
function isOfMachine(host: string): boolean {
  try {
    return host === Deno.hostname().toLowerCase() ||
      Deno.networkInterfaces().some(({ address }) => address === host);
  } catch {
    return false; // not permitted; the operator can set --public-url instead
  }
}

/**
 * Origin of the addresses in an answer: the host name of the request, which is one of ours, and our port, whatever
 * port the request names.
 *
 * @param port Port that the service listens on; the request's port unless given
 */
export function readOrigin({ url }: Request, port: number | undefined): string {
  const origin = new URL(url);
  if (port !== undefined) origin.port = String(port);
  return origin.origin;
}

/**
 * Refuses a request without a host (RFC 9112, section 3.2). The runtime then silently puts `localhost` and the port into
 * its address. The version of HTTP is unknown, and HTTP/2 names its host without the header. Health checks need no host,
 * because proxies send them in HTTP/1.0.
 *
 * @param port Port that the service listens on
 * @returns The refusal, with 400; `undefined` if there is a host
 */
export function refuseMissingHost(
  { url, headers }: Request,
  port: number | undefined,
): Response | undefined {
  if (port === undefined || headers.get("host")) return undefined;
  const { host = "", pathname = "" } = URL.parse(url) ?? {};
  if (host !== `localhost:${port}` || HEALTH_PATHS.includes(pathname)) return undefined;
  return buildProblem(
    STATUS_CODE.BadRequest,
    "The request has no Host header. Send one with the name of the service",
  );
}

/**
 * Refuses a request that names another host than this service. Addresses of orders begin with that name, and a foreign
 * name that resolves to this machine (DNS rebinding) would let other sites' pages read answers.
 *
 * @returns The refusal, with 421; `undefined` if the host is ours, or is not valid at all
 */
export function refuseForeignHost(request: Request, listensOn: string): Response | undefined {
  const url = URL.parse(request.url);
  if (!url) return undefined;
  const host = removeBrackets(url.hostname).replace(/\.$/, "");
  const listening = removeBrackets(listensOn).toLowerCase();
  const isOurs = isLoopback(host) || host === listening ||
    Object.hasOwn(EVERYWHERE, listening) && isOfMachine(host);
  if (isOurs && url.username === "" && url.password === "") return undefined;
  return buildProblem(
    STATUS_CODE.MisdirectedRequest,
    `This service is not called "${
      host.slice(0, MAX_QUOTED)
    }". Use localhost, or the address that the ` +
      "service printed. Its operator can set another name with --public-url",
  );
}
