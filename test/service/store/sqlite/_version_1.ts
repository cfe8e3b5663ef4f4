/**
 * Data directories as the first version of the schema kept them: its tables, and records without what came later.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";

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

/**
 * Makes a database of version 1 of one of today, in its place: the same figures, the records without what came later, and
 * sites whose data are to be imported again, as after every new version of the engine.
 *
 * @param path Path of the database
 */
export function makeVersion1(path: string): void {
  const now = new DatabaseSync(path);
  const old = new DatabaseSync(`${path}.1`);
  old.exec(SCHEMA_1);
  old.exec("PRAGMA foreign_keys = OFF; PRAGMA user_version = 1");
  const tables = old.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    .map(({ name }) => name as string);
  for (const table of tables) {
    const columns = old.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()
      .map(({ name }) => name as string);
    const insert = old.prepare(
      `INSERT INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`,
    );
    for (const row of now.prepare(`SELECT ${columns.join(", ")} FROM ${table}`).all()) {
      const change = recordsOf[table];
      if (change) row.record = JSON.stringify(change(JSON.parse(row.record as string)));
      if (table === "sites") row.fingerprint = "of an older program";
      insert.run(...columns.map((column) => row[column]));
    }
  }
  old.close();
  now.close();
  Deno.renameSync(`${path}.1`, path);
}
