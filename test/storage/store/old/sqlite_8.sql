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
CREATE TABLE points (
  service_id TEXT NOT NULL REFERENCES datasets (service_id),
  site TEXT NOT NULL REFERENCES sites,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  record TEXT NOT NULL,
  seal TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (service_id, latitude, longitude, site)
) STRICT;
CREATE TABLE turbines (
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
CREATE TABLE histories (
  turbine_id TEXT PRIMARY KEY REFERENCES turbines ON DELETE CASCADE,
  months TEXT NOT NULL,
  last_month INTEGER,
  calibrations INTEGER NOT NULL,
  seal TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO about (name, value, seal) VALUES ('world', 'own', 'b4bcf4c33efe122f');
INSERT INTO about (name, value, seal) VALUES ('lists', '{"imports":3,"turbines":"111a4091555d2b16","datasets":"f6961e3dbd814801","points":{"era5":"8d4c2670f804ad77"}}', 'b1237e58619a7dea');
INSERT INTO licences (serial_number, email, expires, turbines, datasets, seal) VALUES ('S-1', 'a@example.com', '2030-12-31', '["T1","T\"2"]', '[]', '406ef9009463fd3d');
INSERT INTO licences (serial_number, email, expires, turbines, datasets, seal) VALUES ('S-2', 'a@example.com', NULL, NULL, '[]', '6c32f179c4529400');
INSERT INTO api_keys (hash, serial_number, expires, seal, issued, way) VALUES ('0c', 'S-1', '2999-12-31', 'eac3805cd540b1ae', NULL, NULL);
INSERT INTO api_keys (hash, serial_number, expires, seal, issued, way) VALUES ('0d', 'S-2', NULL, '553df912a75ab5fa', NULL, 'request');
INSERT INTO sites (site, fingerprint, seal, site_file, edition) VALUES ('coast', '2', '4a50c369463d7b10', '/srv/wind/å "site".json', 2);
INSERT INTO sites (site, fingerprint, seal, site_file, edition) VALUES ('hill', '1', 'f759b2e2ba130633', NULL, 1);
INSERT INTO datasets (id, service_id, record, seal) VALUES (1, 'era5', '{"serviceId":"era5","group":"reanalysis","type":"time series","shortDescription":"ERA5","longDescription":"Hourly","url":"https://example.com/","attribution":["Somebody, 2024"]}', '02bed8c8041b7972');
INSERT INTO points (service_id, site, latitude, longitude, record, seal) VALUES ('era5', 'hill', 55.5, -7.75, '{"serviceId":"era5","latitude":55.5,"longitude":-7.75,"elevation":null,"start":-631152000000,"hours":1,"stamp":"instant","file":"0e.parquet","attribution":["Somebody, 2024"]}', '2b1894436cbfc9ba');
INSERT INTO points (service_id, site, latitude, longitude, record, seal) VALUES ('era5', 'coast', 55.5, -7.75, '{"serviceId":"era5","latitude":55.5,"longitude":-7.75,"elevation":null,"start":-631152000000,"hours":700000,"stamp":"instant","file":"0a.parquet","attribution":["Somebody, 2024"]}', '9d9a7dc50d24010b');
INSERT INTO points (service_id, site, latitude, longitude, record, seal) VALUES ('era5', 'coast', -3.125, 179.9, '{"serviceId":"era5","latitude":-3.125,"longitude":179.9,"elevation":12.5,"start":-631152000000,"hours":700000,"stamp":"instant","file":"0d.parquet","attribution":["Somebody, 2024"]}', '70e037de382598a2');
INSERT INTO turbines (turbine_id, site, record, seal) VALUES ('T1', 'coast', '{"turbine":{"id":"T1","name":"Turbine \"T1\"","latitude":55.6,"longitude":7.9,"elevation":0,"hubHeight":80,"rotorDiameter":92,"ratedPower":2300,"units":1,"timeZone":"Europe/Copenhagen","powerControl":"pcPitch","powerCurve":[{"wind_speed":3,"power":0},{"wind_speed":12,"power":2300}]},"calibration":{"revision":1,"calibration":{"k":0.93,"scaling":{"kind":"hour","factors":[0.9,0.91,0.93,0.92]},"smoothing":1.5,"candidates":[{"kind":"factor","smoothing":1,"error":0.06},{"kind":"hour","smoothing":1.5,"error":0.05}],"periods":[],"hours":8000,"residual":null},"reanalyses":[],"choice":{"kind":"single","error":null},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2021,2022,2023],"notes":["A note."],"findings":["A finding."],"basis":{"declaration":"0c","engine":"3","hours":[{"start":1672531200000,"length":8760,"hash":"0d"}],"periods":[{"label":"2024-01","energy":null},{"label":"2024-02","energy":0.30000000000000004}]},"meanAnnualEnergy":8123456.5,"normalMonths":[1,2,3,4,5,6,7,8,9,10,11,12.5],"uncertainty":{"draws":1000,"seed":1,"block":2,"k":{"low":0.9,"high":0.96},"longTerm":{"low":7600000,"high":8700000},"parts":{"calibration":0.04,"season":0,"level":0.05,"spread":0},"interAnnualVariability":0.06}},"modelFile":"0b.parquet","site":"coast","attribution":["Somebody, 2024"],"edition":2}', '8047631a10e86ac1');
INSERT INTO turbines (turbine_id, site, record, seal) VALUES ('Ø"\{}, NULL', 'coast', '{"turbine":{"id":"Ø\"\\{}, NULL","name":"Turbine \"Ø\"\\{}, NULL\"","latitude":55.6,"longitude":7.9,"elevation":0,"hubHeight":80,"rotorDiameter":92,"ratedPower":2300,"units":1,"timeZone":"Europe/Copenhagen","powerControl":"pcPitch","powerCurve":[{"wind_speed":3,"power":0},{"wind_speed":12,"power":2300}]},"calibration":{"revision":1,"calibration":{"k":0.93,"scaling":{"kind":"hour","factors":[0.9,0.91,0.93,0.92]},"smoothing":1.5,"candidates":[{"kind":"factor","smoothing":1,"error":0.06},{"kind":"hour","smoothing":1.5,"error":0.05}],"periods":[],"hours":8000,"residual":null},"reanalyses":[],"choice":{"kind":"single","error":null},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2021,2022,2023],"notes":["A note."],"findings":["A finding."],"basis":{"declaration":"0c","engine":"3","hours":[{"start":1672531200000,"length":8760,"hash":"0d"}],"periods":[{"label":"2024-01","energy":null},{"label":"2024-02","energy":0.30000000000000004}]},"meanAnnualEnergy":8123456.5,"normalMonths":[1,2,3,4,5,6,7,8,9,10,11,12.5],"uncertainty":{"draws":1000,"seed":1,"block":2,"k":{"low":0.9,"high":0.96},"longTerm":{"low":7600000,"high":8700000},"parts":{"calibration":0.04,"season":0,"level":0.05,"spread":0},"interAnnualVariability":0.06}},"modelFile":"0b.parquet","site":"coast","attribution":["Somebody, 2024"],"edition":2}', '3db2ded38664a265');
INSERT INTO turbines (turbine_id, site, record, seal) VALUES ('B', 'hill', '{"turbine":{"id":"B","name":"Turbine \"B\"","latitude":55.6,"longitude":7.9,"elevation":0,"hubHeight":80,"rotorDiameter":92,"ratedPower":2300,"units":1,"timeZone":"Europe/Copenhagen","powerControl":"pcPitch","powerCurve":[{"wind_speed":3,"power":0},{"wind_speed":12,"power":2300}]},"calibration":null,"modelFile":null,"site":"hill","attribution":["Somebody, 2024"],"edition":1}', '605476eaa0ee6a4a');
INSERT INTO calibrations (turbine_id, revision, record, seal) VALUES ('T1', 1, '{"revision":1,"calibration":{"k":0.93,"scaling":{"kind":"hour","factors":[0.9,0.91,0.93,0.92]},"smoothing":1.5,"candidates":[{"kind":"factor","smoothing":1,"error":0.06},{"kind":"hour","smoothing":1.5,"error":0.05}],"periods":[],"hours":8000,"residual":null},"reanalyses":[],"choice":{"kind":"single","error":null},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2021,2022,2023],"notes":["A note."],"findings":["A finding."],"basis":{"declaration":"0c","engine":"3","hours":[{"start":1672531200000,"length":8760,"hash":"0d"}],"periods":[{"label":"2024-01","energy":null},{"label":"2024-02","energy":0.30000000000000004}]},"meanAnnualEnergy":8123456.5,"normalMonths":[1,2,3,4,5,6,7,8,9,10,11,12.5],"uncertainty":{"draws":1000,"seed":1,"block":2,"k":{"low":0.9,"high":0.96},"longTerm":{"low":7600000,"high":8700000},"parts":{"calibration":0.04,"season":0,"level":0.05,"spread":0},"interAnnualVariability":0.06}}', 'a6952baf7c41bfa1');
INSERT INTO calibrations (turbine_id, revision, record, seal) VALUES ('Ø"\{}, NULL', 1, '{"revision":1,"calibration":{"k":0.93,"scaling":{"kind":"hour","factors":[0.9,0.91,0.93,0.92]},"smoothing":1.5,"candidates":[{"kind":"factor","smoothing":1,"error":0.06},{"kind":"hour","smoothing":1.5,"error":0.05}],"periods":[],"hours":8000,"residual":null},"reanalyses":[],"choice":{"kind":"single","error":null},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2021,2022,2023],"notes":["A note."],"findings":["A finding."],"basis":{"declaration":"0c","engine":"3","hours":[{"start":1672531200000,"length":8760,"hash":"0d"}],"periods":[{"label":"2024-01","energy":null},{"label":"2024-02","energy":0.30000000000000004}]},"meanAnnualEnergy":8123456.5,"normalMonths":[1,2,3,4,5,6,7,8,9,10,11,12.5],"uncertainty":{"draws":1000,"seed":1,"block":2,"k":{"low":0.9,"high":0.96},"longTerm":{"low":7600000,"high":8700000},"parts":{"calibration":0.04,"season":0,"level":0.05,"spread":0},"interAnnualVariability":0.06}}', '65933c86abe31753');
INSERT INTO months (turbine_id, year, month, revision, calibration, month_index, month_abnormality_index, last12_month_index, last_full_quarter_index, last_full_year_index, predicted_production, completeness, status, edition, predicted_production_low, predicted_production_high) VALUES ('T1', 2023, 1, 1, 1, 101, 101.14285714285714, 101.28571428571429, 101.42857142857143, 101.57142857142857, 101.71428571428571, 1, 'final', 1, 91, 111);
INSERT INTO months (turbine_id, year, month, revision, calibration, month_index, month_abnormality_index, last12_month_index, last_full_quarter_index, last_full_year_index, predicted_production, completeness, status, edition, predicted_production_low, predicted_production_high) VALUES ('T1', 2023, 1, 2, 1, 0.30000000000000004, 101.14285714285714, 101.28571428571429, 101.42857142857143, 101.57142857142857, NULL, 1, 'final', 2, 91, 111);
INSERT INTO months (turbine_id, year, month, revision, calibration, month_index, month_abnormality_index, last12_month_index, last_full_quarter_index, last_full_year_index, predicted_production, completeness, status, edition, predicted_production_low, predicted_production_high) VALUES ('T1', 2023, 2, 1, 1, 102, 102.14285714285714, 102.28571428571429, 102.42857142857143, 102.57142857142857, 102.71428571428571, 1, 'final', 1, 92, 112);
INSERT INTO months (turbine_id, year, month, revision, calibration, month_index, month_abnormality_index, last12_month_index, last_full_quarter_index, last_full_year_index, predicted_production, completeness, status, edition, predicted_production_low, predicted_production_high) VALUES ('T1', 2023, 3, 1, 1, 103, 103.14285714285714, 103.28571428571429, 103.42857142857143, 103.57142857142857, 103.71428571428571, 1, 'final', 2, 93, 113);
INSERT INTO months (turbine_id, year, month, revision, calibration, month_index, month_abnormality_index, last12_month_index, last_full_quarter_index, last_full_year_index, predicted_production, completeness, status, edition, predicted_production_low, predicted_production_high) VALUES ('Ø"\{}, NULL', 2023, 1, 1, 1, 101, 101.14285714285714, 101.28571428571429, 101.42857142857143, 101.57142857142857, 101.71428571428571, 1, 'final', 1, 91, 111);
INSERT INTO orders (id, serial_number, service_id, parameters, state, token, file, expires, seal) VALUES ('z', 'S-1', 'era5', '{"filetype":"csv","lat":55.5,"lon":-7.75,"start_year":2020}', 'placed', NULL, NULL, NULL, '4297712b7d303413');
INSERT INTO orders (id, serial_number, service_id, parameters, state, token, file, expires, seal) VALUES ('a', 'S-2', 'era5', '{"filetype":"csv","lat":55.5,"lon":-7.75,"start_year":2020}', 'delivered', 't', '0f.csv', 1000000000000, 'ce84f30f40321a57');
INSERT INTO orders (id, serial_number, service_id, parameters, state, token, file, expires, seal) VALUES ('m', 'S-2', 'era5', '{"filetype":"csv","lat":55.5,"lon":-7.75,"start_year":2020}', 'placed', NULL, NULL, NULL, '89d53c9b6182b138');
INSERT INTO histories (turbine_id, months, last_month, calibrations, seal) VALUES ('B', '4f53cda18c2baa0c', NULL, 0, '01d6b6a7d1288722');
INSERT INTO histories (turbine_id, months, last_month, calibrations, seal) VALUES ('T1', '809db6f3874f1e2d', 24278, 1, '0ec87a81bcb79c0b');
INSERT INTO histories (turbine_id, months, last_month, calibrations, seal) VALUES ('Ø"\{}, NULL', '2872a9dfc2d19c70', 24276, 1, 'cf5d95f188b24e8a');
PRAGMA user_version = 8;
