/**
 * What databases had before documents: ten tables, those of version 8 in SQLite and of version 2 in PostgreSQL. It is read
 * once, and nothing else knows it.
 *
 * @module
 */
import { sha256 } from "../../disk/hashes.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import type { Kind } from "./document_cache.ts";
import type { Documents, Draft } from "./documents.ts";
import type { Engine, StoredRow } from "./engine.ts";
import { selectLatest } from "./month_history.ts";
import { storedColumns, writeMonths } from "./month_table.ts";
import { putOrder } from "./orders.ts";
import type { StoredMonth, StoredPoint, StoredTurbine } from "./site_record.ts";

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

/** Turbines that are read at once. */
const BATCH = 100;

const textOf = (value: unknown) => value === null ? null : String(value);
const numberOf = (value: unknown) => value === null ? null : Number(value);
const listOf = (value: unknown): string[] | null =>
  value === null ? null : JSON.parse(String(value));

/** Documents of the rows of a small table. */
const FORMS: Readonly<Record<string, readonly [Kind, (row: StoredRow) => Draft]>> = {
  licences: ["licence", (row) => ({
    id: String(row.serial_number),
    parts: [{
      serialNumber: row.serial_number,
      email: row.email,
      expires: row.expires,
      turbines: listOf(row.turbines),
      datasets: listOf(row.datasets),
    }],
  })],
  api_keys: ["key", (row) => ({
    id: String(row.hash),
    owner: String(row.serial_number),
    parts: [{
      issued: numberOf(row.issued),
      way: row.way,
      hash: row.hash,
      serialNumber: row.serial_number,
      expires: row.expires,
    }],
  })],
  sites: ["site", (row) => ({
    id: String(row.site),
    parts: [{
      site: row.site,
      fingerprint: row.fingerprint,
      siteFile: textOf(row.site_file),
      edition: Number(row.edition),
    }],
  })],
  datasets: ["dataset", (row) => ({
    id: String(row.service_id),
    parts: [{ ...JSON.parse(String(row.record)), id: Number(row.id) }],
  })],
};

/**
 * Puts what the old tables have into documents, and removes them.
 *
 * @param all Documents of the same database, within a transaction
 * @param order Column by which orders are in the order in which they were placed
 */
export async function takeOldTables(all: Documents, order: string): Promise<void> {
  const { engine } = all;
  const read = (table: string, rest = "") =>
    engine.all(`SELECT * FROM ${engine.schema}${table} ${rest}`);
  const [world] = await read("about", "WHERE name = 'world'");
  await all.put("world", [{ id: "world", parts: [String(world.value)] }]);
  for (const [table, [kind, toDraft]] of Object.entries(FORMS)) {
    await all.put(kind, (await read(table)).map(toDraft));
  }
  const points = Map.groupBy(
    await read("points", "ORDER BY latitude, longitude"),
    ({ service_id, site }) => JSON.stringify([service_id, site]),
  );
  await all.put(
    "points",
    [...points].map(([id, rows]) => ({
      id,
      owner: String(rows[0].site),
      search: String(rows[0].service_id),
      parts: [rows.map(({ record }): StoredPoint => JSON.parse(String(record)))],
    })),
  );
  for (let after = "", ids = [""]; ids.length > 0; after = ids[ids.length - 1] ?? "") {
    ids = await takeTurbines(all, engine, after);
  }
  const orders = await engine.all(`SELECT * FROM ${engine.schema}orders ORDER BY ${order}`);
  for (const [number, row] of orders.entries()) await takeOrder(all, row, number);
  for (const table of OLD_TABLES) await engine.run(`DROP TABLE IF EXISTS ${engine.schema}${table}`);
}

async function takeTurbines(all: Documents, engine: Engine, after: string): Promise<string[]> {
  const turbines = await engine.all(
    `SELECT * FROM ${engine.schema}turbines WHERE turbine_id > $1 ORDER BY turbine_id LIMIT ${BATCH}`,
    after,
  );
  const drafts: Draft[] = [];
  for (const { turbine_id, site, record } of turbines) {
    const id = String(turbine_id);
    const of = (table: string, order: string) =>
      engine.all(
        `SELECT * FROM ${engine.schema}${table} WHERE turbine_id = $1 ORDER BY ${order}`,
        id,
      );
    const months = (await of("months", "year, month, revision")).map((row) =>
      Object.fromEntries(storedColumns.map(({ name, dtype }) => [
        name,
        dtype === "utf8" ? textOf(row[name]) : numberOf(row[name]),
      ])) as unknown as StoredMonth
    );
    const calibrations: unknown[] = [];
    for (const { revision, record } of await of("calibrations", "revision")) {
      while (calibrations.length < Number(revision) - 1) calibrations.push(null);
      calibrations.push(JSON.parse(String(record)));
    }
    const stored: StoredTurbine = JSON.parse(String(record));
    const last = selectLatest(months).findLast(({ month_index }) => month_index !== null);
    drafts.push({
      id,
      owner: String(site),
      state: last ? formatMonthLabel(last) : "",
      search: stored.modelFile ?? "",
      parts: [stored, writeMonths(months), ...calibrations],
    });
  }
  await all.put("turbine", drafts);
  return drafts.map(({ id }) => id);
}

async function takeOrder(all: Documents, row: StoredRow, number: number): Promise<void> {
  const order = {
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
  };
  await putOrder(all, order);
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
  const names = storedColumns.map(({ name }) => name).join(", ");
  for (const id of ids) {
    const months = await engine.all(
      `SELECT ${names} FROM months WHERE turbine_id = $1 ORDER BY year, month, revision`,
      String(id),
    );
    if (sealOf(months.map((row) => Object.values(row))) !== histories.get(id)) {
      return `a month of ${id}`;
    }
  }
}
