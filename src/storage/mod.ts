/**
 * Exports for other folders: opening and naming data storage.
 *
 * @module
 */
export { defaultDataDirectory } from "./data_directory.ts";
export { isPassing, PassingError } from "./failures/is_passing.ts";
export { shellWord } from "./format_command.ts";
export type { Store } from "./store/store.ts";
export {
  formatStorage,
  formatStorageOptions,
  openStorage,
  type StorageAddress,
} from "./storage.ts";
