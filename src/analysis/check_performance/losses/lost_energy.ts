import type { Run } from "../../../screening/finding.ts";
import type { Period } from "../production.ts";
import { quantile, sumOf, variance } from "../../../stats/spread.ts";
import { studentQuantile } from "../../../stats/student.ts";

/** A lost energy with the ends of its 90 % interval, MWh; NaN without one. */
export type Loss = Readonly<Record<"lost" | "lost_low" | "lost_high", number>>;

/** No loss. */
const NO_LOSS: Loss = { lost: 0, lost_low: NaN, lost_high: NaN };

/** Scales a loss by a share or a price. */
export function scaleLoss({ lost, lost_low, lost_high }: Loss, factor: number): Loss {
  const [low, high] = [factor * lost_low, factor * lost_high];
  return factor < 0
    ? { lost: factor * lost, lost_low: high, lost_high: low }
    : { lost: factor * lost, lost_low: low, lost_high: high };
}

/** 90 % range of the ratio of produced to expected energy. */
type RatioRange = Readonly<Record<"low" | "high", number>>;

/**
 * Computes the loss in the cells of a stretch; energies in MWh, NaN if no cell has values.
 *
 * @param share Share of each cell that was lost. @default the share of all outages
 * @param made Production in that share, in the unit of a cell. @default all of a cell that was lost completely
 */
export type ComputeLoss = (
  from: number,
  to: number,
  share?: Float64Array,
  made?: Float64Array,
) => Loss & Readonly<Record<"cells" | "expected" | "produced", number>>;

/** Fewest independent stretches whose own quantiles give a 90 % range: with 19, it ends at the outer ones. */
const MIN_FOR_QUANTILES = 19;

/** Fewest independent stretches of similar wind; with fewer, all stretches are used. */
const MIN_ALIKE = 6;

/** Factor within which the expected energy of two stretches is similar. */
const ALIKE = 1.5;

/** Starts of stretches per length of a stretch, and in total: more would hardly change the range. */
const STARTS = { within: 4, most: 5000 } as const;

/** Computes cumulative sums: the values before each position, and all values last. */
function cumulate(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i] + values[i];
  return sums;
}

/**
 * Deviation of stretches of a turbine's normal hours from the expected energy. Tested at Kelmarsh 2018 on unseen
 * stretches of normal hours: the 90 % range contains 88 to 97 % of them, from 4 hours to 60 days, and at least 79 % of
 * the calm ones, with less than 70 % of the mean.
 */
export class NormalStretches {
  readonly hours: number;
  readonly #produced: Float64Array;
  readonly #expected: Float64Array;

  /**
   * @param produced Power of the hours in which the turbine ran normally, in order of time
   * @param expected Expected power of these hours, scaled so that both have the same sum
   */
  constructor(produced: Float64Array, expected: Float64Array) {
    this.hours = produced.length;
    this.#produced = cumulate(produced);
    this.#expected = cumulate(expected);
  }

  /**
   * Estimates the 90 % range of the ratio of a stretch, from stretches of the same length with similar wind: quantiles
   * of their ratios if nineteen are independent, else Student's t with their variance. The variance is assumed to grow
   * with the energy, as for a sum of independent errors: calm stretches deviate by a larger share.
   *
   * @param length Hours of the stretch
   * @param power Expected mean power of the stretch
   * @returns `undefined` with fewer than two independent stretches, or without expected power
   */
  estimateRange(length: number, power: number): RatioRange | undefined {
    if (!(power > 0)) return undefined;
    const step = Math.max(
      1,
      Math.floor(length / STARTS.within),
      Math.ceil(this.hours / STARTS.most),
    );
    const all: { produced: number; expected: number }[] = [];
    for (let from = 0; from + length <= this.hours; from += step) {
      const expected = this.#expected[from + length] - this.#expected[from];
      if (!(expected > 0)) continue;
      all.push({ produced: this.#produced[from + length] - this.#produced[from], expected });
    }
    const independent = (stretches: typeof all) =>
      Math.floor(stretches.length * Math.min(1, step / length));
    const near = all.filter(({ expected }) =>
      expected <= ALIKE * length * power && expected >= length * power / ALIKE
    );
    const chosen = independent(near) >= MIN_ALIKE ? near : all;
    const count = independent(chosen);
    if (count < 2) return undefined;
    if (chosen === near && count >= MIN_FOR_QUANTILES) {
      const ratios = new Float64Array(chosen.map(({ produced, expected }) => produced / expected));
      ratios.sort();
      // The k-th of n values is the quantile k / (n + 1), so the range ends inside the outermost values.
      const share = (0.05 * (count + 1) - 1) / (count - 1);
      return { low: quantile(ratios, share), high: quantile(ratios, 1 - share) };
    }
    const squares = sumOf(
      chosen,
      ({ produced, expected }) => (produced - expected) ** 2 / expected,
    );
    const scatter = squares / chosen.length * count / (count - 1);
    const energy = this.#expected[this.hours];
    return buildRange(scatter / (length * power) + scatter / energy, count - 1);
  }
}

/**
 * Estimates the 90 % range of the ratio of produced to expected energy over several periods.
 *
 * @param misses Deviations of normal periods from the expected energy, as shares of it
 * @returns `undefined` with fewer than two normal periods
 */
export function estimatePeriodsRange(
  misses: readonly number[],
  expected: readonly number[],
): RatioRange | undefined {
  const count = misses.length;
  if (count < 2) return undefined;
  const total = sumOf(expected);
  const spread = sumOf(expected, (energy) => (energy / total) ** 2);
  return buildRange(variance(misses) * (spread + 1 / count), count - 1);
}

/**
 * Combines the 90 % intervals of losses, taken as independent: the distances of the ends from the sum are the roots of
 * the sums of squares.
 *
 * @param losses Losses with their intervals; unknown ones and zeros are skipped
 * @returns The ends of the interval of the sum; NaN without a loss, or if one has no interval
 */
export function combineIntervals(losses: readonly Loss[]): Omit<Loss, "lost"> {
  const known = losses.filter(({ lost }) => Number.isFinite(lost) && lost !== 0);
  if (known.length === 0) return { lost_low: NaN, lost_high: NaN };
  const total = sumOf(known, ({ lost }) => lost);
  return {
    lost_low: total - Math.hypot(...known.map(({ lost, lost_low }) => lost - lost_low)),
    lost_high: total + Math.hypot(...known.map(({ lost, lost_high }) => lost_high - lost)),
  };
}

/**
 * Lists the losses of stretches between two cells. Stretches inside keep their loss, because a log has thousands of
 * them.
 */
export function cutLosses<Own extends Loss>(
  runs: readonly (Run & { readonly loss: Own })[],
  from: number,
  to: number,
  computeLoss: (from: number, to: number) => Own,
): Own[] {
  return runs.filter((run) => run.from < to && run.to > from).map(({ loss, ...run }) =>
    run.from >= from && run.to <= to
      ? loss
      : computeLoss(Math.max(run.from, from), Math.min(run.to, to))
  );
}

/**
 * Builds a range around 1 from the variance of a ratio: the variances of the stretch and of the mean of the normal
 * stretches.
 */
function buildRange(square: number, freedom: number): RatioRange {
  const half = studentQuantile(freedom) * Math.sqrt(square);
  return { low: 1 - half, high: 1 + half };
}

/** How an outage is known. */
export type OutageSource = "named" | "status" | "detected" | "neighbours";

/** A stretch of cells in which the turbine was fully or partly unavailable. */
export interface OutageRun extends Run {
  readonly outage: string;
  readonly source: OutageSource;
  /** Start and end, milliseconds since 1970 UTC. */
  readonly span: readonly [from: number, to: number];
  /** Length in cells, including those without a value. */
  readonly length: number;
}

/** An outage and its loss: the row of its frame. Energies in MWh, missing is NaN. */
export interface OutageResult extends Loss, Pick<OutageRun, "outage" | "source"> {
  /** Start, and end, exclusive, milliseconds since 1970 UTC. */
  readonly from: number;
  readonly to: number;
  /** Share of its hours with production and prediction. */
  readonly completeness: number;
  /** Energy that the turbine would have produced while it was not available. */
  readonly expected: number;
  /** Energy that it produced in that time. */
  readonly produced: number;
}

/** A month or a year of a comparison; energies in MWh, missing is NaN. */
export interface ComparedPeriod extends Period {
  /** Hours compared if both sides are hourly, else valid hours of the month or year. */
  readonly compared: number;
  /** Share of the hours compared. */
  readonly completeness: number;
  /** Produced energy, in the hours compared or in the whole period. */
  readonly produced: number;
  /** Energy that the model expects in the same hours. */
  readonly predicted: number;
  /** Energy of a normal period of the same name, scaled to the hours compared. */
  readonly normal: number;
  /** Effect of air density on the prediction. */
  readonly density: number;
}

/** A month or a year of a performance check. */
export interface PeriodResult extends ComparedPeriod {
  /** Produced over predicted energy outside of outages, as a share. */
  readonly running: number;
  /** Energy lost in outages. */
  readonly outages: Loss;
  /** Energy lost to power limits. */
  readonly limits: Loss;
  /** Whether the period itself was detected as an outage, far below the others. */
  readonly short: boolean;
}

/** Smallest share of a period's hours for judging its ratio and, without outages, for the band. */
export const MIN_COMPLETENESS_OF_RATIO = 0.8;

/**
 * Cells to compare: hours in kW, or months or years in MWh. All further steps are the same for both: the turbine's own
 * ratio, the losses in outages, and their intervals.
 */
interface ComparisonTable {
  /** Whether a cell is an hour. */
  readonly hourly: boolean;
  readonly produced: Float64Array;
  readonly expected: Float64Array;
  /** 1 for cells with both values. */
  readonly known: ArrayLike<number>;
  /** The outages, in order of time, and the share of each cell that they take. */
  readonly runs: readonly OutageRun[];
  readonly stopped: Float64Array;
  /** 1 for cells outside of outages that are not normal either: cells of limited power. @default none */
  readonly apart?: ArrayLike<number>;
  /** Price of a MWh in each cell, NaN if unknown: losses are then values. @default losses are energies */
  readonly price?: Float64Array | undefined;
  /** The months or years that the results cover, with the positions of their cells. */
  readonly periods: readonly (ComparedPeriod & Run)[];
}

/** Smallest availability of a month or year whose ratio counts; an hour counts only without any stop. */
const MIN_AVAILABLE = 0.5;

/** Fewest hours outside of outages for a turbine's own ratio: a week. */
const MIN_NORMAL_HOURS = 168;

/**
 * Computes the losses of outages: of each, and in each period.
 *
 * @returns `ratio`: produced over expected energy outside of outages, 1 if the `cells` outside of them are not
 * `hasEnough`; `counted`: months or years behind the interval of a loss, if cells are months or years
 */
export function computeLosses(table: ComparisonTable) {
  const { hourly, produced, expected, known, runs, stopped, price } = table;
  const perMwh = hourly ? 1000 : 1;
  const least = hourly ? 1 : MIN_AVAILABLE;
  /** Share of each cell in which the turbine ran; 0 if that is too little to count. */
  const ran = stopped.map((out, i) =>
    known[i] === 1 && 1 - out >= least && !table.apart?.[i] ? 1 - out : 0
  );
  const list = (from: number, to: number, counts: (i: number) => boolean) => {
    const cells: number[] = [];
    const end = Math.min(known.length, to);
    for (let i = Math.max(0, from); i < end; i++) if (known[i] === 1 && counts(i)) cells.push(i);
    return cells;
  };
  const computeRatio = (cells: readonly number[]) =>
    sumOf(cells, (i) => produced[i]) / sumOf(cells, (i) => expected[i] * ran[i]);

  const all = list(0, known.length, (i) => ran[i] > 0);
  const hasEnough = all.length >= (hourly ? MIN_NORMAL_HOURS : 1) &&
    sumOf(all, (i) => expected[i]) > 0;
  const ratio = hasEnough ? computeRatio(all) : 1;

  const running = table.periods.map(({ from, to, hours, completeness }) => {
    const cells = list(from, to, (i) => ran[i] > 0);
    const counts = hourly
      ? cells.length >= MIN_COMPLETENESS_OF_RATIO * hours
      : cells.length > 0 && !(completeness < MIN_COMPLETENESS_OF_RATIO);
    return counts ? computeRatio(cells) : NaN;
  });
  const misses = running.filter(Number.isFinite).map((runningRatio) => runningRatio / ratio - 1);
  const normal = hasEnough ? all : [];
  const stretches = hourly && new NormalStretches(
    Float64Array.from(normal, (i) => produced[i]),
    Float64Array.from(normal, (i) => ratio * expected[i]),
  );

  const computeLoss: ComputeLoss = (from, to, share = stopped, made) => {
    const cells = list(from, to, (i) => share[i] > 0 && !Number.isNaN(price?.[i]));
    if (cells.length === 0) {
      return { cells: 0, expected: NaN, produced: NaN, lost: NaN, lost_low: NaN, lost_high: NaN };
    }
    const missed = cells.map((i) => share[i] * ratio * expected[i]);
    const add = (of: (i: number) => number) =>
      sumOf(cells, (i) => of(i) * (price?.[i] ?? 1)) / perMwh;
    const due = add((i) => share[i] * ratio * expected[i]);
    const madeEnergy = add((i) => made?.[i] ?? (share[i] === 1 ? produced[i] : 0));
    const range = stretches
      ? stretches.estimateRange(missed.length, sumOf(missed) / sumOf(cells, (i) => share[i]))
      : estimatePeriodsRange(misses, missed);
    return {
      cells: cells.length,
      expected: due,
      produced: madeEnergy,
      lost: due - madeEnergy,
      // At a negative price, the higher energy has the lower value.
      lost_low: range ? Math.min(range.low * due, range.high * due) - madeEnergy : NaN,
      lost_high: range ? Math.max(range.low * due, range.high * due) - madeEnergy : NaN,
    };
  };
  const lost = runs.map((run) => ({ ...run, loss: computeLoss(run.from, run.to) }));
  const periods = table.periods.map(({ from, to, ...period }, i): PeriodResult => {
    const losses = cutLosses(lost, from, to, computeLoss);
    return {
      ...period,
      running: running[i],
      outages: { lost: sumOf(losses, ({ lost }) => lost || 0), ...combineIntervals(losses) },
      limits: NO_LOSS,
      short: !hourly &&
        runs.some((run) => run.source === "detected" && run.from < to && run.to > from),
    };
  });
  const outages = lost.map((
    { outage, source, span: [from, to], length, loss: { cells, ...loss } },
  ): OutageResult => {
    const completeness = length === 0 ? 0 : Math.min(1, cells / length);
    return { outage, source, from, to, completeness, ...loss };
  });
  return {
    periods,
    outages,
    ratio,
    cells: all.length,
    hasEnough,
    counted: misses.length,
    computeLoss,
  };
}
