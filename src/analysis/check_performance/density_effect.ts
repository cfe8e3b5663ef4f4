import type { TurbineDetails } from "../../api/resources/resources.ts";
import { calendarMonth } from "../../show/text/month.ts";
import { listMonthSpans, MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { computeHourlyPower, computePowerAtStamps } from "../../windindex/power_model.ts";
import { computeLogDensityRatio } from "../../windindex/turbine/density_correction.ts";
import { computeCurvePower, type ModelHours } from "../series/model_hours.ts";
import type { DensityUnknown, PerformanceFound } from "./words.ts";

/** Effect of air density on each hour of model data, or why it is unknown. */
interface DensityEffect {
  /** Power that the density of the hour adds to that of its month's mean density, kW; missing is NaN. */
  readonly power: Float64Array | undefined;
  /** Source of the mean densities, or what is missing. */
  readonly note: PerformanceFound;
}

/** Fewest complete months of a name for a normal density. */
const MIN_MONTHS = 3;

/** Largest relative difference between the energy of the curve and that of the model. */
const LIKE_MODEL = 0.1;

/** Change of air density below which it is constant, kg/m3. */
const STILL = 1e-6;

function explainUnknown(unknown: DensityUnknown): DensityEffect {
  return { power: undefined, note: { code: "density_unknown", ...unknown } };
}

/**
 * Computes the normal density of each hour: the mean of all complete months of its name. `least` is the smallest
 * number of months of a name.
 */
function computeNormalDensity(
  hours: ModelHours,
  density: Float64Array,
): { normal: Float64Array; least: number; poorest: number } {
  const spans = listMonthSpans(hours.axis, hours.timeZone).map((span) => ({
    ...span,
    first: Math.max(0, span.from),
    last: Math.min(hours.axis.length, span.to),
  }));
  const sums = Array.from({ length: 12 }, () => ({ sum: 0, count: 0, months: 0 }));
  for (const { month, from, to, first, last } of spans) {
    const valid = density.subarray(first, last).filter((value) => !Number.isNaN(value));
    if (valid.length < MIN_COMPLETENESS * (to - from)) continue;
    const own = sums[month - 1];
    own.sum += valid.reduce((total, value) => total + value, 0);
    own.count += valid.length;
    own.months++;
  }
  const normal = new Float64Array(hours.axis.length);
  for (const { month, first, last } of spans) {
    normal.fill(sums[month - 1].sum / sums[month - 1].count, first, last);
  }
  const touched = [...new Set(spans.map(({ month }) => month))];
  const poorest = touched.reduce((a, b) => sums[b - 1].months < sums[a - 1].months ? b : a);
  return { normal, least: sums[poorest - 1].months, poorest };
}

/**
 * Estimates the effect of air density on the model's power hour by hour: the power at the density of the hour less that at the mean
 * density of its calendar month, both at the wind speed of the hour.
 *
 * @param details Details with the power curve; `undefined` where they are not given
 */
export function estimateDensityEffect(
  hours: ModelHours,
  details:
    | Pick<TurbineDetails, "power_curve" | "rated_power">
    | undefined,
): DensityEffect {
  const { airDensity, windSpeed } = hours;
  if (!details?.power_curve || !details.rated_power) {
    return explainUnknown({ reason: "no_curve" });
  }
  if (!airDensity || !windSpeed) {
    const column = airDensity ? "wind_speed" : "air_density";
    return explainUnknown({ reason: "no_column", column });
  }
  const known = airDensity.filter((value) => !Number.isNaN(value));
  if (known.every((value) => Math.abs(value - known[0]) < STILL)) {
    return explainUnknown({ reason: "constant" });
  }
  const curve = computeCurvePower(hours, details);
  if (!curve) {
    return explainUnknown({ reason: "no_control" });
  }
  let [own, model] = [0, 0];
  curve.hourly.forEach((power, i) => {
    const both = power + hours.power[i];
    if (both !== both) return;
    own += power;
    model += hours.power[i];
  });
  if (!(Math.abs(own / model - 1) <= LIKE_MODEL)) {
    return explainUnknown({ reason: "other_curve", share: 100 * own / model });
  }
  const { normal, least, poorest } = computeNormalDensity(hours, airDensity);
  if (least < MIN_MONTHS) {
    const name = calendarMonth(`2000-${String(poorest).padStart(2, "0")}`);
    return explainUnknown({ reason: "few_months", needed: MIN_MONTHS, months: least, name });
  }
  const atNormal = computePowerAtStamps(
    curve.turbine,
    windSpeed,
    normal.map(computeLogDensityRatio),
    curve.smoothing,
  );
  const effect = atNormal.map((power, i) => curve.atStamps[i] - power);
  return {
    power: computeHourlyPower(effect, curve.stamp),
    note: { code: "normal_density", months: least },
  };
}
