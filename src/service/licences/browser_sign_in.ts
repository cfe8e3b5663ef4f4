import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { RequestEnv } from "../limits/request_env.ts";
import { isLoopback } from "../limits/request_host.ts";
import { sha256 } from "../../disk/hashes.ts";
import { createName } from "./licences.ts";

/** A request with a known client. */
type ClientContext = Context<RequestEnv>;

/** Accepted origins of a browser's request: this service's pages, or a user who typed or clicked the address. */
const OWN_SITES = ["same-origin", "none"];

/** Protects the cookie: no script can read it, and no other site can make the browser send it. */
const PROTECTED = { path: "/", httpOnly: true, sameSite: "Strict" } as const;

/** Name of the cookie. Cookies are not separated by port, so two services on a machine need two names. */
function nameCookie({ req }: ClientContext): string {
  return `vindkit-${new URL(req.url).port || "80"}`;
}

/**
 * Whether a request comes from this machine, and names it by a loopback address: a foreign name that resolves to this
 * machine (DNS rebinding) does not count.
 */
export function isLocalRequest({ req, env }: ClientContext): boolean {
  const { remoteAddr } = env.client;
  return remoteAddr !== undefined && "hostname" in remoteAddr &&
    isLoopback(remoteAddr.hostname) && isLoopback(new URL(req.url).hostname);
}

/**
 * Reads the key that a signed-in browser sends. It counts only from this service's pages: pages of other
 * services on this machine are the same site for a browser, whatever their port.
 *
 * @returns `undefined` if no key counts
 */
export function readBrowserKey(context: ClientContext): string | undefined {
  const site = context.req.header("sec-fetch-site");
  if (site === undefined || !OWN_SITES.includes(site) || !isLocalRequest(context)) return undefined;
  return getCookie(context, nameCookie(context));
}

/** Gives a browser its key, until the browser is closed. */
export function setBrowserKey(context: ClientContext, key: string): void {
  setCookie(context, nameCookie(context), key, PROTECTED);
}

/** Takes the key from a browser. */
export function deleteBrowserKey(context: ClientContext): void {
  deleteCookie(context, nameCookie(context), PROTECTED);
}

/** How long a token can be used, ms. */
export const TOKEN_LIFETIME = 600_000;

/** Tokens that sign a browser in, once each. They are in memory only, as hashes, and end with the process. */
export class SignInTokens {
  readonly #now: () => number;
  /** Instants at which tokens end, by hash. */
  readonly #ends = new Map<string, number>();

  /** @param now A clock that never goes back, ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  issue(): string {
    const token = createName(16);
    this.#ends.set(sha256(token), this.#now() + TOKEN_LIFETIME);
    return token;
  }

  /**
   * Uses a token up.
   *
   * @param token Text that was sent as a token
   * @returns Whether it was issued, not used before, and in time
   */
  redeem(token: string): boolean {
    const hash = sha256(token);
    const end = this.#ends.get(hash);
    this.#ends.delete(hash);
    return end !== undefined && this.#now() < end;
  }
}
