import { MIN_COMPLETENESS_OF_RATIO } from "./band.ts";
import type { Run } from "../../screening/finding.ts";
import type { ComparedPeriod, OutageResult, OutageSource, PeriodResult } from "./check_result.ts";
import {
  combineIntervals,
  type ComputeLoss,
  estimatePeriodsRange,
  NormalStretches,
} from "./lost_energy.ts";
import { sumOf } from "../../stats/spread.ts";

/** A stretch of cells in which the turbine was not or not wholly available. */
export interface OutageRun extends Run {
  readonly name: string;
  /** How it is known. */
  readonly source: OutageSource;
  /** Start and end, milliseconds since 1970 UTC. */
  readonly span: readonly [from: number, to: number];
  /** Cells that it lasts, also those without a value. */
  readonly length: number;
}

/**
 * What is compared, cell by cell: hours in kW, or months or years in MWh. All that follows is the same for each: the
 * turbine's own ratio, what outages cost, and how sure that is.
 */
export interface ComparisonTable {
  /** Whether a cell is an hour. */
  readonly hourly: boolean;
  readonly produced: Float64Array;
  readonly expected: Float64Array;
  /** 1 for cells that have both. */
  readonly known: ArrayLike<number>;
  /** The outages, in order of time, and the share of each cell that they take. */
  readonly runs: readonly OutageRun[];
  readonly stopped: Float64Array;
  /** The months or years that the results cover, with the positions of their cells. */
  readonly periods: readonly (ComparedPeriod & Run)[];
}

/** Smallest availability of a month or year whose ratio counts; an hour counts without any stop. */
const MIN_AVAILABLE = 0.5;

/** Fewest hours outside of outages for a turbine's own ratio: a week. */
const MIN_NORMAL_HOURS = 168;

/**
 * Computes what outages cost: in each, and in each period.
 *
 * @returns `ratio`: produced over expected energy outside of outages, 1 where the `cells` outside of them are not `enough`;
 * `counted`: months or years by which the interval of a loss is computed, where cells are these
 */
export function computeLosses(table: ComparisonTable) {
  const { hourly, produced, expected, known, runs, stopped } = table;
  const perMwh = hourly ? 1000 : 1;
  const least = hourly ? 1 : MIN_AVAILABLE;
  /** Share of each cell in which the turbine ran; 0 where that is too little to count. */
  const ran = stopped.map((out, i) => known[i] === 1 && 1 - out >= least ? 1 - out : 0);
  const list = (from: number, to: number, counts: (i: number) => boolean) => {
    const cells: number[] = [];
    const end = Math.min(known.length, to);
    for (let i = Math.max(0, from); i < end; i++) if (known[i] === 1 && counts(i)) cells.push(i);
    return cells;
  };
  const computeRatio = (cells: readonly number[]) =>
    sumOf(cells, (i) => produced[i]) / sumOf(cells, (i) => expected[i] * ran[i]);

  const all = list(0, known.length, (i) => ran[i] > 0);
  const enough = all.length >= (hourly ? MIN_NORMAL_HOURS : 1) &&
    sumOf(all, (i) => expected[i]) > 0;
  const ratio = enough ? computeRatio(all) : 1;

  const running = table.periods.map(({ from, to, hours, completeness }) => {
    const cells = list(from, to, (i) => ran[i] > 0);
    const counts = hourly
      ? cells.length >= MIN_COMPLETENESS_OF_RATIO * hours
      : cells.length > 0 && !(completeness < MIN_COMPLETENESS_OF_RATIO);
    return counts ? computeRatio(cells) : NaN;
  });
  const misses = running.filter(Number.isFinite).map((own) => own / ratio - 1);
  const normal = enough ? all : [];
  const stretches = hourly && new NormalStretches(
    Float64Array.from(normal, (i) => produced[i]),
    Float64Array.from(normal, (i) => ratio * expected[i]),
  );

  const computeLoss: ComputeLoss = (from, to, share = stopped, given) => {
    const cells = list(from, to, (i) => share[i] > 0);
    if (cells.length === 0) {
      return { cells: 0, expected: NaN, produced: NaN, lost: NaN, low: NaN, high: NaN };
    }
    const missed = cells.map((i) => share[i] * ratio * expected[i]);
    const due = sumOf(missed) / perMwh;
    const made = sumOf(cells, (i) => given?.[i] ?? (share[i] === 1 ? produced[i] : 0)) / perMwh;
    const range = stretches
      ? stretches.estimateRange(missed.length, sumOf(missed) / sumOf(cells, (i) => share[i]))
      : estimatePeriodsRange(misses, missed);
    return {
      cells: cells.length,
      expected: due,
      produced: made,
      lost: due - made,
      low: range ? range.low * due - made : NaN,
      high: range ? range.high * due - made : NaN,
    };
  };
  // Of an outage within one period the loss is computed once: a log has thousands of them.
  const whole = runs.map(({ from, to }) => computeLoss(from, to));
  const periods = table.periods.map(({ from, to, ...period }, i): PeriodResult => {
    const within = [...runs.keys()].filter((k) => runs[k].from < to && runs[k].to > from);
    const losses = within.map((k) =>
      runs[k].from >= from && runs[k].to <= to
        ? whole[k]
        : computeLoss(Math.max(runs[k].from, from), Math.min(runs[k].to, to))
    );
    return {
      ...period,
      running: running[i],
      outages: { lost: sumOf(losses, ({ lost }) => lost || 0), ...combineIntervals(losses) },
      short: !hourly && within.some((k) => runs[k].source === "detected"),
    };
  });
  const outages = runs.map(({ name, source, span, length }, k): OutageResult => {
    const { cells, ...loss } = whole[k];
    const completeness = length === 0 ? 0 : Math.min(1, cells / length);
    return { name, source, from: span[0], to: span[1], completeness, ...loss };
  });
  return {
    periods,
    outages,
    ratio,
    cells: all.length,
    enough,
    counted: misses.length,
    computeLoss,
  };
}
