import { formatCorrelation } from "./words.ts";
import type { SingleCandidate } from "./candidates.ts";
import type { ReferenceFit } from "./fit.ts";

/** Fewest months in common for a ranking by monthly r: with fewer it is mostly season and chance. */
const RANKING_MONTHS = 24;

/** Smallest share of the longest overlap: below it a correlation is of another time than those of the others. */
const MIN_OVERLAP = 0.5;

/** Hours of a month on average. */
const MONTH = 730.5;

/** A candidate and its comparison with the production. */
export interface CandidateResult {
  readonly candidate: SingleCandidate;
  /** Its comparison with the production. */
  readonly fit: ReferenceFit;
  /** Distance from the turbine, km; `undefined` where a location is unknown. */
  readonly away: number | undefined;
}

/** Correlation by which candidates are ranked. */
type RankingKey = "hourly" | "monthly";

/** Whether a candidate has hours or months in common with the production. */
export function overlaps({ fit }: CandidateResult): boolean {
  return fit.pairs.length > 0 || (fit.hours ?? 0) > 0;
}

/** Overlap with the production, months. */
const overlapOf = ({ fit }: CandidateResult) =>
  fit.hours === undefined ? fit.pairs.length : fit.hours / MONTH;

/** Whether the overlap of a candidate is so much shorter than another that their correlations cannot be compared. */
export function isShort(own: CandidateResult, all: readonly CandidateResult[]): boolean {
  return overlapOf(own) < MIN_OVERLAP * Math.max(...all.map(overlapOf));
}

/** Chooses the correlation for the ranking, and writes the rule. */
export function chooseRule(all: readonly CandidateResult[]): { by: RankingKey; rule: string } {
  const counted = all.filter((each) => overlaps(each) && !isShort(each, all));
  const enough = counted.every(({ fit }) => fit.pairs.length >= RANKING_MONTHS);
  const hourly = counted.some(({ fit }) => fit.hourlyR !== undefined);
  const by = enough || !hourly ? "monthly" : "hourly";
  const why = enough
    ? `all have ${RANKING_MONTHS} months or more in common with the production` +
      (counted.length < all.filter(overlaps).length ? ", except short overlaps" : "")
    : hourly
    ? `not all have ${RANKING_MONTHS} months in common with the production, and with few months it is ` +
      "mostly the season"
    : "hourly r is unknown";
  const reason = by === "monthly" ? why : `instead of monthly r: ${why}`;
  return {
    by,
    rule:
      `Ranked by ${by} r to three decimals (${reason}), then by the smaller lag and the smaller ` +
      "distance; candidates without it follow, and after them those with less than half of the longest " +
      "overlap. A trend is a warning and does not count.",
  };
}

/** Builds the comparator of the ranking. */
export function buildComparator(by: RankingKey, all: readonly CandidateResult[]) {
  const firstR = ({ fit }: CandidateResult) => by === "hourly" ? fit.hourlyR : fit.monthly?.r;
  const otherR = ({ fit }: CandidateResult) => by === "hourly" ? fit.monthly?.r : fit.hourlyR;
  const rounded = (r: number | undefined) => Number(formatCorrelation(r ?? -2));
  return (a: CandidateResult, b: CandidateResult): number =>
    Number(overlaps(b)) - Number(overlaps(a)) ||
    Number(isShort(a, all)) - Number(isShort(b, all)) ||
    rounded(firstR(b)) - rounded(firstR(a)) ||
    Math.abs(a.fit.lag ?? 0) - Math.abs(b.fit.lag ?? 0) ||
    (a.away ?? Infinity) - (b.away ?? Infinity) ||
    rounded(otherR(b)) - rounded(otherR(a));
}
