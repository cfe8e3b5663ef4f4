/** Shortfall of a month against the better half of all periods from which it was an outage, and of a year. */
const SHORTFALL = { month: 0.3, year: 0.1 } as const;

/** Hours from which a period is long enough for the shortfall of a year. */
const LONG_PERIOD = 6 * 730;

/** Periods from which one can tell against the others, and from which their own scatter can be told too. */
const LEAST_PERIODS = { shortfall: 3, scatter: 24 } as const;

/** Standard deviations of the scatter that no period falls short by without an outage. */
const DEVIATIONS = 4;

/**
 * Distance of the 95th from the 75th percentile of a normal distribution, in standard deviations: both lie among the
 * periods without outages even where half of all are.
 */
const TAIL = 1.6449 - 0.6745;

function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
}

/**
 * Finds months and years that produced far less than their wind and the other periods lead to expect: outages and
 * curtailment that production alone does not show. Only for training: a period that is to be predicted is never left
 * out for its own residual.
 *
 * The measure is the median of the better half of the ratios of produced to modelled energy, since outages only ever
 * lower it: half of all periods may be outages. A year counts from 10 % on, beyond what the wind's own error makes of it
 * (about 3 %), a month from 30 % on; where two dozen periods and more show a larger scatter, from four standard deviations
 * on, so that the lower tail of mere scatter is not cut off.
 *
 * @param produced Produced energy of each period, kWh
 * @param modelled Modelled energy of each period at one common factor, kWh
 * @param hours Hours of each period
 * @returns Ratio of each period to that of the better half where it was an outage, NaN elsewhere
 */
export function findOutagePeriods(
  produced: Float64Array,
  modelled: Float64Array,
  hours: Float64Array,
): Float64Array {
  const found = new Float64Array(produced.length).fill(NaN);
  if (produced.length < LEAST_PERIODS.shortfall) return found;
  const ratios = produced.map((energy, i) => energy / modelled[i]);
  const sorted = ratios.toSorted();
  const normal = quantile(sorted.subarray(Math.floor(sorted.length / 2)), 0.5);
  const scatter = sorted.length < LEAST_PERIODS.scatter
    ? 0
    : (quantile(sorted, 0.95) - quantile(sorted, 0.75)) / TAIL / normal;
  for (let i = 0; i < ratios.length; i++) {
    const least = hours[i] >= LONG_PERIOD ? SHORTFALL.year : SHORTFALL.month;
    const shortfall = Math.max(least, DEVIATIONS * scatter);
    if (ratios[i] < (1 - shortfall) * normal) found[i] = ratios[i] / normal;
  }
  return found;
}
