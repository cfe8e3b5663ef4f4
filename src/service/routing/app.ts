import { Hono } from "hono";
import type { Operation, OperationId } from "../../api/operations/operation.ts";
import { operations } from "../../api/operations/operations.ts";
import type { ParameterValue } from "../../api/operations/parameter.ts";
import { STATUS_CODE } from "@std/http/status";
import { createClimateDataAnswers } from "../operations/climate_data.ts";
import { reportAnswers } from "../operations/reports.ts";
import { userAccessAnswers } from "../operations/user_access.ts";
import { windIndexAnswers } from "../operations/wind_index.ts";
import { type ClientInfo, LoginThrottle, readClientAddress } from "../limits/login_throttle.ts";
import type { Answer, ServiceParts } from "../operations/call.ts";
import { answerConditionally } from "../responses/http_headers.ts";
import { addHealth } from "../responses/health.ts";
import { isPassing } from "../../storage/failures/is_passing.ts";
import { createOpenApiRoute, OPENAPI_PATH } from "../pages/openapi_route.ts";
import { answerOrderFile } from "../operations/order_file.ts";
import { ORDER_FILES } from "../fulfilment/orders.ts";
import { createFleetAnswers } from "../pages/fleet.ts";
import { answerNews, newsOperation } from "../pages/news_feed.ts";
import { NEWS_PATH } from "../pages/addresses.ts";
import { addPages } from "../pages/pages.ts";
import { addSignIn } from "../pages/sign_in.ts";
import type { AnswerRecord } from "./request_log.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { buildFault, buildProblem, buildRefusal } from "../responses/refusal.ts";
import { ConcurrencyLimiter, type RequestLimitsOptions } from "../limits/request_limits.ts";
import type { RequestEnv } from "../limits/request_env.ts";
import { readOrigin } from "../limits/request_host.ts";
import {
  askForPassword,
  checkAccess,
  limitRequests,
  logAnswers,
  refuseMisfits,
  showToPeople,
} from "./middleware.ts";
import { readParameters, withoutBody } from "./request_parameters.ts";
import { searchDamage } from "../../sites/keep/named_files.ts";
import type { SignInTokens } from "../licences/browser_sign_in.ts";

interface AppOptions extends RequestLimitsOptions {
  /** Answers without a key, with the local licence: for use in the same process. @default {false} */
  trusted?: boolean;
  /** Failed attempts to get access within a minute, of a client or for a serial number. @default {10} */
  failedAttempts?: number;
  /** Called before a request is answered, for the sample to create its data. */
  prepare?: (
    operation: Operation,
    parameters: Readonly<Record<string, ParameterValue | undefined>>,
  ) => Promise<void>;
  /** Address under which others reach the service, without a slash at its end. @default the address of each request */
  publicBase?: string;
  /** Whether all connections come from a proxy, which names its clients in `X-Forwarded-For`. @default {false} */
  behindProxy?: boolean;
  /** Whom to contact for a licence; replaces the contact of the API text. */
  contact?: string;
  /** Called with every answer. */
  onAnswer?: (answer: AnswerRecord) => void;
  /** Tokens with which browsers of this machine sign in; without them no browser can. */
  tokens?: SignInTokens;
  /** Limits of requests from other processes. */
  limits?: ConcurrencyLimiter;
}

/** Path for the router: `{turbine_id}` becomes `:turbine_id`. It is served with and without the last slash. */
function toRoute(operation: Operation): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, ":$1").replace(/\/$/, "");
}

/**
 * Creates the service as a function from request to response, as the contract declares it.
 *
 * @param options Whether a key is needed, limits, and what to call before and after an answer
 */
export function createApp(
  parts: ServiceParts,
  options: AppOptions = {},
): (request: Request, info?: ClientInfo) => Promise<Response> {
  const { trusted = false, failedAttempts, prepare, publicBase, contact, tokens } = options;
  const { behindProxy = false, limits = new ConcurrencyLimiter(options) } = options;
  const logins = new LoginThrottle(parts.store.attempts, trusted ? Infinity : failedAttempts);
  const attemptsOf = (request: Request, client: ClientInfo) =>
    logins.forClient(() => readClientAddress(request, client, behindProxy));
  const prefix = publicBase === undefined ? "" : new URL(publicBase).pathname.replace(/\/$/, "");
  const pageContext = async () => ({
    world: await parts.store.world(),
    prefix,
    signIn: tokens !== undefined,
  });
  const answers: Record<OperationId, Answer> = {
    ...windIndexAnswers,
    ...createClimateDataAnswers(),
    ...reportAnswers,
    ...userAccessAnswers,
  };
  const routes = new Hono<RequestEnv>({ strict: false });
  const add = (operation: Operation, answer: Answer) => {
    const access = checkAccess(operation, {
      store: parts.store,
      attemptsOf,
      limits,
      trusted,
      tokens,
    });
    routes.get(
      toRoute(operation),
      access,
      async ({ req, env, var: { store, licence, attempts } }) => {
        const parameters = readParameters(operation, req.param(), req.queries());
        await prepare?.(operation, parameters);
        const response = await answer({
          ...parts,
          ...{ licence, attempts, parameters },
          store: prepare ? parts.store.forRequest() : store, // includes the data just created
          origin: publicBase ?? readOrigin(req.raw, env.client.port),
          headers: req.raw.headers,
        });
        return await answerConditionally(req.raw, response);
      },
    );
  };
  for (const operation of operations) add(operation, answers[operation.id]);
  for (const { operation, answer } of createFleetAnswers(prefix)) add(operation, answer);
  routes.use(NEWS_PATH, askForPassword);
  add(newsOperation, answerNews);
  routes.get(`${ORDER_FILES}/:token/:name`, async ({ req }) => {
    return await answerOrderFile(parts, req.param("token"), req.raw.headers);
  });
  addHealth(routes, createCheck(parts));
  addPages(routes, pageContext);
  if (tokens) addSignIn(routes, { licences: parts.store.licences, tokens, attemptsOf });
  routes.get(OPENAPI_PATH, createOpenApiRoute({ publicBase, contact }));
  routes.notFound(({ req }) =>
    buildProblem(STATUS_CODE.NotFound, `This service has no page ${new URL(req.url).pathname}`)
  );
  routes.onError((error, { req, env: { operation } }) => {
    if (error instanceof Refusal && operation) {
      return buildRefusal(error, operation, contact);
    }
    // Checked only here, after an error: most answers do not need the host.
    if (!URL.canParse(req.url)) {
      return buildProblem(STATUS_CODE.BadRequest, "The Host header does not name a host");
    }
    return buildFault(error, isPassing(error));
  });
  const app = new Hono<RequestEnv>();
  app.use(logAnswers(options.onAnswer));
  app.use(showToPeople(pageContext));
  app.use(refuseMisfits(publicBase));
  app.use(limitRequests(limits, routes));
  return async (request, client = {}) => {
    const { method } = request;
    const isHead = method === "HEAD";
    const routed = isHead ? toGet(request) : request;
    const answer = await app.fetch(routed, { client, method });
    return isHead ? await withoutBody(answer) : answer;
  };
}

/** The GET whose headers answer a HEAD, which has no parts. A copy of the request itself would make the runtime warn. */
function toGet(request: Request): Request {
  if (!URL.canParse(request.url)) return request; // refused later
  const headers = new Headers(request.headers);
  headers.delete("range");
  return new Request(request.url, { headers });
}

/** Creates the readiness check: whether the store answers, and the files are complete. */
function createCheck({ store, files }: ServiceParts): () => Promise<string | undefined> {
  const findDamage = searchDamage(store, files);
  return async () => {
    await store.check();
    const damaged = await findDamage();
    for (const { name, what } of damaged) {
      console.error(`${files.path(name)}, ${what}, is missing or damaged`);
    }
    return damaged.length === 0
      ? undefined
      : `${damaged.length} stored files are missing or damaged; the log of the service names them`;
  };
}
