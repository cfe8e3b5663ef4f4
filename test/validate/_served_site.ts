import type { DataFrame } from "nodejs-polars";
import { modelDataCsv, monthlyIndicesFrame } from "../../src/api/columns/columns.ts";
import type { TurbineDetails } from "../../src/api/resources/resources.ts";
import { buildFrame, buildNumbers } from "../../src/frames/frame.ts";
import { HOUR } from "../../src/time/hourly.ts";
import { monthAsDays, monthNumberOf, monthOfNumber } from "../../src/time/zones.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import type { HubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { computeMonthIndices } from "../../src/windindex/index/indices.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import {
  chooseReferencePeriod,
  computeNormals,
} from "../../src/windindex/index/reference_period.ts";
import { buildTrainingSet, type TrainingInput } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";
import { scaleSpeed } from "../../src/windindex/scaling/wind_scaling.ts";

/** Answers of a service about a calibrated turbine. */
export interface ServedTurbine {
  /** As of `monthlyIndices()`. */
  readonly indices: DataFrame;
  /** As of `modelData()`. */
  readonly model: DataFrame;
  /** As of `turbineDetails()`. */
  readonly details: TurbineDetails;
}

/** Builds a frame of hours; missing values are null. */
export function hoursFrame(
  start: number,
  values: Readonly<Record<string, Float64Array>>,
  timeZone: string,
): DataFrame {
  const [first] = Object.values(values);
  const time = BigInt64Array.from(first, (_, i) => BigInt(start + i * HOUR) * 1000n);
  const lists = Object.fromEntries(
    Object.entries(values).map(([name, column]) => [name, buildNumbers(name, column).toArray()]),
  );
  return buildFrame(modelDataCsv, { time, ...lists }, timeZone);
}

/**
 * Calibrates a turbine as an import does, and makes the frames of the client.
 *
 * @param turbine The turbine
 * @param hub Its climate
 * @param inputs Production to calibrate on
 */
export function servedTurbine(
  turbine: Turbine,
  hub: HubConditions,
  inputs: readonly TrainingInput[],
): ServedTurbine {
  const set = buildTrainingSet(hub, inputs, turbine.timeZone);
  const calibration = calibrate(computeTrainingEnergies(set, hub, turbine));
  const power = computeModelledPower(turbine, calibration, hub);
  const energies = computeMonthlyEnergies(power, hub.axis, turbine.timeZone);
  const months = computeMonthIndices(
    energies,
    computeNormals(energies, chooseReferencePeriod(energies)),
  );
  return {
    indices: buildFrame(monthlyIndicesFrame, {
      month: months.map((month) => monthAsDays(monthOfNumber(monthNumberOf(month)))),
      month_index: months.map((month) => month.month_index),
      month_abnormality_index: months.map((month) => month.month_abnormality_index),
      predicted_production: months.map((month) => month.predicted_production),
    }),
    model: hoursFrame(hub.axis.start, {
      wind_speed: scaleSpeed(calibration.scaling, hub, turbine),
      wind_direction: hub.windDirection,
      air_density: hub.airDensity,
      power,
    }, turbine.timeZone),
    details: {
      turbine_id: turbine.id,
      name: turbine.name,
      latitude: turbine.latitude,
      longitude: turbine.longitude,
      hub_height: turbine.hubHeight,
      rated_power: turbine.ratedPower,
      rotor_diameter: turbine.rotorDiameter,
      time_zone: turbine.timeZone,
      training_start: null,
      training_end: null,
      data_ready: true,
      last_wind_index: null,
      power_curve: { power_control: turbine.powerControl, power: [...turbine.powerCurve] },
    },
  };
}
