import type { OperationDeclaration, OperationError } from "./operation_declaration.ts";
import { type ResponseHeader, retryAfterHeader } from "./response_headers.ts";

/** Contact named where the API text says <SALES_CONTACT_EMAIL>; each service has its own. */
export const CONTACT = "the provider of this service";

/** 401 of every operation that needs a key. */
export const expired: OperationError = {
  status: 401,
  meaning: "licence_expired",
  condition: "license or token expired",
  tag: "documented",
};

/** 400 of the operations that answer with data. */
export const noData: OperationError = {
  status: 400,
  meaning: "no_data",
  condition: "no data found",
  tag: "documented",
};

/** 403 of the climate operations on a dataset. */
export const noAccess: OperationError = {
  status: 403,
  meaning: "no_access",
  condition: "no access to the requested resource",
  tag: "documented",
};

/** 404 with the condition of the operation. */
export function notFound(
  condition: string,
  meaning: "not_found" | "no_data" | "no_access",
): OperationError {
  return { status: 404, meaning, condition, tag: "documented" };
}

/** 405 of the operations with a file type. */
export const invalidFileType: OperationError = {
  status: 405,
  meaning: "invalid_file_type",
  condition: "invalid filetype requested",
  tag: "documented",
};

/** 406 of the operation that delivers files. */
export const tooManyRequests: OperationError = {
  status: 406,
  meaning: "too_many_requests",
  condition: "too many active requests",
  tag: "documented",
};

/** 429 of every operation: our service limits failed attempts to get access, others may limit more. */
export const tooManyAttempts: OperationError = {
  status: 429,
  meaning: "too_many_requests",
  condition: "too many requests, such as failed attempts to get access",
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
  { status: 421, condition: "the host is not a name of the service", headers: [] },
  { status: 500, condition: "a fault of the service itself; its log says which", headers: [] },
  {
    status: 503,
    condition: "the service is too busy, or the answer takes too long",
    headers: [retryAfterHeader],
  },
];

/** What a status means in an operation for which the API text does not list it. */
const assumedErrors: readonly OperationError[] = [
  { ...expired, tag: "assumed" },
  { ...noAccess, tag: "assumed" },
  { ...tooManyRequests, tag: "assumed" },
];

/** What an error status means in an operation; `undefined` for a status that neither the text nor we declare. */
export function errorOfStatus(
  operation: OperationDeclaration,
  status: number,
): OperationError | undefined {
  const same = (error: OperationError) => error.status === status;
  return operation.errors.find(same) ?? assumedErrors.find(same);
}
