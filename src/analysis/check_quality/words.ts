import { formatCount, formatNumber, formatShare } from "../../show/text/numbers.ts";
import { type FindingOf, readingWords } from "../series/answer.ts";

/** Units of the figures of findings, by name. */
export const units = {
  hours: "h",
  median: "h",
  low: "h",
  high: "h",
  apart: "h",
} as const;

/** Completeness of a month, for a sentence. */
interface MonthFigure {
  readonly month: string;
  /** Completeness, 0 to 1. */
  readonly share: number;
  /** Whether the record begins or ends within it. */
  readonly cut: string | null;
}

/** Sentences of a quality check, by finding code. */
export const words = {
  complete: (
    { share, least, more }: { share: number; least: readonly MonthFigure[]; more: number },
  ) => {
    const months = least.map(({ month, share, cut }) =>
      `${month} (${formatShare(share)} %${cut === null ? "" : `, the record ${cut} in it`})`
    ).join(", ");
    return `${formatShare(share)} % of the hours from the first row to the last have a value.` +
      (months && ` The least complete months: ${months}${more > 0 ? ` and ${more} more` : ""}.`);
  },
  no_problems: () => "The checks found no problems.",
  problem: (
    { kind, findings, hours, longest, from, remedy }:
      & Record<"kind" | "longest" | "from" | "remedy", string>
      & { hours: number; findings: number },
  ) => {
    const name = kind.replaceAll("_", " ");
    const all = findings === 1
      ? ""
      : `${findings} findings, ${
        formatNumber(hours, hours % 1 === 0 ? 0 : 1)
      } h in total. The longest: `;
    return `${name[0].toUpperCase()}${name.slice(1)}: ${all}${longest}, from ${from}. ${remedy}.`;
  },
  lag: (
    { median, low, high, months }: Record<"median" | "low" | "high" | "months", number>,
  ) =>
    `The median lag behind the model is ${median.toFixed(2)} h over ${
      formatCount(months, "month")
    } (${low.toFixed(2)} to ${high.toFixed(2)} h).`,

  without_stamp: ({ count }: { count: number }) =>
    `The check leaves out ${formatCount(count, "row")} without a timestamp.`,
  no_model: () =>
    "Time shifts were not checked, because the model data are missing. Give them as { predicted }.",
  no_zone: () =>
    "Months are in UTC, and clock changes were not checked. Give the time zone of the turbine as { timeZone }.",
  no_rated_power: () =>
    "Standstill, stuck values, impossible power and wrong units were not checked, because the rated power is missing. Give { ratedPower } in kW.",
  no_rated_power_of_periods: () =>
    "Standstill, impossible energy and wrong units were not checked, because the rated power is missing. " +
    "Give { ratedPower } in kW; for a park, give the sum of its turbines.",
  no_hours: () => "Months or years cannot show shifts and short stops. Give hourly production.",
  shares_of_years: () => "Each month has the completeness of its year.",
  not_production: ({ column }: { column: string }) =>
    `The rated power and neighbours were not used, because "${column}" is not production.`,
  no_neighbours: () =>
    "Stops of less than three days were not checked, because that needs turbines nearby. Give { neighbours }.",
  neighbour_unused: ({ neighbour, reason }: { neighbour: string; reason: string }) =>
    `Neighbour ${neighbour} was not used: ${reason}.`,
  unit_in_doubt: () => "Values were not checked further, because their unit may be wrong.",
  between_hours: () =>
    "Time shifts were not checked, because the hours of the series begin between the hours of the model.",
  few_lags: ({ lags, months }: { lags: number; months: number }) =>
    `Only ${lags} of ${months} months have a lag. The others have fewer than 240 hours with both values, or ` +
    "their values do not vary.",
  no_half_hours: () =>
    "Hourly values cannot show a shift of half an hour, because the distance to a climate point looks the same. " +
    "Give 10-minute values to check for it.",
  smallest_lag: () =>
    "The check cannot find a lag of less than a quarter of an hour. It finds half an hour only if the climate point " +
    "is near, because weather that moves at 11 m/s takes half an hour for 20 km.",
  ...readingWords,
};

/** Findings of a quality check. */
export type QualityFinding = FindingOf<typeof words>;
