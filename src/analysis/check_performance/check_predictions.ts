import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { modelDataCsv, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { readSpan } from "../../show/options/range.ts";
import { calendarMonth } from "../../show/text/month.ts";
import { listMonthSpans, MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { computeHourlyPower, computePowerAtStamps } from "../../windindex/power_model.ts";
import { computeLogDensityRatio } from "../../windindex/turbine/density_correction.ts";
import type { SideColumns } from "../series/compared_series.ts";
import { isPlausibleLevel } from "../series/level.ts";
import {
  computeCurvePower,
  cutModel,
  findCommonHours,
  type ModelHours,
  readModelHours,
} from "../series/model_hours.ts";
import { listReadings } from "../series/findings.ts";
import { findStops, readStates, type TurbineStates } from "../series/turbine_states.ts";
import { zoneOfDetails } from "../series/turbine_stamps.ts";
import { findPeriodChanges } from "./changes.ts";
import { checkHours } from "./check_hours.ts";
import { checkPeriods } from "./check_periods.ts";
import type { CheckResult, PeriodResult } from "./check_result.ts";
import {
  findExpectedNormals,
  type ModelMonths,
  readPredictedMonths,
  readReferenceYears,
  sumModelMonths,
  sumYears,
} from "./expectation.ts";
import { type ChosenOptions, readNamedOutages, refuse, WHAT } from "./options.ts";
import { findOutagesByModel } from "./own_normals.ts";
import {
  addStops,
  labelOf,
  type ProducedHours,
  type ProducedPeriods,
  readProducedSeries,
  sumProducedMonths,
} from "./production.ts";
import type { DensityUnknown, PerformanceFound } from "./words.ts";

/** Effect of air density on each hour of model data, or why it is unknown. */
interface DensityEffect {
  /** Power that the density of the hour adds to that of its month's mean density, kW; missing is NaN. */
  readonly power: Float64Array | undefined;
  /** Source of the mean densities, or what is missing. */
  readonly note: PerformanceFound;
}

/** Fewest complete months of a name for a normal density. */
const MIN_MONTHS = 3;

/** Largest relative difference between the energy of the curve and that of the model. */
const LIKE_MODEL = 0.1;

/** Change of air density below which it is constant, kg/m3. */
const STILL = 1e-6;

function explainUnknown(unknown: DensityUnknown): DensityEffect {
  return { power: undefined, note: { code: "density_unknown", ...unknown } };
}

/**
 * Computes the normal density of each hour: the mean of all complete months of its name. `least` is the smallest
 * number of months of a name.
 */
function computeNormalDensity(
  hours: ModelHours,
  density: Float64Array,
): { normal: Float64Array; least: number; poorest: number } {
  const spans = listMonthSpans(hours.axis, hours.timeZone).map((span) => ({
    ...span,
    first: Math.max(0, span.from),
    last: Math.min(hours.axis.length, span.to),
  }));
  const sums = Array.from({ length: 12 }, () => ({ sum: 0, count: 0, months: 0 }));
  for (const { month, from, to, first, last } of spans) {
    const valid = density.subarray(first, last).filter((value) => !Number.isNaN(value));
    if (valid.length < MIN_COMPLETENESS * (to - from)) continue;
    const own = sums[month - 1];
    own.sum += valid.reduce((total, value) => total + value, 0);
    own.count += valid.length;
    own.months++;
  }
  const normal = new Float64Array(hours.axis.length);
  for (const { month, first, last } of spans) {
    normal.fill(sums[month - 1].sum / sums[month - 1].count, first, last);
  }
  const touched = [...new Set(spans.map(({ month }) => month))];
  const poorest = touched.reduce((a, b) => sums[b - 1].months < sums[a - 1].months ? b : a);
  return { normal, least: sums[poorest - 1].months, poorest };
}

/**
 * Estimates the effect of air density on the model's power hour by hour: the power at the density of the hour less that at the mean
 * density of its calendar month, both at the wind speed of the hour.
 *
 * @param details Details with the power curve; `undefined` where they are not given
 */
function estimateDensityEffect(
  hours: ModelHours,
  details:
    | Pick<TurbineDetails, "power_curve" | "rated_power">
    | undefined,
): DensityEffect {
  const { airDensity, windSpeed } = hours;
  if (!details?.power_curve || !details.rated_power) {
    return explainUnknown({ reason: "no_curve" });
  }
  if (!airDensity || !windSpeed) {
    const column = airDensity ? "wind_speed" : "air_density";
    return explainUnknown({ reason: "no_column", column });
  }
  const known = airDensity.filter((value) => !Number.isNaN(value));
  if (known.every((value) => Math.abs(value - known[0]) < STILL)) {
    return explainUnknown({ reason: "constant" });
  }
  const curve = computeCurvePower(hours, details);
  if (!curve) {
    return explainUnknown({ reason: "no_control" });
  }
  let [own, model] = [0, 0];
  curve.hourly.forEach((power, i) => {
    const both = power + hours.power[i];
    if (both !== both) return;
    own += power;
    model += hours.power[i];
  });
  if (!(Math.abs(own / model - 1) <= LIKE_MODEL)) {
    return explainUnknown({ reason: "other_curve", share: 100 * own / model });
  }
  const { normal, least, poorest } = computeNormalDensity(hours, airDensity);
  if (least < MIN_MONTHS) {
    const name = calendarMonth(`2000-${String(poorest).padStart(2, "0")}`);
    return explainUnknown({ reason: "few_months", needed: MIN_MONTHS, months: least, name });
  }
  const atNormal = computePowerAtStamps(
    curve.turbine,
    windSpeed,
    normal.map(computeLogDensityRatio),
    curve.smoothing,
  );
  const effect = atNormal.map((power, i) => curve.atStamps[i] - power);
  return {
    power: computeHourlyPower(effect, curve.stamp),
    note: { code: "normal_density", months: least },
  };
}

/**
 * Checks that production and prediction can be of one turbine.
 *
 * @param units Number of turbines that the production is of
 * @throws {ArgumentError} If production or prediction is 0, or their ratio is not plausible
 */
function assertPlausible(
  { periods, outages, normalRatio, by, hourly }: CheckResult,
  units: number,
): void {
  const [column, unit] = hourly ? ["power", "kW"] : ["energy", "MWh"];
  const both = periods.filter(({ produced, predicted }) => Number.isFinite(produced + predicted));
  const sum = (value: (period: PeriodResult) => number) =>
    both.reduce((total, period) => total + value(period), 0);
  const [produced, predicted] = [sum((period) => period.produced), sum((one) => one.predicted)];
  const labels = both.length === 1
    ? `in ${both[0].label}`
    : `from ${both[0].label} to ${both[both.length - 1].label}`;
  if (!(predicted > 0)) {
    refuse(`the prediction is 0 MWh ${labels}. Give predictions of a turbine that runs`);
  }
  const stopsKnown = hourly || outages.some(({ source }) => source !== "detected");
  if (!stopsKnown && !(produced > 0)) {
    refuse(
      `column "${column}" of the production has no more than 0 ${unit} in all ${by}s ${labels}. If the ` +
        "turbine was stopped all the time, name that as an outage with { outages: [{ from, to }] }",
    );
  }
  const ran = both.some(({ running }) => Number.isFinite(running));
  const ratio = ran ? normalRatio : produced / predicted;
  if (isPlausibleLevel(ratio, by === "year" ? 12 * both.length : both.length, ran)) return;
  const times = ratio >= 1 ? ratio.toFixed(1) : ratio.toPrecision(2);
  refuse(
    `${
      ran ? "outside of outages " : ""
    }the production is ${times} times the prediction, over ${by}s ${labels}. ` +
      `Column "${column}" must be in ${unit}, and of ` +
      `${units === 1 ? "one turbine" : `${units} turbines`}: convert it, or give the number of ` +
      "turbines of a park with { units: ... }",
  );
}

/** Selects the periods of production from the first to the last that can be compared. */
function selectCommonPeriods(
  production: ProducedPeriods,
  expected: ModelMonths,
): ProducedPeriods {
  const { kind, numbers, energy } = production;
  const known = (number: number, i: number) =>
    Number.isFinite(energy[i]) && Number.isFinite(expected.get(number)?.energy ?? NaN);
  const [first, last] = [numbers.findIndex(known), numbers.findLastIndex(known)];
  if (first === -1) {
    const span = (all: readonly number[]) =>
      all.length === 0
        ? `no whole ${kind}`
        : `${labelOf(Math.min(...all), kind)} to ${labelOf(Math.max(...all), kind)}`;
    const predicted = [...expected].filter(([, { energy }]) => Number.isFinite(energy))
      .map(([number]) => number);
    const produced = numbers.filter((_, i) => Number.isFinite(energy[i]));
    refuse(
      `no ${kind} has a value in both. The production has ${span(produced)}, the prediction ` +
        `${span(predicted)}; ${kind}s count with 98 % of their hours. ` +
        "Ask for a prediction of the time of the production",
    );
  }
  const cut = (values: Float64Array | undefined) => values?.slice(first, last + 1);
  return {
    kind,
    numbers: numbers.slice(first, last + 1),
    energy: energy.slice(first, last + 1),
    availability: cut(production.availability),
    validHours: cut(production.validHours),
    completeness: cut(production.completeness),
    notes: production.notes,
  };
}

const [time, power] = pickColumns(modelDataCsv, ["time", "power"]);
const [month, energy] = pickColumns(monthlyIndicesFrame, ["month", "predicted_production"]);

const predictionSide: SideColumns = {
  action: WHAT,
  what: "the prediction",
  hourly: [time, power],
  monthly: [month, energy],
};

/** Expected production; energies and powers are of all turbines. */
interface Expectation {
  /** Model data, where the prediction is hourly. */
  readonly model: ModelHours | undefined;
  /** Effect of air density on them, kW. */
  readonly density: Float64Array | undefined;
  /** Energy of a normal month, January first, MWh; NaN where it is unknown. */
  readonly normals: Float64Array | undefined;
  /** First and last year of the reference period; `null` if they are not known. */
  readonly reference: CheckResult["reference"];
  /** Rated power of one turbine, kW; the largest prediction where it is not declared. */
  readonly ratedPower: number;
  /** Notes on the assumptions. */
  readonly notes: readonly PerformanceFound[];
}

function readExpectation(predicted: DataFrame, options: ChosenOptions): Expectation {
  const { details, indices, units } = options;
  const times = (values: Float64Array | undefined) => values?.map((value) => value * units);
  const names = Object.keys(predicted);
  const read = [time, power].every(({ name }) => names.includes(name))
    ? readModelHours(predicted, WHAT)
    : undefined;
  const one = read && { ...read, timeZone: zoneOfDetails(details) ?? read.timeZone };
  const { energies, years, notes } = findExpectedNormals(indices, predicted, one);
  const density = one && estimateDensityEffect(one, details);
  const declared = details?.rated_power;
  const ratedPower = declared ??
    (one?.power.reduce((max, value) => value > max ? value : max, 0) ?? NaN);
  return {
    model: one && { ...one, power: times(one.power)! },
    density: times(density?.power),
    normals: times(energies),
    reference: years ?? readReferenceYears(details),
    ratedPower,
    notes: [
      ...notes,
      ...(density && energies ? [density.note] : []),
      ...(declared || !one
        ? []
        : [{ code: "rated_power_assumed", rated_power: ratedPower } as const]),
    ],
  };
}

function checkByHours(
  production: ProducedHours,
  whole: ModelHours,
  { density, normals, ratedPower }: Expectation,
  { outages = [], neighbours = [], changed, units }: ChosenOptions,
): CheckResult {
  const beside = neighbours.map((frame, i): ProducedHours => {
    const what = `use neighbour ${i + 1}`;
    const hours = readProducedSeries(frame, what);
    return hours.kind === "hour"
      ? hours
      : buildRefuse(what)("its production is not hourly. Give hours, or leave it out");
  });
  const span = findCommonHours(whole.axis, production.axis);
  const model = cutModel(whole, span);
  const named = readNamedOutages(outages, model.timeZone);
  return checkHours({
    production,
    model,
    density: density?.subarray(...span),
    normals,
    named,
    changed: changed === undefined
      ? undefined
      : readSpan({ from: changed, to: changed }, model.timeZone)[0],
    neighbours: beside,
    ratedPower,
    units,
  });
}

/** Checks months or years; hours are summed by months first. */
function checkByPeriods(
  production: ProducedHours | ProducedPeriods,
  months: ModelMonths,
  normals: Float64Array | undefined,
  timeZone: string,
  { outages = [] }: ChosenOptions,
): CheckResult {
  const periods = production.kind === "hour" ? sumProducedMonths(production, timeZone) : production;
  const expected = periods.kind === "year" ? sumYears(months) : months;
  const common = selectCommonPeriods(periods, expected);
  const of = (value: "energy" | "density" | "completeness") =>
    Float64Array.from(common.numbers, (number) => expected.get(number)?.[value] ?? NaN);
  const year = normals?.reduce((sum, energy) => sum + energy, 0) ?? NaN;
  const checked = checkPeriods({
    production: common,
    expected: of("energy"),
    density: of("density"),
    normal: Float64Array.from(
      common.numbers,
      (number) => common.kind === "year" ? year : normals?.[number % 12] ?? NaN,
    ),
    completeness: common.completeness ?? of("completeness"),
    named: readNamedOutages(outages, timeZone),
    outages: findOutagesByModel,
    timeZone,
  });
  return { ...checked, change: findPeriodChanges(checked) };
}

/** Lists the input that a check by periods does not use. */
function listUnused(
  production: ProducedHours | ProducedPeriods,
  timeZone: string,
  { details, neighbours = [] }: ChosenOptions,
): PerformanceFound[] {
  const hours = production.kind === "hour";
  const notes: PerformanceFound[] = [];
  if (neighbours.length > 0) notes.push({ code: "neighbours_unused" });
  if (hours && !zoneOfDetails(details)) notes.push({ code: "months_of_zone", zone: timeZone });
  if (hours && production.availability) notes.push({ code: "availability_unused" });
  return notes;
}

/** Names the outages of a log by their category, and adds the notes on it. */
function addStates(checked: CheckResult, states: TurbineStates | undefined): CheckResult {
  if (!states) return checked;
  const outages = checked.outages.map((outage) => {
    const [cause] = findStops(states, [outage.from, outage.to]).causes;
    return outage.source !== "status" || cause === undefined
      ? outage
      : { ...outage, name: outage.name.replace("Not available", cause) };
  });
  return { ...checked, outages, notes: [...checked.notes, ...listReadings(states.notes)] };
}

/**
 * Compares production with predictions, hour by hour where both are hourly.
 *
 * @param predicted Model data or monthly indices
 * @throws {ArgumentError} If a column is missing or in another unit, or production and prediction have no time in common
 */
export function checkPredictions(
  given: DataFrame,
  predicted: DataFrame,
  options: ChosenOptions,
): CheckResult {
  const { details, units } = options;
  if (!(units > 0)) refuse(`${units} turbines were given as units. Give 1 or more`);
  const read = readProducedSeries(given);
  const expectation = readExpectation(predicted, options);
  const { model, density, normals, reference, notes } = expectation;
  const timeZone = model?.timeZone ?? zoneOfDetails(details) ??
    (read.kind === "hour" ? read.timeZone : "UTC");
  const { events } = options;
  const states = options.states ?? (events && readStates(events, {}, refuse));
  const production = states ? addStops(read, states, timeZone) : read;
  if (model && production.kind === "hour") {
    const checked = addStates(checkByHours(production, model, expectation, options), states);
    assertPlausible(checked, units);
    return { ...checked, reference, notes: [...checked.notes, ...notes] };
  }
  const months = model
    ? sumModelMonths(model, density)
    : readPredictedMonths(predicted, predictionSide, units);
  const byPeriods = checkByPeriods(production, months, normals, timeZone, options);
  const checked = addStates(byPeriods, states);
  assertPlausible(checked, units);
  const unused = listUnused(production, timeZone, options);
  return { ...checked, reference, notes: [...checked.notes, ...notes, ...unused] };
}
