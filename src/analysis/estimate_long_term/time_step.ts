import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { calibrate, type Calibration, isWhole } from "../../windindex/calibration/calibration.ts";
import { buildTrainingSet } from "../../windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../windindex/calibration/training_energies.ts";
import {
  computeMonthlyEnergies,
  type MonthlyEnergy,
} from "../../windindex/index/monthly_energy.ts";
import { computeNormals } from "../../windindex/index/reference_period.ts";
import { computeModelledPower } from "../../windindex/power_model.ts";
import { computeLogDensityRatio } from "../../windindex/turbine/density_correction.ts";
import type { HubConditions } from "../../windindex/turbine/hub_conditions.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import { type CalibrationErrors, computeErrors } from "../../windindex/uncertainty/uncertainty.ts";
import {
  findIndexReference,
  type MonthNormals,
  type ServedNormals,
} from "../series/index_months.ts";
import type { Draws } from "../series/mean_uncertainty.ts";
import {
  computeCurvePower,
  type CurvePower,
  type ModelHours,
  readModelHours,
} from "../series/model_hours.ts";
import type { RecordScreening } from "./record.ts";
import type { LongTermFinding } from "./words.ts";

/** Result of the time-step calibration. */
export interface TimeStep {
  /** Energy of the normal year, MWh. */
  readonly energy: number;
  /** Its errors by source, the same sources as for the index. */
  readonly shares: CalibrationErrors["longTerm"];
  /** Factor on the wind speed of the model data. */
  readonly factor: number;
  /** Years of the reference period. */
  readonly years: readonly number[];
  /** Its months or years: hours compared, and the reason if one does not count. */
  readonly periods: Calibration["periods"];
  /** Assumptions and warnings. */
  readonly notes: readonly LongTermFinding[];
}

/** Input of the time-step calibration in addition to the record. */
export interface TimeStepData {
  /** Frame of `modelData()`. */
  readonly model: DataFrame;
  /** Details of the turbine. */
  readonly details: TurbineDetails;
  /** Normals behind the indices. */
  readonly normals: MonthNormals;
}

/**
 * Builds the normal year and one normal month: two reference periods may have the same year by chance, but not the same
 * month too.
 */
function buildServedNormals({ year, months }: MonthNormals): ServedNormals {
  const kWh = (energy: number) => ({ energy: 1000 * energy });
  const name = months.findIndex((month) => month !== null && month > 0);
  return {
    year: year === null ? undefined : kWh(year),
    month: name === -1 ? undefined : { ...kWh(months[name]!), name: name + 1 },
  };
}

/** Largest relative difference between the normal years of model data and index without a note. */
const SAME_YEAR = 0.001;

/** Builds the turbine for the engine. Its wind is at hub height already, so its location is not used. */
function buildTurbine(
  details: TurbineDetails,
  { turbine }: CurvePower,
  timeZone: string,
): Turbine {
  return {
    ...turbine,
    id: details.turbine_id,
    name: details.name ?? details.turbine_id,
    latitude: details.latitude ?? NaN,
    longitude: details.longitude ?? NaN,
    elevation: NaN,
    hubHeight: details.hub_height ?? NaN,
    rotorDiameter: details.rotor_diameter ?? NaN,
    units: 1,
    timeZone,
  };
}

/** Builds hub conditions from wind and density of model data. */
function buildHub(hours: ModelHours, stamp: HubConditions["stamp"]): HubConditions {
  const missing = new Float64Array(hours.axis.length).fill(NaN);
  return {
    axis: hours.axis,
    stamp,
    windSpeed: hours.windSpeed!,
    windDirection: missing,
    temperature: missing,
    airDensity: hours.airDensity!,
    distance: 0,
    logDensityRatio: hours.airDensity!.map(computeLogDensityRatio),
    notes: [],
  };
}

/**
 * Estimates the normal year by a factor on the wind speed of the model, hour by hour: with it, modelled and produced
 * energy are equal over all hours that count. It is the calibration of the engine with one factor.
 *
 * @param record The record; incomplete months count with their valid hours
 * @param min Fewest months
 * @param action Action named in messages
 * @returns The estimate, or the reason why it is not possible
 * @throws {ArgumentError} If the model data lack columns or rows
 */
export function estimateByTimeStep(
  record: RecordScreening,
  { model, details, normals }: TimeStepData,
  draws: Draws,
  min: number,
  action: string,
): TimeStep | string {
  const hours = readModelHours(model, action);
  const power = computeCurvePower(hours, details);
  if (!power) {
    return "the model data lack wind speed or air density, or the details lack power curve, its control or rated power";
  }
  const turbine = buildTurbine(details, power, record.timeZone);
  const hub = buildHub(hours, power.stamp);
  const { smoothing } = power;
  const energies = (k: number): MonthlyEnergy[] =>
    computeMonthlyEnergies(
      computeModelledPower(turbine, { scaling: { kind: "factor", k }, smoothing }, hub),
      hub.axis,
      turbine.timeZone,
    );
  const served = energies(1);
  const reference = findIndexReference(
    served,
    buildServedNormals(normals),
    undefined,
  );
  if (!reference) {
    return "the model data have no whole calendar year. Ask modelData() for the whole reference period";
  }
  try {
    const { production, masked } = record;
    const set = buildTrainingSet(hub, [{ production, masked }], turbine.timeZone);
    const training = computeTrainingEnergies(set, hub, turbine, ["factor"], smoothing);
    const calibration = calibrate(training, []);
    const counted = calibration.periods.filter(isWhole).length;
    if (counted < min) {
      return `only ${counted} months count, but ${min} are needed`;
    }
    const months = energies(calibration.k);
    const { longTerm } = computeErrors(
      training,
      calibration,
      { months, reference: reference.period },
      draws,
    );
    const calibratedYear = computeNormals(months, reference.period).year / 1000;
    const unscaled = reference.normals.year / 1000;
    const scale = normals.year === null ? 1 : normals.year / unscaled;
    return {
      energy: calibratedYear * scale,
      shares: longTerm,
      factor: calibration.k,
      years: reference.period.years,
      periods: calibration.periods,
      notes: Math.abs(scale - 1) <= SAME_YEAR ? [] : [{
        code: "other_normal_year",
        from: reference.period.years[0],
        to: reference.period.years.at(-1)!,
        of_index: 100 / scale,
      }],
    };
  } catch (error) {
    if (error instanceof ArgumentError) return error.message;
    throw error;
  }
}
