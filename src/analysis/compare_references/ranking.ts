import type { SingleCandidate } from "./candidates.ts";
import type { ReferenceFit } from "./reference_fit.ts";

/** Months in common from which the monthly r ranks: of fewer it is mostly the season, and chance. */
const RANKING_MONTHS = 24;

/** Share of the longest overlap below which a correlation is one of another time than those of the others. */
const MIN_OVERLAP = 0.5;

/** Hours of a month on average. */
const MONTH = 730.5;

/** A candidate, and how it goes with the production. */
export interface CandidateResult {
  readonly candidate: SingleCandidate;
  /** How it goes with the production. */
  readonly fit: ReferenceFit;
  /** Distance from the turbine, km; `undefined` where a place is not known. */
  readonly away: number | undefined;
}

/** Which correlation ranks. */
type RankingKey = "hourly" | "monthly";

/** Whether a candidate has anything in common with the production. */
export function overlaps({ fit }: CandidateResult): boolean {
  return fit.pairs.length > 0 || (fit.hours ?? 0) > 0;
}

/** Overlap with the production, months. */
const overlapOf = ({ fit }: CandidateResult) =>
  fit.hours === undefined ? fit.pairs.length : fit.hours / MONTH;

/** Whether a candidate overlaps so much shorter than another one that their correlations cannot be compared. */
export function isShort(own: CandidateResult, all: readonly CandidateResult[]): boolean {
  return overlapOf(own) < MIN_OVERLAP * Math.max(...all.map(overlapOf));
}

/** A correlation to the decimals that count. */
export const formatCorrelation = (r: number): string => r.toFixed(3);

/** By which correlation candidates are ranked, and the rule in words. */
export function chooseRule(all: readonly CandidateResult[]): { by: RankingKey; rule: string } {
  const counted = all.filter((each) => overlaps(each) && !isShort(each, all));
  const enough = counted.every(({ fit }) => fit.pairs.length >= RANKING_MONTHS);
  const hourly = counted.some(({ fit }) => fit.hourlyR !== undefined);
  const by = enough || !hourly ? "monthly" : "hourly";
  const why = enough
    ? `all have ${RANKING_MONTHS} months or more in common with the production` +
      (counted.length < all.filter(overlaps).length ? ", short overlaps aside" : "")
    : hourly
    ? `not all have ${RANKING_MONTHS} months in common with the production, and of few months it is ` +
      "mostly the season"
    : "hourly r is not known";
  const reason = by === "monthly" ? why : `instead of monthly r: ${why}`;
  return {
    by,
    rule:
      `Ranked by ${by} r to three decimals (${reason}), then by the smaller lag and the smaller ` +
      "distance; candidates without one follow, and after them those with less than half of the longest " +
      "overlap. A trend is a warning and does not count",
  };
}

/** Order of the ranking rule. */
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
