import type { DataFrame } from "nodejs-polars";
import { HOUR } from "../../time/hour_axis.ts";
import type { Neighbour } from "../../screening/values/neighbours.ts";
import { blankFaults } from "../../screening/values/blank_faults.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { assertOneTurbine } from "../series/turbine_stamps.ts";
import { computeHours, type QualitySeries, readQualitySeries } from "./quality_series.ts";
import { suspectPowerUnit } from "./series_findings.ts";

/** Neighbours on the hours of a series, and why others are not used. */
export interface Neighbours {
  readonly neighbours: readonly Neighbour[];
  readonly notes: readonly string[];
}

/**
 * Reads the production of turbines nearby onto the hours of a series.
 *
 * @param frames Their production by name: `time` and `power`
 * @param ratedPower Rated power of each, kW
 */
export function readNeighbourHours(
  frames: Readonly<Record<string, DataFrame>>,
  { axis, timeZone }: QualitySeries,
  ratedPower: (name: string) => number,
): Neighbours {
  const notes: string[] = [];
  const neighbours = Object.entries(frames).flatMap(([name, frame]): Neighbour[] => {
    const refuse = buildRefuse(`check the series by its neighbour ${JSON.stringify(name)}`);
    assertOneTurbine(frame, refuse);
    const own = readQualitySeries(frame, undefined, timeZone, refuse);
    if (own.quantity !== "power") {
      refuse(`it has no production; it has ${frame.columns.join(", ")}`);
    }
    const rated = ratedPower(name);
    const hours = computeHours(own);
    const later = (own.axis.start - axis.start) / HOUR;
    const [doubt] = suspectPowerUnit(hours, rated);
    if (doubt || !Number.isInteger(later)) {
      const why = doubt ? doubt.message : "its hours begin between those of the series";
      notes.push(`Neighbour ${name} is not used: ${why}`);
      return [];
    }
    const running = blankFaults(hours, rated);
    const power = Float64Array.from({ length: axis.length }, (_, i) => running[i - later] ?? NaN);
    if (power.every(Number.isNaN)) {
      notes.push(`Neighbour ${name} is not used: it has no value in the hours of the series`);
      return [];
    }
    return [{ power, ratedPower: rated }];
  });
  return { neighbours, notes };
}
