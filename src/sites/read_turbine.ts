import type { Column } from "../api/columns/column.ts";
import { ArgumentError } from "../api/errors.ts";
import { refuseFile } from "../frames/refuse_file.ts";
import { MAX_CURVE_POINTS } from "../frames/reader_limits.ts";
import { readCsv } from "../frames/csv/csv.ts";
import { listTexts } from "../frames/production/filter_rows.ts";
import { type CurvePoint, findCurveProblem } from "../windindex/turbine/power_curve.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";
import { parsePowerCurve } from "./declaration/iec_power_curve.ts";
import type { SiteTurbine } from "./declaration/site_file.ts";
import type { SourceFiles } from "./source_files.ts";

/** Declares a column of a file that is read by itself, with another name there where one is given. */
export function buildColumn(name: string, dtype: Column["dtype"], wire: string = name): Column {
  return { name, wire, dtype, label: name, description: name, tag: "ours" };
}

/**
 * Reads the points of a power curve: those declared, the rows of a file, or those of a document of IEC 61400-16.
 *
 * @throws {DataFormatError} If the file is not as declared; the message names line and column
 */
export async function readCurve(
  declared: SiteTurbine["power_curve"],
  files: SourceFiles,
): Promise<readonly CurvePoint[]> {
  if (Array.isArray(declared)) return declared;
  if (!("power" in declared)) {
    return parsePowerCurve(await files.read(declared.file), declared.file, declared).points;
  }
  const { file, wind_speed, power, where = {} } = declared;
  const columns = [
    buildColumn(wind_speed, "f64"),
    buildColumn(power, "f64"),
    ...Object.keys(where).map((name) => buildColumn(name, "utf8")),
  ];
  const { frame, firstLine } = readCsv(await files.read(file), columns, { file, extra: false });
  const conditions = Object.entries(where).map(([name, value]) => ({
    values: frame.getColumn(name).toArray() as (string | null)[],
    value,
  }));
  const speeds = frame.getColumn(wind_speed).toArray() as (number | null)[];
  const powers = frame.getColumn(power).toArray() as (number | null)[];
  const points: CurvePoint[] = [];
  for (let i = 0; i < frame.height; i++) {
    if (!conditions.every(({ values, value }) => values[i] === value)) continue;
    const [speed, kilowatts] = [speeds[i], powers[i]];
    if (speed === null || kilowatts === null) {
      const empty = speed === null ? wind_speed : power;
      refuseFile(file, `line ${firstLine + i}, column "${empty}" is empty`);
    }
    if (points.length === MAX_CURVE_POINTS) {
      const found = `the power curve has more than ${MAX_CURVE_POINTS} points`;
      refuseFile(file, found, { row: firstLine + i });
    }
    points.push({ wind_speed: speed, power: kilowatts });
  }
  if (points.length === 0) {
    if (conditions.length === 0) refuseFile(file, "it has no rows");
    const wanted = Object.entries(where).map(([name, value]) => `"${name}" "${value}"`);
    const found = Object.keys(where).map((name, i) =>
      `"${name}": ${listTexts(conditions[i].values.filter((value) => value !== null))}`
    );
    refuseFile(file, `no row has ${wanted.join(" and ")}. The file has ${found.join("; ")}`);
  }
  return points;
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
  const powerCurve = await readCurve(declared.power_curve, files);
  const problem = findCurveProblem(powerCurve, declared.rated_power);
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
