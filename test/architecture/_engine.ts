import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import { monthIndices } from "../../src/windindex/index/indices.ts";
import { monthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { chooseReferencePeriod, normalsOf } from "../../src/windindex/index/reference_period.ts";
import { modelledPower } from "../../src/windindex/power_model.ts";
import { hourlyOf, trainingOf, worldOf } from "../windindex/_worlds.ts";

/** What the engine makes of five synthetic years, of which two are measured: a calibration and its indices, in order. */
export function engineFigures(): (number | null)[] {
  const world = worldOf({ kind: "factor", k: 0.93 }, { years: [2014, 2018], monthNoise: 0.02 });
  const { hub, turbine } = world;
  const { k, scaling } = calibrate(trainingOf(world, [hourlyOf(world, 2016, 2017)]));
  const power = modelledPower(turbine, scaling, hub);
  const months = monthlyEnergies(power, hub.axis, turbine.timeZone);
  const indices = monthIndices(months, normalsOf(months, chooseReferencePeriod(months)));
  return [
    k,
    ...indices.flatMap(({ month_index, last12_month_index, predicted_production }) => [
      month_index,
      last12_month_index,
      predicted_production,
    ]),
  ];
}
