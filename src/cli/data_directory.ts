import { defaultDataDirectory } from "../service/mod.ts";
import { callerPath } from "./caller_path.ts";
import type { CommandOption } from "./command.ts";

/** The option that names a data directory. */
export const dataOption: CommandOption = {
  value: "DIR",
  about: `data directory (default: ${defaultDataDirectory()})`,
};

/**
 * Reads the value of {@linkcode dataOption}.
 *
 * @param given The value; `undefined` for the default
 */
export function readDataDirectory(given: string | undefined): string {
  return given ? callerPath(given) : defaultDataDirectory();
}
