import type { Meaning } from "../errors.ts";
import type { OperationDeclaration, OperationError } from "./operation_declaration.ts";
import { type ResponseHeader, retryAfterHeader } from "./response_headers.ts";

/** Contact that replaces <SALES_CONTACT_EMAIL> of the API text; each service sets its own. */
export const CONTACT = "the provider of this service";

/** An error of the API text. */
export function documented(status: number, meaning: Meaning, condition: string): OperationError {
  return { status, meaning, condition, tag: "documented" };
}

/** 401 of every operation that needs a key. */
export const expired: OperationError = documented(
  401,
  "licence_expired",
  "license or token expired",
);

/** 400 of the operations that answer with data. */
export const noData: OperationError = documented(400, "no_data", "no data found");

/** 403 of the climate operations on a dataset. */
export const noAccess: OperationError = documented(
  403,
  "no_access",
  "no access to the requested resource",
);

/** 404 with the condition of the operation. */
export function notFound(
  condition: string,
  meaning: "not_found" | "no_data" | "no_access",
): OperationError {
  return documented(404, meaning, condition);
}

/** 405 of the operations with a file type. */
export const invalidFileType: OperationError = documented(
  405,
  "invalid_file_type",
  "invalid filetype requested",
);

/** 406 of the operation that delivers files. */
export const tooManyRequests: OperationError = documented(
  406,
  "too_many_requests",
  "too many active requests",
);

/** 429 of every operation: our service limits failed attempts to get access, others may limit more. */
export const tooManyAttempts: OperationError = {
  status: 429,
  meaning: "too_many_requests",
  condition: "too many requests, or too many failed access attempts",
  tag: "ours",
};

/** 422 of every operation: the API text has no status for a forbidden value. */
export const invalidArgument: OperationError = {
  status: 422,
  meaning: "invalid_argument",
  condition: "a parameter is missing, unknown or given twice, or its value is not allowed",
  tag: "ours",
};

/** A status that any request may get from our service. */
export interface ServiceStatus {
  /** HTTP status. */
  readonly status: number;
  /** The condition in words. */
  readonly condition: string;
  /** Headers that go with it. */
  readonly headers: readonly ResponseHeader[];
}

/** The statuses that any request may get; all of them are *ours*. */
export const serviceStatuses: readonly ServiceStatus[] = [
  { status: 414, condition: "the address is too long", headers: [] },
  { status: 421, condition: "the service does not answer to this host name", headers: [] },
  {
    status: 500,
    condition: "an internal error; the service's log has the details",
    headers: [],
  },
  {
    status: 503,
    condition: "the service is too busy, or the answer takes too long",
    headers: [retryAfterHeader],
  },
];

/** Meaning of statuses in operations for which the API text does not list them. */
const assumedErrors: readonly OperationError[] = [
  { ...expired, tag: "assumed" },
  { ...noAccess, tag: "assumed" },
  { ...tooManyRequests, tag: "assumed" },
];

/** Meaning of an error status in an operation; `undefined` for an undeclared status. */
export function errorOfStatus(
  operation: OperationDeclaration,
  status: number,
): OperationError | undefined {
  const hasStatus = (error: OperationError) => error.status === status;
  return operation.errors.find(hasStatus) ?? assumedErrors.find(hasStatus);
}
