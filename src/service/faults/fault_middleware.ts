import { delay } from "@std/async";
import { STATUS_CODE } from "@std/http/status";
import type { MiddlewareHandler } from "hono";
import { wireName } from "../../api/columns/column.ts";
import { turbineId } from "../../api/columns/columns.ts";
import { FAULT_HEADER, listFollowed, readFaults, type RequestedFaults } from "./fault_header.ts";
import { buildProblem } from "../responses/refusal.ts";

/** Names of `first` that are remembered; beyond them the oldest one is forgotten. */
const MAX_NAMES = 1000;

/** Page that a proxy or a login sends instead of an answer. */
const PAGE = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head>" +
  "<body><h1>Sign in</h1><p>Your session has ended.</p></body></html>\n";

/** Ends of a body before its own end. */
type Ending = "closed" | "broken";

function shortenBody(
  body: ReadableStream<Uint8Array>,
  count: number,
  ending: Ending,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = count;
  return new ReadableStream({
    async pull(controller) {
      if (left === 0) {
        await reader.cancel();
        if (ending === "closed") return controller.close();
        const error = new Error(
          `An answer was cut after ${count} bytes: its request asked for that`,
        );
        error.stack = error.message; // the server prints it; the stack would add nothing
        return controller.error(error);
      }
      const { done, value } = await reader.read();
      if (done) return controller.close();
      const part = value.subarray(0, left);
      left -= part.length;
      controller.enqueue(part);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/** An answer with another body, announced as `length` bytes. */
function replaceBody(
  { status, headers: own }: Response,
  body: ReadableStream<Uint8Array> | string,
  length: number,
): Response {
  const headers = new Headers(own);
  headers.set("content-length", String(length));
  return new Response(body, { status, headers });
}

/** Reads the length of a body from its header; a body of unknown length is read whole. */
async function readBody(
  answer: Response,
): Promise<{ body: ReadableStream<Uint8Array>; length: number }> {
  const announced = answer.headers.get("content-length");
  if (announced !== null) return { body: answer.body!, length: Number(announced) };
  const bytes = await answer.bytes();
  return { body: ReadableStream.from([bytes]), length: bytes.length };
}

/** An answer, and which of the requested faults it has. */
interface FaultyAnswer {
  readonly answer: Response;
  readonly done: readonly (keyof RequestedFaults)[];
}

async function renameTurbines(answer: Response): Promise<FaultyAnswer> {
  const { headers } = answer;
  const isText = headers.get("content-type")?.includes("json") && !headers.has("content-encoding");
  if (!isText) return { answer, done: [] };
  const name = wireName(turbineId);
  let renamed = false;
  const text = JSON.stringify(JSON.parse(await answer.text(), (key, value) => {
    if (key !== name || typeof value !== "string") return value;
    renamed = true;
    return `${value}-other`;
  }));
  const { length } = new TextEncoder().encode(text);
  return { answer: replaceBody(answer, text, length), done: renamed ? ["wrong"] : [] };
}

async function halve(answer: Response): Promise<FaultyAnswer> {
  const { body, length } = await readBody(answer);
  const half = Math.floor(length / 2);
  return { answer: replaceBody(answer, shortenBody(body, half, "closed"), half), done: ["wrong"] };
}

/** Breaks the connection off after `count` bytes of the body, where it has more. */
async function breakOff(answer: Response, count: number): Promise<FaultyAnswer> {
  const { body, length } = await readBody(answer);
  if (count >= length) return { answer: replaceBody(answer, body, length), done: [] };
  return { answer: replaceBody(answer, shortenBody(body, count, "broken"), length), done: ["cut"] };
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
  if (!answer.body) return { answer: new Response(null, answer), done: [] };
  let whole: FaultyAnswer = { answer: new Response(answer.body, answer), done: [] };
  if (wrong === "other") whole = await renameTurbines(whole.answer);
  if (wrong === "half") whole = await halve(whole.answer);
  if (cut === undefined) return whole;
  const end = await breakOff(whole.answer, cut);
  return { answer: end.answer, done: [...whole.done, ...end.done] };
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
