import { delay } from "@std/async";
import { STATUS_CODE } from "@std/http/status";
import type { MiddlewareHandler } from "hono";
import { wireName } from "../../api/columns/column.ts";
import { turbineId } from "../../api/columns/columns.ts";
import {
  breakOff,
  readBytes,
  readHonestAnswer,
  readParts,
  withBody,
} from "../../sample/honest_answer.ts";
import { FAULT_HEADER, listFollowed, readFaults, type RequestedFaults } from "./fault_header.ts";
import { buildProblem } from "../responses/refusal.ts";

/** Names of `first` that are remembered; beyond them the oldest one is forgotten. */
const MAX_NAMES = 1000;

/** Page that a proxy or a login sends instead of an answer. */
const PAGE = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head>" +
  "<body><h1>Sign in</h1><p>Your session has ended.</p></body></html>\n";

/** An answer, and which of the requested faults it has. */
interface FaultyAnswer {
  readonly answer: Response;
  readonly done: readonly (keyof RequestedFaults)[];
}

/** A body of JSON that names other turbines; `undefined` where it names none. */
function renameTurbines(bytes: Uint8Array): Uint8Array | undefined {
  const name = wireName(turbineId);
  let renamed = false;
  const text = JSON.stringify(JSON.parse(new TextDecoder().decode(bytes), (key, value) => {
    if (key !== name || typeof value !== "string") return value;
    renamed = true;
    return `${value}-other`;
  }));
  return renamed ? new TextEncoder().encode(text) : undefined;
}

/** Builds the answer that is sent without asking the service; `undefined` where the service answers. */
function buildReplacement({ busy, wrong }: RequestedFaults): FaultyAnswer | undefined {
  if (busy) {
    const answer = buildProblem(busy.status, "The service is busy: the request asked for that", {
      "retry-after": String(busy.retryAfter),
    });
    return { answer, done: ["busy"] };
  }
  if (wrong !== "page") return undefined;
  const answer = new Response(PAGE, { headers: { "content-type": "text/html; charset=utf-8" } });
  return { answer, done: ["wrong"] };
}

async function applyFaults(
  answer: Response,
  { wrong, cut }: RequestedFaults,
): Promise<FaultyAnswer> {
  if (!answer.body || !wrong && cut === undefined) {
    return { answer: new Response(answer.body, answer), done: [] };
  }
  const done: (keyof RequestedFaults)[] = [];
  let honest = await readHonestAnswer(answer);
  const { status, headers } = honest;
  const isText = headers.get("content-type")?.includes("json") && !headers.has("content-encoding");
  if (wrong === "other" && isText) {
    const own = await readBytes(honest.body);
    const other = renameTurbines(own);
    if (other) done.push("wrong");
    honest = withBody(honest, other ?? own);
  }
  if (wrong === "half") {
    const half = Math.floor(honest.length / 2);
    honest = withBody(honest, readParts(honest.body, half), half);
    done.push("wrong");
  }
  const { length } = honest;
  if (cut !== undefined && cut < length) {
    honest = withBody(honest, breakOff(honest.body, cut), length);
    done.push("cut");
  }
  headers.set("content-length", String(length));
  return { answer: new Response(honest.body, { status, headers }), done };
}

/** Creates a counter of the requests of each name, which says whether a request is still affected. */
function createCounter(): (first: RequestedFaults["first"]) => boolean {
  const seen = new Map<string, number>();
  return (first) => {
    if (!first) return true;
    const { name, count } = first;
    const before = seen.get(name) ?? 0;
    if (before >= count) return false;
    seen.set(name, before + 1);
    if (seen.size > MAX_NAMES) seen.delete(seen.keys().next().value!);
    return true;
  };
}

/**
 * Makes answers slow, cut, wrong or busy where a header of the request asks for it: for tests of clients in any
 * language. A service without it ignores the header.
 */
export function createFaultMiddleware(): MiddlewareHandler {
  const isAffected = createCounter();
  return async (context, next) => {
    const header = context.req.header(FAULT_HEADER);
    if (header === undefined) return await next();
    const faults = readFaults(header);
    if ("problem" in faults) return buildProblem(STATUS_CODE.UnprocessableEntity, faults.problem);
    if (!isAffected(faults.first)) return await next();
    if (faults.slow) await delay(faults.slow);
    const other = buildReplacement(faults);
    if (!other) await next();
    const { answer, done } = await applyFaults(other?.answer ?? context.res, faults);
    const applied = listFollowed(header, [
      ...(faults.slow === undefined ? [] : ["slow"] as const),
      ...(other?.done ?? []),
      ...done,
    ]);
    if (applied) answer.headers.set(FAULT_HEADER, applied);
    context.res = undefined; // else Hono would copy the headers of the service's answer into the new one
    context.res = answer;
  };
}
