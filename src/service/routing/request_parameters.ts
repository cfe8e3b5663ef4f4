import type { Operation } from "../../api/operations/operation.ts";
import { type ParameterValue, readParameter } from "../../api/operations/parameter.ts";
import { visibleText } from "../../api/error_text.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { operations } from "../../api/operations/operations.ts";
import { pathOf } from "../limits/request_limits.ts";
import { SIGN_IN_PATH, SIGN_OUT_PATH } from "../pages/addresses.ts";
import { refuseMethod } from "../responses/refusal.ts";
import { nameRequest } from "./request_name.ts";

/** Operations whose GET changes something: an order is placed, a key issued, a token used up. */
const changing = new Set(operations.filter(({ changes }) => changes).map<string>(({ id }) => id));

/** Paths outside of the API whose GET changes something. */
const changingPaths: readonly string[] = [SIGN_IN_PATH, SIGN_OUT_PATH];

/**
 * Refuses a request by its method: HEAD is allowed wherever GET changes nothing, other methods are not.
 *
 * @returns The refusal, with 405; `undefined` if the request is accepted
 */
export function refuseByMethod(request: Request, method: string): Response | undefined {
  if (method === "GET") return undefined;
  const path = pathOf(request);
  const changes = changing.has(nameRequest(path)) || changingPaths.includes(path);
  return changes || method !== "HEAD" ? refuseMethod(method, changes) : undefined;
}

/** The answer to a GET without its body. It states the length as for GET, unless the body is streamed. */
export async function withoutBody(answer: Response): Promise<Response> {
  const { status, body } = answer;
  const headers = new Headers(answer.headers);
  if (body && !headers.has("content-length")) {
    const length = await measureWhole(body);
    // Without any body the runtime would state a length of 0.
    if (length === undefined) return new Response(ReadableStream.from([]), { status, headers });
    headers.set("content-length", String(length));
  } else await body?.cancel();
  return new Response(null, { status, headers });
}

/** Length of a body that has one part; `undefined` if more parts follow. */
async function measureWhole(body: ReadableStream<Uint8Array>): Promise<number | undefined> {
  const reader = body.getReader();
  const first = await reader.read();
  if (first.done) return 0;
  if ((await reader.read()).done) return first.value.length;
  await reader.cancel();
}

/** Refuses parameters that an operation does not take: ignoring a misspelt name would return the wrong data. */
function checkNames(operation: Operation, query: Readonly<Record<string, string[]>>): void {
  const known = operation.parameters.filter((one) => one.in === "query").map(({ name }) => name);
  for (const [name, values] of Object.entries(query)) {
    if (!known.includes(name)) {
      const has = known.length > 0 ? `the parameters are ${known.join(", ")}` : "it has none";
      const quoted = visibleText(name.slice(0, 60));
      throw new Refusal(
        "invalid_argument",
        `${quoted} is not a parameter of this operation: ${has}`,
      );
    }
    if (values.length > 1) {
      throw new Refusal(
        "invalid_argument",
        `${name} is given ${values.length} times. Give it once`,
      );
    }
  }
}

/**
 * Reads the parameters of a request.
 *
 * @param path Values of the parts of its path
 * @param query Values of its query, by name
 * @throws {Refusal} If one is missing, unknown, given twice or not allowed
 */
export function readParameters(
  operation: Operation,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string[]>>,
): Record<string, ParameterValue | undefined> {
  checkNames(operation, query);
  const parameters: Record<string, ParameterValue | undefined> = {};
  for (const parameter of operation.parameters) {
    const { name } = parameter;
    const read = readParameter(parameter, parameter.in === "path" ? path[name] : query[name]?.[0]);
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
