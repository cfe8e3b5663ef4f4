import type { World } from "../../api/world.ts";
import type { Calibration } from "../../windindex/calibration.ts";
import type { Uncertainty } from "../../windindex/uncertainty.ts";
import type { MonthIndices } from "../../windindex/indices.ts";
import type { Stamp } from "../../windindex/climate.ts";
import type { Turbine } from "../../windindex/turbine.ts";

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

/** An issued key: only its hash is kept. */
export interface StoredKey {
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  /** Licence it belongs to. */
  readonly serialNumber: string;
  /** Last day of validity; `null` for as long as the licence. */
  readonly expires: string | null;
}

/** A climate dataset. */
export interface Dataset {
  /** Number. */
  readonly id: number;
  /** Identifier in requests. */
  readonly serviceId: string;
  /** Group. */
  readonly group: string;
  /** Kind of data. */
  readonly type: string;
  /** Name in a few words. */
  readonly shortDescription: string;
  /** Description. */
  readonly longDescription: string;
  /** Address of the dataset's own description. */
  readonly url: string;
  /** Attributions that the data require. */
  readonly attribution: readonly string[];
}

/** A series of a climate point, kept as an immutable Parquet file. */
export interface StoredPoint {
  /** Dataset it belongs to. */
  readonly serviceId: string;
  /** Latitude, deg. */
  readonly latitude: number;
  /** Longitude, deg. */
  readonly longitude: number;
  /** Elevation of the model's ground, m. */
  readonly elevation: number | null;
  /** First stamp, milliseconds since 1970 UTC. */
  readonly start: number;
  /** Number of hours. */
  readonly hours: number;
  /** What a stamp says about its value. */
  readonly stamp: Stamp;
  /** Name of the file. */
  readonly file: string;
}

/** What a calibration was fitted to: as long as it stands, the calibration holds. */
export interface TrainingBasis {
  /** Hash of all that it rests on besides production: turbine, source of the climate, engine. */
  readonly declaration: string;
  /** Stretches of hourly production, with the hash of their values; masked hours have none. */
  readonly hours: readonly {
    readonly start: number;
    readonly length: number;
    readonly hash: string;
  }[];
  /** Energies of months and years, kWh; `null` where it is missing or masked. */
  readonly periods: readonly { readonly label: string; readonly energy: number | null }[];
}

/** A calibration as stored: with the window, the reference period and the choices made. */
export interface StoredCalibration {
  /** Revision, counted from 1. */
  readonly revision: number;
  /** Factor, periods, residual. */
  readonly calibration: Calibration;
  /** First day of the training window, `2018-01-01`. */
  readonly trainingStart: string;
  /** Last day of the training window. */
  readonly trainingEnd: string;
  /** Years of the reference period. */
  readonly referenceYears: readonly number[];
  /** Choices and missing inputs, in words. */
  readonly notes: readonly string[];
  /** What was found in production, in words. */
  readonly findings: readonly string[];
  /** What it was fitted to. */
  readonly basis: TrainingBasis;
  /** Mean annual energy of the reference period, kWh; `null` where an older program calibrated. */
  readonly meanAnnualEnergy: number | null;
  /** How sure it is; `null` where an older program calibrated. */
  readonly uncertainty: Omit<Uncertainty, "months"> | null;
}

/** A turbine as stored. */
export interface StoredTurbine {
  /** The turbine. */
  readonly turbine: Turbine;
  /** Site file it came with. */
  readonly site: string;
  /** Dataset its wind comes from. */
  readonly serviceId: string;
  /** How often its figures have been computed: what was published together has one edition. */
  readonly edition: number;
  /** Its calibration; `null` until it has production. */
  readonly calibration: StoredCalibration | null;
  /** Its hourly model, an immutable Parquet file; `null` until it is calibrated. */
  readonly modelFile: string | null;
}

/** The figures of a month, one revision of them. */
export interface StoredMonth extends Omit<MonthIndices, "preliminary"> {
  /** `final` or `preliminary`. */
  readonly status: "final" | "preliminary";
  /** Revision, counted from 1. */
  readonly revision: number;
  /** Revision of the calibration that the figures rest on. */
  readonly calibration: number;
  /** Edition of the turbine's figures with which they came. */
  readonly edition: number;
  /** Lower end of the 90 % interval of the predicted production, MWh. */
  readonly predicted_production_low: number | null;
  /** Upper end of the 90 % interval of the predicted production, MWh. */
  readonly predicted_production_high: number | null;
}

/** The figures of a month before the store counts its revision. */
export type FreshMonth = Omit<StoredMonth, "revision" | "calibration" | "edition">;

/** Everything that one site file brings; it is stored as a whole or not at all. */
export interface SiteRecord {
  /** Name of the site. */
  readonly site: string;
  /** Hash of the declaration and of all sources. */
  readonly fingerprint: string;
  /** The dataset. */
  readonly dataset: Omit<Dataset, "id">;
  /** Its points. */
  readonly points: readonly StoredPoint[];
  /** The turbines, each with its months; revisions are counted by the store. */
  readonly turbines: readonly {
    readonly stored: Omit<StoredTurbine, "site" | "serviceId">;
    readonly months: readonly FreshMonth[];
  }[];
}

/**
 * State of a climate order. It is open while it is placed, approved, or complete and not yet fetched; delivered once its
 * file has been sent to the end.
 */
export type OrderState = "placed" | "approved" | "complete" | "delivered" | "failed";

/** A climate order. */
export interface Order {
  /** Identifier. */
  readonly id: string;
  /** Licence that placed it. */
  readonly serialNumber: string;
  /** Dataset. */
  readonly serviceId: string;
  /** Parameters as sent, by wire name. */
  readonly parameters: Readonly<Record<string, string | number>>;
  /** State. */
  readonly state: OrderState;
  /** Unguessable part of the download address, once complete. */
  readonly token: string | null;
  /** Name of the file, once complete. */
  readonly file: string | null;
  /** When the download address ends, milliseconds since 1970 UTC. */
  readonly expires: number | null;
}

/** What changes in an order. */
export type OrderChange = Partial<Pick<Order, "state" | "token" | "file" | "expires">>;

/**
 * What the service remembers. Behind it stands SQLite on one machine; nothing above it knows. The store is the only
 * pointer to files, so a change of it is a change of everything.
 */
export interface Store {
  /** Where the figures come from. */
  world(): Promise<World>;

  /** Licence and key by the key's hash. */
  licenceOfKey(hash: string): Promise<{ licence: Licence; key: StoredKey } | undefined>;
  /** Licence by serial number. */
  licence(serialNumber: string): Promise<Licence | undefined>;
  /** All licences, by serial number. */
  licences(): Promise<LicenceEntry[]>;
  /** Adds a licence, or replaces the one with its serial number. */
  putLicence(licence: Licence): Promise<void>;
  /**
   * Removes a licence in one step, with its keys and its orders: no key and no download address of it works any more,
   * and a later licence with its serial number inherits nothing.
   *
   * @returns How many keys it had; `undefined` where there is no such licence
   */
  removeLicence(serialNumber: string): Promise<number | undefined>;
  /** Adds a key. */
  addKey(key: StoredKey): Promise<void>;

  /** All turbines, by identifier. */
  turbines(): Promise<StoredTurbine[]>;
  /** One turbine. */
  turbine(id: string): Promise<StoredTurbine | undefined>;
  /** Every month of a turbine in order of time: the latest revision, or the latest up to an edition. */
  months(turbineId: string, edition?: number): Promise<StoredMonth[]>;
  /** A calibration of a turbine by its revision. */
  calibration(turbineId: string, revision: number): Promise<StoredCalibration | undefined>;
  /** One month of a turbine; the latest revision unless one is named. */
  month(
    turbineId: string,
    year: number,
    month: number,
    revision?: number,
  ): Promise<StoredMonth | undefined>;

  /** All datasets. */
  datasets(): Promise<Dataset[]>;
  /** One dataset. */
  dataset(serviceId: string): Promise<Dataset | undefined>;
  /** Points of a dataset. */
  points(serviceId: string): Promise<StoredPoint[]>;

  /** Fingerprint of a site as stored. */
  siteFingerprint(site: string): Promise<string | undefined>;
  /**
   * Stores a site in one transaction: what the record does not name any more is gone, a month whose figures differ gets
   * a new revision, and finished orders of data that were replaced are joined no more.
   *
   * @returns How many months that had figures got others, by turbine
   */
  putSite(record: SiteRecord): Promise<ReadonlyMap<string, number>>;

  /**
   * Places an order, in one step: where its licence has an open one for the same parameters whose download address has
   * not ended, that one stays the only one.
   *
   * @param order The order
   * @param now Instant against which addresses are held, milliseconds since 1970 UTC
   * @returns The open order, or the given one
   */
  placeOrder(order: Order, now: number): Promise<Order>;
  /** One order. */
  order(id: string): Promise<Order | undefined>;
  /**
   * Changes an order.
   *
   * @param id The order
   * @param change What becomes of it
   * @param from States in which it is changed, in one step: of two processes one is first; all unless given
   * @returns Whether it was changed
   */
  updateOrder(id: string, change: OrderChange, from?: readonly OrderState[]): Promise<boolean>;
  /** Order by its download token. */
  orderOfToken(token: string): Promise<Order | undefined>;
  /** Orders that are still to be worked off, oldest first. */
  unfinishedOrders(): Promise<Order[]>;

  /** Closes the store. */
  close(): void;
}
