import { HOUR } from "../../time/hourly.ts";
import { formatNumber, formatSigned } from "../../show/text/numbers.ts";
import type { Location } from "../../windindex/climate/site_weights.ts";
import { compareCorrelations } from "./monthly_pairs.ts";
import { type CandidateResult, formatCorrelation, isShort, overlaps } from "./ranking.ts";
import type { ProductionSeries, ReferenceFit } from "./reference_fit.ts";

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
