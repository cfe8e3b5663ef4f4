import type { DataFrame } from "nodejs-polars";
import { figures, month as monthColumn } from "../../api/columns/columns.ts";
import { describeValue } from "../../api/error_text.ts";
import type { MonthlyReportResource } from "../../api/resources/report_resource.ts";
import type { PowerCurvePoint, TurbineDetails } from "../../api/resources/resources.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { checkFrame, isFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { mean } from "../../stats/spread.ts";
import { HOUR } from "../../time/hourly.ts";
import { monthAsDays } from "../../time/zones.ts";
import { computePressureAtHeight } from "../../windindex/climate/climate.ts";
import { computeMonthIndices, type MonthIndices } from "../../windindex/index/indices.ts";
import { computeMonthlyEnergies } from "../../windindex/index/monthly_energy.ts";
import { computeNormals } from "../../windindex/index/reference_period.ts";
import { computeHourlyPower, computePowerAtStamps } from "../../windindex/power_model.ts";
import { K_RANGE } from "../../windindex/scaling/energy_ladder.ts";
import { computeLogDensityRatio } from "../../windindex/turbine/density_correction.ts";
import { applyPowerLaw, computeShearExponent } from "../../windindex/turbine/hub_conditions.ts";
import {
  findCurveProblem,
  findPowerUnit,
  findSpeedProblem,
} from "../../windindex/turbine/power_curve.ts";
import { type Answer, buildAnswer, type FindingOf, writeFindings } from "../series/answer.ts";
import { findIndexReference } from "../series/index_months.ts";
import { computeCurvePower, type ModelHours, readModelHours } from "../series/model_hours.ts";
import { readReferenceHours } from "../series/hours.ts";
import { zoneOfDetails } from "../series/turbine_stamps.ts";
import { formatNumber, formatSigned, joinNames } from "../../show/text/numbers.ts";

/** Input of `whatIf()`: data of one turbine from the service. */
export interface WhatIfData {
  /** Details from `turbineDetails()`. */
  readonly details: TurbineDetails;
  /** Model data from `modelData()`: the whole years of the reference period, and the months of interest. */
  readonly model: DataFrame;
  /**
   * A report from `monthlyReport()`, which has k and the reference period. @default all whole years, at most the last
   * 20
   */
  readonly report?: Partial<Pick<MonthlyReportResource, "calibration" | "reference_period">>;
}

/** Changes for {@linkcode whatIf}. */
export interface WhatIfChanges {
  /** Hub height to try, m; it needs `shear`. @default today's */
  readonly hubHeight?: number;
  /**
   * How wind grows with height: climate near the turbine with wind at two heights, from `era5()` or
   * `downloadClimate()`; or the exponent of the power law. @default none
   */
  readonly shear?: DataFrame | number;
  /**
   * Power curve to try: points of `wind_speed` (m/s) and `power` (kW at 1.225 kg/m3), the largest of which is the rated
   * power. @default today's
   */
  readonly powerCurve?: readonly PowerCurvePoint[];
  /** Mean air density to try, to which all hours are scaled, kg/m3. @default today's, adapted to a changed hub height */
  readonly density?: number;
  /**
   * Factor on the wind speed of the reanalysis to try; it needs `report`, and a calibration by one factor. @default
   * today's
   */
  readonly k?: number;
  /** First and last year of a reference period to try. @default today's */
  readonly referencePeriod?: readonly [first: number, last: number];
}

/** Indices and energies of today and after the changes, side by side; it shows itself in notebooks and on the console. */
export interface WhatIf extends Answer {
  /** `now` and `what_if`, each with the same `month`s (Date) and the six figures of `monthlyIndices()`; `plotWhatIf()` draws them. */
  readonly frames: { readonly now: DataFrame; readonly what_if: DataFrame };
  /** Energy of a normal year, MWh. */
  readonly energy: { readonly now: number; readonly whatIf: number };
}

const ACTION = "answer whatIf()";
const refuse = buildRefuse(ACTION);

/** @throws {ArgumentError} If a change is not a number within bounds */
function checkNumber(name: string, value: unknown, [low, high]: readonly [number, number]): void {
  if (typeof value === "number" && value >= low && value <= high) return;
  refuse(`${name} is ${describeValue(value)}. Give ${low} to ${high}`);
}

/** Ratio to today's rated power beyond which powers are in another unit: from 200 kW to 20 MW it is 100. */
const MAX_RATED_RATIO = 100;

/**
 * Finds out whether the largest power of a curve fits no turbine, or fits today's turbine only in another unit.
 *
 * @param today Rated power of the turbine of today, kW
 */
function findRangeProblem(powers: readonly number[], today: number): string | null {
  const likely = findPowerUnit(powers, today);
  const maximum = Math.max(...powers);
  const ratio = maximum / today;
  if (likely ? likely.unit === "kW" : ratio < MAX_RATED_RATIO && ratio > 1 / MAX_RATED_RATIO) {
    return null;
  }
  const problem = `its largest power is ${maximum} kW, but today's turbine has ${today} kW`;
  return likely
    ? `${problem}, so the powers are probably in ${likely.unit}. Multiply them by ${likely.factor}`
    : problem;
}

/** Reads a changed power curve, with its largest power as rated power. */
function readCurve(points: unknown, today: number) {
  const powerCurve = [points].flat().map((point) => ({ ...point as PowerCurvePoint }));
  const powers = powerCurve.map(({ power }) => power);
  const ratedPower = Math.max(...powers);
  const problem = findCurveProblem(powerCurve, ratedPower) ??
    findRangeProblem(powers, today) ?? findSpeedProblem(powerCurve);
  if (problem === null) return { powerCurve, ratedPower };
  return refuse(
    `powerCurve has a fault: ${problem}. Each point is { wind_speed, power } in m/s and kW`,
  );
}

/** Reads the exponent of each hour of the model from wind at two heights; NaN without climate. */
function readExponents(climate: DataFrame, { axis }: ModelHours): Float64Array {
  const names = climate.columns.filter((name) => /^wind_speed_\d+$/.test(name));
  if (names.length !== 2) {
    refuse(`shear has wind speeds at ${names.length} heights. Give wind speeds at two`);
  }
  const [first, second] = names.map((column) =>
    readReferenceHours(climate, { column, prefer: "wind" }, refuse)
  );
  const offset = (axis.start - first.axis.start) / HOUR;
  const [low, high] = names.map((name) => Number(name.slice("wind_speed_".length)));
  return new Float64Array(axis.length).map((_, i) =>
    computeShearExponent(first.values[i + offset], second.values[i + offset], Math.log(high / low))
  );
}

const meanOf = (values: Float64Array) => mean(values.filter((value) => !Number.isNaN(value)));

/** Computes the factors on wind speed, by hour, and on air density for a changed hub height. */
function readHeight(
  { hub_height: today }: TurbineDetails,
  { hubHeight: height, shear }: WhatIfChanges,
  hours: ModelHours,
  notes: WhatIfFinding[],
): { wind: Float64Array; air: number } {
  const same = new Float64Array(hours.axis.length).fill(1);
  if (height === undefined && shear !== undefined) {
    refuse("shear has no effect without hubHeight. Give both");
  }
  if (height === undefined) return { wind: same, air: 1 };
  checkNumber("hubHeight", height, [5, 300]);
  if (!today) {
    return refuse(
      "a changed hubHeight needs today's hub height, but the details do not have it. Add hub_height to the details",
    );
  }
  const hourly = isFrame(shear);
  if (!hourly) {
    checkNumber("shear, which hubHeight needs as a frame or an exponent,", shear, [-0.5, 1]);
  }
  const exponents = hourly ? readExponents(shear, hours) : same.map(() => shear as number);
  const exponent = meanOf(exponents);
  if (Number.isNaN(exponent)) {
    refuse("shear and the model data have no hour in common. Give both for the same years");
  }
  const wind = exponents.map((one) => applyPowerLaw(1, today, height, one));
  notes.push({ code: "shear", exponent, hourly, more: 100 * (meanOf(wind) - 1) });
  return { wind, air: computePressureAtHeight(1, height - today, 15) }; // degC of the standard atmosphere
}

/** Computes the factor on wind speed for a changed k. */
function readFactor({ report }: WhatIfData, k: number): number {
  checkNumber("k", k, K_RANGE);
  const { k: today = 0, scaling = "none", reanalyses = [] } = report?.calibration ??
    {};
  if (scaling === "factor" && reanalyses.length < 2) return k / today;
  return refuse(
    `k needs a report of monthlyReport() with one factor for one reanalysis. Its scaling is ${scaling}. Give such a report, or omit k`,
  );
}

const monthTable = [monthColumn, ...figures];

const listMonths = (months: readonly MonthIndices[]) =>
  months.map(({ year, month, ...figures }) => (
    { ...figures, month: monthAsDays(new Temporal.PlainYearMonth(year, month)) }
  ));

const DATA = declareOptions<WhatIfData>()("details! model! report");
const CHANGES = declareOptions<WhatIfChanges>()(
  "hubHeight shear powerCurve density k referencePeriod",
);

/**
 * Computes index and energy of a turbine with a changed hub height, power curve, air density, k or reference period.
 * The calibration stays as fitted.
 *
 * Wind at another height follows from the power law, with the exponent of each hour between two heights of the climate
 * or with a declared one. Each month changes by the ratio of two energies recomputed from the service's wind, so
 * today's figures are the service's.
 *
 * @param data Details, model data and, if known, a report of one turbine
 * @param changes Changes: `hubHeight` (m) with `shear`, `powerCurve`, `density` (kg/m3), `k`, `referencePeriod`; an
 * error names an impossible change
 * @returns Frames of the months, `now` and `what_if`; energy of a normal year (MWh), sentences and notes
 * @throws {ArgumentError} If a change is not possible with these data, or no year of them is whole
 *
 * @example Another hub height, in four lines
 * ```ts
 * import { modelData, turbineDetails, whatIf } from "@vindkit/vindkit";
 * import { assert } from "@std/assert";
 *
 * const details = await turbineDetails("T1");
 * const model = await modelData("T1");
 * const higher = whatIf({ details, model }, { hubHeight: 120, shear: 0.14 });
 * console.log(higher.summary[0]);
 *
 * assert(higher.energy.whatIf > higher.energy.now);
 * ```
 */
export function whatIf(data: WhatIfData, changes: WhatIfChanges): WhatIf {
  const { details, model, report } = readOptions("whatIf()", data, DATA);
  const chosen = readOptions("whatIf()", changes, CHANGES);
  const { powerCurve, density, k, referencePeriod } = chosen;
  checkFrame(model, ACTION, "modelData()");
  const read = readModelHours(model, ACTION);
  const hours = { ...read, timeZone: zoneOfDetails(details) ?? read.timeZone };
  const today = computeCurvePower(hours, details);
  if (!today) {
    return refuse(
      "the model data lack wind speed or air density, or the details lack the power curve. Give model data and details that have them",
    );
  }
  const turbine = {
    ...today.turbine,
    ...(powerCurve === undefined ? {} : readCurve(powerCurve, today.turbine.ratedPower)),
  };
  const notes: WhatIfFinding[] = [{ code: "kept" }];
  const { wind, air } = readHeight(details, chosen, hours, notes);
  const factor = k === undefined ? 1 : readFactor(data, k);
  if (density !== undefined) checkNumber("density", density, [0.7, 1.5]);
  const thick = density === undefined ? air : density / meanOf(hours.airDensity!);
  const speed = hours.windSpeed!.map((value, i) => value * factor * wind[i]);
  const ratios = hours.airDensity!.map((value) => computeLogDensityRatio(value * thick));
  const atStamps = computePowerAtStamps(turbine, speed, ratios, today.smoothing);
  const powers = [hours.power, today.hourly, computeHourlyPower(atStamps, today.stamp)];
  const [all, before, after] = powers.map((power) =>
    computeMonthlyEnergies(power, hours.axis, hours.timeZone)
  );
  // Hours until UTC midnight reach into the next month in eastern zones.
  const served = all.slice(0, 1 + all.findLastIndex(({ validHours }) => validHours >= 24));
  const changed = served.map((month, i) => {
    const ratio = (after[i].energy ?? NaN) / (before[i].energy ?? NaN);
    return { ...month, energy: month.energy !== null && ratio >= 0 ? month.energy * ratio : null };
  });
  const { first_year: first, last_year: last } = report?.reference_period ?? {};
  const reference = findIndexReference(served, {}, first && last ? [first, last] : undefined);
  if (!reference) {
    return refuse("the model data have no whole calendar year. Ask modelData() for more");
  }
  const { period, normals } = reference;
  const changedNormals = referencePeriod === undefined
    ? computeNormals(changed, period)
    : findIndexReference(changed, {}, [referencePeriod].flat() as [number, number])!.normals;
  if (reference.known !== "declared") {
    notes.push({ code: "reference", from: period.years[0], to: period.years.at(-1)! });
  }
  const now = computeMonthIndices(served, normals);
  const what_if = computeMonthIndices(changed, changedNormals);
  const energy = { now: normals.year / 1000, whatIf: changedNormals.year / 1000 };
  const change = 100 * (energy.whatIf / energy.now - 1);
  const indices = [now, what_if]
    .map((all) => all.map((month) => month.month_abnormality_index ?? NaN));
  const moved = Float64Array.from(indices[0], (index, i) => Math.abs(indices[1][i] - index));
  const curve = powerCurve && `of ${turbine.ratedPower} kW`;
  const changeList = Object.entries({ ...chosen, powerCurve: curve, shear: undefined })
    .flatMap(([name, value]) => value === undefined ? [] : `${name} ${value}`);
  return buildAnswer({ energy }, {
    title: `What if: ${details.name || details.turbine_id}`,
    frames: {
      now: { columns: monthTable, rows: listMonths(now) },
      what_if: { columns: monthTable, rows: listMonths(what_if) },
    },
    findings: writeFindings(words, units, [
      { code: "energy", what: changeList, ...energy, change },
      { code: "index", mean: meanOf(moved) },
    ], notes),
    origin: joinOrigins([model, chosen.shear]),
  });
}

/** Units of the figures of findings, by name. */
export const units = { now: "MWh", whatIf: "MWh", change: "%", mean: "points", more: "%" };

type Figures<Name extends string> = Readonly<Record<Name, number>>;

const energy = (value: number) => `${formatNumber(value)} MWh`;

/** Sentences of a what-if, by finding code. */
export const words = {
  energy: (
    { what, now, whatIf, change }: Figures<"now" | "whatIf" | "change"> & { what: string[] },
  ) =>
    what.length === 0
      ? `Without changes, a normal year still gives ${energy(now)}.`
      : `With ${joinNames(what)}, a normal year gives ${energy(whatIf)}, compared with ${
        energy(now)
      } ` +
        `today (${formatSigned(change, 1)} %).`,
  index: ({ mean }: Figures<"mean">) =>
    `On average, the abnormality index of a month changes by ${
      formatNumber(mean, 1)
    } percentage points.`,

  kept: () =>
    "Vindkit keeps the calibration of the real turbine. This calibration may correct for wakes or wind shear at the real turbine, and " +
    "the changed figures keep these corrections. The uncertainty of the changed figures is unknown.",
  shear: ({ exponent, hourly, more }: Figures<"exponent" | "more"> & { hourly: boolean }) =>
    `The new height ${more < 0 ? "lowers" : "raises"} the wind speed by ${
      formatNumber(Math.abs(more), 1)
    } %. The power law uses the shear exponent ${formatNumber(exponent, 3)}, ${
      hourly ? "the mean over the hours of the climate data" : "which you declared for all hours"
    }. Air density follows the barometric formula.`,
  reference: ({ from, to }: Figures<"from" | "to">) =>
    `The reference period is unknown, so Vindkit assumes ${from} to ${to}. Give { report } from monthlyReport().`,
};

/** Findings of a what-if. */
export type WhatIfFinding = FindingOf<typeof words>;
