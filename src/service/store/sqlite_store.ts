import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import { figures } from "../../api/columns.ts";
import { ConfigurationError } from "../../api/errors.ts";
import type { World } from "../../api/world.ts";
import { SCHEMA, SCHEMA_VERSION } from "./schema.ts";
import type {
  Dataset,
  Licence,
  Order,
  SiteRecord,
  Store,
  StoredKey,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "./store.ts";

type Row = Record<string, SQLOutputValue>;
type Statement = ReturnType<DatabaseSync["prepare"]>;

/** Names of the figure columns, in the order of the contract. */
const FIGURES = figures.map((column) => column.name);
const MONTH_COLUMNS = [...FIGURES, "completeness", "status"];

const LATEST_MONTH = `SELECT * FROM months AS own WHERE turbine_id = ? AND revision =
  (SELECT max(revision) FROM months
   WHERE turbine_id = own.turbine_id AND year = own.year AND month = own.month)`;

/** Figures that differ by less than this share are the same: a recalculation on another machine is no revision. */
const SAME = 1e-9;

/** The store on one machine: SQLite in WAL mode. */
export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();

  /**
   * Opens a database, and makes it where there is none.
   *
   * @param path Path of the database
   * @param world Where the figures of a new database come from
   * @throws {ConfigurationError} If it has another schema
   */
  constructor(path: string, world: World = "own") {
    this.#database = new DatabaseSync(path);
    try {
      this.#prepareSchema(path, world);
    } catch (cause) {
      this.#database.close();
      if (cause instanceof ConfigurationError) throw cause;
      throw new ConfigurationError(
        `Cannot open ${path}: it is damaged or no database (${(cause as Error).message})`,
        { cause },
      );
    }
  }

  #prepareSchema(path: string, world: World): void {
    this.#database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON",
    );
    this.#transaction(() => {
      const { user_version: version } = this.#get("PRAGMA user_version") as Row;
      if (version === SCHEMA_VERSION) return;
      if (version !== 0) {
        throw new ConfigurationError(
          `Cannot open ${path}: its schema has version ${version}, this program knows ${SCHEMA_VERSION}`,
        );
      }
      this.#database.exec(SCHEMA);
      this.#run("INSERT INTO about VALUES ('world', ?)", world);
      this.#database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    });
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, statement = this.#database.prepare(sql));
    return statement;
  }

  #get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepare(sql).run(...values);
  }

  #transaction<T>(body: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = body();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  world(): Promise<World> {
    return Promise.resolve(
      this.#get("SELECT value FROM about WHERE name = 'world'")!.value as World,
    );
  }

  async licenceOfKey(hash: string): Promise<{ licence: Licence; key: StoredKey } | undefined> {
    const row = this.#get("SELECT * FROM api_keys WHERE hash = ?", hash);
    if (!row) return undefined;
    const licence = await this.licence(row.serial_number as string);
    const { serialNumber } = licence!;
    return {
      licence: licence!,
      key: { hash, serialNumber, expires: row.expires as string | null },
    };
  }

  licence(serialNumber: string): Promise<Licence | undefined> {
    const row = this.#get("SELECT * FROM licences WHERE serial_number = ?", serialNumber);
    const list = (value: SQLOutputValue) => value === null ? null : JSON.parse(value as string);
    return Promise.resolve(
      row && {
        serialNumber,
        email: row.email as string,
        expires: row.expires as string | null,
        turbines: list(row.turbines),
        datasets: list(row.datasets),
      },
    );
  }

  putLicence({ serialNumber, email, expires, turbines, datasets }: Licence): Promise<void> {
    const list = (value: readonly string[] | null) => value && JSON.stringify(value);
    this.#run(
      `INSERT INTO licences VALUES (?, ?, ?, ?, ?) ON CONFLICT (serial_number) DO UPDATE SET
       email = excluded.email, expires = excluded.expires, turbines = excluded.turbines,
       datasets = excluded.datasets`,
      serialNumber,
      email,
      expires,
      list(turbines),
      list(datasets),
    );
    return Promise.resolve();
  }

  addKey({ hash, serialNumber, expires }: StoredKey): Promise<void> {
    this.#run("INSERT INTO api_keys VALUES (?, ?, ?)", hash, serialNumber, expires);
    return Promise.resolve();
  }

  turbines(): Promise<StoredTurbine[]> {
    const rows = this.#all("SELECT record FROM turbines ORDER BY turbine_id");
    return Promise.resolve(rows.map((row) => JSON.parse(row.record as string)));
  }

  turbine(id: string): Promise<StoredTurbine | undefined> {
    const row = this.#get("SELECT record FROM turbines WHERE turbine_id = ?", id);
    return Promise.resolve(row && JSON.parse(row.record as string));
  }

  months(turbineId: string): Promise<StoredMonth[]> {
    return Promise.resolve(this.#latestMonths(turbineId));
  }

  #latestMonths(turbineId: string): StoredMonth[] {
    return this.#all(`${LATEST_MONTH} ORDER BY year, month`, turbineId) as unknown as StoredMonth[];
  }

  month(
    turbineId: string,
    year: number,
    month: number,
    revision?: number,
  ): Promise<StoredMonth | undefined> {
    const row = revision === undefined
      ? this.#get(`${LATEST_MONTH} AND year = ? AND month = ?`, turbineId, year, month)
      : this.#get(
        "SELECT * FROM months WHERE turbine_id = ? AND year = ? AND month = ? AND revision = ?",
        turbineId,
        year,
        month,
        revision,
      );
    return Promise.resolve(row as unknown as StoredMonth | undefined);
  }

  datasets(): Promise<Dataset[]> {
    const rows = this.#all("SELECT id, record FROM datasets ORDER BY id");
    return Promise.resolve(rows.map(toDataset));
  }

  dataset(serviceId: string): Promise<Dataset | undefined> {
    const row = this.#get("SELECT id, record FROM datasets WHERE service_id = ?", serviceId);
    return Promise.resolve(row && toDataset(row));
  }

  points(serviceId: string): Promise<StoredPoint[]> {
    const rows = this.#all(
      "SELECT record FROM points WHERE service_id = ? ORDER BY latitude, longitude",
      serviceId,
    );
    return Promise.resolve(rows.map((row) => JSON.parse(row.record as string)));
  }

  siteFingerprint(site: string): Promise<string | undefined> {
    const row = this.#get("SELECT fingerprint FROM sites WHERE site = ?", site);
    return Promise.resolve(row?.fingerprint as string | undefined);
  }

  putSite(record: SiteRecord): Promise<void> {
    const { site, fingerprint, dataset } = record;
    this.#transaction(() => {
      this.#run(
        "INSERT INTO sites VALUES (?, ?) ON CONFLICT (site) DO UPDATE SET fingerprint = excluded.fingerprint",
        site,
        fingerprint,
      );
      this.#run(
        `INSERT INTO datasets (service_id, record) VALUES (?, ?)
         ON CONFLICT (service_id) DO UPDATE SET record = excluded.record`,
        dataset.serviceId,
        JSON.stringify(dataset),
      );
      for (const point of record.points) {
        this.#run(
          `INSERT INTO points VALUES (?, ?, ?, ?)
           ON CONFLICT (service_id, latitude, longitude) DO UPDATE SET record = excluded.record`,
          point.serviceId,
          point.latitude,
          point.longitude,
          JSON.stringify(point),
        );
      }
      for (const { stored, months } of record.turbines) {
        const turbine: StoredTurbine = { ...stored, site, serviceId: dataset.serviceId };
        this.#run(
          `INSERT INTO turbines VALUES (?, ?, ?) ON CONFLICT (turbine_id) DO UPDATE SET
           site = excluded.site, record = excluded.record`,
          turbine.turbine.id,
          site,
          JSON.stringify(turbine),
        );
        this.#putMonths(turbine.turbine.id, months);
      }
    });
    return Promise.resolve();
  }

  /** Adds a revision of each month whose figures differ from its latest one. */
  #putMonths(turbineId: string, months: SiteRecord["turbines"][number]["months"]): void {
    const key = ({ year, month }: { year: number; month: number }) => year * 12 + month;
    const known = new Map(this.#latestMonths(turbineId).map((month) => [key(month), month]));
    const columns = ["turbine_id", "year", "month", "revision", ...MONTH_COLUMNS];
    const insert = `INSERT INTO months (${columns.join(", ")}) VALUES (${
      columns.map(() => "?").join(", ")
    })`;
    for (const month of months) {
      const latest = known.get(key(month));
      if (latest && sameFigures(latest, month)) continue;
      const values = MONTH_COLUMNS.map((name) => month[name as keyof typeof month]);
      this.#run(insert, turbineId, month.year, month.month, (latest?.revision ?? 0) + 1, ...values);
    }
  }

  addOrder(order: Order): Promise<void> {
    this.#run(
      "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      order.id,
      order.serialNumber,
      order.serviceId,
      JSON.stringify(order.parameters),
      order.state,
      order.token,
      order.file,
      order.expires,
    );
    return Promise.resolve();
  }

  order(id: string): Promise<Order | undefined> {
    return Promise.resolve(toOrder(this.#get("SELECT * FROM orders WHERE id = ?", id)));
  }

  orderOfToken(token: string): Promise<Order | undefined> {
    return Promise.resolve(toOrder(this.#get("SELECT * FROM orders WHERE token = ?", token)));
  }

  openOrders(): Promise<Order[]> {
    const rows = this.#all("SELECT * FROM orders WHERE state IN ('placed', 'approved')");
    return Promise.resolve(rows.map((row) => toOrder(row)!));
  }

  updateOrder(
    id: string,
    change: Partial<Pick<Order, "state" | "token" | "file" | "expires">>,
  ): Promise<void> {
    const names = Object.keys(change) as (keyof typeof change)[];
    const assignments = names.map((name) => `${name} = ?`).join(", ");
    this.#run(
      `UPDATE orders SET ${assignments} WHERE id = ?`,
      ...names.map((name) => change[name] ?? null),
      id,
    );
    return Promise.resolve();
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

function toDataset(row: Row): Dataset {
  return { ...JSON.parse(row.record as string), id: row.id };
}

function toOrder(row: Row | undefined): Order | undefined {
  return row && {
    id: row.id as string,
    serialNumber: row.serial_number as string,
    serviceId: row.service_id as string,
    parameters: JSON.parse(row.parameters as string),
    state: row.state as Order["state"],
    token: row.token as string | null,
    file: row.file as string | null,
    expires: row.expires as number | null,
  };
}

function sameFigures(a: Omit<StoredMonth, "revision">, b: Omit<StoredMonth, "revision">): boolean {
  return a.status === b.status &&
    [...FIGURES, "completeness"].every((name) => {
      const x = a[name as "completeness"] as number | null;
      const y = b[name as "completeness"] as number | null;
      return x === y || x !== null && y !== null && Math.abs(x - y) <= SAME * Math.abs(x);
    });
}
