/**
 * Allowed targets of a download: the service's own origin with the key, origins that the user consented to without it.
 * Origins and addresses are compared in the form that the URL parser gives them, so `127.1`,
 * `0x7f000001` or a look-alike in Cyrillic is judged by the host that the request would reach.
 *
 * @module
 */
import { ConfigurationError } from "../../api/errors.ts";

/** Whether a download may use an address: its URL and whether the key goes along, or the problem with a remedy. */
export type AddressVerdict =
  | { readonly allowed: true; readonly url: URL; readonly withKey: boolean }
  | { readonly allowed: false; readonly problem: string };

/** Longest host name in DNS, characters; the URL parser accepts longer ones. */
const MAX_HOST_LENGTH = 253;

/** Schemes that a message may name; others may be private: in `name:secret@host` the user is taken for the scheme. */
export const KNOWN_SCHEMES: readonly string[] = [
  "blob:",
  "data:",
  "file:",
  "ftp:",
  "javascript:",
  "mailto:",
  "ws:",
  "wss:",
];

const DIRECT = "Use downloadClimate()";

/** Whether an address is of this machine, by the form that the URL parser gives it. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost\.?)$/.test(hostname);
}

/** Whether a request is safe from others on the network: https, or http within this machine. */
function isProtected(url: URL): boolean {
  return url.protocol === "https:" ||
    (url.protocol === "http:" && isLoopback(url));
}

/** Why a host cannot be listed in `downloadOrigins`; `undefined` if it can. */
function findHostProblem(url: URL): string | undefined {
  if (url.hostname.length > MAX_HOST_LENGTH) return "its name is too long";
  if (url.hostname.includes("*")) return "it contains a *. List each host separately";
  if (url.hostname.endsWith(".")) return "its name ends with a dot. Omit the dot";
  return isProtected(url) ? undefined : "it uses plain http. Use https://";
}

function formatHost({ host, hostname }: URL): string {
  return hostname.length <= MAX_HOST_LENGTH
    ? host
    : `a host with a name of ${hostname.length} characters`;
}

/** The origin that the key belongs to; `undefined` if the base address is not http or https. */
function parseOwnOrigin(baseUrl: string): URL | undefined {
  const url = URL.parse(baseUrl);
  return url && ["https:", "http:"].includes(url.protocol) ? url : undefined;
}

/**
 * Reads an address from which a file can be downloaded at all; {@linkcode judgeAddress} decides whether it may be.
 *
 * @param base Address that a relative one is resolved against
 * @returns Its URL, or why it is none with https or http; the problem names at most a known scheme
 */
export function readWebAddress(
  address: string,
  base?: string,
): { readonly url: URL } | { readonly problem: string } {
  const url = URL.parse(address, base);
  if (!url) return { problem: `the address is not a URL with https:// and a host. ${DIRECT}` };
  if (url.protocol === "https:" || url.protocol === "http:") return { url };
  const scheme = KNOWN_SCHEMES.includes(url.protocol) ? `a ${url.protocol}` : "not an https:";
  return { problem: `the address is ${scheme} address. ${DIRECT}` };
}

function refuseForeign(url: URL, serviceUrl: URL | undefined): AddressVerdict {
  const kind = url.hostname === serviceUrl?.hostname ? "another scheme or port" : "another host";
  const plain = url.protocol === "http:" ? " over plain http" : "";
  const than = serviceUrl ? `, not to ${formatHost(serviceUrl)} as requested` : "";
  const next = findHostProblem(url) === undefined
    ? `Add its origin, ${url.origin}, to downloadOrigins of connect() if you trust it, or use downloadClimate()`
    : DIRECT;
  return {
    allowed: false,
    problem: `the address points to ${formatHost(url)}, ${kind}${plain}${than}. ${next}`,
  };
}

/**
 * Decides whether a download may use an address. It never throws, and the key goes to the service's own origin only. Each
 * redirect must be judged again, a relative address be resolved before. Host names are not resolved, since `fetch` may
 * resolve them differently: a name is trusted only if the user listed it.
 *
 * @param baseUrl Base address of the connection
 * @param allowed Origins that the user consented to, from {@linkcode readOrigin}
 * @returns The parsed address and whether the key goes there, or the problem: it names the host, never query or user
 */
export function judgeAddress(
  address: string,
  baseUrl: string,
  allowed: readonly string[],
): AddressVerdict {
  const read = readWebAddress(address);
  if ("problem" in read) return { allowed: false, ...read };
  const { url } = read;
  if (url.username !== "" || url.password !== "") {
    return {
      allowed: false,
      problem: `the address points to ${
        formatHost(url)
      } and contains a user name or a password. ${DIRECT}`,
    };
  }
  const serviceUrl = parseOwnOrigin(baseUrl);
  if (serviceUrl && url.origin === serviceUrl.origin) return { allowed: true, url, withKey: true };
  if (allowed.includes(url.origin) && findHostProblem(url) === undefined) {
    return { allowed: true, url, withKey: false };
  }
  return refuseForeign(url, serviceUrl);
}

/**
 * Checks an entry of the user's list of origins for downloads.
 *
 * @returns The origin as the URL parser writes it
 * @throws {ConfigurationError} If it is not an origin, has more than scheme, host and port, or is plain http to another machine
 */
export function readOrigin(text: string): string {
  const url = URL.parse(text);
  // The text may contain a password or a signed query: messages show its origin at most.
  if (!url || !/^\s*https?:\/\//i.test(text)) {
    throw new ConfigurationError(
      "Cannot use an entry of downloadOrigins: it is not an origin. Give an origin such as https://files.example.com",
    );
  }
  const problem = url.username !== "" || url.password !== ""
    ? "it contains a user name or a password. Omit this part"
    : findHostProblem(url) ??
      (url.pathname !== "/" || url.search !== "" || url.hash !== ""
        ? `it has a path, a query or a fragment. Give ${url.origin}`
        : undefined);
  if (problem !== undefined) {
    throw new ConfigurationError(`Cannot use ${formatHost(url)} in downloadOrigins: ${problem}`);
  }
  return url.origin;
}
