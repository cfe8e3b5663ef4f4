import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { month as monthColumn, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { joinOrigins } from "../../frames/provenance.ts";
import { buildRefuse, readMonths, readNumbers, type Refuse } from "../../frames/read_columns.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { assertTimeZone, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import type { Production } from "../../windindex/calibration/production.ts";
import { computeDistance, type Location } from "../../windindex/climate/site_weights.ts";
import { MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { type ProductionRecord, readProductionRecord } from "../series/production_rows.ts";
import { columnOf, findWindColumn } from "../series/turbine_stamps.ts";
import {
  computeProducedMeans,
  correlateMonths,
  fitHours,
  isKnown,
  MIN_PAIRS,
  pairMonths,
  type ProductionSeries,
  type ReferenceFit,
} from "./fit.ts";
import {
  assertPlace,
  type ReferenceCandidate,
  type SingleCandidate,
  splitCandidates,
} from "./candidates.ts";
import { buildComparator, type CandidateResult, chooseRule, overlaps } from "./ranking.ts";
import { formatRecord, formatSpan, listRemarks, listResults, referenceColumns } from "./summary.ts";
import { type CandidateFound, candidateWords, type ReferenceFound, units, words } from "./words.ts";
import {
  type Finding,
  listReadings,
  putIntoWords,
  say,
  writeFindings,
} from "../series/findings.ts";
import { type Answer, buildAnswer } from "../series/answer.ts";

const [, energy] = productionColumns.month;
const [monthIndex] = pickColumns(monthlyIndicesFrame, ["month_index"]);

/** Compares a candidate of months with the production. */
function fitMonths(
  compared: ProductionSeries,
  { frame, column }: SingleCandidate,
  refuse: Refuse,
): ReferenceFit {
  const names = frame.columns;
  const chosen = column ?? [energy, monthIndex].find(({ name }) => names.includes(name))?.name ??
    findWindColumn(names)?.name ?? refuse(
      `it has months, but neither "${energy.name}" nor "${monthIndex.name}"; it has ` +
        `${names.join(", ")}. Name the column with { column }`,
    );
  if (!names.includes(chosen)) refuse(`it has no column "${chosen}"; it has ${names.join(", ")}`);
  const numbers = readMonths(frame, monthColumn.name, refuse);
  if (new Set(numbers).size < numbers.length) {
    refuse("a month is duplicated. Keep one turbine, and one row a month");
  }
  const values = readNumbers(frame, chosen, refuse);
  const known = new Map(
    numbers.map((number, i) => [number, values[i]] as const)
      .filter(([, value]) => !Number.isNaN(value)),
  );
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const pairs = pairMonths(computeProducedMeans(compared), known);
  const instant = (number: number) => startOfMonth(monthOfNumber(number), compared.timeZone);
  return {
    column: columnOf(frame, chosen).name,
    hours: undefined,
    pairs,
    monthly: correlateMonths(pairs),
    hourlyR: undefined,
    lag: undefined,
    trend: undefined,
    years: undefined,
    completeness: known.size / (last - first + 1),
    record: [instant(first), instant(last)],
    notes: [{ code: "of_months" }],
  };
}

/** Why the monthly r is missing. */
function explainMissingR({ length }: ReferenceFit["pairs"]): CandidateFound {
  return length < MIN_PAIRS
    ? { code: "few_months", needed: MIN_PAIRS, share: MIN_COMPLETENESS }
    : { code: "months_alike" };
}

/** Compares a candidate with the production. */
function fitReference(
  compared: ProductionSeries,
  candidate: SingleCandidate,
  refuse: Refuse,
): ReferenceFit {
  if (candidate.frame.height === 0) refuse("it has no rows");
  const byMonth = candidate.frame.columns.includes(monthColumn.name);
  const fit = byMonth
    ? fitMonths(compared, candidate, refuse)
    : fitHours(compared, candidate, refuse);
  const overlaps = fit.pairs.length > 0 || (fit.hours ?? 0) > 0;
  return overlaps && !fit.monthly
    ? { ...fit, notes: [explainMissingR(fit.pairs), ...fit.notes] }
    : fit;
}

export type { ReferenceCandidate } from "./candidates.ts";

/** Options of {@linkcode compareReferences}. */
export interface CompareReferencesOptions {
  /** Location of the turbine, deg, for the distances. @default unknown */
  readonly place?: Location;
  /** IANA zone that sets months and years. @default null, that of the production */
  readonly timeZone?: string | null;
}

/** References, the best first; it shows itself in notebooks and on the console. */
export interface ReferenceComparison extends Answer {
  /**
   * `references`, a row a candidate, the best first: `rank`, `name`, `monthly_r` with its interval, `hourly_r`, `lag` (h),
   * `distance_to_request_location` (km), `hours` and `months` in common, `trend` (% per decade) with its interval and
   * `years`, `completeness`, `column`, place and `notes`; `plotReferences()` draws it. Remarks in these are findings with a
   * `reference` among their figures.
   */
  readonly frames: { readonly references: DataFrame };
}

const WHAT = "compare references";

function hasValue({ production }: ProductionRecord): boolean {
  return production.kind === "hourly"
    ? production.power.some((value) => !Number.isNaN(value))
    : production.periods.some(isKnown);
}

/** Lists the months whose energies are of too few hours. */
function listLeftOut(production: Production): ReferenceFound[] {
  if (production.kind === "hourly") return [];
  const left = production.periods.filter((period) =>
    !Number.isNaN(period.energy) && !isKnown(period)
  ).map(({ label }) => label);
  return left.length === 0 ? [] : [{ code: "left_out", periods: left }];
}

/** Rows of the candidates in order. */
function listRows(
  ordered: readonly CandidateResult[],
  remarks: readonly (readonly CandidateFound[])[],
) {
  return ordered.map((compared, i) => {
    const { candidate, fit, away } = compared;
    return {
      rank: overlaps(compared) ? i + 1 : null,
      name: candidate.name,
      monthly_r: fit.monthly?.r,
      monthly_r_low: fit.monthly?.low,
      monthly_r_high: fit.monthly?.high,
      hourly_r: fit.hourlyR,
      lag: fit.lag,
      distance_to_request_location: away,
      hours: fit.hours,
      months: fit.pairs.length,
      trend: fit.trend?.trend,
      trend_low: fit.trend?.low,
      trend_high: fit.trend?.high,
      years: fit.years,
      completeness: fit.completeness,
      column: fit.column,
      latitude: candidate.place?.latitude,
      longitude: candidate.place?.longitude,
      notes: remarks[i].map((one) => say(candidateWords, one)).join("; "),
    };
  });
}

const OPTIONS = declareOptions<CompareReferencesOptions>()("place timeZone");

/**
 * Ranks climate points, datasets, model data or neighbours as references for a production: by their monthly r where all
 * have 24 months or more in common with it, else by their hourly r; those with less than half of the longest overlap
 * follow. Distance, overlap, lag, trend of the wind and completeness are listed too.
 *
 * Wind by the names of the contract is of instants: the mean of an hour is that of two of them. Everything else is the
 * mean of the hour that starts at its stamp; `stamp` of a candidate overrides that. Correlations are at the
 * whole-hour lag with the highest correlation. Intervals: the monthly r by Fisher's z, the trend by Student's t, both
 * as if months and years were independent.
 *
 * @param production Hours (`time`, `power` in kW) or months (`month`, `energy` in MWh) of one turbine or park; regular
 * steps below an hour are averaged as `toHours()` does, a month is the mean of its `valid_hours` and `availability`
 * @param candidates References with names and, where they are known, locations; or frames by name
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
  checkFrame(production, WHAT, "readProduction()");
  const { place } = options;
  const timeZone = options.timeZone ?? undefined;
  if (timeZone !== undefined) assertTimeZone(timeZone);
  if (place) assertPlace(place, buildRefuse(WHAT));
  const recorded = readProductionRecord(production, WHAT, timeZone);
  if (recorded.resolution === "year") {
    throw new ArgumentError(
      `Cannot ${WHAT}: the production is of years, too few for a correlation. Give months or hours`,
    );
  }
  const refuse = (name: string) => buildRefuse(`use ${JSON.stringify(name)} as a reference`);
  if (!hasValue(recorded)) {
    throw new ArgumentError(
      `Cannot ${WHAT}: the production has no value from ${formatSpan(recorded)}. ` +
        `Give ${recorded.resolution}s with one`,
    );
  }
  const singles = splitCandidates(candidates, refuse);
  if (singles.length === 0) {
    throw new ArgumentError(`Cannot ${WHAT}: no candidate is given. Name at least one frame`);
  }
  const compared = singles.map((candidate): CandidateResult => ({
    candidate,
    fit: fitReference(recorded, candidate, refuse(candidate.name)),
    away: place && candidate.place ? computeDistance(place, candidate.place) : undefined,
  }));
  const rule = chooseRule(compared);
  const ordered = compared.toSorted(buildComparator(rule.by, compared));
  const [best] = ordered;
  if (!overlaps(best)) {
    const records = ordered.slice(0, 5).map(({ candidate, fit }) =>
      `${candidate.name} ${formatRecord(fit.record)}`
    ).join(", ");
    throw new ArgumentError(
      `Cannot ${WHAT}: no candidate has a value in the ${recorded.resolution}s of the ` +
        `production, ${
          formatSpan(recorded)
        }. Found: ${records}. Ask for the years of the production`,
    );
  }
  const remarks = ordered.map((compared) => listRemarks(compared, ordered, place));
  const written = writeFindings(words, units, listResults(ordered, remarks, rule), [
    ...listReadings(recorded.notes),
    ...listLeftOut(recorded.production),
    ...(place ? [] : [{ code: "no_distances" } as const]),
    { code: "season_in_r" },
  ]);
  const ofCandidates = remarks.flatMap((found, i) =>
    putIntoWords(candidateWords, units, "note", found).map((one): Finding => ({
      ...one,
      figures: { reference: ordered[i].candidate.name, ...one.figures },
    }))
  );
  return buildAnswer({}, {
    title: "References for a production",
    frames: {
      references: {
        title: "Candidates, the best first",
        columns: referenceColumns,
        rows: listRows(ordered, remarks),
      },
    },
    found: { ...written, findings: [...written.findings, ...ofCandidates] },
    origin: joinOrigins([...singles.map(({ frame }) => frame), production]),
  });
}
