import type { DataFrame } from "nodejs-polars";
import { computeShares } from "../../frames/production/period_shares.ts";
import { mean, median } from "../../stats/spread.ts";
import { HOUR } from "../../time/hourly.ts";
import { findOutagePeriods } from "../../windindex/calibration/outage_periods.ts";
import { assertUnit } from "../series/level.ts";
import { zoneOfDetails } from "../series/turbine_stamps.ts";
import { computeNormalBand } from "./band.ts";
import { checkPeriods } from "./check_periods.ts";
import type { CheckResult } from "./check_result.ts";
import { MIN_AVAILABLE } from "./comparison.ts";
import { type ChosenOptions, type OutageSpan, readNamedOutages, refuse, WHAT } from "./options.ts";
import {
  boundsOf,
  labelOf,
  type ProducedHours,
  type ProducedPeriods,
  readProducedSeries,
  sumProducedMonths,
} from "./production.ts";
import type { PerformanceFound } from "./words.ts";

/** Fewest other years for a normal. */
const MIN_OTHERS = 2;

/** Largest number of rounds for normals and outages to agree. */
const MAX_ROUNDS = 10;

/** Periods of production, in order of time. */
interface NormalsInput {
  /** Their kind. */
  readonly by: "month" | "year";
  /** Positions of months on the line of all months, or years. */
  readonly numbers: readonly number[];
  /** Energy of each, MWh; NaN where it is missing or must not count. */
  readonly energy: Float64Array;
  readonly hours: Float64Array;
}

/** Computes a function of the values of the same name in other years; NaN with too few. */
function computeFromOthers(
  { by, numbers, energy }: NormalsInput,
  counts: (i: number) => boolean,
  make: (values: Float64Array) => number,
): Float64Array {
  const perYear = by === "month" ? 12 : 1;
  const known = [...numbers.keys()].filter((i) => Number.isFinite(energy[i]) && counts(i));
  return Float64Array.from(numbers, (number, own) => {
    const others = known.filter((i) => i !== own && (numbers[i] - number) % perYear === 0);
    return others.length < MIN_OTHERS ? NaN : make(Float64Array.from(others, (i) => energy[i]));
  });
}

/**
 * Computes normals from production alone: the mean of the same month in the other years, or of the other years, without those that
 * were outages. Outages are those below the band of the other ratios, which is wide because of the scatter of the
 * wind; with too few for a band, those far below the others. Normals and outages depend on each other: beginning with
 * the medians, which outages do not move, both are computed in turn until they agree.
 */
function computeProductionNormals(periods: NormalsInput) {
  const { by, energy, hours } = periods;
  const medians = computeFromOthers(periods, () => true, median);
  let outages = findOutagesByModel(energy, medians, hours);
  for (let round = 0;; round++) {
    const expected = computeFromOthers(periods, (i) => outages[i] === 0, mean);
    const ratios = energy.map((value, i) => value / expected[i]);
    const band = computeNormalBand(ratios.filter((_, i) => outages[i] === 0), by);
    const found = band
      ? Uint8Array.from(ratios, (ratio) => 100 * ratio < band.low ? 1 : 0)
      : findOutagesByModel(energy, expected, hours);
    if (round === MAX_ROUNDS || found.every((flag, i) => flag === outages[i])) {
      return { expected, outages: found };
    }
    outages = found;
  }
}

/**
 * Finds months and years far below their expected energy and the others.
 *
 * @param energy Energy of each, MWh; NaN where it must not be judged
 * @param expected Expected energy of each, MWh
 * @returns 1 for outages
 */
export function findOutagesByModel(
  energy: Float64Array,
  expected: Float64Array,
  hours: Float64Array,
): Uint8Array {
  const known = [...energy.keys()].filter((i) => Number.isFinite(energy[i]) && expected[i] > 0);
  const pick = (values: Float64Array) => Float64Array.from(known, (i) => values[i]);
  const found = findOutagePeriods(pick(energy), pick(expected), pick(hours));
  const outages = new Uint8Array(energy.length);
  known.forEach((i, position) => outages[i] = Number.isNaN(found[position]) ? 0 : 1);
  return outages;
}

/** Options that need predictions. */
const UNUSED = ["indices", "neighbours", "events"] as const;

/** Start and end of each period, milliseconds since 1970 UTC. */
type Bounds = readonly (readonly [from: number, to: number])[];

/** @throws {ArgumentError} If production does not fit the rated power, where that is known */
function assertProductionUnit(
  production: ProducedHours | ProducedPeriods,
  bounds: Bounds,
  { details, units }: ChosenOptions,
): void {
  if (!details?.rated_power) return;
  const rated = units * details.rated_power;
  if (production.kind === "hour") {
    assertUnit(production.power.map((power) => power / rated), "hours", WHAT);
    return;
  }
  const hours = listHours(bounds);
  const shares = computeShares(hours, production.validHours);
  const factors = production.energy.map((energy, i) =>
    1000 * energy / (shares[i] * hours[i]) / rated
  );
  assertUnit(factors.filter(Number.isFinite), "periods", WHAT);
}

/** Scales energies to all hours, in all of which the turbine could run; NaN where too few are known. */
function scaleToAvailable(
  { energy, availability, validHours }: ProducedPeriods,
  bounds: Bounds,
  named: readonly OutageSpan[],
): Float64Array {
  const shares = computeShares(listHours(bounds), validHours, availability);
  return energy.map((value, i) => {
    const [from, to] = bounds[i];
    if (named.some((outage) => outage.from < to && outage.to > from)) return NaN;
    return shares[i] >= MIN_AVAILABLE ? value / shares[i] : NaN;
  });
}

const listHours = (bounds: Bounds) => bounds.map(([from, to]) => (to - from) / HOUR);

/** Lists options that were not used, and periods without a normal. */
function listNotes(
  production: ProducedHours | ProducedPeriods,
  { kind, numbers, energy }: ProducedPeriods,
  expected: Float64Array,
  options: ChosenOptions,
): PerformanceFound[] {
  const list = (condition: (i: number) => boolean) =>
    [...numbers.keys()].filter((i) => Number.isFinite(energy[i]) && condition(i))
      .map((i) => labelOf(numbers[i], kind));
  const unused = UNUSED.filter((option) => options[option] !== undefined);
  const [without, idle] = [list((i) => Number.isNaN(expected[i])), list((i) => expected[i] <= 0)];
  const notes: PerformanceFound[] = [];
  if (unused.length > 0) notes.push({ code: "unused_without_predictions", options: unused });
  if (production.kind === "hour" && production.availability) {
    notes.push({ code: "availability_unused_by_normals" });
  }
  if (without.length > 0) notes.push({ code: "without_normal", periods: without });
  if (idle.length > 0) notes.push({ code: "idle_in_other_years", periods: idle });
  if (!options.details?.rated_power) notes.push({ code: "unit_unchecked" });
  return notes;
}

/**
 * Checks production against its own normals.
 *
 * @throws {ArgumentError} If there is no normal, or production does not fit the rated power
 */
export function checkOwnNormals(given: DataFrame, options: ChosenOptions): CheckResult {
  const production = readProducedSeries(given);
  const timeZone = zoneOfDetails(options.details) ??
    (production.kind === "hour" ? production.timeZone : "UTC");
  const periods = production.kind === "hour" ? sumProducedMonths(production, timeZone) : production;
  const { kind, numbers } = periods;
  const bounds = numbers.map((number) => boundsOf(number, kind, timeZone));
  assertProductionUnit(production, bounds, options);
  const named = readNamedOutages(options.outages ?? [], timeZone);
  const { expected, outages } = computeProductionNormals({
    by: kind,
    numbers,
    energy: scaleToAvailable(periods, bounds, named),
    hours: Float64Array.from(listHours(bounds)),
  });
  if (expected.every(Number.isNaN)) {
    refuse(
      `the production has no ${kind} with two others ${
        kind === "month" ? "of the same name " : ""
      }in other years, for its own normal. Give three years or more, or ` +
        "predictions",
    );
  }
  if (!expected.some((normal) => normal > 0)) {
    refuse(
      `column "${production.kind === "hour" ? "power" : "energy"}" of the ` +
        `production has no normal above 0: no ${kind} from ${labelOf(numbers[0], kind)} to ` +
        `${
          labelOf(numbers[numbers.length - 1], kind)
        } has energy in its other years. Give predictions`,
    );
  }
  const missing = new Float64Array(numbers.length).fill(NaN);
  const checked = checkPeriods({
    production: periods,
    expected,
    density: missing,
    normal: expected,
    completeness: periods.completeness ?? missing,
    named,
    outages: () => outages,
    timeZone,
  });
  const notes = listNotes(production, periods, expected, options);
  return { ...checked, notes: [...checked.notes, ...notes] };
}
