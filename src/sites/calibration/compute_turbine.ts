import { modelDataCsv } from "../../api/columns/columns.ts";
import type { ModelHour } from "../../api/columns/model_columns.ts";
import { ENGINE_VERSION } from "../../windindex/power_model.ts";
import { computeMonthIndices, type MonthIndices } from "../../windindex/index/indices.ts";
import type { MonthlyEnergy } from "../../windindex/index/monthly_energy.ts";
import { chooseReferencePeriod, computeNormals } from "../../windindex/index/reference_period.ts";
import type { ModelledHours } from "../../windindex/reanalyses/modelled_hours.ts";
import {
  countEnergyHours,
  type HourlyProduction,
  type Production,
} from "../../windindex/calibration/production.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import { isCalibrated, measureUnseenFit } from "../../windindex/calibration/unseen_fit.ts";
import type { Interval } from "../../windindex/uncertainty/error_terms.ts";
import { seriesToParquet } from "../keep/series.ts";
import type { FreshMonth, ProductionSummary, StoredCalibration } from "../keep/site_record.ts";
import { buildCalibrationNotes, describeDoubts, describeJudgement } from "./calibration_notes.ts";
import {
  buildTrainingBasis,
  cutToBasis,
  findTrainingWindow,
  hasTimesOf,
  selectFitted,
} from "./training_basis.ts";
import {
  combineReanalyses,
  computeCombinedIntervals,
  computeCombinedMonths,
  computeCombinedUncertainty,
  describeFilledMonths,
  recordReanalyses,
} from "./combine_reanalyses.ts";
import { hashDeclaration, measurePointDistance } from "./select_points.ts";
import { computeHubReanalyses, fitReanalyses, type HubReanalysis } from "./fit_reanalyses.ts";
import type { NeighbourProduction } from "../production/neighbour_production.ts";
import type { SiteData } from "../site_data.ts";
import { computeHourCorrelation, describeShifts, type Doubt } from "./time_shift.ts";
import { checkProduction } from "../production/training_inputs.ts";
import { buildMask, type ClockLag } from "../../screening/finding.ts";
import { findOutOfRange } from "../../screening/values/hourly_power.ts";
import { HOUR } from "../../time/hourly.ts";
import { computeOffset, dayAt } from "../../time/zones.ts";
import type { TrainingInput } from "../../windindex/calibration/training.ts";

/** Shifts hours by the lag of a clock; if two fall on the same hour, the first is kept. */
function moveHours(
  { axis, power }: HourlyProduction,
  { standard, summer }: ClockLag,
  timeZone: string,
): HourlyProduction {
  const year = new Date(axis.start).getUTCFullYear();
  const winter = Math.min(...[0, 6].map((month) => computeOffset(Date.UTC(year, month), timeZone)));
  const moved = new Float64Array(power.length).fill(NaN);
  power.forEach((value, i) => {
    const isSummer = computeOffset(axis.start + i * HOUR, timeZone) > winter;
    const at = i - (isSummer ? summer : standard);
    if (at in moved && Number.isNaN(moved[at])) moved[at] = value;
  });
  return { kind: "hourly", axis, power: moved };
}

/**
 * Measures the error of unseen periods after the clock of hourly production is corrected.
 *
 * @param production Production of one unit
 * @param check Masks the values that must not be fitted
 * @returns The error as a share; `null` if no period is predicted
 */
function measureCorrectedClock(
  production: readonly Production[],
  lag: ClockLag,
  turbine: Turbine,
  climates: readonly HubReanalysis[],
  check: (production: readonly Production[]) => readonly TrainingInput[],
): number | null {
  const moved = production.map((entry) =>
    entry.kind === "hourly" ? moveHours(entry, lag, turbine.timeZone) : entry
  );
  const { fitted } = fitReanalyses(climates, check(moved), turbine, null);
  const { main } = combineReanalyses(fitted, turbine, null);
  return measureUnseenFit(main.calibration.periods)?.error ?? null;
}

/** Describes the error of unseen periods with a corrected clock, if it differs. */
function describeCorrectedClock(error: number, corrected: number | null): string {
  const [now, then] = [error, corrected ?? error].map((share) => `${(100 * share).toFixed(1)} %`);
  return now === then
    ? ""
    : ` If the hours are shifted by that lag, the error in unseen months is ${then} instead of ${now}.`;
}

/** Lists the possible values of a production: span, hours and energy in kWh. */
function* listValues(production: Production, ratedPower: number) {
  if (production.kind === "periods") {
    for (const period of production.periods) {
      if (Number.isNaN(period.energy)) continue;
      yield { ...period, hours: countEnergyHours(period) };
    }
    return;
  }
  const { axis, power } = production;
  const impossible = buildMask(findOutOfRange(power, ratedPower), power.length);
  for (const [i, energy] of power.entries()) {
    const start = axis.start + i * HOUR;
    if (!Number.isNaN(energy) && impossible[i] === 0) {
      yield { start, end: start + HOUR, hours: 1, energy };
    }
  }
}

/**
 * Summarizes the production of a turbine as it was read, including stops.
 *
 * @param production Its production of one unit, in any order
 * @returns `null` if no value is known
 */
export function summarizeProduction(
  production: readonly Production[],
  { ratedPower, timeZone }: Pick<Turbine, "ratedPower" | "timeZone">,
): ProductionSummary | null {
  let [first, last, validHours, sum] = [Infinity, -Infinity, 0, 0];
  for (const entry of production) {
    for (const { start, end, hours, energy } of listValues(entry, ratedPower)) {
      first = Math.min(first, start);
      last = Math.max(last, end);
      validHours += hours;
      sum += energy;
    }
  }
  if (validHours === 0) return null;
  return {
    from: dayAt(first, timeZone).toString(),
    to: dayAt(last - 1, timeZone).toString(),
    validHours,
    capacityFactor: sum / (validHours * ratedPower),
  };
}

/**
 * How the calibration of a turbine was obtained: none, the first one, an earlier one that was kept (possibly because
 * neighbours are missing), or calibrated again on request or because engine, declaration or production changed.
 */
export type CalibrationOutcome =
  | "none"
  | "first"
  | "unchanged"
  | "neighbours missing"
  | "requested"
  | "other engine"
  | "other declaration"
  | "other production";

/** Completeness of a reanalysis at the hub. */
export interface ClimateCompleteness {
  readonly serviceId: string;
  /** Hours from its first timestamp to its last. */
  readonly hours: number;
  /** Share of them with wind and air density. */
  readonly completeness: number;
}

/** Calibration, hourly model and months of a turbine. */
export interface ComputedTurbine {
  readonly turbine: Turbine;
  /** Its reanalyses, in the order declared. */
  readonly climate: readonly ClimateCompleteness[];
  /** Calibration, or the uncalibrated record of a location index; `null` without either. */
  readonly calibration: StoredCalibration | null;
  readonly outcome: CalibrationOutcome;
  /** Mean annual energy of the reference period from the climate of this import, kWh; `null` without calibration. */
  readonly presentAnnualEnergy: number | null;
  /** The hourly model as Parquet; `null` without calibration. */
  readonly model: Uint8Array | null;
  readonly months: readonly FreshMonth[];
  /** Sentences on months with hours that a reanalysis of the index lacks. */
  readonly filled: readonly string[];
  readonly findings: readonly string[];
  /** Summary of its production; `null` without production. */
  readonly production: ProductionSummary | null;
  /** Findings and notes that a person must act on. */
  readonly doubts: readonly Doubt[];
}

/** A turbine as computed, without its hourly model. */
export type ImportedTurbine = Omit<ComputedTurbine, "model">;

/** The calibration before this import, and whether to replace it. */
export interface EarlierCalibration {
  /** The stored calibration; `null` if there is none. */
  readonly calibration: StoredCalibration | null;
  readonly nextRevision: number;
  /** Whether to calibrate again and choose the reference period again, even if nothing changed. */
  readonly recalibrate: boolean;
  /** Whether a turbine nearby failed, so the calibration is kept even if the masks differ. @default {false} */
  readonly lacksNeighbours?: boolean;
}

/** Fewest valid hours for listing the first or last month: a cut at UTC midnight leaves a few hours of another local month. */
const MIN_EDGE_HOURS = 24;

function cutEdges(months: readonly MonthlyEnergy[]): MonthlyEnergy[] {
  const counts = (month: MonthlyEnergy) => month.validHours >= MIN_EDGE_HOURS;
  return months.slice(months.findIndex(counts), months.findLastIndex(counts) + 1);
}

/** Writes the hourly model as Parquet, with the decimals of model_data. */
function buildModelFile({ axis, ...hours }: ModelledHours): Uint8Array {
  const columns: Readonly<Record<Exclude<keyof ModelHour, "time">, Float64Array>> = {
    wind_speed: hours.windSpeed,
    wind_direction: hours.windDirection,
    temperature: hours.temperature,
    air_density: hours.airDensity,
    power: hours.power,
  };
  return seriesToParquet(axis, columns, modelDataCsv);
}

function measureClimate({ serviceId, hub }: HubReanalysis): ClimateCompleteness {
  const { windSpeed, logDensityRatio } = hub;
  const valid = windSpeed.reduce(
    (count, speed, i) => Number.isNaN(speed + logDensityRatio[i]) ? count : count + 1,
    0,
  );
  return { serviceId, hours: windSpeed.length, completeness: valid / windSpeed.length };
}

function buildFreshMonth(
  { preliminary, ...month }: MonthIndices,
  interval: Interval | null,
): FreshMonth {
  return {
    ...month,
    status: preliminary ? "preliminary" : "final",
    predicted_production_low: interval && interval.low / 1000,
    predicted_production_high: interval && interval.high / 1000,
  };
}

function findOutcome(
  earlier: EarlierCalibration,
  kept: boolean,
  declaration: string,
): CalibrationOutcome {
  if (kept) return "unchanged";
  const { calibration, recalibrate } = earlier;
  if (!calibration) return "first";
  if (recalibrate) return "requested";
  if (calibration.basis.engine !== ENGINE_VERSION) return "other engine";
  return calibration.basis.declaration === declaration ? "other production" : "other declaration";
}

/**
 * Computes calibration, hourly model and indices of one turbine from climate and production.
 *
 * Keeps an earlier calibration, with its normal year and months, as long as the turbine's declaration and the
 * production it was fitted to are unchanged. Later months and replaced reanalysis then change only their own figures
 * and the twelve months, quarters and years that contain them.
 *
 * @param data The site's data, or a part of the site
 * @param position Position of the turbine in the site
 * @throws {ArgumentError} If the figures cannot be computed; the message says why
 */
export function computeTurbine(
  data: Pick<SiteData, "reanalyses" | "turbines">,
  position: number,
  neighbours: readonly NeighbourProduction[],
  earlier: EarlierCalibration,
): ComputedTurbine {
  const { turbine, production, exclusions, locationIndex, stampZone, format, notes = [] } =
    data.turbines[position];
  const { timeZone } = turbine;
  const climates = computeHubReanalyses(data, turbine);
  const [{ hub }] = climates;
  const climate = { turbine, climate: climates.map(measureClimate) };
  if (production.length === 0 && !locationIndex) {
    return {
      ...climate,
      calibration: null,
      outcome: "none",
      presentAnnualEnergy: null,
      model: null,
      months: [],
      filled: [],
      findings: [],
      production: null,
      doubts: [],
    };
  }
  const checked = (entries: readonly Production[]) =>
    checkProduction(entries, turbine, exclusions, neighbours, hub, { format, zone: stampZone });
  const declaration = hashDeclaration(data, turbine);
  const known = earlier.recalibrate ? null : earlier.calibration;
  const cut = known && known.basis.declaration === declaration &&
      known.basis.engine === ENGINE_VERSION &&
      isCalibrated(known.calibration) === production.length > 0
    ? checked(cutToBasis(known.basis, production)).inputs
    : null;
  const unchanged = cut && selectFitted(known!.basis, cut);
  // Masks may differ without a failed neighbour; its failure must not revise published figures of others.
  const isLacking = cut !== null && !unchanged && earlier.lacksNeighbours === true &&
    hasTimesOf(known!.basis, cut);
  const fitted = unchanged ?? (isLacking ? cut : null);
  const kept = fitted ? known : null;
  const { inputs, findings, doubts } = checked(production);
  const { fitted: reanalyses, notes: fitNotes } = fitReanalyses(
    climates,
    fitted ?? inputs,
    turbine,
    kept,
  );
  const combined = combineReanalyses(reanalyses, turbine, kept);
  const { hours, main: { calibration } } = combined;
  const energies = cutEdges(computeCombinedMonths(combined, turbine));
  const reference = known ? { years: known.referenceYears } : chooseReferencePeriod(energies);
  const predicted = { months: energies, reference };
  const present = computeNormals(energies, reference);
  const normals = kept ? { months: kept.normalMonths, year: kept.meanAnnualEnergy } : present;
  const error = measureUnseenFit(calibration.periods)?.error;
  const shifts = inputs.flatMap((input) => describeShifts(input, hours, timeZone, stampZone))
    .map((shift): Doubt => {
      if (kept || !shift.lag || error === undefined) return shift;
      const corrected = measureCorrectedClock(
        production,
        shift.lag,
        turbine,
        climates,
        (moved) => checked(moved).inputs,
      );
      return { ...shift, text: shift.text + describeCorrectedClock(error, corrected) };
    });
  const allFindings = [...findings, ...shifts.map(({ text }) => text)];
  const { choice, main } = combined;
  const calibrate = (uncertainty: StoredCalibration["uncertainty"]): StoredCalibration => ({
    revision: earlier.nextRevision,
    calibration,
    reanalyses: recordReanalyses(combined, inputs, turbine),
    choice: { kind: choice.kind, error: choice.error },
    ...findTrainingWindow(calibration, production, timeZone),
    referenceYears: reference.years,
    notes: buildCalibrationNotes({
      turbine,
      combined,
      production: inputs.map(({ production }) => production),
      exclusions,
      productionNotes: [...fitNotes, ...notes],
      months: energies,
      reference,
    }),
    findings: allFindings,
    basis: buildTrainingBasis(declaration, inputs),
    meanAnnualEnergy: normals.year,
    normalMonths: normals.months,
    uncertainty,
    pointDistance: measurePointDistance(data.reanalyses, main.serviceId, turbine),
    hourCorrelation: computeHourCorrelation(inputs, hours),
  });
  const { months: intervals, ...uncertainty } = kept
    ? { ...kept.uncertainty, months: computeCombinedIntervals(combined, turbine, predicted) }
    : computeCombinedUncertainty(combined, turbine, predicted);
  const judged = kept ?? calibrate(uncertainty);
  return {
    ...climate,
    calibration: judged,
    outcome: isLacking ? "neighbours missing" : findOutcome(earlier, kept !== null, declaration),
    presentAnnualEnergy: present.year,
    model: buildModelFile(hours),
    months: computeMonthIndices(energies, normals).map((month, i) =>
      buildFreshMonth(month, intervals[i])
    ),
    filled: describeFilledMonths(combined),
    findings: allFindings,
    production: summarizeProduction(production, turbine),
    doubts: [
      ...shifts,
      ...[...doubts, ...describeDoubts(calibration, reference)].map((text) => ({
        text,
        cause: text,
      })),
      ...describeJudgement(judged),
    ],
  };
}
