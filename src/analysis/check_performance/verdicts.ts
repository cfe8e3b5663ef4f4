import { formatMonth, formatPercent } from "../../show/text/numbers.ts";
import { HOUR } from "../../time/hourly.ts";
import { dayAt } from "../../time/zones.ts";
import { type Deviation, fieldsOf, type Part, type Verdict } from "../verdict/row.ts";
import { buildVerdict } from "../verdict/verdict.ts";
import { doubts, explainUseless, labelPeriod } from "../verdict/words.ts";
import type { CheckResult } from "./check_result.ts";
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

/** Outages that a verdict names. */
const MAX_STOPS = 3;

const partOf = (step: Step): Part => ({ energy: step.energy, ...computeEnds(step) });

/** Adds steps; errors of those that are left out of the rest are in it already. */
function joinWithRest(steps: Steps, names: readonly string[]): Step {
  const rest = [...steps].at(-2)![1];
  const joined = names.flatMap((name) => steps.get(name) ?? []);
  const own = new Set(joined.flatMap(({ reach }) => Object.keys(reach)));
  const reach = Object.fromEntries(Object.entries(rest.reach).filter(([term]) => !own.has(term)));
  return { energy: joined.reduce((sum, { energy }) => sum + energy, rest.energy), reach };
}

/** Says which outages there were, and what of the rest is a lasting change. */
function describeDetails(
  { outages, change, timeZone }: CheckResult,
  steps: Steps,
  [from, to]: readonly [number, number],
): string {
  const stops = outages.filter((one) => one.from < to && one.to > from && one.lost > 0)
    .toSorted((a, b) => b.lost - a.lost).map(({ outage }) => outage);
  const more = stops.length - MAX_STOPS;
  const lasting = steps.get(NAMES.change)?.energy ?? 0;
  const last = change.changes.findLast((one) => one.from < to);
  return [
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
 * Judges a time: the steps of a performance check in those of a verdict, which has no step for a lasting change, and where
 * only energies of months or years are known, none for stops that nobody named.
 *
 * @param bounds Start and end of the time, milliseconds since 1970 UTC
 */
function judge(
  checked: CheckResult,
  steps: Steps,
  period: string,
  completeness: number,
  bounds: readonly [number, number],
  { details }: ChosenOptions,
): Verdict {
  const all = [...steps];
  const [[first, { energy: normal }], [, { energy: produced }]] = [all[0], all[all.length - 1]];
  const named = checked.outages.some(({ source, from, to }) =>
    source !== "detected" && from < bounds[1] && to > bounds[0]
  );
  const stops = checked.stopsKnown || named ? steps.get(NAMES.availability) : undefined;
  const limited = steps.get(NAMES.limited) ?? (checked.hours ? certain(0) : undefined);
  const rest = joinWithRest(steps, [NAMES.change, ...(stops ? [] : [NAMES.availability])]);
  const wind = all.find(([name]) => name.startsWith(NAMES.wind))?.[1];
  const density = steps.get(NAMES.density)?.energy ?? null;
  const row: Deviation = {
    period,
    produced,
    normal: first === NAMES.normal ? normal : null,
    ...fieldsOf("wind", wind ? partOf({ ...wind, energy: wind.energy + (density ?? 0) }) : null),
    density,
    ...fieldsOf("stops", stops ? partOf(stops) : null),
    ...fieldsOf("limited", limited ? partOf(limited) : null),
    ...fieldsOf("rest", partOf(rest)),
    completeness: Number.isNaN(completeness) ? null : completeness,
    reference_from: checked.reference?.[0] ?? null,
    reference_to: checked.reference?.[1] ?? null,
  };
  const why = details?.calibrated === false
    ? { reason: doubts.uncalibrated }
    : explainUseless(details ?? {}) ?? {};
  return buildVerdict(row, { note: describeDetails(checked, steps, bounds), ...why });
}

/** Judges each month or year. */
export function judgePeriods(
  checked: CheckResult,
  { periods }: DeviationSteps,
  chosen: ChosenOptions,
): Verdict[] {
  return periods.map(({ period: { label, completeness, start, end }, steps }) =>
    judge(checked, steps, label, completeness, [start, end], chosen)
  );
}

/** Judges the whole time of some steps, or that which is asked for, of which months may be missing. */
export function judgeWhole(
  checked: CheckResult,
  { whole, periods }: DeviationSteps,
  range: PeriodRange | undefined,
  chosen: ChosenOptions,
): Verdict {
  const { by, timeZone } = checked;
  const numbers = periods.map(({ period }) => period.number);
  const [first, last] = [range?.from ?? -Infinity, range?.to ?? Infinity].map((asked, i) =>
    locate(by, Number.isFinite(asked) ? asked : numbers.at(-i)!, timeZone)
  );
  const compared = sumOf(
    periods,
    ({ period }) => period.hours * (Number.isNaN(period.completeness) ? 1 : period.completeness),
  );
  const label = labelPeriod(first.label, last.label);
  const completeness = Math.min(1, compared * HOUR / (last.end - first.start));
  return judge(checked, whole, label, completeness, [first.start, last.end], chosen);
}
