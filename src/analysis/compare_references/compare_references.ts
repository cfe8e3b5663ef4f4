import type { DataFrame } from "nodejs-polars";
import { month } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { HOUR } from "../../time/hourly.ts";
import { assertTimeZone } from "../../time/zones.ts";
import type { Production } from "../../windindex/calibration/production.ts";
import { computeDistance, type Location } from "../../windindex/climate/site_weights.ts";
import { type ProductionRecord, readProductionRecord } from "../series/production_rows.ts";
import { fitHours, fitMonths, isKnown, referenceColumns, type ReferenceFit } from "./fit.ts";
import { assertPlace, type ReferenceCandidate, splitCandidates } from "./candidates.ts";
import {
  type CandidateFinding,
  candidateWords,
  type ReferenceFinding,
  units,
  words,
} from "./words.ts";
import {
  type Answer,
  buildAnswer,
  type Finding,
  listReadings,
  putIntoWords,
  say,
  writeFindings,
} from "../series/answer.ts";

/** A candidate and its comparison with the production. */
interface CandidateResult extends ReferenceFit {
  readonly name: string;
  readonly distance_to_request_location: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Fewest months in common for a ranking by monthly r: with fewer, r is mostly season and chance. */
const RANKING_MONTHS = 24;

/** Smallest share of the longest overlap: with less, a correlation covers a different period than the others. */
const MIN_OVERLAP = 0.5;

/** Hours of a month on average. */
const MONTH = 730.5;

const overlaps = ({ months, hours }: ReferenceFit) => months > 0 || (hours ?? 0) > 0;

/** Ranks candidates: by one of the correlations to three decimals, then by distance; short overlaps come last. */
function rankCandidates(all: readonly CandidateResult[]) {
  const overlapOf = ({ months, hours }: ReferenceFit) => hours === null ? months : hours / MONTH;
  const longest = Math.max(...all.map(overlapOf));
  const isShort = (fit: ReferenceFit) => overlapOf(fit) < MIN_OVERLAP * longest;
  const counted = all.filter((candidate) => overlaps(candidate) && !isShort(candidate));
  const hasEnoughMonths = counted.every(({ months }) => months >= RANKING_MONTHS);
  const by = hasEnoughMonths || counted.every(({ hourly_r }) => hourly_r === null)
    ? "monthly_r"
    : "hourly_r";
  const rounded = (fit: ReferenceFit) => Math.round(1000 * (fit[by] ?? -2));
  const ordered = all.toSorted((a, b) =>
    Number(overlaps(b)) - Number(overlaps(a)) || Number(isShort(a)) - Number(isShort(b)) ||
    rounded(b) - rounded(a) ||
    (a.distance_to_request_location ?? Infinity) - (b.distance_to_request_location ?? Infinity)
  );
  return {
    ordered,
    isShort,
    rule: { code: "ranked_by", by, long_enough: hasEnoughMonths, months: RANKING_MONTHS } as const,
  };
}

const formatDay = (instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(instant)).toString().slice(0, 10);

/** Formats the first and last day of a record. */
const formatRecord = (record: readonly number[]) => record.map(formatDay).join(" to ");

/** Formats the first and last day of the production. */
function formatSpan({ production }: ProductionRecord): string {
  if (production.kind === "periods") {
    const { periods } = production;
    return formatRecord([periods[0].start, periods[periods.length - 1].end - 1]);
  }
  const { start, length } = production.axis;
  return formatRecord([start, start + (length - 1) * HOUR]);
}

export type { ReferenceCandidate } from "./candidates.ts";

/** Options of {@linkcode compareReferences}. */
export interface CompareReferencesOptions {
  /** Location of the turbine, deg, for the distances. @default unknown */
  readonly place?: Location;
  /** IANA zone that sets months and years. @default null, the production's */
  readonly timeZone?: string | null;
}

/** References, the best first; it shows itself in notebooks and on the console. */
export interface ReferenceComparison extends Answer {
  /**
   * `references`, one row per candidate, the best first: `rank`, `name`, `monthly_r` with its interval, `hourly_r`,
   * `bias` (%) of its power, `distance_to_request_location` (km), `hours` and `months` in common, `trend` (% per
   * decade) with its interval and `years`, `column`, place and `notes`; `plotReferences()` draws it. Remarks in these
   * are findings with a `reference` among their figures.
   */
  readonly frames: { readonly references: DataFrame };
}

const ACTION = "compare references";

function hasValue({ production }: ProductionRecord): boolean {
  return production.kind === "hourly"
    ? production.power.some((value) => !Number.isNaN(value))
    : production.periods.some(isKnown);
}

/** Lists the months whose energies cover too few hours. */
function listLeftOut(production: Production): ReferenceFinding[] {
  if (production.kind === "hourly") return [];
  const leftOut = production.periods.filter((period) =>
    !Number.isNaN(period.energy) && !isKnown(period)
  ).map(({ label }) => label);
  return leftOut.length === 0 ? [] : [{ code: "left_out", periods: leftOut }];
}

const OPTIONS = declareOptions<CompareReferencesOptions>()("place timeZone");

/**
 * Ranks climate points, datasets, model data or neighbours as references for a production: by their monthly r if all
 * have 24 months or more in common with it, else by their hourly r. Candidates with less than half of the longest overlap
 * follow. The answer also lists bias of power, distance, overlap and trend of the wind.
 *
 * Wind by the names of the contract is instantaneous: the mean of an hour is the mean of two values. Everything else is the
 * mean of the hour that starts at its timestamp; `stamp` of a candidate overrides that. A wrong clock lowers the hourly r:
 * `checkQuality()` finds it. Intervals: the monthly r by Fisher's z, the trend by Student's t, both as if months and years
 * were independent.
 *
 * @param production Hours (`time`, `power` in kW) or months (`month`, `energy` in MWh) of one turbine or park; regular
 * steps below an hour are averaged as `toHours()` does, a month is the mean of its `valid_hours` and `availability`
 * @param candidates References with names and, if known, locations; or frames by name
 * @param options `place` of the turbine, and `timeZone` of months and years
 * @returns The frame `references`, and sentences, the last of them the rule
 * @throws {ArgumentError} If a column is missing, no candidate is given, or no candidate overlaps the production
 *
 * @example Two climate points for a turbine
 * ```ts
 * import { compareReferences, downloadClimate, exampleFile, readProduction } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const production = await readProduction(await exampleFile("production.csv"), {
 *   resolution: "hour",
 *   unit: "kW",
 *   time: "time",
 *   column: "power",
 * });
 * const years = { from: 2021, to: 2024 };
 * const near = { latitude: 55.5, longitude: 7.75 };
 * const far = { latitude: 54, longitude: 9 };
 * const { frames } = compareReferences(production, [
 *   { name: "far", frame: await downloadClimate("era5", { ...far, ...years }), ...far },
 *   { name: "near", frame: await downloadClimate("era5", { ...near, ...years }), ...near },
 * ], { place: { latitude: 55.49, longitude: 7.84 } });
 * assertEquals(frames.references.getColumn("name").toArray(), ["near", "far"]);
 * ```
 */
export function compareReferences(
  production: DataFrame,
  candidates: readonly ReferenceCandidate[] | Readonly<Record<string, DataFrame>>,
  options: CompareReferencesOptions = {},
): ReferenceComparison {
  readOptions("compareReferences()", options, OPTIONS);
  checkFrame(production, ACTION, "readProduction()");
  const { place } = options;
  const timeZone = options.timeZone ?? undefined;
  if (timeZone !== undefined) assertTimeZone(timeZone);
  if (place) assertPlace(place, buildRefuse(ACTION));
  const recorded = readProductionRecord(production, ACTION, timeZone);
  if (recorded.resolution === "year") {
    throw new ArgumentError(
      `Cannot ${ACTION}: annual production has too few values for a correlation. Give monthly or hourly production`,
    );
  }
  const refuse = (name: string) => buildRefuse(`use ${JSON.stringify(name)} as a reference`);
  if (!hasValue(recorded)) {
    throw new ArgumentError(
      `Cannot ${ACTION}: all values of the production from ${
        formatSpan(recorded)
      } are missing. Give production with values`,
    );
  }
  const singles = splitCandidates(candidates, refuse);
  if (singles.length === 0) {
    throw new ArgumentError(
      `Cannot ${ACTION}: the list of candidates is empty. Give at least one frame`,
    );
  }
  const compared = singles.map((candidate): CandidateResult => {
    const { name, frame, place: ownPlace } = candidate;
    if (frame.height === 0) refuse(name)("it has no rows. Give a frame with at least one row");
    const fit = frame.columns.includes(month.name) ? fitMonths : fitHours;
    return {
      name,
      latitude: ownPlace?.latitude ?? null,
      longitude: ownPlace?.longitude ?? null,
      distance_to_request_location: place && ownPlace ? computeDistance(place, ownPlace) : null,
      ...fit(recorded, candidate, refuse(name)),
    };
  });
  const { ordered, isShort, rule } = rankCandidates(compared);
  const [best] = ordered;
  if (!overlaps(best)) {
    const records = ordered.slice(0, 5)
      .map(({ name, record }) => `${name} ${formatRecord(record)}`).join(", ");
    throw new ArgumentError(
      `Cannot ${ACTION}: no candidate has a value in the ${recorded.resolution}s of the production, ${
        formatSpan(recorded)
      }. The candidates cover: ${records}. Request candidates for the years that the production covers`,
    );
  }
  const rows = ordered.map(({ record, fitFindings, ...row }, i) => {
    const [from, to] = record.map(formatDay);
    const remarks: readonly CandidateFinding[] = !overlaps(ordered[i])
      ? [{ code: "no_overlap", from, to }]
      : isShort(ordered[i])
      ? [{ code: "short_overlap" }, ...fitFindings]
      : fitFindings;
    const notes = remarks.map((one) => say(candidateWords, one)).join("; ");
    return { row: { rank: overlaps(ordered[i]) ? i + 1 : null, ...row, notes }, remarks };
  });
  const without = ordered.filter((candidate) => !overlaps(candidate)).map(({ name }) => name);
  const written = writeFindings(words, units, [
    { code: "best", ...rows[0].row },
    ...(without.length > 0 ? [{ code: "without_overlap", references: without } as const] : []),
    rule,
  ], [
    ...listReadings(recorded.notes),
    ...listLeftOut(recorded.production),
    ...(place ? [] : [{ code: "no_distances" } as const]),
    { code: "season_in_r" },
  ]);
  const ofCandidates = rows.flatMap(({ row: { name }, remarks }) =>
    putIntoWords(candidateWords, units, "note", remarks).map((one): Finding => ({
      ...one,
      figures: { reference: name, ...one.figures },
    }))
  );
  return buildAnswer({}, {
    title: "References for a production",
    frames: {
      references: {
        title: "Candidates, the best first",
        columns: referenceColumns,
        rows: rows.map(({ row }) => row),
      },
    },
    findings: { ...written, findings: [...written.findings, ...ofCandidates] },
    origin: joinOrigins([...singles.map(({ frame }) => frame), production]),
  });
}
