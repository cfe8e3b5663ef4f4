import { errorText, hideLibraryFrames } from "./error_text.ts";
import { visibleLines } from "./visible_text.ts";

/** Facts that an error carries beside its message. None of them ever holds a secret. */
export interface ErrorFacts {
  /** Operation of the API during which it happened. */
  readonly operation?: string;
  /** HTTP status of the answer. */
  readonly status?: number;
  /** Address asked, without secrets. */
  readonly url?: string;
  /** What to do next: the last sentence of the message. */
  readonly hint?: string;
  /** The error behind this one. */
  readonly cause?: unknown;
}

/** Base of all errors of this library: one class for each thing a caller does something different about. */
export class VindkitError extends Error {
  /** Operation of the API during which it happened. */
  readonly operation: string | undefined;
  /** HTTP status of the answer. */
  readonly status: number | undefined;
  /** Address asked, without secrets. */
  readonly url: string | undefined;
  /** What to do next: the last sentence of the message. */
  readonly hint: string | undefined;

  /**
   * Makes an error. The message is complete: notebooks show nothing else.
   *
   * @param message What was tried and what was found
   * @param facts What to do next, which ends the message; operation, status, address and cause
   */
  constructor(message: string, facts: ErrorFacts = {}) {
    const { cause, hint } = facts;
    // It may quote what a service sent: nothing of that is to steer a terminal.
    const whole = visibleLines(
      hint ? `${message}${/[.?!]$/.test(message) ? "" : "."} ${hint}` : message,
    );
    super(whole, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.operation = facts.operation;
    this.status = facts.status;
    this.url = facts.url;
    this.hint = hint;
    // Printed, facts that are not known would only be in the way.
    for (const name of ["operation", "status", "url", "hint"] as const) {
      if (this[name] === undefined) Object.defineProperty(this, name, { enumerable: false });
    }
    hideLibraryFrames(this);
  }
}

// An error that is the value of a cell is shown like one that is thrown. The symbol is Deno's; `show` names it as well,
// from where nothing may be imported here.
Object.defineProperty(VindkitError.prototype, Symbol.for("Jupyter.display"), {
  value(this: VindkitError) {
    return { "text/plain": errorText(this) };
  },
  configurable: true,
});

/** An argument is out of its bounds or malformed; nothing was sent or changed. */
export class ArgumentError extends VindkitError {}

/** The connection is not usable as configured: key without address, unreadable file, unknown data directory. */
export class ConfigurationError extends VindkitError {}

/** The service has no data for what was asked. */
export class NoDataError extends VindkitError {}

/** The licence does not cover what was asked. */
export class NoAccessError extends VindkitError {}

/** The key or the licence is missing, unknown or expired. */
export class LicenceError extends VindkitError {}

/** The service does not know what was asked for: a turbine, an order, a report. */
export class NotFoundError extends VindkitError {}

/** The service does not deliver the file type asked for. */
export class FileTypeError extends VindkitError {}

/** The service has too many requests of this licence under way. */
export class TooManyRequestsError extends VindkitError {}

/** A timer ran out: the headers, the body or the whole call took too long. */
export class TimeoutError extends VindkitError {}

/** The service could not be reached, or the answer broke off. */
export class NetworkError extends VindkitError {}

/** The service cannot be reached, and asking again does not help: a certificate, or an address that is refused. */
export class RefusedConnectionError extends NetworkError {
  override name = "NetworkError"; // the class that callers check for
}

/** A body or a file is not what its format promises; the message names file, line and column where there are such. */
export class DataFormatError extends VindkitError {}

/** The service answered with a status that the API text does not explain. */
export class ServiceError extends VindkitError {}

/** An order was sent and no answer arrived: the service may have it or not. */
export class OrderUncertainError extends VindkitError {}

/** The caller's signal, or Ctrl-C, ended the wait for an order or its download; the cause is the signal's reason. */
export class CancelledError extends VindkitError {
  /** As that of every abort, so that one check finds all. */
  override name = "AbortError";
}

/** An order came to nothing: the service does not know it any more, or its file cannot be had. */
export class OrderFailedError extends VindkitError {}

/** Offline work needs a body that is not in the cache. */
export class NotCachedError extends VindkitError {}

/** A body is not the one that the data lock has: the service has revised its data. */
export class DataChangedError extends VindkitError {}

/** What an error status means for the caller. */
export type Meaning =
  | "no_data"
  | "no_access"
  | "licence_expired"
  | "invalid_user"
  | "not_found"
  | "invalid_file_type"
  | "too_many_requests"
  | "invalid_argument";

/** The class of a meaning. */
export const errorOfMeaning: Readonly<Record<Meaning, typeof VindkitError>> = {
  no_data: NoDataError,
  no_access: NoAccessError,
  licence_expired: LicenceError,
  invalid_user: LicenceError,
  not_found: NotFoundError,
  invalid_file_type: FileTypeError,
  too_many_requests: TooManyRequestsError,
  invalid_argument: ArgumentError,
};
