import type { Refuse } from "../../frames/read_columns.ts";
import {
  boundHours,
  describeMixedUnits,
  type MixedRecord,
} from "../../screening/values/describe_mixed_units.ts";
import {
  findMixedHours,
  findMixedPeriods,
  isUnitFactor,
  type JudgedPeriod,
} from "../../screening/values/mixed_units.ts";
import type { HourAxis } from "../../time/hourly.ts";

/** Times of a frame in another unit than the rest; the unit of its file is not known. */
type FrameRecord = Pick<MixedRecord, "stretches" | "bounds" | "length" | "resolution">;

/** Describes times in another unit than the rest. */
export const describeMixture = (record: FrameRecord): string =>
  describeMixedUnits({ ...record, where: "readProduction()", still: "leave these rows out" });

/** Finds hours in another unit than the rest, as `findMixedHours()` does. */
export function listMixedHours(
  hours: { readonly axis: HourAxis; readonly power: Float64Array },
  timeZone: string,
  ratedPower: number,
  expected?: Float64Array,
): FrameRecord {
  return {
    stretches: findMixedHours(hours, timeZone, ratedPower, expected),
    bounds: (run) => boundHours(run, hours.axis, timeZone),
    length: hours.power.length,
    resolution: "hour",
  };
}

/**
 * Finds months or years in another unit than the rest, as `findMixedPeriods()` does, by factors of a thousand.
 *
 * @param periods The periods with their names, in order of time
 */
export function listMixedPeriods(
  periods: readonly (JudgedPeriod & { readonly label: string })[],
  ratedPower: number,
  resolution: "month" | "year",
): FrameRecord {
  return {
    stretches: findMixedPeriods(periods, ratedPower).filter(({ factor }) => isUnitFactor(factor)),
    bounds: ({ from, to }) => ({ from: periods[from].label, to: periods[to - 1].label }),
    length: periods.length,
    resolution,
  };
}

/**
 * Refuses production of which a part is surely in another unit.
 *
 * @returns A sentence on a part that may be in another unit, or not have run; `undefined` without any
 */
export function assertOneUnit(record: FrameRecord, refuse: Refuse): string | undefined {
  const { stretches } = record;
  if (stretches.length === 0) return undefined;
  const found = describeMixture(record);
  return stretches.some(({ certain }) => certain) ? refuse(found) : `${found}.`;
}
