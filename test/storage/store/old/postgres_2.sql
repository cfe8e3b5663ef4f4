CREATE SCHEMA vindkit;
CREATE TABLE vindkit.about (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE vindkit.api_keys (
    hash text NOT NULL COLLATE pg_catalog."C",
    serial_number text NOT NULL COLLATE pg_catalog."C",
    expires text COLLATE pg_catalog."C",
    issued bigint,
    way text COLLATE pg_catalog."C"
);
CREATE UNLOGGED TABLE vindkit.attempts (
    who text NOT NULL COLLATE pg_catalog."C",
    instants bigint[] NOT NULL
);
CREATE TABLE vindkit.calibrations (
    turbine_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    record json NOT NULL
);
CREATE TABLE vindkit.datasets (
    id bigint NOT NULL,
    service_id text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL
);
CREATE TABLE vindkit.licences (
    serial_number text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    expires text COLLATE pg_catalog."C",
    turbines json,
    datasets json
);
CREATE TABLE vindkit.months (
    turbine_id text NOT NULL COLLATE pg_catalog."C",
    year bigint NOT NULL,
    month bigint NOT NULL,
    month_index double precision,
    month_abnormality_index double precision,
    last12_month_index double precision,
    last_full_quarter_index double precision,
    last_full_year_index double precision,
    predicted_production double precision,
    status text NOT NULL COLLATE pg_catalog."C",
    completeness double precision NOT NULL,
    revision bigint NOT NULL,
    predicted_production_low double precision,
    predicted_production_high double precision,
    calibration bigint NOT NULL,
    edition bigint NOT NULL
);
CREATE TABLE vindkit.orders (
    id text NOT NULL COLLATE pg_catalog."C",
    serial_number text NOT NULL COLLATE pg_catalog."C",
    service_id text NOT NULL COLLATE pg_catalog."C",
    parameters json NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    token text COLLATE pg_catalog."C",
    file text COLLATE pg_catalog."C",
    expires bigint,
    number bigint NOT NULL
);
ALTER TABLE vindkit.orders ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME vindkit.orders_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE vindkit.points (
    service_id text NOT NULL COLLATE pg_catalog."C",
    site text NOT NULL COLLATE pg_catalog."C",
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    record json NOT NULL
);
CREATE TABLE vindkit.sites (
    site text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    site_file text COLLATE pg_catalog."C",
    edition bigint NOT NULL
);
CREATE TABLE vindkit.turbines (
    turbine_id text NOT NULL COLLATE pg_catalog."C",
    site text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL
);
INSERT INTO vindkit.about (name, value) VALUES ('schema_version', '2');
INSERT INTO vindkit.about (name, value) VALUES ('world', 'own');
INSERT INTO vindkit.about (name, value) VALUES ('imports', '3');
INSERT INTO vindkit.api_keys (hash, serial_number, expires, issued, way) VALUES ('0c', 'S-1', '2999-12-31', NULL, NULL);
INSERT INTO vindkit.api_keys (hash, serial_number, expires, issued, way) VALUES ('0d', 'S-2', NULL, NULL, 'request');
INSERT INTO vindkit.calibrations (turbine_id, revision, record) VALUES ('T1', 1, '{"revision":1,"calibration":{"k":0.93,"scaling":{"kind":"hour","factors":[0.9,0.91,0.93,0.92]},"smoothing":1.5,"candidates":[{"kind":"factor","smoothing":1,"error":0.06},{"kind":"hour","smoothing":1.5,"error":0.05}],"periods":[],"hours":8000,"residual":null},"reanalyses":[],"choice":{"kind":"single","error":null},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2021,2022,2023],"notes":["A note."],"findings":["A finding."],"basis":{"declaration":"0c","engine":"3","hours":[{"start":1672531200000,"length":8760,"hash":"0d"}],"periods":[{"label":"2024-01","energy":null},{"label":"2024-02","energy":0.30000000000000004}]},"meanAnnualEnergy":8123456.5,"normalMonths":[1,2,3,4,5,6,7,8,9,10,11,12.5],"uncertainty":{"draws":1000,"seed":1,"block":2,"k":{"low":0.9,"high":0.96},"longTerm":{"low":7600000,"high":8700000},"parts":{"calibration":0.04,"season":0,"level":0.05,"spread":0},"interAnnualVariability":0.06}}');
INSERT INTO vindkit.calibrations (turbine_id, revision, record) VALUES ('Ø"\{}, NULL', 1, '{"revision":1,"calibration":{"k":0.93,"scaling":{"kind":"hour","factors":[0.9,0.91,0.93,0.92]},"smoothing":1.5,"candidates":[{"kind":"factor","smoothing":1,"error":0.06},{"kind":"hour","smoothing":1.5,"error":0.05}],"periods":[],"hours":8000,"residual":null},"reanalyses":[],"choice":{"kind":"single","error":null},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2021,2022,2023],"notes":["A note."],"findings":["A finding."],"basis":{"declaration":"0c","engine":"3","hours":[{"start":1672531200000,"length":8760,"hash":"0d"}],"periods":[{"label":"2024-01","energy":null},{"label":"2024-02","energy":0.30000000000000004}]},"meanAnnualEnergy":8123456.5,"normalMonths":[1,2,3,4,5,6,7,8,9,10,11,12.5],"uncertainty":{"draws":1000,"seed":1,"block":2,"k":{"low":0.9,"high":0.96},"longTerm":{"low":7600000,"high":8700000},"parts":{"calibration":0.04,"season":0,"level":0.05,"spread":0},"interAnnualVariability":0.06}}');
INSERT INTO vindkit.datasets (id, service_id, record) VALUES (1, 'era5', '{"serviceId":"era5","group":"reanalysis","type":"time series","shortDescription":"ERA5","longDescription":"Hourly","url":"https://example.com/","attribution":["Somebody, 2024"]}');
INSERT INTO vindkit.licences (serial_number, email, expires, turbines, datasets) VALUES ('S-1', 'a@example.com', '2030-12-31', '["T1","T\"2"]', '[]');
INSERT INTO vindkit.licences (serial_number, email, expires, turbines, datasets) VALUES ('S-2', 'a@example.com', NULL, NULL, '[]');
INSERT INTO vindkit.months (turbine_id, year, month, month_index, month_abnormality_index, last12_month_index, last_full_quarter_index, last_full_year_index, predicted_production, status, completeness, revision, predicted_production_low, predicted_production_high, calibration, edition) VALUES ('T1', 2023, 1, 101, 101.14285714285714, 101.28571428571429, 101.42857142857143, 101.57142857142857, 101.71428571428571, 'final', 1, 1, 91, 111, 1, 1);
INSERT INTO vindkit.months (turbine_id, year, month, month_index, month_abnormality_index, last12_month_index, last_full_quarter_index, last_full_year_index, predicted_production, status, completeness, revision, predicted_production_low, predicted_production_high, calibration, edition) VALUES ('T1', 2023, 2, 102, 102.14285714285714, 102.28571428571429, 102.42857142857143, 102.57142857142857, 102.71428571428571, 'final', 1, 1, 92, 112, 1, 1);
INSERT INTO vindkit.months (turbine_id, year, month, month_index, month_abnormality_index, last12_month_index, last_full_quarter_index, last_full_year_index, predicted_production, status, completeness, revision, predicted_production_low, predicted_production_high, calibration, edition) VALUES ('Ø"\{}, NULL', 2023, 1, 101, 101.14285714285714, 101.28571428571429, 101.42857142857143, 101.57142857142857, 101.71428571428571, 'final', 1, 1, 91, 111, 1, 1);
INSERT INTO vindkit.months (turbine_id, year, month, month_index, month_abnormality_index, last12_month_index, last_full_quarter_index, last_full_year_index, predicted_production, status, completeness, revision, predicted_production_low, predicted_production_high, calibration, edition) VALUES ('T1', 2023, 1, 0.30000000000000004, 101.14285714285714, 101.28571428571429, 101.42857142857143, 101.57142857142857, NULL, 'final', 1, 2, 91, 111, 1, 2);
INSERT INTO vindkit.months (turbine_id, year, month, month_index, month_abnormality_index, last12_month_index, last_full_quarter_index, last_full_year_index, predicted_production, status, completeness, revision, predicted_production_low, predicted_production_high, calibration, edition) VALUES ('T1', 2023, 3, 103, 103.14285714285714, 103.28571428571429, 103.42857142857143, 103.57142857142857, 103.71428571428571, 'final', 1, 1, 93, 113, 1, 2);
INSERT INTO vindkit.orders (id, serial_number, service_id, parameters, state, token, file, expires, number) OVERRIDING SYSTEM VALUE VALUES ('z', 'S-1', 'era5', '{"filetype":"csv","lat":55.5,"lon":-7.75,"start_year":2020}', 'placed', NULL, NULL, NULL, 1);
INSERT INTO vindkit.orders (id, serial_number, service_id, parameters, state, token, file, expires, number) OVERRIDING SYSTEM VALUE VALUES ('a', 'S-2', 'era5', '{"filetype":"csv","lat":55.5,"lon":-7.75,"start_year":2020}', 'delivered', 't', '0f.csv', 1000000000000, 2);
INSERT INTO vindkit.orders (id, serial_number, service_id, parameters, state, token, file, expires, number) OVERRIDING SYSTEM VALUE VALUES ('m', 'S-2', 'era5', '{"filetype":"csv","lat":55.5,"lon":-7.75,"start_year":2020}', 'placed', NULL, NULL, NULL, 3);
INSERT INTO vindkit.points (service_id, site, latitude, longitude, record) VALUES ('era5', 'hill', 55.5, -7.75, '{"serviceId":"era5","latitude":55.5,"longitude":-7.75,"elevation":null,"start":-631152000000,"hours":1,"stamp":"instant","file":"0e.parquet","attribution":["Somebody, 2024"]}');
INSERT INTO vindkit.points (service_id, site, latitude, longitude, record) VALUES ('era5', 'coast', 55.5, -7.75, '{"serviceId":"era5","latitude":55.5,"longitude":-7.75,"elevation":null,"start":-631152000000,"hours":700000,"stamp":"instant","file":"0a.parquet","attribution":["Somebody, 2024"]}');
INSERT INTO vindkit.points (service_id, site, latitude, longitude, record) VALUES ('era5', 'coast', -3.125, 179.9, '{"serviceId":"era5","latitude":-3.125,"longitude":179.9,"elevation":12.5,"start":-631152000000,"hours":700000,"stamp":"instant","file":"0d.parquet","attribution":["Somebody, 2024"]}');
INSERT INTO vindkit.sites (site, fingerprint, site_file, edition) VALUES ('hill', '1', NULL, 1);
INSERT INTO vindkit.sites (site, fingerprint, site_file, edition) VALUES ('coast', '2', '/srv/wind/å "site".json', 2);
INSERT INTO vindkit.turbines (turbine_id, site, record) VALUES ('B', 'hill', '{"turbine":{"id":"B","name":"Turbine \"B\"","latitude":55.6,"longitude":7.9,"elevation":0,"hubHeight":80,"rotorDiameter":92,"ratedPower":2300,"units":1,"timeZone":"Europe/Copenhagen","powerControl":"pcPitch","powerCurve":[{"wind_speed":3,"power":0},{"wind_speed":12,"power":2300}]},"calibration":null,"modelFile":null,"site":"hill","attribution":["Somebody, 2024"],"edition":1}');
INSERT INTO vindkit.turbines (turbine_id, site, record) VALUES ('T1', 'coast', '{"turbine":{"id":"T1","name":"Turbine \"T1\"","latitude":55.6,"longitude":7.9,"elevation":0,"hubHeight":80,"rotorDiameter":92,"ratedPower":2300,"units":1,"timeZone":"Europe/Copenhagen","powerControl":"pcPitch","powerCurve":[{"wind_speed":3,"power":0},{"wind_speed":12,"power":2300}]},"calibration":{"revision":1,"calibration":{"k":0.93,"scaling":{"kind":"hour","factors":[0.9,0.91,0.93,0.92]},"smoothing":1.5,"candidates":[{"kind":"factor","smoothing":1,"error":0.06},{"kind":"hour","smoothing":1.5,"error":0.05}],"periods":[],"hours":8000,"residual":null},"reanalyses":[],"choice":{"kind":"single","error":null},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2021,2022,2023],"notes":["A note."],"findings":["A finding."],"basis":{"declaration":"0c","engine":"3","hours":[{"start":1672531200000,"length":8760,"hash":"0d"}],"periods":[{"label":"2024-01","energy":null},{"label":"2024-02","energy":0.30000000000000004}]},"meanAnnualEnergy":8123456.5,"normalMonths":[1,2,3,4,5,6,7,8,9,10,11,12.5],"uncertainty":{"draws":1000,"seed":1,"block":2,"k":{"low":0.9,"high":0.96},"longTerm":{"low":7600000,"high":8700000},"parts":{"calibration":0.04,"season":0,"level":0.05,"spread":0},"interAnnualVariability":0.06}},"modelFile":"0b.parquet","site":"coast","attribution":["Somebody, 2024"],"edition":2}');
INSERT INTO vindkit.turbines (turbine_id, site, record) VALUES ('Ø"\{}, NULL', 'coast', '{"turbine":{"id":"Ø\"\\{}, NULL","name":"Turbine \"Ø\"\\{}, NULL\"","latitude":55.6,"longitude":7.9,"elevation":0,"hubHeight":80,"rotorDiameter":92,"ratedPower":2300,"units":1,"timeZone":"Europe/Copenhagen","powerControl":"pcPitch","powerCurve":[{"wind_speed":3,"power":0},{"wind_speed":12,"power":2300}]},"calibration":{"revision":1,"calibration":{"k":0.93,"scaling":{"kind":"hour","factors":[0.9,0.91,0.93,0.92]},"smoothing":1.5,"candidates":[{"kind":"factor","smoothing":1,"error":0.06},{"kind":"hour","smoothing":1.5,"error":0.05}],"periods":[],"hours":8000,"residual":null},"reanalyses":[],"choice":{"kind":"single","error":null},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2021,2022,2023],"notes":["A note."],"findings":["A finding."],"basis":{"declaration":"0c","engine":"3","hours":[{"start":1672531200000,"length":8760,"hash":"0d"}],"periods":[{"label":"2024-01","energy":null},{"label":"2024-02","energy":0.30000000000000004}]},"meanAnnualEnergy":8123456.5,"normalMonths":[1,2,3,4,5,6,7,8,9,10,11,12.5],"uncertainty":{"draws":1000,"seed":1,"block":2,"k":{"low":0.9,"high":0.96},"longTerm":{"low":7600000,"high":8700000},"parts":{"calibration":0.04,"season":0,"level":0.05,"spread":0},"interAnnualVariability":0.06}},"modelFile":"0b.parquet","site":"coast","attribution":["Somebody, 2024"],"edition":2}');
ALTER TABLE ONLY vindkit.about
    ADD CONSTRAINT about_pkey PRIMARY KEY (name);
ALTER TABLE ONLY vindkit.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY vindkit.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (who);
ALTER TABLE ONLY vindkit.calibrations
    ADD CONSTRAINT calibrations_pkey PRIMARY KEY (turbine_id, revision);
ALTER TABLE ONLY vindkit.datasets
    ADD CONSTRAINT datasets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vindkit.datasets
    ADD CONSTRAINT datasets_service_id_key UNIQUE (service_id);
ALTER TABLE ONLY vindkit.licences
    ADD CONSTRAINT licences_pkey PRIMARY KEY (serial_number);
ALTER TABLE ONLY vindkit.months
    ADD CONSTRAINT months_pkey PRIMARY KEY (turbine_id, year, month, revision);
ALTER TABLE ONLY vindkit.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vindkit.orders
    ADD CONSTRAINT orders_token_key UNIQUE (token);
ALTER TABLE ONLY vindkit.points
    ADD CONSTRAINT points_pkey PRIMARY KEY (service_id, latitude, longitude, site);
ALTER TABLE ONLY vindkit.sites
    ADD CONSTRAINT sites_pkey PRIMARY KEY (site);
ALTER TABLE ONLY vindkit.turbines
    ADD CONSTRAINT turbines_pkey PRIMARY KEY (turbine_id);
CREATE INDEX api_keys_serial_number_idx ON vindkit.api_keys USING btree (serial_number);
CREATE INDEX orders_file_idx ON vindkit.orders USING btree (file);
CREATE INDEX orders_number_idx ON vindkit.orders USING btree (number) WHERE (expires IS NULL);
CREATE INDEX orders_serial_number_service_id_idx ON vindkit.orders USING btree (serial_number, service_id);
CREATE INDEX points_expr_idx ON vindkit.points USING btree (((record ->> 'file'::text)));
CREATE INDEX points_site_idx ON vindkit.points USING btree (site);
CREATE INDEX turbines_expr_idx ON vindkit.turbines USING btree (((record ->> 'modelFile'::text)));
CREATE INDEX turbines_site_idx ON vindkit.turbines USING btree (site);
ALTER TABLE ONLY vindkit.api_keys
    ADD CONSTRAINT api_keys_serial_number_fkey FOREIGN KEY (serial_number) REFERENCES vindkit.licences(serial_number);
ALTER TABLE ONLY vindkit.calibrations
    ADD CONSTRAINT calibrations_turbine_id_fkey FOREIGN KEY (turbine_id) REFERENCES vindkit.turbines(turbine_id) ON DELETE CASCADE;
ALTER TABLE ONLY vindkit.months
    ADD CONSTRAINT months_turbine_id_fkey FOREIGN KEY (turbine_id) REFERENCES vindkit.turbines(turbine_id) ON DELETE CASCADE;
ALTER TABLE ONLY vindkit.points
    ADD CONSTRAINT points_site_fkey FOREIGN KEY (site) REFERENCES vindkit.sites(site);
ALTER TABLE ONLY vindkit.turbines
    ADD CONSTRAINT turbines_site_fkey FOREIGN KEY (site) REFERENCES vindkit.sites(site);
