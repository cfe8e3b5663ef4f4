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

/** Completeness of a month, as a sentence names it. */
interface MonthFigure {
  readonly month: string;
  /** 0 to 1. */
  readonly share: number;
  /** Whether the record begins or ends within it. */
  readonly cut: string | null;
}

const rows = (count: number) => `${count} row${count === 1 ? "" : "s"}`;

/** Sentences of a quality check, by what was found. */
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

  without_stamp: ({ count }: { count: number }) => `${rows(count)} without a stamp left out.`,
  no_model: () =>
    "Shifts in time are not searched without a model. Give { predicted }: model data.",
  no_zone: () =>
    "Months are those of UTC, and clock changes are not searched. Give the zone of the turbine as { timeZone }.",
  no_rated_power: () =>
    "Standstill, stuck values, impossible power and wrong units are not searched without the rated power. Give { ratedPower } in kW.",
  no_rated_power_of_periods: () =>
    "Standstill, impossible energy and wrong units are not searched without the rated power. Give { ratedPower } in kW: " +
    "of a park that of all its turbines.",
  no_hours: () =>
    "Shifts and short stops cannot be found in months or years. Give hourly production.",
  shares_of_years: () => "The completeness of a year is that of each of its months.",
  not_production: ({ column }: { column: string }) =>
    `The rated power and neighbours are for production; "${column}" is not production.`,
  no_neighbours: () =>
    "Stops of less than three days are not searched without turbines nearby. Give { neighbours }.",
  neighbour_unused: ({ neighbour, reason }: { neighbour: string; reason: string }) =>
    `Neighbour ${neighbour} is not used: ${reason}.`,
  unit_in_doubt: () => "Values are not checked further, since their unit may be wrong.",
  between_hours: () =>
    "A shift in time is not checked: the hours of the series begin between those of the model.",
  few_lags: ({ lags, months }: { lags: number; months: number }) =>
    `A lag is given for ${lags} of ${months} months: the others have fewer than 240 hours with a value on both sides, or ` +
    "do not vary.",
  no_half_hours: () =>
    "Half an hour cannot be found in hourly values: it moves them by half a step, like the distance to a climate point. " +
    "Give 10-minute values to look for it.",
  smallest_lag: () =>
    "A lag of less than a quarter of an hour is not found, and half an hour only where the climate point is near: weather " +
    "that moves at 11 m/s needs it for 20 km.",
  ...readingWords,
};

/** What a quality check found. */
export type QualityFound = Found<typeof words>;
