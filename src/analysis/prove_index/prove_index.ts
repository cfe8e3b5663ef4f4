import type { DataFrame } from "nodejs-polars";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { joinOrigins } from "../../frames/provenance.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { mean } from "../../stats/spread.ts";
import type { TurbineTraining } from "../../windindex/calibration/training.ts";
import { LEVEL_PRIOR } from "../../windindex/uncertainty/error_terms.ts";
import { estimateLevelMove, type SitePrior } from "../../windindex/uncertainty/site_errors.ts";
import { type Answer, buildAnswer } from "../series/answer.ts";
import { writeFindings } from "../series/findings.ts";
import { proofLengths, proofMethods, proofPeriods } from "./columns.ts";
import { drawLengths } from "./more_months.ts";
import { METHODS, predictUnseen, type UnseenPeriod } from "./unseen_periods.ts";
import { type ProofFound, units, words } from "./words.ts";

/** Options of {@linkcode proveIndex}. */
export interface ProveIndexOptions {
  /** Error of a normal year that is asked for, %. @default {5} */
  readonly tolerance?: number;
  /** Seed of the worlds. @default {1} */
  readonly seed?: number;
}

/** How good the index of a turbine is; it shows itself in notebooks and on the console. */
export interface IndexProof extends Answer {
  /**
   * `periods`, a row a month: `period`, `produced`, `predicted`, `low`, `high` (MWh), `hit`, and the errors of the `index`, of
   * `one_factor`, `monthly_regression` and `mean_of_the_others` (%); `plotProof()` draws it.
   *
   * `methods`, a row a method: `method`, `error`, `worst`, `bias` (%).
   *
   * `lengths`, a row for each number of `months` of production: `year_half`, `year_most`, `month_half`, `month_most` (%).
   */
  readonly frames: Readonly<Record<"periods" | "methods" | "lengths", DataFrame>>;
  /** Mean absolute error of unseen periods, %. */
  readonly error: number;
  /** Share of the months in their 90 % interval, %; `null` for annual production. */
  readonly hitRate: number | null;
  /** Months that are needed beyond those of the record, 0 where it has enough; `null` for annual production, or beyond twenty years. */
  readonly monthsNeeded: number | null;
}

const WHAT = "prove the index";

const OPTIONS = declareOptions<ProveIndexOptions>()("", { tolerance: 5, seed: 1 });

/** Share of the error of the index below which a simpler way is clearly better. */
const CLEARLY = 0.9;

/** Periods that cannot tell hit rates apart. */
const FEW = 24;

/** A period as a row; figures in MWh and %. */
function buildPeriod({ label, produced, ratios, interval }: UnseenPeriod) {
  const energy = produced / 1000;
  const errors = METHODS.map((method) => [method.replaceAll(" ", "_"), 100 * (ratios[method] - 1)]);
  return {
    period: label,
    produced: energy,
    predicted: energy * ratios.index,
    low: interval && energy * interval.low,
    high: interval && energy * interval.high,
    hit: interval && interval.low <= 1 && 1 <= interval.high,
    ...Object.fromEntries(errors) as Record<string, number>,
  };
}

function listMethods(periods: readonly UnseenPeriod[]) {
  return METHODS.map((method) => {
    const errors = periods.map(({ ratios }) => 100 * (ratios[method] - 1));
    const sizes = errors.map(Math.abs);
    return { method, error: mean(sizes), worst: Math.max(...sizes), bias: mean(errors) };
  });
}

/** Draws worlds like the months of a record. */
function drawWorlds(months: readonly UnseenPeriod[], prior: SitePrior, seed: number) {
  const record = months.map(({ label, ratios }) => ({
    year: label.slice(0, 4),
    month: Number(label.slice(5)),
    error: 1 / ratios.index - 1,
    index: -Math.log(ratios.index),
    plain: -Math.log(ratios["one factor"]),
  }));
  const move = estimateLevelMove(record);
  const lengths = record.length === 0 ? [] : drawLengths(record, prior, move, seed);
  return { move, lengths };
}

/**
 * Measures how good the index of a turbine is, by its own production: each month predicted by a calibration that has not seen
 * it, beside simpler methods, and how often the 90 % intervals are right. Worlds that are like the record then say how
 * large the errors are after any number of months, and how many more it needs.
 *
 * Reanalysis, scaling, smoothing and factors are chosen anew without each month; of more than 24 months neighbours are
 * left out together. The intervals of a site with several reanalyses leave out how far these are apart in the long term.
 *
 * @param training What the turbine is calibrated from, of `readTraining()`
 * @param options `tolerance` of a normal year (%), `seed`
 * @returns Frames of `periods`, `methods` and `lengths`, error (%), hit rate (%), months needed, sentences and notes
 * @throws {ArgumentError} If fewer than two periods have a week of production and climate, or they cannot be calibrated
 *
 * @example The sample's own files as if they were yours
 * ```ts
 * import { exampleFile, plotProof, proveIndex } from "@vindkit/vindkit";
 * import { readSiteFile, readTraining } from "@vindkit/vindkit/sites";
 * import { assert } from "@std/assert";
 *
 * const [training] = await readTraining(await readSiteFile(await exampleFile("site.json")));
 * const proof = proveIndex(training);
 * const chart = plotProof(proof);
 * assert(proof.frames.periods.height > 11 && proof.summary.length > 3);
 * ```
 */
export function proveIndex(
  training: TurbineTraining,
  options: ProveIndexOptions = {},
): IndexProof {
  const { tolerance, seed } = readOptions("proveIndex()", options, OPTIONS);
  if (!training?.turbine || !training.inputs || !training.climates) {
    throw new ArgumentError(
      `Cannot ${WHAT} of ${describeValue(training)}. Give an entry of readTraining()`,
    );
  }
  if (!(tolerance > 0 && tolerance < 100)) {
    throw new ArgumentError(`Cannot ${WHAT} to within ${tolerance} %. Give a tolerance such as 5`);
  }
  const { periods, left, prior } = predictUnseen(training, WHAT);
  const rows = periods.map(buildPeriod);
  const months = periods.filter(({ interval }) => interval !== null);
  const hits = rows.filter(({ hit }) => hit).length;
  const methods = listMethods(periods);
  const [{ error }, ...others] = methods;
  const [best] = others.toSorted((a, b) => a.error - b.error);
  const { move, lengths } = drawWorlds(months, prior, seed);
  const enough = lengths.find(({ year: [, most] }) => 100 * most <= tolerance);
  const more = enough ? Math.max(0, enough.months - months.length) : null;
  const results: ProofFound[] = [
    {
      code: "unseen",
      periods: periods.length,
      unit: months.length > 0 ? "month" : "year",
      ...methods[0],
    },
  ];
  const notes: ProofFound[] = [
    {
      code: "other_years",
      years: new Set(periods.map(({ label }) => label.slice(0, 4))).size,
      move: 100 * Math.sqrt(move.variance),
      learnt: move.freedom > LEVEL_PRIOR.count,
    },
  ];
  if (months.length > 0) {
    const widths = months.map(({ interval, ratios }) =>
      50 * (interval!.high - interval!.low) / ratios.index
    );
    results.push({ code: "intervals", hits, periods: months.length, width: mean(widths) });
  } else notes.push({ code: "no_months" });
  results.push({ code: "methods", methods: others });
  if (best.error < CLEARLY * error) results.push({ code: "beaten", method: best.method });
  const now = lengths.findLast((length) => length.months <= months.length);
  if (now) {
    const [year, month] = [100 * now.year[1], 100 * now.month[1]];
    results.push({ code: "now", months: months.length, year, month }, {
      code: "more",
      tolerance,
      more,
    });
    if (months.length < 12) notes.push({ code: "season_unknown", months: months.length });
  }
  if (periods.length < FEW) notes.push({ code: "few", periods: periods.length });
  if (left.length > 0) notes.push({ code: "left_out", periods: left });
  const hitRate = months.length === 0 ? null : 100 * hits / months.length;
  return buildAnswer({ error, hitRate, monthsNeeded: now ? more : null }, {
    title: `How good the index of ${training.turbine.id} is`,
    frames: {
      methods: { title: "Ways to predict", columns: proofMethods, rows: methods },
      lengths: {
        title: "After some months of production",
        columns: proofLengths,
        rows: lengths.map(({ months, year, month }) => ({
          months,
          year_half: 100 * year[0],
          year_most: 100 * year[1],
          month_half: 100 * month[0],
          month_most: 100 * month[1],
        })),
      },
      periods: { title: "Each period, predicted without it", columns: proofPeriods, rows },
    },
    found: writeFindings(words, units, results, notes),
    origin: joinOrigins([training]),
  });
}
