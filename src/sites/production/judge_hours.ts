import { ArgumentError } from "../../api/errors.ts";
import type { ProductionFormat } from "../../frames/production/production_format.ts";
import { findUnitBehind } from "../../frames/production/units.ts";
import { remedies } from "../../screening/finding.ts";
import {
  describeMixedUnits,
  type MixedRecord,
} from "../../screening/values/describe_mixed_units.ts";
import { findPartOfPower, findThousandths } from "../../screening/values/unit_levels.ts";
import { correlation } from "../../stats/regression.ts";
import { HOUR, type HourAxis } from "../../time/hourly.ts";
import { clockAt } from "../../time/zones.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";

/**
 * Rejects production whose declaration contradicts the wind, and names the wrong field.
 *
 * @module
 */

/** Declaration of production, for remedies; a part is `undefined` if entries differ. */
export interface DeclaredProduction {
  readonly format?: Pick<ProductionFormat, "unit" | "resolution"> | undefined;
  /** Time zone of its timestamps. */
  readonly zone?: string | undefined;
}

/** Remedies in a site file for times in another unit. */
export const ADVICE = { where: "its production entry", still: "exclude these days" } as const;

/** Rejects times in another unit than the rest; returns a sentence if they may also be a standstill. */
export function judgeMixture(
  record: Pick<MixedRecord, "stretches" | "bounds" | "length" | "resolution">,
  { id }: Turbine,
  { format }: DeclaredProduction,
): string[] {
  const { stretches } = record;
  if (stretches.length === 0) return [];
  const unitOf = format && ((factor: number) => findUnitBehind(format, factor));
  const description = describeMixedUnits({ ...record, ...ADVICE, unitOf });
  if (!stretches.some(({ certain }) => certain)) return [`${description}. The fit excludes them.`];
  throw new ArgumentError(`Cannot use the production of ${id}: ${description}`);
}

/** Rejects hours that are in another unit according to the wind: some of them, or all. */
export function refuseLevels(
  power: Float64Array,
  expected: Float64Array,
  axis: HourAxis,
  { ratedPower, timeZone }: Turbine,
  { format }: DeclaredProduction,
  refuse: (problem: string) => never,
): void {
  const some = findThousandths(power, expected, ratedPower);
  if (some.length > 0) {
    const unit = format && findUnitBehind(format, 1e-3);
    const clocks = some.map((i) => clockAt(axis.start + i * HOUR, timeZone));
    const [first, last] = [clocks[0], clocks[clocks.length - 1]].map((clock) =>
      clock.toPlainDate().toString()
    );
    const hours = [...new Set(clocks.map(({ hour }) => hour))].sort((a, b) => a - b);
    const when = hours.length <= 12 ? `, in the hours ${hours.join(", ")} of the day` : "";
    refuse(
      `${some.length} hours from ${first} to ${last}${when} are about 1000 times too small and follow the wind, ` +
        `so they are probably ${
          unit ? `in ${unit}` : "in another unit"
        }. Correct these values in the file`,
    );
  }
  const part = findPartOfPower(power, expected, ratedPower);
  if (part === undefined) return;
  const unit = format && findUnitBehind(format, part);
  refuse(
    `it reaches 1/${
      Math.round(1 / part)
    } of its rated power in the strongest wind, so its values are probably energies ` +
      `of ${Math.round(60 * part)} minutes. ${
        unit ? `Declare unit "${unit}"` : remedies.wrong_unit
      }`,
  );
}

/** Smallest gain in correlation that proves a lag of one day. */
const MIN_GAIN = 0.1;

/** Rejects days that follow the wind of the day before: their timestamps mark the end of the day. */
export function refuseLateDays(
  power: Float64Array,
  expected: Float64Array,
  refuse: (problem: string) => never,
): void {
  const follows = (hours: number) => {
    const pairs = [...power.keys()].filter((i) => !Number.isNaN(power[i] + expected[i - hours]));
    return correlation(pairs.map((i) => power[i]), pairs.map((i) => expected[i - hours]));
  };
  if (follows(24) < follows(0) + MIN_GAIN) return;
  refuse(
    'each day follows the wind of the day before, so its timestamps mark the end of the day. Declare stamp "end"',
  );
}
