/**
 * Hourly power of four turbines of Kelmarsh in 2018 (Kelmarsh wind farm data, CC-BY-4.0, doi 10.5281/zenodo.5841833).
 * The data are not part of the project: without them, the tests that need them are ignored, and their names say so.
 *
 * @module
 */
const file = new URL("../../../shared/data/kelmarsh/power_2018_hourly_kw.csv", import.meta.url);

/** Rated power of each turbine, kW. */
export const KELMARSH_RATED_POWER = 2050;

/** Whether the data are available. */
export function kelmarshIsHere(): boolean {
  try {
    return Deno.statSync(file).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Name of a test, which says if the data are missing. */
export function named(name: string): string {
  return kelmarshIsHere() ? name : `${name} (skipped: ../shared/data is not here)`;
}

/** Stamps and the hourly power of each turbine, kW; missing is NaN. */
export async function kelmarsh(): Promise<{ stamps: Float64Array; power: Float64Array[] }> {
  const lines = (await Deno.readTextFile(file)).trim().split(/\r?\n/).slice(1);
  const rows = lines.map((line) => line.split(","));
  const stamps = Float64Array.from(rows, ([time]) => Temporal.Instant.from(time).epochMilliseconds);
  const power = [1, 2, 3, 4].map((column) =>
    Float64Array.from(rows, (row) => row[column] === "" ? NaN : Number(row[column]))
  );
  return { stamps, power };
}
