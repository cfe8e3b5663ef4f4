import { HOUR } from "../../time/hourly.ts";
import { boundsOf } from "./check_periods.ts";
import type { ChangeCheck, ChangeReference, ChangeResult, CheckResult } from "./check_result.ts";
import { findLastingChanges, RATIO_SEARCHES, type RatioSeries } from "./lasting_changes.ts";
import type { HourlyPair } from "./outage_hours.ts";
import { findPowerLimit } from "./power_limit.ts";
import { computeCommonPower, computeWeeklyRatios, markRunningHours } from "./weekly_ratios.ts";

/** Hours in which changes are searched. */
export interface ChangeHours {
  /** Produced and expected power. */
  readonly pair: HourlyPair;
  /** Share of each hour in which the turbine was not available. */
  readonly stopped: Float64Array;
  /** Power of turbines nearby on the same hours, kW. */
  readonly neighbours: readonly Float64Array[];
  /** Rated power of one turbine, kW. */
  readonly ratedPower: number;
  /** Number of turbines in the production. */
  readonly units: number;
  /** Zone of the hours of the day. */
  readonly timeZone: string;
}

/** Converts the logarithm of a ratio to a change, as a share. */
function toShare(logarithm: number): number {
  return Math.exp(logarithm) - 1;
}

/** Describes changes of ratios by their energies. */
function describeChanges(
  found: ReturnType<typeof findLastingChanges>,
  against: ChangeReference,
  end: number,
  energyOf: (from: number, to: number) => number,
): Pick<ChangeCheck, "changes" | "smallest"> {
  if (!found) return { changes: [], smallest: NaN };
  const changes = found.changes.map((change, i): ChangeResult => {
    const [size, low, high] = [change.size, change.low, change.high].map(toShare);
    const to = found.changes[i + 1]?.from ?? end;
    const energy = energyOf(change.from, to);
    // Without the change the same hours would have given the energy over the ratio.
    const lost = (share: number) => energy * (1 / (1 + share) - 1);
    return {
      ...change,
      kind: size < 0 ? "loss" : "gain",
      against,
      to,
      size,
      low,
      high,
      lost: lost(size),
      lostLow: lost(high),
      lostHigh: lost(low),
      level: NaN,
      hoursOfDay: [],
    };
  });
  return { changes, smallest: -toShare(-found.smallest) };
}

/**
 * Finds lasting changes in hours: a limit of the power first, then in the weekly ratios of the hours that it leaves. The
 * ratio of calm weeks is another one than that of windy ones, as the model errs; the neighbours' ratio shows where the
 * reanalysis does.
 */
export function findHourlyChanges(hours: ChangeHours): ChangeCheck {
  const { pair, stopped, neighbours, ratedPower, units, timeZone } = hours;
  const { axis, produced } = pair;
  const running = markRunningHours(pair, stopped, units * ratedPower);
  const limit = findPowerLimit(pair, running, units * ratedPower, timeZone);
  const counted = limit ? running.map((flag, i) => limit.reached[i] === 1 ? 0 : flag) : running;
  const search = RATIO_SEARCHES.week;
  const weeksOf = (beside: readonly Float64Array[]): RatioSeries => {
    const weeks = computeWeeklyRatios({
      pair,
      counted,
      beside: beside.length === 0
        ? undefined
        : computeCommonPower(produced, counted, beside, ratedPower),
    });
    return {
      ...weeks,
      columns: [
        weeks.loads,
        weeks.loads.map((load) => load ** 2),
        ...(weeks.neighbours ? [weeks.neighbours] : []),
      ],
    };
  };
  const beside = weeksOf(neighbours);
  const enough = neighbours.length > 0 && beside.starts.length >= search.minCount;
  const weeks = enough ? beside : weeksOf([]);
  const energyOf = (from: number, to: number) => {
    let energy = 0;
    const last = Math.min(axis.length, (to - axis.start) / HOUR);
    for (let i = (from - axis.start) / HOUR; i < last; i++) {
      if (stopped[i] === 0 && produced[i] > 0) energy += produced[i] / 1000;
    }
    return energy;
  };
  const found = describeChanges(
    findLastingChanges(weeks, search),
    enough ? "neighbours" : "prediction",
    axis.start + (produced.findLastIndex((power) => !Number.isNaN(power)) + 1) * HOUR,
    energyOf,
  );
  const changes = limit
    ? [...found.changes, {
      kind: "limit" as const,
      against: "prediction" as const,
      from: axis.start + limit.from * HOUR,
      earliest: NaN,
      latest: NaN,
      to: axis.start + limit.to * HOUR,
      size: NaN,
      low: NaN,
      high: NaN,
      lost: limit.lost,
      lostLow: NaN,
      lostHigh: NaN,
      level: limit.level,
      hoursOfDay: limit.hoursOfDay,
    }]
    : found.changes;
  return {
    changes: changes.toSorted((a, b) => a.from - b.from),
    smallest: found.smallest,
    notes: neighbours.length === 0 || enough ? [] : [
      `A change in time was not compared with the neighbours: they have ${beside.starts.length} weeks in common ` +
      `with the turbine, fewer than ${search.minCount}. Give their production of the same time.`,
    ],
  };
}

/** Finds lasting changes in the months or years outside of outages. */
export function findPeriodChanges({ by, periods, timeZone }: CheckResult): ChangeCheck {
  const known = periods.filter(({ running, predicted }) => running > 0 && predicted > 0);
  const loads = Float64Array.from(known, ({ predicted, hours }) => Math.log(predicted / hours));
  const bounds = known.map(({ number }) => boundsOf(number, by, timeZone));
  const series: RatioSeries = {
    starts: bounds.map(([start]) => start),
    ratios: Float64Array.from(known, ({ running }) => Math.log(running)),
    weights: Float64Array.from(known, ({ predicted }) => predicted),
    columns: by === "month" ? [loads, loads.map((load) => load ** 2)] : [],
  };
  const found = findLastingChanges(series, RATIO_SEARCHES[by]);
  const energyOf = (from: number, to: number) =>
    known.reduce(
      (sum, { produced }, i) => bounds[i][0] >= from && bounds[i][0] < to ? sum + produced : sum,
      0,
    );
  return {
    ...describeChanges(found, "prediction", bounds.at(-1)?.[1] ?? NaN, energyOf),
    notes: [],
  };
}
