import type { Hono, MiddlewareHandler } from "hono";
import type { Operation } from "../../api/operations/operation.ts";
import { KEY_HEADER } from "../../api/operations/operations.ts";
import { authenticateHeader } from "../../api/operations/response_headers.ts";
import { STATUS_CODE } from "@std/http/status";
import { logFailure } from "../../storage/failures/failure_log.ts";
import type { Store } from "../../storage/store/store.ts";
import { readBrowserKey, type SignInTokens } from "../licences/browser_sign_in.ts";
import { findRequestLicence, LOCAL_LICENCE } from "../licences/licences.ts";
import type { ClientInfo, ClientLogins } from "../limits/login_throttle.ts";
import type { RequestEnv } from "../limits/request_env.ts";
import { refuseForeignHost, refuseMissingHost } from "../limits/request_host.ts";
import { type ConcurrencyLimiter, pathOf, refuseLongAddress } from "../limits/request_limits.ts";
import type { PageContext } from "../pages/page.ts";
import { renderForPeople } from "../pages/answer_page.ts";
import { newsOperation, readPassword } from "../pages/news_feed.ts";
import { noteAsking } from "../responses/do_in_turn.ts";
import type { AnswerRecord } from "./request_log.ts";
import { nameMethod, nameRequest } from "./request_name.ts";
import { refuseByMethod } from "./request_parameters.ts";

type Step = MiddlewareHandler<RequestEnv>;

/** Reports every answer when it is sent. */
export function logAnswers(onAnswer?: (answer: AnswerRecord) => void): Step {
  return async (context, next) => {
    const start = performance.now();
    await next();
    const { res, req, env } = context;
    res.headers.set("x-content-type-options", "nosniff");
    const operation = nameRequest(pathOf(req.raw));
    const milliseconds = performance.now() - start;
    onAnswer?.({ operation, method: nameMethod(env.method), status: res.status, milliseconds });
  };
}

/** Shows a refusal, or the status of an order, as a page in a browser. */
export function showToPeople(pageContext: () => Promise<PageContext>): Step {
  return async (context, next) => {
    await next();
    try {
      const { req, res, env } = context;
      const page = await renderForPeople(req.raw, res, env.operation?.id, pageContext);
      if (!page) return;
      context.res = undefined; // else Hono would copy the headers of the answer into the page
      context.res = page;
    } catch (error) {
      logFailure("a page cannot be built", error);
    }
  };
}

/** Refuses a request by its method, the length of its address and its host, before reading more of it. */
export function refuseMisfits(publicBase: string | undefined): Step {
  return async ({ req: { raw }, env: { method, client: { listensOn, port } } }, next) =>
    refuseByMethod(raw, method) ?? refuseLongAddress(raw) ?? refuseMissingHost(raw, port) ??
      (publicBase === undefined && listensOn ? refuseForeignHost(raw, listensOn) : undefined) ??
      await next();
}

/** Limits how many requests are under way, and how long each may take. The last step: it discards late answers. */
export function limitRequests(limits: ConcurrencyLimiter, routes: Hono<RequestEnv>): Step {
  return async ({ req: { raw }, env }) =>
    await limits.run(raw, env.client, async () => await routes.fetch(raw, env));
}

/** Asks feed readers for the key as a password (RFC 7617), because most cannot send our header. */
export const askForPassword: Step = async (context, next) => {
  await next();
  const { status, headers } = context.res;
  if (status === STATUS_CODE.Unauthorized) {
    headers.set(authenticateHeader.name, 'Basic realm="Vindkit"');
  }
};

/** Parts that decide about access. */
interface AccessParts {
  readonly store: Store;
  readonly limits: ConcurrencyLimiter;
  /** Whether requests need no key. */
  readonly trusted: boolean;
  readonly tokens: SignInTokens | undefined;
  attemptsOf(request: Request, client: ClientInfo): ClientLogins;
}

/**
 * Finds the licence of a request to an operation, and counts the request to it.
 *
 * @throws {Refusal} If its key is missing or not valid, or there were too many of those
 */
export function checkAccess(operation: Operation, parts: AccessParts): Step {
  const { limits, trusted, tokens } = parts;
  return async (context, next) => {
    const { req, env } = context;
    env.operation = operation;
    const store = parts.store.forRequest();
    const attempts = parts.attemptsOf(req.raw, env.client);
    const licence = trusted || !operation.key ? LOCAL_LICENCE : await findRequestLicence(
      req.header(KEY_HEADER) ??
        (operation === newsOperation ? readPassword(req.header("authorization")) : undefined) ??
        (tokens && readBrowserKey(context)) ?? null,
      store.licences,
      attempts,
    );
    const busy = limits.takeShare(licence.serialNumber, env.client);
    if (busy) return busy;
    noteAsking(licence.serialNumber);
    context.set("store", store);
    context.set("licence", licence);
    context.set("attempts", attempts);
    await next();
  };
}
