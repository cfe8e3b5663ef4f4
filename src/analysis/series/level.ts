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
import { ArgumentError } from "../../api/errors.ts";
import { productionColumns } from "../../frames/production/production_columns.ts";
import { explainRatio, type FactorKind, suspectUnit } from "../../screening/values/wrong_unit.ts";
import { sumOf } from "../../stats/spread.ts";

/** Stretches of a frame in a different unit than the others; the unit of its file is not known. */
type FrameRecord = Pick<MixedRecord, "stretches" | "bounds" | "length" | "resolution">;

/** Describes stretches in a different unit than the others. */
const describeMixture = (record: FrameRecord): string =>
  describeMixedUnits({ ...record, where: "readProduction()", still: "leave these rows out" });

/** Finds hours in a different unit than the others, as `findMixedHours()` does. */
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
 * Finds months or years in a different unit than the others, as `findMixedPeriods()` does, by factors of a thousand.
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
 * Rejects production if a part of it is surely in another unit.
 *
 * @returns A sentence on a part that may be in another unit, or in which the turbine did not run; `undefined` without
 * any
 */
export function assertOneUnit(record: FrameRecord, refuse: Refuse): string | undefined {
  const { stretches } = record;
  if (stretches.length === 0) return undefined;
  const mixture = describeMixture(record);
  return stretches.some(({ certain }) => certain) ? refuse(mixture) : `${mixture}.`;
}

/**
 * Checks that production fits a turbine of this rated power, in the unit of its column.
 *
 * @param factors Production over rated power times hours; missing is NaN
 * @param of Whether values are of hours or of longer periods
 * @param action Action named in messages
 * @throws {ArgumentError} If these cannot be capacity factors of a turbine
 */
export function assertUnit(factors: Float64Array, of: FactorKind, action: string): void {
  const [doubt] = suspectUnit(factors, of);
  if (!doubt) return;
  const [, { name, unit }] = productionColumns[of === "hours" ? "hour" : "month"];
  throw new ArgumentError(
    `Cannot ${action}: column "${name}" (${unit}) of the production has a ${doubt.message}`,
  );
}

/** Largest ratio of production to prediction of one turbine, over several months and over a few. */
const MAX_RATIO = { several: 1.5, few: 3 } as const;

/** From this many months on, a calm month that the model missed no longer explains the ratio. */
const SEVERAL = 3;

/** Smallest ratio of a turbine that ran. */
const MIN_RATIO = 0.02;

/** Ratio of production that is a thousand times too small, which looks like one long outage. */
const THOUSANDTH = [0.0003, 0.0015] as const;

/**
 * Whether production over prediction is plausible for one turbine in one unit.
 *
 * @param ratio Produced over predicted energy of the same time, as a share
 * @param ran Whether the turbine ran in that time; while stopped, any ratio down to 0 is plausible
 */
export function isPlausibleLevel(ratio: number, months: number, ran: boolean): boolean {
  if (!(ratio < (months >= SEVERAL ? MAX_RATIO.several : MAX_RATIO.few))) return false;
  return ran ? ratio > MIN_RATIO : !(ratio > THOUSANDTH[0] && ratio < THOUSANDTH[1]);
}

/**
 * Checks the unit of production, and the number of turbines, against the prediction for one turbine.
 *
 * @param pairs Produced and predicted energy of each period, MWh, and its name; `null` and NaN are skipped
 * @param kind Whether production is hourly, whether the turbine ran in all of these periods, and months of a period
 * @throws {ArgumentError} If a wrong unit, or a wrong number of turbines, is the likelier explanation
 */
export function assertLevel(
  pairs: Iterable<
    readonly [produced: number | null, predicted: number | null, label?: string]
  >,
  { hourly, ran, each = 1 }: {
    readonly hourly: boolean;
    readonly ran: boolean;
    readonly each?: number;
  },
  refuse: Refuse,
): void {
  const known = [...pairs].flatMap(([produced, model, label = ""]) =>
    produced === null || model === null || Number.isNaN(produced + model)
      ? []
      : [{ energy: 1000 * produced, expected: 1000 * model, hours: 1, label }]
  );
  assertOneUnit(listMixedPeriods(known, NaN, each === 1 ? "month" : "year"), refuse);
  const [periods, produced, predicted] = [
    known.length,
    sumOf(known, ({ energy }) => energy) / 1000,
    sumOf(known, ({ expected }) => expected) / 1000,
  ];
  const ratio = produced / predicted;
  if (!(predicted > 0) || isPlausibleLevel(ratio, each * periods, ran)) return;
  const [column, unit] = hourly ? ["power", "kW"] : ["energy", "MWh"];
  const format = (value: number) => Number(value.toPrecision(3)).toString();
  refuse(
    `the production is ${format(ratio)} times the prediction for the same time (${
      format(produced)
    } instead of ${format(predicted)} MWh), which is ${
      explainRatio(ratio)
    }. Column "${column}" must be in ` +
      `${unit} and for one turbine. Convert it, or divide the ${column} of a park by its number of turbines`,
  );
}
