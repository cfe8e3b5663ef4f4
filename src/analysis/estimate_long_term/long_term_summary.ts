import { STANDSTILL_HOURS } from "../../screening/values/hourly_power.ts";
import { formatNumber } from "../../show/text/number.ts";
import { INTERVAL_LEVEL, MIN_YEARS } from "../../windindex/uncertainty.ts";
import { computeExceedance } from "./exceedance.ts";
import { type IndexPeriod, isUsable } from "./index_periods.ts";
import { type Estimate, type Estimates, METHODS } from "./methods.ts";
import { NORMAL_95, SEASON_SPREAD } from "../series/mean_uncertainty.ts";

/** What the sentences are made of. */
export interface LongTermFacts extends Estimates {
  /** The months or years of the record. */
  readonly periods: readonly IndexPeriod[];
  /** "month" or "year". */
  readonly unit: string;
  /** Standard deviation of years over their mean, as a share. */
  readonly interAnnualVariability: number | null;
  /** Whole years that the indices have. */
  readonly years: number;
  /** Whether the caller gave the variability. */
  readonly declared: boolean;
}

/** Share by which methods may differ without a word. */
const SAME = 0.0005;

/** Most periods that a line names. */
const MAX_NAMED = 12;

const formatShare = (value: number) => `${formatNumber(100 * value, 1)} %`;

/** Energy with as many decimals as it is worth. */
export function formatEnergy(energy: number): string {
  return `${formatNumber(energy, energy < 100 ? 2 : energy < 1000 ? 1 : 0)} MWh`;
}

function describeEstimate({ method, energy, width, months, hours }: Estimate): string {
  const [low, high] = [energy / Math.exp(width), energy * Math.exp(width)];
  const from = hours === null ? `${months} months` : `${formatNumber(hours)} h`;
  return `By ${method === METHODS.ratio ? "the " : ""}${method} a normal year gives ${
    formatEnergy(energy)
  }, ${INTERVAL_LEVEL} % interval ` +
    `${formatEnergy(low)} to ${formatEnergy(high)}, from ${from}.`;
}

/** What the result says, in sentences. */
export function writeSummary(facts: LongTermFacts): string[] {
  const { estimates, interAnnualVariability } = facts;
  const lines = estimates.map(describeEstimate);
  if (estimates.length > 1) {
    const energies = estimates.map(({ energy }) => energy);
    const mean = energies.reduce((sum, energy) => sum + energy, 0) / energies.length;
    const apart = (Math.max(...energies) - Math.min(...energies)) / mean;
    const least = Math.min(...estimates.map(({ width }) => width));
    lines.push(
      `The methods lie ${formatShare(apart)} apart${
        apart > Math.max(least, SAME)
          ? ", more than the narrowest interval reaches to one side: look at the months far from the line"
          : ""
      }.`,
    );
  }
  const [{ energy: p50, uncertainty }] = estimates;
  const expected = { p50, uncertainty, interAnnualVariability };
  const [one, ten] = [computeExceedance(expected, 90, 1), computeExceedance(expected, 90, 10)];
  if (one !== null && ten !== null) {
    lines.push(
      `Of ten single years nine give more than ${formatEnergy(one)} (P90); ` +
        `the mean of ten years is above ${formatEnergy(ten)} with 90 %.`,
    );
  }
  return lines;
}

/** The periods left out, with their reasons. */
export function describeLeftOut(periods: readonly IndexPeriod[], unit: string): string[] {
  const left = periods.filter((period) => !isUsable(period));
  if (left.length === 0) return [];
  const named = left.slice(0, MAX_NAMED).map(({ label, reason }) => `${label} (${reason})`);
  const more = left.length - named.length;
  return [
    `Left out, ${left.length} of ${periods.length} ${unit}s: ${named.join(", ")}` +
    `${more > 0 ? ` and ${more} more` : ""}.`,
  ];
}

function describeVariability(
  { interAnnualVariability, declared, years }: LongTermFacts,
): string {
  if (interAnnualVariability === null) {
    return `No P75 and P90: how much years differ takes ${MIN_YEARS} whole years of indices, ` +
      `there are ${years}. Give more months of indices, or { interAnnualVariability } in %.`;
  }
  const said = `Years differ by ${formatShare(interAnnualVariability)} (standard deviation)`;
  return declared ? `${said}, as the caller says.` : `${said}, as the ${years} whole years of ` +
    `the indices do. Their own mean may miss the climate's by ${
      formatShare(interAnnualVariability / Math.sqrt(years))
    }: that is in no figure here.`;
}

/** What was left out, and what could not be told. */
export function listNotes(facts: LongTermFacts): string[] {
  const { estimates, missing, timeStep, periods, unit } = facts;
  const gap = Math.max(...estimates.map((estimate) => estimate.gap));
  // What is left out for all methods is said once.
  const kept = new Set(periods.filter(isUsable).map(({ label }) => label));
  const outages = timeStep?.periods.filter(({ used, label }) => !used && kept.has(label)) ?? [];
  return [
    ...describeLeftOut(periods, unit),
    ...(outages.length === 0 ? [] : [
      `The time-step calibration is made without ${
        outages.slice(0, MAX_NAMED).map(({ label, reason }) => `${label} (${reason})`).join(", ")
      }${outages.length > MAX_NAMED ? ` and ${outages.length - MAX_NAMED} more` : ""}.`,
    ]),
    ...missing,
    ...(timeStep?.notes ?? []),
    // A year without a month or two is no matter of the season.
    ...(gap * SEASON_SPREAD * NORMAL_95 < 0.01 ? [] : [
      `The months lie unevenly in the year: for the season, the intervals are wider by up to ${
        formatShare(gap * SEASON_SPREAD * NORMAL_95)
      }, added in squares.`,
    ]),
    describeVariability(facts),
  ];
}

/** Which stops the estimate contains. */
export function describeStops(resolution: "hour" | "month" | "year"): string {
  const [stops, of] = resolution === "hour"
    ? [`Stops of less than ${STANDSTILL_HOURS} hours`, "the hours"]
    : ["Stops", `the ${resolution}s`];
  return `${stops} in ${of} that count are in the estimate: the normal year has as many of them.`;
}

/** What is known of the turbine. */
export interface TurbineKnowledge {
  readonly ratedPower: boolean;
  readonly zone: boolean;
}

/** What could not be looked for. */
export function listUnchecked(resolution: string, known: TurbineKnowledge): string[] {
  return [
    ...(known.ratedPower ? [] : [
      resolution === "hour"
        ? "Standstill is told by the largest hour of the record: give { details } with the rated power, which tells a wrong unit too."
        : "Without a rated power no wrong unit can be told, and standstill only where the energy is nothing or far too low: give { details }.",
    ]),
    ...(!known.zone && resolution === "hour"
      ? ["Months are those of UTC: give { details }, whose zone is that of the indices."]
      : []),
  ];
}
