import { buildMask } from "../screening/finding.ts";
import { findOutOfRange } from "../screening/values/hourly_power.ts";
import { HOUR } from "../time/hour_axis.ts";
import { countEnergyHours, type Production } from "../windindex/calibration/production.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";
import type { ProductionSummary } from "../storage/store/site_record.ts";
import { formatDay } from "./calibration_record.ts";

/** Spans of the values of a production that are possible, with their hours and energy in kWh. */
function* listValues(production: Production, ratedPower: number) {
  if (production.kind === "periods") {
    for (const period of production.periods) {
      if (Number.isNaN(period.energy)) continue;
      yield { ...period, hours: countEnergyHours(period) };
    }
    return;
  }
  const { axis, power } = production;
  const impossible = buildMask(findOutOfRange(power, ratedPower), power.length);
  for (const [i, energy] of power.entries()) {
    const start = axis.start + i * HOUR;
    if (!Number.isNaN(energy) && impossible[i] === 0) {
      yield { start, end: start + HOUR, hours: 1, energy };
    }
  }
}

/**
 * Summarizes the production of a turbine as it was read, with stops.
 *
 * @param production Its production of one unit, in any order
 * @returns `null` where no value is known
 */
export function summarizeProduction(
  production: readonly Production[],
  { ratedPower, timeZone }: Pick<Turbine, "ratedPower" | "timeZone">,
): ProductionSummary | null {
  let [first, last, validHours, sum] = [Infinity, -Infinity, 0, 0];
  for (const entry of production) {
    for (const { start, end, hours, energy } of listValues(entry, ratedPower)) {
      first = Math.min(first, start);
      last = Math.max(last, end);
      validHours += hours;
      sum += energy;
    }
  }
  if (validHours === 0) return null;
  return {
    from: formatDay(first, timeZone),
    to: formatDay(last - 1, timeZone),
    validHours,
    capacityFactor: sum / (validHours * ratedPower),
  };
}
