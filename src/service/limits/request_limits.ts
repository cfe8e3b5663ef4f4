import { STATUS_CODE } from "@std/http/status";
import type { ClientInfo } from "./login_throttle.ts";
import { HEALTH_PATHS } from "../responses/health.ts";
import { buildProblem } from "../responses/refusal.ts";

/** Longest address of a request that is answered, characters, host and query included; longer ones get 414. */
export const MAX_URL_LENGTH = 8_192;

/**
 * Longest head of a request, bytes: request line and headers. The runtime enforces this limit and answers 400 without
 * a body; reading the headers a second time to narrow it would cost each request 3 %.
 */
export const MAX_HEAD_BYTES = 65_536;

/** Most headers of a request; the runtime enforces this limit too, with 400. */
export const MAX_HEADERS = 128;

/** Most requests under way at the same time, until their answers are sent to the end; more get 503. */
export const MAX_REQUESTS = 2_000;

/** File descriptors for everything but requests: database, workers, log, listening, object store. */
const RESERVED_DESCRIPTORS = 64;

/** File descriptors for each request: its connection, the file of a download, and a connection that is refused or idle. */
const DESCRIPTORS = 3;

let maxRequests: number | undefined;

/**
 * Finds out, once, how many requests may be under way, at most {@linkcode MAX_REQUESTS}, by opening that many files.
 * Call it before connections are accepted, since they use descriptors.
 */
export function findMaxRequests(): number {
  const files: Deno.FsFile[] = [];
  try {
    if (maxRequests !== undefined || Deno.build.os === "windows") {
      return maxRequests ??= MAX_REQUESTS;
    }
    while (files.length < RESERVED_DESCRIPTORS + DESCRIPTORS * MAX_REQUESTS) {
      files.push(Deno.openSync("/dev/null"));
    }
  } catch (error) { // no descriptor is left, or no permission to open files
    if (error instanceof Deno.errors.NotCapable) return maxRequests = MAX_REQUESTS;
  } finally {
    for (const file of files) file.close();
  }
  return maxRequests = Math.max(1, Math.floor((files.length - RESERVED_DESCRIPTORS) / DESCRIPTORS));
}

/** Longest time until an answer begins, ms; then the request gets 503. */
export const ANSWER_TIMEOUT = 120_000;

/** Share of the requests under way that one licence may have: unread downloads of one customer must not block the others. */
const LICENCE_SHARE = 0.75;

/** `Retry-After` of a 503, s. */
const RETRY_AFTER = 1;

/** Limits of {@linkcode ConcurrencyLimiter} that a service may set. */
export interface RequestLimitsOptions {
  /** Requests under way at the same time, at least 1. @default 2,000, or a third of the files that the process may open if that is less */
  maxRequests?: number;
  /** Longest time until an answer begins, ms. @default {120_000} */
  answerTimeout?: number;
}

/**
 * Refuses a request with too long an address, before anything else of it is read. A body is not refused but ignored: the
 * runtime discards it as it comes.
 *
 * @returns The refusal, with 414; `undefined` if the request is accepted
 */
export function refuseLongAddress({ url }: Request): Response | undefined {
  return url.length <= MAX_URL_LENGTH ? undefined : buildProblem(
    STATUS_CODE.URITooLong,
    `The address has ${url.length} characters, but at most ${MAX_URL_LENGTH} are allowed`,
  );
}

/** Path of a request; "" if its host, and so its address, is not valid. */
export function pathOf({ url }: Request): string {
  return URL.parse(url)?.pathname ?? "";
}

function buildBusy(detail: string): Response {
  return buildProblem(STATUS_CODE.ServiceUnavailable, `${detail}. Try again in ${RETRY_AFTER} s`, {
    "retry-after": String(RETRY_AFTER),
  });
}

/** Limits how many requests are under way in a service, and how long each may take until it is answered. */
export class ConcurrencyLimiter {
  readonly #most: () => number;
  readonly #answerTimeout: number;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #underWay = 0;
  readonly #end = () => void this.#underWay--;
  readonly #shares = new Map<string, number>();

  /** @param options The limits */
  constructor(options: RequestLimitsOptions = {}) {
    const { maxRequests, answerTimeout = ANSWER_TIMEOUT } = options;
    this.#most = () => maxRequests ?? findMaxRequests();
    this.#answerTimeout = answerTimeout;
  }

  /** Requests under way: not answered yet, or their answers not sent to the end. */
  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Counts a request to its licence, until its answer is sent.
   *
   * @returns 503 if the licence already has its share of all requests
   */
  takeShare(serialNumber: string, { completed }: ClientInfo): Response | undefined {
    const active = this.#shares.get(serialNumber) ?? 0;
    if (!completed) return;
    if (active >= LICENCE_SHARE * this.#most()) {
      return buildBusy(`The licence already has ${active} requests in progress`);
    }
    this.#shares.set(serialNumber, active + 1);
    const end = () => void this.#shares.set(serialNumber, this.#shares.get(serialNumber)! - 1);
    completed.then(end, end);
  }

  /**
   * Answers a request within the limits. Health checks are answered even if the service is busy.
   *
   * @param client Reports when the answer is sent; a request of this process has no limits
   * @param answer Makes the answer
   * @returns The answer, or 503 if there are too many or this one takes too long
   */
  run(
    request: Request,
    { completed }: ClientInfo,
    answer: () => Promise<Response>,
  ): Promise<Response> {
    if (!completed) return answer();
    if (this.#underWay >= this.#most() && !HEALTH_PATHS.includes(pathOf(request))) {
      const detail = `The service already has ${this.#underWay} requests in progress, its maximum`;
      return Promise.resolve(buildBusy(detail));
    }
    this.#underWay++;
    completed.then(this.#end, this.#end); // even if the client went away
    return this.#inTime(answer());
  }

  /** Ends all deadlines, because the service answers no more requests. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Work behind a 503 is not stopped: the next request may find it done. Its answer is discarded. */
  #inTime(answer: Promise<Response>): Promise<Response> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        answer.then(({ body }) => body?.cancel()).catch(() => {}); // already logged
        resolve(buildBusy(`Building the answer took longer than ${this.#answerTimeout / 1000} s`));
      }, this.#answerTimeout);
      this.#timers.add(timer);
      const end = () => {
        clearTimeout(timer);
        this.#timers.delete(timer);
      };
      answer.then((made) => (end(), resolve(made)), (error) => (end(), reject(error)));
    });
  }
}
