import { ConfigurationError } from "../../api/errors.ts";

/** Status of the store's answer; `undefined` if none came. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** Whether an object is missing, or has another content than was requested. */
export function isAbsent(error: unknown): boolean {
  const { name } = error as Error;
  return statusOf(error) === 412 || statusOf(error) === 404 && /^(NoSuchKey|NotFound)$/.test(name);
}

/** Codes of passing refusals: a body was damaged or cut on its way, or another client was writing the object. */
const PASSING_CODES = new Set([
  "BadDigest",
  "ConditionalRequestConflict",
  "IncompleteBody",
  "RequestTimeout",
  "XAmzContentChecksumMismatch",
  "XAmzContentSHA256Mismatch",
]);

/** Whether this process does not trust the certificate of the store. */
function isUntrusted(error: unknown): boolean {
  return statusOf(error) === undefined && /certificate/i.test((error as Error).message);
}

/** Whether to retry a failed request: the store is busy or unreachable, or the body arrived incomplete. */
export function isWorthRetry(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof Deno.errors.NotCapable) return false;
  if (isUntrusted(error)) return false;
  const status = statusOf(error);
  if (status === undefined || status < 400 || PASSING_CODES.has((error as Error).name)) {
    return true;
  }
  return status === 408 || status === 429 || status >= 500 && status !== 501;
}

/** Describes the result of a request, without headers and credentials. */
export function describeStoreError(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  const status = statusOf(error);
  return status === undefined || status < 400
    ? `${code ?? name}: ${message}`
    : `the store answered ${status} (${name})`;
}

/** The error of a request that the store would refuse again. */
export function refusedByStore(action: string, error: unknown): Error {
  const advice = isUntrusted(error)
    ? "Name the file with the certificates of the store in AWS_CA_BUNDLE"
    : statusOf(error) === undefined
    ? "Check the permissions of this process"
    : "Check AWS_ENDPOINT_URL, AWS_REGION, the credentials and the rights of the account";
  return new ConfigurationError(`Cannot ${action}: ${describeStoreError(error)}. ${advice}`);
}
