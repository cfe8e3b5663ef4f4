/**
 * Reads one file through one of the doors, and prints a line of JSON: a process of its own, with little memory. Arguments:
 * the door, the path.
 *
 * @module
 */
import type { DataFrame } from "nodejs-polars";
import { time } from "../../src/api/columns/columns.ts";
import { ownColumn } from "../../src/api/columns/column.ts";
import { VindkitError } from "../../src/api/errors.ts";
import { readEvents } from "../../src/frames/events/read_events.ts";
import { readProduction } from "../../src/frames/presets/read_production.ts";
import { readTurbines } from "../../src/frames/presets/read_turbines.ts";
import { recognizeFile } from "../../src/frames/presets/recognize_file.ts";
import { toHours } from "../../src/frames/production/to_hours.ts";
import { readFrame } from "../../src/frames/storage/read_frame.ts";
import { readClimate } from "../../src/sites/climate/read_climate.ts";
import { partsOf, readSiteFile } from "../../src/sites/declaration/site.ts";
import { SourceFiles } from "../../src/sites/source_files.ts";

/** What came of it. */
export interface ExtremeResult {
  /** Rows that were read; turbines of a site file; 1 for a file that was recognized. */
  readonly read?: number;
  /** The message that refused it. */
  readonly refused?: string;
  /** An error that is not ours. */
  readonly raw?: string;
  /** Time it took, s. */
  readonly seconds: number;
  /** Most memory that the process ever had, MB. */
  readonly megabytes: number;
}

const power = { time: "time", column: "power", resolution: "10min", unit: "kW" } as const;
const energy = { time: "month", column: "energy", resolution: "month", unit: "MWh" } as const;
const declared = [time, ownColumn("power", "f64", "Power", "Power", "kW")];

const count = async (frame: Promise<DataFrame>) => (await frame).height;

/** The doors, by what is called; each returns how much was read. */
export const doors = {
  "recognizeFile()": async (path: string) => (await recognizeFile(path), 1),
  "readProduction()": (path: string) => count(readProduction(path, power)),
  "readProduction() by turbine": (path: string) =>
    count(readProduction(path, { ...power, turbine: "turbine" })),
  "readProduction() of Latin-1": (path: string) =>
    count(readProduction(path, { ...power, turbine: "turbine", encoding: "latin1" })),
  "readProduction() of months": (path: string) => count(readProduction(path, energy)),
  "readProduction() of months by turbine": (path: string) =>
    count(readProduction(path, { ...energy, turbine: "turbine" })),
  "readProduction() of meters": (path: string) =>
    count(readProduction(path, { ...energy, turbine: "turbine", counter: true })),
  "readProduction() side by side": (path: string) => {
    const ids = Array.from({ length: 16_383 }, (_, i) => `T${i + 1}`);
    const column = Object.fromEntries(ids.map((id) => [id, id]));
    return count(readProduction(path, { ...energy, column }));
  },
  "readProduction() of a register": (path: string) =>
    count(readProduction(path, "danish-register")),
  "readTurbines()": (path: string) => count(readTurbines(path, "danish-register")),
  "readEvents()": (path: string) =>
    count(readEvents(path, { preset: "greenbyte", time_zone: "UTC" })),
  "readFrame()": (path: string) => count(readFrame(path)),
  "readFrame() of declared columns": (path: string) =>
    count(readFrame(path, { columns: declared })),
  "toHours()": async (path: string) => toHours(await readFrame(path, { columns: declared })).height,
  "readClimate()": async (path: string) => {
    const variable = (column: string) => ({ column });
    const [point] = await readClimate({
      files: [path],
      latitude: 55,
      longitude: 8,
      stamp: "instant",
      time: { column: "time" },
      variables: {
        wind_speed_100: variable("wind_speed_100"),
        wind_direction_100: variable("wind_direction_100"),
        temperature: variable("temperature"),
      },
    }, new SourceFiles({ folder: ".", frames: new Map() }));
    return point.axis.length;
  },
  "readSiteFile()": async (path: string) =>
    partsOf(await readSiteFile(path), "count").declared.turbines.length,
} as const;

/** Name of a door. */
export type Door = keyof typeof doors;

if (import.meta.main) {
  const [door, path] = Deno.args;
  const begun = performance.now();
  let outcome: Pick<ExtremeResult, "read" | "refused" | "raw">;
  try {
    outcome = { read: await doors[door as Door](path) };
  } catch (error) {
    outcome = error instanceof VindkitError
      ? { refused: error.message }
      : { raw: String((error as Error)?.stack ?? error) };
  }
  const peak = /VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))![1];
  const result: ExtremeResult = {
    ...outcome,
    seconds: (performance.now() - begun) / 1000,
    megabytes: Number(peak) / 1024,
  };
  console.log(JSON.stringify(result));
}
