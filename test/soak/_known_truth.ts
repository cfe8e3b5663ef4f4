import { checkPerformance } from "../../src/analysis/check_performance/check_performance.ts";
import { extractNumbers } from "../../src/frames/frame.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { HOUR } from "../../src/time/hourly.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { hoursFrame, servedTurbine } from "../validate/_served_site.ts";
import { computeHubs } from "../validate/_site_data.ts";

/** What is done to the hours of a turbine from a date on: power, expected power, rated power, hour of the day, hours since. */
type Change = (
  power: number,
  about: { readonly rated: number; readonly hour: number; readonly since: number },
) => number;

/** Scales the power coefficient: below rated power all of it, above nothing. */
const scale = (share: number): Change => (power, { rated }) => Math.min(rated, power * (1 + share));

/** The changes: as those that wind-up's benchmark injects, and none. */
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

/** Months of the year with which records begin; something changes three months later, or within. */
export const STARTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

/** Months of records in which nothing changes, and where in them a date is named. */
export const [RECORDS, SHARES] = [[3, 6, 12], [1 / 3, 1 / 2, 2 / 3]] as const;

/** A change that was measured. */
export interface MeasuredChange {
  readonly change: string;
  readonly after: number;
  readonly against: "alone" | "neighbours";
  /** Measured less injected, as a share of the energy after the date. */
  readonly error: number;
  /** Whether its 90 % interval contains what was injected. */
  readonly hit: boolean;
}

/** A date in a record in which nothing changes, beside neighbours. */
export interface UnchangedDate extends Pick<MeasuredChange, "error" | "hit"> {
  /** Months of the record. */
  readonly months: number;
  /** Whether the record shares no hour with others of its length that count so. */
  readonly apart: boolean;
}

/** What is measured: a change from a day on, and the months after it; alone and beside neighbours, or beside them only. */
interface Trial {
  readonly change: string;
  readonly after: number;
  readonly day: Temporal.PlainDate;
  readonly ways: readonly MeasuredChange["against"][];
}

/**
 * Lists what is measured from some months on: nothing on three days of each, and each change on the first: of all
 * with half a year after them, of every third for a quarter. In one month the kind of a change shows little.
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
 * Changes the hours of a turbine from known dates on and measures the change, alone and beside the other turbines; and measures what
 * dates show in records without a change.
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
  // The years before are of no use, and take most of the time.
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
      details: { ...details, power_curve: null }, // no change needs the effect of the air density
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
