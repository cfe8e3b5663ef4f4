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

/** Moves hours by the lag of a clock; of two that come to one hour the first is kept. */
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
 * Measures the error of unseen periods that a calibration would have if the clock of hourly production were right.
 *
 * @param production Production of one unit
 * @param check Finds what is not fitted
 * @returns The error as a share; `null` where no period is predicted
 */
function measureMendedClock(
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

/** Says what the error of unseen periods would be with the right clock, where it is another. */
function describeMendedClock(error: number, mended: number | null): string {
  const [now, then] = [error, mended ?? error].map((share) => `${(100 * share).toFixed(1)} %`);
  return now === then
    ? ""
    : ` If the hours are shifted by that lag, the error in unseen months is ${then} instead of ${now}.`;
}

/** Spans of the values of a production that are possible, with their hours and energy in kWh. */
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
 * Summarizes the production of a turbine as it was read, with stops.
 *
 * @param production Its production of one unit, in any order
 * @returns `null` where no value is known
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
 * How the calibration of a turbine was obtained: there is none, it is the first, an earlier one is kept, if need be
 * without the neighbours that it had, or it was calibrated again, on request or since engine, declaration or production
 * changed.
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

/** How complete a reanalysis is at the hub. */
export interface ClimateCompleteness {
  readonly serviceId: string;
  /** Hours from its first stamp to its last. */
  readonly hours: number;
  /** Share of them with wind and air density. */
  readonly completeness: number;
}

/** Calibration, hourly model and months of a turbine. */
export interface ComputedTurbine {
  readonly turbine: Turbine;
  /** Its reanalyses, in the order declared. */
  readonly climate: readonly ClimateCompleteness[];
  /** Calibration, or what stands for it in a location index; `null` without production otherwise. */
  readonly calibration: StoredCalibration | null;
  readonly outcome: CalibrationOutcome;
  /** Mean annual energy of the reference period by the climate of this import, kWh; `null` without calibration. */
  readonly presentAnnualEnergy: number | null;
  /** The hourly model as Parquet; `null` without calibration. */
  readonly model: Uint8Array | null;
  readonly months: readonly FreshMonth[];
  /** Months with hours that some reanalysis of the index lacks, in words. */
  readonly filled: readonly string[];
  readonly findings: readonly string[];
  /** What its production amounts to; `null` without any. */
  readonly production: ProductionSummary | null;
  /** Findings and notes on which a person must act. */
  readonly doubts: readonly Doubt[];
}

/** A turbine as computed, without its hourly model. */
export type ImportedTurbine = Omit<ComputedTurbine, "model">;

/** The calibration before this import, and whether to replace it. */
export interface EarlierCalibration {
  /** The calibration as stored; `null` where there is none. */
  readonly calibration: StoredCalibration | null;
  readonly nextRevision: number;
  /** Whether to calibrate again, with another reference period, also where nothing changed. */
  readonly recalibrate: boolean;
  /** Whether a turbine nearby failed, so that it is kept also if other hours are masked. @default {false} */
  readonly lacksNeighbours?: boolean;
}

/** Fewest valid hours for listing a record's first or last month: a cut at UTC midnight touches another local month. */
const MIN_EDGE_HOURS = 24;

function cutEdges(months: readonly MonthlyEnergy[]): MonthlyEnergy[] {
  const counts = (month: MonthlyEnergy) => month.validHours >= MIN_EDGE_HOURS;
  return months.slice(months.findIndex(counts), months.findLastIndex(counts) + 1);
}

/** The hourly model as Parquet, with the decimals that model_data serves. */
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
 * An earlier calibration is kept as long as the turbine's declaration and the production it was fitted to are unchanged,
 * and with it the normal year and months: later months, and replaced reanalysis, change only their own figures and those
 * of twelve months, quarters and years that contain them.
 *
 * @param data The site's data, or those of a part of it
 * @param position Which of its turbines
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
  const same = cut && selectFitted(known!.basis, cut);
  // What is masked may differ without a neighbour: its fault must not revise what others have published.
  const isLacking = cut !== null && !same && earlier.lacksNeighbours === true &&
    hasTimesOf(known!.basis, cut);
  const fitted = same ?? (isLacking ? cut : null);
  const kept = fitted ? known : null;
  const { inputs, findings, doubts } = checked(production);
  const { fitted: reanalyses, notes: left } = fitReanalyses(
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
      const mended = measureMendedClock(
        production,
        shift.lag,
        turbine,
        climates,
        (moved) => checked(moved).inputs,
      );
      return { ...shift, text: shift.text + describeMendedClock(error, mended) };
    });
  const all = [...findings, ...shifts.map(({ text }) => text)];
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
      productionNotes: [...left, ...notes],
      months: energies,
      reference,
    }),
    findings: all,
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
    findings: all,
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
