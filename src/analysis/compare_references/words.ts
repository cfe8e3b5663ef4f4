import { formatNumber, formatSigned } from "../../show/text/numbers.ts";
import { type Found, readingWords } from "../series/answer.ts";

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

/** Figures of a candidate: `hours` are unknown where one side has months, `years` where it is not a wind speed. */
export type ReferenceFigures = Readonly<
  Record<
    WithEnds<"monthly_r"> | "hourly_r" | "bias" | "hours" | WithEnds<"trend"> | "years",
    number | null
  >
>;

/** Largest number of candidates that a sentence names. */
const MAX_NAMED = 8;

const formatCorrelation = (r: number) => r.toFixed(3);

/** Remarks on one candidate, as parts of a sentence: the frame of the candidates joins them. */
export const candidateWords = {
  no_overlap: ({ from, to }: { from: string; to: string }) =>
    `no overlap: its record is ${from} to ${to}`,
  short_overlap: () =>
    "it overlaps less than half as long as another candidate: its r is of another time",
  trend: (
    { trend, trend_low, trend_high }: Record<"trend" | "trend_low" | "trend_high", number>,
  ) =>
    `its wind has a trend of ${formatSigned(trend, 1)} % per decade (90 % interval ${
      formatSigned(trend_low, 1)
    } to ${formatSigned(trend_high, 1)}): a long-term mean depends on the years`,
  of_months: () => "its values are of months: no hourly r and trend",
  few_months: ({ needed, share }: Record<"needed" | "share", number>) =>
    `fewer than ${needed} months with ${100 * share} % of their hours in both: no monthly r`,
  months_alike: () => "no monthly r: its months or those of the production do not vary",
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
    { name, hourly_r, hours, monthly_r, monthly_r_low, monthly_r_high, months, ...own }:
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
    const away = own.distance_to_request_location;
    return `First: ${name}, ${known.join(", ") || "without a correlation"}${
      away === null ? "" : `, ${away.toFixed(1)} km away`
    }.`;
  },
  without_overlap: ({ references }: { references: readonly string[] }) =>
    `Without overlap: ${references.slice(0, MAX_NAMED).join(", ")}.`,
  ranked_by: (
    { by, enough, months }: { by: "monthly_r" | "hourly_r"; enough: boolean; months: number },
  ) =>
    `Ranked by ${by.replace("_", " ")} to three decimals (${
      enough
        ? `all but short overlaps have ${months} months or more in common with the production`
        : by === "hourly_r"
        ? `not all have ${months} months in common with the production, and with few months the monthly r is mostly the season`
        : "hourly r is unknown"
    }), then by distance. Candidates without it follow, then those with less than half of the longest overlap. A trend ` +
    "is a warning and does not count.",

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
