/**
 * Data directories as earlier programs left them. `_old_data.sql` is what the program of schema 3 and engine 2 (commit
 * 6b6d2a0) wrote of the small site: imported with climate until June 2024, then with all climate and other production and
 * calibrated again, by `a v + b`. Schema 2 differs by an index, schema 1 has less of everything. What programs of schema 5 to
 * 8 wrote is in `old`.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { DATABASE, FILES_FOLDER } from "../../src/storage/data_directory.ts";
import { sha256 } from "../../src/disk/hashes.ts";
import { FolderFiles } from "../../src/storage/files/folder/folder_files.ts";
import { seriesToParquet } from "../../src/sites/series.ts";
import { makeSite, type TestSite } from "../sites/_site.ts";

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

/** Takes from a database of version 3 what version 1 did not have. */
function downgradeToVersion1(database: DatabaseSync): void {
  database.exec(`
    DROP INDEX orders_for_the_same;
    ALTER TABLE months DROP COLUMN edition;
    ALTER TABLE months DROP COLUMN predicted_production_low;
    ALTER TABLE months DROP COLUMN predicted_production_high;`);
  for (const [table, downgrade] of Object.entries(recordsOf)) {
    const update = database.prepare(`UPDATE ${table} SET record = ? WHERE record = ?`);
    for (const { record } of database.prepare(`SELECT record FROM ${table}`).all()) {
      const text = record as string;
      update.run(JSON.stringify(downgrade(JSON.parse(text))), text);
    }
  }
  database.exec("PRAGMA user_version = 1");
}

/** First hour of the model file, and its power hour by hour, kW: ten days instead of two years. */
export const OLD_MODEL = {
  start: Date.UTC(2022, 11, 31),
  power: Float64Array.from({ length: 240 }, (_, i) => 5 * i),
} as const;

/** Statements that make the database of version 3, with the names of its files. */
async function readStatements(data: string): Promise<string> {
  const files = new FolderFiles(`${data}/${FILES_FOLDER}`);
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

/** Seals the rows of tables, as programs of versions 5 to 8 did; those of calibrations are as they were. */
function sealRows(database: DatabaseSync): void {
  const tables = database.prepare(
    "SELECT name FROM sqlite_schema WHERE sql LIKE '%seal TEXT%' AND name <> 'calibrations'",
  );
  for (const { name } of tables.all()) {
    const rows = database.prepare(`SELECT rowid AS own_id, * FROM ${name}`);
    const update = database.prepare(`UPDATE ${name} SET seal = ? WHERE rowid = ?`);
    for (const { own_id, seal: _, ...row } of rows.all()) {
      update.run(sha256(JSON.stringify(Object.values(row))).slice(0, 16), own_id);
    }
  }
}

/** What takes from a database what a version before did not have: from 8 to 7 when and how keys were issued. */
const DOWNGRADES: Readonly<Record<number, string>> = {
  7: "ALTER TABLE api_keys DROP COLUMN issued; ALTER TABLE api_keys DROP COLUMN way",
  // A place has the point of the site that was imported last.
  6: `
    ALTER TABLE sites DROP COLUMN edition;
    CREATE TABLE old_points (
      service_id TEXT NOT NULL REFERENCES datasets (service_id),
      site TEXT NOT NULL REFERENCES sites,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      record TEXT NOT NULL,
      seal TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (service_id, latitude, longitude)
    ) STRICT;
    INSERT OR REPLACE INTO old_points SELECT service_id, site, latitude, longitude,
      json_remove(record, '$.attribution'), '' FROM points ORDER BY rowid;
    DROP TABLE points;
    ALTER TABLE old_points RENAME TO points;
    UPDATE turbines SET record = json_set(json_remove(record, '$.attribution', '$.inputs'), '$.serviceIds',
      json((SELECT json_group_array(service_id) FROM datasets)))`,
  5: "ALTER TABLE sites DROP COLUMN site_file",
};

/** What the program of version 8 answered of its database: as `readAnswers()` of the tests of stores does. */
export async function readOldAnswers(): Promise<unknown> {
  return JSON.parse(await Deno.readTextFile(new URL("answers.json", OLD_STORES)));
}

/** Folder of databases as the program of commit 3426dc70 left them, the last one with tables of its own for everything. */
export const OLD_STORES: URL = new URL("../storage/store/old/", import.meta.url);

/** Makes a database as programs of versions 5 to 8 left it. */
export async function makeSealedData(path: string, version: number): Promise<void> {
  using database = new DatabaseSync(path);
  database.exec("PRAGMA foreign_keys = OFF");
  database.exec(await Deno.readTextFile(new URL("sqlite_8.sql", OLD_STORES)));
  for (let own = 7; own >= version; own--) database.exec(DOWNGRADES[own]);
  sealRows(database);
  database.exec(`PRAGMA user_version = ${version}`);
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
    database.exec(statements);
    if (version === 1) downgradeToVersion1(database);
    if (version === 2) database.exec("DROP INDEX orders_for_the_same; PRAGMA user_version = 2");
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
