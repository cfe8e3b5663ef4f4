import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { month, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { STANDSTILL_HOURS } from "../../screening/values/hourly_power.ts";
import { formatFigures, formatNumber } from "../../show/text/numbers.ts";
import {
  INTERVAL_LEVEL,
  MIN_YEARS,
  NORMAL_95,
  SEASON_PRIOR,
  YEAR_MOVE,
} from "../../windindex/uncertainty/error_terms.ts";
import { computeLevelWidth } from "../series/mean_uncertainty.ts";
import { computeExceedance } from "./exceedance.ts";
import { type Estimate, type Estimates, METHODS } from "./methods.ts";
import { type IndexPeriod, isUsable } from "./record.ts";

const [monthIndex, completeness] = pickColumns(monthlyIndicesFrame, [
  "month_index",
  "completeness",
]);
const [year] = productionColumns.year;

function declareEnergy(name: string, label: string, description: string): Column {
  return { name, dtype: "f64", unit: "MWh", label, description, tag: "ours" };
}

function declareExceedance(percent: number, years: 1 | 10): Column {
  const time = years === 1 ? "one year" : "ten years";
  return {
    ...declareEnergy(
      `p${percent}_${years}`,
      `P${percent}, ${time}`,
      `Energy a year that ${time} exceed${
        years === 1 ? "s" : ""
      } with ${percent} %: p50 less the uncertainty and ` + "the inter-annual variability.",
    ),
    range: [0, null],
  };
}

const hours: Column = {
  name: "hours",
  dtype: "i32",
  unit: "h",
  range: [0, null],
  label: "Hours compared",
  description: "Hours that the time-step calibration compares.",
  tag: "ours",
};

/** The estimates of `estimateLongTerm()`: one row a method. */
export const longTermColumns: readonly Column[] = [
  ownColumn("method", "utf8", "Method", "How the normal year is computed."),
  {
    ...declareEnergy(
      "p50",
      "Normal year",
      "Energy of a normal year: P50, for one year and for ten.",
    ),
    range: [0, null],
  },
  declareEnergy("low", "Low", "Lower end of the 90 % interval of the normal year."),
  declareEnergy("high", "High", "Upper end of the 90 % interval of the normal year."),
  {
    name: "uncertainty",
    dtype: "f64",
    unit: "%",
    range: [0, null],
    label: "Uncertainty",
    description: "Standard uncertainty of the normal year: a 90 % interval reaches 1.645 times it.",
    tag: "ours",
  },
  ...([1, 10] as const).flatMap((years) =>
    [75, 90].map((percent) => declareExceedance(percent, years))
  ),
  {
    name: "months",
    dtype: "i32",
    range: [1, null],
    label: "Months kept",
    description: "Months that the estimate uses; twelve for a year.",
    tag: "ours",
  },
  {
    name: "left_out",
    dtype: "i32",
    range: [0, null],
    label: "Months left out",
    description: "Months of the record that the estimate does not use.",
    tag: "ours",
  },
  hours,
];

const common: readonly Column[] = [
  declareEnergy(
    "produced",
    "Produced",
    "Energy produced, scaled to all hours of the period.",
  ),
  { ...monthIndex, description: "Month index; for a year the mean of its twelve months." },
  {
    ...completeness,
    description:
      "Share of the hours with production that counts, of months and years by their valid hours and " +
      "availability; null where only energy is known.",
    optional: false,
  },
  ownColumn("kept", "bool", "Kept", "Whether the 1200 method and the regression use it."),
  ownColumn("reason", "utf8", "Left out for", "Why it is left out; empty where it is kept."),
  hours,
];

/** The months of `estimateLongTerm()`. */
export const longTermMonths: readonly Column[] = [month, ...common];

/** The years of `estimateLongTerm()`, where production is annual. */
export const longTermYears: readonly Column[] = [year, ...common];

/** Input of the sentences. */
interface LongTermFacts extends Estimates {
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

/** Largest relative difference of methods without a remark. */
const SAME = 0.0005;

/** Largest number of periods that a line names. */
const MAX_NAMED = 12;

const formatShare = (value: number) => `${formatNumber(100 * value, 1)} %`;

/** Formats an energy. */
function formatEnergy(energy: number): string {
  return formatFigures([energy], "MWh");
}

function describeEstimate({ method, energy, width, months, hours }: Estimate): string {
  const [low, high] = [energy / Math.exp(width), energy * Math.exp(width)];
  const from = hours === null ? `${months} months` : `${formatNumber(hours)} h`;
  return `By ${method === METHODS.ratio ? "the " : ""}${method} a normal year gives ${
    formatEnergy(energy)
  }, ${INTERVAL_LEVEL} % interval ` +
    `${formatFigures([low, high], "MWh")}, from ${from}.`;
}

/** Writes the results in sentences. */
export function writeSummary(facts: LongTermFacts): string[] {
  const { estimates, interAnnualVariability } = facts;
  const lines = estimates.map(describeEstimate);
  if (estimates.length > 1) {
    const energies = estimates.map(({ energy }) => energy);
    const mean = energies.reduce((sum, energy) => sum + energy, 0) / energies.length;
    const apart = (Math.max(...energies) - Math.min(...energies)) / mean;
    const narrowest = Math.min(...estimates.map(({ width }) => width));
    lines.push(
      `The methods are ${formatShare(apart)} apart${
        apart > Math.max(narrowest, SAME)
          ? ", more than half of the narrowest interval: look at the months far from the line"
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

/** Describes the periods left out, with their reasons. */
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
    return `No P75 and P90: the inter-annual variability needs ${MIN_YEARS} whole years of indices, ` +
      `there are ${years}. Give more months of indices, or { interAnnualVariability } in %.`;
  }
  const sentence = `Years differ by ${formatShare(interAnnualVariability)} (standard deviation)`;
  return declared ? `${sentence}, as given.` : `${sentence}, as the ${years} whole years of ` +
    `the indices do. Their own mean may miss the climate's by ${
      formatShare(interAnnualVariability / Math.sqrt(years))
    }: no figure here includes that.`;
}

/** Describes what the level of the reanalysis adds to the intervals; nothing where years show it themselves. */
function describeLevel({ estimates, unit }: LongTermFacts): string[] {
  if (unit === "year" || estimates.length === 0) return [];
  const months = Math.max(...estimates.map((estimate) => estimate.months));
  const width = Math.sqrt(computeLevelWidth(months));
  return [
    `The level of a reanalysis moves by about ${formatShare(YEAR_MOVE)} from year to year, which ` +
    `${months} months hardly show: the intervals are wider by ${
      formatShare(width)
    }, added in squares.`,
  ];
}

/** Lists what was left out, and what could not be computed. */
export function listNotes(facts: LongTermFacts): string[] {
  const { estimates, missing, timeStep, periods, unit } = facts;
  const gap = Math.max(...estimates.map((estimate) => estimate.gap));
  // What is left out for all methods is listed once.
  const kept = new Set(periods.filter(isUsable).map(({ label }) => label));
  const outages = timeStep?.periods.filter(({ used, label }) => !used && kept.has(label)) ?? [];
  return [
    ...describeLeftOut(periods, unit),
    ...(outages.length === 0 ? [] : [
      `The time-step calibration leaves out ${
        outages.slice(0, MAX_NAMED).map(({ label, reason }) => `${label} (${reason})`).join(", ")
      }${outages.length > MAX_NAMED ? ` and ${outages.length - MAX_NAMED} more` : ""}.`,
    ]),
    ...missing,
    ...(timeStep?.notes ?? []),
    // A year without one or two months is not uneven.
    ...(gap * SEASON_PRIOR * NORMAL_95 < 0.01 ? [] : [
      `The months are unevenly distributed over the year: for the season, the intervals are wider by up to ${
        formatShare(gap * SEASON_PRIOR * NORMAL_95)
      }, added in squares.`,
    ]),
    ...describeLevel(facts),
    describeVariability(facts),
  ];
}

/**
 * Describes which stops the estimate contains.
 *
 * @param hasAvailability Whether energies are scaled by an availability
 */
export function describeStops(
  resolution: "hour" | "month" | "year",
  hasAvailability: boolean,
): string {
  if (hasAvailability && resolution !== "hour") {
    return "Energies are scaled by their availability: the normal year is that of a turbine which can " +
      "always run. Take off the losses that you expect.";
  }
  const [stops, of] = resolution === "hour"
    ? [`Stops of less than ${STANDSTILL_HOURS} hours`, "the hours"]
    : ["Stops", `the ${resolution}s`];
  return `${stops} in ${of} that count are in the estimate: the normal year has as many of them.`;
}

/** Which facts of the turbine are known. */
interface TurbineKnowledge {
  readonly ratedPower: boolean;
  /** Whether the indices have predicted energies. */
  readonly predicted: boolean;
  readonly zone: boolean;
}

/** Lists checks that were not possible. */
export function listUnchecked(resolution: string, known: TurbineKnowledge): string[] {
  return [
    ...(known.ratedPower ? [] : [
      resolution === "hour"
        ? "Standstill is found by the largest hour of the record: give { details } with the rated power."
        : "Without a rated power standstill is found only where the energy is 0 or far too low: give { details }.",
    ]),
    ...(known.ratedPower || known.predicted ? [] : [
      'Without a rated power or predicted energies a wrong unit is not found: give { details }, or indices with "predicted_production".',
    ]),
    ...(!known.zone && resolution === "hour"
      ? ["Months are those of UTC: give { details }, which have the zone of the indices."]
      : []),
  ];
}
