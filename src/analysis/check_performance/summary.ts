import { HOUR } from "../../time/hourly.ts";
import { dayAt } from "../../time/zones.ts";
import { DEVIATIONS, MIN_PERIODS_FOR_BAND, type NormalBand, selectStableRatios } from "./band.ts";
import { RATIO_SEARCHES } from "./changes/changes.ts";
import type { CheckResult } from "./check_result.ts";
import type { Verdict } from "../verdict/row.ts";
import type { DeviationSteps, PeriodRange } from "./deviation_steps.ts";
import { computeRatio, judgeState, listSteps } from "./frames.ts";
import { combineIntervals } from "./losses/lost_energy.ts";
import { MAX_NAMED, type PerformanceFinding, type PriceFinding } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

/** Largest deviation of a running turbine from its prediction without a note. */
const USUAL = 0.03;

/** Sums the compared energies, and computes their ratio. */
function findTotal({ periods, hours: hourly, by }: CheckResult): PerformanceFinding {
  const comparable = periods.filter((period) => Number.isFinite(computeRatio(period)));
  const produced = sumOf(comparable, (period) => period.produced);
  const predicted = sumOf(comparable, (period) => period.predicted);
  return {
    code: "total",
    produced,
    predicted,
    ratio: 100 * produced / predicted,
    periods: comparable.length,
    by,
    ...(hourly
      ? {
        hours: sumOf(comparable, ({ hours }) => hours),
        hours_compared: sumOf(comparable, ({ compared }) => compared),
      }
      : {}),
  };
}

function findBand({ periods, by }: CheckResult, band: NormalBand | null): PerformanceFinding[] {
  const states = periods.map((period) => judgeState(period, band));
  const outside = (state: "low" | "high") =>
    periods.filter((_, i) => states[i] === state)
      .map((period) => ({ period: period.label, ratio: computeRatio(period) }));
  const [below, above] = [outside("low"), outside("high")];
  if (!band) return below.length === 0 ? [] : [{ code: "far_below_others", by, periods: below }];
  return [
    {
      code: "normal_band",
      by,
      energy: band.energy,
      band_low: band.low,
      band_middle: band.middle,
      band_high: band.high,
      deviations: DEVIATIONS,
      periods: band.periods,
    },
    below.length + above.length > 0 ? { code: "outside_band", below, above } : {
      code: "all_within_band",
      by,
      periods: states.filter((state) => state === "normal").length,
    },
  ];
}

/** Losses of power limits, by how the limits are known. */
function findLimits({ limits, timeZone }: CheckResult): PerformanceFinding[] {
  const date = (instant: number) => dayAt(instant, timeZone).toString();
  return [...Map.groupBy(limits, ({ source }) => source)].map(([source, limitsOfSource]) => {
    const levels = limitsOfSource.map(({ level }) => level).filter((level) => level >= 0);
    const [first] = limitsOfSource;
    const isOnly = limitsOfSource.every(({ hoursOfDay }) => hoursOfDay === first.hoursOfDay);
    return {
      code: "power_limits",
      source,
      spells: limitsOfSource.length,
      hours: sumOf(limitsOfSource, ({ hours }) => hours),
      from: date(first.from),
      to: date(Math.max(...limitsOfSource.map(({ to }) => to)) - 1),
      levels: levels.length > 0 ? [Math.min(...levels), Math.max(...levels)] : [],
      hours_of_day: isOnly ? first.hoursOfDay : [],
      lost: sumOf(limitsOfSource, ({ lost }) => lost || 0),
      ...combineIntervals(limitsOfSource),
    };
  });
}

/** Hours without a price, and those with a price that is not above 0, of some periods. */
export function findPrices(
  { hours, value }: CheckResult,
  { periods }: DeviationSteps,
): Readonly<Record<"results" | "notes", PriceFinding[]>> {
  if (!value || !hours) return { results: [], notes: [] };
  const { axis, produced, expected, price } = hours;
  const [from, to] = [periods[0].period.start, periods[periods.length - 1].period.end];
  const all = [...produced.keys()].filter((i) => {
    const at = axis.start + i * HOUR;
    return at >= from && at < to && !Number.isNaN(produced[i] + expected[i]);
  });
  const energy = (some: readonly number[]) => sumOf(some, (i) => produced[i]) / 1000;
  const missing = all.filter((i) => Number.isNaN(price![i]));
  const low = all.filter((i) => price![i] <= 0);
  return {
    results: low.length === 0 ? [] : [{
      code: "prices_not_above_0",
      hours: low.length,
      energy: energy(low),
      value: sumOf(low, (i) => produced[i] * price![i]) / 1000,
      limited: low.filter((i) => hours.limited[i] === 1).length,
      currency: value.currency,
    }],
    notes: missing.length === 0 ? [] : [{
      code: "prices_missing",
      hours: missing.length,
      all: all.length,
      energy: energy(missing),
    }],
  };
}

/** Lists the lasting changes, and the smallest one that the record could show. */
function findChanges({ change, by, hours, timeZone }: CheckResult): PerformanceFinding[] {
  const date = (instant: number) => dayAt(instant, timeZone).toString();
  const { changes, smallest } = change;
  const kind = hours ? "week" : by;
  return [
    ...changes.map((lastingChange): PerformanceFinding => {
      const { change, to: _, ...row } = lastingChange;
      const from = date(row.from);
      const [from_low, from_high] = [date(row.from_low), date(row.from_high)];
      return { code: "lasting_change", ...row, change, from, from_low, from_high };
    }),
    Number.isFinite(smallest)
      ? {
        code: "smallest_change",
        smallest: 100 * smallest,
        has_changes: changes.length > 0,
      }
      : { code: "too_short_for_changes", needed: RATIO_SEARCHES[kind].minCount, by: kind },
  ];
}

function findDeviation({ whole, periods }: DeviationSteps): PerformanceFinding[] {
  if (periods.length === 0) return [];
  const rows = listSteps(whole);
  return [{
    code: "deviation",
    from: rows[0].step,
    energy: rows[0].energy,
    produced: rows[rows.length - 1].energy,
    steps: rows.slice(1, -1),
  }];
}

function findOutages({ outages }: CheckResult): PerformanceFinding[] {
  const counted = outages.filter(({ lost }) => Number.isFinite(lost));
  if (counted.length === 0) return [];
  const lost = sumOf(counted, (one) => one.lost);
  const named = counted.filter(({ source }) => source === "named");
  const listed = named.length > 0 ? named : counted.toSorted((a, b) => b.lost - a.lost).slice(0, 1);
  return [
    { code: "outages_cost", outages: counted.length, lost, ...combineIntervals(counted) },
    ...listed.slice(0, MAX_NAMED).map((
      { outage, lost, lost_low, lost_high },
    ): PerformanceFinding => ({
      code: "outage_cost",
      outage,
      lost,
      lost_low,
      lost_high,
      largest: named.length === 0 && counted.length > 1,
    })),
  ];
}

/** Selects the outages and limits of some periods. */
export function selectLosses(checked: CheckResult, { periods }: DeviationSteps): CheckResult {
  const [start, end] = [periods[0].period.start, periods[periods.length - 1].period.end];
  const isIn = ({ from, to }: { readonly from: number; readonly to: number }) =>
    from < end && to > start;
  const { outages, limits } = checked;
  return { ...checked, outages: outages.filter(isIn), limits: limits.filter(isIn) };
}

/** Lists the results of a check, or of the periods to judge. */
export function listResults(
  checked: CheckResult,
  band: NormalBand | null,
  steps: DeviationSteps,
  verdict: Verdict,
  range: PeriodRange | undefined,
): PerformanceFinding[] {
  if (range) {
    const changes = listSteps(steps.whole).slice(1, -1).filter(({ energy }) => energy !== 0);
    return [
      { code: "verdict", ...verdict },
      { code: "steps", steps: changes },
      ...findPrices(checked, steps).results,
    ];
  }
  return [
    { code: "verdict", ...verdict },
    findTotal(checked),
    ...findBand(checked, band),
    ...findLimits(checked),
    ...findChanges(checked),
    ...findDeviation(steps),
    ...findOutages(checked),
    ...findPrices(checked, steps).results,
  ];
}

/** Lists the omissions and assumptions of a check. */
export function listNotes(
  checked: CheckResult,
  band: NormalBand | null,
  steps: DeviationSteps,
): PerformanceFinding[] {
  const { by, hours: hourly, normalRatio, outages, periods, counted } = checked;
  const notes: PerformanceFinding[] = [...findPrices(checked, steps).notes];
  if (!band) {
    const known = selectStableRatios(checked).filter(Number.isFinite).length;
    notes.push({ code: "no_band", by, needed: MIN_PERIODS_FOR_BAND[by], periods: known });
  }
  if (Math.abs(normalRatio - 1) > USUAL) {
    notes.push({ code: "unusual_ratio", ratio: 100 * normalRatio });
  }
  const incomplete = periods.filter((period) => judgeState(period, band) === "incomplete")
    .map(({ label, completeness }) => ({ period: label, completeness }));
  if (incomplete.length > 0) notes.push({ code: "too_few_hours", periods: incomplete });
  const partly = outages.filter(({ completeness, source }) =>
    completeness < 0.995 && source === "named"
  );
  for (const { outage, completeness } of partly.slice(0, MAX_NAMED)) {
    const cells = hourly ? "hours" : `${by}s`;
    notes.push({ code: "outage_without_values", outage, completeness, cells });
  }
  if (outages.some(({ lost_low }) => Number.isFinite(lost_low))) {
    const method = hourly ? "stretches" : "periods";
    notes.push({ code: "interval_method", method, by, periods: counted });
  } else if (outages.some(({ lost }) => Number.isFinite(lost))) {
    notes.push({ code: "no_interval", cells: hourly ? "stretches" : `${by}s` });
  }
  return notes;
}
