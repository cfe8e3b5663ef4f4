import {
  type ChangeFinding,
  type ChangePoint,
  type ChangeSearch,
  type ChangeSeries,
  findChangePoint,
  findChangeSpan,
  FOUR_OF_FIVE,
  measureStep,
  type WeightedValues,
} from "../../../stats/change_point.ts";
import { median, quantile } from "../../../stats/spread.ts";
import type { Persistence } from "../../../stats/seeded_random.ts";
import { HOUR } from "../../../time/hourly.ts";
import { computeHuberWeights } from "../../../windindex/scaling/fit_scaling.ts";
import type { Neighbour } from "../../../screening/values/neighbours.ts";
import type { Loss, PeriodResult } from "../losses/lost_energy.ts";
import type { HourlyPair } from "../losses/outage_hours.ts";
import { fitPower } from "./fit_power.ts";
import { refuse } from "../options.ts";
import type { PeriodKind } from "../production.ts";
import type { PerformanceFinding } from "../words.ts";
import {
  computeWeeklyRatios,
  markRunningHours,
  type RatioSeries,
  scaleNeighbours,
} from "./weekly_ratios.ts";

/** A lasting change of a turbine: the row of its frame. Energies in MWh, missing is NaN. */
export interface ChangeResult extends Loss {
  /** Less or more power than before. */
  readonly change: "loss" | "gain";
  /** Compared with prediction or neighbours. */
  readonly against: "prediction" | "neighbours";
  /** Start, milliseconds since 1970 UTC, with the ends of its 90 % interval. */
  readonly from: number;
  readonly from_low: number;
  readonly from_high: number;
  /** End: the next change, or the end of the record. */
  readonly to: number;
  /** Change of the power, % of the power before, with the ends of its 90 % interval. */
  readonly size: number;
  readonly size_low: number;
  readonly size_high: number;
}

/** Lasting changes of a record, and the smallest that it could show. */
export interface ChangeCheck {
  /** The changes in order of time. */
  readonly changes: readonly ChangeResult[];
  /** Smallest lasting change that the record could show, as a share; NaN if it is too short. */
  readonly smallest: number;
  /** Omissions. */
  readonly notes: readonly PerformanceFinding[];
}

/** Limits of a search in weeks, months or years, and the fewest periods for a search. */
type RatioSearch = Omit<ChangeSearch, "maxChance"> & { readonly minCount: number };

/**
 * Correlation from week to week of the prediction's lasting errors, as in the synthetic worlds, whose reanalysis drifts
 * over a month.
 */
const BY_WEEK = 0.8;

/** Weeks in a month. */
const MONTH = 4.35;

/** Searches by kind of period: a change must last for six weeks, three months or two years on each side. */
export const RATIO_SEARCHES: Readonly<Record<"week" | "month" | "year", RatioSearch>> = {
  week: { minSide: 6, minCount: 26, persistence: { correlation: BY_WEEK, lags: 4 } },
  month: { minSide: 3, minCount: 12, persistence: { correlation: BY_WEEK ** MONTH, lags: 1 } },
  year: { minSide: 2, minCount: 6, persistence: { correlation: 0, lags: 0 } },
};

/** A change, dated by the start of the first week, month or year after it; sizes are logarithms of ratios. */
type LastingChange =
  & Pick<ChangePoint, "size" | "low" | "high">
  & Pick<ChangeResult, "from" | "from_low" | "from_high">;

/**
 * Largest chance of finding a change if there is none: in the whole series, in each part next to a known change, and of
 * a span with changes at both ends. Chosen with all limits of this search on 220 synthetic worlds (24 to 36 months of
 * hours, numbers 1000 to 1119 and 2000 to 2099): in 12 of them the search reports one although nothing changes; `deno
 * task soak lastingChanges` counts it on other worlds.
 */
const MAX_CHANCE = { whole: 0.04, part: 0.025, span: 0.001 } as const;

/** Hours of a year, and the shortest record that can separate an annual wave from a step. */
const [YEAR, MIN_SEASON] = [8766 * HOUR, 2 * 364 * 24 * HOUR];

/** Cuts out a part of a series, with the annual wave if it covers two years or more. */
function cutSeries(series: RatioSeries, from: number, to: number): ChangeSeries {
  const starts = series.starts.slice(from, to);
  const [first, last] = [starts[0], starts[starts.length - 1]];
  const length = (last - first) * starts.length / (starts.length - 1);
  const wave = length < MIN_SEASON
    ? []
    : [Math.cos, Math.sin].map((of) =>
      Float64Array.from(starts, (start) => of(2 * Math.PI * start / YEAR))
    );
  const cut = ({ values, weights }: WeightedValues) => (
    { values: values.slice(from, to), weights: weights.slice(from, to) }
  );
  return {
    ...cut(series),
    columns: [...series.columns.map((column) => column.slice(from, to)), ...wave],
    ...(series.measured && { measured: cut(series.measured) }),
  };
}

/**
 * Finds where the states of a series begin, and its end: after one change, and one more before and after it, or after
 * the ends of a span.
 */
function findEnds(
  series: RatioSeries,
  search: RatioSearch,
  change: ChangePoint | undefined,
  find: (from: number, to: number, maxChance: number) => ChangeFinding | undefined,
): number[] {
  const count = series.starts.length;
  if (!change) {
    const span = findChangeSpan(cutSeries(series, 0, count), {
      ...search,
      maxChance: MAX_CHANCE.span,
    });
    return [0, ...(span ?? []), count];
  }
  const { position } = change;
  const findWithin = (from: number, to: number) => {
    const more = find(from, to, MAX_CHANCE.part)?.change;
    return more ? [from + more.position] : [];
  };
  return [
    0,
    ...findWithin(0, position),
    position,
    ...findWithin(position, count),
    count,
  ];
}

/**
 * Finds lasting changes: one in the whole series, then one more before and after it; or a span with changes at both
 * ends. If there are several, each is estimated again between its neighbours.
 *
 * @param series Ratios with weights and regressors
 * @param search Fewest periods on each side, and how long errors last
 * @returns The changes in order of time, and the smallest one that the series could show, as logarithms of ratios;
 * `undefined` if the series is too short
 */
function findLastingChanges(
  series: RatioSeries,
  search: RatioSearch,
): { readonly changes: readonly LastingChange[]; readonly smallest: number } | undefined {
  const { starts } = series;
  const find = (from: number, to: number, maxChance: number) =>
    to - from < search.minCount
      ? undefined
      : findChangePoint(cutSeries(series, from, to), { ...search, maxChance });
  const overall = find(0, starts.length, MAX_CHANCE.whole);
  if (!overall) return undefined;
  const ends = findEnds(series, search, overall.change, find);
  const parts = ends.length <= 3 ? [{ ...overall, from: 0 }] : ends.slice(1, -1).flatMap((_, i) => {
    const part = find(ends[i], ends[i + 2], MAX_CHANCE.part);
    return part ? [{ ...part, from: ends[i] }] : [];
  });
  const changes = parts.flatMap(({ change, from }) => {
    if (!change) return [];
    const { position, range: [first, last], size, low, high } = change;
    const startAt = (at: number) => starts[Math.min(starts.length - 1, from + at)];
    return [{
      from: startAt(position),
      // A change within a week, month or year may belong to either side.
      from_low: startAt(Math.floor(first) - 1),
      from_high: startAt(Math.ceil(last) + 1),
      size,
      low,
      high,
    }];
  });
  return { changes, smallest: Math.min(...[overall, ...parts].map((part) => part.smallest)) };
}

/** Neighbours at the turbine's level. */
type ScaledNeighbours = ReturnType<typeof scaleNeighbours>;

/** Hours of a day: days leave more equal wind on both sides of a date than weeks. */
const DAY = 24;

/** How long errors last, by days. */
const PERSISTENCE: Persistence = { correlation: BY_WEEK ** (1 / 7), lags: 28 };

/** Fewest days on each side of a named date. */
const MIN_SIDE = 14;

/**
 * Error of one day over the daily drift next to one neighbour; n neighbours drift n times less. Days this far from the
 * date weigh 1/e, and the drift widens the interval of long records.
 */
const DRIFT_DAYS = 90;

/**
 * Standard deviations on either side of a 90 % interval on a named date: it contains 91 % of 324 unchanged dates (`deno
 * task soak knownTruth`).
 */
const NAMED_NINETY = 2;

/**
 * Measures the change on a date named by the caller: in daily energies over a prediction from neighbours and model by
 * wind direction, with less weight on outlying days; without neighbours, over the model's energies. Measures the same
 * on other dates, without a known change, and for the neighbours against the model.
 */
function measureNamedChange(
  pair: HourlyPair,
  counted: Uint8Array,
  neighbours: ScaledNeighbours,
  at: number,
) {
  const { axis, produced, expected } = pair;
  const first = (at - axis.start) / HOUR;
  const isAlone = neighbours.scaled.length === 0;
  const known = counted.map((flag, i) => isAlone || neighbours.common[i] >= 0 ? flag : 0);
  const daysOf = (produced: Float64Array, expected: Float64Array, counted: Uint8Array) => {
    const days = computeWeeklyRatios({ axis, produced, expected }, counted, undefined, DAY, first);
    const cut = cutSeries(isAlone ? { ...days, columns: [] } : days, 0, days.starts.length);
    return { ...days, ...cut, ...cut.measured!, position: days.starts.findIndex((s) => s >= at) };
  };
  const fitted = isAlone ? expected : fitPower(pair, known, neighbours, first);
  const series = daysOf(produced, fitted, known);
  const { starts, position } = series;
  if (position < MIN_SIDE || position > starts.length - MIN_SIDE) {
    const of = isAlone ? "" : " of the turbine and a neighbour";
    refuse(
      `fewer than ${MIN_SIDE} days before or after the change have production${of}. Give a longer record, or omit { changed }`,
    );
  }
  const levels = [series.values.slice(0, position), series.values.slice(position)].map(median);
  const gaps = series.values.map((value, i) => value - levels[i < position ? 0 : 1]);
  const far = computeHuberWeights(gaps.map((gap, i) => gap * Math.sqrt(series.weights[i])));
  const weights = series.weights.map((weight, i) => isAlone ? weight : weight * far[i]);
  const reach = isAlone ? Infinity : DRIFT_DAYS * neighbours.scaled.length;
  const measure = (values: Float64Array, at: number) =>
    measureStep({ ...series, values, weights }, at, PERSISTENCE, reach);
  const { size, deviation } = measure(series.values, position);
  const values = series.values.map((value, i) => i < position ? value : value - size);
  const dates = starts.slice(2 * MIN_SIDE).map((_, i) => i + MIN_SIDE);
  const sizes = Float64Array.from(dates, (date) => Math.abs(measure(values, date).size)).sort();
  const half = NAMED_NINETY * deviation;
  const change = {
    from: at,
    from_low: at,
    from_high: at,
    size,
    low: size - half,
    high: size + half,
  };
  const theirs = daysOf(neighbours.common, expected, known);
  const their = measureStep(theirs, theirs.position, PERSISTENCE);
  return {
    lasting: { changes: [change], smallest: half + FOUR_OF_FIVE * deviation },
    note: {
      code: "named_change",
      placebo: 100 * toShare(quantile(sizes, 0.9)),
      neighbours: isAlone ? null : 100 * toShare(their.size),
      left_out: daysOf(produced, expected, counted).starts.length - starts.length,
    } as const,
  };
}

/** Converts the logarithm of a ratio to a change, as a share. */
function toShare(logarithm: number): number {
  return Math.exp(logarithm) - 1;
}

/** Describes changes of ratios by their energies. */
function describeChanges(
  lasting: ReturnType<typeof findLastingChanges>,
  against: ChangeResult["against"],
  end: number,
  energyOf: (from: number, to: number) => number,
): Pick<ChangeCheck, "changes" | "smallest"> {
  if (!lasting) return { changes: [], smallest: NaN };
  const changes = lasting.changes.map(({ low, high, ...change }, i): ChangeResult => {
    const to = lasting.changes[i + 1]?.from ?? end;
    const energy = energyOf(change.from, to);
    // Without the change the same hours would have produced the energy over the ratio.
    const lost = (logarithm: number) => energy * (1 / (1 + toShare(logarithm)) - 1);
    return {
      ...change,
      against,
      to,
      change: change.size < 0 ? "loss" : "gain",
      size: 100 * toShare(change.size),
      size_low: 100 * toShare(low),
      size_high: 100 * toShare(high),
      lost: lost(change.size),
      lost_low: lost(high),
      lost_high: lost(low),
    };
  });
  return { changes, smallest: -toShare(-lasting.smallest) };
}

/**
 * Finds lasting changes in the weekly ratios of hours. Errors of the model make the ratio of calm weeks differ from the
 * ratio of windy ones; the neighbours' ratio shows errors of the reanalysis.
 *
 * @param stopped Share of each hour in which the turbine was not available, or its power was limited
 * @param neighbours Turbines nearby, on the same hours
 * @param ratedPower Rated power of all turbines of the production, kW
 * @param named Date of a change that the caller names, milliseconds since 1970 UTC
 * @param reached 1 for hours that are left out together with the hours of a lasting limit, so both sides of a change have
 * the same kind of hours
 */
export function findHourlyChanges(
  pair: HourlyPair,
  stopped: Float64Array,
  neighbours: readonly Neighbour[],
  ratedPower: number,
  named: number | undefined,
  reached: Uint8Array | undefined,
): ChangeCheck {
  const { axis, produced } = pair;
  const running = markRunningHours(pair, stopped, ratedPower);
  const counted = reached ? running.map((flag, i) => reached[i] === 1 ? 0 : flag) : running;
  const { minCount } = RATIO_SEARCHES.week;
  const isAlone = neighbours.length === 0;
  const scaled = scaleNeighbours(produced, counted, neighbours);
  const byNeighbours = computeWeeklyRatios(pair, counted, scaled.common);
  const hasEnoughWeeks = !isAlone && byNeighbours.starts.length >= minCount;
  const weeks = hasEnoughWeeks ? byNeighbours : computeWeeklyRatios(pair, counted);
  const energyOf = (from: number, to: number) => {
    const [first, last] = [from, to].map((at) => Math.ceil((at - axis.start) / HOUR));
    const ran = produced.slice(first, last).filter((_, i) => stopped[first + i] === 0);
    return ran.reduce((sum, power) => power > 0 ? sum + power / 1000 : sum, 0);
  };
  const measured = named === undefined
    ? undefined
    : measureNamedChange(pair, counted, scaled, named);
  const { changes, smallest } = describeChanges(
    measured?.lasting ?? findLastingChanges(weeks, RATIO_SEARCHES.week),
    (measured ? !isAlone : hasEnoughWeeks) ? "neighbours" : "prediction",
    axis.start + (produced.findLastIndex((power) => !Number.isNaN(power)) + 1) * HOUR,
    energyOf,
  );
  return {
    changes,
    smallest,
    notes: measured ? [measured.note] : isAlone || hasEnoughWeeks ? [] : [
      { code: "neighbours_too_short", weeks: byNeighbours.starts.length, needed: minCount },
    ],
  };
}

/** Finds lasting changes in the months or years outside of outages. */
export function findPeriodChanges(by: PeriodKind, periods: readonly PeriodResult[]): ChangeCheck {
  const known = periods.filter(({ running, predicted }) => running > 0 && predicted > 0);
  const loads = Float64Array.from(known, ({ predicted, hours }) => Math.log(predicted / hours));
  const series: RatioSeries = {
    starts: known.map(({ start }) => start),
    values: Float64Array.from(known, ({ running }) => Math.log(running)),
    weights: Float64Array.from(known, ({ predicted }) => predicted),
    columns: by === "month" ? [loads, loads.map((load) => load ** 2)] : [],
  };
  const lasting = findLastingChanges(series, RATIO_SEARCHES[by]);
  const energyOf = (from: number, to: number) =>
    known.reduce(
      (sum, { produced, start }) => start >= from && start < to ? sum + produced : sum,
      0,
    );
  return {
    ...describeChanges(lasting, "prediction", known.at(-1)?.end ?? NaN, energyOf),
    notes: [],
  };
}
