import { endOfAxis, HOUR, type HourAxis } from "../../src/time/hourly.ts";
import type { HubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import { DEFAULT_SMOOTHING } from "../../src/windindex/calibration/training_energies.ts";
import type { EnergyPeriod, HourlyProduction } from "../../src/windindex/calibration/production.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";

/**
 * Mean power of each hour of a turbine whose wind at the hub is k times the climate's, with the curve smoothed as
 * usual.
 */
export function truePower(hub: HubConditions, turbine: Turbine, k: number): Float64Array {
  const model = { scaling: { kind: "factor", k }, smoothing: DEFAULT_SMOOTHING } as const;
  return computeModelledPower(turbine, model, hub);
}

/** Hourly production over a part of the hub's hours. */
export function hourlyFrom(
  hub: HubConditions,
  power: Float64Array,
  axis: HourAxis,
): HourlyProduction {
  const from = (axis.start - hub.axis.start) / HOUR;
  return { kind: "hourly", axis, power: power.slice(from, from + axis.length) };
}

/** Energy of a period of the wall clock: the hours that start in it, found one by one. */
export function periodFrom(
  label: string,
  hub: HubConditions,
  power: Float64Array,
  timeZone: string,
): EnergyPeriod {
  const [year, month] = label.split("-").map(Number);
  const first = Temporal.PlainDate.from({ year, month: month ?? 1, day: 1 });
  const next = first.add(month ? { months: 1 } : { years: 1 });
  const [start, end] = [first, next]
    .map((day) => day.toZonedDateTime(timeZone).epochMilliseconds);
  let energy = 0;
  for (let i = 0; i < hub.axis.length; i++) {
    const stamp = hub.axis.start + i * HOUR;
    if (stamp >= start && stamp < end) energy += power[i];
  }
  if (end > endOfAxis(hub.axis)) throw new RangeError(`${label} is not in the hub's record`);
  return { label, start, end, energy };
}
