import pl, { type DataFrame } from "nodejs-polars";
import { buildDatetimes, buildNumbers } from "../frames/frame.ts";
import { HOUR, type HourAxis } from "../time/hourly.ts";
import { SYNTHETIC_LINE } from "../frames/origin/file_origin.ts";
import { writeAtomically } from "../disk/side_file.ts";
import type { ClimatePoint } from "../windindex/climate/climate.ts";
import { computeDistance } from "../windindex/climate/site_weights.ts";
import type { SiteFile } from "../sites/declaration/site_file.ts";
import { simulateClimate } from "./climate.ts";
import { simulateProduction } from "./production.ts";
import { dataset } from "./sample_world.ts";
import { type SampleSite, sampleSites, type SampleTurbine } from "./sites.ts";

/** Names of the sample's example files: an owner's data, ready to import. */
export const EXAMPLE_FILES = [
  "site.json",
  "climate.csv",
  "production.csv",
  "production_monthly.csv",
  "power_curve.csv",
] as const;

/** Name of an example file. */
export type ExampleFileName = typeof EXAMPLE_FILES[number];

const [site] = sampleSites as readonly [SampleSite];
const [hourly, monthly] = site.turbines as readonly [SampleTurbine, SampleTurbine];

const variables = {
  wind_speed_10: "m/s",
  wind_direction_10: "deg",
  wind_speed_100: "m/s",
  wind_direction_100: "deg",
  temperature: "degC",
  pressure: "Pa",
  relative_humidity: "%",
};

function formatCsv(frame: DataFrame): Uint8Array {
  const table = frame.writeCSV(
    { datetimeFormat: "%Y-%m-%dT%H:%M:%SZ", dateFormat: "%Y-%m" } as never,
  ) as unknown as Uint8Array;
  return formatText([new TextDecoder().decode(table)]);
}

/** Formats a table with a first line that marks it as invented, because files get passed on without their site file. */
function formatText(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode([SYNTHETIC_LINE, ...lines].join("\n"));
}

function buildHours(axis: HourAxis): pl.Series {
  const stamps = Float64Array.from({ length: axis.length }, (_, i) => axis.start + i * HOUR);
  return buildDatetimes("time", stamps);
}

function findNearest(climate: readonly ClimatePoint[]): ClimatePoint {
  return [...climate].sort((a, b) => computeDistance(a, hourly) - computeDistance(b, hourly))[0];
}

function formatClimate(point: ClimatePoint): Uint8Array {
  const columns: pl.Series[] = [buildHours(point.axis)];
  for (const { height, u, v } of point.levels) {
    const speed = u.map((value, i) => Math.round(Math.hypot(value, v[i]) * 100) / 100);
    const direction = u.map((value, i) =>
      Math.round((Math.atan2(-value, -v[i]) * 180 / Math.PI + 360) % 360)
    );
    columns.push(
      buildNumbers(`wind_speed_${height}`, speed),
      buildNumbers(`wind_direction_${height}`, direction),
    );
  }
  columns.push(
    buildNumbers("temperature", point.temperature!),
    buildNumbers("pressure", point.pressure!),
    buildNumbers("relative_humidity", point.relativeHumidity!),
  );
  return formatCsv(pl.DataFrame(columns));
}

function formatHourlyProduction(climate: readonly ClimatePoint[]): Uint8Array {
  const production = simulateProduction(site, hourly, climate);
  if (production?.kind !== "hourly") {
    throw new Error("the first sample turbine has hourly production");
  }
  return formatCsv(
    pl.DataFrame([buildHours(production.axis), buildNumbers("power", production.power)]),
  );
}

function formatMonthlyProduction(climate: readonly ClimatePoint[]): Uint8Array {
  const production = simulateProduction(site, monthly, climate);
  if (production?.kind !== "periods") {
    throw new Error("the second sample turbine has monthly production");
  }
  const rows = production.periods.map(({ label, energy }) =>
    `${label},${(energy / 1000).toFixed(3)}`
  );
  return formatText(["month,energy", ...rows, ""]);
}

function formatCurve(): Uint8Array {
  const rows = hourly.powerCurve.map(({ wind_speed, power }) => `${wind_speed},${power}`);
  return formatText(["wind_speed,power", ...rows, ""]);
}

function formatSite(point: ClimatePoint): Uint8Array {
  const declared: SiteFile = {
    site: "example",
    dataset: {
      service_id: "example-climate",
      short_description: dataset.shortDescription,
      long_description: dataset.longDescription,
      url: "",
      attribution: [...dataset.attribution],
    },
    climate: [{
      files: ["climate.csv"],
      latitude: point.latitude,
      longitude: point.longitude,
      elevation: point.elevation ?? 0,
      stamp: "instant",
      time: { column: "time" },
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, unit]) => [name, { column: name, unit }]),
      ),
    }],
    turbines: [{
      id: "E1",
      name: `${hourly.name} (SYNTHETIC)`,
      latitude: hourly.latitude,
      longitude: hourly.longitude,
      elevation: hourly.elevation,
      hub_height: hourly.hubHeight,
      rotor_diameter: hourly.rotorDiameter,
      rated_power: hourly.ratedPower,
      units: hourly.units,
      time_zone: hourly.timeZone,
      power_control: hourly.powerControl,
      power_curve: { file: "power_curve.csv", wind_speed: "wind_speed", power: "power" },
      production: [{
        file: "production.csv",
        column: "power",
        time: "time",
        resolution: "hour",
        unit: "kW",
      }],
      exclude: [],
    }],
  };
  return new TextEncoder().encode(JSON.stringify(declared, null, 2) + "\n");
}

/**
 * Writes all example files, because the site file names the others.
 *
 * @param folder Folder of the files, created if it is missing
 */
export async function writeExampleFiles(folder: string): Promise<void> {
  const climate = simulateClimate(site);
  const point = findNearest(climate);
  const contents: Record<ExampleFileName, Uint8Array> = {
    "climate.csv": formatClimate(point),
    "production.csv": formatHourlyProduction(climate),
    "production_monthly.csv": formatMonthlyProduction(climate),
    "power_curve.csv": formatCurve(),
    "site.json": formatSite(point), // last: if it exists, all others do
  };
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of Object.entries(contents)) {
    await writeAtomically(`${folder}/${name}`, bytes);
  }
}
