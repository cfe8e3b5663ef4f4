import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { time } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { readLimitColumn } from "../../frames/production/period_shares.ts";
import { addDays } from "../../frames/production/to_months.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { buildRefuse, readStamps, type Refuse } from "../../frames/read_columns.ts";
import { findClockFaults } from "../../screening/shift/clock_faults.ts";
import { computeMonthLags, type MonthLag } from "../../screening/shift/shift.ts";
import { isLimit } from "../../screening/values/limited_power.ts";
import { computeHourMeans } from "../../screening/values/hourly_power.ts";
import { checkFrame } from "../../show/check_frame.ts";
import {
  declareOptions,
  type FilledOptions,
  readOptions,
} from "../../show/options/read_options.ts";
import { HOUR } from "../../time/hourly.ts";
import { assertTimeZone, formatMonthLabel, monthAsDays } from "../../time/zones.ts";
import { listMonthSpans } from "../../windindex/index/monthly_energy.ts";
import { type Answer, buildAnswer, listReadings, writeFindings } from "../series/answer.ts";
import { readReferenceHours, type ReferenceHours } from "../series/hours.ts";
import { assertOneTurbine } from "../series/turbine_stamps.ts";
import {
  hasPeriods,
  judgeDays,
  judgeEnergies,
  listPeriodShares,
  readEnergyPeriods,
} from "./energy_periods.ts";
import {
  judgeGaps,
  judgeStamps,
  judgeValues,
  placeOnAxis,
  type SeriesFinding,
} from "./findings.ts";
import { computeHours, type QualitySeries, readQualitySeries } from "./quality_series.ts";
import {
  buildCompletenessTable,
  completenessColumns,
  computeMonthShares,
  findingColumns,
  lagColumns,
  listFacts,
  listFindings,
  listResults,
  type MonthShare,
} from "./summary.ts";
import { type QualityFinding, units, words } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

/**
 * Compares the timestamps of a series with the hours of a model.
 *
 * @param masked 1 for hours of its axis that do not count: outages and impossible values
 */
function compareWithModel(
  { values, axis, perHour, timeZone }: QualitySeries,
  masked: Uint8Array,
  model: ReferenceHours,
  seed: number | string,
) {
  const step = HOUR / perHour;
  const later = (model.axis.start - axis.start) / step;
  if (!Number.isInteger(later)) {
    return { findings: [], lags: [], notes: [{ code: "between_hours" } as const] };
  }
  const unmasked = values.map((value, i) => masked[Math.floor(i / perHour)] === 1 ? NaN : value);
  const produced = perHour === 1 ? unmasked : computeHourMeans(unmasked, perHour);
  const modelled = new Float64Array(values.length).fill(NaN);
  model.means.forEach((mean, i) => {
    const position = later + i * perHour;
    if (position >= 0 && position < modelled.length) modelled[position] = mean;
  });
  const months = listMonthSpans(axis, timeZone).map(({ year, month, from, to }) => ({
    label: formatMonthLabel({ year, month }),
    from: Math.max(0, from * perHour),
    to: Math.min(values.length, to * perHour),
  }));
  const options = { seed, perHour };
  const lags = computeMonthLags(produced, modelled, months, options);
  const findings = findClockFaults(produced, modelled, months, {
    ...options,
    start: axis.start,
    timeZone,
  });
  return {
    findings: placeOnAxis(findings, axis.start, perHour),
    lags,
    notes: [
      ...listReadings(model.notes),
      ...(lags.length < months.length
        ? [{ code: "few_lags", lags: lags.length, months: months.length } as const]
        : []),
      { code: perHour === 1 ? "no_half_hours" : "smallest_lag" } as const,
    ],
  };
}

/** Options of {@linkcode checkQuality}. */
export interface CheckQualityOptions {
  /** Column to check. @default power, or the wind at the greatest height */
  readonly column?: string;
  /** Rated power of the turbine, kW; for a park the sum of its turbines. @default none: values of production are not checked */
  readonly ratedPower?: number;
  /** Hourly or finer production (`time`, `power`) of turbines nearby, by name. @default none */
  readonly neighbours?: Readonly<Record<string, DataFrame>>;
  /** Rated power of neighbours with a different one, kW, by name. @default `ratedPower` */
  readonly neighbourRatedPower?: Readonly<Record<string, number>>;
  /** Model data or climate data of the same place, for shifts in time; with power, calms are no standstill. @default none */
  readonly predicted?: DataFrame;
  /** IANA zone that sets the months, and whose clock changes the check looks for. @default null, the frame's */
  readonly timeZone?: string | null;
  /** Seed of the intervals of the lags. @default {1} */
  readonly seed?: number | string;
}

/** Result of a quality check; it shows itself in notebooks and on the console. */
export interface QualityReport extends Answer {
  /**
   * `problems` in order of time: `kind`, `from`, `to` (in the zone), `hours`, `message` and `remedy`.
   *
   * `completeness`, one row per `year`, one column per month (`jan` to `dec`): shares of 0 to 1 of all hours of the
   * month, also if the record begins or ends in it; null outside of the record. `plotCompleteness()` draws it.
   *
   * `lags` behind the model: `month`, `lag`, `lag_low`, `lag_high` (h) and `correlation`; no rows without a model.
   */
  readonly frames: {
    readonly problems: DataFrame;
    readonly completeness: DataFrame;
    readonly lags: DataFrame;
  };
}

interface Judgement {
  readonly column: Column;
  readonly resolution: string;
  readonly rows: number;
  readonly timeZone: string;
  readonly findings: readonly SeriesFinding[];
  readonly shares: readonly MonthShare[];
  /** Share of the hours with a value, from the first row to the last. */
  readonly share: number;
  readonly lags: readonly MonthLag[];
  readonly notes: readonly QualityFinding[];
}

const [, energy] = productionColumns.month;

function judgeSeries(
  frame: DataFrame,
  options: FilledOptions<CheckQualityOptions, "seed">,
  refuse: Refuse,
): Judgement {
  const series = readQualitySeries(frame, options.column, options.timeZone ?? undefined, refuse);
  const { perHour, timeZone, values, rows: [from, to] } = series;
  const hours = computeHours(series);
  const predicted = options.predicted && readReferenceHours(
    options.predicted,
    { prefer: "power" },
    buildRefuse("check the series with the prediction"),
  );
  const { ratedPower = NaN } = options;
  const limit = series.quantity === "power"
    ? readLimitColumn(frame, ratedPower, refuse)
    : undefined;
  // Power held level or at zero by a stated limit is no fault of the data.
  const free = hours.slice();
  for (const [row, level] of limit?.entries() ?? []) {
    const hour = Math.floor((series.stamps[row] - series.axis.start) / HOUR);
    if (isLimit(level, ratedPower)) free[hour] = NaN;
  }
  const judged = judgeValues(series, free, options, predicted);
  const model = predicted &&
    compareWithModel(series, judged.masked, predicted, options.seed);
  const withoutStamp = series.stamps.filter(Number.isNaN).length;
  const record = values.subarray(from, to);
  return {
    column: series.column,
    resolution: perHour === 1
      ? series.coarse === undefined ? "hourly" : `every ${series.coarse} h`
      : `every ${Number((60 / perHour).toFixed(2))} min`,
    rows: frame.height,
    timeZone,
    findings: [
      ...judgeStamps(series),
      ...judgeGaps(series),
      ...judged.problems,
      ...(model?.findings ?? []),
    ],
    shares: computeMonthShares(series),
    share: record.filter((value) => !Number.isNaN(value)).length / record.length,
    lags: model?.lags ?? [],
    notes: [
      ...(withoutStamp > 0 ? [{ code: "without_stamp", count: withoutStamp } as const] : []),
      ...judged.notes,
      ...(model?.notes ?? [{ code: "no_model" } as const]),
      ...(timeZone === "UTC" ? [{ code: "no_zone" } as const] : []),
    ],
  };
}

function judgePeriods(series: DataFrame, options: CheckQualityOptions, refuse: Refuse): Judgement {
  const frame = addDays(series);
  const days = frame !== series;
  const timeZone = options.timeZone ??
    (days ? readStamps(series, time.name, refuse).timeZone : "UTC");
  const judged = readEnergyPeriods(frame, timeZone, refuse);
  const shares = listPeriodShares(judged);
  const years = judged.resolution === "year";
  return {
    column: energy,
    resolution: years ? "annual" : days ? "daily" : "monthly",
    rows: series.height,
    timeZone,
    findings: [
      ...judgeEnergies(judged, options.ratedPower, timeZone),
      ...days ? judgeDays(series, options.ratedPower, refuse) : [],
    ],
    shares,
    share: sumOf(shares, ({ share }) => share) / shares.length,
    lags: [],
    notes: [
      ...listReadings(judged.notes),
      ...(options.ratedPower === undefined ? [{ code: "no_rated_power_of_periods" } as const] : []),
      ...(options.predicted || options.neighbours ? [{ code: "no_hours" } as const] : []),
      ...(years ? [{ code: "shares_of_years" } as const] : []),
    ],
  };
}

function listLags(lags: readonly MonthLag[]) {
  return lags.map(({ label, lag, low, high, correlation }) => ({
    month: monthAsDays(Temporal.PlainYearMonth.from(label)),
    lag,
    lag_low: low,
    lag_high: high,
    correlation,
  }));
}

const OPTIONS = declareOptions<CheckQualityOptions>()(
  "column ratedPower neighbours neighbourRatedPower predicted timeZone",
  { seed: 1 },
);

/**
 * Finds problems in a series without changing it. `checkConnection()` tests address and key.
 *
 * It looks for timestamps that are out of order, duplicated, off the clock or local time read as UTC; gaps; impossible
 * values, standstill, stuck and flat values, stops next to running neighbours, wrong units; shifts in time relative to a
 * model. Notes list the checks that were not possible, and the data that they need.
 *
 * Months have their real hours: 743 or 745 if the clock changes. Half-hour shifts are found only in values finer
 * than hourly.
 *
 * @param series `time` with a zone and `power` (kW, hourly or finer, or of days) or a wind speed; or `month` or `year` and `energy` (MWh),
 * which are judged by their `valid_hours` and `availability`
 * @param options `column`, `ratedPower`, `neighbours` and `neighbourRatedPower` by name, `predicted` by a model,
 * `timeZone`, `seed`
 * @returns Frames of problems, completeness and lags, with sentences
 * @throws {ArgumentError} If a column is missing or not numeric, or the frame has no rows, no timestamps or several turbines
 *
 * @example A year with a day missing
 * ```ts
 * import { checkQuality, modelData } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 *
 * const year = await modelData("T1", { from: 2023, to: 2023 });
 * const day = pl.col("time").dt.strftime("%Y-%m-%d");
 * const report = checkQuality(year.filter(day.neq(pl.lit("2023-05-17"))), { ratedPower: 2300 });
 * assertEquals(report.frames.problems.getColumn("kind").toArray(), ["gap"]);
 * assertEquals(report.frames.problems.getColumn("hours").toArray(), [24]);
 * assertEquals(report.frames.completeness.getColumn("may").toArray(), [720 / 744]);
 * ```
 */
export function checkQuality(series: DataFrame, options: CheckQualityOptions = {}): QualityReport {
  const chosen = readOptions("checkQuality()", options, OPTIONS);
  checkFrame(series, "check the series", "readProduction() or modelData()");
  const refuse = buildRefuse("check the series");
  const { ratedPower } = options;
  const zone = options.timeZone ?? undefined;
  if (ratedPower !== undefined && !(ratedPower > 0 && ratedPower < Infinity)) {
    refuse(`a rated power of ${ratedPower} kW is impossible. Give a number above 0`);
  }
  if (zone !== undefined) assertTimeZone(zone);
  const hasDays = options.column === undefined && addDays(series) !== series;
  const periods = hasDays || hasPeriods(series);
  if (!periods && !series.columns.includes(time.name)) {
    refuse(
      `it needs "${time.name}" with values, or "month" or "year" with "${energy.name}" (${energy.unit}), but has ${
        series.columns.join(", ") || "none"
      }. Read it with readProduction() or modelData()`,
    );
  }
  if (series.height === 0) refuse("it has no rows. Give a frame with at least one row");
  assertOneTurbine(series, refuse);
  const judged = periods
    ? judgePeriods(series, chosen, refuse)
    : judgeSeries(series, chosen, refuse);
  const { timeZone, share } = judged;
  const findings = judged.findings.toSorted((a, b) => a.start - b.start || b.hours - a.hours);
  const { predicted, neighbours = {} } = options;
  if (predicted) checkFrame(predicted, "check the series with the prediction", "modelData()");
  return buildAnswer({}, {
    title: "Quality of a series",
    facts: listFacts(judged),
    frames: {
      problems: {
        title: "Problems",
        columns: findingColumns,
        rows: listFindings(findings),
        timeZone,
      },
      completeness: {
        title: "Completeness",
        columns: completenessColumns,
        rows: buildCompletenessTable(judged.shares),
      },
      lags: { title: "Lag behind the model", columns: lagColumns, rows: listLags(judged.lags) },
    },
    findings: writeFindings(
      words,
      units,
      listResults(findings, judged.shares, share, timeZone, judged.lags),
      judged.notes,
    ),
    origin: joinOrigins([series, predicted, ...Object.values(neighbours)]),
  });
}
