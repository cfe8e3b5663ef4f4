import type { ModelHour } from "../../api/columns/model_columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { calibrate } from "../../windindex/calibration/calibration.ts";
import {
  computeHubConditions,
  type HubConditions,
} from "../../windindex/turbine/hub_conditions.ts";
import { computeMonthIndices, type MonthIndices } from "../../windindex/index/indices.ts";
import {
  computeMonthlyEnergies,
  type MonthlyEnergy,
} from "../../windindex/index/monthly_energy.ts";
import { computeHourlyFlags, computeModelledPower } from "../../windindex/power_model.ts";
import { chooseReferencePeriod, computeNormals } from "../../windindex/index/reference_period.ts";
import { SCALING_KINDS } from "../../windindex/scaling/scaling_energies.ts";
import { computeSiteClimate } from "../../windindex/climate/site_climate.ts";
import { buildTrainingSet } from "../../windindex/calibration/training.ts";
import {
  computeTrainingEnergies,
  type TrainingEnergies,
} from "../../windindex/calibration/training_energies.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import { computeUncertainty } from "../../windindex/uncertainty/uncertainty.ts";
import { type Interval } from "../../windindex/uncertainty/interval.ts";
import { scaleSpeed } from "../../windindex/scaling/wind_scaling.ts";
import { seriesToParquet } from "../files/series.ts";
import type { FreshMonth, StoredCalibration } from "../store/site_record.ts";
import { hashDeclaration } from "./declaration_hash.ts";
import { buildCalibrationNotes } from "./calibration_notes.ts";
import { buildCalibrationRecord, findTrainingWindow } from "./calibration_record.ts";
import type { NeighbourProduction } from "./neighbour_production.ts";
import type { SiteData } from "./site_data.ts";
import { describeShifts } from "./time_shift.ts";
import { buildTrainingBasis, cutToBasis, selectFitted } from "./training_basis.ts";
import { checkProduction } from "./training_inputs.ts";

/**
 * How the calibration of a turbine was obtained: there is none, it is the first, an earlier one is kept, or it was
 * calibrated again, on request or since declaration or production changed.
 */
export type CalibrationOutcome =
  | "none"
  | "first"
  | "unchanged"
  | "requested"
  | "other declaration"
  | "other production";

/** Calibration, hourly model and months of a turbine. */
export interface ComputedTurbine {
  readonly turbine: Turbine;
  /** Hours of climate from its first stamp to its last. */
  readonly climateHours: number;
  /** Share of them with wind and air density. */
  readonly climateCompleteness: number;
  /** Calibration; `null` without production. */
  readonly calibration: StoredCalibration | null;
  /** How the calibration was obtained. */
  readonly outcome: CalibrationOutcome;
  /** The hourly model as Parquet; `null` without calibration. */
  readonly model: Uint8Array | null;
  readonly months: readonly FreshMonth[];
  /** Findings in the production, in words. */
  readonly findings: readonly string[];
}

/** The calibration before this import, and whether to replace it. */
export interface EarlierCalibration {
  /** The calibration as stored; `null` where there is none. */
  readonly calibration: StoredCalibration | null;
  readonly nextRevision: number;
  /** Whether to calibrate again, with another reference period, also where nothing changed. */
  readonly recalibrate: boolean;
}

/** Valid hours from which the first and the last month of a record are listed: one cut at UTC midnight touches another local month. */
const MIN_EDGE_HOURS = 24;

function cutEdges(months: readonly MonthlyEnergy[]): MonthlyEnergy[] {
  const counts = (month: MonthlyEnergy) => month.validHours >= MIN_EDGE_HOURS;
  return months.slice(months.findIndex(counts), months.findLastIndex(counts) + 1);
}

function computeCompleteness(hub: HubConditions): number {
  let valid = 0;
  for (let i = 0; i < hub.windSpeed.length; i++) {
    const value = hub.windSpeed[i] + hub.logDensityRatio[i];
    if (value === value) valid++;
  }
  return valid / hub.windSpeed.length;
}

/** Fewest hours of production for a calibration: four weeks. */
const MIN_TRAINING_HOURS = 28 * 24;

/** @throws {ArgumentError} If production and climate have too few hours in common */
function assertEnoughHours({ set, turbine }: TrainingEnergies): void {
  const used = set.periods.filter((period) => period.used);
  const hours = used.reduce((sum, period) => sum + period.validHours, 0);
  if (used.length === 0 || hours >= MIN_TRAINING_HOURS) return; // without any, calibrate() reports why
  const { label } = used[0];
  throw new ArgumentError(
    `Cannot calibrate ${turbine.id}: ${hours} h of production and climate can be compared, ` +
      `${label} to ${used[used.length - 1].label}; at least ${MIN_TRAINING_HOURS} h are needed. ` +
      "Add production, and look at what was masked",
  );
}

/** The hourly model as Parquet, as model_data serves it. */
function buildModelFile(
  hub: HubConditions,
  windSpeed: Float64Array,
  power: Float64Array,
): Uint8Array {
  const columns: Readonly<Record<Exclude<keyof ModelHour, "time">, Float64Array>> = {
    wind_speed: windSpeed,
    wind_direction: hub.windDirection,
    temperature: hub.temperature,
    air_density: hub.airDensity,
    power,
  };
  return seriesToParquet(hub.axis, columns);
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

/**
 * Computes calibration, hourly model and indices of one turbine from climate and production.
 *
 * An earlier calibration is kept as long as the turbine's declaration and the production it was fitted to are unchanged:
 * later months, and replaced reanalysis, change only the figures of their own months.
 *
 * @param data The site's data
 * @param position Which of its turbines
 * @param neighbours Hourly production of turbines nearby
 * @param earlier The calibration before this import
 * @throws {ArgumentError} If the figures cannot be computed; the message says why
 */
export function computeTurbine(
  data: SiteData,
  position: number,
  neighbours: readonly NeighbourProduction[],
  earlier: EarlierCalibration,
): ComputedTurbine {
  const { turbine, production, exclusions, notes = [] } = data.turbines[position];
  const { timeZone } = turbine;
  const hub = computeHubConditions(computeSiteClimate(data.climate, turbine), turbine, data.shear);
  const climate = {
    turbine,
    climateHours: hub.axis.length,
    climateCompleteness: computeCompleteness(hub),
  };
  if (production.length === 0) {
    return {
      ...climate,
      calibration: null,
      outcome: "none",
      model: null,
      months: [],
      findings: [],
    };
  }
  const checked = (entries: typeof production) =>
    checkProduction(entries, turbine, exclusions, neighbours, hub);
  const declaration = hashDeclaration(data, turbine);
  const known = earlier.recalibrate ? null : earlier.calibration;
  const fitted = known && known.basis.declaration === declaration
    ? selectFitted(known.basis, checked(cutToBasis(known.basis, production)).inputs)
    : null;
  const kept = fitted ? known : null;
  const { inputs, findings } = checked(production);
  const training = computeTrainingEnergies(
    buildTrainingSet(hub, fitted ?? inputs, timeZone),
    hub,
    turbine,
    kept ? [kept.calibration.scaling.kind] : SCALING_KINDS,
  );
  assertEnoughHours(training);
  const calibration = kept?.calibration ?? calibrate(training);

  const power = computeModelledPower(turbine, calibration, hub);
  const preliminary = hub.preliminary && computeHourlyFlags(hub.preliminary, hub.stamp);
  const energies = cutEdges(computeMonthlyEnergies(power, hub.axis, timeZone, preliminary));
  const reference = known ? { years: known.referenceYears } : chooseReferencePeriod(energies);
  const normals = computeNormals(energies, reference);
  const { months: intervals, ...uncertainty } = computeUncertainty(training, calibration, {
    months: energies,
    reference,
  });
  const all = [
    ...findings,
    ...inputs.flatMap((input) => describeShifts(input, power, hub, timeZone)),
  ];
  return {
    ...climate,
    calibration: buildCalibrationRecord(kept, {
      revision: earlier.nextRevision,
      calibration,
      ...findTrainingWindow(calibration, production, timeZone),
      referenceYears: reference.years,
      notes: buildCalibrationNotes({
        turbine,
        hub,
        calibration,
        production,
        exclusions,
        productionNotes: notes,
        months: energies,
        reference,
      }),
      findings: all,
      basis: buildTrainingBasis(declaration, inputs),
      meanAnnualEnergy: normals.year,
      uncertainty,
    }),
    outcome: kept
      ? "unchanged"
      : !earlier.calibration
      ? "first"
      : earlier.recalibrate
      ? "requested"
      : earlier.calibration.basis.declaration === declaration
      ? "other production"
      : "other declaration",
    model: buildModelFile(hub, scaleSpeed(calibration.scaling, hub, turbine), power),
    months: computeMonthIndices(energies, normals).map((month, i) =>
      buildFreshMonth(month, intervals[i])
    ),
    findings: all,
  };
}
