import { ConfigurationError } from "../../../api/errors.ts";
import type { World } from "../../../api/world.ts";
import { prepareSchema } from "./prepare_schema.ts";
import { SqliteDatabase } from "./sqlite_database.ts";
import { SqliteLicences } from "./sqlite_licences.ts";
import { SqliteOrders } from "./sqlite_orders.ts";
import { SqliteSites } from "./sqlite_sites.ts";
import type { Licence, LicenceEntry, StoredKey } from "../licence.ts";
import type { Order, OrderChange, OrderState } from "../order.ts";
import type {
  Dataset,
  LastMonth,
  SiteRecord,
  StoredCalibration,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "../site_record.ts";
import type { Store } from "../store.ts";

const WORLD = "SELECT value FROM about WHERE name = 'world'";

/** What SQLite says of a damaged file, and of one of something else; its codes do not come through. */
const DAMAGED = /malformed|not a database/;

/** The store on one machine: SQLite in WAL mode. */
export class SqliteStore implements Store {
  readonly #database: SqliteDatabase;
  readonly #licences: SqliteLicences;
  readonly #orders: SqliteOrders;
  readonly #sites: SqliteSites;

  /**
   * Opens a database, and makes it where there is none.
   *
   * @param path Path of the database
   * @param world Where the figures of a new database come from
   * @throws {ConfigurationError} If it has another schema
   */
  constructor(path: string, world: World = "own") {
    this.#database = new SqliteDatabase(path);
    this.#licences = new SqliteLicences(this.#database);
    this.#orders = new SqliteOrders(this.#database);
    this.#sites = new SqliteSites(this.#database);
    try {
      prepareSchema(this.#database, path, world);
    } catch (cause) {
      this.#database.close();
      if (cause instanceof ConfigurationError) throw cause;
      const { message } = cause as Error;
      const found = DAMAGED.test(message) ? `it is damaged or no database (${message})` : message;
      throw new ConfigurationError(`Cannot open ${path}: ${found}`, { cause });
    }
  }

  world(): Promise<World> {
    return Promise.resolve(
      this.#database.get(WORLD)!.value as World,
    );
  }

  check(): Promise<void> {
    this.#database.get(WORLD); // a closed one does not answer
    this.#database.getAnew(WORLD);
    return Promise.resolve();
  }

  licenceOfKey(hash: string): Promise<{ licence: Licence; key: StoredKey } | undefined> {
    return Promise.resolve(this.#licences.ofKey(hash));
  }

  licence(serialNumber: string): Promise<Licence | undefined> {
    return Promise.resolve(this.#licences.licence(serialNumber));
  }

  licences(): Promise<LicenceEntry[]> {
    return Promise.resolve(this.#licences.all());
  }

  putLicence(licence: Licence): Promise<void> {
    return Promise.resolve(this.#licences.put(licence));
  }

  removeLicence(serialNumber: string): Promise<number | undefined> {
    return Promise.resolve(this.#licences.remove(serialNumber));
  }

  removeKeys(serialNumber: string): Promise<number> {
    return Promise.resolve(this.#licences.removeKeys(serialNumber));
  }

  addKey(key: StoredKey): Promise<void> {
    return Promise.resolve(this.#licences.addKey(key));
  }

  turbineIds(): Promise<string[]> {
    return Promise.resolve(this.#sites.turbineIds());
  }

  turbine(id: string): Promise<StoredTurbine | undefined> {
    return Promise.resolve(this.#sites.turbine(id));
  }

  months(turbineId: string, edition?: number): Promise<StoredMonth[]> {
    return Promise.resolve(this.#sites.months(turbineId, edition));
  }

  month(
    turbineId: string,
    year: number,
    month: number,
    revision?: number,
  ): Promise<StoredMonth | undefined> {
    return Promise.resolve(this.#sites.month(turbineId, year, month, revision));
  }

  lastMonths(turbineIds: readonly string[]): Promise<LastMonth[]> {
    return Promise.resolve(this.#sites.lastMonths(turbineIds));
  }

  calibration(turbineId: string, revision: number): Promise<StoredCalibration | undefined> {
    return Promise.resolve(this.#sites.calibration(turbineId, revision));
  }

  datasets(): Promise<Dataset[]> {
    return Promise.resolve(this.#sites.datasets());
  }

  dataset(serviceId: string): Promise<Dataset | undefined> {
    return Promise.resolve(this.#sites.dataset(serviceId));
  }

  points(serviceId: string): Promise<StoredPoint[]> {
    return Promise.resolve(this.#sites.points(serviceId));
  }

  siteFingerprint(site: string): Promise<string | undefined> {
    return Promise.resolve(this.#sites.fingerprint(site));
  }

  putSite(record: SiteRecord): Promise<ReadonlyMap<string, number>> {
    return Promise.resolve(this.#sites.put(record));
  }

  placeOrder(order: Order, now: number): Promise<Order> {
    return Promise.resolve(this.#orders.place(order, now));
  }

  order(id: string): Promise<Order | undefined> {
    return Promise.resolve(this.#orders.order(id));
  }

  orderOfToken(token: string): Promise<Order | undefined> {
    return Promise.resolve(this.#orders.ofToken(token));
  }

  unfinishedOrders(): Promise<Order[]> {
    return Promise.resolve(this.#orders.unfinished());
  }

  wantedFiles(now: number): Promise<string[]> {
    return Promise.resolve([...this.#sites.files(), ...this.#orders.files(now)]);
  }

  updateOrder(
    id: string,
    change: OrderChange,
    from?: readonly OrderState[],
  ): Promise<boolean> {
    return Promise.resolve(this.#orders.update(id, change, from));
  }

  close(): void {
    this.#database.close();
  }
}
