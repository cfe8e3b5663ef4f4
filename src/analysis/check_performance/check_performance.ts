import type { DataFrame } from "nodejs-polars";
import { isPlausibleLevel } from "../series/level.ts";
import { type Answer, buildAnswer, listReadings, writeFindings } from "../series/answer.ts";
import { readPrice } from "../series/prices.ts";
import { findStops, readStates } from "../series/turbine_states.ts";
import { zoneOfDetails } from "../series/turbine_stamps.ts";
import { checkHours } from "./check_hours.ts";
import { checkPeriods } from "./check_periods.ts";
import type { CheckedPeriods, CheckResult } from "./check_result.ts";
import { readExpectation, readPredictedMonths, sumModelMonths } from "./expectation.ts";
import {
  type CheckPerformanceOptions,
  type ChosenOptions,
  MISSING_PREDICTIONS,
  refuse,
} from "./options.ts";
import { addStops, readProducedSeries, sumProducedMonths } from "./production.ts";
import { type PerformanceFinding, units, words } from "./words.ts";
import { toMonth } from "../../api/calendar.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { readMonthRange } from "../../show/options/range.ts";
import { formatCount, formatFigures, formatShare } from "../../show/text/numbers.ts";
import { convertToHours } from "../series/hours.ts";
import { computeNormalBand, type NormalBand, selectStableRatios } from "./band.ts";
import { monthNumberOf } from "../../time/zones.ts";
import { rowOf, valueColumns, type Verdict, verdictColumns } from "../verdict/row.ts";
import { formatPeriod } from "../verdict/words.ts";
import { type PeriodRange, splitDeviation } from "./deviation_steps.ts";
import { keyOf, listFrames, periodColumns } from "./frames.ts";
import { listNotes, listResults, selectLosses } from "./summary.ts";
import { judgePeriods, judgeWhole } from "./verdicts.ts";
import { sumOf } from "../../stats/spread.ts";

/**
 * Checks that production and prediction can belong to the same turbine.
 *
 * @param units Number of turbines in the production
 * @throws {ArgumentError} If production or prediction is 0, or their ratio is not plausible
 */
function assertPlausible(
  { periods, outages, normalRatio, by, hours }: CheckedPeriods,
  units: number,
): void {
  const [column, unit] = hours ? ["power", "kW"] : ["energy", "MWh"];
  const pairs = periods.filter(({ produced, predicted }) => Number.isFinite(produced + predicted));
  const [produced, predicted] = (["produced", "predicted"] as const)
    .map((name) => sumOf(pairs, (period) => period[name]));
  const [first, last] = [pairs[0].label, pairs[pairs.length - 1].label];
  const labels = first === last ? `in ${first}` : `from ${first} to ${last}`;
  if (!(predicted > 0)) {
    refuse(`the prediction is 0 MWh ${labels}. Give predictions of a turbine that runs`);
  }
  const stopsKnown = hours || outages.some(({ source }) => source !== "detected");
  if (!stopsKnown && !(produced > 0)) {
    refuse(
      `column "${column}" of the production is 0 ${unit} or less in all ${by}s ${labels}. If the ` +
        "turbine was stopped all the time, give that time as an outage: { outages: [{ from, to }] }",
    );
  }
  const ran = pairs.some(({ running }) => Number.isFinite(running));
  const ratio = ran ? normalRatio : produced / predicted;
  if (isPlausibleLevel(ratio, by === "year" ? 12 * pairs.length : pairs.length, ran)) {
    return;
  }
  const times = ratio >= 1 ? ratio.toFixed(1) : ratio.toPrecision(2);
  refuse(
    `${ran ? "without outages, " : ""}the production is ${times} times the prediction ${labels}. ` +
      `Column "${column}" must be in ${unit} and for ${
        formatCount(units, "turbine")
      }. Convert it, or give the number of turbines of a park with { units: ... }`,
  );
}

/**
 * Compares production with predictions, hour by hour if both are hourly; sums hours by months if the prediction is
 * monthly.
 *
 * @param predicted Model data or monthly indices
 * @throws {ArgumentError} If a column is missing or in another unit, or production and prediction have no time in common
 */
export function checkPredictions(
  series: DataFrame,
  predicted: DataFrame,
  options: ChosenOptions,
): CheckResult {
  const { details, units, events, neighbours = [] } = options;
  if (!(units > 0)) refuse(`"units" is ${units}, but must be a number of turbines. Give 1 or more`);
  const expectation = readExpectation(predicted, options);
  const { model, reference } = expectation;
  const zone = model?.timeZone ?? zoneOfDetails(details);
  const states = options.states ?? (events && readStates(events, {}, refuse));
  const read = readProducedSeries(series, zone, undefined, units * expectation.ratedPower);
  const production = states ? addStops(read, states) : read;
  const unused: PerformanceFinding[] = [];
  const prices = readPrice(options);
  let checked: CheckedPeriods;
  if (model && production.kind === "hour") {
    checked = checkHours(production, model, expectation, options, prices);
  } else {
    const months = model
      ? sumModelMonths(model, expectation.density)
      : readPredictedMonths(predicted, units);
    const hourly = production.kind === "hour";
    const timeZone = zone ?? production.timeZone;
    const periods = hourly ? sumProducedMonths(production, timeZone) : production;
    checked = checkPeriods(periods, months, expectation, options, prices);
    if (neighbours.length > 0) unused.push({ code: "neighbours_unused" });
    if (hourly && !zoneOfDetails(details)) unused.push({ code: "months_of_zone", zone: timeZone });
    if (hourly && production.availability) unused.push({ code: "availability_unused" });
  }
  assertPlausible(checked, units);
  // Outages from a log get the name of their category.
  const outages = checked.outages.map((outage) => {
    const [cause] = states ? findStops(states, [outage.from, outage.to]).causes : [];
    return outage.source !== "status" || cause === undefined
      ? outage
      : { ...outage, outage: outage.outage.replace("Not available", cause) };
  });
  const notes = [...listReadings(states?.notes ?? []), ...expectation.notes, ...unused];
  return { ...checked, outages, reference, notes: [...checked.notes, ...notes] };
}

/** Lists the figures in the heading of a check. */
function listFacts(
  { by, band, smallestChange, completeness, normalRatio }: Figures,
  outages: CheckResult["outages"],
) {
  const lost = outages.reduce((sum, { lost }) => Number.isFinite(lost) ? sum + lost : sum, 0);
  const percent = (...values: readonly number[]) => formatFigures(values, "%");
  const facts = {
    "Completeness": completeness === null ? null : `${formatShare(completeness)} %`,
    [`Normal ${by}s`]: band && percent(band.low, band.high),
    "Smallest lasting change": smallestChange === null ? null : percent(smallestChange),
    "Outside of outages": percent(normalRatio),
    "Lost in outages": outages.length === 0 ? null : formatFigures([lost], "MWh"),
  };
  return Object.entries(facts).map(([label, value]) => ({ label, value }));
}

/**
 * Compares production with the prediction.
 *
 * @throws {ArgumentError} If one of them does not fit
 */
export function checkInput(production: DataFrame, options: ChosenOptions): CheckResult {
  const produced = convertToHours(production, "the production", refuse);
  const model = convertToHours(options.predicted, "the prediction", refuse);
  const checked = checkPredictions(produced.frame, model.frame, options);
  const read = listReadings([...produced.notes, ...model.notes]);
  return { ...checked, notes: [...checked.notes, ...read] };
}

export type { NormalBand } from "./band.ts";
export type { CheckPerformanceOptions, NamedOutage, TurbineFacts } from "./options.ts";

/** Result of a performance check; it shows itself in notebooks and on the console. */
export interface PerformanceCheck extends Answer {
  /** Was it the wind or the turbine? For the months you ask for, or for all. */
  readonly verdict: Verdict;
  /** The same for each month, or year. */
  readonly verdicts: readonly Verdict[];
  /** Whether periods are months or years: years for annual production. */
  readonly by: "month" | "year";
  /**
   * `comparison`, actual and expected production by `month` or `year`: `produced` and `predicted` (MWh), `ratio`, `band_low`
   * and `band_high` (%), `state`, `hours` and `completeness`; `plotPerformance()` draws it. `outside`: its rows outside of
   * the band, or far below the others.
   *
   * `steps`, the deviation from a normal production over the whole time: `step`, `energy` (MWh) with the ends `energy_low`
   * and `energy_high` of its 90 % interval, and `share` (%); `stepsByPeriod`, the same for each `month` or `year`;
   * `plotShortfall()` draws them, `{ month: "2024-03" }` one. With the option `month` both are for that month.
   *
   * `limits` of the power: `from`, `to`, `source` (`declared`, `status` or `found`), `level` (kW), the `hours` in which it
   * held the turbine back, `lost` with the ends of its 90 % interval, `expected` and `produced` (MWh).
   *
   * `changes`, lasting ones: `change` (`loss` or `gain`), `from` with the ends of its 90 %
   * interval, `to`, `size` (%) and `lost` (MWh) with their intervals, and `against`, the prediction or neighbours.
   *
   * `verdicts`, a row each `month` or `year`: `produced`, `normal` and `deviation` (MWh), the steps `wind`, `density`, `stops`,
   * `limited` and `rest` (MWh), with the ends of their 90 % intervals, the `verdict` with all its `causes`, and its `text`.
   *
   * `outages` and their losses: `outage`, `lost` with the ends `lost_low` and `lost_high` of its 90 % interval,
   * `expected` and `produced` (MWh), `from`, `to`, `source` and `completeness`.
   */
  readonly frames: {
    readonly comparison: DataFrame;
    readonly outside: DataFrame;
    readonly steps: DataFrame;
    readonly stepsByPeriod: DataFrame;
    readonly limits: DataFrame;
    readonly changes: DataFrame;
    readonly outages: DataFrame;
    readonly verdicts: DataFrame;
  };
  /**
   * The band of normal ratios, of months or years without the hours of outages, in the longest stable state: `low`,
   * `middle` and `high` in %, the mean expected `energy` that they are for, and the number of `periods`. `null` with too few.
   */
  readonly band: NormalBand | null;
  /** Smallest lasting change that this record could show, %: found in two of three synthetic worlds; `null` if the record is too short. */
  readonly smallestChange: number | null;
  /** Share of the hours of these months or years that are compared; `null` if unknown. */
  readonly completeness: number | null;
  /** Produced over expected energy outside of outages, %: lost energies are scaled by it. */
  readonly normalRatio: number;
}

type Figures = Omit<PerformanceCheck, keyof Answer>;

// No option is declared as required, because the message on missing predictions explains how to get a model.
const OPTIONS = declareOptions<Partial<CheckPerformanceOptions>>()(
  "predicted indices details outages events neighbours changed price currency month from to source",
  { units: 1 },
);

/** Reads the months or years to judge. */
function readAsked(
  { month, from, to }: ChosenOptions,
  by: "month" | "year",
): PeriodRange | undefined {
  if (month === undefined && from === undefined && to === undefined) return undefined;
  if (month !== undefined && (from ?? to) !== undefined) {
    refuse(
      '"month" names a period, and so do "from" and "to". Omit "month", or omit "from" and "to"',
    );
  }
  const only = month === undefined ? undefined : toMonth(month);
  const range = only ? { from: only, to: only } : readMonthRange({ from, to }, "any");
  const numberOf = (of: Temporal.PlainYearMonth) => by === "month" ? monthNumberOf(of) : of.year;
  const [first, last] = [range.from, range.to].map((one) => one?.toString());
  return {
    from: range.from ? numberOf(range.from) : -Infinity,
    to: range.to ? numberOf(range.to) : Infinity,
    asked: first === last ? first! : `${first ?? "the beginning"} to ${last ?? "the end"}`,
  };
}

/**
 * Checks whether a turbine produced what it should. It compares production with prediction by month (or by year, if
 * production is annual), finds months outside of the normal band, explains the deviation from normal, and measures the
 * cost of outages.
 *
 * The deviation from a normal production is split in the fixed order wind, air density, availability, a lasting change,
 * unexplained, and sums exactly. Wind needs the normal year (`indices`), air density the power curve (`details`), availability needs
 * outages: named by the caller, taken from a status log (`events`) or from a column `availability` of the production (a share, or whether the turbine
 * could run), or detected. In hours, an outage is four hours or more without power while the model expects a tenth of
 * the rated power on average (over a day at most: calms do not hide a long stop). In months and years, it is one far below the others. Steps that cannot be
 * separated are one step, and a note says which data would separate them.
 *
 * Hours are compared with hours: missing hours are not a loss, and the normal energy is scaled to the hours compared. The
 * energy lost in an outage is the expected energy, scaled by the turbine's ratio outside of outages, less the produced energy.
 * If the turbine was available in part of an hour, only the rest of its expected energy is lost. An outage given by hours
 * takes every hour that it touches. An outage given by days takes the hours from the first to the last stopped one, so it
 * costs as much as the same outage when detected. In months or years it takes every one that it touches.
 *
 * The check looks for a lasting change, a loss or gain from a date on, relative to hourly neighbours or else to the
 * prediction, and for a level that the power did not exceed. The band comes from the longest stable state, and all months are
 * judged by it. Every record reports the smallest change that it could show.
 * With `month` the answer is for one month, judged next to all others: its deviation with the interval of each step, and
 * a sentence with cost and cause. The interval of the wind shows how far normal months differ from the model, without errors
 * that all months share. A lasting change has its own step.
 * With `changed`, the date of a repair or of new software, the check measures the change on that date instead: in daily
 * energies over the predicted ones, or with neighbours over a fit to their hours and the model's, by
 * wind direction if the model data have it. A note shows the apparent changes on other dates, the change of
 * the neighbours, and the number of days on which none of them ran.
 *
 * @param production Hours (`time` with a zone, `power` in kW), months (`month`, `energy` in MWh) or years (`year`, `energy`),
 * with or without `availability`, months and years also with `valid_hours`; regular steps below an hour are averaged as `toHours()` does
 * @param options `predicted`; `indices`, `details`, `outages` by name, `events` of a log,
 * `neighbours`, `changed`: the date of a known change, `month`: the only one to judge, `units`, `source` of a prediction that lost it
 * @returns Frames, figures and sentences
 * @throws {ArgumentError} If the prediction is missing or covers another period, or a column, its unit or an option does not fit
 * @throws {DataFormatError} If hours do not begin whole hours apart
 *
 * @example Four years of the sample, with indices and power curve
 * ```ts
 * import {
 *   exampleFile,
 *   modelData,
 *   monthlyIndices,
 *   checkPerformance,
 *   readProduction,
 *   turbineDetails,
 * } from "@vindkit/vindkit";
 * import { assert, assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 *
 * const production = await readProduction(await exampleFile("production.csv"), {
 *   resolution: "hour",
 *   unit: "kW",
 *   time: "time",
 *   column: "power",
 * });
 * const predicted = await modelData("T1", { from: 2021, to: 2024 });
 * const check = checkPerformance(production, {
 *   predicted,
 *   details: await turbineDetails("T1"),
 *   indices: await monthlyIndices("T1", { from: "2021-01", to: "2024-12" }),
 *   outages: [{ name: "Gearbox", from: "2024-03-03", to: "2024-03-11" }],
 * });
 * const steps = check.frames.steps.getColumn("step").toArray();
 * assertEquals(steps.slice(1, -1), ["Wind", "Air density", "Availability", "Unexplained"]);
 * assert(check.smallestChange! < 10);
 * const low = check.frames.outside.filter(pl.col("state").eq(pl.lit("low"))).getColumn("month");
 * assert(low.cast(pl.Utf8).toArray().includes("2024-03-01"));
 * ```
 *
 * @example What did March cost, and why?
 * ```ts
 * import {
 *   checkPerformance,
 *   exampleFile,
 *   modelData,
 *   monthlyIndices,
 *   plotShortfall,
 *   readProduction,
 * } from "@vindkit/vindkit";
 * import { assertMatch } from "@std/assert";
 *
 * const file = await exampleFile("production.csv");
 * const meter = { resolution: "hour", unit: "kW", time: "time", column: "power" } as const;
 * const production = await readProduction(file, meter);
 * const predicted = await modelData("T1");
 * const indices = await monthlyIndices("T1");
 * const march = checkPerformance(production, { predicted, indices, month: "2024-03" });
 * plotShortfall(march);
 * assertMatch(march.summary[0], /^It was the turbine: stops cost .* less than a normal March/);
 * ```
 */
export function checkPerformance(
  production: DataFrame,
  options: CheckPerformanceOptions,
): PerformanceCheck {
  const read = readOptions("checkPerformance()", options, OPTIONS);
  checkFrame(production, "check the performance", "readProduction()");
  const { predicted = refuse(MISSING_PREDICTIONS), indices, neighbours = [] } = read;
  const chosen: ChosenOptions = { ...read, predicted };
  checkFrame(predicted, "check the performance with the prediction", "modelData()");
  if (indices) checkFrame(indices, "read the normal year from the indices", "monthlyIndices()");
  for (const frame of neighbours) {
    checkFrame(frame, "compare with a neighbour", "readProduction()");
  }
  const checked = checkInput(production, chosen);
  if (chosen.changed !== undefined && !checked.hours) {
    refuse(
      "a named change needs hourly production and hourly model data. Give hourly frames, or omit { changed }",
    );
  }
  const { by, change, periods } = checked;
  const band = computeNormalBand(
    selectStableRatios(checked),
    by,
    periods.map((period) => period.predicted),
  );
  const range = readAsked(chosen, by);
  const all = splitDeviation(checked, band);
  const steps = range ? splitDeviation(checked, band, range) : all;
  const verdict = judgeWhole(checked, steps, range, chosen);
  const verdicts = judgePeriods(checked, all, chosen);
  const judged = range ? selectLosses(checked, steps) : checked;
  const { name } = options.details ?? {};
  const hours = sumOf(periods, (period) => period.hours);
  const known = sumOf(periods, (period) => period.hours * period.completeness);
  const figures: Figures = {
    verdict,
    verdicts,
    by,
    band,
    smallestChange: Number.isFinite(change.smallest) ? 100 * change.smallest : null,
    completeness: Number.isFinite(known) ? known / hours : null,
    normalRatio: 100 * checked.normalRatio,
  };
  return buildAnswer(figures, {
    title: `Performance check${name ? ` of ${name}` : ""}${
      range ? `, ${formatPeriod(verdict.period)}` : ""
    }`,
    facts: range ? [] : listFacts(figures, checked.outages),
    frames: {
      ...listFrames(judged, band, steps, range !== undefined),
      verdicts: {
        columns: [periodColumns[by], ...verdictColumns.slice(1), ...valueColumns(verdicts)],
        rows: verdicts.map(rowOf).map(({ period: _, ...row }, i) => (
          { ...row, [by]: keyOf(by)(all.periods[i].period) }
        )),
      },
    },
    findings: writeFindings(words, units, listResults(checked, band, steps, verdict, range), [
      ...listNotes(checked, band, steps),
      ...steps.notes,
      ...change.notes,
      ...checked.notes,
    ]),
    origin: joinOrigins([options.source ?? predicted, production]),
  });
}
