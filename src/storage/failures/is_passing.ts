/** A failure that may pass by itself or by the operator's doing, such as an object store that does not answer. */
export class PassingError extends Error {
  readonly passes = true;

  /** @param message The attempt, the problem and the remedy */
  constructor(message: string) {
    super(message);
    this.name = "PassingError";
  }
}

/**
 * System error codes: a full disk, quota, memory or file table, a busy or failing device, an unreachable machine.
 */
const CODES = new Set([
  "EAGAIN",
  "EAI_AGAIN",
  "EBUSY",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EDQUOT",
  "EHOSTUNREACH",
  "EIO",
  "EMFILE",
  "ENETUNREACH",
  "ENFILE",
  "ENOMEM",
  "ENOSPC",
  "ENOTFOUND",
  "EPIPE",
  "EROFS",
  "ESTALE",
  "ETIMEDOUT",
]);

/**
 * SQLite's primary codes for these: BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN (also without free
 * descriptors).
 */
const SQLITE_CODES = new Set([5, 6, 7, 8, 10, 13, 14]);

/** Their messages, because node:sqlite passes on the code of only some calls. */
const SQLITE_MESSAGES =
  /database or disk is full|disk I\/O error|database (table |schema )?is locked|out of memory|attempt to write a readonly database|unable to open database file/;

/**
 * PostgreSQL's SQLSTATE codes for these: classes 08 (connection), 53 (resources), 57P (stop and start), 58 (system),
 * and timeouts, lock timeouts, serialization failures, damaged pages.
 */
const SQLSTATES = /^(08|53|58)[0-9A-Z]{3}$|^57P0[123]$|^(25P03|40001|40P01|55P03|57014|XX00[12])$/;

/** Messages of its client without a code: a connection is lost, none is free, or a query times out. */
const POSTGRES_MESSAGES =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered a connection error)/;

/**
 * Whether a failure may pass by itself or by the operator's doing, so the same work is worth another try: no space, an
 * I/O error, a busy database, a server that restarts or does not answer, no free file descriptor, or a damaged file,
 * which may be restored. Also checks the causes of the error.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("passes" in error) return error.passes === true; // the error states it, as job errors do
  if ("code" in error) {
    const code = String(error.code);
    if (CODES.has(code) || SQLSTATES.test(code)) return true;
    // The socket of a restarting server; any other missing file has a wrong name.
    if (code === "ENOENT" && "syscall" in error && error.syscall === "connect") return true;
    if (code === "ERR_SQLITE_ERROR") {
      const primary = "errcode" in error ? Number(error.errcode) & 0xff : 0; // the low byte of extended codes
      if (SQLITE_CODES.has(primary) || SQLITE_MESSAGES.test(error.message)) return true;
    }
  } else if (POSTGRES_MESSAGES.test(error.message)) return true;
  return isPassing(error.cause);
}
