import { formatNumber, formatSigned } from "../../show/text/numbers.ts";
import { type Found, readingWords } from "../series/findings.ts";

/** Units of the figures of findings, by name. */
export const units = {
  hours: "h",
  lag: "h",
  away: "km",
  trend: "% per decade",
  trend_low: "% per decade",
  trend_high: "% per decade",
} as const;

/** Largest number of candidates that a sentence names. */
const MAX_NAMED = 8;

/** Formats a correlation to the three decimals of the ranking. */
export const formatCorrelation = (r: number): string => r.toFixed(3);

const formatNames = (names: readonly string[]) => names.slice(0, MAX_NAMED).join(", ");

/** Remarks on one candidate, as parts of a sentence: the frame of the candidates joins them. */
export const candidateWords = {
  no_overlap: ({ from, to }: { from: string; to: string }) =>
    `no overlap: its record is ${from} to ${to}`,
  short_overlap: () =>
    "it overlaps less than half as long as another candidate: its r is of another time",
  not_comparable: ({ best }: { best: string }) =>
    `too few months in common with ${best} for a comparison`,
  differs: ({ best, months }: { best: string; months: number }) =>
    `by monthly r it differs from ${best} by more than chance (${months} months)`,
  not_distinguishable: ({ best, months }: { best: string; months: number }) =>
    `by monthly r it does not differ significantly from ${best} (${months} months)`,
  other_months: ({ best }: { best: string }) =>
    `its monthly r is of different months than that of ${best}`,
  no_trend: ({ years }: { years: number }) =>
    `no trend: ${years} whole year${years === 1 ? "" : "s"} of its record`,
  trend: (
    { trend, trend_low, trend_high }: { trend: number; trend_low: number; trend_high: number },
  ) =>
    `its wind has a trend of ${formatSigned(trend, 1)} % per decade (90 % interval ${
      formatSigned(trend_low, 1)
    } to ${formatSigned(trend_high, 1)}): a long-term mean depends on the years`,
  short_trend: ({ years }: { years: number }) => `trend of ${years} years only`,
  no_distance: () => "no distance: its location is unknown",
  no_trend_of: ({ column }: { column: string }) => `no trend: "${column}" is not a wind speed`,
  of_months: () => "its values are of months: no hourly r, lag and trend",
  few_months: ({ needed, share }: { needed: number; share: number }) =>
    `fewer than ${needed} months with ${100 * share} % of their hours in both: no monthly r`,
  months_alike: () => "no monthly r: its months or those of the production do not vary",
  lag: ({ lag, least, unlagged_r }: { lag: number; least: boolean; unlagged_r: number }) =>
    `production comes ${least ? "at least " : ""}${Math.abs(lag)} h ${
      lag > 0 ? "later" : "earlier"
    } than it (without that hourly r ${
      formatCorrelation(unlagged_r)
    }): check the zone of its stamps`,
  no_lag: () => "the correlation of its hours with the production is too low for a lag",
  between_hours: () => "its hours begin between those of the production, which lowers hourly r",
  few_hours: ({ needed }: { needed: number }) => `fewer than ${needed} hours in both: no hourly r`,
  hours_alike: () => "no hourly r: its hours or those of the production do not vary",
  ...readingWords,
};

/** A remark on a candidate. */
export type CandidateFound = Found<typeof candidateWords>;

/** Sentences of a comparison of references, by what was found. */
export const words = {
  best: (
    { reference, hourly_r, hours, monthly_r, monthly_r_low, monthly_r_high, months, away }: {
      reference: string;
      hourly_r: number | null;
      hours: number | null;
      monthly_r: number | null;
      monthly_r_low: number | null;
      monthly_r_high: number | null;
      months: number;
      away: number | null;
    },
  ) =>
    `First: ${reference}, ${
      [
        ...(hourly_r === null
          ? []
          : [`hourly r ${formatCorrelation(hourly_r)} (${formatNumber(hours!)} h)`]),
        ...(monthly_r === null ? [] : [
          `monthly r ${formatCorrelation(monthly_r)} (90 % interval ${
            formatCorrelation(monthly_r_low!)
          } to ${formatCorrelation(monthly_r_high!)}, ${months} months)`,
        ]),
      ].join(", ") || "without a correlation"
    }${away === null ? "" : `, ${away.toFixed(1)} km away`}.`,
  as_good_as_best: ({ references }: { references: readonly string[] }) =>
    `By monthly r these do not differ from it significantly: ${formatNames(references)}.`,
  without_overlap: ({ references }: { references: readonly string[] }) =>
    `Without overlap: ${formatNames(references)}.`,
  ranked_by: (
    { by, why, months }: {
      by: "monthly" | "hourly";
      why: "enough" | "enough_but_short" | "few" | "no_hourly_r";
      months: number;
    },
  ) => {
    const all = `all have ${months} months or more in common with the production`;
    const reason = {
      enough: all,
      enough_but_short: `${all}, except short overlaps`,
      few:
        `not all have ${months} months in common with the production, and with few months it is ` +
        "mostly the season",
      no_hourly_r: "hourly r is unknown",
    }[why];
    return `Ranked by ${by} r to three decimals (${
      by === "monthly" ? reason : `instead of monthly r: ${reason}`
    }), then by the smaller lag and the smaller distance; candidates without it follow, and after ` +
      "them those with less than half of the longest overlap. A trend is a warning and does not count.";
  },

  left_out: ({ periods }: { periods: readonly string[] }) =>
    `Left out, with less than half of their hours: ${periods.join(", ")}.`,
  no_distances: () => "No distances: give the location of the turbine as { place }.",
  season_in_r: () =>
    "The monthly r includes the season, which all references share: among months of the same " +
    "name it is lower. Power does not follow the wind in a straight line, so a small difference " +
    "of r may be one of the mean wind.",
  ...readingWords,
};

/** What a comparison of references found. */
export type ReferenceFound = Found<typeof words>;
