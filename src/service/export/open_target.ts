import { ArgumentError } from "../../api/errors.ts";
import type { ExportTarget } from "./export_target.ts";
import { FolderTarget } from "./folder_target.ts";

/**
 * Opens where an export is written.
 *
 * @param address Path of a folder
 * @throws {ArgumentError} If it is an address of another kind
 */
export function openTarget(address: string): ExportTarget {
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(address) ?? [];
  if (scheme === undefined) return new FolderTarget(address);
  throw new ArgumentError(
    `Cannot export to an address that begins with ${scheme}: only a folder can be written. ` +
      "Name a folder, and copy it from there",
  );
}
