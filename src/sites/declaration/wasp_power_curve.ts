import { listTexts } from "../../frames/production/filter_rows.ts";
import { refuseFile } from "../../frames/files/read_file.ts";
import type { CurvePoint } from "../../windindex/turbine/power_curve.ts";

/** Air density of the curves that are read, kg/m3. */
export const REFERENCE_DENSITY = 1.225;

/** Says how to get a curve at 1.225 kg/m3 of one at another density: power is that of the wind speed times the third root. */
export function adviseDensity(density: number): string {
  const factor = (density / REFERENCE_DENSITY) ** (1 / 3);
  return `Save it as CSV with its wind speeds multiplied by ${factor.toFixed(3)}`;
}

/** Reads an attribute of an XML element; NaN if it has none. */
function readAttribute(element: string, name: string): number {
  return Number(new RegExp(`\\s${name}\\s*=\\s*["']([^"']+)["']`).exec(element)?.[1] ?? NaN);
}

/**
 * Reads the curve at 1.225 kg/m3 of a `.wtg` file of WAsP, XML whose powers are in W.
 *
 * @param file Its name, for messages
 * @throws {DataFormatError} If it is no such file, or has no curve of that density
 */
export function parseWaspCurve(bytes: Uint8Array, file: string): CurvePoint[] {
  const text = new TextDecoder().decode(bytes);
  const tables = text.split(/(?=<PerformanceTable[\s>])/).slice(1);
  const densities = tables.map((table) => readAttribute(table.split(">")[0], "AirDensity"));
  const isPlain = tables.length === 1 && Number.isNaN(densities[0]); // one curve of no density
  const at = isPlain ? 0 : densities.indexOf(REFERENCE_DENSITY);
  if (tables.length === 0) refuseFile(file, "it is no .wtg of WAsP: it has no PerformanceTable");
  if (at === -1) {
    const nearest = densities.reduce((a, b) =>
      Math.abs(b - REFERENCE_DENSITY) < Math.abs(a - REFERENCE_DENSITY) ? b : a
    );
    const found = `it has no curve at ${REFERENCE_DENSITY} kg/m3, but at ${
      listTexts(densities.map(String))
    }. Take that of ${nearest}. ${adviseDensity(nearest)}`;
    refuseFile(file, found);
  }
  return (tables[at].match(/<DataPoint\s[^>]*>/g) ?? []).map((point) => ({
    wind_speed: readAttribute(point, "WindSpeed"),
    power: readAttribute(point, "PowerOutput") / 1000,
  }));
}
