import { Hono } from "hono";
import type { Operation, OperationId } from "../../api/operations/operation.ts";
import { KEY_HEADER, operations } from "../../api/operations/operations.ts";
import type { ParameterValue } from "../../api/operations/parameter.ts";
import { STATUS_CODE } from "@std/http/status";
import { createClimateDataAnswers } from "../operations/climate_data.ts";
import { reportAnswers } from "../operations/reports.ts";
import { userAccessAnswers } from "../operations/user_access.ts";
import { windIndexAnswers } from "../operations/wind_index.ts";
import { type ClientInfo, LoginThrottle } from "../limits/login_throttle.ts";
import type { Answer, ServiceParts } from "../operations/call.ts";
import { readClientAddress } from "../limits/client_address.ts";
import { answerConditionally } from "../responses/conditional.ts";
import { addHealth } from "../responses/health.ts";
import { findRequestLicence, LOCAL_LICENCE } from "../licences/licences.ts";
import { isPassing } from "../../storage/failures/is_passing.ts";
import { DamageSearch } from "../../storage/files/damage_search.ts";
import { createOpenApiRoute, OPENAPI_PATH } from "../pages/openapi_route.ts";
import { answerOrderFile } from "../operations/order_file.ts";
import { ORDER_FILES } from "../fulfilment/orders.ts";
import { addPages } from "../pages/pages.ts";
import { isForPeople, renderProblemPage } from "../pages/problem_page.ts";
import { addSignIn } from "../pages/sign_in.ts";
import { readBrowserKey } from "../licences/browser_key.ts";
import type { SignInTokens } from "../licences/sign_in_tokens.ts";
import type { AnswerRecord } from "./request_log.ts";
import { noteAsking } from "../responses/read_in_turn.ts";
import { logFailure } from "../../storage/failures/failure_log.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { buildFault, buildProblem, buildRefusal } from "../responses/refusal.ts";
import {
  ConcurrencyLimiter,
  pathOf,
  refuseLongAddress,
  type RequestLimitsOptions,
} from "../limits/request_limits.ts";
import { readOrigin, refuseForeignHost } from "../limits/request_host.ts";
import { readParameters, refuseByMethod, withoutBody } from "./request_parameters.ts";
import { nameMethod, nameRequest } from "./request_name.ts";
import { createFaultMiddleware } from "../faults/fault_middleware.ts";

interface AppOptions extends RequestLimitsOptions {
  /** Answers without a key, with the local licence: for use in the same process. @default {false} */
  trusted?: boolean;
  /** Failed attempts to get access within a minute, of a client or for a serial number. @default {10} */
  failedAttempts?: number;
  /** Called before a request is answered: the sample creates its data there. */
  prepare?: (
    operation: Operation,
    parameters: Readonly<Record<string, ParameterValue | undefined>>,
  ) => Promise<void>;
  /** Address under which others reach the service, without a slash at its end; that of each request unless given. */
  publicBase?: string;
  /** Whether connections are those of a proxy, which name their clients in `X-Forwarded-For`. @default {false} */
  behindProxy?: boolean;
  /** Whom to contact for a licence, in the place of the contact of the API text. */
  contact?: string;
  /** Called with every answer. */
  onAnswer?: (answer: AnswerRecord) => void;
  /** Tokens with which browsers of this machine sign in; without them none does. */
  tokens?: SignInTokens;
  /** Limits of requests from other processes. */
  limits?: ConcurrencyLimiter;
  /** Makes answers faulty where a header of their requests asks for it: for tests of clients. @default {false} */
  faults?: boolean;
}

/** A request under way: its client, and its operation once that is known. */
interface PendingRequest {
  readonly client: ClientInfo;
  operation?: OperationId;
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
  const { trusted = false, failedAttempts, prepare, onAnswer, publicBase, contact, tokens } =
    options;
  const { behindProxy = false, limits = new ConcurrencyLimiter(options) } = options;
  const attempts = new LoginThrottle(parts.store.attempts, trusted ? Infinity : failedAttempts);
  const attemptsOf = (request: Request, client: ClientInfo) =>
    attempts.forClient(() => readClientAddress(request, client, behindProxy));
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
  const app = new Hono<{ Bindings: PendingRequest }>({ strict: false });
  if (options.faults) {
    for (const operation of operations) {
      app.get(toRoute(operation), async (context, next) => {
        context.env.operation = operation.id; // for the log, also where a fault answers in its place
        await next();
      });
    }
    app.use(createFaultMiddleware());
  }
  for (const operation of operations) {
    const answer = answers[operation.id];
    app.get(toRoute(operation), async (context) => {
      context.env.operation = operation.id;
      try {
        const store = parts.store.forRequest();
        const own = attemptsOf(context.req.raw, context.env.client);
        const licence = trusted || !operation.key ? LOCAL_LICENCE : await findRequestLicence(
          context.req.header(KEY_HEADER) ?? (tokens && readBrowserKey(context)) ?? null,
          store.licences,
          own,
        );
        const busy = limits.takeShare(licence.serialNumber, context.env.client);
        if (busy) return busy;
        noteAsking(licence.serialNumber);
        const parameters = readParameters(operation, context.req.param(), context.req.queries());
        await prepare?.(operation, parameters);
        const whole = await answer({
          ...parts,
          store,
          parameters,
          licence,
          attempts: own,
          origin: publicBase ?? readOrigin(context.req.raw, context.env.client.port),
          accept: context.req.header("accept") ?? null,
          acceptEncoding: context.req.header("accept-encoding") ?? null,
          ifNoneMatch: context.req.header("if-none-match") ?? null,
        });
        return await answerConditionally(context.req.raw, whole);
      } catch (error) {
        if (error instanceof Refusal) return buildRefusal(error, operation, contact);
        throw error;
      }
    });
  }
  app.get(`${ORDER_FILES}/:token/:name`, async (context) => {
    return await answerOrderFile(parts, context.req.param("token"), context.req.raw.headers);
  });
  const search = new DamageSearch(parts.store, parts.files);
  addHealth(app, async () => {
    await parts.store.check();
    const damaged = await search.find();
    for (const { name, what } of damaged) {
      console.error(`${parts.files.path(name)}, ${what}, is missing or damaged`);
    }
    return damaged.length === 0
      ? undefined
      : `${damaged.length} stored files are missing or damaged; the log of the service names them`;
  });
  addPages(app, pageContext, options);
  if (tokens) addSignIn(app, { licences: parts.store.licences, tokens, attemptsOf });
  app.get(OPENAPI_PATH, createOpenApiRoute({ publicBase, contact }));
  app.notFound((context) =>
    buildProblem(STATUS_CODE.NotFound, `There is nothing at ${new URL(context.req.url).pathname}`)
  );
  app.onError((error, context) => {
    // Checked only here, after an error: most answers do not need the host.
    if (!URL.canParse(context.req.url)) {
      return buildProblem(STATUS_CODE.BadRequest, "The host of the request is not valid");
    }
    return buildFault(error, isPassing(error));
  });
  const renderForPeople = async (refusal: Response) => {
    try {
      return await renderProblemPage(await pageContext(), refusal.clone());
    } catch (error) {
      logFailure("a page cannot be built", error);
      return refusal;
    }
  };
  return async (request, client = {}) => {
    const begun = performance.now();
    const head = request.method === "HEAD";
    const asked = head ? new Request(request, { method: "GET" }) : request;
    const pending: PendingRequest = { client };
    const { listensOn } = client;
    const made = refuseByMethod(request) ?? refuseLongAddress(request) ??
      (publicBase === undefined && listensOn ? refuseForeignHost(request, listensOn) : undefined) ??
      await limits.run(asked, client, async () => await app.fetch(asked, pending));
    const whole = isForPeople(request, made) ? await renderForPeople(made) : made;
    const answer = head ? await withoutBody(whole) : whole;
    answer.headers.set("x-content-type-options", "nosniff");
    if (onAnswer) {
      const milliseconds = performance.now() - begun;
      const operation = pending.operation ?? nameRequest(pathOf(request));
      const method = nameMethod(request.method);
      onAnswer({ operation, method, status: answer.status, milliseconds });
    }
    return answer;
  };
}
