/**
 * Reads one file by one public function (a door) in a process with little memory, and prints a line of JSON.
 * Arguments: door and path.
 *
 * @module
 */
import type { DataFrame } from "nodejs-polars";
import { time } from "../../src/api/columns/columns.ts";
import { addedColumn } from "../../src/api/columns/column.ts";
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

/** Result of a reading. */
export interface ExtremeResult {
  /** Rows that were read; turbines of a site file; 1 for a file that was recognized. */
  readonly read?: number;
  /** The message of a rejection. */
  readonly refused?: string;
  /** An error without a message of Vindkit. */
  readonly raw?: string;
  /** Time it took, s. */
  readonly seconds: number;
  /** Peak memory of the process, MB. */
  readonly megabytes: number;
}

const power = { time: "time", column: "power", resolution: "10min", unit: "kW" } as const;
const energy = { time: "month", column: "energy", resolution: "month", unit: "MWh" } as const;
const declared = [time, addedColumn("power", "f64", "Power", "Power", "kW")];

const count = async (frame: Promise<DataFrame>) => (await frame).height;

/** The doors by their function; each returns the number of rows. */
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
