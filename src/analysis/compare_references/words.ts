import { formatNumber, formatSigned, joinNames } from "../../show/text/numbers.ts";
import { type FindingOf, readingWords } from "../series/answer.ts";

/** Units of the figures of findings, by name. */
export const units = {
  hours: "h",
  bias: "%",
  distance_to_request_location: "km",
  trend: "% per decade",
  trend_low: "% per decade",
  trend_high: "% per decade",
} as const;

/** A figure with the ends of its 90 % interval. */
type WithEnds<Name extends string> = Name | `${Name}_low` | `${Name}_high`;

/** Figures of a candidate: `hours` are unknown if one side has months, `years` if the column is not a wind speed. */
export type ReferenceFigures = Readonly<
  Record<
    WithEnds<"monthly_r"> | "hourly_r" | "bias" | "hours" | WithEnds<"trend"> | "years",
    number | null
  >
>;

const formatCorrelation = (r: number) => r.toFixed(3);

/** Remarks on one candidate, as parts of a sentence; the frame of the candidates joins them. */
export const candidateWords = {
  no_overlap: ({ from, to }: { from: string; to: string }) =>
    `it does not overlap the production, because its record is from ${from} to ${to}`,
  short_overlap: () =>
    "its overlap with the production is less than half of the longest overlap, so its r is for a different period",
  trend: (
    { trend, trend_low, trend_high }: Record<"trend" | "trend_low" | "trend_high", number>,
  ) =>
    `its wind has a trend of ${formatSigned(trend, 1)} % per decade (90 % interval ${
      formatSigned(trend_low, 1)
    } to ${
      formatSigned(trend_high, 1)
    }), so its long-term mean depends on the years that you choose`,
  of_months: () => "it has no hourly r and no trend, because its values are monthly",
  few_months: ({ needed, share }: Record<"needed" | "share", number>) =>
    `it has no monthly r, because fewer than ${needed} months have ${
      100 * share
    } % of their hours in common with the production`,
  months_alike: () =>
    "it has no monthly r, because its monthly values or the monthly production do not vary",
  between_hours: () =>
    "its hours and the hours of the production start at different minutes, which lowers its hourly r",
  few_hours: ({ needed }: { needed: number }) =>
    `it has no hourly r, because it has fewer than ${needed} hours in common with the production`,
  hours_alike: () =>
    "it has no hourly r, because its hourly values or the hourly production do not vary",
  ...readingWords,
};

/** A remark on a candidate. */
export type CandidateFinding = FindingOf<typeof candidateWords>;

/** Sentences of a comparison of references, by finding code. */
export const words = {
  best: (
    { name, hourly_r, hours, monthly_r, monthly_r_low, monthly_r_high, months, ...figures }:
      & ReferenceFigures
      & Readonly<{ name: string; months: number; distance_to_request_location: number | null }>,
  ) => {
    const known = [
      hourly_r !== null &&
      `hourly r ${formatCorrelation(hourly_r)} (${formatNumber(hours!)} h)`,
      monthly_r !== null &&
      `monthly r ${formatCorrelation(monthly_r)} (90 % interval ${
        formatCorrelation(monthly_r_low!)
      } to ${formatCorrelation(monthly_r_high!)}, ${months} months)`,
    ].filter((part) => part !== false);
    const away = figures.distance_to_request_location;
    return `${name}${away === null ? "" : ` (${away.toFixed(1)} km away)`} ${
      known.length > 0
        ? `fits best: ${known.join(", ")}`
        : "comes first, although its correlation is unknown"
    }.`;
  },
  without_overlap: ({ references }: { references: readonly string[] }) =>
    `Candidates that do not overlap the production come last: ${joinNames(references, 8)}.`,
  ranked_by: ({ by, long_enough, months }: {
    by: "monthly_r" | "hourly_r";
    long_enough: boolean;
    months: number;
  }) =>
    `The ranking uses ${
      by.replace("_", " ")
    }, rounded to three decimals, and then the distance. Candidates with ` +
    `less than half of the longest overlap come last. ${
      long_enough
        ? `All others have at least ${months} months in common with the production.`
        : by === "hourly_r"
        ? `Some of the others have fewer than ${months} months in common with the production. With so few months, ` +
          "monthly r mostly shows the season, so the ranking uses hourly r."
        : "Hourly r is unknown."
    } A trend does not change the rank.`,

  left_out: ({ periods }: { periods: readonly string[] }) =>
    `The comparison leaves out ${
      joinNames(periods)
    }, because less than half of the hours have values.`,
  no_distances: () => "The distances are unknown. Give the location of the turbine as { place }.",
  season_in_r: () =>
    "The monthly r includes the season, which all references share. For months of the same name only, r is lower. " +
    "A small difference in r may come from a different mean wind speed alone, because power is not proportional to wind speed.",
  ...readingWords,
};

/** Findings of a comparison of references. */
export type ReferenceFinding = FindingOf<typeof words>;
