import type { TurbineDetails } from "../../api/resources/resources.ts";
import { calendarMonth } from "../../show/text/month.ts";
import { listMonthSpans, MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { computeHourlyPower, computePowerAtStamps } from "../../windindex/power_model.ts";
import { computeLogDensityRatio } from "../../windindex/turbine/density_correction.ts";
import { computeCurvePower, type ModelHours } from "../series/model_hours.ts";
import type { DensityUnknown, PerformanceFound } from "./words.ts";

/** Fewest complete months of a name for a normal density. */
const MIN_MONTHS = 3;

/** Largest relative difference between the energy of the curve and that of the model. */
const LIKE_MODEL = 0.1;

/** Change of air density below which it is constant, kg/m3. */
const STILL = 1e-6;

/** Effect of air density on each hour of model data. */
interface DensityEffect {
  /** Power that the density of the hour adds to that of its month's mean density, kW; missing is NaN. */
  readonly power?: Float64Array;
  /** Source of the mean densities, or why the effect is unknown. */
  readonly note: PerformanceFound;
}

const unknown = (reason: DensityUnknown): DensityEffect => (
  { note: { code: "density_unknown", ...reason } }
);

/** Computes the normal density of each hour: the mean of all complete months of its name; and which name has the fewest. */
function computeNormalDensity({ axis, timeZone }: ModelHours, density: Float64Array) {
  const months = listMonthSpans(axis, timeZone).map(({ month, from, to }) => {
    const [first, last] = [Math.max(0, from), Math.min(axis.length, to)];
    const valid = density.subarray(first, last).filter((value) => !Number.isNaN(value));
    const sum = valid.reduce((total, value) => total + value, 0);
    const isComplete = valid.length >= MIN_COMPLETENESS * (to - from);
    return { month, first, last, sum, count: valid.length, isComplete };
  });
  const normal = new Float64Array(axis.length);
  let poorest = { month: 0, count: Infinity };
  for (const [month, own] of Map.groupBy(months, ({ month }) => month)) {
    const complete = own.filter(({ isComplete }) => isComplete);
    const add = (name: "sum" | "count") => complete.reduce((total, one) => total + one[name], 0);
    for (const { first, last } of own) normal.fill(add("sum") / add("count"), first, last);
    if (complete.length < poorest.count) poorest = { month, count: complete.length };
  }
  return { normal, poorest };
}

/**
 * Estimates the effect of air density on the model's power hour by hour: the power at the density of the hour less that at the mean
 * density of its calendar month, both at the wind speed of the hour.
 *
 * @param details Details with the power curve; `undefined` where they are not given
 */
export function estimateDensityEffect(
  hours: ModelHours,
  details: Pick<TurbineDetails, "power_curve" | "rated_power"> | undefined,
): DensityEffect {
  const { airDensity, windSpeed } = hours;
  if (!details?.power_curve || !details.rated_power) return unknown({ reason: "no_curve" });
  if (!airDensity || !windSpeed) {
    return unknown({ reason: "no_column", column: airDensity ? "wind_speed" : "air_density" });
  }
  const known = airDensity.filter((value) => !Number.isNaN(value));
  if (known.every((value) => Math.abs(value - known[0]) < STILL)) {
    return unknown({ reason: "constant" });
  }
  const curve = computeCurvePower(hours, details);
  if (!curve) return unknown({ reason: "no_control" });
  let [own, model] = [0, 0];
  curve.hourly.forEach((power, i) => {
    if (Number.isNaN(power + hours.power[i])) return;
    own += power;
    model += hours.power[i];
  });
  if (!(Math.abs(own / model - 1) <= LIKE_MODEL)) {
    return unknown({ reason: "other_curve", share: 100 * own / model });
  }
  const { normal, poorest: { month, count: months } } = computeNormalDensity(hours, airDensity);
  if (months < MIN_MONTHS) {
    const name = calendarMonth(`2000-${String(month).padStart(2, "0")}`);
    return unknown({ reason: "few_months", needed: MIN_MONTHS, months, name });
  }
  const { turbine, smoothing, atStamps, stamp } = curve;
  const ratios = normal.map(computeLogDensityRatio);
  const atNormal = computePowerAtStamps(turbine, windSpeed, ratios, smoothing);
  const effect = atNormal.map((power, i) => atStamps[i] - power);
  return { power: computeHourlyPower(effect, stamp), note: { code: "normal_density", months } };
}
