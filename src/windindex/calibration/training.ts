import { ArgumentError } from "../../api/errors.ts";
import type { LadderStamps } from "../scaling/energy_ladder.ts";
import type { HubConditions } from "../turbine/hub_conditions.ts";
import type { Turbine } from "../turbine/turbine.ts";
import { endOfAxis, HOUR, positionAtOrAfter } from "../../time/hourly.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { listMonthSpans, MIN_COMPLETENESS } from "../index/monthly_energy.ts";
import type { Production } from "./production.ts";

/** One period of the training window: produced energy and the timestamps whose modelled power must sum to it. */
export interface TrainingPeriod {
  /** Name: "2018-05" or "2018". */
  readonly label: string;
  /** Whether production is known hour by hour. */
  readonly hourly: boolean;
  /** Produced energy of one unit over the hours compared, kWh. */
  readonly produced: number;
  /** Hours of the period. */
  readonly hours: number;
  /** Hours compared: valid in climate and in production; for a period with a share of its hours, that share. */
  readonly validHours: number;
  /**
   * Hours that the energies cover: the compared hours; for a period its share of the hours, even if a few have no
   * climate.
   */
  readonly energyHours: number;
  /** Whether it counts. */
  readonly used: boolean;
  /** Why it does not count; empty if it does. */
  readonly reason: string;
  /** First timestamp of the period in the compact arrays of the training set. */
  readonly from: number;
  /** Position after its last timestamp. */
  readonly to: number;
}

/**
 * Data of the calibration, one entry per timestamp of the training window. Modelled energy at k is the sum of `weight x
 * P(k x speed)`: weights average to hours, and scale periods with a few missing hours, or to the share of their hours
 * that the energy covers.
 */
export interface TrainingSet extends LadderStamps {
  /** Position of the timestamp on the axis of the climate. */
  readonly stamp: Int32Array;
  /** Produced energy of the timestamp's share in its hours, kWh; 0 if only the energy of the period is known. */
  readonly produced: Float64Array;
  readonly periods: readonly TrainingPeriod[];
}

/** Production for the calibration, and a mask of values that must not be fitted. */
export interface TrainingInput {
  /** Production of one unit. */
  readonly production: Production;
  /** 1 for hours or periods that must not be fitted: outages, curtailment. */
  readonly masked?: Uint8Array;
}

/** Complete input of a turbine's calibration, as in an import: `readTraining()` reads it, `proveIndex()` takes it. */
export interface TurbineTraining {
  /**
   * The turbine: `id`, `name`, `latitude`, `longitude` (deg), `elevation`, `hubHeight`, `rotorDiameter` (m), `ratedPower` (kW),
   * `units`, `timeZone`, `powerControl`, `powerCurve`.
   */
  readonly turbine: Turbine;
  /** Its `production` of one unit, with the hours or periods that are `masked`. */
  readonly inputs: readonly TrainingInput[];
  /** The reanalyses of the site at its hub, the usual one first: `serviceId` and `hub`. */
  readonly climates: readonly { readonly serviceId: string; readonly hub: HubConditions }[];
}

interface Span {
  readonly label: string;
  readonly from: number; // position on the climate axis of the timestamp at or before the first hour
  readonly to: number; // the same for the hour after the last one
  readonly shift: number; // how much later the hours begin than the timestamps, h: not 0 for the clock of a half-hour zone
  readonly energy: number | null; // produced, kWh; null: the sum of the hourly values compared
  readonly share: number; // share of the hours that the energy covers; 1 for hourly values
  readonly hourly: (i: number) => number; // produced in an hour, kWh; NaN where it must not be fitted
  readonly reason: string; // why it does not count; empty if it may
}

/** Builds the periods of the production on the climate's axis: months of hourly values, else the periods themselves. */
function buildSpans(input: TrainingInput, hub: HubConditions, timeZone: string): Span[] {
  const { production, masked } = input;
  if (production.kind === "periods") {
    return production.periods.map((period, i) => ({
      label: period.label,
      from: positionAtOrAfter(hub.axis, period.start),
      to: positionAtOrAfter(hub.axis, period.end),
      shift: 0,
      energy: period.energy,
      share: period.share ?? 1,
      hourly: () => 0,
      reason: Number.isNaN(period.energy)
        ? "no production"
        : masked?.[i] === 1
        ? "masked"
        : period.share === 0
        ? "no valid hours"
        : "",
    }));
  }
  const { axis, power } = production;
  const offset = Math.floor((axis.start - hub.axis.start) / HOUR);
  const shift = (axis.start - hub.axis.start) / HOUR - offset;
  const hourly = (i: number) => masked?.[i - offset] === 1 ? NaN : power[i - offset];
  return listMonthSpans(axis, timeZone).map(({ year, month, from, to }) => ({
    label: formatMonthLabel({ year, month }),
    from: Math.max(0, from) + offset,
    to: Math.min(axis.length, to) + offset,
    shift,
    energy: null,
    share: 1,
    hourly,
    reason: "",
  }));
}

/**
 * Builds the training set: production and climate on the same timestamps.
 *
 * @param inputs Production of one unit; none for a location index, which has no training
 * @throws {ArgumentError} If production is completely outside of the climate record
 */
export function buildTrainingSet(
  hub: HubConditions,
  inputs: readonly TrainingInput[],
  timeZone: string,
): TrainingSet {
  const spans = inputs.flatMap((input) => buildSpans(input, hub, timeZone));
  if (inputs.length > 0) assertOverlap(spans, hub);
  const capacity = spans.reduce((sum, span) => sum + countEntries(span), 0);
  const set = {
    speed: new Float64Array(capacity),
    logDensityRatio: new Float64Array(capacity),
    weight: new Float64Array(capacity),
    stamp: new Int32Array(capacity),
    produced: new Float64Array(capacity),
  };
  const periods: TrainingPeriod[] = [];
  let position = 0;
  for (const span of spans) {
    const period = fillSpan(set, position, span, hub);
    periods.push(period);
    position = period.to;
  }
  return { ...set, periods };
}

/**
 * Computes the shares of a timestamp and the next two in the mean of an hour that begins `shift` after it:
 * instantaneous values change linearly in between, means of hours stay the same.
 */
function computeHourShares(instant: boolean, shift: number): readonly [number, number, number] {
  if (!instant) return [1 - shift, shift, 0];
  const [first, last] = [(1 - shift) ** 2 / 2, shift ** 2 / 2];
  return [first, 1 - first - last, last];
}

/**
 * Counts the entries of a span: one per timestamp, and one more for the timestamp at the end of the last hour, or two
 * if it ends between timestamps.
 */
function countEntries({ from, to, shift }: Span): number {
  return to - from + (shift > 0 ? 2 : 1);
}

/** Writes one span into the training set from a position on. */
function fillSpan(
  set: Omit<TrainingSet, "periods">,
  position: number,
  span: Span,
  hub: HubConditions,
): TrainingPeriod {
  const { windSpeed, logDensityRatio } = hub;
  const instant = hub.stamp === "instant";
  const valid = (i: number) =>
    i >= 0 && i < windSpeed.length && windSpeed[i] === windSpeed[i] &&
    logDensityRatio[i] === logDensityRatio[i];
  const { from, to } = span;
  const shares = computeHourShares(instant, span.shift);
  for (let i = from; i < from + countEntries(span); i++) {
    set.stamp[position + i - from] = i;
    if (!valid(i)) continue;
    set.speed[position + i - from] = windSpeed[i];
    set.logDensityRatio[position + i - from] = logDensityRatio[i];
  }
  let produced = 0;
  let validHours = 0;
  let climateHours = 0;
  const complete = (i: number) => {
    for (let j = 0; j < shares.length; j++) if (shares[j] > 0 && !valid(i + j)) return false;
    return true;
  };
  for (let i = from; i < to; i++) {
    if (!complete(i)) continue;
    climateHours++;
    const energy = span.hourly(i);
    if (energy !== energy) continue;
    produced += energy;
    validHours++;
    const at = position + i - from;
    for (let j = 0; j < shares.length; j++) {
      if (shares[j] === 0) continue;
      set.weight[at + j] += shares[j];
      set.produced[at + j] += shares[j] * energy;
    }
  }
  const hours = to - from;
  const end = position + countEntries(span);
  let { reason } = span;
  if (span.energy !== null) {
    produced = span.energy;
    if (!reason && validHours < MIN_COMPLETENESS * hours) reason = "climate incomplete";
    // All hours of the period count with the share: which of them the energy covers is unknown.
    for (let i = position; i < end; i++) set.weight[i] *= span.share * hours / validHours;
  } else if (climateHours === 0) reason = "no climate";
  else if (validHours === 0) reason = "production missing or masked";
  if (reason) set.weight.fill(0, position, end);
  return {
    label: span.label,
    hourly: span.energy === null,
    produced,
    hours,
    validHours: Math.round(span.share * validHours), // rounded, because a share may stand for whole hours
    energyHours: span.energy === null ? validHours : span.share * hours,
    used: reason === "",
    reason,
    from: position,
    to: end,
  };
}

function assertOverlap(spans: readonly Span[], hub: HubConditions): void {
  const overlaps = spans.some(({ from, to }) => to > 0 && from < hub.axis.length);
  if (overlaps) return;
  const day = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toString().slice(0, 10);
  const from = spans.length === 0
    ? "empty"
    : `${day(hub.axis.start + spans[0].from * HOUR)} to ${
      day(hub.axis.start + spans[spans.length - 1].to * HOUR)
    }`;
  throw new ArgumentError(
    `Cannot calibrate: the production (${from}) is outside the climate record ` +
      `(${day(hub.axis.start)} to ${day(endOfAxis(hub.axis))}). Give climate data for that time`,
  );
}
