import { ArgumentError } from "../../api/errors.ts";
import { refuseFile } from "../../frames/files/read_file.ts";
import { MAX_CURVE_POINTS } from "../../frames/files/reader_limits.ts";
import { assertUnit } from "../../frames/cells/named_unit.ts";
import { type CsvTable, readCsv } from "../../frames/csv/csv_reader.ts";
import { listTexts } from "../../frames/production/filter_rows.ts";
import { REFERENCE_DENSITY } from "../../windindex/climate/climate.ts";
import {
  type CurvePoint,
  findCurveProblem,
  findPowerUnit,
  findSpeedProblem,
  POWER_UNITS,
} from "../../windindex/turbine/power_curve.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import type { PowerCurveFile } from "../declaration/site_definition.ts";
import type { SiteTurbine } from "../declaration/site_file.ts";
import { buildColumn, type SourceFiles } from "../source_files.ts";

/** Advises how to convert a curve to 1.225 kg/m3: wind speeds scale with the cube root of the density ratio. */
function adviseDensity(density: number): string {
  const factor = (density / REFERENCE_DENSITY) ** (1 / 3);
  return `Save the curve as CSV with its wind speeds multiplied by ${factor.toFixed(3)}`;
}

/** Reads an attribute of an XML element; NaN if it has none. */
function readAttribute(element: string, name: string): number {
  return Number(new RegExp(`\\s${name}\\s*=\\s*["']([^"']+)["']`).exec(element)?.[1] ?? NaN);
}

/**
 * Reads the curve at 1.225 kg/m3 from a `.wtg` file of WAsP, which is XML with powers in W.
 *
 * @param file Name of the file, for messages
 * @throws {DataFormatError} If it is not such a file, or has no curve at that density
 */
function parseWaspCurve(bytes: Uint8Array, file: string): CurvePoint[] {
  const text = new TextDecoder().decode(bytes);
  const tables = text.split(/(?=<PerformanceTable[\s>])/).slice(1);
  const densities = tables.map((table) => readAttribute(table.split(">")[0], "AirDensity"));
  const isPlain = tables.length === 1 && Number.isNaN(densities[0]); // one curve without a density
  const at = isPlain ? 0 : densities.indexOf(REFERENCE_DENSITY);
  if (tables.length === 0) {
    refuseFile(file, "it is not a .wtg file of WAsP, because it has no PerformanceTable");
  }
  if (at === -1) {
    const nearest = densities.reduce((a, b) =>
      Math.abs(b - REFERENCE_DENSITY) < Math.abs(a - REFERENCE_DENSITY) ? b : a
    );
    const problem = `it has no curve at ${REFERENCE_DENSITY} kg/m3, only at ${
      listTexts(densities.map(String))
    }. Use the curve at ${nearest} kg/m3. ${adviseDensity(nearest)}`;
    refuseFile(file, problem);
  }
  return (tables[at].match(/<DataPoint\s[^>]*>/g) ?? []).map((point) => ({
    wind_speed: readAttribute(point, "WindSpeed"),
    power: readAttribute(point, "PowerOutput") / 1000,
  }));
}

/** Remedies for tables of power curves in another layout. */
const ADVICE = {
  columns:
    "If it has a column for each wind speed, transpose it to a row for each wind speed. If it has a " +
    "column for each air density, declare the column of 1.225 kg/m3 as the power",
};

/** Finds an air density, kg/m3, in the name of a column: "1.10", "P at 1,15 kg/m3"; NaN without one. */
function findDensity(name: string): number {
  const [, text] = /^\D*(0[.,][7-9]\d*|1[.,][0-3]\d*)(?:\D|$)/.exec(name) ?? [];
  const isNamed = /kg|rho|ρ|densit|dichte/i.test(name) || text === name.trim();
  return text !== undefined && isNamed ? Number(text.replace(",", ".")) : NaN;
}

/**
 * Rejects columns of a power curve whose name, or units row, states another unit than declared, or another air density.
 *
 * @param ratedPower Rated power, kW, if known: it shows whether the name or the declared unit is wrong
 */
function assertUnits(
  { file, unit = "kW" }: PowerCurveFile,
  { names, units = [] }: Pick<CsvTable, "names" | "units">,
  powers: readonly number[],
  ratedPower = NaN,
): void {
  assertUnit(file, {
    ...{ column: names[0], quantity: "speed", unit: "m/s", row: units[0] },
    advise: () => "but m/s is needed. Convert the column to m/s, and rename it",
  });
  const density = findDensity(names[1]);
  if (Math.abs(density - REFERENCE_DENSITY) > 0.01) {
    const problem =
      `column "${
        names[1]
      }" is the curve at ${density} kg/m3, but a curve at ${REFERENCE_DENSITY} ` +
      `is needed. Declare the column of ${REFERENCE_DENSITY} if there is one. ${
        adviseDensity(density)
      } if there is none`;
    refuseFile(file, problem, { column: names[1] });
  }
  const advise = (named: string) =>
    findPowerUnit(powers, ratedPower)?.unit === unit
      ? `but its powers look like ${unit}. Rename the column if they are in ${unit}`
      : named in POWER_UNITS
      ? `but its powers are read as ${unit}. Declare "unit": "${named}"`
      : `but its powers are read as ${unit}. Convert them to kW, and rename the column`;
  assertUnit(file, { column: names[1], quantity: "power", unit, row: units[1], advise });
}

/**
 * Reads the points of a power curve: declared points, the rows of a CSV file, or a WAsP file.
 *
 * @param ratedPower Rated power, kW, if known
 * @throws {DataFormatError} If the file is not as declared; the message names line and column
 */
export async function readCurve(
  declared: SiteTurbine["power_curve"],
  files: SourceFiles,
  ratedPower?: number,
): Promise<readonly CurvePoint[]> {
  if (Array.isArray(declared)) return declared;
  const { file } = declared;
  const bytes = await files.read(file);
  if (!("power" in declared) || /\.wtg$/i.test(file)) return parseWaspCurve(bytes, file);
  if (/\.pow$/i.test(file)) {
    refuseFile(
      file,
      "it is a .pow file of WAsP, which has powers without wind speeds. Save it as CSV with a column " +
        "for the wind speed and a column for the power",
    );
  }
  const { wind_speed, power, unit = "kW", where = {} } = declared;
  const columns = [
    buildColumn(wind_speed, "f64"),
    buildColumn(power, "f64"),
    ...Object.keys(where).map((name) => buildColumn(name, "utf8")),
  ];
  const how = { file, extra: false, unitsRow: true, advice: ADVICE };
  const table = readCsv(bytes, columns, how);
  const { frame, firstLine } = table;
  const conditions = Object.entries(where).map(([name, value]) => ({
    values: frame.getColumn(name).toArray() as (string | null)[],
    value,
  }));
  const speeds = frame.getColumn(wind_speed).toArray() as (number | null)[];
  const powers = frame.getColumn(power).toArray() as (number | null)[];
  const points: CurvePoint[] = [];
  for (let i = 0; i < frame.height; i++) {
    if (!conditions.every(({ values, value }) => values[i] === value)) continue;
    const [speed, value] = [speeds[i], powers[i]];
    if (speed === null || value === null) {
      const empty = speed === null ? wind_speed : power;
      refuseFile(
        file,
        `line ${firstLine + i}, column "${empty}" is empty. Fill the cell, or remove the row`,
      );
    }
    if (points.length === MAX_CURVE_POINTS) {
      const problem = `the power curve has more than ${MAX_CURVE_POINTS} points`;
      refuseFile(file, problem, { row: firstLine + i });
    }
    points.push({ wind_speed: speed, power: value });
  }
  if (points.length === 0) {
    if (conditions.length === 0) refuseFile(file, "it has no rows. Give a file with rows");
    const wanted = Object.entries(where).map(([name, value]) => `"${value}" in "${name}"`);
    const problem = Object.keys(where).map((name, i) =>
      `"${name}": ${listTexts(conditions[i].values.filter((value) => value !== null))}`
    );
    refuseFile(file, `no row has ${wanted.join(" and ")}. The file has ${problem.join("; ")}`);
  }
  assertUnits(declared, table, points.map(({ power }) => power), ratedPower);
  return points.map((point) => ({ ...point, power: point.power * POWER_UNITS[unit] }));
}

/** Finds a mismatch of curve and rated power (kW): the powers or the wind speeds are probably in another unit. */
function findRangeProblem(
  points: readonly CurvePoint[],
  declared: SiteTurbine["power_curve"],
  ratedPower: number,
): string | null {
  const table = !Array.isArray(declared) && "power" in declared ? declared : undefined;
  const perUnit = POWER_UNITS[table?.unit ?? "kW"];
  const values = points.map(({ power }) => power / perUnit); // as in the file
  const maximum = Math.max(...values) * perUnit;
  if (!(maximum > 0)) return null; // findCurveProblem() reports it
  const likely = findPowerUnit(values, ratedPower);
  if (likely?.factor === perUnit) return findSpeedProblem(points);
  const share = Number((100 * maximum / ratedPower).toPrecision(3));
  const problem = `its largest power is ${
    Number(maximum.toPrecision(6))
  } kW, ${share} % of the rated power of ${ratedPower} kW`;
  if (!likely) return `${problem}. Check the power column and rated_power`;
  const remedy = table && likely.unit in POWER_UNITS
    ? `Declare "unit": "${likely.unit}"`
    : `Multiply them by ${likely.factor / perUnit}`;
  return `${problem}, so the powers are probably in ${likely.unit}. ${remedy}`;
}

/** Largest plausible dip between two higher points, as a share of the largest power. */
const MAX_DIP = 0.2;

/** Lowest wind speed at which a curve may end above half of its largest power, m/s. */
const EARLIEST_END = 15;

/** Finds a point that is probably mistyped, or a curve that ends before cut-out: above its end the model has no power. */
function findShapeProblem(points: readonly CurvePoint[]): string | null {
  const maximum = Math.max(...points.map(({ power }) => power));
  const dip = points.findIndex(({ power }, i) =>
    i > 0 && i + 1 < points.length &&
    power < Math.min(points[i - 1].power, points[i + 1].power) - MAX_DIP * maximum
  );
  if (dip !== -1) {
    const { wind_speed, power } = points[dip];
    return `at ${wind_speed} m/s it has ${power} kW, between ${points[dip - 1].power} and ${
      points[dip + 1].power
    } kW. Correct that point`;
  }
  const { wind_speed, power } = points[points.length - 1];
  return wind_speed < EARLIEST_END && power > maximum / 2
    ? `it ends at ${wind_speed} m/s with ${power} kW. Add points up to the wind speed at which the turbine stops`
    : null;
}

/**
 * Reads a turbine of a site file with its power curve.
 *
 * @throws {ArgumentError} If its power curve is not valid; the message names the point
 */
export async function readTurbine(
  declared: SiteTurbine,
  files: SourceFiles,
): Promise<Turbine> {
  const powerCurve = await readCurve(declared.power_curve, files, declared.rated_power);
  const problem = findRangeProblem(powerCurve, declared.power_curve, declared.rated_power) ??
    findCurveProblem(powerCurve, declared.rated_power) ?? findShapeProblem(powerCurve);
  if (problem) {
    const source = Array.isArray(declared.power_curve) ? "" : ` of ${declared.power_curve.file}`;
    throw new ArgumentError(`Cannot use the power curve${source} for ${declared.id}: ${problem}`);
  }
  return {
    id: declared.id,
    name: declared.name,
    latitude: declared.latitude,
    longitude: declared.longitude,
    elevation: declared.elevation,
    hubHeight: declared.hub_height,
    rotorDiameter: declared.rotor_diameter,
    ratedPower: declared.rated_power,
    units: declared.units,
    timeZone: declared.time_zone,
    powerControl: declared.power_control,
    powerCurve,
  };
}
