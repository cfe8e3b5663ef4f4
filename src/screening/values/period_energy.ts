import type { Finding } from "../finding.ts";
import { POWER_RANGE } from "./hourly_power.ts";

/** Capacity factor below which a month or a year counts as a standstill. */
const STANDSTILL_CAPACITY_FACTOR = 0.01;

/**
 * Finds months or years of standstill, or whose energy is more than a turbine can produce or consume. Consumption of
 * a stopped turbine is a standstill. A period without valid hours is neither: its energy is of no time.
 *
 * @param periods Energy in kWh (missing is NaN) of each period, and the hours that it is of
 * @param ratedPower Rated power, kW
 */
export function findPeriodFaults(
  periods: readonly { readonly label: string; readonly energy: number; readonly hours: number }[],
  ratedPower: number,
): Finding[] {
  return periods.flatMap(({ label, energy, hours }, i): Finding[] => {
    if (hours === 0) return [];
    const factor = energy / (hours * ratedPower);
    const percent = `${(100 * factor).toFixed(1)} %`;
    if (factor < POWER_RANGE[0] || factor > 1) {
      const message = `${label}: capacity factor of ${percent}`;
      return [{ kind: "out_of_range", from: i, to: i + 1, message }];
    }
    if (factor < STANDSTILL_CAPACITY_FACTOR) {
      const message = `${label}: standstill, capacity factor of ${percent}`;
      return [{ kind: "standstill", from: i, to: i + 1, message }];
    }
    return [];
  });
}
