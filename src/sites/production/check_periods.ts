import { ArgumentError } from "../../api/errors.ts";
import { buildMask, type Finding, remedies } from "../../screening/finding.ts";
import { findCopiedPeriods } from "../../screening/values/copied.ts";
import { describeMixedUnits } from "../../screening/values/describe_mixed_units.ts";
import {
  findMixedPeriods,
  isUnitFactor,
  type UnitStretch,
} from "../../screening/values/mixed_units.ts";
import { findPeriodFaults, suspectUnit } from "../../screening/values/wrong_unit.ts";
import { mean } from "../../stats/spread.ts";
import { HOUR, type HourAxis, positionAtOrAfter } from "../../time/hourly.ts";
import {
  countEnergyHours,
  type EnergyPeriod,
  type PeriodProduction,
} from "../../windindex/calibration/production.ts";
import type { TrainingInput } from "../../windindex/calibration/training.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import { ADVICE, type DeclaredProduction, judgeMixture } from "./judge_hours.ts";

/** Production ready for training, and the findings in it. */
export interface TrainingProduction {
  readonly inputs: readonly TrainingInput[];
  readonly findings: readonly string[];
  /** Findings that probably mean a wrong declaration, such as impossible values. */
  readonly doubts: readonly string[];
}

/** A checked production. */
export type Checked = Omit<TrainingProduction, "inputs"> & { readonly input: TrainingInput };

/** Most periods named in an error. */
const MAX_NAMED = 3;

/** Expected power from the wind of the climate, kW. */
export interface ModelledPower {
  readonly axis: HourAxis;
  readonly power: Float64Array;
}

/** Share of a period's hours with known wind from which their mean represents the period. */
const MOST_HOURS = 0.9;

/** Mean expected power of a period, kW; NaN if too few of its hours are known. */
function averagePower({ start, end }: EnergyPeriod, { axis, power }: ModelledPower): number {
  const at = (instant: number) => Math.max(0, positionAtOrAfter(axis, instant));
  const known = power.subarray(at(start), at(end)).filter((value) => !Number.isNaN(value));
  return known.length < MOST_HOURS * (end - start) / HOUR ? NaN : mean(known);
}

/** Checks energies of months or years. */
export function checkPeriods(
  production: PeriodProduction,
  turbine: Turbine,
  findModel: () => ModelledPower | undefined,
  excluded: Uint8Array,
  declared: DeclaredProduction,
): Checked {
  const periods = production.periods.map((period) => ({
    label: period.label,
    energy: period.energy,
    hours: countEnergyHours(period),
  }));
  const findings = findPeriodFaults(periods, turbine.ratedPower);
  // Only energies outside the possible range suggest another unit; skip the costly model without any.
  const model = findings.some(({ from }) => periods[from].energy > 0) ? findModel() : undefined;
  const mixed = findMixedPeriods(
    periods.map(({ energy, hours }, i) => ({
      energy: excluded[i] === 1 ? NaN : energy,
      hours,
      ...(model ? { expected: hours * averagePower(production.periods[i], model) } : {}),
    })),
    turbine.ratedPower,
  );
  const record = {
    bounds: ({ from, to }: Pick<Finding, "from" | "to">) => ({
      from: periods[from].label,
      to: periods[to - 1].label,
    }),
    length: periods.length,
    resolution: periods[0]?.label.length > "2018".length ? "month" : "year",
  } as const;
  const isUnit = ({ factor }: UnitStretch) => isUnitFactor(factor);
  const mixture = judgeMixture({ ...record, stretches: mixed.filter(isUnit) }, turbine, declared);
  const refuse = (problem: string): never => {
    throw new ArgumentError(`Cannot use the production of ${turbine.id}: ${problem}`);
  };
  const tooMuch = findings.filter(({ from }) => periods[from].energy > 0)
    .filter(({ kind }) => kind === "out_of_range");
  if (tooMuch.length > 0) {
    const factors = periods.map(({ energy, hours }) => energy / (hours * turbine.ratedPower));
    const [doubt] = suspectUnit(Float64Array.from(factors), "periods");
    const named = tooMuch.slice(0, MAX_NAMED).map(({ message }) => message).join("; ");
    const more = tooMuch.length - MAX_NAMED;
    const others = mixed.length > 0
      ? describeMixedUnits({ ...record, ...ADVICE, stretches: mixed })
      : doubt && `All periods: ${doubt.message}`;
    refuse(`${named}${more > 0 ? ` and ${more} more` : ""}. ${others ?? remedies.wrong_unit}`);
  }
  if (findings.length === periods.length) {
    const [{ message }] = findings;
    refuse(`it is close to zero all the time (${message}). ${remedies.wrong_unit}`);
  }
  // Times units, so the decimals are as in the file.
  const copies = findCopiedPeriods(
    periods.map(({ label, energy }) => ({ label, energy: energy * turbine.units })),
  );
  return {
    input: { production, masked: buildMask([...findings, ...copies], periods.length) },
    findings: [
      ...mixture,
      ...copies.map(({ message }) =>
        `copied, ${message}. ${remedies.copied}. The fit excludes them.`
      ),
      ...(["standstill", "out_of_range"] as const).flatMap((kind) => {
        const months = findings.filter((finding) => finding.kind === kind)
          .filter(({ from }) => !mixed.some((one) => one.from <= from && from < one.to))
          .map(({ from }) => periods[from].label);
        return months.length === 0 ? [] : [
          `${kind.replaceAll("_", " ")}, ${months.length} of ${periods.length} periods: ` +
          `${months.join(", ")}. ${remedies[kind]}. The fit excludes them.`,
        ];
      }),
    ],
    doubts: mixture,
  };
}
