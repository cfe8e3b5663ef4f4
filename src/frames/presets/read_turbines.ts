import type { DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { ArgumentError, DataFormatError } from "../../api/errors.ts";
import { refuseFile } from "../files/read_file.ts";
import { type Cell, isLocal, textOf } from "../cells/cell_table.ts";
import { buildFrame } from "../frame.ts";
import { describeFrame, type Provenance } from "../origin/provenance.ts";
import { eachFile, type FileNames } from "./named_files.ts";
import { findPreset, type PresetName, type RegisterNames } from "./presets.ts";
import {
  readRegisterNumber,
  readRegisterSheets,
  refuseSheetCell,
  type RegisterSheet,
} from "./register_sheets.ts";
import { addedColumn, type Column } from "../../api/columns/column.ts";

/** GRS80, the ellipsoid of EUREF89. */
const [SEMI_MAJOR, FLATTENING] = [6_378_137, 1 / 298.257222101];

/** Scale on the central meridian of zone 32, the meridian in deg, and its easting in m. */
const [SCALE, MERIDIAN, EASTING] = [0.9996, 9, 500_000];

const n = FLATTENING / (2 - FLATTENING);

/** Radius of the sphere whose meridians are as long as those of the ellipsoid, m. */
const RADIUS = SEMI_MAJOR / (1 + n) * (1 + n ** 2 / 4 + n ** 4 / 64);

/** Coefficients of the series from the plane to the conformal sphere. */
const TO_SPHERE = [
  n / 2 - 2 / 3 * n ** 2 + 37 / 96 * n ** 3 - n ** 4 / 360,
  n ** 2 / 48 + n ** 3 / 15 - 437 / 1440 * n ** 4,
  17 / 480 * n ** 3 - 37 / 840 * n ** 4,
  4397 / 161_280 * n ** 4,
];

/** Coefficients of the series from the conformal to the geographic latitude. */
const TO_LATITUDE = [
  2 * n - 2 / 3 * n ** 2 - 2 * n ** 3 + 116 / 45 * n ** 4,
  7 / 3 * n ** 2 - 8 / 5 * n ** 3 - 227 / 45 * n ** 4,
  56 / 15 * n ** 3 - 136 / 35 * n ** 4,
  4279 / 630 * n ** 4,
];

/**
 * Converts coordinates of UTM zone 32 in EUREF89 (EPSG:25832) to latitude and longitude in deg by Krüger's series of the fourth
 * order, exact to less than a millimetre in Denmark.
 *
 * @param east Easting, m
 * @param north Northing, m
 */
export function fromUtm32(east: number, north: number) {
  const [xi, eta] = [north / (SCALE * RADIUS), (east - EASTING) / (SCALE * RADIUS)];
  let [x, y] = [xi, eta];
  for (const [i, beta] of TO_SPHERE.entries()) {
    const k = 2 * (i + 1);
    x -= beta * Math.sin(k * xi) * Math.cosh(k * eta);
    y -= beta * Math.cos(k * xi) * Math.sinh(k * eta);
  }
  const conformal = Math.asin(Math.sin(x) / Math.cosh(y));
  const latitude = TO_LATITUDE.reduce(
    (sum, delta, i) => sum + delta * Math.sin(2 * (i + 1) * conformal),
    conformal,
  );
  const degrees = 180 / Math.PI;
  return {
    latitude: latitude * degrees,
    longitude: MERIDIAN + Math.atan2(Math.sinh(y), Math.cos(x)) * degrees,
  };
}

const number = (
  name: string,
  unit: string,
  label: string,
  description: string,
  range: Column["range"] = [0, null],
): Column => ({ ...addedColumn(name, "f64", label, description, unit), range });

/** Columns of the frames of `readTurbines()`. */
const registerColumns: readonly Column[] = [
  turbineId,
  addedColumn("name", "utf8", "Name", "Manufacturer and model, because a register has no names."),
  addedColumn("manufacturer", "utf8", "Manufacturer", "Manufacturer, as stated in the register."),
  addedColumn("model", "utf8", "Model", "Model, as stated in the register."),
  number("latitude", "deg", "Latitude", "Latitude of the turbine.", [-90, 90]),
  number("longitude", "deg", "Longitude", "Longitude of the turbine.", [-180, 180]),
  number("hub_height", "m", "Hub height", "Height of the hub above the ground."),
  number("rotor_diameter", "m", "Rotor diameter", "Diameter of the rotor."),
  number("rated_power", "kW", "Rated power", "Rated power of the turbine."),
  addedColumn("connected", "date", "Connected", "Day of the first connection to the grid."),
  addedColumn("decommissioned", "date", "Decommissioned", "Day of the decommissioning."),
];

const OPERATION = "readTurbines";

/** A turbine by column of the frame; dates are days since 1970. */
type TurbineRow = Readonly<Record<string, string | number | null>>;

/**
 * Reads the turbines of a public register from its files: position, type and dates. `turbines()` lists the turbines of
 * your licence, and `reportTurbines()` the ones with monthly reports.
 *
 * @param files Path or URL of a file, a list of them, a folder, a pattern, or a zip archive
 * @param preset Name of the register: "danish-register"
 * @returns A frame of `turbine_id`, `name`, `manufacturer`, `model`, `latitude` and `longitude` (deg), `hub_height` and
 * `rotor_diameter` (m), `rated_power` (kW), `connected` and `decommissioned` (Date), a row for each turbine in the order of
 * the files; missing values are null
 * @throws {DataFormatError} If a file is not the register, a cell does not fit its column, or two rows of a turbine
 * differ; the message names it
 * @throws {ArgumentError} If there is no such file, or the preset has no register
 *
 * @example Turbines of the Danish register
 * ```ts ignore
 * const turbines = await readTurbines("anlaeg.xlsx", "danish-register");
 * const offshore = turbines.filter(pl.col("hub_height").gt(60));
 * ```
 */
export async function readTurbines(files: FileNames, preset: PresetName): Promise<DataFrame> {
  const layout = findPreset(preset, "read turbines");
  if (!("register" in layout)) {
    throw new ArgumentError(
      `Cannot read turbines: the files of "${preset}" contain production, not a register. Use readProduction()`,
    );
  }
  const turbines = new Map<string, TurbineRow>();
  const sources: Provenance[] = [];
  const notes: string[] = [];
  /** Sheets with only identifiers and months. */
  const bareSheets: string[] = [];
  let repeated = 0;
  const choice = { wanted: layout.files, operation: OPERATION };
  await eachFile(files, choice, async ({ name, bytes, origin }) => {
    sources.push(...origin);
    for (const sheet of await readRegisterSheets(bytes, name, layout)) {
      notes.push(...sheet.notes);
      if (Object.values(sheet.columns).filter((column) => column !== undefined).length === 1) {
        bareSheets.push(`${name}, ${sheet.sheet}`);
        continue;
      }
      for (const row of sheet.rows) {
        if (turbines.has(row.id)) repeated++;
        addTurbine(turbines, sheet, row);
      }
    }
  });
  if (turbines.size === 0) {
    throw new DataFormatError(
      `Cannot read turbines: ${
        bareSheets[0]
      } identifies turbines but does not describe them. If it contains monthly production, read it with readProduction(). Otherwise, give the file that describes the turbines`,
    );
  }
  if (repeated > 0) {
    notes.push(
      `${repeated} rows repeat a turbine with the same values or none; Vindkit merged them`,
    );
  }
  if (bareSheets.length > 0) {
    notes.push(
      `${bareSheets.length} sheets contain only turbine identifiers and are left out; the first is ${
        bareSheets[0]
      }`,
    );
  }
  const rows = [...turbines.values()].map((row): TurbineRow => ({
    ...row,
    name: [row.manufacturer, row.model].filter((part) => part !== null).join(" ") || null,
  }));
  const values = Object.fromEntries(
    registerColumns.map(({ name }) => [name, rows.map((row) => row[name])]),
  );
  return describeFrame(buildFrame(registerColumns, values), registerColumns, sources, notes);
}

function addTurbine(
  turbines: Map<string, TurbineRow>,
  sheet: RegisterSheet,
  row: RegisterSheet["rows"][number],
): void {
  const turbine = readTurbine(sheet, row);
  const known = turbines.get(row.id) ?? turbine;
  const merged = Object.fromEntries(
    Object.entries(turbine).map(([name, value]) => [name, value ?? known[name]]),
  );
  const other = registerColumns.find(({ name }) =>
    known[name] !== null && known[name] !== merged[name]
  );
  if (other) {
    const [one, two] = [merged, known].map(({ [other.name]: value }) =>
      other.dtype === "date" ? new Date(Number(value) * 864e5).toISOString().slice(0, 10) : value
    );
    const clash = `turbine ${row.id} has the ${other.name} ${one}, but ${two} in another row`;
    const place = `${sheet.sheet}, row ${row.row + 1}`;
    refuseFile(sheet.file, `${place}: ${clash}. Remove one of the rows`, { code: "values_differ" });
  }
  turbines.set(row.id, merged);
}

/** Bounds of easting and northing of UTM zone 32 in Denmark and its sea, m. */
const BOUNDS = { east: [100_000, 1_000_000], north: [6_000_000, 6_500_000] } as const;

function readTurbine(sheet: RegisterSheet, row: RegisterSheet["rows"][number]): TurbineRow {
  const number = (name: keyof RegisterNames): number | null => {
    const column = sheet.columns[name];
    const value = column === undefined ? NaN : readRegisterNumber(sheet, row, column);
    return Number.isNaN(value) ? null : value;
  };
  const text = (name: keyof RegisterNames): string | null => {
    const column = sheet.columns[name];
    return column === undefined ? null : textOf(row.cells[column] ?? null) || null;
  };
  const day = (name: keyof RegisterNames): number | null =>
    sheet.columns[name] === undefined ? null : readDay(sheet, row, sheet.columns[name]);
  const coordinate = (name: keyof typeof BOUNDS): number | null => {
    const value = number(name);
    const [low, high] = BOUNDS[name];
    if (value === null || value === 0 || value >= low && value <= high) return value || null;
    const problem = `${value} m ${name} is not within UTM zone 32 in Denmark, ${low} to ${high}`;
    const advice = "Check the coordinate columns";
    return refuseSheetCell(sheet, row.row, sheet.columns[name]!, `${problem}. ${advice}`, "place");
  };
  const [east, north] = [coordinate("east"), coordinate("north")];
  const place = east === null || north === null ? undefined : fromUtm32(east, north);
  return {
    [turbineId.name]: row.id,
    manufacturer: text("manufacturer"),
    model: text("model"),
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    hub_height: number("hub_height"),
    rotor_diameter: number("rotor_diameter"),
    rated_power: number("rated_power"),
    connected: day("connected"),
    decommissioned: day("decommissioned"),
  };
}

/** Reads a day as days since 1970: a date of Excel, or a text like "2003-05-01" or "01-05-2003". */
function readDay(
  sheet: RegisterSheet,
  { cells, row }: RegisterSheet["rows"][number],
  column: number,
): number | null {
  const cell: Cell = cells[column] ?? null;
  if (isLocal(cell)) return Math.floor(cell.local / 86_400e6);
  const text = typeof cell === "string" ? cell.trim() : cell === null ? "" : "?";
  if (text === "") return null;
  const iso = /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? text
    : text.replace(/^(\d{2})-(\d{2})-(\d{4})$/, "$3-$2-$1");
  const epoch = Date.parse(`${iso}T00:00:00Z`);
  if (!Number.isNaN(epoch) && new Date(epoch).toISOString().startsWith(iso)) return epoch / 864e5;
  const problem = 'it is not a date. Store it as a date, or as "2003-05-01"';
  return refuseSheetCell(sheet, row, column, problem, "time_format");
}
