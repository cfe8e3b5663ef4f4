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
  expires INTEGER
) STRICT;
CREATE INDEX orders_for_the_same ON orders (serial_number, service_id, parameters);
INSERT INTO about VALUES
('world', 'own');
INSERT INTO licences VALUES
('S-1', 'a@example.com', '2030-12-31', '["E1"]', NULL);
INSERT INTO api_keys VALUES
('0c', 'S-1', NULL);
INSERT INTO sites VALUES
('example', '9f18883f059ffe8c8293bce7bcdfa9e2c75a276ec87a8b4455a3e4c3621e08ad');
INSERT INTO datasets VALUES
(1, 'example-climate', '{"serviceId":"example-climate","group":"reanalysis","type":"time series","shortDescription":"SYNTHETIC stand-in for ERA5","longDescription":"Invented hourly weather, 2005 to 2025, around invented turbines: wind at 10 and 100 m, temperature, pressure, humidity. It has the columns of a reanalysis and says nothing about any real place.","url":"","attribution":["SYNTHETIC data of the Vindkit sample, not real: for learning and testing only"]}');
INSERT INTO points VALUES
('example-climate', 'example', 55.5, 8, '{"serviceId":"example-climate","latitude":55.5,"longitude":8,"elevation":0,"start":1672444800000,"hours":17569,"stamp":"instant","file":"POINT_FILE"}');
INSERT INTO turbines VALUES
('E1', 'example', '{"turbine":{"id":"E1","name":"Vesterklit Rev 1 (SYNTHETIC)","latitude":55.6,"longitude":7.92,"elevation":0,"hubHeight":80,"rotorDiameter":92,"ratedPower":2300,"units":1,"timeZone":"Europe/Copenhagen","powerControl":"pcPitch","powerCurve":[{"wind_speed":4,"power":73},{"wind_speed":5,"power":189},{"wind_speed":6,"power":364},{"wind_speed":7,"power":605},{"wind_speed":8,"power":920},{"wind_speed":9,"power":1309},{"wind_speed":10,"power":1728},{"wind_speed":11,"power":2056},{"wind_speed":12,"power":2216},{"wind_speed":13,"power":2273},{"wind_speed":14,"power":2291},{"wind_speed":15,"power":2300},{"wind_speed":16,"power":2300},{"wind_speed":17,"power":2300},{"wind_speed":18,"power":2300},{"wind_speed":19,"power":2300},{"wind_speed":20,"power":2300},{"wind_speed":21,"power":2300},{"wind_speed":22,"power":2300},{"wind_speed":23,"power":2300},{"wind_speed":24,"power":2300},{"wind_speed":25,"power":2300}]},"edition":2,"calibration":{"revision":2,"calibration":{"k":1.0971930982865714,"scaling":{"kind":"linear","a":1.403728948781019,"b":-2.0990542500927756},"candidates":[{"kind":"factor","error":0.05926882736205004},{"kind":"linear","error":0.05370739763785357},{"kind":"season","error":0.05611847825928891},{"kind":"hour","error":0.059268827362050025},{"kind":"sector","error":0.0594916699420715}],"periods":[{"label":"2023-01","produced":1231924.000000001,"modelled":1229590.196816531,"unseen":1229468.3299949998,"hours":744,"validHours":744,"used":true,"reason":""},{"label":"2023-02","produced":1039561.6000000009,"modelled":1012310.8096752875,"unseen":1010555.5145257064,"hours":672,"validHours":672,"used":true,"reason":""},{"label":"2023-03","produced":909129.1999999998,"modelled":945217.4751682852,"unseen":960639.2274342182,"hours":743,"validHours":731,"used":true,"reason":""},{"label":"2023-04","produced":1145606.5999999996,"modelled":1208717.0783187842,"unseen":1214650.0691568935,"hours":720,"validHours":720,"used":true,"reason":""},{"label":"2023-05","produced":974424.9,"modelled":990894.3587397148,"unseen":994770.9331694099,"hours":744,"validHours":744,"used":true,"reason":""},{"label":"2023-06","produced":933819.299999999,"modelled":883172.7277887064,"unseen":852289.8853251339,"hours":720,"validHours":720,"used":true,"reason":""},{"label":"2023-07","produced":871217.1000000013,"modelled":821001.668336687,"unseen":795777.0452546764,"hours":744,"validHours":740,"used":true,"reason":""},{"label":"2023-08","produced":748687.1000000001,"modelled":752239.2133707836,"unseen":752373.4698652878,"hours":744,"validHours":667,"used":true,"reason":""},{"label":"2023-09","produced":1092888.1999999997,"modelled":1067433.8725825613,"unseen":1064978.981845408,"hours":720,"validHours":712,"used":true,"reason":""},{"label":"2023-10","produced":909901.6999999994,"modelled":1015584.7889441325,"unseen":1024430.1040281936,"hours":745,"validHours":745,"used":true,"reason":""},{"label":"2023-11","produced":1197788.0999999992,"modelled":1177428.877439308,"unseen":1174914.5779476168,"hours":720,"validHours":720,"used":true,"reason":""},{"label":"2023-12","produced":1266453.6,"modelled":1217810.3328192201,"unseen":1220522.3070512416,"hours":744,"validHours":743,"used":true,"reason":""}],"hours":8658,"residual":0.0453344856421217},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2023,2024],"notes":["Wind from one climate point, 12.2 km from the turbine, used unchanged.","Wind to hub height by the power law with the hourly exponent of 10 and 100 m.","Air density hour by hour from temperature and pressure, corrected to hub height.","Wind speed is scaled by a v + b: a 1.4037, b -2.099 m/s. Error of unseen periods: factor 5.9 %, linear 5.4 %, season 5.6 %, hour 5.9 %, sector 5.9 %; the simplest within one standard error of the best is taken.","Standstill found in hours is not fitted: predicted production does not contain it.","A reference period of 2 years says little about what is normal: ten are better, 20 are the maximum."],"findings":["standstill, 75 h: 2023-08 (75 h). It produced nothing for days: ask the operator for the reason of the outage. Not fitted.","gap, 27 h: 2023-03 (12 h), 2023-09 (8 h), 2023-07 (4 h), 2023-08 (2 h), 2023-12 (1 h). Values are missing: ask the source for them, since gaps are never filled."],"basis":{"declaration":"f69c62ed5f3d68286d91618a514878f09282e9e029b35b054ae1ff8b6faf1fcb","hours":[{"start":1672527600000,"length":8760,"hash":"a1be29d3b28c4631634dcc8a65fb1b8caf890b5beacdf0f49f9bfb382dd6cb39"}],"periods":[]},"meanAnnualEnergy":12135519.203490138,"uncertainty":{"draws":1000,"seed":1,"block":2,"interAnnualVariability":null,"k":{"low":1.0553515298429734,"high":1.1406935612314935},"longTerm":{"low":11745190.180674285,"high":12538820.06786059}}},"modelFile":"MODEL_FILE","site":"example","serviceId":"example-climate"}');
INSERT INTO calibrations VALUES
('E1', 1, '{"revision":1,"calibration":{"k":0.9164494449019636,"scaling":{"kind":"factor","k":0.9164494449019636},"candidates":[{"kind":"factor","error":0.07221840169725537},{"kind":"linear","error":0.07117260697662829},{"kind":"season","error":0.06954692311722159},{"kind":"hour","error":0.0722184016972554},{"kind":"sector","error":0.07211598747735393}],"periods":[{"label":"2023-01","produced":1004399.4999999999,"modelled":995317.4417451803,"unseen":994269.5286705903,"hours":744,"validHours":744,"used":true,"reason":""},{"label":"2023-02","produced":876956.4999999998,"modelled":920109.1329333013,"unseen":923235.5135138605,"hours":672,"validHours":672,"used":true,"reason":""},{"label":"2023-03","produced":730187.1000000001,"modelled":788285.1918069249,"unseen":792609.8437413233,"hours":743,"validHours":731,"used":true,"reason":""},{"label":"2023-04","produced":945604.1000000007,"modelled":983496.6070078139,"unseen":987433.2093952495,"hours":720,"validHours":720,"used":true,"reason":""},{"label":"2023-05","produced":733677.3999999999,"modelled":733540.8151086557,"unseen":733493.7701228407,"hours":744,"validHours":744,"used":true,"reason":""},{"label":"2023-06","produced":676573.0999999997,"modelled":583212.8046237417,"unseen":573379.735485418,"hours":720,"validHours":720,"used":true,"reason":""},{"label":"2023-07","produced":634621.5,"modelled":550388.2968452241,"unseen":542407.931310727,"hours":744,"validHours":740,"used":true,"reason":""},{"label":"2023-08","produced":532522.6000000001,"modelled":513833.1778783313,"unseen":512543.1547068554,"hours":744,"validHours":667,"used":true,"reason":""},{"label":"2023-09","produced":905702.8999999997,"modelled":863900.0884977857,"unseen":860545.2371641753,"hours":720,"validHours":712,"used":true,"reason":""},{"label":"2023-10","produced":685471.2000000007,"modelled":789213.5510263317,"unseen":799058.0029529736,"hours":745,"validHours":745,"used":true,"reason":""},{"label":"2023-11","produced":975468.4000000021,"modelled":983173.3084809023,"unseen":983750.8312045085,"hours":720,"validHours":720,"used":true,"reason":""},{"label":"2023-12","produced":1092337.7000000002,"modelled":1089051.584045809,"unseen":1088615.7709717837,"hours":744,"validHours":743,"used":true,"reason":""}],"hours":8658,"residual":0.06664161598011521},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2023],"notes":["Wind from one climate point, 12.2 km from the turbine, used unchanged.","Wind to hub height by the power law with the hourly exponent of 10 and 100 m.","Air density hour by hour from temperature and pressure, corrected to hub height.","Wind speed is scaled by one factor, k 0.9164. Error of unseen periods: factor 7.2 %, linear 7.1 %, season 7.0 %, hour 7.2 %, sector 7.2 %; the simplest within one standard error of the best is taken.","Standstill found in hours is not fitted: predicted production does not contain it.","A reference period of 1 year says little about what is normal: ten are better, 20 are the maximum."],"findings":["standstill, 75 h: 2023-08 (75 h). It produced nothing for days: ask the operator for the reason of the outage. Not fitted.","gap, 27 h: 2023-03 (12 h), 2023-09 (8 h), 2023-07 (4 h), 2023-08 (2 h), 2023-12 (1 h). Values are missing: ask the source for them, since gaps are never filled."],"basis":{"declaration":"f69c62ed5f3d68286d91618a514878f09282e9e029b35b054ae1ff8b6faf1fcb","hours":[{"start":1672527600000,"length":8760,"hash":"2a46e699b04d29d534f8ab7e3b8c548c5d9c383f201406c50cde7f8a65f1cc75"}],"periods":[]},"meanAnnualEnergy":9848323.293895504,"uncertainty":{"draws":1000,"seed":1,"block":2,"interAnnualVariability":null,"k":{"low":0.8875202861166043,"high":0.9463215637989056},"longTerm":{"low":9383329.444525901,"high":10336360.060092213}}}'),
('E1', 2, '{"revision":2,"calibration":{"k":1.0971930982865714,"scaling":{"kind":"linear","a":1.403728948781019,"b":-2.0990542500927756},"candidates":[{"kind":"factor","error":0.05926882736205004},{"kind":"linear","error":0.05370739763785357},{"kind":"season","error":0.05611847825928891},{"kind":"hour","error":0.059268827362050025},{"kind":"sector","error":0.0594916699420715}],"periods":[{"label":"2023-01","produced":1231924.000000001,"modelled":1229590.196816531,"unseen":1229468.3299949998,"hours":744,"validHours":744,"used":true,"reason":""},{"label":"2023-02","produced":1039561.6000000009,"modelled":1012310.8096752875,"unseen":1010555.5145257064,"hours":672,"validHours":672,"used":true,"reason":""},{"label":"2023-03","produced":909129.1999999998,"modelled":945217.4751682852,"unseen":960639.2274342182,"hours":743,"validHours":731,"used":true,"reason":""},{"label":"2023-04","produced":1145606.5999999996,"modelled":1208717.0783187842,"unseen":1214650.0691568935,"hours":720,"validHours":720,"used":true,"reason":""},{"label":"2023-05","produced":974424.9,"modelled":990894.3587397148,"unseen":994770.9331694099,"hours":744,"validHours":744,"used":true,"reason":""},{"label":"2023-06","produced":933819.299999999,"modelled":883172.7277887064,"unseen":852289.8853251339,"hours":720,"validHours":720,"used":true,"reason":""},{"label":"2023-07","produced":871217.1000000013,"modelled":821001.668336687,"unseen":795777.0452546764,"hours":744,"validHours":740,"used":true,"reason":""},{"label":"2023-08","produced":748687.1000000001,"modelled":752239.2133707836,"unseen":752373.4698652878,"hours":744,"validHours":667,"used":true,"reason":""},{"label":"2023-09","produced":1092888.1999999997,"modelled":1067433.8725825613,"unseen":1064978.981845408,"hours":720,"validHours":712,"used":true,"reason":""},{"label":"2023-10","produced":909901.6999999994,"modelled":1015584.7889441325,"unseen":1024430.1040281936,"hours":745,"validHours":745,"used":true,"reason":""},{"label":"2023-11","produced":1197788.0999999992,"modelled":1177428.877439308,"unseen":1174914.5779476168,"hours":720,"validHours":720,"used":true,"reason":""},{"label":"2023-12","produced":1266453.6,"modelled":1217810.3328192201,"unseen":1220522.3070512416,"hours":744,"validHours":743,"used":true,"reason":""}],"hours":8658,"residual":0.0453344856421217},"trainingStart":"2023-01-01","trainingEnd":"2023-12-31","referenceYears":[2023,2024],"notes":["Wind from one climate point, 12.2 km from the turbine, used unchanged.","Wind to hub height by the power law with the hourly exponent of 10 and 100 m.","Air density hour by hour from temperature and pressure, corrected to hub height.","Wind speed is scaled by a v + b: a 1.4037, b -2.099 m/s. Error of unseen periods: factor 5.9 %, linear 5.4 %, season 5.6 %, hour 5.9 %, sector 5.9 %; the simplest within one standard error of the best is taken.","Standstill found in hours is not fitted: predicted production does not contain it.","A reference period of 2 years says little about what is normal: ten are better, 20 are the maximum."],"findings":["standstill, 75 h: 2023-08 (75 h). It produced nothing for days: ask the operator for the reason of the outage. Not fitted.","gap, 27 h: 2023-03 (12 h), 2023-09 (8 h), 2023-07 (4 h), 2023-08 (2 h), 2023-12 (1 h). Values are missing: ask the source for them, since gaps are never filled."],"basis":{"declaration":"f69c62ed5f3d68286d91618a514878f09282e9e029b35b054ae1ff8b6faf1fcb","hours":[{"start":1672527600000,"length":8760,"hash":"a1be29d3b28c4631634dcc8a65fb1b8caf890b5beacdf0f49f9bfb382dd6cb39"}],"periods":[]},"meanAnnualEnergy":12135519.203490138,"uncertainty":{"draws":1000,"seed":1,"block":2,"interAnnualVariability":null,"k":{"low":1.0553515298429734,"high":1.1406935612314935},"longTerm":{"low":11745190.180674285,"high":12538820.06786059}}}');
INSERT INTO months VALUES
('E1', 2023, 1, 1, 1, 121.277591570796, 100, NULL, NULL, NULL, 995.3174417451795, 1, 'final', 1, 846.0962893535016, 1170.8558733889795),
('E1', 2023, 1, 2, 2, 121.58591745753134, 95.46746727415518, NULL, NULL, NULL, 1229.590196816532, 1, 'final', 2, 1106.8149506498291, 1365.9844865843756),
('E1', 2023, 2, 1, 1, 112.11359807860474, 100, NULL, NULL, NULL, 920.109132933301, 1, 'final', 1, 782.7133857351795, 1081.623020554432),
('E1', 2023, 2, 2, 2, 100.10061796622423, 90.74180322399418, NULL, NULL, NULL, 1012.3108096752869, 1, 'final', 2, 907.8084526243351, 1128.842954064784),
('E1', 2023, 3, 1, 1, 96.72014393688418, 100, NULL, 100, NULL, 793.7760387687854, 1, 'final', 1, 674.9587806916875, 933.5094493885501),
('E1', 2023, 3, 2, 2, 94.29715993164535, 91.90871952609417, NULL, 92.86240060266557, NULL, 953.6208293208858, 1, 'final', 2, 858.2582612780602, 1059.5792981479117),
('E1', 2023, 4, 1, 1, 119.83724469534035, 100, NULL, 100, NULL, 983.4966070078132, 1, 'final', 1, 836.119954883781, 1156.8502466016719),
('E1', 2023, 4, 2, 2, 119.52191493919712, 122.11324843787621, NULL, 92.86240060266557, NULL, 1208.7170783187844, 1, 'final', 2, 1087.8409865333165, 1343.0243882199538),
('E1', 2023, 5, 1, 1, 89.38059320981182, 100, NULL, 100, NULL, 733.5408151086567, 1, 'final', 1, 623.195628641599, 863.4241042466051),
('E1', 2023, 5, 2, 2, 97.98288895177097, 104.60673992846664, NULL, 92.86240060266557, NULL, 990.8943587397154, 1, 'final', 2, 888.5355383807262, 1105.044860638396),
('E1', 2023, 6, 1, 1, 71.0634028416083, 100, NULL, 100, NULL, 583.2128046237425, 1, 'final', 1, 494.67733816561827, 687.5940117620942),
('E1', 2023, 6, 2, 2, 87.33102025347625, 106.05461811406265, NULL, 111.2981830089566, NULL, 883.1727277887061, 1, 'final', 2, 788.1400194989963, 989.6643335096338),
('E1', 2023, 7, 1, 1, 67.9248272634023, 100, NULL, 100, NULL, 557.4547154766611, 1, 'final', 1, 472.8824469639699, 657.1522411167916),
('E1', 2023, 7, 2, 2, 82.07375682216481, 94.9540343719725, NULL, 111.2981830089566, NULL, 830.006376681634, 1, 'final', 2, 741.6641177612207, 928.8713972191517),
('E1', 2023, 8, 1, 1, 65.30249076284662, 100, NULL, 100, NULL, 535.9333674409486, 1, 'final', 1, 454.8193868556897, 631.5134812574046),
('E1', 2023, 8, 2, 2, 78.03006850633098, 107.78463662947765, NULL, 111.2981830089566, NULL, 789.1128290068589, 1, 'final', 2, 706.3275261460606, 881.6010049910485),
('E1', 2023, 9, 1, 1, 107.5063037142803, 100, NULL, 100, NULL, 882.2973625916262, 1, 'final', 1, 750.2561871928439, 1037.5770960967086),
('E1', 2023, 9, 2, 2, 107.37081992539171, 99.09248630113392, NULL, 100.1088468699089, NULL, 1085.8338725825606, 1, 'final', 2, 977.0955478369278, 1206.6733918271987),
('E1', 2023, 10, 1, 1, 96.16421323400638, 100, NULL, 100, NULL, 789.2135510263328, 1, 'final', 1, 670.7129350606559, 928.6506887887375),
('E1', 2023, 10, 2, 2, 100.42435979026465, 112.17697003679086, NULL, 100.1088468699089, NULL, 1015.5847889441329, 1, 'final', 2, 913.7289618037421, 1128.7947593328383),
('E1', 2023, 11, 1, 1, 119.79785136708374, 100.00000000000001, NULL, 100, NULL, 983.1733084809016, 1, 'final', 1, 836.0722522732799, 1156.155765104052),
('E1', 2023, 11, 2, 2, 116.4280348648634, 101.0736874787774, NULL, 100.1088468699089, NULL, 1177.4288774393078, 1, 'final', 2, 1060.0788349748957, 1307.769493823371),
('E1', 2023, 12, 1, 1, 132.9117393253353, 100, 100, 100, 100, 1090.7981486915555, 1, 'final', 1, 927.8035902215198, 1282.4272440084453),
('E1', 2023, 12, 2, 2, 120.6445546542347, 105.88446163480218, 102.14925950525796, 105.91322680833859, 102.14925950525796, 1220.0702581691507, 1, 'final', 2, 1097.5905961567144, 1356.2173729269084),
('E1', 2024, 1, 1, 1, 152.63274643813608, 125.85403821202736, 102.61292957227835, 100, 100, 1252.6471934649514, 1, 'final', 1, 1065.804625846655, 1472.244493261733),
('E1', 2024, 1, 2, 2, 133.13104724075998, 104.53253272584482, 103.11135365386035, 105.91322680833859, 102.14925950525796, 1346.3453169758297, 1, 'final', 2, 1210.1400911765843, 1497.8808864851044),
('E1', 2024, 2, 1, 1, 123.52798914855275, 110.18109423439, 103.56412882810736, 100, 100, 1013.7863108164693, 1, 'final', 1, 862.2240604268576, 1191.9902623571613),
('E1', 2024, 2, 2, 2, 120.52673218490294, 109.2581967760058, 104.81352983875023, 105.91322680833859, 102.14925950525796, 1218.8787274698354, 1, 'final', 2, 1096.9260888623119, 1354.38965976218),
('E1', 2024, 3, 1, 1, 111.167626339602, 114.9374078807675, 104.7680856950005, 117.33264584357276, 100, 912.3456033394781, 1, 'final', 1, 775.7718093630631, 1072.9630670857791),
('E1', 2024, 3, 2, 2, 110.90025858939731, 108.09128047390584, 106.19712139356291, 107.13759939733444, 102.14925950525796, 1121.5268481530445, 1, 'final', 2, 1008.8566722520006, 1246.7801479870795),
('E1', 2024, 4, 1, 1, 70.97290305082271, 59.224411601965315, 100.69605722462401, 117.33264584357276, 100, 582.4700786256706, 1, 'final', 1, 494.92185827209465, 685.5049677512376),
('E1', 2024, 4, 2, 2, 76.23393705585092, 77.8867515621238, 102.58978990328404, 107.13759939733444, 102.14925950525796, 770.9486725824477, 1, 'final', 2, 693.0600037379248, 857.5907606138404),
('E1', 2024, 5, 1, 1, 74.13551418701125, 82.94363633611795, 99.42563397272397, 117.33264584357276, 100, 608.4254260607196, 1, 'final', 1, 516.1181856834592, 717.2417274678331),
('E1', 2024, 5, 2, 2, 89.35282004513448, 95.39326007153338, 101.87061749439768, 107.13759939733444, 102.14925950525796, 903.6190529531067, 1, 'final', 2, 808.0820640435722, 1010.4510781665385),
('E1', 2024, 6, 1, 1, 65.22068648402946, 91.77816411268464, 98.93874094292575, 75.04216235145748, 100, 535.2620049537692, 1, 'final', 1, 454.31495786186446, 630.6316994173047),
('E1', 2024, 6, 2, 2, 77.35963029330333, 93.94538188593735, 101.03966833104995, 88.70181699104344, 102.14925950525796, 782.3327324993999, 1, 'final', 2, 699.6163410893957, 874.8287717049932),
('E1', 2024, 7, 1, 2, 90.79674281484789, 105.0459656280275, 101.76658383044021, 88.70181699104344, 102.14925950525796, 918.2213467032849, 1, 'final', 2, 823.3053353927713, 1024.0798951452985),
('E1', 2024, 8, 1, 2, 66.75878257003997, 92.21536337052235, 100.82731000241596, 88.70181699104344, 102.14925950525796, 675.1270732336191, 1, 'final', 2, 604.2757119551545, 754.28576061455),
('E1', 2024, 9, 1, 2, 109.33747741029251, 100.9075136988661, 100.9911981261577, 99.89115313009111, 102.14925950525796, 1105.7225473114784, 1, 'final', 2, 989.8189063482017, 1235.198018336181),
('E1', 2024, 10, 1, 2, 78.62194491439674, 87.82302996320912, 99.17433021983534, 99.89115313009111, 102.14925950525796, 795.098435270338, 1, 'final', 2, 711.9638557345909, 887.9404715244523),
('E1', 2024, 11, 1, 2, 113.95444700374357, 98.92631252122261, 98.96819789807536, 99.89115313009111, 102.14925950525796, 1152.4136499475246, 1, 'final', 2, 1032.049501984676, 1286.8154270037087),
('E1', 2024, 12, 1, 2, 107.23506581423482, 94.11553836519784, 97.85074049474204, 94.08677319166142, 97.85074049474204, 1084.4610003968128, 1, 'final', 2, 966.526114828139, 1216.7862237129248);
INSERT INTO orders VALUES
('order-1', 'S-1', 'example-climate', '{"lat":55.5,"start_year":2020}', 'complete', 't', '0f.csv', 1000000000000);
PRAGMA user_version = 3;
