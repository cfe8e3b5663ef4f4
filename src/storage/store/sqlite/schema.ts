import { ConfigurationError } from "../../../api/errors.ts";
import type { World } from "../../../api/world.ts";
import { sealAll, verifyMonths, verifyTables } from "./contents.ts";
import { SEALED_TABLES } from "./sealed_tables.ts";
import { isBusy, type SqliteDatabase } from "./sqlite_database.ts";

/** Version of the schema below; an older database is migrated, a newer one is refused. */
export const SCHEMA_VERSION = 8;

/**
 * What must be there of a turbine: the seal of all rows of its months, its last month with figures as a number, and the
 * revision of its last calibration, 0 without one.
 */
const HISTORIES = `
CREATE TABLE histories (
  turbine_id TEXT PRIMARY KEY REFERENCES turbines ON DELETE CASCADE,
  months TEXT NOT NULL,
  last_month INTEGER,
  calibrations INTEGER NOT NULL,
  seal TEXT NOT NULL DEFAULT ''
) STRICT;
`;

/** Series of climate points, those of each site: a place that several sites have has one of each. */
const POINTS = `
CREATE TABLE points (
  service_id TEXT NOT NULL REFERENCES datasets (service_id),
  site TEXT NOT NULL REFERENCES sites,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  record TEXT NOT NULL,
  seal TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (service_id, latitude, longitude, site)
) STRICT;
`;

/** Statements that migrate a database to the next version; the first are for version 1. */
const MIGRATIONS: readonly string[] = [
  `ALTER TABLE months ADD COLUMN edition INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE months ADD COLUMN predicted_production_low REAL;
   ALTER TABLE months ADD COLUMN predicted_production_high REAL;
   UPDATE months SET edition = calibration;
   UPDATE turbines SET record = json_set(record, '$.edition',
     coalesce((SELECT max(edition) FROM months WHERE turbine_id = turbines.turbine_id), 0));
   UPDATE turbines SET record = ${completeRecord("$.calibration")}
     WHERE json_type(record, '$.calibration') = 'object';
   UPDATE calibrations SET record = ${completeRecord("$")};`,
  // Keys ended when their licence would have ended as it was then, whether or not it had been renewed.
  `UPDATE api_keys SET expires = NULL;
   CREATE INDEX orders_for_the_same ON orders (serial_number, service_id, parameters);`,
  `UPDATE turbines SET record =
     json_set(record, '$.serviceIds', json_array(json_extract(record, '$.serviceId')));
   UPDATE turbines SET record = ${completeWithEngine2("$.calibration")}
     WHERE json_type(record, '$.calibration') = 'object';
   UPDATE calibrations SET record = ${completeWithEngine2("$")};
   UPDATE turbines SET record = ${completeUncertainty("$.calibration")}
     WHERE json_type(record, '$.calibration.uncertainty') = 'object';
   UPDATE calibrations SET record = ${completeUncertainty("$")}
     WHERE json_type(record, '$.uncertainty') = 'object';`,
  SEALED_TABLES.filter((table) => table !== "histories")
    .map((table) => `ALTER TABLE ${table} ADD COLUMN seal TEXT NOT NULL DEFAULT '';`)
    .join("\n") + HISTORIES,
  "ALTER TABLE sites ADD COLUMN site_file TEXT;",
  // Without a fingerprint the next import stores each site again: another one may have taken its points.
  `ALTER TABLE sites ADD COLUMN edition INTEGER NOT NULL DEFAULT 1;
   UPDATE sites SET fingerprint = '';
   ALTER TABLE points RENAME TO points_by_place;
   ${POINTS}
   INSERT INTO points SELECT service_id, site, latitude, longitude,
     json_set(record, '$.attribution', json((SELECT json_extract(record, '$.attribution')
       FROM datasets WHERE service_id = points_by_place.service_id))), ''
     FROM points_by_place;
   DROP TABLE points_by_place;
   UPDATE turbines SET record = json_set(json_remove(record, '$.serviceIds'), '$.attribution',
     json((SELECT json_group_array(line.value) FROM json_each(turbines.record, '$.serviceIds') AS id
       JOIN datasets ON service_id = id.value, json_each(datasets.record, '$.attribution') AS line)));`,
  "ALTER TABLE api_keys ADD COLUMN issued INTEGER; ALTER TABLE api_keys ADD COLUMN way TEXT;",
];

/**
 * Completes a calibration of version 3, by the engine that neither smoothed nor weighed; one of version 1 has no errors of
 * unseen periods.
 */
function completeWithEngine2(calibration: string): string {
  const own = `${calibration}.calibration`;
  return `json_set(record,
    '${calibration}.basis.engine', '2',
    '${calibration}.reanalyses', json('[]'),
    '${calibration}.choice', json('{"kind":"single","error":null}'),
    '${calibration}.normalMonths', NULL,
    '${own}.smoothing', 0,
    '${own}.candidates', (SELECT json_group_array(json_set(value, '$.smoothing', 0))
      FROM json_each(record, '${own}.candidates')),
    '${own}.periods', (SELECT json_group_array(json_set(value,
        '$.hourly', json(iif(json_array_length(record, '${calibration}.basis.hours') > 0, 'true', 'false')),
        '$.unseen', json_extract(value, '$.unseen'),
        '$.weight', json_extract(value, '$.used') + 0))
      FROM json_each(record, '${own}.periods')))`;
}

/** The uncertainty of a calibration of version 3, whose parts are not known. */
function completeUncertainty(calibration: string): string {
  return `json_set(record, '${calibration}.uncertainty.parts', NULL)`;
}

/** Completes a calibration of version 1 with the fields of version 2: without a basis the next import recalibrates. */
function completeRecord(calibration: string): string {
  return `json_set(record,
    '${calibration}.findings', json('[]'),
    '${calibration}.basis', json('{"declaration":"","hours":[],"periods":[]}'),
    '${calibration}.meanAnnualEnergy', NULL,
    '${calibration}.uncertainty', NULL,
    '${calibration}.calibration.candidates', json('[]'),
    '${calibration}.calibration.scaling',
      json_object('kind', 'factor', 'k', json_extract(record, '${calibration}.calibration.k')))`;
}

/** Tables of the SQLite store. Structured values that are only read as a whole are JSON. */
const SCHEMA = `
CREATE TABLE about (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  seal TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE licences (
  serial_number TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  expires TEXT,
  turbines TEXT,
  datasets TEXT,
  seal TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE api_keys (
  hash TEXT PRIMARY KEY,
  serial_number TEXT NOT NULL REFERENCES licences,
  expires TEXT,
  seal TEXT NOT NULL DEFAULT '',
  issued INTEGER,
  way TEXT
) STRICT;
CREATE TABLE sites (
  site TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  seal TEXT NOT NULL DEFAULT '',
  site_file TEXT,
  edition INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE datasets (
  id INTEGER PRIMARY KEY,
  service_id TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL,
  seal TEXT NOT NULL DEFAULT ''
) STRICT;
${POINTS}CREATE TABLE turbines (
  turbine_id TEXT PRIMARY KEY,
  site TEXT NOT NULL REFERENCES sites,
  record TEXT NOT NULL,
  seal TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE calibrations (
  turbine_id TEXT NOT NULL REFERENCES turbines ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  record TEXT NOT NULL,
  seal TEXT NOT NULL DEFAULT '',
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
  edition INTEGER NOT NULL DEFAULT 0,
  predicted_production_low REAL,
  predicted_production_high REAL,
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
  expires INTEGER,
  seal TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX orders_for_the_same ON orders (serial_number, service_id, parameters);
${HISTORIES}`;

/** Commits are synced to the disk: an order or a revocation survives a power cut. */
const SETTINGS = "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; " +
  // Each commit is copied from the log at once: SQLite ignores the rest of a damaged log without a word.
  "PRAGMA wal_autocheckpoint = 1";

/** The first version whose rows have seals. */
const FIRST_SEALED = 5;

/** Attempts to change the journal while another process does the same, and the pause between them, ms. */
const ATTEMPTS = 200;
const PAUSE = 20;

/** Switches to the write-ahead log, so that readers and a writer work in parallel. SQLite does not wait for the lock here,
 * so this does. */
function useWriteAheadLog(database: SqliteDatabase): void {
  for (let attempt = 1;; attempt++) {
    try {
      return database.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      if (!isBusy(error as Error) || attempt === ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

/**
 * Gives a database the settings and the tables of this program: creates them in a new one, and migrates an older one.
 *
 * @param world Where the figures of a new one come from
 * @throws {ConfigurationError} If a newer version has written it
 */
export function prepareSchema(database: SqliteDatabase, path: string, world: World): void {
  useWriteAheadLog(database);
  database.exec(SETTINGS);
  const versionOf = () => Number(database.get("PRAGMA user_version")!.user_version);
  if (versionOf() === SCHEMA_VERSION) return; // waits for nobody who writes
  database.transaction(() => {
    const from = versionOf();
    if (from === SCHEMA_VERSION) return;
    if (from < 0 || from > SCHEMA_VERSION) {
      throw new ConfigurationError(
        `Cannot open ${path}: its schema has version ${from}, this version reads ${SCHEMA_VERSION}. Use the version that wrote it`,
      );
    }
    if (from === 0) {
      database.exec(SCHEMA);
      database.run("INSERT INTO about (name, value) VALUES ('world', ?)", world);
    } else {
      if (from >= FIRST_SEALED) { // else damage would be sealed as right
        verifyTables(database);
        verifyMonths(database);
      }
      for (const migration of MIGRATIONS.slice(from - 1)) database.exec(migration);
    }
    sealAll(database);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}
