/**
 * Typed door to `@std/http/status`: the npm build of the same sources, which carries no types.
 *
 * @module
 */
import { STATUS_CODE as codes, STATUS_TEXT as texts } from "deno-std/http/status.js";

/** The status codes this project uses, by name. */
export interface StatusCodes {
  /** 200 */
  readonly OK: 200;
  /** 206 */
  readonly PartialContent: 206;
  /** 304 */
  readonly NotModified: 304;
  /** 400 */
  readonly BadRequest: 400;
  /** 401 */
  readonly Unauthorized: 401;
  /** 403 */
  readonly Forbidden: 403;
  /** 404 */
  readonly NotFound: 404;
  /** 405 */
  readonly MethodNotAllowed: 405;
  /** 406 */
  readonly NotAcceptable: 406;
  /** 408 */
  readonly RequestTimeout: 408;
  /** 414 */
  readonly URITooLong: 414;
  /** 416 */
  readonly RangeNotSatisfiable: 416;
  /** 422 */
  readonly UnprocessableEntity: 422;
  /** 429 */
  readonly TooManyRequests: 429;
  /** 500 */
  readonly InternalServerError: 500;
  /** 503 */
  readonly ServiceUnavailable: 503;
}

/** Status codes by name. */
export const STATUS_CODE: StatusCodes = codes;

/** Reason phrases by status code. */
export const STATUS_TEXT: Readonly<Record<number, string>> = texts;
