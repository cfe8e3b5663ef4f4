import { type Column, ownColumn, pickColumns, withEnds } from "../../api/columns/column.ts";
import { coverageList, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { HOUR } from "../../time/hourly.ts";
import type { Location } from "../../windindex/climate/site_weights.ts";
import { compareCorrelations, type ProductionSeries, type ReferenceFit } from "./fit.ts";
import { type CandidateResult, isShort, overlaps } from "./ranking.ts";
import type { CandidateFound, ReferenceFound } from "./words.ts";

const [distance, latitude, longitude] = pickColumns(
  coverageList,
  ["distance_to_request_location", "latitude", "longitude"],
);
const [completeness] = pickColumns(monthlyIndicesFrame, ["completeness"]);

function declareCorrelation(name: string, label: string, description: string): Column {
  return { ...ownColumn(name, "f64", label, description), range: [-1, 1] };
}

/** The frame of `compareReferences()`: a row a candidate, the best first. */
export const referenceColumns: readonly Column[] = [
  ownColumn("rank", "i32", "Rank", "Rank among the candidates; missing without overlap."),
  ownColumn("name", "utf8", "Reference", "Name of the candidate, with its point or turbine."),
  ...withEnds(declareCorrelation(
    "monthly_r",
    "Monthly r",
    "Correlation of the monthly means with the production, at the lag.",
  )),
  declareCorrelation(
    "hourly_r",
    "Hourly r",
    "Correlation of the hours with the production, at the lag.",
  ),
  ownColumn("lag", "i32", "Lag", "Whole hours by which production comes later than it.", "h"),
  { ...distance, description: "Great-circle distance from the turbine.", tag: "ours" },
  {
    ...ownColumn("hours", "i32", "Hours", "Hours with a value in both."),
    unit: "h",
    range: [0, null],
  },
  {
    ...ownColumn("months", "i32", "Months", "Months of which at least 98 % have a value in both."),
    range: [0, null],
  },
  ...withEnds(ownColumn(
    "trend",
    "f64",
    "Trend",
    "Trend of the annual mean wind over the whole years of its record.",
    "% per decade",
  )),
  ownColumn("years", "i32", "Years", "Whole years of its record."),
  {
    ...completeness,
    description: "Share of its record, from first to last, that has a value.",
    optional: false,
  },
  ownColumn("column", "utf8", "Column", "Column that was compared."),
  { ...latitude, tag: "ours" },
  { ...longitude, tag: "ours" },
  ownColumn("notes", "utf8", "Notes", "Warnings, and reasons for its rank."),
];

/** Years below which a trend gets a warning. */
const FEW_YEARS = 10;

const formatDay = (instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(instant)).toString().slice(0, 10);

/** Formats the first and last day of a record. */
export function formatRecord([first, last]: readonly [number, number]): string {
  return `${formatDay(first)} to ${formatDay(last)}`;
}

function findTrend({ trend, years }: ReferenceFit): CandidateFound[] {
  if (years === undefined) return [];
  if (!trend) return [{ code: "no_trend", years }];
  const { trend: slope, low, high } = trend;
  return [
    ...(low > 0 || high < 0
      ? [{ code: "trend", trend: slope, trend_low: low, trend_high: high } as const]
      : []),
    ...(years < FEW_YEARS ? [{ code: "short_trend", years } as const] : []),
  ];
}

/** Finds whether a candidate differs from the best one by more than chance. */
function compareWithBest(own: CandidateResult, first: CandidateResult): CandidateFound[] {
  if (own === first || !own.fit.monthly) return [];
  const best = first.candidate.name;
  const difference = compareCorrelations(first.fit.pairs, own.fit.pairs);
  if (!difference) return [{ code: "not_comparable", best }];
  const { months, significant } = difference;
  const same = months === own.fit.pairs.length && months === first.fit.pairs.length;
  return [
    { code: significant ? "differs" : "not_distinguishable", best, months },
    ...(same ? [] : [{ code: "other_months", best } as const]),
  ];
}

/**
 * Lists warnings and remarks on a candidate.
 *
 * @param all All of them in order
 * @param place Location of the turbine
 */
export function listRemarks(
  own: CandidateResult,
  all: readonly CandidateResult[],
  place: Location | undefined,
): CandidateFound[] {
  const { fit, candidate } = own;
  if (!overlaps(own)) {
    const [from, to] = fit.record.map(formatDay);
    return [{ code: "no_overlap", from, to }];
  }
  return [
    ...(isShort(own, all) ? [{ code: "short_overlap" } as const] : []),
    ...compareWithBest(own, all[0]),
    ...fit.notes,
    ...findTrend(fit),
    ...(place && !candidate.place ? [{ code: "no_distance" } as const] : []),
  ];
}

/** Formats the first and last day of the production. */
export function formatSpan({ production }: ProductionSeries): string {
  if (production.kind === "periods") {
    const { periods } = production;
    return formatRecord([periods[0].start, periods[periods.length - 1].end - 1]);
  }
  const { start, length } = production.axis;
  return formatRecord([start, start + (length - 1) * HOUR]);
}

/** Lists the results of the comparison. */
export function listResults(
  ordered: readonly CandidateResult[],
  remarks: readonly (readonly CandidateFound[])[],
  rule: ReferenceFound,
): ReferenceFound[] {
  const [{ candidate, fit, away }] = ordered;
  const namesOf = (some: readonly CandidateResult[]) => some.map((each) => each.candidate.name);
  const similar = namesOf(
    ordered.filter((_, i) => remarks[i].some(({ code }) => code === "not_distinguishable")),
  );
  const without = namesOf(ordered.filter((compared) => !overlaps(compared)));
  return [
    {
      code: "best",
      reference: candidate.name,
      hourly_r: fit.hourlyR ?? null,
      hours: fit.hours ?? null,
      monthly_r: fit.monthly?.r ?? null,
      monthly_r_low: fit.monthly?.low ?? null,
      monthly_r_high: fit.monthly?.high ?? null,
      months: fit.pairs.length,
      away: away ?? null,
    },
    ...(similar.length > 0 ? [{ code: "as_good_as_best", references: similar } as const] : []),
    ...(without.length > 0 ? [{ code: "without_overlap", references: without } as const] : []),
    rule,
  ];
}
