import { ConfigurationError } from "../api/errors.ts";
import type { World } from "../api/world.ts";
import { homePath } from "../home/home.ts";
import { Files } from "./store/files.ts";
import { SqliteStore } from "./store/sqlite_store.ts";
import type { Store } from "./store/store.ts";

/** A data directory, open. */
export interface DataDirectory {
  /** What the service remembers. */
  readonly store: Store;
  /** Its immutable files. */
  readonly files: Files;
}

/** The data directory where none is named: below VINDKIT_HOME. */
export function defaultDataDirectory(): string {
  return homePath("data");
}

const DATABASE = "vindkit.sqlite";

/**
 * Opens a data directory.
 *
 * @param path The directory
 * @param options `create`: makes it where there is none; `world`: where the figures of a new one come from
 * @throws {ConfigurationError} If there is none, and none is to be made
 */
export function openDataDirectory(
  path: string,
  options: { create?: boolean; world?: World } = {},
): DataDirectory {
  const database = `${path}/${DATABASE}`;
  if (options.create) Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  else {
    try {
      Deno.statSync(database);
    } catch (cause) {
      throw new ConfigurationError(
        `Cannot open the data directory ${path}: it holds no ${DATABASE}. ` +
          "Fill it with: deno task import SITE.json --data " + path,
        { cause },
      );
    }
  }
  return { store: new SqliteStore(database, options.world), files: new Files(`${path}/files`) };
}
