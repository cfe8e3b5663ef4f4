import type { DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { zoneOf } from "../../frames/frame.ts";
import { productionExtras } from "../../frames/production/production_columns.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import { MAX_REFERENCE_YEARS } from "../../windindex/index/reference_period.ts";
import { type Answer, buildAnswer, listReadings, say, writeFindings } from "../series/answer.ts";
import { formatMonthSpan, type MonthSpan } from "../series/compared_series.ts";
import { computeMonthNormals, type IndexMonth, readIndexMonths } from "../series/index_months.ts";
import { assertLevel } from "../series/level.ts";
import { estimateLastingError } from "../series/mean_uncertainty.ts";
import { readModelHours } from "../series/model_hours.ts";
import { readProductionRecord } from "../series/production_rows.ts";
import { readTurbineZone, zoneOfDetails } from "../series/turbine_stamps.ts";
import {
  exceedanceColumns,
  findStops,
  listLeftOut,
  listNotes,
  listResults,
  listUnchecked,
  longTermColumns,
  longTermMonths,
  longTermYears,
  uncertaintyColumns,
} from "./summary.ts";
import { chooseEstimate, estimateByMethods, type MethodName } from "./methods.ts";
import {
  type IndexPeriod,
  isUsable,
  joinIndices,
  screenRecord,
  spanOfPeriods,
  sumMonths,
} from "./record.ts";
import type { TimeStep } from "./time_step.ts";
import { assertDeclared, type DeclaredLoss, tabulateUncertainty } from "./uncertainty.ts";
import { units, words } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

/** Rows of the months or years of the record. */
function listPeriods(
  periods: readonly IndexPeriod[],
  annual: boolean,
  timeStep: TimeStep | undefined,
) {
  const compared = new Map(
    timeStep?.periods.map(({ label, used, validHours }) => [label, used ? validHours : 0]),
  );
  return periods.map((period) => ({
    ...(annual ? { year: period.first / 12 } : { month: monthAsDays(monthOfNumber(period.first)) }),
    produced: period.produced,
    month_index: period.index,
    completeness: period.completeness,
    kept: isUsable(period),
    reason: period.reason,
    hours: timeStep ? compared.get(period.label) ?? 0 : null,
  }));
}

/** Parses a month such as "2024-03" or a year such as "2003" into months since year 0. */
function readMonthNames(text: string, action: string): number[] {
  const [, year, month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(text) ?? [];
  if (year === undefined) {
    throw new ArgumentError(
      `Cannot ${action}: "${text}" in leaveOut is neither a month nor a year. Give months as "2024-03" or years as "2024"`,
    );
  }
  const first = 12 * Number(year);
  return month === undefined
    ? Array.from({ length: 12 }, (_, i) => first + i)
    : [first + Number(month) - 1];
}

/**
 * Parses the months that the caller leaves out into months since year 0.
 *
 * @param leaveOut Months such as "2024-03", or years such as "2003" for all their months
 * @param action Action named in messages
 * @throws {ArgumentError} If one is neither a month nor a year
 */
function readLeftOutMonths(leaveOut: readonly string[], action: string): Set<number> {
  return new Set(leaveOut.flatMap((text) => readMonthNames(text, action)));
}

/**
 * Checks that the record has the months that the caller leaves out: otherwise a misspelt month would keep an outage in.
 *
 * @param leaveOut Months or years
 * @param span First and last month of the record
 * @param action Action named in messages
 * @throws {ArgumentError} If one of them is outside of the record
 */
function assertInRecord(
  leaveOut: readonly string[],
  span: MonthSpan,
  action: string,
): void {
  const [first, last] = span;
  const outside = leaveOut.filter((text) =>
    !readMonthNames(text, action).some((number) => number >= first && number <= last)
  );
  if (outside.length === 0) return;
  throw new ArgumentError(
    `Cannot leave out ${outside.join(", ")}: the record covers only ${
      formatMonthSpan(span)
    }. In leaveOut, name only periods within the record`,
  );
}

/** Options of {@linkcode estimateLongTerm}. */
export interface EstimateLongTermOptions {
  /** Frame of `modelData()` of the same turbine over the reference period, for the time-step calibration. @default none */
  readonly model?: DataFrame;
  /** Details of the turbine: power curve for the time-step calibration, rated power and zone. @default none */
  readonly details?: TurbineDetails;
  /** Months to leave out, such as "2024-03", or years. @default none */
  readonly leaveOut?: readonly string[];
  /**
   * Standard deviation of annual energies over their mean, %. @default the indices', if they have five whole years or
   * more
   */
  readonly interAnnualVariability?: number;
  /** Number of years in the mean behind an index of 100 %. @default the whole years of the indices, at most 20 */
  readonly referenceYears?: number;
  /** Method of `uncertainty` and `exceedance`. @default the time-step calibration, without it the 1200 method */
  readonly method?: MethodName;
  /** Losses that the record does not include, such as `{ name: "electrical", percent: 2, uncertainty: 0.5 }`: % of the energy, and percentage points of standard uncertainty. @default none */
  readonly losses?: readonly DeclaredLoss[];
  /** Draws of the bootstrap. @default {1000} */
  readonly draws?: number;
  /** Seed of its random numbers: the same seed gives the same intervals. @default {1} */
  readonly seed?: number;
  /** Frame from which the indices were made, if these lost their sources. @default the indices */
  readonly source?: DataFrame;
}

/** The long-term production of a turbine by several methods; it shows itself in notebooks and on the console. */
export interface LongTermEstimate extends Answer {
  /**
   * `estimates`, one row per method: `method`, `p50`, `low`, `high` (MWh), `standard_error` (%), `months`, `left_out`,
   * `hours`; `plotLongTerm()` draws it.
   *
   * `exceedance`, one row each for 1, 10 and 20 years: `years`, `p50`, `p75`, `p90` (MWh), `standard_error` (%),
   * `freedom`.
   *
   * `uncertainty`, one row per share: `share`, `standard_error` (% of the energy of a year), `freedom`, `of_variance`
   * (%), `source`; `plotUncertainty()` draws both.
   *
   * `periods`, one row per month (or year, for annual production): `month` or `year`, `produced` (MWh), `month_index`
   * (%), `completeness`, `kept`, `reason`, `hours`.
   */
  readonly frames: {
    readonly estimates: DataFrame;
    readonly exceedance: DataFrame;
    readonly uncertainty: DataFrame;
    readonly periods: DataFrame;
  };
  /** Method of `exceedance` and `uncertainty`. */
  readonly method: string;
  /** Factor on the model's wind speed from the time-step calibration; `null` without it. */
  readonly factor: number | null;
}

const ACTION = "estimate the long-term production";

/** Smallest inter-annual variability, %: a smaller figure must be a share, such as 0.06 for 6 %. */
const MIN_VARIABILITY = 1;

/** Finds the turbine's zone in details or model data. */
function findZone({ details, model }: EstimateLongTermOptions): string | undefined {
  const declared = zoneOfDetails(details);
  if (declared !== undefined || !model) return declared;
  if (!Object.keys(model).includes("time")) return undefined;
  return readTurbineZone(model) ?? zoneOf(model.getColumn("time").dtype);
}

function assertOptions(
  { interAnnualVariability: percent = 0, draws }: EstimateLongTermOptions,
): void {
  if (!(percent === 0 || percent >= MIN_VARIABILITY && percent < 100)) {
    throw new ArgumentError(
      `Cannot ${ACTION}: an inter-annual variability of ${percent} % is not plausible. ` +
        "Give 0, or a standard deviation from 1 to below 100 %, such as 6",
    );
  }
  if (draws !== undefined && !(Number.isInteger(draws) && draws >= 100)) {
    throw new ArgumentError(
      `Cannot ${ACTION}: "draws" is ${draws}, but must be a whole number of at least 100. Give a number such as 1000`,
    );
  }
}

/** @throws {ArgumentError} If the record and the indices have no month in common */
function assertOverlap([first, last]: MonthSpan, months: readonly IndexMonth[]): void {
  if (months.some(({ number }) => number >= first && number <= last)) return;
  const covered = months.length === 0
    ? "the indices have no rows"
    : `the indices cover ${formatMonthSpan([months[0].number, months[months.length - 1].number])}`;
  throw new ArgumentError(
    `Cannot ${ACTION}: the production covers ${formatMonthSpan([first, last])}, but ${covered}. ` +
      "Ask monthlyIndices() for the months of the production",
  );
}

/** @throws {ArgumentError} If indices and details belong to different turbines */
function assertTurbine(indices: DataFrame, details: TurbineDetails | undefined): void {
  if (!details || !Object.keys(indices).includes(turbineId.name)) return;
  const [id] = indices.getColumn(turbineId.name).toArray();
  if (typeof id !== "string" || id === details.turbine_id) return;
  throw new ArgumentError(
    `Cannot ${ACTION}: the indices are for ${id}, but the details are for ${details.turbine_id}. Give both for the same turbine`,
  );
}

const OPTIONS = declareOptions<EstimateLongTermOptions>()(
  "model details leaveOut interAnnualVariability referenceYears method losses source",
  { draws: 1000, seed: 1 },
);

/**
 * Estimates what a turbine produces in a normal year from a short record, by three methods side by side: the 1200
 * method (`1200 sum(production) / sum(month index)`), a line through the months read at an index of 100 %, and a
 * factor on the wind speed of the model with which modelled energy equals produced energy over all hours that count.
 *
 * A month counts if it has 98 % of its hours, an index, and no standstill of three days (with model data, a calm is
 * none). Months that produced far less than expected from their index and the others were outages. Intervals come from
 * a block bootstrap of the months (from the scatter of years for annual production), from the season if months are
 * unevenly distributed over the year, and from the level of the reanalysis.
 *
 * P75 and P90 of the mean of n years are `p50 (1 - t u)` with Student's t and the standard error `u`. In squares it
 * adds to these shares the reference period, a sample of N years of the climate (`v / sqrt(N)`, v the year-to-year
 * variability), the years themselves (`v / sqrt(n)`) and declared losses.
 *
 * @param production Hours (`time`, `power` in kW), months (`month`, `energy` in MWh) or years (`year`, `energy`) of one
 * turbine, or of a park divided by its turbines; regular steps below an hour are averaged as `toHours()` does, months and
 * years count by their `valid_hours` and `availability`
 * @param indices Monthly indices of the same turbine: `month`, `month_index`, best with `predicted_production`
 * @param options `model` and `details` for the time-step calibration, `leaveOut`: months or years,
 * `interAnnualVariability` (%), `referenceYears`, `losses` with their uncertainty, `method` of P75
 * and P90, `draws` and `seed`, `source` of indices that lost it
 * @returns Frames of `estimates`, `exceedance`, `uncertainty` and `periods`, the factor of the time-step calibration,
 * the method of `exceedance`, sentences and notes
 * @throws {ArgumentError} If columns are missing, units are wrong, nothing is in common, too few months count for any
 * method, or declared losses are impossible
 * @throws {DataFormatError} If hours do not begin whole hours apart
 *
 * @example Two years of the sample
 * ```ts
 * import { exampleFile, estimateLongTerm, monthlyIndices, readProduction } from "@vindkit/vindkit";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const production = await readProduction(await exampleFile("production.csv"), {
 *   resolution: "hour",
 *   unit: "kW",
 *   time: "time",
 *   column: "power",
 * });
 * const { frames } = estimateLongTerm(production, await monthlyIndices("T1"), {
 *   losses: [{ name: "electrical", percent: 2, uncertainty: 0.5 }],
 * });
 * const { estimates, exceedance } = frames;
 * assertEquals(estimates.getColumn("method").toArray(), ["1200 method", "regression"]);
 * assertEquals(exceedance.getColumn("years").toArray(), [1, 10, 20]);
 * assert((exceedance.getColumn("p90").get(0) as number) < (exceedance.getColumn("p75").get(0) as number));
 * ```
 */
export function estimateLongTerm(
  production: DataFrame,
  indices: DataFrame,
  options: EstimateLongTermOptions = {},
): LongTermEstimate {
  const chosen = readOptions("estimateLongTerm()", options, OPTIONS);
  checkFrame(production, `${ACTION} from production`, "readProduction()");
  checkFrame(indices, `${ACTION} from the indices`, "monthlyIndices()");
  if (options.model) checkFrame(options.model, `${ACTION} with the model`, "modelData()");
  assertOptions(options);
  const { model, details, leaveOut = [], losses = [], draws, seed } = chosen;
  assertDeclared(losses, ACTION);
  const months = readIndexMonths(indices, ACTION);
  const normals = computeMonthNormals(months, ACTION);
  const leftOut = readLeftOutMonths(leaveOut, ACTION);
  const zone = findZone(options);
  const read = readProductionRecord(production, ACTION, zone);
  const data = model && details ? { model, details, normals } : undefined;
  const record = screenRecord(
    read,
    details?.rated_power ?? undefined,
    leftOut,
    ACTION,
    data && readModelHours(data.model, ACTION),
  );
  const annual = record.resolution === "year";
  const span = spanOfPeriods(record.periods);
  assertInRecord(leaveOut, span, ACTION);
  const periods = joinIndices(record.periods, months);
  assertOverlap(span, months);
  assertTurbine(indices, details);
  const predicted = new Map(months.map(({ number, predicted }) => [number, predicted]));
  assertLevel(
    periods.filter(isUsable)
      .map((period) => [period.produced, sumMonths(period, predicted), period.label]),
    { hourly: record.resolution === "hour", ran: true, each: annual ? 12 : 1 },
    buildRefuse(ACTION),
  );
  const lasting = estimateLastingError(details?.lasting_error);
  const estimated = estimateByMethods(record, periods, data, lasting, { draws, seed }, ACTION);
  if (estimated.estimates.length === 0) {
    const reasons = [...estimated.missing, ...listLeftOut(periods, annual ? "year" : "month")]
      .map((one) => say(words, one));
    throw new ArgumentError(
      `Cannot ${ACTION}: no method gives an estimate. ${reasons.join(" ")} Give a longer record`,
    );
  }
  const declared = options.interAnnualVariability;
  const variability = declared === undefined ? normals.interAnnualVariability : declared / 100;
  const years = normals.years.length;
  const estimate = chooseEstimate(estimated, options.method, ACTION);
  const climate = {
    interAnnualVariability: variability,
    years: declared === undefined ? years : null,
    referenceYears: options.referenceYears ?? Math.min(years, MAX_REFERENCE_YEARS),
  };
  const tables = tabulateUncertainty(estimate, climate, losses);
  const { method } = estimate;
  const facts = {
    ...estimated,
    ...tables,
    periods,
    unit: annual ? "year" as const : "month" as const,
    years,
    method,
    lost: 100 * (1 - tables.exceedance[0].p50 / estimate.p50),
  };
  const length = sumOf(periods, ({ months }) => months);
  const factor = estimated.timeStep?.factor ?? null;
  return buildAnswer({ factor, method }, {
    title: "Long-term production",
    facts: [
      {
        label: "Record",
        value: `${length} months, ${
          periods.filter(isUsable).length
        } of ${periods.length} rows kept`,
      },
      ...(factor === null ? [] : [{ label: "Factor on the wind speed", value: factor.toFixed(4) }]),
    ],
    frames: {
      estimates: {
        title: "The normal year by each method",
        columns: longTermColumns,
        rows: estimated.estimates.map(({ shares: _, ...row }) => (
          { ...row, left_out: length - row.months }
        )),
      },
      exceedance: {
        title: `P50, P75 and P90 of the mean of some years, by the ${method}`,
        columns: exceedanceColumns,
        rows: tables.exceedance,
      },
      uncertainty: {
        title: "Why a single year is uncertain",
        columns: uncertaintyColumns,
        rows: tables.uncertainty,
      },
      periods: {
        title: annual ? "Years of the record" : "Months of the record",
        columns: annual ? longTermYears : longTermMonths,
        rows: listPeriods(periods, annual, estimated.timeStep),
      },
    },
    findings: writeFindings(words, units, listResults(facts), [
      ...listReadings(read.notes),
      ...listNotes(facts),
      ...listReadings(normals.notes),
      findStops(
        record.resolution,
        production.columns.includes(productionExtras.availability.name),
      ),
      ...listUnchecked(record.resolution, {
        ratedPower: (details?.rated_power ?? null) !== null,
        predicted: months.some(({ predicted }) => predicted !== null),
        zone: zone !== undefined || record.timeZone !== "UTC",
      }),
    ]),
    origin: joinOrigins([options.source, indices, production]),
  });
}
