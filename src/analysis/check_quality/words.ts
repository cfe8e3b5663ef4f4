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
      `${month} (${formatShare(share)} %${cut === null ? "" : `, the record ${cut} there`})`
    ).join(", ");
    return `From the first row to the last, ${formatShare(share)} % of the hours have a value.` +
      (months && ` The least complete months are ${months}${more > 0 ? ` and ${more} more` : ""}.`);
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
      : `${findings} cases with ${
        formatNumber(hours, hours % 1 === 0 ? 0 : 1)
      } h in total. The longest case: `;
    return `${name[0].toUpperCase()}${name.slice(1)}: ${all}${longest}, from ${from}. ${remedy}.`;
  },
  lag: (
    { median, low, high, months }: Record<"median" | "low" | "high" | "months", number>,
  ) =>
    `The series lags the model by ${median.toFixed(2)} h (median of ${
      formatCount(months, "month")
    }). Single months range from ${low.toFixed(2)} to ${high.toFixed(2)} h.`,

  without_stamp: ({ count }: { count: number }) =>
    `The check leaves out ${formatCount(count, "row")} without a timestamp.`,
  no_model: () => "To check for time shifts, give model data as { predicted }.",
  no_zone: () =>
    "Months are in UTC, and the check does not look for clock changes. To get local months and find clock changes, give the time zone of the turbine as { timeZone }.",
  no_rated_power: () =>
    "To check for standstill, stuck values, impossible power and wrong units, give { ratedPower } in kW.",
  no_rated_power_of_periods: () =>
    "To check for standstill, impossible energy and wrong units, give { ratedPower } in kW. For a park, give the sum of its turbines.",
  no_hours: () =>
    "Monthly or annual production does not show time shifts or short stops. Give hourly production.",
  shares_of_years: () =>
    "The production is annual, so each month shows the completeness of its year.",
  not_production: ({ column }: { column: string }) =>
    `The check did not use the rated power or the neighbours, because "${column}" is not production.`,
  no_neighbours: () =>
    "To find stops shorter than three days, the check needs turbines nearby. Give { neighbours }.",
  neighbour_unused: ({ neighbour, reason }: { neighbour: string; reason: string }) =>
    `The check did not use neighbour ${neighbour}: ${reason}.`,
  unit_in_doubt: () => "The unit may be wrong, so the check did not examine the values further.",
  between_hours: () =>
    "The check could not look for time shifts, because the hours of the series and of the model start at different minutes.",
  few_lags: ({ lags, months }: { lags: number; months: number }) =>
    `The check could measure the lag in only ${lags} of ${months} months. The other months have constant values, or ` +
    "fewer than 240 hours in common with the model.",
  no_half_hours: () =>
    "Hourly values cannot show a shift of half an hour, because the distance to the climate point can cause the same lag. " +
    "Give 10-minute values to check for it.",
  smallest_lag: () =>
    "The check does not find lags below a quarter of an hour. It finds a lag of half an hour only if the turbine is " +
    "near the climate point. Weather moving at 11 m/s needs half an hour to cover 20 km.",
  ...readingWords,
};

/** Findings of a quality check. */
export type QualityFinding = FindingOf<typeof words>;
