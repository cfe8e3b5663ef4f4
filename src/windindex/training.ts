import { ArgumentError } from "../api/errors.ts";
import { monthAt } from "../frames/zones.ts";
import type { HubConditions } from "./hub_conditions.ts";
import { axisEnd, HOUR, positionAtOrAfter } from "../frames/hour_axis.ts";
import { MIN_COMPLETENESS } from "./monthly_energy.ts";
import type { Production } from "./production.ts";

/** One period of the training window: produced energy and the stamps whose modelled power must sum to it. */
export interface TrainingPeriod {
  /** Name: "2018-05" or "2018". */
  readonly label: string;
  /** Produced energy of one unit over the hours compared, kWh. */
  readonly produced: number;
  /** Hours of the period. */
  readonly hours: number;
  /** Hours compared: valid in climate and, if it is hourly, in production. */
  readonly validHours: number;
  /** Whether it counts. */
  readonly used: boolean;
  /** Why it does not count; empty where it does. */
  readonly reason: string;
  /** First stamp of the period in the compact arrays of the training set. */
  readonly from: number;
  /** Position after its last stamp. */
  readonly to: number;
}

/**
 * Everything that calibration looks at, compact: one entry for each stamp of the training window. Modelled energy at
 * k is the sum of `weight x P(k x speed)`: weights carry the averaging to hours and the scaling of periods with a few
 * missing hours.
 */
export interface TrainingSet {
  /** Wind speed at hub height before calibration, m/s. */
  readonly speed: Float64Array;
  /** Natural logarithm of air density over 1.225 kg/m3. */
  readonly logDensityRatio: Float64Array;
  /** Hours that the stamp's power stands for. */
  readonly weight: Float64Array;
  /** The periods. */
  readonly periods: readonly TrainingPeriod[];
}

interface Span {
  readonly label: string;
  readonly from: number; // position of the first hour on the climate axis
  readonly to: number; // position after the last one
  readonly energy: number | null; // produced, kWh; null: the sum of the hourly values compared
}

/** Periods of the production on the climate's axis: months of hourly values, else the periods themselves. */
function spansOf(production: Production, hub: HubConditions, timeZone: string): Span[] {
  if (production.kind === "periods") {
    return production.periods.map((period) => ({
      label: period.label,
      from: positionAtOrAfter(hub.axis, period.start),
      to: positionAtOrAfter(hub.axis, period.end),
      energy: period.energy,
    }));
  }
  const { axis } = production;
  const offset = (axis.start - hub.axis.start) / HOUR;
  const spans: Span[] = [];
  let from = 0;
  while (from < axis.length) {
    const month = monthAt(axis.start + from * HOUR, timeZone);
    const next = month.add({ months: 1 }).toPlainDate({ day: 1 }).toZonedDateTime(timeZone);
    const to = Math.min(axis.length, positionAtOrAfter(axis, next.epochMilliseconds));
    spans.push({ label: month.toString(), from: from + offset, to: to + offset, energy: null });
    from = to;
  }
  return spans;
}

/**
 * Lays production and climate side by side.
 *
 * @param hub Climate at the hub
 * @param production Production of one unit
 * @param timeZone IANA zone of the turbine
 * @param masked 1 for hourly production that must not be fitted: outages, curtailment
 * @throws {ArgumentError} If production lies wholly outside of the climate record
 */
export function trainingSet(
  hub: HubConditions,
  production: Production,
  timeZone: string,
  masked?: Uint8Array,
): TrainingSet {
  const spans = spansOf(production, hub, timeZone);
  assertOverlap(spans, hub);
  const { windSpeed, logDensityRatio } = hub;
  const capacity = spans.reduce((sum, { from, to }) => sum + Math.max(0, to - from) + 1, 0);
  const speed = new Float64Array(capacity);
  const density = new Float64Array(capacity);
  const weight = new Float64Array(capacity);
  const periods: TrainingPeriod[] = [];
  const offset = production.kind === "hourly" ? (production.axis.start - hub.axis.start) / HOUR : 0;
  const instant = hub.stamp === "instant";
  const valid = (i: number) =>
    i >= 0 && i < windSpeed.length && windSpeed[i] === windSpeed[i] &&
    logDensityRatio[i] === logDensityRatio[i];

  let position = 0;
  for (const span of spans) {
    const start = position;
    let produced = 0;
    let validHours = 0;
    // One entry a stamp from span.from to span.to: an hour of instants leans on its own stamp and the next.
    for (let i = span.from; i <= span.to; i++) {
      speed[position + i - span.from] = valid(i) ? windSpeed[i] : 0;
      density[position + i - span.from] = valid(i) ? logDensityRatio[i] : 0;
    }
    for (let i = span.from; i < span.to; i++) {
      if (!valid(i) || (instant && !valid(i + 1))) continue;
      if (production.kind === "hourly") {
        const value = production.power[i - offset];
        if (value !== value || masked?.[i - offset] === 1) continue;
        produced += value;
      }
      validHours++;
      const at = position + i - span.from;
      if (instant) {
        weight[at] += 0.5;
        weight[at + 1] += 0.5;
      } else weight[at] += 1;
    }
    const hours = span.to - span.from;
    let reason = "";
    if (span.energy !== null) {
      produced = span.energy;
      if (produced !== produced) reason = "no production";
      else if (validHours < MIN_COMPLETENESS * hours) reason = "climate incomplete";
      else for (let i = start; i <= start + hours; i++) weight[i] *= hours / validHours;
    } else if (validHours === 0) reason = "no valid hour";
    position += hours + 1;
    if (reason) weight.fill(0, start, position);
    periods.push({
      label: span.label,
      produced,
      hours,
      validHours,
      used: reason === "",
      reason,
      from: start,
      to: position,
    });
  }
  return { speed, logDensityRatio: density, weight, periods };
}

function assertOverlap(spans: readonly Span[], hub: HubConditions): void {
  const overlaps = spans.some(({ from, to }) => to > 0 && from < hub.axis.length);
  if (overlaps) return;
  const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);
  const from = spans.length === 0
    ? "empty"
    : `${day(hub.axis.start + spans[0].from * HOUR)} to ${
      day(hub.axis.start + spans[spans.length - 1].to * HOUR)
    }`;
  throw new ArgumentError(
    `Cannot calibrate: production (${from}) lies outside of the climate record ` +
      `(${day(hub.axis.start)} to ${day(axisEnd(hub.axis))}). Add climate data of that time`,
  );
}
