import { DamagedFileError } from "../../disk/damaged_file.ts";
import { PassingError } from "./passing_error.ts";

/** Codes of the system where a disk, a quota, memory or a table of open files is full, or a device is busy or fails. */
const CODES = new Set([
  "EAGAIN",
  "EBUSY",
  "EDQUOT",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ENOSPC",
  "ESTALE",
  "ETIMEDOUT",
]);

/** Primary codes of SQLite for the same: BUSY, LOCKED, NOMEM, IOERR, FULL, CANTOPEN (also without free descriptors). */
const SQLITE_CODES = new Set([5, 6, 7, 10, 13, 14]);

/** Their messages: node:sqlite passes on the code of some calls only. */
const SQLITE_MESSAGES =
  /database or disk is full|disk I\/O error|database (table |schema )?is locked|out of memory|unable to open database file/;

/**
 * Whether a failure may pass by itself or by the operator's doing, so that the same work is worth another try later: no
 * space, an I/O error, a busy database, no free file descriptor, a damaged file, which may be put back, or
 * a server that does not answer. Causes count.
 *
 * @param error What was thrown
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DamagedFileError || error instanceof PassingError) return true;
  if ("code" in error && CODES.has(String(error.code))) return true;
  if ("code" in error && error.code === "ERR_SQLITE_ERROR") {
    const code = "errcode" in error ? Number(error.errcode) & 0xff : 0; // extended codes end with the primary one
    if (SQLITE_CODES.has(code) || SQLITE_MESSAGES.test(error.message)) return true;
  }
  return isPassing(error.cause);
}
