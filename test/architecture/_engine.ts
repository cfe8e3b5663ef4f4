import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import { computeMonthIndices } from "../../src/windindex/index/indices.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import {
  chooseReferencePeriod,
  computeNormals,
} from "../../src/windindex/index/reference_period.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import { buildHourly, buildTraining, buildWorld } from "../windindex/_worlds.ts";

/** Figures of the engine from five synthetic years, two with production: a calibration and its indices, in order. */
export function engineFigures(): (number | null)[] {
  const world = buildWorld({ kind: "factor", k: 0.93 }, { years: [2014, 2018], monthNoise: 0.02 });
  const { hub, turbine } = world;
  const calibration = calibrate(buildTraining(world, [buildHourly(world, 2016, 2017)]));
  const power = computeModelledPower(turbine, calibration, hub);
  const months = computeMonthlyEnergies(power, hub.axis, turbine.timeZone);
  const indices = computeMonthIndices(
    months,
    computeNormals(months, chooseReferencePeriod(months)),
  );
  return [
    calibration.k,
    ...indices.flatMap(({ month_index, last12_month_index, predicted_production }) => [
      month_index,
      last12_month_index,
      predicted_production,
    ]),
  ];
}
