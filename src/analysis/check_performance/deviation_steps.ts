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
  limited: "Limited power",
  change: "Lasting change",
  unexplained: "Unexplained",
  produced: "Produced",
} as const;

/** An energy that was lost, with the ends of its 90 % interval, MWh; NaN without one. */
export type Loss = LossInterval & { readonly lost: number };

/** Distances of the ends of a 90 % interval from an energy, MWh; NaN where they are not known. */
type Reach = readonly [below: number, above: number];

/** What makes steps uncertain, independent of each other; the reach of `level` has the sign of its effect. */
export type Term = "model" | "level" | "outages" | "limits" | "changes";

/** Energy of a step, MWh, and what makes it uncertain. */
export interface Step {
  readonly energy: number;
  readonly reach: Readonly<Partial<Record<Term, Reach>>>;
}

/** Steps by name, in their order: a total, the changes, a total. */
export type Steps = ReadonlyMap<string, Step>;

/** Energies of a period, or of all, MWh, and what makes them uncertain. */
interface Sums extends Pick<PeriodResult, "produced" | "predicted" | "normal" | "density"> {
  /** Half of the 90 % interval of the prediction. */
  readonly error: number;
  readonly outages: Loss;
  readonly limits: Loss;
  readonly changes: Loss;
}

/** Steps from the expected to the produced energy; the changes lead from the first exactly to the last. */
export interface DeviationSteps {
  readonly whole: Steps;
  readonly periods: readonly (Sums & { readonly period: PeriodResult; readonly steps: Steps })[];
  /** Steps that could not be separated, and the data that would separate them. */
  readonly notes: readonly PerformanceFound[];
}

/** Periods that are asked for, by their numbers, both included. */
export interface PeriodRange {
  readonly from: number;
  readonly to: number;
  /** The same in words. */
  readonly asked: string;
}

/** A step of any energies. */
type Rule = readonly [name: string, step: (sums: Sums) => Step];

/** A step without an interval. */
export const certain = (energy: number): Step => ({ energy, reach: {} });

const byModel = (energy: number, { error }: Sums): Step => (
  { energy, reach: { model: [error, error] } }
);

/** What lost an energy; without an interval where nothing was lost. */
export function lose(term: Term, { lost, low, high }: Loss): Step {
  const isCertain = lost === 0 && !(low < high);
  return { energy: 0 - lost, reach: isCertain ? {} : { [term]: [high - lost, lost - low] } };
}

/** How uncertain it makes the rest. */
function gain(term: Term, loss: Loss): Step["reach"] {
  const { [term]: reach } = lose(term, loss).reach;
  return reach ? { [term]: [reach[1], reach[0]] } : {};
}

/** Computes the ends of the 90 % interval of a step; NaN for one that is certain, or has none. */
export function computeEnds({ energy, reach }: Step): LossInterval {
  const own = Object.values(reach);
  const add = (side: 0 | 1) => own.length > 0 ? Math.hypot(...own.map((one) => one[side])) : NaN;
  return { low: energy - add(0), high: energy + add(1) };
}

/** Joins names of steps: "Wind, air density and unexplained". */
export const joinSteps = (...names: readonly string[]): string =>
  joinNames(names.map((name, i) => i === 0 ? name : name.toLowerCase()));

function isCompared({ produced, predicted }: PeriodResult): boolean {
  return Number.isFinite(produced) && predicted > 0;
}

/** Splits the change from the normal to the prediction into wind and air density. */
function splitWeather(periods: readonly PeriodResult[]): Rule[] {
  if (!periods.every(({ density }) => Number.isFinite(density))) {
    return [[
      joinSteps(NAMES.wind, NAMES.density),
      (sums) => byModel(sums.predicted - sums.normal, sums),
    ]];
  }
  return [
    [NAMES.wind, (sums) => byModel(sums.predicted - sums.density - sums.normal, sums)],
    [NAMES.density, ({ density }) => certain(density)],
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
function addUp(all: readonly Loss[]): Loss {
  const add = (end: keyof Loss) => all.reduce((sum, one) => sum + one[end], 0);
  return { lost: add("lost"), low: add("low"), high: add("high") };
}

/** Shares out what limits of the power, or other lasting changes, cost to the periods. */
function shareChanges(checked: CheckResult, limits: boolean): Loss[] {
  const { change, periods } = checked;
  const time = periods[periods.length - 1].end - periods[0].start;
  const all = change.changes.filter(({ kind, from, to, hoursOfDay }) =>
    (kind === "limit") === limits &&
    (!limits || hoursOfDay.length < 24 || to - from < ALWAYS * time)
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
 * Splits the deviation from a normal production in the fixed order wind, air density, availability, limited power, a lasting
 * change, unexplained. What cannot be separated is one step, never a zero.
 *
 * @param checked Periods with what they lost in outages
 * @param range The periods that are asked for. @default all
 * @throws {ArgumentError} If none of them can be compared
 */
export function splitDeviation(
  checked: CheckResult,
  band: NormalBand | null,
  range?: PeriodRange,
): DeviationSteps {
  const { by, stopsSeen } = checked;
  const compared = checked.periods.filter(isCompared);
  const all = compared.filter(({ number }) =>
    range === undefined || (number >= range.from && number <= range.to)
  );
  if (range && all.length === 0) {
    const [first, last] = [compared[0], compared[compared.length - 1]];
    refuse(
      first
        ? `${range.asked} is not one of the ${by}s that are compared, ${first.label} to ${last.label}`
        : `${range.asked} cannot be compared: no ${by} can`,
    );
  }
  const [limits, changes] = [true, false].map((asked) => shareChanges(checked, asked));
  const hasLost = (all: readonly Loss[]) => all.some(({ lost }) => lost !== 0);
  const [isLimited, isChanged] = [limits, changes].map(hasLost);
  const ofPeriod = (all: readonly Loss[], period: PeriodResult) =>
    all[checked.periods.indexOf(period)];
  const notes: PerformanceFound[] = [];
  const unseen = stopsSeen ? [] : [NAMES.availability];
  if (!stopsSeen) {
    notes.push({ code: "stops_unseen", by });
  }
  const stops: Rule[] = stopsSeen
    ? [[NAMES.availability, ({ outages }) => lose("outages", outages)]]
    : [];
  const lasting: Rule[] = [
    ...(isLimited ? [[NAMES.limited, ({ limits }) => lose("limits", limits)] as Rule] : []),
    ...(isChanged ? [[NAMES.change, ({ changes }) => lose("changes", changes)] as Rule] : []),
  ];
  const lostOf = ({ outages, limits, changes }: Sums) =>
    (stopsSeen ? outages.lost : 0) + (isLimited ? limits.lost : 0) + (isChanged ? changes.lost : 0);
  const made: Rule = [NAMES.produced, ({ produced }) => certain(produced)];
  const rest: Rule = [
    joinSteps(...unseen, NAMES.unexplained),
    (sums) => {
      const { energy, reach } = byModel(sums.produced - sums.predicted + lostOf(sums), sums);
      const outages = stopsSeen ? gain("outages", sums.outages) : {};
      const limits = isLimited ? gain("limits", sums.limits) : {};
      const changes = isChanged ? gain("changes", sums.changes) : {};
      return { energy, reach: { ...reach, ...outages, ...limits, ...changes } };
    },
  ];
  const known = all.filter(({ normal }) => Number.isFinite(normal));
  const periods = known.length > 0 ? known : all;
  const begin: Rule[] = known.length > 0
    ? [[NAMES.normal, ({ normal }) => certain(normal)], ...splitWeather(known)]
    : [[NAMES.predicted, ({ predicted }) => certain(predicted)]];
  const rules = [...begin, ...stops, ...lasting, rest, made];
  if (known.length === 0) {
    notes.push({ code: "normal_unknown" });
  } else if (known.length < all.length) {
    const left = all.filter(({ normal }) => !Number.isFinite(normal));
    notes.push({ code: "steps_leave_out", periods: left.map(({ label }) => label) });
  }
  const build = (sums: Sums): Steps => new Map(rules.map(([name, step]) => [name, step(sums)]));
  const sums = periods.map((period) => ({
    ...period,
    error: computeModelError(band, period.predicted),
    outages: { lost: period.lost, ...period.lostInterval },
    limits: ofPeriod(limits, period),
    changes: ofPeriod(changes, period),
  }));
  const add = (name: "produced" | "predicted" | "normal" | "density") =>
    sums.reduce((sum, one) => sum + one[name], 0);
  return {
    whole: build({
      produced: add("produced"),
      predicted: add("predicted"),
      normal: add("normal"),
      density: add("density"),
      error: Math.hypot(...sums.map(({ error }) => error)),
      outages: {
        ...addUp(sums.map(({ outages }) => outages)),
        // Outages in periods that the steps leave out are not part of them.
        ...combineIntervals(
          periods.length === checked.periods.length
            ? checked.outages
            : sums.map(({ outages }) => outages),
        ),
      },
      limits: addUp(sums.map(({ limits }) => limits)),
      changes: addUp(sums.map(({ changes }) => changes)),
    }),
    periods: sums.map((own, i) => ({ ...own, period: periods[i], steps: build(own) })),
    notes,
  };
}
