import { errorText, hideLibraryFrames, visibleLines } from "./error_text.ts";

/**
 * Kind of an error, for code that decides: the words of a message may change. By default it is the name of the class in
 * small letters, without "Error".
 */
export type ErrorCode =
  /** {@linkcode NoDataError}. */
  | "no_data"
  /** {@linkcode NoAccessError}. */
  | "no_access"
  /** The licence, or its key, is no longer valid. */
  | "licence_expired"
  /** The service does not know the key or the account. */
  | "invalid_user"
  /** {@linkcode NotFoundError}. */
  | "not_found"
  /** The service does not deliver the file type. */
  | "invalid_file_type"
  /** {@linkcode TooManyRequestsError}. */
  | "too_many_requests"
  /** The service refuses an argument. */
  | "invalid_argument"
  /** {@linkcode ArgumentError}. */
  | "argument"
  /** {@linkcode ConfigurationError}. */
  | "configuration"
  /** {@linkcode LicenceError}. */
  | "licence"
  /** {@linkcode FileTypeError}. */
  | "file_type"
  /** {@linkcode TimeoutError}. */
  | "timeout"
  /** {@linkcode NetworkError}. */
  | "network"
  /** {@linkcode DataFormatError}. */
  | "data_format"
  /** {@linkcode ServiceError}. */
  | "service"
  /** {@linkcode OrderUncertainError}. */
  | "order_uncertain"
  /** {@linkcode CancelledError}, whose name is "AbortError". */
  | "abort"
  /** {@linkcode OrderFailedError}. */
  | "order_failed"
  /** {@linkcode NotCachedError}. */
  | "not_cached"
  /** {@linkcode DataChangedError}. */
  | "data_changed"
  /** Some turbines of a call failed: `PartialError`. */
  | "partial"
  /** A job of the service was not done. */
  | "job"
  /** {@linkcode VindkitError} itself: a problem of the notebook kernel. */
  | "vindkit"
  /** No file of a folder or an archive has the required name. */
  | "file_names"
  /** A table lacks columns, or two of them have one name. */
  | "columns"
  /** A time is missing, or its format differs from the declared one or from the first time's. */
  | "time_format"
  /** A time zone is missing or unknown, or does not fit the times of a file. */
  | "time_zone"
  /** A time comes after a later one. */
  | "time_order"
  /** A time occurs twice. */
  | "time_repeated"
  /** Two rows of one time have different values. */
  | "values_differ"
  /** The interval between rows differs from the declared one. */
  | "resolution"
  /** A row below a table has a time. */
  /** A value is not a number, or has the wrong decimal mark. */
  | "number"
  /** Values, or the name of their column, have another unit. */
  | "unit"
  /** Climate lacks a variable. */
  | "variable"
  /** Climate points do not surround a place, or are too far away. */
  | "place"
  /** A database and files do not belong together. */
  | "other_files"
  /** Another program has the port. */
  | "port_taken";

/** Facts of an error in addition to its message. They never contain a secret. */
export interface ErrorFacts {
  /** Kind of the problem. @default its class's */
  readonly code?: ErrorCode;
  /** Declared field that is wrong, or that would fix the problem of a file, such as `timeZone`. */
  readonly field?: string;
  /** Line of a text, or row of a sheet or a table, from 1. */
  readonly row?: number;
  /** Name of a column of a file. */
  readonly column?: string;
  /** Value found there. */
  readonly value?: string | number;
  /** Operation of the API during which it happened. */
  readonly operation?: string;
  /** HTTP status of the answer. */
  readonly status?: number;
  /** Address asked, without secrets. */
  readonly url?: string;
  /** Remedy: the last sentence of the message. */
  readonly hint?: string;
  /**
   * The error behind this one; if it has the same class, this one takes its code, field, row, column and value by
   * default.
   */
  readonly cause?: unknown;
}

/** A problem whose place is not known yet. */
export type Problem = readonly [code: ErrorCode, message: string, value?: string];

/**
 * Base of all errors of this library: one class for each case that a caller handles differently, and a code for each
 * thing that can be wrong. Facts that are not known are `undefined`.
 *
 * @example The cell that makes a file unusable
 * ```ts
 * import { readProduction, VindkitError } from "@vindkit/vindkit";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(file, "month;energy\n2023-01;412.5\n2023-02;many\n");
 * const how = { column: "energy", time: "month", resolution: "month", unit: "MWh" } as const;
 * const { code, row, column, value } = await assertRejects(
 *   () => readProduction(file, how),
 *   VindkitError,
 * );
 * assertEquals([code, row, column, value], ["number", 3, "energy", "many"]);
 * await Deno.remove(file);
 * ```
 */
export class VindkitError extends Error {
  /** Declared field that is wrong, or that fixes a file, such as `timeZone`. */
  declare readonly field: string | undefined;
  /** Line of a text, or row of a sheet or a table, from 1. */
  declare readonly row: number | undefined;
  /** Name of a column of a file. */
  declare readonly column: string | undefined;
  /** Value found there. */
  declare readonly value: string | number | undefined;
  /** Operation of the API during which it happened. */
  declare readonly operation: string | undefined;
  /** HTTP status of the answer. */
  declare readonly status: number | undefined;
  /** Address asked, without secrets. */
  declare readonly url: string | undefined;
  /** Remedy: the last sentence of the message. */
  declare readonly hint: string | undefined;

  /**
   * Makes an error. The message is complete: notebooks show nothing else.
   *
   * @param message The failed action and the problem
   * @param facts The remedy, which ends the message; code, place, operation, status, address and cause
   */
  constructor(message: string, facts: ErrorFacts = {}) {
    const { cause, hint, operation, status, url } = facts;
    const hinted = hint && !message.endsWith(hint); // the message of a copied error already has it
    // The message may quote a service, whose text must not control a terminal.
    const complete = visibleLines(
      hinted ? `${message}${/[.?!]$/.test(message) ? "" : "."} ${hint}` : message,
    );
    super(complete, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    // A cause of the same class has the same code and place.
    const behind: ErrorFacts = cause instanceof new.target ? cause : {};
    const { code, field, row, column, value } = { ...behind, ...facts };
    const allFacts = { code, field, row, column, value, operation, status, url, hint };
    // Unknown facts would only clutter the printed error.
    for (const [name, value] of Object.entries(allFacts)) {
      if (value !== undefined) Object.defineProperty(this, name, { value, enumerable: true });
    }
    hideLibraryFrames(this);
  }

  /** Its code; by default the code of its class. */
  get code(): ErrorCode {
    const words = this.name.replace(/Error$/, "").replaceAll(/\B[A-Z]/g, "_$&");
    return words.toLowerCase() as ErrorCode;
  }
}

// Shows an error that is the value of a cell like a thrown one. The symbol is Deno's. `show` declares it too, but this
// folder must not import from there.
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

/** The service has no data for the request. */
export class NoDataError extends VindkitError {}

/** The licence does not cover the request. */
export class NoAccessError extends VindkitError {}

/** The key or the licence is missing, unknown or expired. */
export class LicenceError extends VindkitError {}

/** The service does not know the requested turbine, order or report. */
export class NotFoundError extends VindkitError {}

/** The service does not deliver the requested file type. */
export class FileTypeError extends VindkitError {}

/** The service has too many requests of this licence under way. */
export class TooManyRequestsError extends VindkitError {}

/** A timer ran out: the headers, the body or the whole call took too long. */
export class TimeoutError extends VindkitError {}

/** The service could not be reached, or the answer broke off. */
export class NetworkError extends VindkitError {}

/** The service cannot be reached, and a retry does not help: a certificate, or a refused address. */
export class RefusedConnectionError extends NetworkError {
  override name = "NetworkError"; // the class that callers check for
}

/** A body or a file does not match its format; the message names file, line and column if possible. */
export class DataFormatError extends VindkitError {}

/** The service answered with a status that the API text does not explain. */
export class ServiceError extends VindkitError {}

/** An order was sent and no answer arrived: the service may have it or not. */
export class OrderUncertainError extends VindkitError {}

/** The caller's signal, or Ctrl-C, ended the wait for an order or its download; the cause is the signal's reason. */
export class CancelledError extends VindkitError {
  /** The name of every abort, so one check finds all. */
  override name = "AbortError";
}

/** An order failed: the service no longer knows it, or its file is not available. */
export class OrderFailedError extends VindkitError {}

/** Offline work needs a body that is not in the cache. */
export class NotCachedError extends VindkitError {}

/** A body differs from the one in the data lock: the service has revised its data. */
export class DataChangedError extends VindkitError {}

/** Error class by the meaning of a status. */
export const errorOfMeaning = {
  no_data: NoDataError,
  no_access: NoAccessError,
  licence_expired: LicenceError,
  invalid_user: LicenceError,
  not_found: NotFoundError,
  invalid_file_type: FileTypeError,
  too_many_requests: TooManyRequestsError,
  invalid_argument: ArgumentError,
} as const satisfies Partial<Record<ErrorCode, typeof VindkitError>>;

/** Meaning of an error status for the caller. */
export type Meaning = keyof typeof errorOfMeaning;
