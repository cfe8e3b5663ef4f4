import { ConfigurationError } from "../../api/errors.ts";

/** Status of an answer of the store; `undefined` if none came. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** Whether an object is missing, or has another content than was requested. */
export function isAbsent(error: unknown): boolean {
  const { name } = error as Error;
  return statusOf(error) === 412 || statusOf(error) === 404 && /^(NoSuchKey|NotFound)$/.test(name);
}

/** Codes of refusals that may pass: a body was damaged or cut on its way, or the object was being written by another. */
const PASSING_CODES = new Set([
  "BadDigest",
  "ConditionalRequestConflict",
  "IncompleteBody",
  "RequestTimeout",
  "XAmzContentChecksumMismatch",
  "XAmzContentSHA256Mismatch",
]);

/** Whether the certificate of the store is of nobody whom this process trusts. */
function isUntrusted(error: unknown): boolean {
  return statusOf(error) === undefined && /certificate/i.test((error as Error).message);
}

/** Whether a failed request is worth another try: the store is busy or away, or what was sent did not arrive whole. */
export function isWorthRetry(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof Deno.errors.NotCapable) return false;
  if (isUntrusted(error)) return false;
  const status = statusOf(error);
  if (status === undefined || status < 400 || PASSING_CODES.has((error as Error).name)) {
    return true;
  }
  return status === 408 || status === 429 || status >= 500 && status !== 501;
}

/** What came of a request, in words: neither headers nor credentials. */
export function describeStoreError(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  const status = statusOf(error);
  return status === undefined || status < 400
    ? `${code ?? name}: ${message}`
    : `the store answered ${status} (${name})`;
}

/** The error of a request that was refused and would be refused again. */
export function refusedByStore(what: string, error: unknown): Error {
  const advice = isUntrusted(error)
    ? "Name the file with the certificates of the store in AWS_CA_BUNDLE"
    : statusOf(error) === undefined
    ? "Check the permissions of this process"
    : "Check AWS_ENDPOINT_URL, AWS_REGION, the credentials and the rights of their account";
  return new ConfigurationError(`Cannot ${what}: ${describeStoreError(error)}. ${advice}`);
}
