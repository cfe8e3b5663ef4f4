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
import { buildProblem } from "../responses/refusal.ts";

/** Header of a request that asks for a faulty answer; the answer repeats the faults that were applied. */
export const FAULT_HEADER = "Vindkit-Fault";

/** Longest pause that can be asked for, ms. */
const MAX_PAUSE = 60_000;

type WrongBody = "page" | "half" | "other";

/** What a request asks to go wrong with its answer. */
interface RequestedFaults {
  /** Pause before the answer, ms. */
  slow?: number;
  /** Status and seconds of `Retry-After` in the place of an answer. */
  busy?: { readonly status: number; readonly retryAfter: number };
  wrong?: WrongBody;
  /** Bytes of the body after which the connection breaks off. */
  cut?: number;
  /** Number of requests of a name that are affected; later ones are answered as usual. */
  first?: { readonly count: number; readonly name: string };
}

/** A kind of fault: how its value is written, what it does, and how it is read. */
interface FaultKind {
  readonly form: RegExp;
  readonly says: string;
  read(parts: readonly string[]): RequestedFaults | undefined;
}

const kinds: Readonly<Record<keyof RequestedFaults, FaultKind>> = {
  slow: {
    form: /^(\d{1,5})$/,
    says: `slow=MS: a pause before the answer, ${MAX_PAUSE} ms at most`,
    read: ([ms]) => Number(ms) <= MAX_PAUSE ? { slow: Number(ms) } : undefined,
  },
  busy: {
    form: /^(?:(503|429|406):)?(\d{1,5})$/,
    says: "busy=SECONDS: 503 with Retry-After; busy=429:SECONDS and busy=406:SECONDS likewise",
    read: ([status = "503", seconds]) => ({
      busy: { status: Number(status), retryAfter: Number(seconds) },
    }),
  },
  wrong: {
    form: /^(page|half|other)$/,
    says: "wrong=page: a web page with 200; wrong=half: half of the body as if it were all; " +
      "wrong=other: JSON that names another turbine",
    read: ([what]) => ({ wrong: what as WrongBody }),
  },
  cut: {
    form: /^(\d{1,12})$/,
    says: "cut=BYTES: the connection breaks off after so many bytes of the body",
    read: ([bytes]) => ({ cut: Number(bytes) }),
  },
  first: {
    form: /^(\d{1,5}):([\w.-]{1,100})$/,
    says: "first=COUNT:NAME: all that only for the first requests with this name",
    read: ([count, name]) => ({ first: { count: Number(count), name } }),
  },
};

function kindOf(name: string): FaultKind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name as keyof RequestedFaults] : undefined;
}

/**
 * Reads the header: faults with commas between them, such as `slow=200, busy=1`.
 *
 * @returns The faults, or what is wrong with the header
 */
function readFaults(header: string): RequestedFaults | { readonly problem: string } {
  const faults: RequestedFaults = {};
  for (const part of header.split(",")) {
    const [, name = "", value = ""] = /^\s*(\w+)\s*=\s*(\S*)\s*$/.exec(part) ?? [];
    const kind = kindOf(name);
    const match = kind?.form.exec(value);
    const read = match && kind!.read(match.slice(1));
    if (!read || name in faults) {
      return problemOf(read ? `"${name}" is duplicated` : `"${part.trim()}" is not a fault`);
    }
    Object.assign(faults, read);
  }
  const { first, ...acts } = faults;
  return first && Object.keys(acts).length === 0
    ? problemOf("first needs another fault beside it")
    : faults;
}

/**
 * Selects the faults of the header that were applied, as written there; `first` goes with the others.
 *
 * @param header Value of the header, valid
 * @returns An empty text where none was applied
 */
function listFollowed(header: string, done: readonly (keyof RequestedFaults)[]): string {
  if (done.length === 0) return "";
  const names: readonly string[] = [...done, "first"];
  return header.split(",").map((part) => part.trim())
    .filter((part) => names.includes(part.split(/\s*=/)[0])).join(", ");
}

function problemOf(problem: string): { readonly problem: string } {
  const known = Object.values(kinds).map(({ says }) => says).join("; ");
  return { problem: `${FAULT_HEADER}: ${problem}. Give one of: ${known}` };
}

/** Most names of `first` that are remembered; after that the oldest one is forgotten. */
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
