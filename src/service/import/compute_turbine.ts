import { modelDataCsv } from "../../api/columns.ts";
import { calibrate } from "../../windindex/calibration.ts";
import { type HubConditions, hubConditions } from "../../windindex/hub_conditions.ts";
import { type MonthIndices, monthIndices } from "../../windindex/indices.ts";
import { monthlyEnergies, type MonthlyEnergy } from "../../windindex/monthly_energy.ts";
import { hourlyFlags, hourlyPower, powerAtStamps } from "../../windindex/power_model.ts";
import { chooseReferencePeriod, normalsOf } from "../../windindex/reference_period.ts";
import { siteClimate } from "../../windindex/site_climate.ts";
import { trainingSet } from "../../windindex/training.ts";
import { type TrainingEnergies, trainingEnergies } from "../../windindex/training_energies.ts";
import type { Turbine } from "../../windindex/turbine.ts";
import { type Interval, uncertaintyOf } from "../../windindex/uncertainty.ts";
import { scaledSpeed } from "../../windindex/wind_scaling.ts";
import { seriesToParquet } from "../series.ts";
import type { FreshMonth, StoredCalibration } from "../store/store.ts";
import { calibrationRecord, notesOf, trainingWindow } from "./calibration_record.ts";
import { neighboursOf } from "./neighbour_production.ts";
import type { SiteData } from "./site_data.ts";
import { shiftsOf } from "./time_shift.ts";
import { basisOf, cutToBasis, fittedPart } from "./training_basis.ts";
import { checkProduction } from "./training_inputs.ts";

/** What computing a turbine gave. */
export interface ComputedTurbine {
  /** The turbine. */
  readonly turbine: Turbine;
  /** Hours of climate from its first stamp to its last. */
  readonly climateHours: number;
  /** Share of them with wind and air density. */
  readonly climateCompleteness: number;
  /** Calibration; `null` without production. */
  readonly calibration: StoredCalibration | null;
  /** Whether that is an earlier calibration, which still holds. */
  readonly held: boolean;
  /** The hourly model as Parquet; `null` without calibration. */
  readonly model: Uint8Array | null;
  /** Its months. */
  readonly months: readonly FreshMonth[];
  /** What was found in production, in words. */
  readonly findings: readonly string[];
}

/** What was calibrated before, and whether it has to go. */
export interface EarlierCalibration {
  /** The calibration as stored; `null` where there is none. */
  readonly calibration: StoredCalibration | null;
  /** Revision of the next one. */
  readonly nextRevision: number;
  /** Whether to calibrate anew, with another reference period, whatever it says. */
  readonly recalibrate: boolean;
}

/** Valid hours from which the first and the last month of a record are listed: one cut at UTC midnight touches another local month. */
const MIN_EDGE_HOURS = 24;

function withoutEdges(months: readonly MonthlyEnergy[]): MonthlyEnergy[] {
  const counts = (month: MonthlyEnergy) => month.validHours >= MIN_EDGE_HOURS;
  return months.slice(months.findIndex(counts), months.findLastIndex(counts) + 1);
}

function completeness(hub: HubConditions): number {
  let valid = 0;
  for (let i = 0; i < hub.windSpeed.length; i++) {
    const value = hub.windSpeed[i] + hub.logDensityRatio[i];
    if (value === value) valid++;
  }
  return valid / hub.windSpeed.length;
}

/** The hourly model as Parquet: what model_data serves. */
function modelFile(hub: HubConditions, windSpeed: Float64Array, power: Float64Array): Uint8Array {
  const [, speed, direction, temperature, density, kilowatts] = modelDataCsv;
  return seriesToParquet(hub.axis, {
    [speed.name]: windSpeed,
    [direction.name]: hub.windDirection,
    [temperature.name]: hub.temperature,
    [density.name]: hub.airDensity,
    [kilowatts.name]: power,
  });
}

function freshMonth(
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
 * From climate and production to calibration, hourly model and indices of one turbine.
 *
 * An earlier calibration holds as long as the turbine's declaration and the production it was fitted to stand: months
 * that come later, and reanalysis that is replaced, change no figure but those they concern.
 *
 * @param data The site's data
 * @param position Which of its turbines
 * @param earlier What was calibrated before
 * @throws {ArgumentError} If the figures cannot be had; the message says why
 */
export function computeTurbine(
  data: SiteData,
  position: number,
  earlier: EarlierCalibration = { calibration: null, nextRevision: 1, recalibrate: false },
): ComputedTurbine {
  const { turbine, production, exclusions } = data.turbines[position];
  const { timeZone } = turbine;
  const hub = hubConditions(siteClimate(data.climate, turbine), turbine, data.shear);
  const climate = {
    turbine,
    climateHours: hub.axis.length,
    climateCompleteness: completeness(hub),
  };
  if (production.length === 0) {
    return { ...climate, calibration: null, held: false, model: null, months: [], findings: [] };
  }
  const neighbours = neighboursOf(data, position);
  const known = earlier.recalibrate ? null : earlier.calibration;
  const checked = (entries: typeof production) =>
    checkProduction(entries, turbine, exclusions, neighbours);
  const fitted = known && fittedPart(
    known.basis,
    turbine,
    data.shear,
    checked(cutToBasis(known.basis, production)).inputs,
  );
  const held = fitted ? known : null;
  const { inputs, findings } = checked(production);
  const trainingOf = (used: typeof inputs): TrainingEnergies =>
    trainingEnergies(trainingSet(hub, used, timeZone), hub, turbine);
  const training = trainingOf(fitted ?? inputs);
  const calibration = held?.calibration ?? calibrate(training);

  const windSpeed = scaledSpeed(calibration.scaling, hub, turbine);
  const power = hourlyPower(powerAtStamps(turbine, windSpeed, hub.logDensityRatio), hub.stamp);
  const preliminary = hub.preliminary && hourlyFlags(hub.preliminary, hub.stamp);
  const energies = withoutEdges(monthlyEnergies(power, hub.axis, timeZone, preliminary));
  const reference = known ? { years: known.referenceYears } : chooseReferencePeriod(energies);
  const normals = normalsOf(energies, reference);
  const { months: intervals, ...uncertainty } = uncertaintyOf(training, calibration, {
    months: energies,
    reference,
  });
  const all = [...findings, ...inputs.flatMap((input) => shiftsOf(input, power, hub, timeZone))];
  return {
    ...climate,
    calibration: calibrationRecord(held, {
      revision: earlier.nextRevision,
      calibration,
      ...trainingWindow(calibration, production, timeZone),
      referenceYears: reference.years,
      notes: notesOf(turbine, hub, calibration, exclusions),
      findings: all,
      basis: basisOf(turbine, data.shear, inputs),
      meanAnnualEnergy: normals.year,
      uncertainty,
    }),
    held: held !== null,
    model: modelFile(hub, windSpeed, power),
    months: monthIndices(energies, normals).map((month, i) => freshMonth(month, intervals[i])),
    findings: all,
  };
}
