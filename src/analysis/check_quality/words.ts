import { formatNumber, formatShare } from "../../show/text/numbers.ts";
import { type Found, readingWords } from "../series/answer.ts";

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

const rows = (count: number) => `${count} row${count === 1 ? "" : "s"}`;

/** Sentences of a quality check, by finding code. */
export const words = {
  complete: (
    { share, least, more }: { share: number; least: readonly MonthFigure[]; more: number },
  ) => {
    const months = least.map(({ month, share, cut }) =>
      `${month} ${formatShare(share)} %${cut === null ? "" : ` (the record ${cut} in it)`}`
    ).join(", ");
    return `${formatShare(share)} % of the hours from the first row to the last have a value` +
      (months && `; the least complete months: ${months}${more > 0 ? ` and ${more} more` : ""}`) +
      ".";
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
      } h together; the longest: `;
    return `${name[0].toUpperCase()}${name.slice(1)}: ${all}${longest}, from ${from}. ${remedy}.`;
  },
  lag: (
    { median, low, high, months }: Record<"median" | "low" | "high" | "months", number>,
  ) =>
    `Lag behind the model: ${median.toFixed(2)} h in the median of ${months} month${
      months === 1 ? "" : "s"
    }, from ${low.toFixed(2)} to ${high.toFixed(2)} h.`,

  without_stamp: ({ count }: { count: number }) => `Left out: ${rows(count)} without a timestamp.`,
  no_model: () => "Time shifts are not checked without model data. Give them as { predicted }.",
  no_zone: () =>
    "Months are in UTC, and clock changes are not checked. Give the time zone of the turbine as { timeZone }.",
  no_rated_power: () =>
    "Standstill, stuck values, impossible power and wrong units are not checked without the rated power. Give { ratedPower } in kW.",
  no_rated_power_of_periods: () =>
    "Standstill, impossible energy and wrong units are not checked without the rated power. Give { ratedPower } in kW, " +
    "for a park the sum of its turbines.",
  no_hours: () => "Months or years cannot show shifts and short stops. Give hourly production.",
  shares_of_years: () => "Each month has the completeness of its year.",
  not_production: ({ column }: { column: string }) =>
    `The rated power and neighbours are not used, because "${column}" is not production.`,
  no_neighbours: () =>
    "Stops of less than three days are not checked without turbines nearby. Give { neighbours }.",
  neighbour_unused: ({ neighbour, reason }: { neighbour: string; reason: string }) =>
    `Neighbour ${neighbour} is not used: ${reason}.`,
  unit_in_doubt: () => "Values are not checked further, because their unit may be wrong.",
  between_hours: () =>
    "Time shifts are not checked, because the hours of the series begin between the hours of the model.",
  few_lags: ({ lags, months }: { lags: number; months: number }) =>
    `${lags} of ${months} months have a lag. The others have fewer than 240 hours with a value on both sides, or ` +
    "do not vary.",
  no_half_hours: () =>
    "Hourly values cannot show a shift of half an hour: it looks like the distance to a climate point. " +
    "Give 10-minute values to check for it.",
  smallest_lag: () =>
    "A lag of less than a quarter of an hour is not found, and half an hour only if the climate point is near. Weather " +
    "that moves at 11 m/s takes half an hour for 20 km.",
  ...readingWords,
};

/** Findings of a quality check. */
export type QualityFound = Found<typeof words>;
