/** Version of the schema below; a database of another version is refused. */
export const SCHEMA_VERSION = 1;

/** Tables of the SQLite store. Structured values that are only read as a whole are JSON. */
export const SCHEMA = `
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
