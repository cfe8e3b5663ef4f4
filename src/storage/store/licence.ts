/** A licence: who may use which turbines and datasets until when. */
export interface Licence {
  /** The customer's serial number. */
  readonly serialNumber: string;
  /** The customer's e-mail address. */
  readonly email: string;
  /** Last day of validity, `2026-12-31`; `null` for no end. */
  readonly expires: string | null;
  /** Turbines it covers; `null` for all. */
  readonly turbines: readonly string[] | null;
  /** Datasets it covers; `null` for all. */
  readonly datasets: readonly string[] | null;
}

/** A licence and how many keys it has. */
export interface LicenceEntry {
  /** The licence. */
  readonly licence: Licence;
  /** Number of its keys. */
  readonly keys: number;
}

/** How a key was issued: to a customer who requested it, by a command, or to a browser that signed in. */
export type KeyWay = "request" | "command" | "sign-in";

/** An issued key: only its hash is stored. */
export interface StoredKey {
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  /** Licence it belongs to. */
  readonly serialNumber: string;
  /** Last day of validity; `null` for as long as the licence. */
  readonly expires: string | null;
  /** When it was issued, milliseconds since 1970 UTC; `null` where that is not known. */
  readonly issued: number | null;
  /** How it was issued; `null` where that is not known. */
  readonly way: KeyWay | null;
}

/** A key that is to be added; what is not known of it is `null` afterwards. */
export type NewKey = Omit<StoredKey, "issued" | "way"> & Partial<StoredKey>;
