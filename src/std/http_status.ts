/**
 * Typed door to `@std/http/status`: the npm build of the same sources, which carries no types.
 *
 * @module
 */
import {
  isStatus as untypedIsStatus,
  STATUS_CODE as codes,
  STATUS_TEXT as texts,
} from "deno-std/http/status.js";

/** Status codes by name. */
export const STATUS_CODE: {
  readonly Continue: 100;
  readonly SwitchingProtocols: 101;
  readonly Processing: 102;
  readonly EarlyHints: 103;
  readonly OK: 200;
  readonly Created: 201;
  readonly Accepted: 202;
  readonly NonAuthoritativeInfo: 203;
  readonly NoContent: 204;
  readonly ResetContent: 205;
  readonly PartialContent: 206;
  readonly MultiStatus: 207;
  readonly AlreadyReported: 208;
  readonly IMUsed: 226;
  readonly MultipleChoices: 300;
  readonly MovedPermanently: 301;
  readonly Found: 302;
  readonly SeeOther: 303;
  readonly NotModified: 304;
  readonly UseProxy: 305;
  readonly TemporaryRedirect: 307;
  readonly PermanentRedirect: 308;
  readonly BadRequest: 400;
  readonly Unauthorized: 401;
  readonly PaymentRequired: 402;
  readonly Forbidden: 403;
  readonly NotFound: 404;
  readonly MethodNotAllowed: 405;
  readonly NotAcceptable: 406;
  readonly ProxyAuthRequired: 407;
  readonly RequestTimeout: 408;
  readonly Conflict: 409;
  readonly Gone: 410;
  readonly LengthRequired: 411;
  readonly PreconditionFailed: 412;
  readonly ContentTooLarge: 413;
  readonly URITooLong: 414;
  readonly UnsupportedMediaType: 415;
  readonly RangeNotSatisfiable: 416;
  readonly ExpectationFailed: 417;
  readonly Teapot: 418;
  readonly MisdirectedRequest: 421;
  readonly UnprocessableEntity: 422;
  readonly Locked: 423;
  readonly FailedDependency: 424;
  readonly TooEarly: 425;
  readonly UpgradeRequired: 426;
  readonly PreconditionRequired: 428;
  readonly TooManyRequests: 429;
  readonly RequestHeaderFieldsTooLarge: 431;
  readonly UnavailableForLegalReasons: 451;
  readonly InternalServerError: 500;
  readonly NotImplemented: 501;
  readonly BadGateway: 502;
  readonly ServiceUnavailable: 503;
  readonly GatewayTimeout: 504;
  readonly HTTPVersionNotSupported: 505;
  readonly VariantAlsoNegotiates: 506;
  readonly InsufficientStorage: 507;
  readonly LoopDetected: 508;
  readonly NotExtended: 510;
  readonly NetworkAuthenticationRequired: 511;
} = codes;

/** A status code that has a name. */
export type StatusCode = typeof STATUS_CODE[keyof typeof STATUS_CODE];

/** Reason phrases by status code. */
export const STATUS_TEXT: Readonly<Record<StatusCode, string>> = texts;

/** Whether a number is a status code that has a name. */
export const isStatus: (status: number) => status is StatusCode = untypedIsStatus;
