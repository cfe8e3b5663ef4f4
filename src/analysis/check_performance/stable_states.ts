import { median } from "../../stats/spread.ts";
import { HOUR } from "../../time/hourly.ts";
import { boundsOf } from "./check_periods.ts";
import type { CheckResult } from "./check_result.ts";

/** Part of a week by which the date of a change may be beside the start of a month: weeks do not begin with it. */
const NEAR = 84 * HOUR;

/** Finds the stable state of each period: how many changes were before it; -1 for one in which there was a change. */
function findStates({ by, periods, timeZone, change }: CheckResult): number[] {
  const dates = (change?.changes ?? []).filter(({ kind }) => kind !== "limit")
    .map(({ from }) => from);
  return periods.map(({ number }) => {
    const [from, to] = boundsOf(number, by, timeZone);
    const within = dates.some((date) => date > from + NEAR && date < to - NEAR);
    return within ? -1 : dates.filter((date) => date <= from + NEAR).length;
  });
}

/**
 * Selects the ratios of the longest stable state, for the band of normal ones: those of other states would widen it until
 * it contains them.
 *
 * @returns Ratio of each period outside of outages, NaN for periods of other states; of equally long states the first one
 */
export function selectStableRatios(checked: CheckResult): number[] {
  const states = findStates(checked);
  const ratios = checked.periods.map(({ running }) => running);
  const countOf = (state: number) =>
    ratios.filter((ratio, i) => states[i] === state && Number.isFinite(ratio)).length;
  const longest = [...new Set(states)].filter((state) => state >= 0)
    .reduce((a, b) => countOf(b) > countOf(a) ? b : a, 0);
  return ratios.map((ratio, i) => states[i] === longest ? ratio : NaN);
}

/**
 * Computes the median ratio of the stable state of each period.
 *
 * @returns Shares; all NaN where nothing changed, and NaN for a period in which there was a change
 */
export function computeStableRatios(checked: CheckResult): number[] {
  const states = findStates(checked);
  if (new Set(states).size === 1) return states.map(() => NaN);
  const medians = new Map(
    [...new Set(states)].map((state) => [
      state,
      median(
        checked.periods.filter(({ running }, i) => states[i] === state && Number.isFinite(running))
          .map(({ running }) => running),
      ),
    ]),
  );
  return states.map((state) => state < 0 ? NaN : medians.get(state)!);
}
