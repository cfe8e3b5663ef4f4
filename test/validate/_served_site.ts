import type { DataFrame } from "nodejs-polars";
import { modelDataCsv, monthlyIndicesFrame } from "../../src/api/columns/columns.ts";
import type { TurbineDetailsResource } from "../../src/api/resources/resources.ts";
import { frameOf, nullsForNaN } from "../../src/frames/frame.ts";
import { HOUR } from "../../src/time/hour_axis.ts";
import { monthAsDays, monthNumberOf, monthOfNumber } from "../../src/time/zones.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import type { HubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { monthIndices } from "../../src/windindex/index/indices.ts";
import { monthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { modelledPower } from "../../src/windindex/power_model.ts";
import { chooseReferencePeriod, normalsOf } from "../../src/windindex/index/reference_period.ts";
import { type TrainingInput, trainingSet } from "../../src/windindex/calibration/training.ts";
import { trainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";
import { scaledSpeed } from "../../src/windindex/scaling/wind_scaling.ts";

/** What a service would answer about a turbine that was calibrated on some production. */
export interface ServedTurbine {
  /** As of `monthlyIndices()`. */
  readonly indices: DataFrame;
  /** As of `modelData()`. */
  readonly model: DataFrame;
  /** As of `turbineDetails()`. */
  readonly details: TurbineDetailsResource;
}

/** Hours of an axis with values, missing ones as null. */
export function hoursFrame(
  start: number,
  values: Readonly<Record<string, Float64Array>>,
  timeZone: string,
): DataFrame {
  const [first] = Object.values(values);
  const time = BigInt64Array.from(first, (_, i) => BigInt(start + i * HOUR) * 1000n);
  const lists = Object.fromEntries(
    Object.entries(values).map(([name, own]) => [name, nullsForNaN(name, own).toArray()]),
  );
  return frameOf(modelDataCsv, { time, ...lists }, timeZone);
}

/**
 * Calibrates a turbine as an import does, on the production given, and makes the frames that the client would.
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
  const set = trainingSet(hub, inputs, turbine.timeZone);
  const { scaling } = calibrate(trainingEnergies(set, hub, turbine));
  const power = modelledPower(turbine, scaling, hub);
  const energies = monthlyEnergies(power, hub.axis, turbine.timeZone);
  const months = monthIndices(energies, normalsOf(energies, chooseReferencePeriod(energies)));
  return {
    indices: frameOf(monthlyIndicesFrame, {
      month: months.map((month) => monthAsDays(monthOfNumber(monthNumberOf(month)))),
      month_index: months.map((month) => month.month_index),
      month_abnormality_index: months.map((month) => month.month_abnormality_index),
      predicted_production: months.map((month) => month.predicted_production),
    }),
    model: hoursFrame(hub.axis.start, {
      wind_speed: scaledSpeed(scaling, hub, turbine),
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
