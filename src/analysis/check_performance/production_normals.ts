import { mean, median } from "../../stats/spread.ts";
import { computeNormalBand } from "./normal_band.ts";
import { findOutagePeriods } from "../../windindex/calibration/outage_periods.ts";

/** Fewest other years for a normal. */
const MIN_OTHERS = 2;

/** Largest number of rounds for normals and outages to agree. */
const MAX_ROUNDS = 10;

/** Periods of production, in order of time. */
export interface NormalsInput {
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
export function computeProductionNormals(periods: NormalsInput) {
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
