import { Hono } from "hono";
import type { Operation, OperationId } from "../api/operation.ts";
import { KEY_HEADER, operations } from "../api/operations.ts";
import { type ParameterValue, readParameter } from "../api/parameter.ts";
import { STATUS_CODE } from "@std/http/status";
import { climateDataAnswers } from "./answers/climate_data.ts";
import { reportAnswers } from "./answers/reports.ts";
import { userAccessAnswers } from "./answers/user_access.ts";
import { windIndexAnswers } from "./answers/wind_index.ts";
import type { Answer, ServiceParts } from "./call.ts";
import { licenceOfRequest, LOCAL_LICENCE } from "./licences.ts";
import { orderFile } from "./order_file.ts";
import { ORDER_FILES } from "./orders.ts";
import { faultResponse, problem, Refusal, refusalResponse } from "./refusal.ts";

/** Options of {@linkcode createApp}. */
export interface AppOptions {
  /** Answers without a key, with the local licence: for use inside of one's own process. @default {false} */
  trusted?: boolean;
  /** Called before a request is answered: the sample makes what it needs there. */
  prepare?: (
    operation: Operation,
    parameters: Readonly<Record<string, ParameterValue | undefined>>,
  ) => Promise<void>;
}

/** Path as the router has it: `{turbine_id}` becomes `:turbine_id`. Both forms, with and without the last slash, are served. */
function routeOf(operation: Operation): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, ":$1").replace(/\/$/, "");
}

/**
 * The service as a function from request to response, after the contract.
 *
 * @param parts What the answers draw on
 * @param options Whether a key is needed; what to do before an answer
 */
export function createApp(
  parts: ServiceParts,
  options: AppOptions = {},
): (request: Request) => Promise<Response> {
  const { trusted = false, prepare } = options;
  const answers: Record<OperationId, Answer> = {
    ...windIndexAnswers,
    ...climateDataAnswers(),
    ...reportAnswers,
    ...userAccessAnswers,
  };
  const app = new Hono({ strict: false });
  app.use(async (context, next) => {
    if (context.req.method === "GET") return await next();
    return problem(
      STATUS_CODE.MethodNotAllowed,
      `${context.req.method} is not served here, all operations are GET`,
      { allow: "GET" },
    );
  });
  for (const operation of operations) {
    const answer = answers[operation.id];
    app.get(routeOf(operation), async (context) => {
      try {
        const licence = trusted || !operation.key
          ? LOCAL_LICENCE
          : await licenceOfRequest(context.req.header(KEY_HEADER) ?? null, parts.store);
        const parameters = readParameters(
          operation,
          (name, place) => place === "path" ? context.req.param(name) : context.req.query(name),
        );
        await prepare?.(operation, parameters);
        const { origin } = new URL(context.req.url);
        return await answer({ ...parts, parameters, licence, origin });
      } catch (error) {
        if (error instanceof Refusal) return refusalResponse(error, operation);
        throw error;
      }
    });
  }
  app.get(`${ORDER_FILES}/:token/:name`, async (context) => {
    return await orderFile(parts, context.req.param("token"), context.req.raw.headers);
  });
  app.notFound((context) =>
    problem(STATUS_CODE.NotFound, `There is nothing at ${new URL(context.req.url).pathname}`)
  );
  app.onError((error) => {
    console.error(error);
    return faultResponse();
  });
  return async (request) => await app.fetch(request);
}

function readParameters(
  operation: Operation,
  textOf: (name: string, place: "path" | "query") => string | undefined,
): Record<string, ParameterValue | undefined> {
  const parameters: Record<string, ParameterValue | undefined> = {};
  for (const parameter of operation.parameters) {
    const read = readParameter(parameter, textOf(parameter.name, parameter.in));
    if ("problem" in read) {
      throw new Refusal(
        parameter.refusal ?? "invalid_argument",
        `${parameter.name}: ${read.problem}`,
      );
    }
    parameters[parameter.name] = read.value;
  }
  return parameters;
}
