import { ConfigurationError } from "../../api/errors.ts";

/**
 * Refuses to load rows into a store that has some: they would be mixed.
 *
 * @param store Path or address of the store, without a password
 * @throws {ConfigurationError} Always
 */
export function refuseToLoad(store: string): never {
  throw new ConfigurationError(
    `Cannot move data to ${store}: it has sites, licences or orders already. Move them to an empty one`,
  );
}
