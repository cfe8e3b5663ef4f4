import { median } from "../../stats/quantile.ts";
import { mean } from "../../stats/spread.ts";
import { computeNormalBand } from "./normal_band.ts";
import { findOutagePeriods } from "../../windindex/calibration/outage_periods.ts";

/** Other years of the same name from which a normal can be told. */
const MIN_OTHERS = 2;

/** Rounds after which normals and outages agree, or never will. */
const MAX_ROUNDS = 10;

/** What production alone says of its periods. */
export interface ProductionNormals {
  /** What is normal for each, MWh; NaN with fewer than two others. */
  readonly expected: Float64Array;
  /** 1 for those that fall so far short of it that they were outages. */
  readonly outages: Uint8Array;
}

/** Periods of production, in order of time. */
export interface NormalsInput {
  /** Their kind. */
  readonly by: "month" | "year";
  /** Positions of months on the line of all months, or years. */
  readonly numbers: readonly number[];
  /** Energy of each, MWh; what is missing or must not count is NaN. */
  readonly energy: Float64Array;
  readonly hours: Float64Array;
}

/** What a function makes of the values of the same name in other years; NaN with too few. */
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
 * Normals from production alone: the mean of the same month in the other years, or of the other years, without those that
 * were outages. Outages are those below the band of the other ratios, which the scatter of the wind makes wide; with too few
 * for a band, those that the others show. What is normal and what is an outage hang on each other: beginning with all that
 * may be one, against medians that they do not move, both are found in turn until they agree.
 */
export function computeProductionNormals(periods: NormalsInput): ProductionNormals {
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
 * Months and years that fall far short of what is expected of them and of the others.
 *
 * @param energy Energy of each, MWh; what must not be judged is NaN
 * @param expected What is expected of each, MWh
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
