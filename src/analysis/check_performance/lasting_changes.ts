import {
  type ChangeFinding,
  type ChangePoint,
  type ChangeSeries,
  findChangePoint,
  findChangeSpan,
  type WeightedValues,
} from "../../stats/change_point.ts";
import type { Persistence } from "../../stats/seeded_random.ts";
import { HOUR } from "../../time/hourly.ts";

/** Ratios of produced to expected energy in order of time, in which changes are searched. */
export interface RatioSeries {
  /** Start of each week, month or year, milliseconds since 1970 UTC. */
  readonly starts: readonly number[];
  /** Logarithm of the ratio of each. */
  readonly ratios: Float64Array;
  /** Weight of each: one over its variance, but for a factor. */
  readonly weights: Float64Array;
  /** What else explains them. */
  readonly columns: readonly Float64Array[];
  /** Ratios of energies, in which the size of a change is measured. @default the same */
  readonly energies?: WeightedValues;
}

/** What is searched in weeks, months or years. */
export interface RatioSearch {
  /** Fewest on each side of a change. */
  readonly minSide: number;
  /** Fewest for a search. */
  readonly minCount: number;
  /** How long errors of the prediction last. */
  readonly persistence: Persistence;
}

/**
 * Errors of the prediction that last for weeks: their correlation from week to week, as in the synthetic worlds, whose
 * reanalysis wanders over a month.
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

/** A change, its position in time instead of in the series. */
export interface LastingChange extends Pick<ChangePoint, "size" | "low" | "high"> {
  /** Start of the first week, month or year after it, milliseconds since 1970 UTC. */
  readonly from: number;
  /** Lower end of the 90 % interval of that. */
  readonly earliest: number;
  /** Upper end. */
  readonly latest: number;
}

/**
 * Largest chance of a change where there is none: in the whole series, in each part beside a change that was found, and of a
 * span with changes at both ends. Chosen with all limits of this search on 220 synthetic worlds (24 to 36 months of hours,
 * numbers 1000 to 1119 and 2000 to 2099), of which 12 have one where nothing changes; `deno task soak lastingChanges`
 * counts it on others.
 */
const MAX_CHANCE = { whole: 0.04, part: 0.025, span: 0.001 } as const;

/** Hours of a year, and the shortest record in which a wave of a year is separated from a step. */
const [YEAR, MIN_SEASON] = [8766 * HOUR, 2 * 364 * 24 * HOUR];

/** Cuts out a part of a series; with the wave of a year from two years on. */
function cutSeries(series: RatioSeries, from: number, to: number): ChangeSeries {
  const starts = series.starts.slice(from, to);
  const [first, last] = [starts[0], starts[starts.length - 1]];
  const length = (last - first) * starts.length / (starts.length - 1);
  const wave = length < MIN_SEASON
    ? []
    : [Math.cos, Math.sin].map((of) =>
      Float64Array.from(starts, (start) => of(2 * Math.PI * start / YEAR))
    );
  return {
    values: series.ratios.slice(from, to),
    weights: series.weights.slice(from, to),
    columns: [...series.columns.map((column) => column.slice(from, to)), ...wave],
    ...(series.energies && {
      measured: {
        values: series.energies.values.slice(from, to),
        weights: series.energies.weights.slice(from, to),
      },
    }),
  };
}

/** Finds where the states of a series begin, and its end: those of a change, and of one more before and after it, or of a span. */
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
 * Finds lasting changes: one in the whole series, then one more before and after it; or a span with changes at both ends. With
 * more than one, each is estimated anew between its neighbours.
 *
 * @param series Ratios with weights and what else explains them
 * @param search Fewest on each side, and how long errors last
 * @returns The changes in order of time, and the smallest one that could be found, as logarithms of ratios; `undefined`
 * for a series that is too short
 */
export function findLastingChanges(
  series: RatioSeries,
  search: RatioSearch,
): { readonly changes: readonly LastingChange[]; readonly smallest: number } | undefined {
  const { starts } = series;
  const find = (from: number, to: number, maxChance: number) =>
    to - from < search.minCount
      ? undefined
      : findChangePoint(cutSeries(series, from, to), { ...search, maxChance });
  const whole = find(0, starts.length, MAX_CHANCE.whole);
  if (!whole) return undefined;
  const ends = findEnds(series, search, whole.change, find);
  const parts = ends.length <= 3 ? [{ ...whole, from: 0 }] : ends.slice(1, -1).flatMap((_, i) => {
    const part = find(ends[i], ends[i + 2], MAX_CHANCE.part);
    return part ? [{ ...part, from: ends[i] }] : [];
  });
  const changes = parts.flatMap(({ change, from }) => {
    if (!change) return [];
    const { position, range: [first, last], size, low, high } = change;
    const startAt = (at: number) => starts[Math.min(starts.length - 1, from + at)];
    return [{
      from: startAt(position),
      // A change within a week, month or year belongs to either side.
      earliest: startAt(Math.floor(first) - 1),
      latest: startAt(Math.ceil(last) + 1),
      size,
      low,
      high,
    }];
  });
  return { changes, smallest: Math.min(...[whole, ...parts].map((part) => part.smallest)) };
}
