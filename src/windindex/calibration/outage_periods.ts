import { median, quantile } from "../../stats/spread.ts";

/**
 * Shortfall from which on a month or a year is an outage: usually the first value, up to the second if its kind
 * scatters much.
 */
const SHORTFALL = { month: [0.3, 0.45], year: [0.1, 0.3] } as const;

/** Fewest hours of a period that is compared with years. */
const LONG_PERIOD = 6 * 730;

/** Fewest periods of a kind to compare with each other, and to estimate their scatter. */
const MIN_KIND_PERIODS = { shortfall: 3, scatter: 8 } as const;

/** Shortfall in standard deviations of the scatter that only an outage explains. */
const DEVIATIONS = 4;

/**
 * Distance of the 95th from the 75th percentile of a normal distribution, in standard deviations: both percentiles are
 * in the outage-free part even if half of all periods have an outage.
 */
const TAIL = 1.6449 - 0.6745;

/** Ratios of months or of years, and their outage threshold. */
interface PeriodKind {
  readonly positions: readonly number[];
  /** Median ratio of the better half. */
  readonly normal: number;
  readonly shortfall: number;
}

function measureKind(
  ratios: Float64Array,
  positions: readonly number[],
  [min, max]: readonly [number, number],
): PeriodKind {
  const sorted = Float64Array.from(positions, (i) => ratios[i]).sort();
  const normal = quantile(sorted.subarray(Math.floor(sorted.length / 2)), 0.5);
  const scatter = sorted.length < MIN_KIND_PERIODS.scatter
    ? 0
    : (quantile(sorted, 0.95) - quantile(sorted, 0.75)) / TAIL / normal;
  const shortfall = Math.min(max, Math.max(min, DEVIATIONS * scatter));
  return { positions, normal, shortfall };
}

/**
 * Finds months and years that produced far less than expected from their wind and the other periods: outages and
 * curtailment that production alone does not show. Only for training: a period to predict is never left out because of
 * its own residual.
 *
 * The measure is the median of the better half of the ratios of produced to modelled energy, because outages only lower
 * ratios: half of all periods may be outages. Months are compared with months and years with years, whose ratios
 * scatter less; if a kind has fewer than three, they are compared with the median of the other kind without its
 * outages. A year is an outage from a shortfall of 10 % (the error of the wind alone is about 3 %), a month from 30 %;
 * if eight or more of a kind show a larger scatter, from four standard deviations, at most 30 and 45 %.
 *
 * @param produced Produced energy of each period, kWh
 * @param modelled Modelled energy of each period at one common factor, kWh
 * @param hours Hours of each period
 * @returns Ratio of each outage to the normal ratio; NaN for other periods
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
  const outages = new Float64Array(ratios.length).fill(NaN);
  kinds.forEach(({ positions, normal, shortfall }, kind) => {
    const hasEnough = positions.length >= MIN_KIND_PERIODS.shortfall;
    const reference = hasEnough ? normal : computeMedian(ratios, kinds[1 - kind]);
    for (const i of positions) {
      if (ratios[i] < (1 - shortfall) * reference) outages[i] = ratios[i] / reference;
    }
  });
  return outages;
}

/** Computes the median ratio of a kind without its outages; NaN with too few periods. */
function computeMedian(ratios: Float64Array, { positions, normal, shortfall }: PeriodKind): number {
  if (positions.length < MIN_KIND_PERIODS.shortfall) return NaN;
  const normals = positions.map((i) => ratios[i]).filter((ratio) =>
    ratio >= (1 - shortfall) * normal
  );
  return median(normals);
}
