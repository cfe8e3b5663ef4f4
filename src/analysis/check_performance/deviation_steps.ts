import { joinNames } from "../../show/text/numbers.ts";
import type { CheckResult, PeriodResult } from "./check_result.ts";
import { combineIntervals, type LossInterval } from "./lost_energy.ts";
import type { PerformanceFound } from "./words.ts";

/** Names of the steps of a deviation, in their fixed order. */
const NAMES = {
  normal: "Normal production",
  predicted: "Predicted production",
  wind: "Wind",
  density: "Air density",
  availability: "Availability",
  unexplained: "Unexplained",
  produced: "Produced",
} as const;

/**
 * How a step changes with the energy lost in outages: 1 if it grows with it, -1 if it falls, 0 if it does not depend on
 * it.
 */
type LossSign = 1 | 0 | -1;

/** Steps from the expected to the produced energy. */
export interface DeviationSteps {
  /** Names of the steps: a total, the changes, a total. */
  readonly names: readonly string[];
  /** How each step follows the lost energy: with that, they share its interval. */
  readonly signs: readonly LossSign[];
  /** Ends of the 90 % interval of the energy lost in all periods; NaN without one. */
  readonly lostInterval: LossInterval;
  /** Energy of each step in each period, MWh; the changes lead from the first exactly to the last. */
  readonly periods: readonly { readonly period: PeriodResult; readonly energies: number[] }[];
  /** Steps that could not be separated, and the data that would separate them. */
  readonly notes: readonly PerformanceFound[];
}

/** A step, and its energy in a period. */
type Step = readonly [name: string, energy: (period: PeriodResult) => number, sign?: LossSign];

/** Joins names of steps: "Wind, air density and unexplained". */
const joinSteps = (...names: readonly string[]): string =>
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
    ]];
  }
  return [
    [NAMES.wind, ({ predicted, density, normal }) => predicted - density - normal],
    [NAMES.density, ({ density }) => density],
  ];
}

/**
 * Splits the deviation from a normal production in the fixed order wind, air density, availability, unexplained. What
 * cannot be separated is one step, never a zero.
 *
 * @param checked Periods with what they lost in outages
 * @param basis Where the expected energies come from
 */
export function splitDeviation(
  checked: CheckResult,
  basis: "predictions" | "production normals",
): DeviationSteps {
  const { by, stopsSeen } = checked;
  const all = checked.periods.filter(isCompared);
  const notes: PerformanceFound[] = [];
  const unseen = stopsSeen ? [] : [NAMES.availability];
  if (!stopsSeen) {
    notes.push({ code: "stops_unseen", by });
  }
  const stops: Step[] = stopsSeen ? [[NAMES.availability, ({ lost }) => 0 - lost, -1]] : [];
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
        stopsSeen ? 1 : 0,
      ],
      made,
    ];
    notes.push({ code: "wind_unknown" });
  } else {
    const rest: Step = [
      joinSteps(...unseen, NAMES.unexplained),
      ({ produced, predicted, lost }) => produced - predicted + (stopsSeen ? lost : 0),
      stopsSeen ? 1 : 0,
    ];
    const known = all.filter(({ normal }) => Number.isFinite(normal));
    if (known.length === 0) {
      steps = [[NAMES.predicted, ({ predicted }) => predicted], ...stops, rest, made];
      notes.push({ code: "normal_unknown" });
    } else {
      periods = known;
      steps = [
        [NAMES.normal, ({ normal }) => normal],
        ...splitWeather(known),
        ...stops,
        rest,
        made,
      ];
      if (known.length < all.length) {
        const left = all.filter(({ normal }) => !Number.isFinite(normal));
        notes.push({ code: "steps_leave_out", periods: left.map(({ label }) => label) });
      }
    }
  }
  return {
    names: steps.map(([name]) => name),
    signs: steps.map(([, , sign = 0]) => sign),
    // Outages in periods that the steps leave out are not part of them.
    lostInterval: periods.length === checked.periods.length
      ? combineIntervals(checked.outages)
      : combineIntervals(periods.map(({ lost, lostInterval }) => ({ lost, ...lostInterval }))),
    periods: periods.map((period) => ({
      period,
      energies: steps.map(([, energy]) => energy(period)),
    })),
    notes,
  };
}
