import { HOUR } from "../../src/time/hour_axis.ts";
import { Neighbourhood } from "../../src/service/import/neighbour_production.ts";
import type { SiteData } from "../../src/service/import/site_data.ts";
import { checkProduction } from "../../src/service/import/training_inputs.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import { correlation } from "../../src/stats/correlation.ts";
import type { HubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import {
  computeMonthlyEnergies,
  listMonthSpans,
} from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { chooseReferencePeriod } from "../../src/windindex/index/reference_period.ts";
import { SCALING_KINDS, type ScalingKind } from "../../src/windindex/scaling/scaling_energies.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";
import { computeUncertainty } from "../../src/windindex/uncertainty/uncertainty.ts";
import { computeHub } from "./_site_data.ts";

/** Hours from which a stretch at the end of a record is a month to be predicted. */
const MONTH_HOURS = 600;

/** How a turbine's months are predicted. */
export interface Model {
  /** Its name in the table. */
  readonly name: string;
  /** Scalings that calibration may choose from. */
  readonly kinds: readonly ScalingKind[];
  /** Whether outages found in production are masked. */
  readonly masked: boolean;
}

/** The models that are compared with each other. */
export const models: readonly Model[] = [
  { name: "plain k, nothing masked", kinds: ["factor"], masked: false },
  { name: "plain k", kinds: ["factor"], masked: true },
  { name: "selected", kinds: SCALING_KINDS, masked: true },
];

/** How well a model predicts months that it has not seen. */
export interface Score {
  /** The turbine. */
  readonly turbine: string;
  /** The model. */
  readonly model: string;
  /** Mean absolute error of a month's energy, %. */
  readonly meanAbsoluteError: number;
  /** Correlation of predicted and produced months. */
  readonly correlation: number;
  /** Share of the valid hours that are masked, %. */
  readonly masked: number;
  /** The scalings chosen, each month anew, with how often. */
  readonly chosen: ReadonlyMap<ScalingKind, number>;
  /** Months whose production is within the 90 % interval of the prediction. */
  readonly hits: number;
  /** Months predicted. */
  readonly months: number;
}

/**
 * Predicts each month of a turbine's hourly production by a calibration on all others: scaling, outages against the model
 * and factors are found anew without it. Masks come from production alone.
 *
 * @param data The site
 * @param position Which of its turbines
 * @param model How it is predicted
 */
export function leaveOneMonthOut(data: SiteData, position: number, model: Model): Score {
  const { turbine, production, exclusions } = data.turbines[position];
  const hub = computeHub(data, turbine);
  const neighbours = new Neighbourhood(data).findNearest(position);
  const [{ production: own, masked }] =
    checkProduction(production, turbine, exclusions, neighbours).inputs;
  const hourly = own as HourlyProduction;
  const mask = model.masked ? masked! : new Uint8Array(hourly.power.length);
  const produced: number[] = [];
  const predicted: number[] = [];
  const chosen = new Map<ScalingKind, number>();
  let hits = 0;
  for (const { year, month, from, to } of listMonthSpans(hourly.axis, turbine.timeZone)) {
    if (Math.min(to, mask.length) - Math.max(from, 0) < MONTH_HOURS) continue;
    const others = mask.slice().fill(1, Math.max(0, from), to);
    const { power, kind, interval } = predict(hub, hourly, others, turbine, model.kinds, {
      year,
      month,
    });
    const later = (hourly.axis.start - hub.axis.start) / HOUR;
    let [sum, modelled] = [0, 0];
    for (let i = Math.max(0, from); i < Math.min(to, mask.length); i++) {
      if (mask[i] === 1 || Number.isNaN(hourly.power[i])) continue;
      sum += hourly.power[i];
      modelled += power[i + later];
    }
    produced.push(sum);
    predicted.push(modelled);
    chosen.set(kind, (chosen.get(kind) ?? 0) + 1);
    // The interval is of the whole month: as shares of the prediction it holds for the hours compared too.
    if (sum / modelled >= interval[0] && sum / modelled <= interval[1]) hits++;
  }
  const errors = produced.map((sum, i) => Math.abs(predicted[i] / sum - 1));
  const valid = hourly.power.reduce((count, value) => Number.isNaN(value) ? count : count + 1, 0);
  const hidden = mask.reduce(
    (count, one, i) => one && !Number.isNaN(hourly.power[i]) ? count + 1 : count,
    0,
  );
  return {
    turbine: turbine.id,
    model: model.name,
    meanAbsoluteError: 100 * errors.reduce((sum, error) => sum + error, 0) / errors.length,
    correlation: correlation(predicted, produced),
    masked: 100 * hidden / valid,
    chosen,
    hits,
    months: produced.length,
  };
}

/** Calibrates without a month, and predicts: hourly power, and the interval of the month as shares of its energy. */
function predict(
  hub: HubConditions,
  production: HourlyProduction,
  masked: Uint8Array,
  turbine: Turbine,
  kinds: readonly ScalingKind[],
  wanted: { readonly year: number; readonly month: number },
): { power: Float64Array; kind: ScalingKind; interval: [number, number] } {
  const set = buildTrainingSet(hub, [{ production, masked }], turbine.timeZone);
  const training = computeTrainingEnergies(set, hub, turbine, kinds);
  const calibration = calibrate(training);
  const power = computeModelledPower(turbine, calibration, hub);
  const months = computeMonthlyEnergies(power, hub.axis, turbine.timeZone);
  const reference = chooseReferencePeriod(months);
  const uncertainty = computeUncertainty(training, calibration, { months, reference });
  const at = months.findIndex(({ year, month }) => year === wanted.year && month === wanted.month);
  const { low, high } = uncertainty.months[at]!;
  const energy = months[at].energy!;
  return { power, kind: calibration.scaling.kind, interval: [low / energy, high / energy] };
}
