import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { modelDataCsv, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { readSpan } from "../../show/options/range.ts";
import type { SideColumns } from "../series/compared_series.ts";
import { alignToAxis, HOUR } from "../../time/hourly.ts";
import { isPlausibleLevel } from "../series/level.ts";
import { assertOneUnit, listMixedHours, listMixedPeriods } from "../series/mixed_units.ts";
import {
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
import { estimateDensityEffect } from "./density_effect.ts";
import type { CheckResult, PeriodResult } from "./check_result.ts";
import {
  findExpectedNormals,
  type ModelMonths,
  readPredictedMonths,
  readReferenceYears,
  sumModelMonths,
  sumYears,
} from "./expectation.ts";
import { type ChosenOptions, type OutageSpan, readNamedOutages, refuse, WHAT } from "./options.ts";
import {
  addStops,
  boundsOf,
  labelOf,
  type ProducedHours,
  type ProducedPeriods,
  readProducedSeries,
  sumProducedMonths,
} from "./production.ts";
import type { PerformanceFound } from "./words.ts";

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

/** Whether an instant is in an outage that the caller names. */
const isNamed = (named: readonly OutageSpan[], instant: number) =>
  named.some(({ from, to }) => instant >= from && instant < to);

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
  const { axis } = model;
  const ran = alignToAxis(axis, production.axis, production.power).map((power, i) =>
    isNamed(named, axis.start + i * HOUR) ? NaN : power
  );
  assertOneUnit(
    listMixedHours({ axis, power: ran }, production.timeZone, units * ratedPower, model.power),
    refuse,
  );
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
  { normals, ratedPower: ofOne }: Expectation,
  timeZone: string,
  { outages = [], units }: ChosenOptions,
): CheckResult {
  const ratedPower = units * ofOne;
  const periods = production.kind === "hour" ? sumProducedMonths(production, timeZone) : production;
  const expected = periods.kind === "year" ? sumYears(months) : months;
  const common = selectCommonPeriods(periods, expected);
  const of = (value: "energy" | "density" | "completeness") =>
    Float64Array.from(common.numbers, (number) => expected.get(number)?.[value] ?? NaN);
  const year = normals?.reduce((sum, energy) => sum + energy, 0) ?? NaN;
  const named = readNamedOutages(outages, timeZone);
  const energies = of("energy");
  const judged = common.numbers.map((number, i) => {
    const [start, end] = boundsOf(number, common.kind, timeZone);
    const isOut = named.some(({ from, to }) => from < end && to > start);
    return {
      label: labelOf(number, common.kind),
      energy: isOut ? NaN : 1000 * common.energy[i],
      hours: (end - start) / HOUR,
      expected: 1000 * energies[i],
    };
  });
  const doubt = assertOneUnit(listMixedPeriods(judged, ratedPower, common.kind), refuse);
  const checked = checkPeriods({
    production: common,
    expected: energies,
    density: of("density"),
    normal: Float64Array.from(
      common.numbers,
      (number) => common.kind === "year" ? year : normals?.[number % 12] ?? NaN,
    ),
    completeness: common.completeness ?? of("completeness"),
    named,
    timeZone,
  });
  const notes = doubt === undefined
    ? checked.notes
    : [...checked.notes, { code: "unit_in_doubt", doubt } as const];
  return { ...checked, notes, change: findPeriodChanges(checked) };
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
  const { model, density, reference, notes } = expectation;
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
  const byPeriods = checkByPeriods(production, months, expectation, timeZone, options);
  const checked = addStates(byPeriods, states);
  assertPlausible(checked, units);
  const unused = listUnused(production, timeZone, options);
  return { ...checked, reference, notes: [...checked.notes, ...notes, ...unused] };
}
