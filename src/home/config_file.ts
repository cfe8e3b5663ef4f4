import { homeFolder } from "./home.ts";

/** Fields of the config file. */
export interface ConfigFile {
  /** Address of the service. */
  readonly url?: string;
  /** API key. */
  readonly key?: string;
  /** Directory of own data. */
  readonly data?: string;
}

/** Path of the config file in a home folder. */
export function configPath(home: string = homeFolder()): string {
  return `${home}/config.json`;
}

/**
 * Reads the config file; a missing file counts as an empty one.
 *
 * @param home The home folder
 * @throws {SyntaxError} If it is a link, or is not a JSON object of texts named url, key, data; the message does not show values
 */
export function readConfigFile(home: string = homeFolder()): ConfigFile {
  const path = configPath(home);
  let text: string;
  try {
    if (Deno.lstatSync(path).isSymlink) {
      throw new SyntaxError(
        `Cannot read ${path}: it is a symbolic link. Put the file itself there`,
      );
    }
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SyntaxError(`Cannot read ${path}: it is not JSON`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SyntaxError(`Cannot read ${path}: it is not a JSON object`);
  }
  for (const [name, entry] of Object.entries(value)) {
    if (!["url", "key", "data"].includes(name)) {
      throw new SyntaxError(
        `Cannot read ${path}: "${name}" is not a field of it. Its fields are url, key, data`,
      );
    }
    if (typeof entry !== "string") {
      throw new SyntaxError(`Cannot read ${path}: "${name}" is not a text`);
    }
  }
  return value as ConfigFile;
}
