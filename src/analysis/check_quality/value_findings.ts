import type { DataFrame } from "nodejs-polars";
import { alignToAxis, HOUR, type HourAxis } from "../../time/hourly.ts";
import { buildMask } from "../../screening/finding.ts";
import type { ReferenceHours } from "../series/reference_hours.ts";
import { computeHours, type QualitySeries, readQualitySeries } from "./quality_series.ts";
import {
  judgeClimate,
  judgePower,
  placeOnAxis,
  type SeriesFinding,
  suspectPowerUnit,
} from "./series_findings.ts";
import type { Neighbour } from "../../screening/values/neighbours.ts";
import { blankFaults } from "../../screening/values/faulty_values.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { assertOneTurbine } from "../series/turbine_stamps.ts";

/** Neighbours on the hours of a series, and why others are not used. */
interface Neighbours {
  readonly neighbours: readonly Neighbour[];
  readonly notes: readonly string[];
}

/** Reads the production of turbines nearby onto the hours of a series; `ratedPower` is in kW. */
function readNeighbourHours(
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

const NO_RATED_POWER =
  "Standstill, stuck values, impossible power and wrong units are not searched without the rated power. Give { ratedPower } in kW";

/** Rated powers and neighbours for the check of values. */
interface ValueOptions {
  /** Rated power, kW. */
  readonly ratedPower?: number;
  /** Production of turbines nearby, by name. */
  readonly neighbours?: Readonly<Record<string, DataFrame>>;
  /** Rated power of those that have another one, kW. */
  readonly neighbourRatedPower?: Readonly<Record<string, number>>;
}

/** Findings in values. */
interface ValueFindings {
  readonly found: readonly SeriesFinding[];
  /** 1 for hours that do not count in the comparison with a model. */
  readonly masked: Uint8Array;
  /** What was not checked, and why. */
  readonly notes: readonly string[];
}

/**
 * Expected power of the hours, as a share of the largest: the model may be of one turbine and the series of a park.
 * `undefined` where the model has the wind only.
 */
function computeExpectedShares(
  axis: HourAxis,
  model: ReferenceHours | undefined,
): Float64Array | undefined {
  if (!model || model.isWind) return undefined;
  const largest = model.means.reduce((max, power) => power > max ? power : max, 0);
  return alignToAxis(axis, model.axis, model.means.map((power) => power / largest));
}

/** Checks hourly values: production by the rated power and, for standstill, by the model; weather by its range. */
export function judgeValues(
  series: QualitySeries,
  hours: Float64Array,
  { ratedPower, neighbours = {}, neighbourRatedPower = {} }: ValueOptions,
  model: ReferenceHours | undefined,
): ValueFindings {
  const { axis, quantity } = series;
  const nothing = new Uint8Array(axis.length);
  if (quantity !== "power") {
    const found = judgeClimate(hours, series);
    const notes = ratedPower === undefined && Object.keys(neighbours).length === 0 ? [] : [
      `The rated power and neighbours are for production; "${series.column.name}" is not production`,
    ];
    const placed = placeOnAxis(found, axis.start, 1).map((each) => ({ ...each, weather: true }));
    return { found: placed, masked: buildMask(found, axis.length), notes };
  }
  if (ratedPower === undefined) return { found: [], masked: nothing, notes: [NO_RATED_POWER] };
  const beside = readNeighbourHours(
    neighbours,
    series,
    (name) => neighbourRatedPower[name] ?? ratedPower,
  );
  const expected = computeExpectedShares(axis, model);
  const found = judgePower(hours, ratedPower, beside.neighbours, expected);
  const doubtful = found.some(({ kind }) => kind === "wrong_unit");
  const notes = [
    ...beside.notes,
    ...(beside.neighbours.length === 0
      ? [
        "Stops of less than three days are not searched without turbines nearby. Give { neighbours }",
      ]
      : []),
    ...(doubtful ? ["Values are not checked further, since their unit may be wrong"] : []),
  ];
  return {
    found: placeOnAxis(found, axis.start, 1),
    masked: doubtful ? nothing : buildMask(found, axis.length),
    notes,
  };
}
