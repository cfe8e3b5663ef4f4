import { ArgumentError } from "../api/errors.ts";
import type { ClimatePoint } from "../windindex/climate/climate.ts";
import { HOUR, type HourAxis, positionAtOrAfter } from "../time/hourly.ts";
import { startOfMonth } from "../time/zones.ts";
import type { EnergyPeriod, Production } from "../windindex/calibration/production.ts";
import { simulateTruePower } from "./true_power.ts";
import { SeededRandom } from "../stats/seeded_random.ts";
import { roundValue } from "./round_value.ts";
import type { SampleSite, SampleTurbine } from "./site.ts";

/** A period without its energy. */
type Period = Omit<EnergyPeriod, "energy">;

/** Failures of the hourly logger: mean time between them and mean duration, h. */
const LOGGER_FAILURES = { between: 2500, duration: 6 };

/**
 * Lists consecutive months or years.
 *
 * @param first First month, such as `"2021-01"`
 * @param last Last month, included
 * @param monthsOfPeriod 1 for months, 12 for years
 * @param timeZone IANA zone in which they begin
 */
function listPeriods(
  first: string,
  last: string,
  monthsOfPeriod: 1 | 12,
  timeZone: string,
): Period[] {
  const periods: Period[] = [];
  const end = Temporal.PlainYearMonth.from(last);
  let month = Temporal.PlainYearMonth.from(first);
  while (Temporal.PlainYearMonth.compare(month, end) <= 0) {
    const next = month.add({ months: monthsOfPeriod });
    periods.push({
      label: monthsOfPeriod === 1 ? month.toString() : String(month.year),
      start: startOfMonth(month, timeZone),
      end: startOfMonth(next, timeZone),
    });
    month = next;
  }
  return periods;
}

function addIncidents(turbine: SampleTurbine, axis: HourAxis, power: Float64Array): void {
  for (const { kind, start, hours } of turbine.truth.incidents) {
    const from = positionAtOrAfter(axis, Temporal.Instant.from(start).epochMilliseconds);
    power.fill(kind === "outage" ? 0 : power[from], from, from + hours);
  }
}

function loseHours(turbine: SampleTurbine, power: Float64Array): void {
  const random = new SeededRandom(`${turbine.id} logger`);
  let i = random.exponential(LOGGER_FAILURES.between);
  while (i < power.length) {
    const end = i + random.exponential(LOGGER_FAILURES.duration);
    power.fill(NaN, Math.floor(i), Math.ceil(end));
    i = end + random.exponential(LOGGER_FAILURES.between);
  }
}

/** Computes the energy between two instants, kWh, with parts of the hours at the ends: where the zone is off by half an hour, months begin within an hour. */
function computeEnergy(period: Period, axis: HourAxis, power: Float64Array): EnergyPeriod {
  const begin = (period.start - axis.start) / HOUR;
  const end = (period.end - axis.start) / HOUR;
  let energy = 0;
  for (let i = Math.floor(begin); i < end; i++) {
    energy += power[i] * (Math.min(i + 1, end) - Math.max(i, begin));
  }
  return { ...period, energy: roundValue(energy, 1) };
}

/**
 * Simulates the production of a turbine of the synthetic world, of one unit: hourly with NaN where the logger failed, or the energy
 * of months or years; `null` where the turbine has no production. The same figures every time.
 *
 * @param turbine One of its turbines
 * @param climate Climate of the region, as `simulateClimate()` gives it
 * @throws {ArgumentError} If the climate is not that of the region
 */
export function simulateProduction(
  site: SampleSite,
  turbine: SampleTurbine,
  climate: readonly ClimatePoint[],
): Production | null {
  const placeOf = (point: { latitude: number; longitude: number }) =>
    `${point.latitude}, ${point.longitude}`;
  const given = climate.map(placeOf).join("; ");
  const expected = site.points.map(placeOf).join("; ");
  if (given !== expected) {
    throw new ArgumentError(
      `Cannot make production of ${turbine.id}: the climate is that of ${given}. Give that of ${expected}`,
    );
  }
  const { production, timeZone } = turbine;
  if (production === null) return null;
  const periods = listPeriods(
    production.first,
    production.last,
    production.resolution === "year" ? 12 : 1,
    timeZone,
  );
  const [{ axis: climateAxis }] = climate;
  const first = Math.floor((periods[0].start - climateAxis.start) / HOUR);
  const end = positionAtOrAfter(climateAxis, periods[periods.length - 1].end);
  const axis: HourAxis = { start: climateAxis.start + first * HOUR, length: end - first };
  const power = simulateTruePower(turbine, climate, first, axis.length);
  addIncidents(turbine, axis, power);
  if (production.resolution !== "hour") {
    return {
      kind: "periods",
      periods: periods.map((period) => computeEnergy(period, axis, power)),
    };
  }
  for (let i = 0; i < power.length; i++) power[i] = roundValue(power[i], 10);
  loseHours(turbine, power);
  return { kind: "hourly", axis, power };
}
