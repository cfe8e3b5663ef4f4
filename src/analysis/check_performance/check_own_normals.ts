import type { DataFrame } from "nodejs-polars";
import { computeShares } from "../../frames/production/period_shares.ts";
import { HOUR } from "../../time/hourly.ts";
import { assertUnit } from "../series/assert_unit.ts";
import { zoneOfDetails } from "../series/turbine_zone.ts";
import { boundsOf, checkPeriods, labelOf, MIN_AVAILABLE } from "./check_periods.ts";
import type { CheckResult } from "./check_result.ts";
import {
  type ProducedHours,
  type ProducedPeriods,
  readProducedSeries,
  sumProducedMonths,
} from "./produced_series.ts";
import { type OutageSpan, readNamedOutages } from "./named_outages.ts";
import type { CheckPerformanceOptions } from "./options.ts";
import { computeProductionNormals } from "./production_normals.ts";
import { refuse, WHAT } from "./refuse.ts";

/** Options that need predictions. */
const UNUSED = ["indices", "neighbours"] as const;

/** Start and end of each period, milliseconds since 1970 UTC. */
type Bounds = readonly (readonly [from: number, to: number])[];

/** @throws {ArgumentError} If production does not fit the rated power, where that is known */
function assertProductionUnit(
  production: ProducedHours | ProducedPeriods,
  bounds: Bounds,
  { details, units = 1 }: CheckPerformanceOptions,
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
  options: CheckPerformanceOptions,
): string[] {
  const unused = UNUSED.filter((option) => options[option] !== undefined);
  const labels = (condition: (i: number) => boolean) =>
    [...numbers.keys()].filter((i) => Number.isFinite(energy[i]) && condition(i))
      .map((i) => labelOf(numbers[i], kind)).join(", ");
  const [without, idle] = [
    labels((i) => Number.isNaN(expected[i])),
    labels((i) => expected[i] <= 0),
  ];
  const availability = production.kind === "hour" && production.availability;
  return [
    ...(unused.length === 0 ? [] : [`Not used without predictions: ${unused.join(", ")}.`]),
    ...(availability ? ["The availability by hour is not used, since normals are monthly."] : []),
    ...(without === ""
      ? []
      : [`Without a normal, since fewer than two other years have it: ${without}.`]),
    ...(idle === "" ? [] : [
      `Not compared, since the turbine produced nothing in the other years: ${idle}. Give predictions, ` +
      "or name the outages of these years.",
    ]),
    ...(options.details?.rated_power ? [] : [
      "Without a rated power a wrong unit is not found: give { details: await turbineDetails(id) }.",
    ]),
  ];
}

/**
 * Checks production against its own normals.
 *
 * @throws {ArgumentError} If there is no normal, or production does not fit the rated power
 */
export function checkOwnNormals(given: DataFrame, options: CheckPerformanceOptions): CheckResult {
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
