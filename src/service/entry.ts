/**
 * The open service: all 14 operations of the API on your own data or on the built-in sample, its licences and
 * backups. Import the data to serve with `./sites`.
 *
 * @example The service of the sample on loopback
 * ```ts
 * import { openSample, serve } from "@vindkit/vindkit/service";
 * import { assertEquals } from "@std/assert";
 *
 * const server = serve(await openSample());
 * const answer = await fetch(`${server.url}/healthz`);
 * await answer.body?.cancel();
 * assertEquals(answer.status, 200);
 * await server.close();
 * ```
 *
 * @module
 */
import "../disk/check_permissions.ts";

export {
  openSample,
  openService,
  type OpenServiceOptions,
  type Service,
} from "./running/service.ts";
export { serve, type ServeOptions, type Server } from "./running/serve.ts";
export {
  type AddedLicence,
  addLicence,
  type AddLicenceOptions,
  listLicences,
  type NewLicence,
  revokeLicence,
} from "./licences/licence_book.ts";
export type { Licence, LicenceEntry } from "../storage/store/licences.ts";
export { backUp, type BackupAccount, type BackUpOptions } from "./backup.ts";
export type { StorageAddress } from "../storage/storage.ts";
