import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { modelDataCsv, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { monthNumberOf } from "../../time/zones.ts";
import { computeMonthlyEnergies } from "../../windindex/index/monthly_energy.ts";
import { chooseReferencePeriod, computeNormals } from "../../windindex/index/reference_period.ts";
import { MIN_YEARS } from "../../windindex/uncertainty/error_terms.ts";
import { readComparedSeries, type SideColumns } from "../series/compared_series.ts";
import { listReadings } from "../series/findings.ts";
import { computeMonthNormals, readIndexMonths } from "../series/index_months.ts";
import { type ModelHours, readModelHours } from "../series/model_hours.ts";
import { zoneOfDetails } from "../series/turbine_stamps.ts";
import type { CheckResult } from "./check_result.ts";
import { estimateDensityEffect } from "./density_effect.ts";
import { type ChosenOptions, refuse, WHAT } from "./options.ts";
import type { PerformanceFound } from "./words.ts";

/** Expected energies of months, or years, by their number; energies in MWh, missing is NaN. */
export type ModelMonths = ReadonlyMap<
  number,
  Readonly<{
    energy: number;
    /** Effect of its air density. */
    density: number;
    /** Share of its hours that are valid. */
    completeness: number;
  }>
>;

/** Expected production; energies and powers are of all turbines. */
export interface Expectation {
  /** Model data, where the prediction is hourly. */
  readonly model: ModelHours | undefined;
  /** Effect of air density on them, kW. */
  readonly density: Float64Array | undefined;
  /** Energy of a normal month, January first, MWh, NaN where it is unknown; `undefined` where all are. */
  readonly normals: Float64Array | undefined;
  /** First and last year of the reference period; `null` if they are not known. */
  readonly reference: CheckResult["reference"];
  /** Rated power of one turbine, kW; the largest prediction where it is not declared. */
  readonly ratedPower: number;
  /** Notes on the assumptions. */
  readonly notes: readonly PerformanceFound[];
}

const [time, power] = pickColumns(modelDataCsv, ["time", "power"]);
const [month, energy, index, abnormality, completeness] = pickColumns(monthlyIndicesFrame, [
  "month",
  "predicted_production",
  "month_index",
  "month_abnormality_index",
  "completeness",
]);

const predictionSide: SideColumns = {
  action: WHAT,
  what: "the prediction",
  hourly: [time, power],
  monthly: [month, energy],
};

/**
 * Adds up model data by months: those of which at least 98 % of the hours are valid have an energy, scaled to all hours.
 *
 * @param density Effect of air density on them, kW
 */
export function sumModelMonths(hours: ModelHours, density?: Float64Array): ModelMonths {
  const months = computeMonthlyEnergies(hours.power, hours.axis, hours.timeZone);
  const effects = density && computeMonthlyEnergies(density, hours.axis, hours.timeZone);
  return new Map(months.map((month, i) => [monthNumberOf(month), {
    energy: month.energy === null ? NaN : month.energy / 1000,
    density: (effects?.[i].energy ?? NaN) / 1000,
    completeness: month.completeness,
  }]));
}

/** Reads the months of a frame with `month` and `predicted_production`, of one of some turbines. */
export function readPredictedMonths(predicted: DataFrame, units: number): ModelMonths {
  const series = readComparedSeries(predicted, predictionSide, completeness);
  if (series.kind === "hourly") throw new Error("Cannot read months: the prediction is of hours");
  return new Map(
    series.months.map((
      { number, energy, completeness },
    ) => [number, { energy: energy * units, density: NaN, completeness }]),
  );
}

/** Adds up years from months; a year with a missing month is left out. */
export function sumYears(months: ModelMonths): ModelMonths {
  const years = Map.groupBy(months.keys(), (number) => Math.floor(number / 12));
  return new Map(
    [...years].filter(([, own]) => own.length === 12).map(([year, own]) => {
      const sum = (name: "energy" | "density" | "completeness") =>
        own.sort((a, b) => a - b).reduce((total, number) => total + months.get(number)![name], 0);
      const [energy, density, hours] = [sum("energy"), sum("density"), sum("completeness")];
      return [year, { energy, density, completeness: hours / 12 }];
    }),
  );
}

const hasColumns = ({ columns }: DataFrame, wanted: readonly Column[]) =>
  wanted.every(({ name }) => columns.includes(name));

/** Relative difference of indices and model data that rounding and single hours explain. */
const SAME = 0.005;

/** Normal months of one turbine, January first, MWh, and where they are from; `reference` where that is model data. */
type Normals = Pick<Expectation, "normals" | "notes"> & Partial<Pick<Expectation, "reference">>;

function readIndexNormals(indices: DataFrame, model?: ModelHours): Normals {
  if (!hasColumns(indices, [month, index, abnormality, energy])) {
    refuse(
      `the indices need the columns "${month.name}", "${index.name}", "${abnormality.name}" and ` +
        `"${energy.name}"; they have ${indices.columns.join(", ")}. ` +
        "Give the frame of monthlyIndices()",
    );
  }
  const { months, notes: read } = computeMonthNormals(indices, WHAT);
  const notes: PerformanceFound[] = listReadings(read);
  if (months.every((energy) => energy === null)) return { normals: undefined, notes };
  const normals = Float64Array.from(months, (energy) => energy ?? NaN);
  // Other energies for the same months are of another turbine or revision.
  const modelled = model && sumModelMonths(model);
  let [sum, all] = [0, 0];
  for (const { number, predicted } of modelled ? readIndexMonths(indices, WHAT) : []) {
    const own = modelled?.get(number)?.energy ?? NaN;
    if (predicted === null || !Number.isFinite(own)) continue;
    sum += predicted;
    all += own;
  }
  if (all > 0 && Math.abs(sum / all - 1) > SAME) {
    notes.push({ code: "other_prediction", ratio: 100 * sum / all });
  }
  return { normals, notes };
}

function computeModelNormals({ power, axis, timeZone }: ModelHours): Normals {
  const months = computeMonthlyEnergies(power, axis, timeZone);
  const years = Map.groupBy(months.filter(({ energy }) => energy !== null), ({ year }) => year);
  const whole = [...years.values()].filter(({ length }) => length === 12).length;
  if (whole < MIN_YEARS) return { normals: undefined, notes: [] };
  const period = chooseReferencePeriod(months);
  const [from, to] = [period.years[0], period.years.at(-1)!];
  return {
    normals: Float64Array.from(computeNormals(months, period).months, (energy) => energy / 1000),
    reference: [from, to],
    notes: [{ code: "normal_of_model", from, to }],
  };
}

/** Reads the reference period from details, where our service answers. */
function readReferenceYears(details: ChosenOptions["details"]): Expectation["reference"] {
  const { reference_from: first, reference_to: last } = details ?? {};
  return Number.isInteger(first) && Number.isInteger(last)
    ? [first as number, last as number]
    : null;
}

/**
 * Reads what is expected. The energy of a normal month of each name is from indices, from a prediction that has them, or from
 * model data of five or more whole years.
 *
 * @throws {ArgumentError} If the indices lack these columns
 */
export function readExpectation(
  predicted: DataFrame,
  { details, indices, units }: ChosenOptions,
): Expectation {
  const read = hasColumns(predicted, [time, power]) ? readModelHours(predicted, WHAT) : undefined;
  const one = read && { ...read, timeZone: zoneOfDetails(details) ?? read.timeZone };
  const { normals, reference, notes } = indices
    ? readIndexNormals(indices, one)
    : hasColumns(predicted, [month, index, abnormality])
    ? readIndexNormals(predicted)
    : one
    ? computeModelNormals(one)
    : { normals: undefined, notes: [] };
  const density = one && estimateDensityEffect(one, details);
  const declared = details?.rated_power;
  const ratedPower = declared ??
    (one?.power.reduce((max, value) => value > max ? value : max, 0) ?? NaN);
  const times = <T extends Float64Array | undefined>(values: T) =>
    values?.map((value) => value * units) as T;
  return {
    model: one && { ...one, power: times(one.power) },
    density: times(density?.power),
    normals: times(normals),
    reference: reference ?? readReferenceYears(details),
    ratedPower,
    notes: [
      ...notes,
      ...(density && normals ? [density.note] : []),
      ...(declared || !one
        ? []
        : [{ code: "rated_power_assumed", rated_power: ratedPower } as const]),
    ],
  };
}
