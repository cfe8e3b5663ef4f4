import { errorText, hideLibraryFrames, visibleLines } from "./error_text.ts";

/**
 * What an error is about, for code that decides: the words of a message may change. Where nothing finer is known it is the
 * class: its name in small letters, without "Error".
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
  /** {@linkcode VindkitError} itself: something of the notebook kernel. */
  | "vindkit"
  /** No file of a folder or an archive has a name that is wanted. */
  | "file_names"
  /** A table lacks columns, or two of them have one name. */
  | "columns"
  /** A time is missing, or has another form than is declared or than the first one has. */
  | "time_format"
  /** A time zone is missing or unknown, or the times of a file are not of it. */
  | "time_zone"
  /** A time comes after a later one. */
  | "time_order"
  /** A time occurs twice. */
  | "time_repeated"
  /** Two rows of one time have different values. */
  | "values_differ"
  /** Rows are not as far apart as is declared. */
  | "resolution"
  /** A row below a table has a time. */
  /** A value is not a number, by its decimal mark or at all. */
  | "number"
  /** Values, or the name of their column, are of another unit. */
  | "unit"
  /** Climate lacks a variable. */
  | "variable"
  /** Climate points do not surround a place, or are too far away. */
  | "place"
  /** A database and files do not belong together. */
  | "other_files"
  /** Another program has the port. */
  | "port_taken";

/** Facts that an error carries in addition to its message. None of them ever holds a secret. */
export interface ErrorFacts {
  /** Kind of the problem. @default its class's */
  readonly code?: ErrorCode;
  /** Declared field that is wrong, or that fixes a file, such as `timeZone`. */
  readonly field?: string;
  /** Line of a text, or row of a sheet or a table, from 1. */
  readonly row?: number;
  /** Name of a column of a file. */
  readonly column?: string;
  /** What was found there. */
  readonly value?: string | number;
  /** Operation of the API during which it happened. */
  readonly operation?: string;
  /** HTTP status of the answer. */
  readonly status?: number;
  /** Address asked, without secrets. */
  readonly url?: string;
  /** What to do next: the last sentence of the message. */
  readonly hint?: string;
  /**
   * The error behind this one; if it has the same class, this one takes its code, field, row, column and value by
   * default.
   */
  readonly cause?: unknown;
}

/** What is wrong, before its place is known. */
export type Problem = readonly [code: ErrorCode, found: string, value?: string];

/**
 * Base of all errors of this library: one class for each case that a caller handles differently, and a code for each
 * thing that can be wrong. Facts that are not known are `undefined`.
 *
 * @example The cell that a file is refused for
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
  /** What was found there. */
  declare readonly value: string | number | undefined;
  /** Operation of the API during which it happened. */
  declare readonly operation: string | undefined;
  /** HTTP status of the answer. */
  declare readonly status: number | undefined;
  /** Address asked, without secrets. */
  declare readonly url: string | undefined;
  /** What to do next: the last sentence of the message. */
  declare readonly hint: string | undefined;

  /**
   * Makes an error. The message is complete: notebooks show nothing else.
   *
   * @param message What was tried and what was found
   * @param facts What to do next, which ends the message; code, place, operation, status, address and cause
   */
  constructor(message: string, facts: ErrorFacts = {}) {
    const { cause, hint, operation, status, url } = facts;
    const hinted = hint && !message.endsWith(hint); // a copy of an error has its message
    // The message may quote a service, and nothing that a service sent may control a terminal.
    const whole = visibleLines(
      hinted ? `${message}${/[.?!]$/.test(message) ? "" : "."} ${hint}` : message,
    );
    super(whole, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    // An error with a cause of its own class is about the same thing.
    const behind: ErrorFacts = cause instanceof new.target ? cause : {};
    const { code, field, row, column, value } = { ...behind, ...facts };
    const known = { code, field, row, column, value, operation, status, url, hint };
    // Unknown facts would only be in the way when the error is printed.
    for (const [name, value] of Object.entries(known)) {
      if (value !== undefined) Object.defineProperty(this, name, { value, enumerable: true });
    }
    hideLibraryFrames(this);
  }

  /** What it is about: that of its class, where nothing finer was given. */
  get code(): ErrorCode {
    const words = this.name.replace(/Error$/, "").replaceAll(/\B[A-Z]/g, "_$&");
    return words.toLowerCase() as ErrorCode;
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
  /** As that of every abort, so one check finds all. */
  override name = "AbortError";
}

/** An order came to nothing: the service does not know it any more, or its file cannot be had. */
export class OrderFailedError extends VindkitError {}

/** Offline work needs a body that is not in the cache. */
export class NotCachedError extends VindkitError {}

/** A body is not the one that the data lock has: the service has revised its data. */
export class DataChangedError extends VindkitError {}

/** The class of what an error status means for the caller. */
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

/** What an error status means for the caller. */
export type Meaning = keyof typeof errorOfMeaning;
