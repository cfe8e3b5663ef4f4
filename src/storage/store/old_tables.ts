/**
 * What databases had before documents: ten tables, in SQLite those of versions 1 to 8, in PostgreSQL those of versions 1 and 2.
 * They are read once, and nothing else knows them.
 *
 * @module
 */
import { sha256 } from "../../disk/hashes.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import type { Kind } from "./document_cache.ts";
import type { Documents, Draft } from "./documents.ts";
import type { Engine, StoredRow } from "./engine.ts";
import { putOrder } from "./orders.ts";

/** The tables, each before those that it names. */
const OLD_TABLES = [
  "months",
  "calibrations",
  "histories",
  "turbines",
  "points",
  "datasets",
  "sites",
  "api_keys",
  "orders",
  "licences",
];

/** What months have in them, in this order. */
const MONTH_COLUMNS = [
  ...["year", "month", "month_index", "month_abnormality_index", "last12_month_index"],
  ...["last_full_quarter_index", "last_full_year_index", "predicted_production", "status"],
  ...["completeness", "revision", "predicted_production_low", "predicted_production_high"],
  ...["calibration", "edition"],
];

/** Turbines that are read at once. */
const BATCH = 100;

const textOf = (value: unknown) => value == null ? null : String(value);
const numberOf = (value: unknown) => value == null ? null : Number(value);
const listOf = (value: unknown): string[] | null =>
  value == null ? null : JSON.parse(String(value));

/** A record, as JSON: what it has depends on the version that wrote it. */
// deno-lint-ignore no-explicit-any -- JSON
type OldRecord = any;

const recordOf = ({ record }: StoredRow): OldRecord => JSON.parse(String(record));

/** A calibration with what older versions did not have: those of version 3 neither smoothed nor weighed. */
function completeCalibration(own: OldRecord): OldRecord {
  const { basis, calibration: { candidates = [], periods, ...calibration }, uncertainty } = own;
  return {
    ...{ findings: [], meanAnnualEnergy: null, reanalyses: [], normalMonths: null },
    ...{ choice: { kind: "single", error: null }, ...own },
    basis: { ...{ declaration: "", engine: "2", hours: [], periods: [] }, ...basis },
    uncertainty: uncertainty ? { parts: null, ...uncertainty } : null,
    calibration: {
      ...{ scaling: { kind: "factor", k: calibration.k }, smoothing: 0, ...calibration },
      candidates: candidates.map((one: OldRecord) => ({ smoothing: 0, ...one })),
      periods: periods.map((one: OldRecord) => ({
        ...{ hourly: (basis?.hours.length ?? 0) > 0, unseen: null, weight: Number(one.used) },
        ...one,
      })),
    },
  };
}

/** What is read of the old tables of a database. */
class OldTables {
  readonly #all: Documents;
  readonly #version: number;
  readonly #attributions = new Map<unknown, string[]>();

  constructor(all: Documents, version: number) {
    this.#all = all;
    this.#version = version;
  }

  /** Puts all of it into documents. */
  async take(order: string): Promise<void> {
    const [world] = await this.#read("about", "WHERE name = 'world'");
    await this.#all.put("world", [{ id: "world", parts: [String(world.value)] }]);
    const datasets = await this.#read("datasets");
    for (const row of datasets) this.#attributions.set(row.service_id, recordOf(row).attribution);
    await this.#put("dataset", datasets, (row) => ({
      id: String(row.service_id),
      parts: [{ ...recordOf(row), id: Number(row.id) }],
    }));
    await this.#put("licence", await this.#read("licences"), (row) => ({
      id: String(row.serial_number),
      parts: [{
        ...{ serialNumber: row.serial_number, email: row.email, expires: row.expires },
        ...{ turbines: listOf(row.turbines), datasets: listOf(row.datasets) },
      }],
    }));
    await this.#put("key", await this.#read("api_keys"), (row) => ({
      id: String(row.hash),
      owner: String(row.serial_number),
      parts: [{
        ...{ hash: row.hash, serialNumber: row.serial_number },
        // Those of version 2 ended when their licence would have ended as it was then, whether or not it had been renewed.
        expires: this.#version <= 2 ? null : row.expires,
        ...{ issued: numberOf(row.issued), way: textOf(row.way) },
      }],
    }));
    await this.#put("site", await this.#read("sites"), ({ site, site_file, ...row }) => ({
      id: String(site),
      parts: [{
        ...{ site, siteFile: textOf(site_file), edition: Number(row.edition ?? 1) },
        // Another site may have taken points of one without an edition: the next import stores it again.
        fingerprint: row.edition === undefined ? "" : row.fingerprint,
      }],
    }));
    const points = Map.groupBy(
      await this.#read("points", "ORDER BY latitude, longitude"),
      ({ service_id, site }) => JSON.stringify([service_id, site]),
    );
    await this.#put("points", points, ([id, rows]) => ({
      id,
      owner: String(rows[0].site),
      search: String(rows[0].service_id),
      parts: [rows.map((row) => ({
        attribution: this.#attributions.get(row.service_id),
        ...recordOf(row),
      }))],
    }));
    for (let after: string | undefined = ""; after !== undefined;) {
      after = await this.#takeTurbines(after);
    }
    for (const [i, row] of (await this.#read("orders", `ORDER BY ${order}`)).entries()) {
      await this.#takeOrder(row, i);
    }
  }

  async #read(table: string, rest = "", ...values: string[]): Promise<StoredRow[]> {
    const { engine } = this.#all;
    return await engine.all(`SELECT * FROM ${engine.schema}${table} ${rest}`, ...values);
  }

  async #put<T>(kind: Kind, rows: Iterable<T>, toDraft: (row: T) => Draft): Promise<void> {
    await this.#all.put(kind, [...rows].map(toDraft));
  }

  /** Takes some turbines after an identifier; returns the last one. */
  async #takeTurbines(after: string): Promise<string | undefined> {
    const rest = `WHERE turbine_id > $1 ORDER BY turbine_id LIMIT ${BATCH}`;
    const turbines = await this.#read("turbines", rest, after);
    const drafts: Draft[] = [];
    for (const row of turbines) drafts.push(await this.#readTurbine(row));
    await this.#all.put("turbine", drafts);
    return drafts.at(-1)?.id;
  }

  async #readTurbine(row: StoredRow): Promise<Draft> {
    const id = String(row.turbine_id);
    const own = "WHERE turbine_id = $1 ORDER BY";
    const months = (await this.#read("months", `${own} year, month, revision`, id)).map((month) =>
      MONTH_COLUMNS.map((name) => {
        const value = name === "edition" ? month.edition ?? month.calibration : month[name];
        return name === "status" ? textOf(value) : numberOf(value);
      })
    );
    const calibrations: unknown[] = [];
    for (const one of await this.#read("calibrations", `${own} revision`, id)) {
      while (calibrations.length < Number(one.revision) - 1) calibrations.push(null);
      calibrations.push(completeCalibration(recordOf(one)));
    }
    const { serviceId, serviceIds = [serviceId], ...record } = recordOf(row);
    // The latest revision of a month is the last of its rows.
    const last = months.findLast(([year, month, index], i) =>
      index !== null && (year !== months[i + 1]?.[0] || month !== months[i + 1][1])
    );
    const stored = {
      attribution: serviceIds.flatMap((one: string) => this.#attributions.get(one) ?? []),
      edition: Math.max(0, ...months.map((values) => Number(values.at(-1)))),
      ...record,
      calibration: record.calibration && completeCalibration(record.calibration),
    };
    return {
      id,
      owner: String(row.site),
      state: last ? formatMonthLabel({ year: Number(last[0]), month: Number(last[1]) }) : "",
      search: stored.modelFile ?? "",
      parts: [stored, [MONTH_COLUMNS, ...months], ...calibrations],
    };
  }

  async #takeOrder(row: StoredRow, number: number): Promise<void> {
    await putOrder(this.#all, {
      id: String(row.id),
      serialNumber: String(row.serial_number),
      serviceId: String(row.service_id),
      parameters: JSON.parse(String(row.parameters)),
      state: row.state as "placed",
      token: textOf(row.token),
      file: textOf(row.file),
      expires: numberOf(row.expires),
      placed: 0,
      number,
    });
  }
}

/**
 * Puts what the old tables have into documents, and removes them.
 *
 * @param all Documents of the same database, within a transaction
 * @param version Version of the tables, as those of SQLite are counted
 * @param order Column by which orders are in the order in which they were placed
 */
export async function takeOldTables(all: Documents, version: number, order: string): Promise<void> {
  await new OldTables(all, version).take(order);
  const { engine } = all;
  for (const table of OLD_TABLES) await engine.run(`DROP TABLE IF EXISTS ${engine.schema}${table}`);
}

/** Characters of a seal. */
const SEAL_LENGTH = 16;

const sealOf = (values: unknown) => sha256(JSON.stringify(values)).slice(0, SEAL_LENGTH);

/**
 * Compares the old tables of SQLite with the seals that they have from version 5 on.
 *
 * @returns What is damaged; `undefined` where nothing is
 */
export async function findOldDamage(engine: Engine): Promise<string | undefined> {
  const rows = new Map<string, StoredRow[]>();
  for (const table of ["about", ...OLD_TABLES.slice(1)]) {
    const own = await engine.all(`SELECT * FROM ${table}`);
    for (const { seal, ...row } of own) {
      if (seal !== sealOf(Object.values(row))) return `a row of ${table}`;
    }
    rows.set(table, own);
  }
  const about = new Map(rows.get("about")!.map(({ name, value }) => [name, String(value)]));
  const ids = rows.get("turbines")!.map(({ turbine_id }) => turbine_id).sort();
  if (sealOf(ids) !== JSON.parse(about.get("lists") ?? "{}").turbines) {
    return "the list of turbines";
  }
  const histories = new Map(rows.get("histories")!.map((row) => [row.turbine_id, row.months]));
  for (const id of ids) {
    const months = await engine.all(
      `SELECT ${
        MONTH_COLUMNS.join(", ")
      } FROM months WHERE turbine_id = $1 ORDER BY year, month, revision`,
      String(id),
    );
    if (sealOf(months.map((row) => Object.values(row))) !== histories.get(id)) {
      return `a month of ${id}`;
    }
  }
}
