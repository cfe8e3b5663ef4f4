import { formatMonth, formatPercent } from "../../show/text/numbers.ts";
import { HOUR } from "../../time/hourly.ts";
import { dayAt } from "../../time/zones.ts";
import { type Deviation, fieldsOf, type Figures, type Part, type Verdict } from "../verdict/row.ts";
import { buildVerdict } from "../verdict/verdict.ts";
import { doubts, explainUseless, labelPeriod } from "../verdict/words.ts";
import type { CheckResult } from "./check_result.ts";
import type { PeriodResult } from "./losses/lost_energy.ts";
import {
  certain,
  computeEnds,
  type DeviationSteps,
  NAMES,
  type PeriodRange,
  type Step,
  type Steps,
} from "./deviation_steps.ts";
import type { ChosenOptions } from "./options.ts";
import { locate } from "./production.ts";
import { sumOf } from "../../stats/spread.ts";

/** Most outages that a verdict names. */
const MAX_STOPS = 3;

const partOf = (step: Step): Part => ({ energy: step.energy, ...computeEnds(step) });

/** Adds steps; the unexplained step already has the errors of those left out. */
function joinWithRest(steps: Steps, names: readonly string[]): Step {
  const unexplained = [...steps].at(-2)![1];
  const joined = names.flatMap((name) => steps.get(name) ?? []);
  const terms = new Set(joined.flatMap(({ reach }) => Object.keys(reach)));
  const reach = Object.fromEntries(
    Object.entries(unexplained.reach).filter(([term]) => !terms.has(term)),
  );
  return { energy: joined.reduce((sum, { energy }) => sum + energy, unexplained.energy), reach };
}

/** Describes the outages, and which part of the unexplained step is a lasting change. */
function describeDetails(
  { outages, change, timeZone, value }: CheckResult,
  [steps, worth]: readonly [Steps, Steps | undefined],
  [from, to]: readonly [number, number],
): string {
  const stops = outages.filter((one) => one.from < to && one.to > from && one.lost > 0)
    .toSorted((a, b) => b.lost - a.lost).map(({ outage }) => outage);
  const more = stops.length - MAX_STOPS;
  const lasting = steps.get(NAMES.change)?.energy ?? 0;
  const last = change.changes.findLast((one) => one.from < to);
  return [
    ...(value && !worth ? ["These hours have no price."] : []),
    ...(stops.length > 0
      ? [
        `Stops: ${
          [...stops.slice(0, MAX_STOPS), ...(more > 0 ? [`${more} more`] : [])].join("; ")
        }.`,
      ]
      : []),
    ...(lasting !== 0 && last
      ? [
        `A lasting ${last.change} of ${formatPercent(Math.abs(last.size))} since ${
          formatMonth(dayAt(last.from, timeZone).toString())
        } is part of the rest.`,
      ]
      : []),
  ].join(" ");
}

/**
 * Lists the steps of a performance check as steps of a verdict. A verdict has no step for a lasting change and, if only
 * energies of months or years are known, no step for unnamed stops.
 */
function listFigures({ hours }: CheckResult, steps: Steps, stopsKnown: boolean): Figures {
  const all = [...steps];
  const [[first, { energy: normal }], [, { energy: produced }]] = [all[0], all[all.length - 1]];
  const stops = stopsKnown ? steps.get(NAMES.availability) : undefined;
  const limited = steps.get(NAMES.limited) ?? (hours ? certain(0) : undefined);
  const unexplained = joinWithRest(steps, [NAMES.change, ...(stops ? [] : [NAMES.availability])]);
  const wind = all.find(([name]) => name.startsWith(NAMES.wind))?.[1];
  const density = steps.get(NAMES.density)?.energy ?? null;
  return {
    produced,
    normal: first === NAMES.normal ? normal : null,
    ...fieldsOf("wind", wind ? partOf({ ...wind, energy: wind.energy + (density ?? 0) }) : null),
    density,
    ...fieldsOf("stops", stops ? partOf(stops) : null),
    ...fieldsOf("limited", limited ? partOf(limited) : null),
    ...fieldsOf("rest", partOf(unexplained)),
  };
}

/**
 * Judges a period by the steps of a performance check.
 *
 * @param worth The same steps in the currency of the prices
 * @param bounds Start and end of the period, milliseconds since 1970 UTC
 */
function judge(
  checked: CheckResult,
  [steps, worth]: readonly [Steps, Steps | undefined],
  priced: number,
  period: string,
  completeness: number,
  bounds: readonly [number, number],
  { details }: ChosenOptions,
): Verdict {
  const named = checked.outages.some(({ source, from, to }) =>
    source !== "detected" && from < bounds[1] && to > bounds[0]
  );
  const isStop = checked.stopsKnown || named;
  const row: Deviation = {
    period,
    ...listFigures(checked, steps, isStop),
    ...(worth && {
      value: {
        currency: checked.value!.currency,
        priced,
        ...listFigures(checked, worth, isStop),
      },
    }),
    completeness: Number.isNaN(completeness) ? null : completeness,
    reference_from: checked.reference?.[0] ?? null,
    reference_to: checked.reference?.[1] ?? null,
  };
  const why = details?.calibrated === false
    ? { reason: doubts.uncalibrated }
    : explainUseless(details ?? {}) ?? {};
  return buildVerdict(row, { note: describeDetails(checked, [steps, worth], bounds), ...why });
}

/** Computes the share of the hours with a price; for months and years, the share of periods with one. */
function sharePriced(periods: DeviationSteps["periods"]): number {
  const hours = (one: PeriodResult | undefined) =>
    Number.isFinite(one?.produced) ? one!.compared || 1 : 0;
  return sumOf(periods, ({ value }) => hours(value)) /
    sumOf(periods, ({ period }) => hours(period));
}

/** Judges each month or year. */
export function judgePeriods(
  checked: CheckResult,
  split: DeviationSteps,
  chosen: ChosenOptions,
): Verdict[] {
  return split.periods.map((part) => {
    const { period, steps } = part;
    const { label, completeness, start, end } = period;
    const worth = split.value?.periods.find((one) => one.period === period);
    const pair = [steps, worth?.steps] as const;
    return judge(
      checked,
      pair,
      sharePriced([part]),
      label,
      completeness,
      [start, end],
      chosen,
    );
  });
}

/** Judges all periods of the steps together, or the requested range, in which months may be missing. */
export function judgeWhole(
  checked: CheckResult,
  split: DeviationSteps,
  range: PeriodRange | undefined,
  chosen: ChosenOptions,
): Verdict {
  const { by, timeZone } = checked;
  const { whole, periods, value } = split;
  const numbers = periods.map(({ period }) => period.number);
  const [first, last] = [range?.from ?? -Infinity, range?.to ?? Infinity].map((number, i) =>
    locate(by, Number.isFinite(number) ? number : numbers.at(-i)!, timeZone)
  );
  const compared = sumOf(
    periods,
    ({ period }) => period.hours * (Number.isNaN(period.completeness) ? 1 : period.completeness),
  );
  const label = labelPeriod(first.label, last.label);
  const completeness = Math.min(1, compared * HOUR / (last.end - first.start));
  const bounds = [first.start, last.end] as const;
  const pair = [whole, value?.whole] as const;
  return judge(checked, pair, sharePriced(periods), label, completeness, bounds, chosen);
}
