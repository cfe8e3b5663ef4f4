import { addedColumn, type Column } from "../../api/columns/column.ts";
import type { DataFrame } from "nodejs-polars";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { mean } from "../../stats/spread.ts";
import { buildTrainingSet, type TurbineTraining } from "../../windindex/calibration/training.ts";
import {
  buildInterval,
  computeReach,
  type Interval,
  LEVEL_PRIOR,
} from "../../windindex/uncertainty/error_terms.ts";
import {
  computeSiteErrors,
  estimateLevelMove,
  type SitePrior,
} from "../../windindex/uncertainty/site_errors.ts";
import { type Answer, buildAnswer, writeFindings } from "../series/answer.ts";
import { drawLengths } from "./more_months.ts";
import { type ProofFinding, units, words } from "./words.ts";
import { fitLine } from "../../stats/regression.ts";
import { calibrate, type Calibration, isWhole } from "../../windindex/calibration/calibration.ts";
import { assignFolds } from "../../windindex/calibration/cross_validation.ts";
import {
  computeTrainingEnergies,
  isMonth,
  type TrainingEnergies,
} from "../../windindex/calibration/training_energies.ts";
import { chooseReanalyses } from "../../windindex/reanalyses/choose_reanalyses.ts";
import { combineMonthErrors } from "../../windindex/uncertainty/combined_errors.ts";
import { computeMonthErrors, smoothTraining } from "../../windindex/uncertainty/uncertainty.ts";

const energy = (name: string, label: string, description: string): Column =>
  addedColumn(name, "f64", label, description, "MWh");
const percent = (name: string, label: string, description: string): Column =>
  addedColumn(name, "f64", label, description, "%");

/** The periods of `proveIndex()`: one row per month, or per year of annual production. */
export const proofPeriods: readonly Column[] = [
  addedColumn("period", "utf8", "Period", "Month, such as 2018-05, or year."),
  energy("produced", "Produced", "Energy produced in the hours compared."),
  energy("predicted", "Predicted", "Energy predicted without the period."),
  energy("low", "Low", "Lower end of the 90 % interval; null for a year."),
  energy("high", "High", "Upper end of the 90 % interval; null for a year."),
  addedColumn(
    "hit",
    "bool",
    "Hit",
    "Whether the interval contains the produced energy; null for a year.",
  ),
  percent("index", "Index", "Predicted over produced energy, less 100 %."),
  percent("one_factor", "One factor", "The same error for one factor on the wind speed."),
  percent(
    "monthly_regression",
    "Regression",
    "The same error for a line of mean power on mean wind speed.",
  ),
  percent("mean_of_the_others", "Mean", "The same error for the mean power of the other periods."),
];

/** The methods of `proveIndex()`: one row each. */
export const proofMethods: readonly Column[] = [
  addedColumn("method", "utf8", "Method", "How a period is predicted from the others."),
  percent("error", "Mean error", "Mean absolute error of the periods."),
  percent("worst", "Largest", "Largest absolute error of a period."),
  percent("bias", "Bias", "Mean error of the periods."),
];

/** Errors after some months of production: one row per number of months. */
export const proofLengths: readonly Column[] = [
  addedColumn("months", "i32", "Months", "Months of production, from any month of the year on."),
  percent("year_half", "Year, half", "Largest error of a normal year in half of the cases."),
  percent("year_most", "Year, 90 %", "Largest error of a normal year in nine of ten cases."),
  percent(
    "month_half",
    "Month, half",
    "Largest error of a month of another year in half of the cases.",
  ),
  percent(
    "month_most",
    "Month, 90 %",
    "Largest error of a month of another year in nine of ten cases.",
  ),
];

/** Ways to predict a period from the others: the index, and simpler ones. */
const METHODS = ["index", "one factor", "monthly regression", "mean of the others"] as const;

/** A month or year predicted from the other periods. */
interface UnseenPeriod {
  /** "2018-05", or "2018". */
  readonly label: string;
  /** Energy of one unit over the hours compared, kWh. */
  readonly produced: number;
  /** Predicted over produced energy by each method. */
  readonly ratios: Readonly<Record<typeof METHODS[number], number>>;
  /** 90 % interval of the index, over the produced energy; `null` for a year. */
  readonly interval: Interval | null;
}

/** Fewest periods, each predicted from the others. */
const MIN_UNSEEN = 2;

/** Computes the mean wind speed of the hours compared in each period, m/s, by its label. */
function computeMeanWinds({ set, periods }: TrainingEnergies): Map<string, number> {
  return new Map(periods.map(({ label, from, to }) => {
    let [sum, hours] = [0, 0];
    for (let i = from; i < to; i++) {
      if (set.weight[i] > 0) sum += set.weight[i] * set.speed[i];
      hours += set.weight[i];
    }
    return [label, sum / hours];
  }));
}

/** Averages predicted over produced energy, weighted, of the reanalyses that predict a period. */
function averageRatios(
  calibrations: readonly Calibration[],
  weights: readonly number[],
  label: string,
): number {
  let [sum, weight] = [0, 0];
  calibrations.forEach(({ periods }, i) => {
    const period = periods.find((candidate) => candidate.label === label);
    if (!period || period.unseen === null || weights[i] === 0) return;
    sum += weights[i] * period.unseen / period.produced;
    weight += weights[i];
  });
  return sum / weight;
}

/** Predicts the periods of one block from all others. */
function predictBlock(
  training: readonly TrainingEnergies[],
  ofFactor: readonly TrainingEnergies[],
  leftOut: ReadonlySet<string>,
  winds: ReadonlyMap<string, number>,
): UnseenPeriod[] {
  const calibrations = training.map((one) => calibrate(one, undefined, leftOut));
  const plain = ofFactor.map((one) => calibrate(one, [], leftOut));
  const { weights, errors, error } = chooseReanalyses(calibrations);
  const [{ periods }] = calibrations;
  const others = periods.filter(isWhole);
  const powers = others.map(({ produced, validHours }) => produced / validHours);
  const average = mean(powers);
  const line = fitLine(others.map(({ label }) => winds.get(label)!), powers);
  const unseen = periods.filter(({ label, produced }) => leftOut.has(label) && produced > 0);
  const months = unseen.map(({ label }) => ({
    year: Number(label.slice(0, 4)),
    month: Number(label.slice(5)),
  }));
  const shares = combineMonthErrors(
    training.map((one, i) => ({
      weight: weights[i],
      unseen: errors[i],
      annual: NaN, // the spread between long-term means is left out
      months: weights[i] > 0 ? computeMonthErrors(one, calibrations[i], months) : [],
    })),
    NaN,
    error,
  );
  return unseen.map((period, i) => {
    const { label, produced, validHours } = period;
    const power = produced / validHours;
    const index = averageRatios(calibrations, weights, label);
    return {
      label,
      produced,
      ratios: {
        index,
        "one factor": averageRatios(plain, weights, label),
        "monthly regression": (line ? line.intercept + line.slope * winds.get(label)! : average) /
          power,
        "mean of the others": average / power,
      },
      interval: isMonth(period) ? buildInterval(index, computeReach(shares[i])) : null,
    };
  });
}

/**
 * Predicts each period of a record by a calibration without it, which chooses reanalysis, scaling, smoothing and
 * factors again. If there are more than 24 periods, neighbours are left out together.
 *
 * @param action Action named in messages
 * @throws {ArgumentError} If fewer than two periods have a week or more and are no outages
 */
function predictUnseen({ turbine, inputs, climates }: TurbineTraining, action: string) {
  const sets = climates.map(({ hub }) => buildTrainingSet(hub, inputs, turbine.timeZone));
  const energiesOf = (kinds?: ["factor"]) =>
    sets.map((set, i) => computeTrainingEnergies(set, climates[i].hub, turbine, kinds));
  const [training, ofFactor] = [energiesOf(), energiesOf(["factor"])];
  const [usual] = training;
  const full = calibrate(usual);
  const labels = full.periods.filter(isWhole).map(({ label }) => label);
  if (labels.length < MIN_UNSEEN) {
    throw new ArgumentError(
      `Cannot ${action} of ${turbine.id}: the proof needs ${MIN_UNSEEN} valid periods, but the record has ${labels.length}. A period is valid if it has a week of production and climate data, and is not an outage. Give production of more periods`,
    );
  }
  const folds = assignFolds(new Uint8Array(labels.length).fill(1));
  const winds = computeMeanWinds(usual);
  return {
    periods: Array.from({ length: Math.max(...folds) + 1 }, (_, fold) => {
      const leftOut = new Set(labels.filter((_, i) => folds[i] === fold));
      return predictBlock(training, ofFactor, leftOut, winds);
    }).flat(),
    /** Periods without a prediction: outages, and periods of less than a week. */
    unpredicted: full.periods.filter((period) => !isWhole(period))
      .map(({ label, reason }) => ({ period: label, reason: reason || "less than a week" })),
    /** Information in the record's days about its months. */
    prior: computeSiteErrors(smoothTraining(usual, full), full).prior,
  };
}

/** Options of {@linkcode proveIndex}. */
export interface ProveIndexOptions {
  /** Error of a normal year to reach, %. @default {5} */
  readonly tolerance?: number;
  /** Seed of the worlds. @default {1} */
  readonly seed?: number;
}

/** Quality of a turbine's index; it shows itself in notebooks and on the console. */
export interface IndexProof extends Answer {
  /**
   * `periods`, one row per month: `period`, `produced`, `predicted`, `low`, `high` (MWh), `hit`, and the errors of the
   * `index`, of `one_factor`, `monthly_regression` and `mean_of_the_others` (%); `plotProof()` draws it.
   *
   * `methods`, one row per method: `method`, `error`, `worst`, `bias` (%).
   *
   * `lengths`, one row per number of `months` of production: `year_half`, `year_most`, `month_half`, `month_most` (%).
   */
  readonly frames: Readonly<Record<"periods" | "methods" | "lengths", DataFrame>>;
  /** Mean absolute error of unseen periods, %. */
  readonly error: number;
  /** Share of the months in their 90 % interval, %; `null` for annual production. */
  readonly hitRate: number | null;
  /** Months needed in addition to the record, 0 if it is long enough; `null` for annual production, or beyond twenty years. */
  readonly monthsNeeded: number | null;
}

const ACTION = "prove the index";

const OPTIONS = declareOptions<ProveIndexOptions>()("", { tolerance: 5, seed: 1 });

/** Share of the error of the index below which a simpler method is clearly better. */
const CLEARLY = 0.9;

/** With fewer periods, hit rates cannot be told apart. */
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
 * Measures how good the index of a turbine is, by its own production: a calibration that has not seen a month predicts it,
 * next to simpler methods, and the answer counts how often the 90 % intervals are right. Synthetic worlds like the record then
 * show the errors after any number of months, and how many more months it needs.
 *
 * Each calibration without a month chooses reanalysis, scaling, smoothing and factors again; of more than 24 months
 * neighbours are left out together. With several reanalyses, the intervals do not include their long-term differences.
 *
 * @param training Calibration input of the turbine, from `readTraining()`
 * @param options `tolerance` of a normal year (%), `seed`
 * @returns Frames of `periods`, `methods` and `lengths`, error (%), hit rate (%), months needed, sentences and notes
 * @throws {ArgumentError} If fewer than two periods have a week of production and climate, or calibration fails for
 * them
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
      `Cannot ${ACTION}: the training data are ${
        describeValue(training)
      }. Give an entry from the result of readTraining()`,
    );
  }
  if (!(tolerance > 0 && tolerance < 100)) {
    throw new ArgumentError(
      `Cannot ${ACTION}: "tolerance" is ${tolerance} %, but must be above 0 and below 100 %. Give a value such as 5`,
    );
  }
  const { periods, unpredicted, prior } = predictUnseen(training, ACTION);
  const rows = periods.map(buildPeriod);
  const months = periods.filter(({ interval }) => interval !== null);
  const hits = rows.filter(({ hit }) => hit).length;
  const methods = listMethods(periods);
  const [{ error }, ...others] = methods;
  const [best] = others.toSorted((a, b) => a.error - b.error);
  const { move, lengths } = drawWorlds(months, prior, seed);
  const sufficient = lengths.find(({ year_most }) => year_most <= tolerance);
  const more = sufficient ? Math.max(0, sufficient.months - months.length) : null;
  const results: ProofFinding[] = [
    {
      code: "unseen",
      periods: periods.length,
      unit: months.length > 0 ? "month" : "year",
      ...methods[0],
    },
  ];
  const notes: ProofFinding[] = [
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
    const { year_most: year, month_most: month } = now;
    results.push(
      { code: "now", months: months.length, year, month },
      { code: "more", tolerance, more },
    );
    if (months.length < 12) notes.push({ code: "season_unknown", months: months.length });
  }
  if (periods.length < FEW) notes.push({ code: "few", periods: periods.length });
  if (unpredicted.length > 0) notes.push({ code: "left_out", periods: unpredicted });
  const hitRate = months.length === 0 ? null : 100 * hits / months.length;
  return buildAnswer({ error, hitRate, monthsNeeded: now ? more : null }, {
    title: `How good the index of ${training.turbine.id} is`,
    frames: {
      methods: { title: "Ways to predict", columns: proofMethods, rows: methods },
      lengths: {
        title: "After some months of production",
        columns: proofLengths,
        rows: lengths,
      },
      periods: { title: "Each period, predicted without it", columns: proofPeriods, rows },
    },
    findings: writeFindings(words, units, results, notes),
    origin: joinOrigins([training]),
  });
}
