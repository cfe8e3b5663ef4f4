import { ArgumentError } from "../api/errors.ts";
import {
  type ClimatePoint,
  computeAirDensity,
  computePressureAtHeight,
} from "../windindex/climate/climate.ts";
import { HOUR, type HourAxis, positionAtOrAfter } from "../time/hourly.ts";
import { startOfMonth } from "../time/zones.ts";
import type { EnergyPeriod, Production } from "../windindex/calibration/production.ts";
import { SeededRandom } from "../stats/seeded_random.ts";
import { roundValue, type SampleSite, type SampleTurbine } from "./sites.ts";
import {
  computeLogDensityRatio,
  computePowerAtDensity,
} from "../windindex/turbine/density_correction.ts";
import { PowerCurve } from "../windindex/turbine/power_curve.ts";
import { computeDistance } from "../windindex/climate/site_weights.ts";
import { Autoregression } from "./climate.ts";

/** Excess probability of a stop just after another, and the hours in which it decays to 1/e. */
const REPEATED = { factor: 6, timeScale: 48 };
/** Mean duration of stops, h: most are short, some wait for a spare part. */
const DURATIONS = { short: 3, long: 36, shareOfLong: 0.15 };

/** Adds the standstill of one unit, as a share of each hour. */
function addStops(random: SeededRandom, hoursBetween: number, stopped: Float64Array): void {
  const fading = Math.exp(-1 / REPEATED.timeScale);
  let excess = 0;
  for (let i = 0; i < stopped.length; i++) {
    excess *= fading;
    if (random.uniform() * hoursBetween >= 1 + excess) continue;
    const long = random.uniform() < DURATIONS.shareOfLong;
    const begin = i + random.uniform();
    const end = begin + random.exponential(long ? DURATIONS.long : DURATIONS.short);
    for (; i < stopped.length && i < end; i++) {
      stopped[i] += Math.min(i + 1, end) - Math.max(i, begin);
    }
    i--;
    excess = REPEATED.factor;
  }
}

/**
 * Simulates the availability of the units in each hour, with random stops in clusters.
 *
 * @param hours Number of hours
 * @param units Number of units in a park, to average over
 * @param hoursBetween Mean time between stops of one unit, h
 */
function simulateAvailability(
  seed: string,
  hours: number,
  units: number,
  hoursBetween: number,
): Float64Array {
  const share = new Float64Array(hours);
  for (let unit = 0; unit < units; unit++) {
    addStops(new SeededRandom(`${seed} unit ${unit}`), hoursBetween, share);
  }
  for (let i = 0; i < hours; i++) share[i] = 1 - share[i] / units;
  return share;
}

/** Relative error of the climate's wind: standard deviation of a lasting part, its time scale in h, and standard deviation of single hours. */
const WIND_ERROR = { lasting: 0.1, timeScale: 12, hourly: 0.04 };
/** Relative spread of wind within an hour: it rounds the knee of the power curve. */
const SPREAD = 0.1;
/** Standby consumption as a share of rated power. */
const STANDBY = 0.005;

/** Computes weights of the climate points by inverse squared distance, unlike the bilinear weights of the model. */
function computeShares(points: readonly ClimatePoint[], turbine: SampleTurbine): number[] {
  const inverse = points.map((point) => {
    const km = computeDistance(point, turbine);
    return 1 / (km * km + 1);
  });
  const total = inverse.reduce((sum, value) => sum + value, 0);
  return inverse.map((value) => value / total);
}

interface Hub {
  /** Wind speed, m/s. */
  speed: number;
  /** Cosine of the angle between wind direction and favoured direction. */
  favour: number;
  /** Natural logarithm of the ratio of air density to 1.225 kg/m3. */
  logDensity: number;
}

/** Creates a reader of the climate at the hub of a turbine, with a logarithmic wind profile between the two heights. */
function createHubReader(
  climate: readonly ClimatePoint[],
  turbine: SampleTurbine,
): (i: number, into: Hub) => void {
  const weights = computeShares(climate, turbine);
  const blend = (valueOf: (point: ClimatePoint) => number) =>
    climate.reduce((sum, point, j) => sum + weights[j] * valueOf(point), 0);
  const rise = turbine.elevation + turbine.hubHeight - blend((point) => point.elevation ?? 0);
  const low = climate.map((point) => point.levels[0]);
  const high = climate.map((point) => point.levels[1]);
  const profile = Math.log(turbine.hubHeight / low[0].height) /
    Math.log(high[0].height / low[0].height);
  const favoured = turbine.truth.favouredDirection * Math.PI / 180;
  const [east, north] = [Math.sin(favoured), Math.cos(favoured)];
  return (i, into) => {
    let lowU = 0, lowV = 0, highU = 0, highV = 0, celsius = 0, pascal = 0, humidity = 0;
    for (let j = 0; j < weights.length; j++) {
      const weight = weights[j];
      lowU += weight * low[j].u[i];
      lowV += weight * low[j].v[i];
      highU += weight * high[j].u[i];
      highV += weight * high[j].v[i];
      celsius += weight * climate[j].temperature![i];
      pascal += weight * climate[j].pressure![i];
      humidity += weight * climate[j].relativeHumidity![i];
    }
    const lowSpeed = Math.sqrt(lowU * lowU + lowV * lowV);
    const highSpeed = Math.sqrt(highU * highU + highV * highV);
    into.speed = lowSpeed + (highSpeed - lowSpeed) * profile;
    into.favour = highSpeed > 0 ? -(highU * east + highV * north) / highSpeed : 0;
    into.logDensity = computeLogDensityRatio(
      computeAirDensity(celsius, computePressureAtHeight(pascal, rise, celsius), humidity / 100),
    );
  };
}

/**
 * Simulates the true power of one unit of a turbine, mean kW of each hour, by physics that the calibration does not
 * know.
 *
 * @param first Position of the first hour on the climate's axis
 * @param hours Number of hours
 */
export function simulateTruePower(
  turbine: SampleTurbine,
  climate: readonly ClimatePoint[],
  first: number,
  hours: number,
): Float64Array {
  const { truth, powerControl, ratedPower } = turbine;
  const curve = new PowerCurve(turbine.powerCurve, ratedPower);
  const readHub = createHubReader(climate, turbine);
  const lasting = new Autoregression(
    new SeededRandom(`${turbine.id} wind error`),
    WIND_ERROR.timeScale,
  );
  const hourly = new SeededRandom(`${turbine.id} hourly wind error`);
  const running = simulateAvailability(
    `${turbine.id} stops`,
    hours,
    turbine.units,
    truth.hoursBetweenStops,
  );
  const standby = -STANDBY * ratedPower;
  const power = new Float64Array(hours);
  const now: Hub = { speed: 0, favour: 0, logDensity: 0 };
  const next: Hub = { speed: 0, favour: 0, logDensity: 0 };
  readHub(first, next);
  for (let i = 0; i < hours; i++) {
    now.speed = next.speed;
    now.favour = next.favour;
    now.logDensity = next.logDensity;
    readHub(first + i + 1, next);
    const error = WIND_ERROR.lasting * lasting.next() + WIND_ERROR.hourly * hourly.normal();
    const bias = truth.sectorBias * (now.favour + next.favour) / 2;
    const speed = truth.siteFactor * Math.max(0, 1 + error) * (1 + bias) *
        (now.speed + next.speed) / 2 - truth.curveShift;
    const logDensity = (now.logDensity + next.logDensity) / 2;
    const output = 0.5 * computePowerAtDensity(curve, powerControl, speed, logDensity) +
      0.25 * computePowerAtDensity(curve, powerControl, speed * (1 - SPREAD), logDensity) +
      0.25 * computePowerAtDensity(curve, powerControl, speed * (1 + SPREAD), logDensity);
    power[i] = running[i] * (output > 0 ? output : standby) + (1 - running[i]) * standby;
  }
  return power;
}

/** A period without its energy. */
type Period = Omit<EnergyPeriod, "energy">;

/** Logger failures: mean time between them and mean duration, h. */
const LOGGER_FAILURES = { between: 2500, duration: 6 };

/**
 * Lists consecutive months or years.
 *
 * @param first First month, such as `"2021-01"`
 * @param last Last month, included
 * @param monthsOfPeriod 1 for months, 12 for years
 * @param timeZone IANA time zone in which they begin
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

/** Computes the energy of a period, kWh, with partial hours at both ends: in zones with half-hour offsets, months begin within an hour. */
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
 * Simulates the production of one unit of a synthetic turbine: hourly with NaN during logger failures, or energies of
 * months or years; `null` if the turbine has no production. Deterministic.
 *
 * @param turbine A turbine of the site
 * @param climate Climate of the region, from `simulateClimate()`
 * @throws {ArgumentError} If the climate belongs to another region
 */
export function simulateProduction(
  site: SampleSite,
  turbine: SampleTurbine,
  climate: readonly ClimatePoint[],
): Production | null {
  const placeOf = (point: { latitude: number; longitude: number }) =>
    `${point.latitude}, ${point.longitude}`;
  const actual = climate.map(placeOf).join("; ");
  const expected = site.points.map(placeOf).join("; ");
  if (actual !== expected) {
    throw new ArgumentError(
      `Cannot generate the production of ${turbine.id}: the climate is for ${actual}. Give the climate for ${expected}`,
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
