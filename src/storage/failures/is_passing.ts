/** A failure that may pass by itself or by the operator's doing, such as an object store that does not answer. */
export class PassingError extends Error {
  readonly passes = true;

  /** @param message What was tried, what was found and what to do next */
  constructor(message: string) {
    super(message);
    this.name = "PassingError";
  }
}

/**
 * Codes of the system where a disk, a quota, memory or a table of open files is full, a device is busy or fails, or another
 * machine cannot be reached.
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
 * Primary codes of SQLite for the same: BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN (also without free
 * descriptors).
 */
const SQLITE_CODES = new Set([5, 6, 7, 8, 10, 13, 14]);

/** Their messages: node:sqlite passes on the code of some calls only. */
const SQLITE_MESSAGES =
  /database or disk is full|disk I\/O error|database (table |schema )?is locked|out of memory|attempt to write a readonly database|unable to open database file/;

/**
 * SQLSTATE of PostgreSQL for the same: classes 08 (connection), 53 (resources), 57P (stop and start), 58 (system), and a lock
 * or a time that ran out, a transaction that lost, a damaged page.
 */
const SQLSTATES = /^(08|53|58)[0-9A-Z]{3}$|^57P0[123]$|^(25P03|40001|40P01|55P03|57014|XX00[12])$/;

/** Messages of its client where a connection is lost, none is free, or an answer does not come: they have no code. */
const POSTGRES_MESSAGES =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered a connection error)/;

/**
 * Whether a failure may pass by itself or by the operator's doing, so that the same work is worth another try later: no
 * space, an I/O error, a busy database, a server that restarts or does not answer, no free file descriptor, or a damaged
 * file, which may be put back. Causes count.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("passes" in error) return error.passes === true; // it says so itself, as that of a job does
  if ("code" in error) {
    const code = String(error.code);
    if (CODES.has(code) || SQLSTATES.test(code)) return true;
    // The socket of a server that restarts; any other file that is missing was named wrongly.
    if (code === "ENOENT" && "syscall" in error && error.syscall === "connect") return true;
    if (code === "ERR_SQLITE_ERROR") {
      const primary = "errcode" in error ? Number(error.errcode) & 0xff : 0; // extended codes end with it
      if (SQLITE_CODES.has(primary) || SQLITE_MESSAGES.test(error.message)) return true;
    }
  } else if (POSTGRES_MESSAGES.test(error.message)) return true;
  return isPassing(error.cause);
}
