import type { Operation } from "../../api/operations/operation.ts";
import { CONTACT } from "../../api/operations/operation_errors.ts";
import { allowHeader, authenticateHeader } from "../../api/operations/response_headers.ts";
import type { Refusal } from "../../storage/jobs/refusal.ts";
import { visibleText } from "../../api/error_text.ts";
import { DamagedFileError } from "../../disk/files.ts";
import { logFailure } from "../../storage/failures/failure_log.ts";
import { isStatus, STATUS_CODE, STATUS_TEXT } from "@std/http/status";

/** Header of a 405 if GET changes nothing. */
const ALLOW = { [allowHeader.name]: "GET, HEAD" };

/** Header of a 405 if GET changes something. */
const ALLOW_GET = { [allowHeader.name]: "GET" };

const CHALLENGE = { [authenticateHeader.name]: "ApiKey" };

/** Error body, RFC 9457. */
export function buildProblem(
  status: number,
  detail: string,
  headers: Record<string, string> = {},
): Response {
  const title = isStatus(status) ? STATUS_TEXT[status] : undefined;
  return Response.json(
    { type: "about:blank", title, status, detail: visibleText(detail) },
    {
      status,
      headers: {
        ...(status === STATUS_CODE.Unauthorized ? CHALLENGE : {}),
        ...headers,
        "content-type": "application/problem+json",
        "cache-control": "no-store",
      },
    },
  );
}

/**
 * Refuses the method of a request.
 *
 * @param changes Whether a GET of the same address changes something
 */
export function refuseMethod(method: string, changes: boolean): Response {
  return buildProblem(
    STATUS_CODE.MethodNotAllowed,
    `${method.slice(0, 20)} is not allowed here. Use ` +
      (changes ? "GET. HEAD is not allowed because this call changes something" : "GET or HEAD"),
    changes ? ALLOW_GET : ALLOW,
  );
}

/**
 * Builds the answer to a refusal, with the status that the contract gives its meaning in this operation.
 *
 * @param contact Whom to contact for a licence, if the condition names a contact
 */
export function buildRefusal(
  refusal: Refusal,
  operation: Operation,
  contact: string = CONTACT,
): Response {
  const declared = operation.errors.find(({ meaning, status }) =>
    meaning === refusal.meaning && status === (refusal.status ?? status)
  );
  if (!declared) {
    throw new Error(
      `Cannot answer with the error "${refusal.meaning}": ${operation.id} does not declare it`,
    );
  }
  const { retryAfter } = refusal;
  const condition = declared.condition.replaceAll(CONTACT, () => contact);
  return buildProblem(declared.status, `${condition}: ${refusal.message}`, {
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    // RFC 9110 requires it in each 405, even if the file type is the problem.
    ...(declared.status === STATUS_CODE.MethodNotAllowed
      ? operation.changes ? ALLOW_GET : ALLOW
      : {}),
  });
}

/** `Retry-After` if the cause may pass by itself, s. */
const PASSING_RETRY_AFTER = 10;

/**
 * Builds the answer to a fault of the service, and logs it. Only the log names the cause.
 *
 * @param passes Whether its cause may pass by itself
 */
export function buildFault(error: unknown, passes: boolean): Response {
  logFailure("", error, { passes }); // the message of a passing fault is enough without the place that noticed it
  if (error instanceof DamagedFileError) {
    const problem = "A stored file is damaged; the log of the service names it";
    return buildProblem(STATUS_CODE.InternalServerError, problem);
  }
  return passes
    ? buildProblem(
      STATUS_CODE.ServiceUnavailable,
      "The service cannot read or store its data at the moment; its log names the cause",
      { "retry-after": String(PASSING_RETRY_AFTER) },
    )
    : buildProblem(STATUS_CODE.InternalServerError, "The service failed; its log names the cause");
}
