/**
 * Climate files of two months, for tests that follow a message's advice and then read the same wind.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { afterAll, beforeAll } from "@std/testing/bdd";
import { readClimate } from "../../../src/sites/climate/read_climate.ts";
import type { ClimateSource } from "../../../src/sites/declaration/site_file.ts";
import { SourceFiles } from "../../../src/sites/source_files.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import type { ClimatePoint } from "../../../src/windindex/climate/climate.ts";

/** Files with faults. */
export const UGLY = new URL("../ugly/", import.meta.url).pathname;

/** A climate source without `stamp`, which is an instant. */
export type Source = Omit<ClimateSource, "stamp">;

/** Folder for files of a test, after {@linkcode useFolder} was called in its suite. */
export let folder: string;

/** Creates and removes the folder around each suite. */
export function useFolder(): void {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(async () => {
    await Deno.remove(folder, { recursive: true });
  });
}

/** Reads the first point of a source. */
export async function read(
  source: Source & Partial<ClimateSource>,
  notes: string[] = [],
  of = folder,
): Promise<ClimatePoint> {
  const files = new SourceFiles({ folder: of, frames: new Map() });
  const [point] = await readClimate({ stamp: "instant", ...source }, files, notes);
  return point;
}

/** Asserts that a source is rejected with this message. */
export async function refused(
  source: Source & Partial<ClimateSource>,
  message: string,
  of = folder,
): Promise<void> {
  const error = await assertRejects(() => read(source, [], of), Error);
  assertEquals(error.message.replaceAll(`${of}/`, ""), message);
}

/** Place and time of a table. */
export const place = { latitude: 55.5, longitude: 8, time: { column: "time", zone: "UTC" } };
/** Wind at 100 m, in a unit. */
export const named = (unit?: string) => ({
  wind_speed_100: { column: "wind_speed_100", ...(unit ? { unit } : {}) },
  wind_direction_100: { column: "wind_direction_100", unit: "deg" },
});

/** Wind speeds of a point at one of its heights, the last one by default. */
export const speedsOf = ({ levels }: ClimatePoint, at = -1) => {
  const { u, v } = levels.at(at)!;
  return u.map((value, i) => Math.hypot(value, v[i]));
};

/** Asserts the wind speeds of a point; NaN is missing. */
export function assertWind(point: ClimatePoint, expected: readonly number[], reach = 1e-9): void {
  const speeds = speedsOf(point);
  assertEquals(speeds.length, expected.length);
  expected.forEach((value, i) => {
    if (Number.isNaN(value)) assertEquals(speeds[i], NaN, `hour ${i}`);
    else assertAlmostEquals(speeds[i], value, reach, `hour ${i}`);
  });
}

/** Hours of two months, with wind of 2 to 14 m/s with two decimals, from all directions. */
export const HOURS = 1440;
/** Noise of the wind. */
export const random = new SeededRandom("climate files");
/** Wind speed of each hour, m/s. */
export const wind = Array.from(
  { length: HOURS },
  (_, i) => Number((8 + 4 * Math.sin(i / 37) + random.normal() / 2).toFixed(2)),
);
/** Wind direction of each hour, deg. */
export const directions = wind.map((_, i) => 7 * i % 360);

type Row = Readonly<Record<string, string | number>>;

/** Writes hours from 1 June 2020 on as CSV. */
export async function write(file: string, row: (i: number) => Row): Promise<void> {
  const rows = Array.from({ length: HOURS }, (_, i) => row(i));
  const stamp = (i: number) => new Date(Date.UTC(2020, 5, 1, i)).toISOString().slice(0, 16);
  const names = Object.keys(rows[0]);
  const lines = rows.map((one, i) => [stamp(i), ...Object.values(one)].join());
  await Deno.writeTextFile(`${folder}/${file}`, [["time", ...names].join(), ...lines].join("\n"));
}

/** Writes the wind with one speed changed. */
export const writeWind = (file: string, change: (speed: number, i: number) => string | number) =>
  write(file, (i) => ({
    wind_speed_100: change(wind[i], i),
    wind_direction_100: directions[i],
  }));
