import { formatCorrelation, type ReferenceFound } from "./words.ts";
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

/** Chooses the correlation for the ranking, and says why. */
export function chooseRule(
  all: readonly CandidateResult[],
): ReferenceFound & { readonly code: "ranked_by" } {
  const counted = all.filter((each) => overlaps(each) && !isShort(each, all));
  const enough = counted.every(({ fit }) => fit.pairs.length >= RANKING_MONTHS);
  const hourly = counted.some(({ fit }) => fit.hourlyR !== undefined);
  const long = counted.length < all.filter(overlaps).length ? "enough_but_short" : "enough";
  return {
    code: "ranked_by",
    by: enough || !hourly ? "monthly" : "hourly",
    why: enough ? long : hourly ? "few" : "no_hourly_r",
    months: RANKING_MONTHS,
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
