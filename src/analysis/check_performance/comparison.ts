import { MIN_COMPLETENESS_OF_RATIO } from "./band.ts";
import type { OutageResult, OutageSource, PeriodResult } from "./check_result.ts";
import {
  combineIntervals,
  type ComputeLoss,
  estimatePeriodsRange,
  type LossInterval,
  NormalStretches,
} from "./lost_energy.ts";

/** A month or a year of a comparison, before outages are looked at; energies in MWh, missing is NaN. */
export type ComparedPeriod =
  & Omit<PeriodResult, "running" | "lost" | "lostInterval" | "short">
  & {
    /** Positions of its cells. */
    readonly from: number;
    readonly to: number;
  };

/** A stretch of cells in which the turbine was not or not wholly available. */
export interface OutageRun {
  readonly name: string;
  /** How it is known. */
  readonly source: OutageSource;
  /** Position of its first cell, and after its last one; a named one may begin before the comparison. */
  readonly from: number;
  readonly to: number;
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
  /** What a cell is. */
  readonly cell: "hour" | "month" | "year";
  readonly produced: Float64Array;
  readonly expected: Float64Array;
  /** 1 for cells that have both. */
  readonly known: Uint8Array;
  /** The outages, in order of time, and the share of each cell that they take. */
  readonly runs: readonly OutageRun[];
  readonly stopped: Float64Array;
  /** The months or years that the results cover. */
  readonly periods: readonly ComparedPeriod[];
}

/** Smallest availability of a month or year whose ratio counts; an hour counts without any stop. */
const MIN_AVAILABLE = 0.5;

/** Fewest hours outside of outages for a turbine's own ratio: a week. */
const MIN_NORMAL_HOURS = 168;

/** What outages cost, and the ratio of the turbine outside of them. */
export interface Losses {
  readonly periods: readonly PeriodResult[];
  readonly outages: readonly OutageResult[];
  /** Produced over expected energy outside of outages; 1 with too few cells. */
  readonly ratio: number;
  /** Cells outside of outages. */
  readonly ran: number;
  /** Whether these are enough for a ratio. */
  readonly enough: boolean;
  /** Months or years by which the interval of a loss is computed, where cells are these. */
  readonly counted: number;
  /** Computes what was lost in some cells. */
  readonly computeLoss: ComputeLoss;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Computes what outages cost: in each, and in each period. */
export function computeLosses(table: ComparisonTable): Losses {
  const { cell, produced, expected, known, runs, stopped } = table;
  const hourly = cell === "hour";
  const perMwh = hourly ? 1000 : 1;
  const least = hourly ? 1 : MIN_AVAILABLE;
  /** Share of each cell in which the turbine ran; 0 where that is too little to count. */
  const ran = Float64Array.from(
    known,
    (flag, i) => flag === 1 && 1 - stopped[i] >= least ? 1 - stopped[i] : 0,
  );
  const list = (from: number, to: number, counts: (i: number) => boolean) => {
    const cells: number[] = [];
    const end = Math.min(known.length, to);
    for (let i = Math.max(0, from); i < end; i++) if (known[i] === 1 && counts(i)) cells.push(i);
    return cells;
  };
  const computeRatio = (cells: readonly number[]) =>
    sum(cells.map((i) => produced[i])) / sum(cells.map((i) => expected[i] * ran[i]));

  const all = list(0, known.length, (i) => ran[i] > 0);
  const enough = all.length >= (hourly ? MIN_NORMAL_HOURS : 1) &&
    sum(all.map((i) => expected[i])) > 0;
  const ratio = enough ? computeRatio(all) : 1;

  const runningOf = ({ from, to, hours, completeness }: ComparedPeriod) => {
    const cells = list(from, to, (i) => ran[i] > 0);
    const counts = hourly
      ? cells.length >= MIN_COMPLETENESS_OF_RATIO * hours
      : cells.length > 0 && !(completeness < MIN_COMPLETENESS_OF_RATIO);
    return counts ? computeRatio(cells) : NaN;
  };
  const running = table.periods.map(runningOf);
  const misses = running.filter(Number.isFinite).map((own) => own / ratio - 1);
  const estimateRange = buildRanges(table, enough ? all : [], ratio, misses);

  const computeLoss: ComputeLoss = (from, to, share = stopped, given) => {
    const cells = list(from, to, (i) => share[i] > 0);
    if (cells.length === 0) {
      return { cells: 0, expected: NaN, produced: NaN, lost: NaN, low: NaN, high: NaN };
    }
    const missed = cells.map((i) => share[i] * ratio * expected[i]);
    const due = sum(missed) / perMwh;
    const made = sum(cells.map((i) => given?.[i] ?? (share[i] === 1 ? produced[i] : 0))) / perMwh;
    const range = estimateRange(missed, sum(cells.map((i) => share[i])));
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
    const losses = runs.map((run, k) => ({ run, k }))
      .filter(({ run }) => run.from < to && run.to > from)
      .map(({ run, k }) => ({
        ...(run.from >= from && run.to <= to
          ? whole[k]
          : computeLoss(Math.max(run.from, from), Math.min(run.to, to))),
        run,
      }));
    return {
      ...period,
      running: running[i],
      lost: sum(losses.map(({ lost }) => lost || 0)),
      lostInterval: combineIntervals(losses),
      short: !hourly && losses.some(({ run }) => run.source === "detected"),
    };
  });
  const outages = runs.map(({ name, source, span, length }, k): OutageResult => {
    const { cells, ...loss } = whole[k];
    const completeness = length === 0 ? 0 : Math.min(1, cells / length);
    return { name, source, from: span[0], to: span[1], completeness, ...loss };
  });
  return { periods, outages, ratio, ran: all.length, enough, counted: misses.length, computeLoss };
}

/** Builds what estimates the 90 % range of the ratio of some cells: from stretches of normal hours, or from normal months or years. */
function buildRanges(
  { cell, produced, expected }: ComparisonTable,
  normal: readonly number[],
  ratio: number,
  misses: readonly number[],
): (missed: readonly number[], length: number) => LossInterval | undefined {
  if (cell !== "hour") return (missed) => estimatePeriodsRange(misses, missed);
  const stretches = new NormalStretches(
    Float64Array.from(normal, (i) => produced[i]),
    Float64Array.from(normal, (i) => ratio * expected[i]),
  );
  return (missed, length) => stretches.estimateRange(missed.length, sum(missed) / length);
}
