import { formatStorageOptions, type StorageAddress } from "./storage_address.ts";

/**
 * Formats a command for a message in both ways of starting it: the program of the package, and the task of a checkout.
 *
 * @param command The command with its arguments, such as `import SITE.json`
 * @param data Where the data are kept that it is about
 */
export function formatCommand(command: string, data?: StorageAddress): string {
  const call = data === undefined ? command : `${command} ${formatStorageOptions(data)}`;
  const task = typeof data === "object" ? "deno task shared" : "deno task";
  return `vindkit ${call} (in a checkout: ${task} ${call})`;
}
