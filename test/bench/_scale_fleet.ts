import { sampleAxis, sampleSites, type SampleTurbine } from "../../src/sample/sites.ts";
import { simulateClimate } from "../../src/sample/climate.ts";
import { simulateTruePower } from "../../src/sample/production.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import type { EnergyPeriod } from "../../src/windindex/calibration/production.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { listMonthSpans } from "../../src/windindex/index/monthly_energy.ts";
import { HOUR } from "../../src/time/hourly.ts";

/** Turbines between the same four grid points: a large wind farm in a cell of 0.25 deg. */
export const TURBINES_A_CELL = 50;

/** Width of a cell, deg. */
const CELL = 0.25;

/** Southern edge of the row of cells, and its western end, deg. */
const SOUTH = 55.5;
const WEST = -10;

/** Twenty years of climate: hours, and the end of the last hour. */
const HOURS = Temporal.Instant.from("2005-01-01T00Z")
  .until("2025-01-01T00Z", { largestUnit: "hour" }).hours + 1;

/** Hours of production: the last four years. */
const PRODUCED = 4 * 8766;

const [region] = sampleSites;
const [example] = region.turbines;

/** Turbine i, with its own place in a cell and its own height. */
function buildTurbine(i: number): SampleTurbine {
  const [cell, position] = [Math.floor(i / TURBINES_A_CELL), i % TURBINES_A_CELL];
  return {
    ...example,
    id: `W${i + 1}`,
    name: `W${i + 1}`,
    latitude: SOUTH + CELL * (0.1 + 0.8 * (position % 10) / 10),
    longitude: WEST + CELL * (cell + 0.1 + 0.8 * Math.floor(position / 10) / 5),
    hubHeight: 70 + position,
  };
}

/** Energy of each whole month that a turbine produces. */
function simulateMonths(turbine: SampleTurbine, climate: readonly ClimatePoint[]): EnergyPeriod[] {
  const first = HOURS - 1 - PRODUCED;
  const power = simulateTruePower(turbine, climate, first, PRODUCED);
  const axis = { start: sampleAxis.start + first * HOUR, length: PRODUCED };
  const whole = listMonthSpans(axis, turbine.timeZone)
    .filter(({ from, to }) => from >= 0 && to <= PRODUCED);
  return whole.map(({ year, month, from, to }) => ({
    label: new Temporal.PlainYearMonth(year, month).toString(),
    start: axis.start + from * HOUR,
    end: axis.start + to * HOUR,
    energy: power.subarray(from, to).reduce((sum, value) => sum + value, 0),
  }));
}

/** Cuts a point to its first hours. */
function cutPoint({ levels, ...point }: ClimatePoint, length: number): ClimatePoint {
  return {
    ...point,
    axis: { start: sampleAxis.start, length },
    levels: levels.map(({ height, u, v }) => ({
      height,
      u: u.slice(0, length),
      v: v.slice(0, length),
    })),
    temperature: point.temperature!.slice(0, length),
    pressure: point.pressure!.slice(0, length),
    relativeHumidity: point.relativeHumidity!.slice(0, length),
  };
}

/** Simulates twenty years of climate at the grid points around a row of cells. */
function simulateRow(cells: number): ClimatePoint[] {
  const points = [SOUTH, SOUTH + CELL].flatMap((latitude) =>
    Array.from(
      { length: cells + 1 },
      (_, i) => ({ latitude, longitude: WEST + CELL * i, elevation: 0 }),
    )
  );
  const weather = { ...region.weather, gradient: [0, 0] }; // uniform, so a long row has the same weather everywhere
  return simulateClimate({ ...region, weather, points }).map((point) => cutPoint(point, HOURS));
}

/**
 * Builds a site as the import reads it: twenty years of hourly climate, and four years of monthly production of each
 * turbine. The figures are always the same.
 *
 * @param turbines Number of turbines
 */
export function buildFleet(turbines: number): SiteData {
  const cells = Math.ceil(turbines / TURBINES_A_CELL);
  const climate = simulateRow(cells);
  const months = Array.from({ length: cells }, (_, cell) => {
    const around = [0, 1].flatMap((row) => climate.slice(row * (cells + 1) + cell).slice(0, 2));
    return simulateMonths(buildTurbine(cell * TURBINES_A_CELL), around);
  });
  return {
    site: "fleet",
    fingerprint: crypto.randomUUID(),
    world: "own",
    reanalyses: [{
      dataset: {
        serviceId: "synthetic",
        group: "reanalysis",
        type: "time series",
        shortDescription: "Synthetic reanalysis",
        longDescription: "",
        url: "https://example.com/",
        attribution: [],
      },
      climate,
    }],
    turbines: Array.from({ length: turbines }, (_, i) => {
      const share = 0.9 + 0.1 * (i % TURBINES_A_CELL) / TURBINES_A_CELL;
      const periods = months[Math.floor(i / TURBINES_A_CELL)]
        .map((month) => ({ ...month, energy: share * month.energy }));
      return {
        turbine: buildTurbine(i),
        production: [{ kind: "periods", periods }],
        exclusions: [],
      };
    }),
  };
}

/**
 * Cuts the climate of a fleet to the state of an earlier import.
 *
 * @param fleet The fleet
 * @param hours Hours to remove from the end
 */
export function cutFleet(fleet: SiteData, hours: number): SiteData {
  return {
    ...fleet,
    fingerprint: crypto.randomUUID(),
    reanalyses: fleet.reanalyses.map((one) => ({
      ...one,
      climate: one.climate.map((point) => cutPoint(point, point.axis.length - hours)),
    })),
  };
}
