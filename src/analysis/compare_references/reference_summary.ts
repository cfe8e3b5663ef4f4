import { HOUR } from "../../time/hour_axis.ts";
import { formatNumber } from "../../show/text/number.ts";
import type { Location } from "../../windindex/climate/site_weights.ts";
import { differenceOf } from "./monthly_pairs.ts";
import { type Compared, figure, isShort, overlaps } from "./ranking.ts";
import type { ComparedProduction, ReferenceFit } from "./reference_fit.ts";

/** What a note says of a candidate whose monthly r may be as good as that of the best. */
const LIKE_BEST = "it cannot be told";

/** Years below which a trend says little. */
const FEW_YEARS = 10;

/** Candidates that a sentence names. */
const MOST_NAMED = 8;

const day = (instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(instant)).toString().slice(0, 10);

/** First and last day of a record. */
export function recordText([first, last]: readonly [number, number]): string {
  return `${day(first)} to ${day(last)}`;
}

function trendNotes({ trend, years }: ReferenceFit): string[] {
  if (years === undefined) return [];
  if (!trend) return [`no trend: ${years} whole year${years === 1 ? "" : "s"} of its record`];
  const { trend: slope, low, high } = trend;
  const signed = (value: number) => `${value > 0 ? "+" : ""}${value.toFixed(1)}`;
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

/** Whether a candidate differs from the best one by more than chance. */
function besideBest(own: Compared, best: Compared): string[] {
  if (own === best || !own.fit.monthly) return [];
  const difference = differenceOf(best.fit.pairs, own.fit.pairs);
  if (!difference) {
    return [`too few months in common with ${best.candidate.name} to tell them apart`];
  }
  const { months, told } = difference;
  const { name } = best.candidate;
  const same = months === own.fit.pairs.length && months === best.fit.pairs.length;
  return [
    told
      ? `by monthly r it differs from ${name} by more than chance (${months} months)`
      : `by monthly r ${LIKE_BEST} from ${name} (${months} months)`,
    ...(same ? [] : [`its monthly r is of other months than that of ${name}`]),
  ];
}

/**
 * What to know of a candidate.
 *
 * @param own The candidate
 * @param all All of them in order
 * @param place Place of the turbine
 */
export function notesOf(
  own: Compared,
  all: readonly Compared[],
  place: Location | undefined,
): string[] {
  const { fit, candidate } = own;
  if (!overlaps(own)) return [`no overlap: its record is ${recordText(fit.record)}`];
  return [
    ...(isShort(own, all)
      ? ["it overlaps less than half as long as another candidate: its r is of another time"]
      : []),
    ...besideBest(own, all[0]),
    ...fit.notes,
    ...trendNotes(fit),
    ...(place && !candidate.place ? ["no distance: its place is not known"] : []),
  ];
}

/** First and last day of the production. */
export function spanOf({ production }: ComparedProduction): string {
  if (production.kind === "periods") {
    const { periods } = production;
    return recordText([periods[0].start, periods[periods.length - 1].end - 1]);
  }
  const { start, length } = production.axis;
  return recordText([start, start + (length - 1) * HOUR]);
}

/** What the comparison comes to. */
export function summaryOf(
  ordered: readonly Compared[],
  notes: readonly (readonly string[])[],
): string[] {
  const [{ candidate, fit, away }] = ordered;
  const { monthly } = fit;
  const known = [
    ...(fit.hourlyR === undefined
      ? []
      : [`hourly r ${figure(fit.hourlyR)} (${formatNumber(fit.hours!)} h)`]),
    ...(monthly
      ? [
        `monthly r ${figure(monthly.r)} (90 % interval ${figure(monthly.low)} to ` +
        `${figure(monthly.high)}, ${fit.pairs.length} months)`,
      ]
      : []),
  ];
  const r = known.join(", ") || "no correlation that could be told";
  const alike = ordered.filter((_, i) => notes[i].some((note) => note.includes(LIKE_BEST))).map((
    each,
  ) => each.candidate.name);
  const none = ordered.filter((compared) => !overlaps(compared));
  return [
    `First: ${candidate.name}, ${r}` +
    (away === undefined ? "" : `, ${away.toFixed(1)} km away`),
    ...(alike.length > 0
      ? [`By monthly r these cannot be told from it: ${alike.slice(0, MOST_NAMED).join(", ")}`]
      : []),
    ...(none.length > 0
      ? [
        `Without overlap: ${
          none.map((each) => each.candidate.name).slice(0, MOST_NAMED).join(", ")
        }`,
      ]
      : []),
  ];
}
