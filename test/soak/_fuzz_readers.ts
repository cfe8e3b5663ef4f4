/**
 * The readers of files, each with a valid file and its mutations.
 *
 * @module
 */
import { gzipSync, zipSync } from "fflate";
import pl, { type DataFrame } from "nodejs-polars";
import { buildDatetimes, buildNumbers } from "../../src/frames/frame.ts";
import { readClimateFile, writeClimateFile } from "../../src/frames/climate_file.ts";
import type { ProductionFormat } from "../../src/frames/production/production.ts";
import { readProduction } from "../../src/frames/presets/read_production.ts";
import { readFrame } from "../../src/frames/storage/read_frame.ts";
import { saveFrame } from "../../src/frames/storage/save_frame.ts";
import { readClimate } from "../../src/sites/climate/read_climate.ts";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { readTurbine } from "../../src/sites/power_curves/read_turbine.ts";
import { type ClimateSource, parseSite } from "../../src/sites/declaration/site_file.ts";
import { SourceFiles } from "../../src/sites/source_files.ts";
import { netcdfFile, type Variable } from "../frames/netcdf/_netcdf.ts";
import { utf8 } from "../frames/_text.ts";
import type { FuzzBase, FuzzReader } from "./_fuzz_base.ts";
import { presetReaders } from "./_fuzz_presets.ts";
import {
  changeBytes,
  changeCell,
  changeJson,
  changeLine,
  changeMember,
  changeXml,
  changeZipped,
  cutFile,
  type Mutate,
  pick,
  type SlowMutate,
} from "./_mutations.ts";

const HOURS = 400;
const START = Date.UTC(2023, 0, 1);

const stamps = Float64Array.from({ length: HOURS }, (_, i) => START + i * 3_600_000);
const series = (low: number, high: number) =>
  Float64Array.from(
    { length: HOURS },
    (_, i) => i % 37 === 5 ? NaN : low + (high - low) * (0.5 + 0.5 * Math.sin(i / 7)),
  );

const climate = pl.DataFrame([
  buildDatetimes("time", stamps),
  buildNumbers("wind_speed_100", series(0, 20)),
  buildNumbers("wind_direction_100", series(0, 359)),
  buildNumbers("temperature", series(-5, 20)),
]);
const power = pl.DataFrame([
  buildDatetimes("time", stamps),
  buildNumbers("power", series(0, 2000)),
  pl.Series("status", Array.from(stamps, (_, i) => i % 3 ? "Run" : "Stop"), pl.Utf8),
]);

const CSV_FIRST =
  /is not UTF-8|is NUL|UTF-16|web page|it is empty|no header|column "\w+" is missing/;

const text: readonly Mutate[] = [changeCell, changeCell, changeCell, changeLine, changeBytes(60)];

const toCsv = (frame: DataFrame, separator = ",") =>
  frame.writeCSV(
    { separator, datetimeFormat: "%Y-%m-%dT%H:%M:%SZ" } as never,
  ) as unknown as Uint8Array;

const source: Omit<ClimateSource, "files"> = {
  latitude: 55,
  longitude: 8,
  stamp: "instant",
  time: { column: "time" },
  variables: {
    wind_speed_100: { column: "wind_speed_100" },
    wind_direction_100: { column: "wind_direction_100" },
    temperature: { column: "temperature" },
  },
};

const readSource = (more: Partial<ClimateSource> = {}) => (path: string) =>
  readClimate(
    { ...source, files: [path], ...more },
    new SourceFiles({ folder: ".", frames: new Map() }),
  );

const typed = (file: string, write: (frame: DataFrame) => Uint8Array, how: ProductionFormat) => ({
  file,
  bytes: write(power),
  mutations: [changeBytes(8, -8), changeBytes(-3000, -8), changeBytes(-1500, -8)],
  read: (path: string) => readProduction(path, how),
});

const hourly: ProductionFormat = {
  column: "power",
  time: "time",
  resolution: "hour",
  unit: "kW",
};
const withStatus: ProductionFormat = { ...hourly, status: "status" };

const writeParquet = (compression: string) => (frame: DataFrame): Uint8Array =>
  frame.writeParquet({ compression } as never) as unknown as Uint8Array;

/** The variables of a NetCDF4 file, floats or packed integers. */
function listVariables(packed: boolean): Record<string, Variable> {
  const hours = 200;
  const wind = (phase: number) =>
    packed
      ? Int16Array.from({ length: hours * 4 }, (_, i) => 1000 * Math.sin(i / 9 + phase))
      : Float32Array.from({ length: hours * 4 }, (_, i) => 9 * Math.sin(i / 9 + phase));
  const attributes = { units: "m s**-1", ...(packed ? { scale_factor: 0.01, add_offset: 0 } : {}) };
  const variable = (phase: number) => ({ data: wind(phase), shape: [hours, 2, 2], attributes });
  return {
    valid_time: {
      data: BigInt64Array.from({ length: hours }, (_, i) => BigInt(START / 1000 + i * 3600)),
      attributes: { units: "seconds since 1970-01-01" },
    },
    latitude: { data: Float64Array.of(55.5, 55.25) },
    longitude: { data: Float64Array.of(7.75, 8) },
    u100: variable(0),
    v100: variable(1),
  };
}

const NUMBERS = [0, -1, NaN, Infinity, 1e30, -999, 1e-300, 91, 400, 2 ** 40];

const UNITS = [
  "",
  "m s**-1",
  "km/h",
  "hours since 1900-01-01",
  "days since 0001-01-01",
  "seconds since 2023-02-30",
  "minutes since 9999-12-31T23:59",
  "\u0000",
  "x".repeat(30_000),
];

/** Rewrites the file with another value, type, shape or attribute of a variable, and with right checksums. */
function changeVariable(packed: boolean): SlowMutate {
  return async (_, random) => {
    const variables = listVariables(packed);
    const name = pick(Object.keys(variables), random);
    const { data, shape = [data.length], attributes = {} } = variables[name];
    const length = data.length;
    const numbers = Float64Array.from(data as ArrayLike<number | bigint>, Number);
    switch (random(6)) {
      case 0:
        delete variables[name];
        break;
      case 1:
        numbers[random(length)] = pick(NUMBERS, random);
        variables[name] = { data: numbers, shape, attributes };
        break;
      case 2:
        variables[name] = {
          data,
          shape: pick([[length], [1, length], [length, 1, 1]], random),
          attributes,
        };
        break;
      case 3:
        variables[name] = {
          data,
          shape,
          attributes: { ...attributes, units: pick(UNITS, random) },
        };
        break;
      case 4: {
        const attribute = pick(["scale_factor", "add_offset", "_FillValue", "units"], random);
        variables[name] = {
          data,
          shape,
          attributes: { ...attributes, [attribute]: pick(NUMBERS, random) },
        };
        break;
      }
      case 5: {
        const larger = shape.map((size) => size * pick([1, 3, 1000, 100_000], random));
        return await netcdfFile(variables, { grown: { name, shape: larger } });
      }
    }
    return await netcdfFile(variables);
  };
}

const fixture = (name: string) =>
  Deno.readFile(new URL(`../fixtures/production/${name}`, import.meta.url));

const site = {
  site: "fuzz",
  dataset: { service_id: "era5", short_description: "ERA5", attribution: ["Copernicus"] },
  climate: [{ ...source, files: ["climate.csv"] }],
  turbines: [{
    id: "T1",
    name: "Turbine 1",
    latitude: 55,
    longitude: 8,
    elevation: 10,
    hub_height: 80,
    rotor_diameter: 82,
    rated_power: 2000,
    time_zone: "Europe/Copenhagen",
    power_control: "pcPitch",
    power_curve: [{ wind_speed: 3, power: 0 }, { wind_speed: 12, power: 2000 }],
    production: [{ file: "p.csv", column: "power", time: "time", resolution: "hour", unit: "kW" }],
    exclude: [{ from: "2023-01-01", to: "2023-01-03", reason: "service" }],
  }],
};

/** The readers by name. */
export const fuzzReaders: Readonly<Record<string, FuzzReader>> = {
  ...presetReaders,
  "climate text": {
    firstCheck: CSV_FIRST,
    bases: () => {
      const read = readSource();
      const csv = toCsv(climate);
      return Promise.resolve([
        { file: "climate.csv", bytes: csv, mutations: text, read },
        { file: "climate.tsv", bytes: toCsv(climate, "\t"), mutations: text, read },
      ]);
    },
  },
  "climate gzip": {
    firstCheck: /not a complete gzip|is not UTF-8|is NUL|column "\w+" is missing/,
    bases: () => {
      const csv = toCsv(climate);
      const inner = text.map((mutate) => changeZipped(csv, mutate));
      return Promise.resolve([{
        file: "climate.csv.gz",
        bytes: gzipSync(csv),
        mutations: [...inner, changeBytes(0)],
        read: readSource(),
      }]);
    },
  },
  "climate NetCDF4": {
    firstCheck: /not a NetCDF4|zip archive|open file|superblock|checksum|signature/i,
    bases: async () => {
      const read = readSource({ variables: undefined, time: undefined, format: "netcdf" });
      return await Promise.all([false, true].map(async (packed) => ({
        file: packed ? "packed.nc" : "plain.nc",
        bytes: await netcdfFile(listVariables(packed)),
        mutations: [
          changeBytes(8),
          changeBytes(100, 3000),
          changeVariable(packed),
          changeVariable(packed),
        ],
        read,
      })));
    },
  },
  "climate Parquet": {
    firstCheck: /begin and end|its (footer|metadata|number)/,
    bases: () =>
      Promise.resolve(["zstd", "snappy", "uncompressed"].map((compression) => ({
        file: `${compression}.parquet`,
        bytes: writeParquet(compression)(climate),
        mutations: [changeBytes(8, -8), changeBytes(-2500, -8)],
        read: readSource(),
      }))),
  },
  "climate zip": {
    firstCheck: /Cannot unzip|is not UTF-8|is NUL/,
    bases: async () => {
      const table = writeClimateFile(climate, { latitude: 55, longitude: 8, elevation: 3 });
      return await Promise.resolve([{
        file: "climate.zip",
        bytes: zipSync({ "climate.csv": table }),
        mutations: [...text.map(changeMember), changeBytes(0)],
        read: (path) => readClimateFile(path, path),
      }]);
    },
  },
  "production text": {
    firstCheck: CSV_FIRST,
    bases: () => {
      const rows = Array.from(
        { length: 300 },
        (_, i) =>
          `0${1 + Math.floor(i / 144)}.05.2023 ${String(Math.floor(i / 6) % 24).padStart(2, "0")}:${
            i % 6
          }0;1.84${i % 10},5;Run`,
      );
      const months = Array.from(
        { length: 36 },
        (_, i) =>
          `${2020 + Math.floor(i / 12)}-${String(i % 12 + 1).padStart(2, "0")};${400 + i},5`,
      );
      return Promise.resolve([
        {
          file: "hours.csv",
          bytes: toCsv(power),
          mutations: text,
          read: (path) => readProduction(path, hourly),
        },
        {
          file: "status.csv",
          bytes: toCsv(power),
          mutations: text,
          read: (path) => readProduction(path, withStatus),
        },
        {
          file: "scada.csv",
          bytes: utf8(["Zeit;WTG 03;", ";Power;Status", ";kW;", ...rows, ""].join("\n")),
          mutations: text,
          read: (path) =>
            readProduction(path, {
              ...hourly,
              column: "WTG 03 / Power / kW",
              status: "WTG 03 / Status",
              time: "Zeit",
              time_format: "DD.MM.YYYY HH:mm",
              time_zone: "Europe/Berlin",
              resolution: "10min",
              header_rows: 3,
              decimal: ",",
              thousands: ".",
            }),
        },
        {
          file: "months.csv",
          bytes: utf8(["month;energy", ...months, ""].join("\n")),
          mutations: text,
          read: (path) =>
            readProduction(path, {
              column: "energy",
              time: "month",
              resolution: "month",
              unit: "MWh",
            }),
        },
      ]);
    },
  },
  "production workbook": {
    firstCheck: /Cannot unzip/,
    bases: async () => {
      const mutations = [
        changeMember(changeXml),
        changeMember(changeXml),
        changeMember(changeXml),
        changeMember(changeBytes(0)),
        changeBytes(0),
      ];
      const how: ProductionFormat = {
        column: "WTG 03 / Power / kW",
        time: "Time",
        time_zone: "Europe/Copenhagen",
        resolution: "10min",
        unit: "kW",
        header_rows: 3,
        leave_out: ["Total"],
        sheet: "10 min",
      };
      const months: ProductionFormat = {
        column: "Energy [MWh]",
        time: "Month",
        resolution: "month",
        unit: "MWh",
      };
      return [
        {
          file: "merged.xlsx",
          bytes: await fixture("merged_header.xlsx"),
          mutations,
          read: (path) => readProduction(path, how),
        },
        {
          file: "formulas.xlsx",
          bytes: await fixture("formulas.xlsx"),
          mutations,
          read: (path) => readProduction(path, months),
        },
      ];
    },
  },
  "production Parquet": {
    firstCheck: /begin and end|its (footer|metadata|number)/,
    bases: () =>
      Promise.resolve(
        ["zstd", "snappy", "gzip", "uncompressed"].map((compression) =>
          typed(`${compression}.parquet`, writeParquet(compression), withStatus)
        ),
      ),
  },
  "power curve": {
    firstCheck: CSV_FIRST,
    bases: () => {
      const rows = Array.from({ length: 23 }, (_, i) => `A;${i + 3};${Math.min(2000, i * 150)}`);
      const [turbine] = parseSite(site, "import site.json").turbines;
      return Promise.resolve([{
        file: "curve.csv",
        bytes: utf8(["type;wind_speed;power", ...rows, ""].join("\n")),
        mutations: [changeCell, changeCell, changeLine, changeBytes(25)],
        read: (path) => {
          const curve = { file: path, wind_speed: "wind_speed", power: "power" };
          return readTurbine(
            { ...turbine, power_curve: { ...curve, where: { type: "A" } } },
            new SourceFiles({ folder: ".", frames: new Map() }),
          );
        },
      }]);
    },
  },
  "site file": {
    firstCheck: /it is not (valid )?JSON|is not UTF-8/,
    bases: () =>
      Promise.resolve([{
        file: "site.json",
        bytes: utf8(JSON.stringify(site)),
        mutations: [changeJson, changeJson, changeJson, changeJson, changeBytes(0)],
        read: readSiteFile,
      }]),
  },
  "saved frame": {
    firstCheck:
      /begin and end|its (footer|metadata|number)|it is not (valid )?JSON|is not UTF-8|is NUL/,
    bases: async () => {
      const folder = await Deno.makeTempDir();
      const bases: FuzzBase[] = [];
      for (const name of ["frame.csv", "frame.parquet"]) {
        await saveFrame(climate, `${folder}/${name}`);
        const metadata = await Deno.readFile(`${folder}/${name}-metadata.json`);
        const bytes = await Deno.readFile(`${folder}/${name}`);
        const binary = [changeBytes(8, -8), changeBytes(-2500, -8), changeBytes(8, -8)];
        bases.push({
          file: name,
          bytes,
          mutations: name.endsWith("csv") ? text : binary,
          read: async (path) => {
            await Deno.writeFile(`${path}-metadata.json`, metadata);
            return await readFrame(path);
          },
        }, {
          file: `${name}-metadata.json`,
          bytes: metadata,
          mutations: [changeJson, changeJson, changeJson, changeBytes(0)],
          read: async (path) => {
            const file = path.replace("-metadata.json", "");
            await Deno.writeFile(file, bytes);
            return await readFrame(file);
          },
        });
      }
      await Deno.remove(folder, { recursive: true });
      return bases;
    },
  },
};

/** A mutation of every file; rare, because most readers detect cuts at once. */
export const rareMutation: Mutate = cutFile;
