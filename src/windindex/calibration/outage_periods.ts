import { median, quantile } from "../../stats/quantile.ts";

/** Bounds of the shortfall from which a month was an outage, and a year: the second where its kind scatters much. */
const SHORTFALL = { month: [0.3, 0.45], year: [0.1, 0.3] } as const;

/** Hours from which a period is long enough for the shortfall of a year. */
const LONG_PERIOD = 6 * 730;

/** Periods of a kind that can be told against each other, and from which their scatter can be told too. */
const MIN_KIND_PERIODS = { shortfall: 3, scatter: 8 } as const;

/** Standard deviations of the scatter that no period falls short by without an outage. */
const DEVIATIONS = 4;

/**
 * Distance of the 95th from the 75th percentile of a normal distribution, in standard deviations: both lie among the
 * periods without outages even where half of all are.
 */
const TAIL = 1.6449 - 0.6745;

/** Ratios of one kind of period, and what they say. */
interface PeriodKind {
  readonly positions: readonly number[];
  /** Ratio of a period of the better half. */
  readonly normal: number;
  readonly shortfall: number;
}

function measureKind(
  ratios: Float64Array,
  positions: readonly number[],
  [least, most]: readonly [number, number],
): PeriodKind {
  const sorted = Float64Array.from(positions, (i) => ratios[i]).sort();
  const normal = quantile(sorted.subarray(Math.floor(sorted.length / 2)), 0.5);
  const scatter = sorted.length < MIN_KIND_PERIODS.scatter
    ? 0
    : (quantile(sorted, 0.95) - quantile(sorted, 0.75)) / TAIL / normal;
  const shortfall = Math.min(most, Math.max(least, DEVIATIONS * scatter));
  return { positions, normal, shortfall };
}

/**
 * Finds months and years that produced far less than their wind and the other periods lead to expect: outages and
 * curtailment that production alone does not show. Only for training: a period that is to be predicted is never left
 * out for its own residual.
 *
 * The measure is the median of the better half of the ratios of produced to modelled energy, since outages only ever
 * lower it: half of all periods may be outages. Months are held against months and years against years, whose ratios
 * scatter less; fewer than three of a kind against the median of the other kind without its outages. A year counts from
 * 10 % on, beyond what the wind's own error makes of it (about 3 %), a month from 30 % on; where eight of a kind and more
 * show a larger scatter, from four standard deviations on, 30 and 45 % at most.
 *
 * @param produced Produced energy of each period, kWh
 * @param modelled Modelled energy of each period at one common factor, kWh
 * @param hours Hours of each period
 * @returns Ratio of each period to what is normal where it was an outage, NaN elsewhere
 */
export function findOutagePeriods(
  produced: Float64Array,
  modelled: Float64Array,
  hours: Float64Array,
): Float64Array {
  const ratios = produced.map((energy, i) => energy / modelled[i]);
  const all = [...ratios.keys()];
  const kinds = [
    measureKind(ratios, all.filter((i) => hours[i] < LONG_PERIOD), SHORTFALL.month),
    measureKind(ratios, all.filter((i) => hours[i] >= LONG_PERIOD), SHORTFALL.year),
  ];
  const found = new Float64Array(ratios.length).fill(NaN);
  kinds.forEach(({ positions, normal, shortfall }, own) => {
    const alone = positions.length >= MIN_KIND_PERIODS.shortfall;
    const yardstick = alone ? normal : computeMedian(ratios, kinds[1 - own]);
    for (const i of positions) {
      if (ratios[i] < (1 - shortfall) * yardstick) found[i] = ratios[i] / yardstick;
    }
  });
  return found;
}

/** Median ratio of a kind without its outages; NaN where there are too few to tell. */
function computeMedian(ratios: Float64Array, { positions, normal, shortfall }: PeriodKind): number {
  if (positions.length < MIN_KIND_PERIODS.shortfall) return NaN;
  const kept = positions.map((i) => ratios[i]).filter((ratio) => ratio >= (1 - shortfall) * normal);
  return median(kept);
}
