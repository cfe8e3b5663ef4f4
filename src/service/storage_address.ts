/** Where several machines keep their data: the truth in a database, immutable files beside it. */
export interface SharedStorage {
  /** PostgreSQL database: `postgres://user@host/name`, with the password or without it (`PGPASSWORD`). */
  readonly database: string;
  /** Its files: `s3://bucket/prefix`, or the path of a folder that all machines share. */
  readonly files: string;
}

/** Where data are kept: the path of a data directory, or the addresses of what several machines share. */
export type StorageAddress = string | SharedStorage;

/** An address without user and password. */
function removePassword(address: string): string {
  return address
    .replace(/^([a-z][a-z\d+.-]*:\/\/)[^]*@/i, "$1") // up to the last @: a password may have one unescaped
    .replace(/([?&][^=&]*password=)[^&]*/gi, "$1***");
}

/**
 * Formats where data are kept, for a message: without any password.
 *
 * @param address Where they are kept
 */
export function formatStorage(address: StorageAddress): string {
  if (typeof address === "string") return address;
  return [address.database, address.files].map(removePassword).join(" and ");
}

/**
 * Formats the options of a command that name where data are kept: without any password.
 *
 * @param address Where they are kept
 */
export function formatStorageOptions(address: StorageAddress): string {
  if (typeof address === "string") return `--data ${address}`;
  const [database, files] = [address.database, address.files].map(removePassword);
  return `--database ${database} --files ${files}`;
}
