import type { TurbineDetails } from "../../api/resources/resources.ts";
import { calendarMonth } from "../../show/text/numbers.ts";
import {
  computeMonthlyEnergies,
  listMonthSpans,
  MIN_COMPLETENESS,
} from "../../windindex/index/monthly_energy.ts";
import { computeHourlyPower, computePowerAtStamps } from "../../windindex/power_model.ts";
import { computeLogDensityRatio } from "../../windindex/turbine/density_correction.ts";
import { computeCurvePower, type ModelHours, readModelHours } from "../series/model_hours.ts";
import type { DensityUnknown, PerformanceFinding } from "./words.ts";
import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { modelDataCsv, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { monthNumberOf } from "../../time/zones.ts";
import { chooseReferencePeriod, computeNormals } from "../../windindex/index/reference_period.ts";
import { MIN_YEARS } from "../../windindex/uncertainty/error_terms.ts";
import { readComparedSeries, type SideColumns } from "../series/compared_series.ts";
import { listReadings } from "../series/answer.ts";
import { computeMonthNormals, readIndexMonths } from "../series/index_months.ts";
import { zoneOfDetails } from "../series/turbine_stamps.ts";
import type { CheckResult } from "./check_result.ts";
import { ACTION, type ChosenOptions, refuse } from "./options.ts";
import { sumOf } from "../../stats/spread.ts";

/** Fewest complete months of a name for a normal density. */
const MIN_MONTHS = 3;

/** Largest relative difference between the energy by the power curve and the model's energy. */
const LIKE_MODEL = 0.1;

/** Range of air density below which it counts as constant, kg/m3. */
const STILL = 1e-6;

/** Effect of air density on each hour of model data. */
interface DensityEffect {
  /** Change of power between the month's mean density and the density of the hour, kW; missing is NaN. */
  readonly power?: Float64Array;
  /** Source of the mean densities, or why the effect is unknown. */
  readonly note: PerformanceFinding;
}

const unknown = (reason: DensityUnknown): DensityEffect => (
  { note: { code: "density_unknown", ...reason } }
);

/**
 * Computes the normal density of each hour, the mean of all complete months of its name, and finds the name with the
 * fewest.
 */
function computeNormalDensity({ axis, timeZone }: ModelHours, density: Float64Array) {
  const months = listMonthSpans(axis, timeZone).map(({ month, from, to }) => {
    const [first, last] = [Math.max(0, from), Math.min(axis.length, to)];
    const valid = density.subarray(first, last).filter((value) => !Number.isNaN(value));
    const sum = sumOf(valid);
    const isComplete = valid.length >= MIN_COMPLETENESS * (to - from);
    return { month, first, last, sum, count: valid.length, isComplete };
  });
  const normal = new Float64Array(axis.length);
  let poorest = { month: 0, count: Infinity };
  for (const [month, spans] of Map.groupBy(months, ({ month }) => month)) {
    const complete = spans.filter(({ isComplete }) => isComplete);
    const add = (name: "sum" | "count") => sumOf(complete, (one) => one[name]);
    for (const { first, last } of spans) normal.fill(add("sum") / add("count"), first, last);
    if (complete.length < poorest.count) poorest = { month, count: complete.length };
  }
  return { normal, poorest };
}

/**
 * Estimates the effect of air density on the model's power hour by hour: the power at the density of the hour less that at the mean
 * density of its calendar month, both at the wind speed of the hour.
 *
 * @param details Details with the power curve; `undefined` if not given
 */
function estimateDensityEffect(
  hours: ModelHours,
  details: Pick<TurbineDetails, "power_curve" | "rated_power"> | undefined,
): DensityEffect {
  const { airDensity, windSpeed } = hours;
  if (!details?.power_curve || !details.rated_power) return unknown({ reason: "no_curve" });
  if (!airDensity || !windSpeed) {
    return unknown({ reason: "no_column", column: airDensity ? "wind_speed" : "air_density" });
  }
  const known = airDensity.filter((value) => !Number.isNaN(value));
  if (known.every((value) => Math.abs(value - known[0]) < STILL)) {
    return unknown({ reason: "constant" });
  }
  const curve = computeCurvePower(hours, details);
  if (!curve) return unknown({ reason: "no_control" });
  let [byCurve, byModel] = [0, 0];
  curve.hourly.forEach((power, i) => {
    if (Number.isNaN(power + hours.power[i])) return;
    byCurve += power;
    byModel += hours.power[i];
  });
  if (!(Math.abs(byCurve / byModel - 1) <= LIKE_MODEL)) {
    return unknown({ reason: "other_curve", share: 100 * byCurve / byModel });
  }
  const { normal, poorest: { month, count: months } } = computeNormalDensity(hours, airDensity);
  if (months < MIN_MONTHS) {
    const name = calendarMonth(`2000-${String(month).padStart(2, "0")}`);
    return unknown({ reason: "few_months", needed: MIN_MONTHS, months, name });
  }
  const { turbine, smoothing, atStamps, stamp } = curve;
  const ratios = normal.map(computeLogDensityRatio);
  const atNormal = computePowerAtStamps(turbine, windSpeed, ratios, smoothing);
  const effect = atNormal.map((power, i) => atStamps[i] - power);
  return { power: computeHourlyPower(effect, stamp), note: { code: "normal_density", months } };
}

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

/** Expected production; energies and powers are for all turbines. */
export interface Expectation {
  /** Model data, if the prediction is hourly. */
  readonly model: ModelHours | undefined;
  /** Effect of air density on them, kW. */
  readonly density: Float64Array | undefined;
  /** Energy of a normal month, January first, MWh, NaN if unknown; `undefined` if all are. */
  readonly normals: Float64Array | undefined;
  /** First and last year of the reference period; `null` if unknown. */
  readonly reference: CheckResult["reference"];
  /** Rated power of one turbine, kW; the largest prediction if it is not declared. */
  readonly ratedPower: number;
  /** Notes on the assumptions. */
  readonly notes: readonly PerformanceFinding[];
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
  action: ACTION,
  subject: "the prediction",
  hourly: [time, power],
  monthly: [month, energy],
};

/**
 * Sums model data by months; months with at least 98 % valid hours have an energy, scaled to all hours.
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

/** Reads the months of a frame with `month` and `predicted_production`, for one turbine or several. */
export function readPredictedMonths(predicted: DataFrame, units: number): ModelMonths {
  const series = readComparedSeries(predicted, predictionSide, completeness);
  if (series.kind === "hour") {
    throw new Error(
      "Cannot read the predicted months: the prediction is hourly, not monthly. Give a monthly prediction",
    );
  }
  return new Map(
    series.months.map((
      { number, energy, completeness },
    ) => [number, { energy: energy * units, density: NaN, completeness }]),
  );
}

/** Sums months to years; a year with a missing month is left out. */
export function sumYears(months: ModelMonths): ModelMonths {
  const years = Map.groupBy(months.keys(), (number) => Math.floor(number / 12));
  return new Map(
    [...years].filter(([, numbers]) => numbers.length === 12).map(([year, numbers]) => {
      const sum = (name: "energy" | "density" | "completeness") =>
        sumOf(numbers.sort((a, b) => a - b), (number) => months.get(number)![name]);
      const [energy, density, hours] = [sum("energy"), sum("density"), sum("completeness")];
      return [year, { energy, density, completeness: hours / 12 }];
    }),
  );
}

const hasColumns = ({ columns }: DataFrame, wanted: readonly Column[]) =>
  wanted.every(({ name }) => columns.includes(name));

/** Largest relative difference of indices and model data that rounding and single hours explain. */
const SAME = 0.005;

/** Normal months of one turbine, January first, MWh, and their source; `reference` if that is model data. */
type Normals = Pick<Expectation, "normals" | "notes"> & Partial<Pick<Expectation, "reference">>;

function readIndexNormals(indices: DataFrame, model?: ModelHours): Normals {
  if (!hasColumns(indices, [month, index, abnormality, energy])) {
    refuse(
      `the indices need "${month.name}", "${index.name}", "${abnormality.name}" and "${energy.name}". They have ${
        indices.columns.join(", ")
      }. Give the frame from monthlyIndices()`,
    );
  }
  const { months, notes: read } = computeMonthNormals(indices, ACTION);
  const notes: PerformanceFinding[] = listReadings(read);
  if (months.every((energy) => energy === null)) return { normals: undefined, notes };
  const normals = Float64Array.from(months, (energy) => energy ?? NaN);
  // Different energies for the same months mean another turbine or revision.
  const modelled = model && sumModelMonths(model);
  let [sum, modelSum] = [0, 0];
  for (const { number, predicted } of modelled ? readIndexMonths(indices, ACTION) : []) {
    const modelEnergy = modelled?.get(number)?.energy ?? NaN;
    if (predicted === null || !Number.isFinite(modelEnergy)) continue;
    sum += predicted;
    modelSum += modelEnergy;
  }
  if (modelSum > 0 && Math.abs(sum / modelSum - 1) > SAME) {
    notes.push({ code: "other_prediction", ratio: 100 * sum / modelSum });
  }
  return { normals, notes };
}

function computeModelNormals({ power, axis, timeZone }: ModelHours): Normals {
  const months = computeMonthlyEnergies(power, axis, timeZone);
  const years = Map.groupBy(months.filter(({ energy }) => energy !== null), ({ year }) => year);
  const wholeYears = [...years.values()].filter(({ length }) => length === 12).length;
  if (wholeYears < MIN_YEARS) return { normals: undefined, notes: [] };
  const period = chooseReferencePeriod(months);
  const [from, to] = [period.years[0], period.years.at(-1)!];
  return {
    normals: Float64Array.from(computeNormals(months, period).months, (energy) => energy / 1000),
    reference: [from, to],
    notes: [{ code: "normal_of_model", from, to }],
  };
}

/** Reads the reference period from details, if our service answers. */
function readReferenceYears(details: ChosenOptions["details"]): Expectation["reference"] {
  const { reference_from: first, reference_to: last } = details ?? {};
  return Number.isInteger(first) && Number.isInteger(last)
    ? [first as number, last as number]
    : null;
}

/**
 * Reads the expected production. The energy of a normal month of each name comes from indices, from a prediction that
 * has them, or from model data of five or more whole years.
 *
 * @throws {ArgumentError} If the indices lack these columns
 */
export function readExpectation(
  predicted: DataFrame,
  { details, indices, units }: ChosenOptions,
): Expectation {
  const read = hasColumns(predicted, [time, power]) ? readModelHours(predicted, ACTION) : undefined;
  const turbineModel = read && { ...read, timeZone: zoneOfDetails(details) ?? read.timeZone };
  const { normals, reference, notes } = indices
    ? readIndexNormals(indices, turbineModel)
    : hasColumns(predicted, [month, index, abnormality])
    ? readIndexNormals(predicted)
    : turbineModel
    ? computeModelNormals(turbineModel)
    : { normals: undefined, notes: [] };
  const density = turbineModel && estimateDensityEffect(turbineModel, details);
  const declared = details?.rated_power;
  const ratedPower = declared ??
    (turbineModel?.power.reduce((max, value) => value > max ? value : max, 0) ?? NaN);
  const times = <T extends Float64Array | undefined>(values: T) =>
    values?.map((value) => value * units) as T;
  return {
    model: turbineModel && { ...turbineModel, power: times(turbineModel.power) },
    density: times(density?.power),
    normals: times(normals),
    reference: reference ?? readReferenceYears(details),
    ratedPower,
    notes: [
      ...notes,
      ...(density && normals ? [density.note] : []),
      ...(declared || !turbineModel
        ? []
        : [{ code: "rated_power_assumed", rated_power: ratedPower } as const]),
    ],
  };
}
