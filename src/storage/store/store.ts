import type { World } from "../../api/world.ts";
import type { Attempts } from "./attempts.ts";
import type { Licence, LicenceEntry, NewKey, StoredKey } from "./licence.ts";
import type { Order, OrderChange, OrderState } from "./order.ts";
import type {
  Dataset,
  LastMonth,
  RevisedMonths,
  SiteRecord,
  StoredCalibration,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "./site_record.ts";
import type { DocumentVisitor } from "./documents.ts";

/**
 * The database of the service: SQLite on one machine, or PostgreSQL; no code above it depends on which. Only the store points
 * to files, so a transaction of it changes everything at once. Every failure is a rejection: no method throws
 * synchronously.
 */
export interface Store {
  /** Imported data. */
  readonly sites: SiteStore;
  readonly licences: LicenceStore;
  readonly orders: OrderStore;
  /** Failed attempts to get access: of this process, or of all servers that share the store. They move to no other store. */
  readonly attempts: Attempts;
  /**
   * The same store for one request: of sites it reads what was stored when the request first asked for anything, or later,
   * so that not each reading has to look whether there was an import. Who waits for a job takes another one afterwards.
   */
  forRequest(): Store;
  /** Where the figures come from. */
  world(): Promise<World>;
  /**
   * The clock of the database, milliseconds since 1970 UTC: all machines that share it agree on when an address ends,
   * whatever their own clocks say.
   */
  now(): Promise<number>;
  /**
   * Reads a little of everything from the disk, past all caches, and at times all of it as {@linkcode Store.verify} does.
   *
   * @throws {DamagedFileError} If what is stored is damaged
   * @throws {Error} If it cannot be read any more
   */
  check(): Promise<void>;
  /**
   * Looks whether all is as it was written. What depends on a turbine alone is compared when it is read.
   *
   * @throws {DamagedFileError} If something is damaged
   */
  verify(): Promise<void>;
  /**
   * Names of the files that are needed: series, models, and those of orders whose download address is valid or not
   * assigned yet.
   *
   * @param now Instant at which addresses are checked, milliseconds since 1970 UTC
   * @param among Of these names only: less work than all. @default all
   */
  wantedFiles(now: number, among?: readonly string[]): Promise<string[]>;
  /**
   * Commits the changes of a body together, or none of them: also where it goes on after one that failed. Nobody else sees
   * them before. Within another transaction it is a part of that. The body must not wait for a change by others, and is run
   * again from its beginning where it lost against them. What it has read others may change meanwhile: `edition` of a site
   * and the states of an order are compared when it changes them.
   *
   * @param body Gets a store of its own, through which it reads and changes; it is not used afterwards
   */
  transaction<T>(body: (store: Store) => Promise<T>): Promise<T>;
  /**
   * Runs a transaction during which no other one can name a file: for the removal of files that no row names. Whoever names
   * files looks whether they are there in the same transaction, after the call that names them.
   *
   * @param body Gets a store of its own; others wait for it, so it is short
   */
  excludeNaming<T>(body: (store: Store) => Promise<T>): Promise<T>;
  /**
   * Locks the store against other updates, on every machine that shares it, until the lock is disposed of or this process
   * ends, also where it is killed. Nothing else waits for it.
   *
   * @returns `undefined` where another update has it
   */
  lockUpdates(): Promise<AsyncDisposable | undefined>;
  /**
   * Reads all documents as they are at one moment, while others go on: for another store, which loads them.
   *
   * @param visit Gets the documents, those of each kind together
   * @throws {DamagedFileError} If what is stored is damaged
   */
  snapshot(visit: DocumentVisitor): Promise<void>;
  /**
   * Fills an empty store in one transaction: `target.load((write) => source.snapshot(write))`.
   *
   * @param read Passes the documents on, each after those that it names
   * @throws {ConfigurationError} If the store has data: nothing is changed
   */
  load(read: (write: DocumentVisitor) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** A file that a row names. */
export interface NamedFile {
  /** Name: the hash of its content, and an ending. */
  readonly name: string;
  /** What it is, in words. */
  readonly what: string;
  /** Site whose import creates it; `null` for other files. */
  readonly site: string | null;
}

/** Sites with their turbines, months, datasets and climate points. */
export interface SiteStore {
  turbineIds(): Promise<string[]>;
  /** Identifiers of the next turbines in that order: all are read page by page, also where there are very many. */
  nextTurbineIds(after: string, limit: number): Promise<string[]>;
  /** Those of some identifiers that are of turbines, in their order. */
  findTurbineIds(ids: readonly string[]): Promise<string[]>;
  /**
   * Names what all sites have as of now, also in a store for one request, which reads nothing older afterwards: it changes
   * with each import that stores something.
   */
  version(): Promise<string>;
  turbine(id: string): Promise<StoredTurbine | undefined>;
  /** Several turbines at once, by identifier; one that is not stored is left out. */
  turbines(ids: readonly string[]): Promise<StoredTurbine[]>;
  /** Every month of a turbine in order of time: the latest revision, or the latest up to an edition. */
  months(turbineId: string, edition?: number): Promise<StoredMonth[]>;
  /** Every month of several turbines at once, its latest revision, by turbine and in order of time; none has no entry. */
  fleetMonths(turbineIds: readonly string[]): Promise<ReadonlyMap<string, readonly StoredMonth[]>>;
  /** The last month with figures of each of some turbines, by identifier; those without figures are left out. */
  lastMonths(turbineIds: readonly string[]): Promise<LastMonth[]>;
  /** One month of a turbine; the latest revision unless one is named. */
  month(
    turbineId: string,
    year: number,
    month: number,
    revision?: number,
  ): Promise<StoredMonth | undefined>;
  calibration(turbineId: string, revision: number): Promise<StoredCalibration | undefined>;
  datasets(): Promise<Dataset[]>;
  dataset(serviceId: string): Promise<Dataset | undefined>;
  /** Points of a dataset, of each place the one that is served: {@linkcode selectServed}. */
  points(serviceId: string): Promise<StoredPoint[]>;
  /** Files that imports have stored and that are needed, of all sites or one. */
  files(site?: string): Promise<readonly NamedFile[]>;
  fingerprint(site: string): Promise<string | undefined>;
  /** How often a site was stored, 0 where it is not: who read it before computing gives that to {@linkcode SiteStore.put}. */
  edition(site: string): Promise<number>;
  /** Paths of the site files by site, in its order; `undefined` for a site without one. */
  siteFiles(): Promise<ReadonlyMap<string, string | undefined>>;
  setSiteFile(site: string, path: string | undefined): Promise<void>;
  /**
   * Stores a site in one transaction: what the record does not name any more is removed, a month whose figures differ
   * gets a new revision, and finished orders of replaced data are not joined any more.
   *
   * @param edition Edition of the stored site that the record was computed from; any unless given
   * @returns Published months whose figures changed, by turbine
   * @throws {SiteChangedError} If the stored site has another edition, or not all turbines that are to stay as they are:
   * nothing is stored
   * @throws {ArgumentError} If a turbine belongs to another site, or invented figures would be beside real ones
   */
  put(record: SiteRecord, edition?: number): Promise<ReadonlyMap<string, RevisedMonths>>;
}

/** Licences and their keys. */
export interface LicenceStore {
  all(): Promise<LicenceEntry[]>;
  get(serialNumber: string): Promise<Licence | undefined>;
  findByKey(hash: string): Promise<{ licence: Licence; key: StoredKey } | undefined>;
  /** Adds a licence, or replaces the one with its serial number. */
  put(licence: Licence): Promise<void>;
  /**
   * Removes a licence in one step, with its keys and its orders: no key and no download address of it works any more,
   * and a later licence with its serial number inherits nothing.
   *
   * @returns How many keys it had; `undefined` where there is no such licence
   */
  remove(serialNumber: string): Promise<number | undefined>;
  /** Keys of a licence that have not ended, in the order in which they were issued. */
  keys(serialNumber: string): Promise<StoredKey[]>;
  addKey(key: NewKey): Promise<void>;
  /** Removes the key of a licence that has a hash, or all of its keys; returns how many there were. */
  removeKeys(serialNumber: string, hash?: string): Promise<number>;
}

/** Climate orders. */
export interface OrderStore {
  /**
   * Places an order, in one step: where its licence has an open one for the same parameters whose download address has
   * not ended, no new one is added.
   *
   * @param now Instant at which addresses are checked, milliseconds since 1970 UTC
   * @returns The open order, or the given one
   */
  place(order: Order, now: number): Promise<Order>;
  get(id: string): Promise<Order | undefined>;
  findByToken(token: string): Promise<Order | undefined>;
  /**
   * Orders that are not finished, oldest first: those that have no address yet and did not fail.
   *
   * @param serialNumber Of this licence only; of all unless given
   * @param limit Largest number of them; all unless given
   */
  unfinished(serialNumber?: string, limit?: number): Promise<Order[]>;
  /**
   * Changes an order. Once it is complete nobody else replaces points until the transaction ends: what that reads of them
   * afterwards stays.
   *
   * @param from States in which it is changed, in one step: of two processes one is first; any state unless given
   * @returns Whether it was changed
   */
  update(id: string, change: OrderChange, from?: readonly OrderState[]): Promise<boolean>;
}
