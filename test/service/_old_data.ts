/**
 * Data directories as earlier programs left them. `_old_data.sql` is what the program of schema 3 and engine 2 (commit
 * 6b6d2a0) wrote of the small site: imported with climate until June 2024, then with all climate and other production and
 * calibrated again, by `a v + b`. Schema 2 differs by an index, schema 1 has less of everything. What comes after schema 3
 * changes nothing here.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { DATABASE, FILES_FOLDER } from "../../src/service/data_directory.ts";
import { Files } from "../../src/service/files/files.ts";
import { seriesToParquet } from "../../src/service/files/series.ts";
import { makeSite, type TestSite } from "./import/_site.ts";

/** Tables of version 1. */
export const SCHEMA_1 = `
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE licences (
  serial_number TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  expires TEXT,
  turbines TEXT,
  datasets TEXT
) STRICT;
CREATE TABLE api_keys (
  hash TEXT PRIMARY KEY,
  serial_number TEXT NOT NULL REFERENCES licences,
  expires TEXT
) STRICT;
CREATE TABLE sites (site TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) STRICT;
CREATE TABLE datasets (
  id INTEGER PRIMARY KEY,
  service_id TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL
) STRICT;
CREATE TABLE points (
  service_id TEXT NOT NULL REFERENCES datasets (service_id),
  site TEXT NOT NULL REFERENCES sites,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (service_id, latitude, longitude)
) STRICT;
CREATE TABLE turbines (
  turbine_id TEXT PRIMARY KEY,
  site TEXT NOT NULL REFERENCES sites,
  record TEXT NOT NULL
) STRICT;
CREATE TABLE calibrations (
  turbine_id TEXT NOT NULL REFERENCES turbines ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (turbine_id, revision)
) STRICT, WITHOUT ROWID;
CREATE TABLE months (
  turbine_id TEXT NOT NULL REFERENCES turbines ON DELETE CASCADE,
  year INTEGER NOT NULL,
  month INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  calibration INTEGER NOT NULL,
  month_index REAL,
  month_abnormality_index REAL,
  last12_month_index REAL,
  last_full_quarter_index REAL,
  last_full_year_index REAL,
  predicted_production REAL,
  completeness REAL NOT NULL,
  status TEXT NOT NULL,
  PRIMARY KEY (turbine_id, year, month, revision)
) STRICT, WITHOUT ROWID;
CREATE TABLE orders (
  id TEXT PRIMARY KEY,
  serial_number TEXT NOT NULL,
  service_id TEXT NOT NULL,
  parameters TEXT NOT NULL,
  state TEXT NOT NULL,
  token TEXT UNIQUE,
  file TEXT,
  expires INTEGER
) STRICT;
`;

type Record_ = Record<string, unknown>;

/** A calibration as version 1 had it. */
function downgradeCalibration(record: Record_): Record_ {
  const { findings: _, basis: __, meanAnnualEnergy: ___, uncertainty: ____, ...kept } = record;
  const { scaling: _s, candidates: _c, periods, ...calibration } = kept.calibration as Record_;
  const withoutUnseen = (periods as Record_[]).map(({ unseen: _u, ...period }) => period);
  return { ...kept, calibration: { ...calibration, periods: withoutUnseen } };
}

/** A turbine as version 1 had it. */
function downgradeTurbine({ edition: _, calibration, ...kept }: Record_): Record_ {
  return { ...kept, calibration: calibration && downgradeCalibration(calibration as Record_) };
}

const recordsOf: Readonly<Record<string, (record: Record_) => Record_>> = {
  turbines: downgradeTurbine,
  calibrations: downgradeCalibration,
};

/** Writes the content of a database of version 3 into a new one of version 1. */
function copyToVersion1(from: DatabaseSync, to: DatabaseSync): void {
  to.exec(`${SCHEMA_1} PRAGMA foreign_keys = OFF; PRAGMA user_version = 1`);
  const tables = to.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    .map(({ name }) => name as string);
  for (const table of tables) {
    const columns = to.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()
      .map(({ name }) => name as string);
    const insert = to.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of from.prepare(`SELECT ${columns.join(", ")} FROM ${table}`).all()) {
      const change = recordsOf[table];
      if (change) row.record = JSON.stringify(change(JSON.parse(row.record as string)));
      insert.run(...columns.map((column) => row[column]));
    }
  }
}

/** First hour of the model file, and its power hour by hour, kW: ten days instead of two years. */
export const OLD_MODEL = {
  start: Date.UTC(2022, 11, 31),
  power: Float64Array.from({ length: 240 }, (_, i) => 5 * i),
} as const;

/** Statements that make the database of version 3, with the names of its files. */
async function readStatements(data: string): Promise<string> {
  const files = new Files(`${data}/${FILES_FOLDER}`);
  const { start, power } = OLD_MODEL;
  const axis = { start, length: power.length };
  const model = seriesToParquet(axis, {
    wind_speed: power.map((value) => value / 100),
    wind_direction: power.map(() => 270),
    temperature: power.map(() => 8),
    air_density: power.map(() => 1.24),
    power,
  });
  const point = seriesToParquet(axis, { wind_speed_100: power.map((value) => value / 90) });
  return (await Deno.readTextFile(new URL("_old_data.sql", import.meta.url)))
    .replaceAll("MODEL_FILE", await files.put(model, "parquet"))
    .replaceAll("POINT_FILE", await files.put(point, "parquet"));
}

/** Versions of the schema before that of today. */
export const OLD_VERSIONS = [1, 2, 3] as const;

/** Writes a data directory as the program with a version of the schema left it. */
export async function makeOldData(
  data: string,
  version: typeof OLD_VERSIONS[number],
): Promise<void> {
  const statements = await readStatements(data);
  const database = new DatabaseSync(`${data}/${DATABASE}`);
  try {
    if (version === 1) {
      const later = new DatabaseSync(":memory:");
      later.exec(statements);
      copyToVersion1(later, database);
      later.close();
    } else {
      database.exec(statements);
      if (version === 2) database.exec("DROP INDEX orders_for_the_same; PRAGMA user_version = 2");
    }
  } finally {
    database.close();
  }
}

/** The site as it was last imported into these directories, with all of its climate. */
export async function makeOldSite(): Promise<TestSite> {
  const site = await makeSite();
  const RATED = 2300;
  await site.editColumn(
    "production.csv",
    "power",
    (value) =>
      Number(value) > 0
        ? Math.min(RATED, 1.1 * RATED * (Number(value) / RATED) ** 0.6).toFixed(1)
        : value,
  );
  return site;
}
