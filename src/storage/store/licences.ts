import type { Documents } from "./documents.ts";

/** A licence of a customer: covered turbines and datasets, and its end. */
export interface Licence {
  /** The customer's serial number. */
  readonly serialNumber: string;
  /** The customer's e-mail address. */
  readonly email: string;
  /** Last day of validity, `2026-12-31`; `null` for no end. */
  readonly expires: string | null;
  /** Covered turbines; `null` for all. */
  readonly turbines: readonly string[] | null;
  /** Covered datasets; `null` for all. */
  readonly datasets: readonly string[] | null;
}

/** A licence and its number of keys. */
export interface LicenceEntry {
  /** The licence itself. */
  readonly licence: Licence;
  /** Number of its keys. */
  readonly keys: number;
}

/** How a key was issued: on a customer's request, by a command, or by sign-in in a browser. */
export type KeyWay = "request" | "command" | "sign-in";

/** An issued key: only its hash is stored. */
export interface StoredKey {
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  /** Licence it belongs to. */
  readonly serialNumber: string;
  /** Last day of validity; `null` if it ends with the licence. */
  readonly expires: string | null;
  /** When it was issued, milliseconds since 1970 UTC; `null` if unknown. */
  readonly issued: number | null;
  /** How it was issued; `null` if unknown. */
  readonly way: KeyWay | null;
}

/** A key to add; unknown fields are stored as `null`. */
export type NewKey = Omit<StoredKey, "issued" | "way"> & Partial<StoredKey>;

/** Licences and their keys. A key is stored by its hash, and its owner is the licence. */
export class Licences {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  async all(): Promise<LicenceEntry[]> {
    const licences = await this.#documents.readAll<Licence>("licence");
    return await Promise.all(licences.map(async ({ contents: [licence] }) => {
      return { licence, keys: (await this.keys(licence.serialNumber)).length };
    }));
  }

  async get(serialNumber: string): Promise<Licence | undefined> {
    return await this.#documents.get<Licence>("licence", serialNumber);
  }

  async findByKey(hash: string): Promise<{ licence: Licence; key: StoredKey } | undefined> {
    const key = await this.#documents.get<StoredKey>("key", hash);
    const licence = key && await this.get(key.serialNumber);
    return licence && { licence, key };
  }

  /** Adds a licence, or replaces the one with the same serial number. */
  async put(licence: Licence): Promise<void> {
    await this.#documents.transaction((all) =>
      all.put("licence", [{ id: licence.serialNumber, parts: [licence] }])
    );
  }

  /**
   * Removes a licence in one step, with its keys and orders: its keys and download addresses stop working, and a later
   * licence with the same serial number inherits nothing.
   *
   * @returns Number of its keys; `undefined` if there is no such licence
   */
  async remove(serialNumber: string): Promise<number | undefined> {
    return await this.#documents.transaction(async (all) => {
      if (await all.remove("licence", { ids: [serialNumber] }) === 0) return undefined;
      const keys = await all.remove("key", { owner: serialNumber });
      await all.remove("order", { owner: serialNumber });
      await all.remove("token", { owner: serialNumber });
      return keys;
    });
  }

  /** Keys of a licence that have not expired, in the order of issue. */
  async keys(serialNumber: string): Promise<StoredKey[]> {
    const today = new Date(await this.#documents.engine.now()).toISOString().slice(0, 10);
    return (await this.#documents.read<StoredKey>("key", { owner: serialNumber }))
      .map(({ contents: [key] }) => key)
      .filter(({ expires }) => expires === null || expires >= today)
      .sort((a, b) => (a.issued ?? 0) - (b.issued ?? 0) || (a.hash < b.hash ? -1 : 1));
  }

  async addKey(key: NewKey): Promise<void> {
    const stored: StoredKey = { issued: null, way: null, ...key };
    await this.#documents.transaction(async (all) => {
      await all.begin("licence"); // so the licence cannot be removed meanwhile
      if (!await all.find("licence", key.serialNumber)) {
        throw new Error(
          `Cannot add a key: licence ${key.serialNumber} does not exist. Add the licence first`,
        );
      }
      await all.put("key", [{ id: key.hash, owner: key.serialNumber, parts: [stored] }]);
    });
  }

  /** Removes one key of a licence by its hash, or all of its keys; returns their number. */
  async removeKeys(serialNumber: string, hash?: string): Promise<number> {
    const ids = hash === undefined ? {} : { ids: [hash] };
    return await this.#documents.transaction((all) =>
      all.remove("key", { owner: serialNumber, ...ids })
    );
  }
}
