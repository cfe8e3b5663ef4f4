import { time } from "../../api/columns/columns.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { findRuns } from "../../screening/finding.ts";
import { formatInstant } from "../../screening/stamps.ts";
import { isLimit, isNoLimit, NO_LIMIT } from "../../screening/values/limited_power.ts";
import { IDLE_POWER, type Neighbour } from "../../screening/values/neighbours.ts";
import { readSpan } from "../../show/options/range.ts";
import { alignToAxis, endOfAxis, HOUR, type HourAxis } from "../../time/hourly.ts";
import { formatClock, monthNumberOf } from "../../time/zones.ts";
import { listMonthSpans } from "../../windindex/index/monthly_energy.ts";
import { assertOneUnit, listMixedHours } from "../series/level.ts";
import { cutModel, findCommonHours, type ModelHours } from "../series/model_hours.ts";
import { findHourlyChanges } from "./changes/changes.ts";
import type { CheckedPeriods } from "./check_result.ts";
import type { Expectation } from "./expectation.ts";
import { type ChosenOptions, readNamedOutages, refuse } from "./options.ts";
import type { Prices } from "../series/prices.ts";
import { computeLimitLosses, markHeld } from "./losses/limit_losses.ts";
import { findStatedLimits, findUnstatedLimits } from "./losses/limited_hours.ts";
import { computeLosses } from "./losses/lost_energy.ts";
import { findOutageHours, type HourlyPair, OUTAGE_HOURS } from "./losses/outage_hours.ts";
import { locate, type ProducedHours, readProducedSeries } from "./production.ts";
import { sumOf } from "../../stats/spread.ts";

function refuseNoOverlap(production: HourAxis, model: HourAxis): never {
  const spanOf = (axis: HourAxis) =>
    `${formatInstant(axis.start)} to ${formatInstant(endOfAxis(axis) - HOUR)}`;
  const isOffset = (production.start - model.start) % HOUR !== 0;
  return refuse(
    `no hour has a value in both. The production covers ${
      spanOf(production)
    }, and the model data cover ${spanOf(model)}. ${
      isOffset
        ? `The hours do not begin at the same minute. Average the production to the hours of column "${time.name}" of the model data`
        : "Ask modelData() for the period of the production"
    }`,
  );
}

/** Compares hours with hours: periods are months, outages are found by the hour. */
export function checkHours(
  production: ProducedHours,
  fullModel: ModelHours,
  { density: effect, normals, ratedPower }: Expectation,
  { outages: namedOutages = [], neighbours = [], changed, units }: ChosenOptions,
  prices?: Prices,
): CheckedPeriods {
  const span = findCommonHours(fullModel.axis, production.axis);
  const model = cutModel(fullModel, span);
  const density = effect?.subarray(...span);
  const { axis, timeZone, power: expected } = model;
  const place = (hours: ProducedHours, values: Float64Array) =>
    alignToAxis(axis, hours.axis, values);
  const nearby = neighbours.map((frame, i): Neighbour => {
    const action = `use neighbour ${i + 1}`;
    const hours = readProducedSeries(frame, undefined, action, ratedPower);
    if (hours.kind === "hour") {
      const { limit } = hours.stated;
      const power = hours.power.map((power, i) =>
        limit && isLimit(limit[i], ratedPower) ? NaN : power
      );
      return { power: place(hours, power), ratedPower };
    }
    return buildRefuse(action)(
      "its production is not hourly. Give hourly production, or omit this neighbour",
    );
  });
  const produced = place(production, production.power);
  const rated = units * ratedPower;
  const named = readNamedOutages(namedOutages, timeZone);
  const isNamed = (at: number) => named.some(({ from, to }) => at >= from && at < to);
  const ran = produced.map((power, i) => isNamed(axis.start + i * HOUR) ? NaN : power);
  assertOneUnit(
    listMixedHours({ axis, power: ran }, production.timeZone, rated, expected),
    refuse,
  );
  const known = Uint8Array.from(
    produced,
    (power, i) => Number.isNaN(power + expected[i]) ? 0 : 1,
  );
  const [first, last] = [known.indexOf(1), known.lastIndexOf(1)];
  if (first === -1) refuseNoOverlap(production.axis, axis);
  const availability = production.availability && place(production, production.availability);
  const pair: HourlyPair = { ...model, produced, expected, availability };
  const at = changed === undefined
    ? undefined
    : readSpan({ from: changed, to: changed }, timeZone)[0];
  const placed = (values: Float64Array | undefined) => values && place(production, values);
  const { limit, curtailed } = production.stated;
  if (limit && isNoLimit(production.power, limit, rated)) refuse(NO_LIMIT);
  const stated = findStatedLimits(
    pair,
    { limit: placed(limit), curtailed: placed(curtailed) },
    nearby,
    rated,
  );
  // A limit above 0 does not explain a standstill.
  const limits = placed(limit);
  const explained = markHeld(stated, axis.length)
    .map((flag, i) => limits && limits[i] > IDLE_POWER * rated ? 0 : flag);
  const { runs, stopped, notes } = findOutageHours(
    ...[pair, named, nearby, rated, explained] as const,
  );
  const statedLimits = stated.map((run) => ({
    ...run,
    held: run.held.map((flag, i) => stopped[i] > 0 ? 0 : flag),
  }));
  const away = markHeld(statedLimits, axis.length).map((flag, i) => Math.max(flag, stopped[i]));
  const unstated = findUnstatedLimits(pair, away, nearby, rated, at && (at - axis.start) / HOUR);
  const limitRuns = [...statedLimits, ...unstated.runs].sort((a, b) => a.from - b.from);
  const limited = markHeld(limitRuns, axis.length);
  const spans = listMonthSpans(axis, timeZone).filter(({ from, to }) => to > first && from <= last);
  /** Compares the hours month by month, in MWh, or in the currency if they have a price. */
  const compare = (price?: Float64Array) => {
    const counts = known.map((flag, i) => Number.isNaN(price?.[i]) ? 0 : flag);
    const months = spans.map(({ year, month, from, to }) => {
      const cells = sumOf(counts.subarray(Math.max(0, from), to));
      const sum = (
        values: Float64Array,
        missing = NaN,
        worth: Float64Array | null = price ?? null,
      ) => {
        let total = cells > 0 ? 0 : NaN;
        for (let i = Math.max(0, from); i < Math.min(to, axis.length); i++) {
          if (counts[i] === 0) continue;
          total += (Number.isNaN(values[i]) ? missing : values[i]) * (worth?.[i] ?? 1);
        }
        return total / 1000;
      };
      const predicted = sum(expected);
      return {
        ...locate("month", monthNumberOf({ year, month }), timeZone),
        from,
        to,
        hours: to - from,
        compared: cells,
        completeness: cells / (to - from),
        produced: sum(produced),
        predicted,
        // A normal month has no hours, so its energy has the price of the wind's energy.
        normal: cells > 0 && normals
          ? normals[month - 1] * cells / (to - from) *
            (price ? predicted / sum(expected, NaN, null) : 1)
          : NaN,
        // A missing density counts as normal, so its effect remains with the wind.
        density: density ? sum(density, 0) : NaN,
      };
    });
    return {
      ...computeLosses({
        hourly: true,
        produced,
        expected,
        known,
        runs,
        stopped,
        periods: months,
        apart: limited,
        price,
      }),
      limited: computeLimitLosses(
        ...[pair, limitRuns, stopped, known, nearby, months, price] as const,
      ),
    };
  };
  const { periods, outages, ratio, hasEnough, cells, counted, computeLoss, ...parts } = compare();
  const addLimits = (all: typeof periods, { losses }: typeof parts.limited) =>
    all.map((period, i) => ({ ...period, limits: losses[i] }));
  const price = prices?.ofHours(axis, timeZone);
  const worth = price && compare(price);
  const highest = produced.reduce((max, power) => power > max ? power : max, 0);
  const gaps = findRuns(last + 1, (i) => i >= first && known[i] === 0)
    .map(({ from, to }) => ({ from, length: to - from }));
  if (gaps.length > 0) {
    const longest = gaps.reduce((a, b) => b.length > a.length ? b : a);
    notes.push({
      code: "hours_missing",
      hours: sumOf(gaps, ({ length }) => length),
      longest: longest.length,
      from: formatClock(axis.start + longest.from * HOUR, timeZone),
    });
  }
  if (highest <= IDLE_POWER * rated) {
    notes.push({ code: "never_power", highest, rated_power: rated });
  }
  if (!hasEnough) notes.push({ code: "few_normal_hours", hours: cells });
  if (!availability && nearby.length === 0) {
    notes.push({ code: "short_stops_unseen", hours: OUTAGE_HOURS });
  }
  const excluded = limited.map((flag, i) => Math.max(flag, stopped[i]));
  return {
    by: "month",
    hours: { axis, produced, expected, stopped, limited, computeLoss, price },
    ...(worth && {
      value: {
        currency: prices!.currency,
        outages: worth.outages,
        limits: worth.limited.limits,
        periods: addLimits(worth.periods, worth.limited),
      },
    }),
    timeZone,
    outages,
    notes,
    counted,
    limits: parts.limited.limits,
    periods: addLimits(periods, parts.limited),
    change: findHourlyChanges(pair, excluded, nearby, rated, at, unstated.reached),
    stopsSeen: true,
    stopsKnown: true,
    normalRatio: ratio,
  };
}
