import type { Hono } from "hono";
import { STATUS_CODE } from "@std/http/status";
import { sha256 } from "../../disk/hashes.ts";
import type { ClientInfo, ClientLogins } from "../limits/login_throttle.ts";
import type { RequestEnv } from "../limits/request_env.ts";
import {
  deleteBrowserKey,
  isLocalRequest,
  readBrowserKey,
  setBrowserKey,
  type SignInTokens,
  TOKEN_LIFETIME,
} from "../licences/browser_sign_in.ts";
import { findRequestLicence, issueLocalKey, LOCAL_LICENCE } from "../licences/licences.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { buildProblem } from "../responses/refusal.ts";
import type { Licences } from "../../storage/store/licences.ts";
import { SESSION_PATH, SIGN_IN_PATH, SIGN_OUT_PATH, START_PATH } from "./addresses.ts";

const TOKEN = "token";

/** Headers of answers that must not be stored. */
const UNSTORED = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

interface SignInParts {
  readonly licences: Licences;
  readonly tokens: SignInTokens;
  attemptsOf(request: Request, client: ClientInfo): ClientLogins;
}

/** Path and query with which a token signs in. */
export function formatSignInPath(token: string): string {
  return `${SIGN_IN_PATH}?${TOKEN}=${token}`;
}

/**
 * Adds the addresses at which a browser of this machine signs in without typing a key. It sends the token that the owner
 * of the service got, and receives a key of the local licence in a cookie that no script can read.
 */
export function addSignIn(
  app: Hono<RequestEnv>,
  { licences, tokens, attemptsOf }: SignInParts,
): void {
  app.get(SIGN_IN_PATH, async (context) => {
    const attempts = attemptsOf(context.req.raw, context.env.client);
    if (!isLocalRequest(context)) {
      return buildProblem(
        STATUS_CODE.Forbidden,
        "This address signs in only browsers on the machine of the service. Enter a key on the start page",
      );
    }
    const key = readBrowserKey(context);
    const signedIn = key !== undefined && await isValid(key, licences, attempts);
    // A browser that is already signed in also uses up the token, so others cannot use it.
    if (!tokens.redeem(context.req.query(TOKEN) ?? "") && !signedIn) {
      return await refuseToken(attempts);
    }
    if (!signedIn) {
      // The key ends with the next day, so a forgotten one is soon useless.
      const tomorrow = Temporal.Now.plainDateISO("UTC").add({ days: 1 }).toString();
      setBrowserKey(context, await issueLocalKey(licences, "sign-in", tomorrow));
    }
    for (const [name, value] of Object.entries(UNSTORED)) context.header(name, value);
    return context.redirect(START_PATH, STATUS_CODE.SeeOther);
  });

  app.get(SESSION_PATH, async (context) => {
    const key = readBrowserKey(context);
    const attempts = attemptsOf(context.req.raw, context.env.client);
    const signed_in = key !== undefined && await isValid(key, licences, attempts);
    if (key !== undefined && !signed_in) deleteBrowserKey(context); // otherwise the browser would send it again and again
    return context.json({ signed_in }, STATUS_CODE.OK, UNSTORED);
  });

  app.get(SIGN_OUT_PATH, async (context) => {
    const key = readBrowserKey(context);
    if (key !== undefined) {
      await licences.removeKeys(LOCAL_LICENCE.serialNumber, sha256(key));
      deleteBrowserKey(context);
    }
    return context.json({ signed_in: false }, STATUS_CODE.OK, UNSTORED);
  });
}

async function isValid(
  key: string,
  licences: Licences,
  attempts: ClientLogins,
): Promise<boolean> {
  try {
    await findRequestLicence(key, licences, attempts);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

async function refuseToken(attempts: ClientLogins): Promise<Response> {
  try {
    await attempts.countUnknownKey();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const headers = { "retry-after": String(error.retryAfter) };
    return buildProblem(STATUS_CODE.TooManyRequests, error.message, headers);
  }
  return buildProblem(
    STATUS_CODE.Unauthorized,
    "This address is no longer valid: it was used before, is older than " +
      `${
        TOKEN_LIFETIME / 60_000
      } minutes, or the service has restarted since. Enter a key on the ` +
      "start page, or restart the service for a new address",
  );
}
