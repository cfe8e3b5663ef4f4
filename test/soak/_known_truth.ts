import { checkPerformance } from "../../src/analysis/check_performance/check_performance.ts";
import { extractNumbers } from "../../src/frames/frame.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { HOUR } from "../../src/time/hourly.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { hoursFrame, servedTurbine } from "../validate/_served_site.ts";
import { computeHubs } from "../validate/_site_data.ts";

/** Changes the power of an hour after a date: by power, rated power, hour of the day and hours since the date. */
type Change = (
  power: number,
  about: { readonly rated: number; readonly hour: number; readonly since: number },
) => number;

/** Scales the power coefficient; power stays at most rated. */
const scale = (share: number): Change => (power, { rated }) => Math.min(rated, power * (1 + share));

/** The changes: the same as in wind-up's benchmark, and no change. */
export const CHANGES: Readonly<Record<string, Change>> = {
  "none": (power) => power,
  "power coefficient -10 %": scale(-0.1),
  "power coefficient +3 %": scale(0.03),
  "power coefficient +10 %": scale(0.1),
  "+6 % below half power, fading": (power, { rated }) =>
    power * (1 + 0.06 * Math.max(0, Math.min(1, 2 - 2 * power / rated))),
  "rated power +5 %": (power, { rated }) => power > 0.98 * rated ? 1.05 * power : power,
  "yaw error of 10 deg": scale(Math.cos(10 * Math.PI / 180) ** 2 - 1),
  "60 % at night": (power, { rated, hour }) =>
    hour >= 22 || hour < 6 ? Math.min(power, 0.6 * rated) : power,
  "slow, 1.6 % a year": (power, { since }) => power * (1 - 0.016 * since / 8766),
};

/** Months after the date. */
export const AFTER = [1, 3, 6] as const;

/** Start months of records; a change comes three months later, or within the record. */
export const STARTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

/** Months of unchanged records, and positions of the dates in them. */
export const [RECORDS, SHARES] = [[3, 6, 12], [1 / 3, 1 / 2, 2 / 3]] as const;

/** A measured change. */
export interface MeasuredChange {
  readonly change: string;
  readonly after: number;
  readonly against: "alone" | "neighbours";
  /** Measured less injected, as a share of the energy after the date. */
  readonly error: number;
  /** Whether its 90 % interval contains the injected change. */
  readonly hit: boolean;
}

/** A date in an unchanged record, with neighbours. */
export interface UnchangedDate extends Pick<MeasuredChange, "error" | "hit"> {
  /** Months of the record. */
  readonly months: number;
  /** Whether the record shares no hour with other such records of its length. */
  readonly apart: boolean;
}

/** A change from a day on, the months after it, and whether to measure alone, with neighbours, or both. */
interface Trial {
  readonly change: string;
  readonly after: number;
  readonly day: Temporal.PlainDate;
  readonly ways: readonly MeasuredChange["against"][];
}

/**
 * Lists the trials of some months. Each month has three days without a change, and on its first day each change: in
 * all months with half a year after them, and in every third month with a quarter. One month alone hardly shows the
 * kind of a change.
 */
function listTrials(year: number, starts: readonly number[]): Trial[] {
  const end = new Temporal.PlainDate(year + 1, 1, 1);
  return AFTER.flatMap((after) =>
    starts.flatMap((month) => {
      const first = new Temporal.PlainDate(year, month, 1).add({ months: 3 });
      const clean = [0, 10, 20].map((days): Trial => ({
        change: "none",
        after,
        day: first.add({ days }),
        ways: days === 0 ? ["alone", "neighbours"] : ["neighbours"],
      }));
      const changed = Object.keys(CHANGES)
        .filter((change) => change !== "none" && (after === 6 || after === 3 && month % 3 === 1))
        .map((change): Trial => ({ change, after, day: first, ways: ["neighbours"] }));
      return [...clean, ...changed];
    })
  ).filter(({ day, after }) => Temporal.PlainDate.compare(day.add({ months: after }), end) <= 0);
}

/**
 * Changes the hours of a turbine from known dates on and measures the change, alone and with neighbours. Also
 * measures dates in records without a change.
 *
 * @param reanalysis Dataset of the reanalysis
 * @param starts Months of the year with which records begin
 */
export function measureKnownTruth(
  data: SiteData,
  position: number,
  reanalysis: string,
  starts: readonly number[],
): { readonly changes: MeasuredChange[]; readonly unchanged: UnchangedDate[] } {
  const { turbine, production } = data.turbines[position];
  const { hub } = computeHubs(data, turbine).find(({ serviceId }) => serviceId === reanalysis)!;
  const hours = production[0] as HourlyProduction;
  const { start, length } = hours.axis;
  const others = data.turbines.filter((_, i) => i !== position).map((other) => ({
    ratedPower: other.turbine.ratedPower,
    production: other.production[0] as HourlyProduction,
  }));
  const { inputs } = checkProduction(production, turbine, [], others);
  const { model, details } = servedTurbine(turbine, hub, inputs);
  // Earlier years are not needed, and take most of the time.
  const predicted = model.slice(Math.floor((start - hub.axis.start) / HOUR), length);
  const neighbours = others.map(({ production: { power } }) => hoursFrame(start, { power }, "UTC"));
  const year = new Date(start + 40 * 24 * HOUR).getUTCFullYear();
  const at = (date: Temporal.PlainDate) =>
    (date.toZonedDateTime("UTC").epochMilliseconds - start) / HOUR;
  const measure = (
    power: Float64Array,
    day: Temporal.PlainDate,
    against: MeasuredChange["against"],
    truth: number,
  ) => {
    const { frames: { changes } } = checkPerformance(hoursFrame(start, { power }, "UTC"), {
      predicted,
      details: { ...details, power_curve: null }, // saves time: changes do not depend on the air density
      changed: `${day}T00:00Z`,
      ...(against === "alone" ? {} : { neighbours }),
    });
    const [size, low, high] = ["size", "size_low", "size_high"]
      .map((name) => extractNumbers(changes, name)[0] / 100);
    return { error: size - truth, hit: low <= truth && truth <= high };
  };
  const changes = listTrials(year, starts).flatMap(({ change, after, day, ways }) => {
    const [first, end] = [at(day), Math.min(length, at(day.add({ months: after })))];
    const power = hours.power.slice(0, end);
    let [before, now] = [0, 0];
    for (let i = first; i < end; i++) {
      if (!(power[i] > 0)) continue;
      before += power[i];
      const hour = (start / HOUR + i) % 24;
      power[i] = CHANGES[change](power[i], { rated: turbine.ratedPower, hour, since: i - first });
      now += power[i];
    }
    return ways.map((against): MeasuredChange => ({
      ...{ change, after, against },
      ...measure(power, day, against, now / before - 1),
    }));
  });
  const unchanged = RECORDS.flatMap((months) =>
    starts.filter((month) => month + months <= 13).flatMap((month) => {
      const first = new Temporal.PlainDate(year, month, 1);
      const days = first.until(first.add({ months }), { largestUnit: "day" }).days;
      const [from, to] = [at(first), at(first.add({ months }))];
      const power = hours.power.map((value, i) => i >= from && i < to ? value : NaN);
      return SHARES.map((share): UnchangedDate => ({
        ...{ months, apart: (month - 1) % months === 0 },
        ...measure(power, first.add({ days: Math.round(share * days) }), "neighbours", 0),
      }));
    })
  );
  return { changes, unchanged };
}
