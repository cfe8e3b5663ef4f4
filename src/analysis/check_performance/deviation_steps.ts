import { joinNames } from "../../show/text/numbers.ts";
import { HOUR, positionAtOrAfter } from "../../time/hourly.ts";
import { clockAt } from "../../time/zones.ts";
import { computeModelError, type NormalBand } from "./band.ts";
import type { ChangeResult, CheckResult, PeriodResult } from "./check_result.ts";
import { combineIntervals, type LossInterval } from "./lost_energy.ts";
import { refuse } from "./options.ts";
import type { PerformanceFound } from "./words.ts";

/** Names of the steps of a deviation, in their fixed order. */
export const NAMES = {
  normal: "Normal production",
  predicted: "Predicted production",
  wind: "Wind",
  density: "Air density",
  availability: "Availability",
  change: "Lasting change",
  unexplained: "Unexplained",
  produced: "Produced",
} as const;

/** An energy that is not certain, with the ends of its 90 % interval, MWh; NaN without one. */
type Uncertain = LossInterval & { readonly lost: number };

/** What makes steps uncertain, independent of each other: the model, the loss in outages and that by lasting changes. */
type Terms = Readonly<Record<"model" | "outages" | "changes", Uncertain>>;

/** How a step follows a term: 1 if it grows with it, -1 if it falls. */
type Signs = Readonly<Partial<Record<keyof Terms, 1 | -1>>>;

/** Steps from the expected to the produced energy. */
export interface DeviationSteps {
  /** Names of the steps: a total, the changes, a total. */
  readonly names: readonly string[];
  /** How each step follows what is uncertain: with that, they share its interval. */
  readonly signs: readonly Signs[];
  /** What is uncertain over all periods. */
  readonly terms: Terms;
  /** Energy of each step in each period, MWh; the changes lead from the first exactly to the last. */
  readonly periods: readonly {
    readonly period: PeriodResult;
    readonly energies: number[];
    readonly terms: Terms;
  }[];
  /** Steps that could not be separated, and the data that would separate them. */
  readonly notes: readonly PerformanceFound[];
}

/** A step, and its energy in a period with so much lost by lasting changes. */
type Step = readonly [
  name: string,
  energy: (period: PeriodResult, changed: number) => number,
  signs?: Signs,
];

/** Joins names of steps: "Wind, air density and unexplained". */
export const joinSteps = (...names: readonly string[]): string =>
  joinNames(names.map((name, i) => i === 0 ? name : name.toLowerCase()));

function isCompared({ produced, predicted }: PeriodResult): boolean {
  return Number.isFinite(produced) && predicted > 0;
}

/** Splits the change from the normal to the prediction into wind and air density. */
function splitWeather(periods: readonly PeriodResult[]): Step[] {
  if (!periods.every(({ density }) => Number.isFinite(density))) {
    return [[
      joinSteps(NAMES.wind, NAMES.density),
      ({ predicted, normal }) => predicted - normal,
      { model: 1 },
    ]];
  }
  return [
    [NAMES.wind, ({ predicted, density, normal }) => predicted - density - normal, { model: 1 }],
    [NAMES.density, ({ density }) => density],
  ];
}

/** Weighs the part of a period that is after a change, or at a limit, by the energy on which the loss depends. */
function weighChange(
  { hours, timeZone }: CheckResult,
  { kind, from, to, level, hoursOfDay }: ChangeResult,
  { start, end, produced }: PeriodResult,
): number {
  if (!hours) return start >= from && start < to ? produced || 0 : 0;
  const { axis } = hours;
  const [first, last] = [Math.max(start, from), Math.min(end, to)]
    .map((at) => Math.max(0, positionAtOrAfter(axis, at)));
  let weight = 0;
  for (let i = first; i < Math.min(axis.length, last); i++) {
    if (hours.stopped[i] > 0 || !(hours.produced[i] > 0)) continue;
    if (kind !== "limit") weight += hours.produced[i];
    else if (hoursOfDay.includes(clockAt(axis.start + i * HOUR, timeZone).hour)) {
      weight += Math.max(0, hours.expected[i] - level);
    }
  }
  return weight;
}

/** Share of the time from which a limit in all hours of the day is no change: it is how the turbine runs. */
const ALWAYS = 0.9;

/** Adds up energies whose errors are one. */
function addUp(all: readonly Uncertain[]): Uncertain {
  const add = (end: keyof Uncertain) => all.reduce((sum, one) => sum + one[end], 0);
  return { lost: add("lost"), low: add("low"), high: add("high") };
}

/** Shares out what lasting changes cost to the periods. */
function shareChanges(checked: CheckResult): Uncertain[] {
  const { change, periods } = checked;
  const time = periods[periods.length - 1].end - periods[0].start;
  const all = (change?.changes ?? []).filter(({ kind, from, to, hoursOfDay }) =>
    kind !== "limit" || hoursOfDay.length < 24 || to - from < ALWAYS * time
  ).map((change) => {
    const weights = periods.map((period) => weighChange(checked, change, period));
    return { change, weights, sum: weights.reduce((sum, weight) => sum + weight, 0) };
  });
  return periods.map((_, i) =>
    addUp(
      all.filter(({ weights }) => weights[i] > 0).map(({ change, weights, sum }) => {
        const share = weights[i] / sum;
        const { lost, lostLow, lostHigh } = change;
        return { lost: share * lost, low: share * lostLow, high: share * lostHigh };
      }),
    )
  );
}

/**
 * Splits the deviation from a normal production in the fixed order wind, air density, availability, a lasting change,
 * unexplained. What cannot be separated is one step, never a zero.
 *
 * @param checked Periods with what they lost in outages
 * @param basis Where the expected energies come from
 * @param month The only period, "2024-03". @default all
 * @throws {ArgumentError} If there is no such month
 */
export function splitDeviation(
  checked: CheckResult,
  basis: "predictions" | "production normals",
  band: NormalBand | null,
  month: string | undefined,
): DeviationSteps {
  const { by, stopsSeen } = checked;
  const compared = checked.periods.filter(isCompared);
  const all = compared.filter(({ label }) => month === undefined || label === month);
  if (month !== undefined && all.length === 0) {
    const [first, last] = [compared[0], compared[compared.length - 1]];
    refuse(
      first
        ? `${month} is not one of the ${by}s that are compared, ${first.label} to ${last.label}`
        : `${month} cannot be compared: no ${by} can`,
    );
  }
  const changes = shareChanges(checked);
  const isChanged = basis === "predictions" && changes.some(({ lost }) => lost !== 0);
  const changeOf = (period: PeriodResult) => changes[checked.periods.indexOf(period)];
  const notes: PerformanceFound[] = [];
  const unseen = stopsSeen ? [] : [NAMES.availability];
  if (!stopsSeen) {
    notes.push({ code: "stops_unseen", by });
  }
  const stops: Step[] = stopsSeen
    ? [[NAMES.availability, ({ lost }) => 0 - lost, { outages: -1 }]]
    : [];
  const lasting: Step[] = isChanged
    ? [[NAMES.change, (_, changed) => 0 - changed, { changes: -1 }]]
    : [];
  const made: Step = [NAMES.produced, ({ produced }) => produced];
  let steps: Step[];
  let periods = all;
  if (basis === "production normals") {
    steps = [
      [NAMES.normal, ({ predicted }) => predicted],
      ...stops,
      [
        joinSteps(NAMES.wind, NAMES.density, ...unseen, NAMES.unexplained),
        ({ produced, predicted, lost }) => produced - predicted + (stopsSeen ? lost : 0),
        stopsSeen ? { outages: 1 } : {},
      ],
      made,
    ];
    notes.push({ code: "wind_unknown" });
  } else {
    const rest: Step = [
      joinSteps(...unseen, NAMES.unexplained),
      ({ produced, predicted, lost }, changed) =>
        produced - predicted + (stopsSeen ? lost : 0) + (isChanged ? changed : 0),
      {
        model: -1,
        ...(stopsSeen ? { outages: 1 } : {}),
        ...(isChanged ? { changes: 1 } : {}),
      },
    ];
    const known = all.filter(({ normal }) => Number.isFinite(normal));
    if (known.length === 0) {
      steps = [[NAMES.predicted, ({ predicted }) => predicted], ...stops, ...lasting, rest, made];
      notes.push({ code: "normal_unknown" });
    } else {
      periods = known;
      steps = [
        [NAMES.normal, ({ normal }) => normal],
        ...splitWeather(known),
        ...stops,
        ...lasting,
        rest,
        made,
      ];
      if (known.length < all.length) {
        const left = all.filter(({ normal }) => !Number.isFinite(normal));
        notes.push({ code: "steps_leave_out", periods: left.map(({ label }) => label) });
      }
    }
  }
  const parts = periods.map((period) => {
    const error = computeModelError(band, period.predicted);
    const changed = changeOf(period);
    return {
      period,
      energies: steps.map(([, energy]) => energy(period, changed.lost)),
      terms: {
        model: { lost: 0, low: -error, high: error },
        outages: { lost: period.lost, ...period.lostInterval },
        changes: changed,
      },
    };
  });
  const own = parts.map(({ terms }) => terms);
  const error = Math.hypot(...own.map(({ model }) => model.high));
  return {
    names: steps.map(([name]) => name),
    signs: steps.map(([, , signs = {}]) => signs),
    terms: {
      model: { lost: 0, low: -error, high: error },
      outages: {
        ...addUp(own.map(({ outages }) => outages)),
        // Outages in periods that the steps leave out are not part of them.
        ...combineIntervals(
          periods.length === checked.periods.length
            ? checked.outages
            : own.map(({ outages }) => outages),
        ),
      },
      changes: addUp(own.map(({ changes }) => changes)),
    },
    periods: parts,
    notes,
  };
}

/** Computes the ends of the 90 % interval of each step of energies; NaN for one that is certain, or has none. */
export function computeStepEnds(
  { signs }: DeviationSteps,
  energies: readonly number[],
  terms: Terms,
): LossInterval[] {
  return signs.map((own, i) => {
    const parts = Object.entries(own).map(([name, sign]) => {
      const { lost, low, high } = terms[name as keyof Terms];
      return sign === 1 ? { lost, low, high } : { lost: -lost, low: -high, high: -low };
    }).filter(({ lost, low }) => lost !== 0 || low < 0);
    const reach = (end: "low" | "high") =>
      parts.length === 0 ? NaN : Math.hypot(...parts.map((part) => part[end] - part.lost));
    return { low: energies[i] - reach("low"), high: energies[i] + reach("high") };
  });
}
