import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { coverageList, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { formatNumber, formatSigned } from "../../show/text/numbers.ts";
import { HOUR } from "../../time/hourly.ts";
import type { Location } from "../../windindex/climate/site_weights.ts";
import { compareCorrelations, type ProductionSeries, type ReferenceFit } from "./fit.ts";
import { type CandidateResult, formatCorrelation, isShort, overlaps } from "./ranking.ts";

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
  declareCorrelation(
    "monthly_r",
    "Monthly r",
    "Correlation of the monthly means with the production, at the lag.",
  ),
  declareCorrelation("monthly_r_low", "Monthly r, low", "Lower end of its 90 % interval."),
  declareCorrelation("monthly_r_high", "Monthly r, high", "Upper end of its 90 % interval."),
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
  ownColumn(
    "trend",
    "f64",
    "Trend",
    "Trend of the annual mean wind over the whole years of its record.",
    "% per decade",
  ),
  ownColumn("trend_low", "f64", "Trend, low", "Lower end of its 90 % interval.", "% per decade"),
  ownColumn("trend_high", "f64", "Trend, high", "Upper end of its 90 % interval.", "% per decade"),
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

/** Text in the note of a candidate whose monthly r does not differ significantly from that of the best. */
const NOT_DISTINGUISHABLE = "it does not differ significantly";

/** Years below which a trend gets a warning. */
const FEW_YEARS = 10;

/** Largest number of candidates that a sentence names. */
const MAX_NAMED = 8;

const formatDay = (instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(instant)).toString().slice(0, 10);

/** Formats the first and last day of a record. */
export function formatRecord([first, last]: readonly [number, number]): string {
  return `${formatDay(first)} to ${formatDay(last)}`;
}

function describeTrend({ trend, years }: ReferenceFit): string[] {
  if (years === undefined) return [];
  if (!trend) return [`no trend: ${years} whole year${years === 1 ? "" : "s"} of its record`];
  const { trend: slope, low, high } = trend;
  const signed = (value: number) => formatSigned(value, 1);
  return [
    ...(low > 0 || high < 0
      ? [
        `its wind has a trend of ${signed(slope)} % per decade (90 % interval ${signed(low)} to ` +
        `${signed(high)}): a long-term mean depends on the years`,
      ]
      : []),
    ...(years < FEW_YEARS ? [`trend of ${years} years only`] : []),
  ];
}

/** Notes whether a candidate differs from the best one by more than chance. */
function compareWithBest(own: CandidateResult, best: CandidateResult): string[] {
  if (own === best || !own.fit.monthly) return [];
  const difference = compareCorrelations(best.fit.pairs, own.fit.pairs);
  if (!difference) {
    return [`too few months in common with ${best.candidate.name} for a comparison`];
  }
  const { months, significant } = difference;
  const { name } = best.candidate;
  const same = months === own.fit.pairs.length && months === best.fit.pairs.length;
  return [
    significant
      ? `by monthly r it differs from ${name} by more than chance (${months} months)`
      : `by monthly r ${NOT_DISTINGUISHABLE} from ${name} (${months} months)`,
    ...(same ? [] : [`its monthly r is of different months than that of ${name}`]),
  ];
}

/**
 * Lists warnings and remarks on a candidate.
 *
 * @param all All of them in order
 * @param place Location of the turbine
 */
export function listNotes(
  own: CandidateResult,
  all: readonly CandidateResult[],
  place: Location | undefined,
): string[] {
  const { fit, candidate } = own;
  if (!overlaps(own)) return [`no overlap: its record is ${formatRecord(fit.record)}`];
  return [
    ...(isShort(own, all)
      ? ["it overlaps less than half as long as another candidate: its r is of another time"]
      : []),
    ...compareWithBest(own, all[0]),
    ...fit.notes,
    ...describeTrend(fit),
    ...(place && !candidate.place ? ["no distance: its location is unknown"] : []),
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

/** Writes the results of the comparison. */
export function writeSummary(
  ordered: readonly CandidateResult[],
  notes: readonly (readonly string[])[],
): string[] {
  const [{ candidate, fit, away }] = ordered;
  const { monthly } = fit;
  const known = [
    ...(fit.hourlyR === undefined
      ? []
      : [`hourly r ${formatCorrelation(fit.hourlyR)} (${formatNumber(fit.hours!)} h)`]),
    ...(monthly
      ? [
        `monthly r ${formatCorrelation(monthly.r)} (90 % interval ${
          formatCorrelation(monthly.low)
        } to ` +
        `${formatCorrelation(monthly.high)}, ${fit.pairs.length} months)`,
      ]
      : []),
  ];
  const r = known.join(", ") || "without a correlation";
  const similar = ordered.filter((_, i) =>
    notes[i].some((note) => note.includes(NOT_DISTINGUISHABLE))
  ).map((
    each,
  ) => each.candidate.name);
  const without = ordered.filter((compared) => !overlaps(compared));
  return [
    `First: ${candidate.name}, ${r}` +
    (away === undefined ? "" : `, ${away.toFixed(1)} km away`),
    ...(similar.length > 0
      ? [
        `By monthly r these do not differ from it significantly: ${
          similar.slice(0, MAX_NAMED).join(", ")
        }`,
      ]
      : []),
    ...(without.length > 0
      ? [
        `Without overlap: ${
          without.map((each) => each.candidate.name).slice(0, MAX_NAMED).join(", ")
        }`,
      ]
      : []),
  ];
}
