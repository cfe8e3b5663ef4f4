/**
 * Statements that migrate databases of versions 1 to 7 to version 8, the last one with tables of its own for everything.
 *
 * @module
 */

/** Tables whose rows have seals from version 5 on. */
const SEALED = [
  "about",
  "licences",
  "api_keys",
  "sites",
  "datasets",
  "points",
  "turbines",
  "calibrations",
  "orders",
];

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
export const OLD_MIGRATIONS: readonly string[] = [
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
  SEALED.map((table) => `ALTER TABLE ${table} ADD COLUMN seal TEXT NOT NULL DEFAULT '';`)
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
