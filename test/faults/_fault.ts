import type { OperationId } from "../../src/api/operations/operation.ts";

/** Target of a request: an operation, or the file of a climate order at its download address. */
export type RequestKind = OperationId | "order_file";

/** Closes the connection without an answer; the request does not reach the service. */
export interface ResetAct {
  /** Name of the act. */
  kind: "reset";
}

/** Lets the service do its work, then closes the connection without an answer. */
export interface LoseAnswerAct {
  /** Name of the act. */
  kind: "lose_answer";
}

/** Answers correctly up to some point, then sends nothing until the client goes away or the service closes. */
export interface StallAct {
  /** Name of the act. */
  kind: "stall";
  /** Before the headers, or after half of the body. */
  where: "headers" | "body";
}

/** Cuts the body off. */
export interface CutAct {
  /** Name of the act. */
  kind: "cut";
  /**
   * Framing of the body, which decides whether the cut is visible: `close` has no length and ends like a complete body,
   * `length` announces more than it sends, `chunked` ends within a chunk, `gzip` ends within the compressed stream.
   */
  framing: "close" | "length" | "chunked" | "gzip";
  /**
   * Share of the body that is sent, from 0 to 1; of the compressed body for `gzip`. With 1 `close` and `gzip` are complete,
   * `length` and `chunked` still lack their end. @default {0.5}
   */
  at?: number;
}

/** Answers with a status; the request does not reach the service. */
export interface StatusAct {
  /** Name of the act. */
  kind: "status";
  /** Status, from 200 to 599. */
  status: number;
  /** Headers, such as `retry-after`. @default {{}} */
  headers?: Record<string, string>;
  /** Body. @default {""} */
  body?: string;
}

/** Redirects the client; the request does not reach the service. */
export interface RedirectAct {
  /** Name of the act. */
  kind: "redirect";
  /** `Location`, unchanged: relative, or of another origin. */
  to: string;
  /** Status, from 300 to 399. @default {302} */
  status?: number;
}

/** Replaces the body. */
export interface BodyAct {
  /** Name of the act. */
  kind: "body";
  /** The body, or a function that makes it from the service's own. */
  body:
    | string
    | Uint8Array
    | ((honest: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>);
  /** Headers that replace the service's own, `content-length` too. @default {{}} */
  headers?: Record<string, string>;
  /** Status, from 200 to 599. @default the service's own */
  status?: number;
}

/** Answers correctly, after a pause. */
export interface SlowAct {
  /** Name of the act. */
  kind: "slow";
  /** Length of the pause. */
  milliseconds: number;
}

/** Answers correctly, in small parts. */
export interface TrickleAct {
  /** Name of the act. */
  kind: "trickle";
  /** Size of a part. */
  bytes: number;
  /** Pause between two parts. */
  milliseconds: number;
}

/** Answers a range wrongly. `unasked` affects only requests without a `Range` header, the others only requests with one. */
export interface RangeAct {
  /** Name of the act. */
  kind: "range";
  /**
   * `ignore`: 200 with the whole. `wrong_offset`: 206 with another part than the requested one, and its `Content-Range`.
   * `changed`: 200 with the whole and another `ETag`, as if there were a new file. `unsatisfiable`: 416. `unasked`: 206
   * with the first half.
   */
  how: "ignore" | "wrong_offset" | "changed" | "unsatisfiable" | "unasked";
}

/** Act of a faulty service on a request. */
export type FaultAct =
  | ResetAct
  | LoseAnswerAct
  | StallAct
  | CutAct
  | StatusAct
  | RedirectAct
  | BodyAct
  | SlowAct
  | TrickleAct
  | RangeAct;

/**
 * A fault: the affected requests, and the act on them. The first matching fault affects a request; later faults do not
 * count it.
 */
export interface Fault {
  /** Requests it affects. @default all, unknown paths too */
  on?: RequestKind;
  /** Number of such requests that are answered correctly first. @default {0} */
  after?: number;
  /** Number of requests after them that the fault affects; `Infinity` for all. @default {1} */
  times?: number;
  /** The act on them. */
  act: FaultAct;
}
