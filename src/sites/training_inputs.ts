import { ArgumentError } from "../api/errors.ts";
import type { ProductionFormat } from "../frames/production/production_format.ts";
import { findUnitBehind } from "../frames/production/units.ts";
import { mean } from "../stats/spread.ts";
import { alignToAxis, endOfAxis, HOUR, type HourAxis, positionAtOrAfter } from "../time/hourly.ts";
import { monthAt, startOfDay } from "../time/zones.ts";
import { buildMask, describeFindings, type Finding, remedies } from "../screening/finding.ts";
import { findFlat, findGaps } from "../screening/values/faulty_values.ts";
import { findOutages, findOutOfRange } from "../screening/values/hourly_power.ts";
import { findCopiedPeriods } from "../screening/values/copied_periods.ts";
import {
  boundHours,
  describeMixedUnits,
  type MixedRecord,
} from "../screening/values/describe_mixed_units.ts";
import {
  findMixedHours,
  findMixedPeriods,
  isUnitFactor,
  type UnitStretch,
} from "../screening/values/mixed_units.ts";
import { findIdle } from "../screening/values/neighbours.ts";
import { findPeriodFaults, suspectUnit } from "../screening/values/wrong_unit.ts";
import {
  countEnergyHours,
  type EnergyPeriod,
  type HourlyProduction,
  type PeriodProduction,
  type Production,
} from "../windindex/calibration/production.ts";
import type { TrainingInput } from "../windindex/calibration/training.ts";
import { DEFAULT_SMOOTHING } from "../windindex/calibration/training_energies.ts";
import { computeModelledPower, type PowerModel } from "../windindex/power_model.ts";
import type { HubConditions } from "../windindex/turbine/hub_conditions.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";
import type { NeighbourProduction } from "./neighbour_production.ts";
import type { Exclusion } from "./site_data.ts";

/** Production ready for training, and the findings in it. */
interface TrainingProduction {
  readonly inputs: readonly TrainingInput[];
  readonly findings: readonly string[];
  /** Findings about impossible values, which mean that something is declared wrongly. */
  readonly doubts: readonly string[];
}

/** One production, checked. */
type Checked = Omit<TrainingProduction, "inputs"> & { readonly input: TrainingInput };

/** How production is declared, for remedies; a part is `undefined` where entries differ. */
export interface DeclaredProduction {
  readonly format?: Pick<ProductionFormat, "unit" | "resolution"> | undefined;
  /** Zone of its stamps. */
  readonly zone?: string | undefined;
}

/** What a site file can do about times in another unit. */
const ADVICE = { where: "its production entry", still: "exclude these days" } as const;

/** Refuses times in another unit than the rest; of those that may also be a standstill it gives a sentence. */
function judgeMixture(
  record: Pick<MixedRecord, "stretches" | "bounds" | "length" | "resolution">,
  { id }: Turbine,
  { format }: DeclaredProduction,
): string[] {
  const { stretches } = record;
  if (stretches.length === 0) return [];
  const unitOf = format && ((factor: number) => findUnitBehind(format, factor));
  const found = describeMixedUnits({ ...record, ...ADVICE, unitOf });
  if (!stretches.some(({ certain }) => certain)) return [`${found}. Not fitted.`];
  throw new ArgumentError(`Cannot use the production of ${id}: ${found}`);
}

/** Largest number of periods that an error names. */
const MAX_NAMED = 3;

/** Months of an axis, first and last, for messages. */
function formatMonths({ axis }: HourlyProduction, timeZone: string): string {
  const [first, last] = [axis.start, endOfAxis(axis) - 1].map((instant) =>
    monthAt(instant, timeZone).toString()
  );
  return first === last ? first : `${first} to ${last}`;
}

/** The wind of the climate as it is. */
const UNCALIBRATED: PowerModel = {
  scaling: { kind: "factor", k: 1 },
  smoothing: DEFAULT_SMOOTHING,
};

/** Power that the wind of the climate leads to expect, kW. */
interface ModelledPower {
  readonly axis: HourAxis;
  readonly power: Float64Array;
}

/** Share of the hours of a period with wind, from which its mean is that of all. */
const MOST_HOURS = 0.9;

/** Mean power that the wind of a period leads to expect, kW; NaN where too few of its hours are known. */
function averagePower({ start, end }: EnergyPeriod, { axis, power }: ModelledPower): number {
  const at = (instant: number) => Math.max(0, positionAtOrAfter(axis, instant));
  const known = power.subarray(at(start), at(end)).filter((value) => !Number.isNaN(value));
  return known.length < MOST_HOURS * (end - start) / HOUR ? NaN : mean(known);
}

function checkHours(
  production: HourlyProduction,
  turbine: Turbine,
  neighbours: readonly NeighbourProduction[],
  expected: Float64Array | undefined,
  excluded: Uint8Array,
  declared: DeclaredProduction,
): Checked {
  const { power, axis } = production;
  const zone = declared.zone ?? turbine.timeZone;
  const judged = power.map((value, i) => excluded[i] === 1 ? NaN : value);
  const mixed = findMixedHours({ axis, power: judged }, zone, turbine.ratedPower, expected);
  const mixture = judgeMixture(
    {
      stretches: mixed,
      bounds: (run) => boundHours(run, axis, zone),
      length: power.length,
      resolution: "hour",
    },
    turbine,
    declared,
  );
  const [doubt] = suspectUnit(power.map((value) => value / turbine.ratedPower), "hours");
  if (doubt) {
    throw new ArgumentError(
      `Cannot use the production of ${turbine.id} in ${
        formatMonths(production, turbine.timeZone)
      }: ` +
        doubt.message,
    );
  }
  const beside = neighbours.map(({ ratedPower, production }) => ({
    ratedPower,
    power: alignToAxis(axis, production.axis, production.power),
  }));
  const isRest = ({ from, to }: Finding) => !mixed.some((one) => one.from < to && one.to > from);
  const impossible = findOutOfRange(power, turbine.ratedPower).filter(isRest);
  const stops = [
    ...findOutages(power, turbine.ratedPower, expected),
    ...findIdle(power, beside, turbine.ratedPower),
    ...findFlat(power, turbine.ratedPower),
  ].filter(isRest);
  const describe = (findings: readonly Finding[]) =>
    describeFindings(findings, axis, turbine.timeZone);
  const doubts = [
    ...mixture,
    ...describe(impossible).map((line) => `${line} Neither fitted nor counted as valid.`),
  ];
  return {
    input: { production, masked: buildMask([...mixed, ...impossible, ...stops], power.length) },
    findings: [
      ...doubts,
      ...describe(stops).map((line) => `${line} Not fitted.`),
      ...describe(findGaps(power)),
    ],
    doubts,
  };
}

function checkPeriods(
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
  // Energies in another unit are below or above what is possible; the wind takes time to compute.
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
  const refuse = (found: string): never => {
    throw new ArgumentError(`Cannot use the production of ${turbine.id}: ${found}`);
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
  // Their decimals are those of the file.
  const copies = findCopiedPeriods(
    periods.map(({ label, energy }) => ({ label, energy: energy * turbine.units })),
  );
  return {
    input: { production, masked: buildMask([...findings, ...copies], periods.length) },
    findings: [
      ...mixture,
      ...copies.map(({ message }) => `copied, ${message}. ${remedies.copied}. Not fitted.`),
      ...(["standstill", "out_of_range"] as const).flatMap((kind) => {
        const months = findings.filter((finding) => finding.kind === kind)
          .filter(({ from }) => !mixed.some((one) => one.from <= from && from < one.to))
          .map(({ from }) => periods[from].label);
        return months.length === 0 ? [] : [
          `${kind.replaceAll("_", " ")}, ${months.length} of ${periods.length} periods: ` +
          `${months.join(", ")}. ${remedies[kind]}. Not fitted.`,
        ];
      }),
    ],
    doubts: mixture,
  };
}

/**
 * Looks for outages and impossible values in production; they are masked, not repaired. Only production decides, except
 * that the climate tells whether days without power had any wind, and which times are in another unit.
 *
 * @param production Production of one unit
 * @param exclusions Days that the site file leaves out
 * @param neighbours Hourly production of turbines nearby: where they run, a turbine at standstill has stopped
 * @param hub Climate at the hub; without it, three days without power are an outage whatever the wind
 * @param declared How the production is declared, for remedies
 * @throws {ArgumentError} If the values are not possible for the turbine, which points to a wrong unit
 */
export function checkProduction(
  production: readonly Production[],
  turbine: Turbine,
  exclusions: readonly Exclusion[] = [],
  neighbours: readonly NeighbourProduction[] = [],
  hub?: HubConditions,
  declared: DeclaredProduction = {},
): TrainingProduction {
  // Only whether there was wind: the calibration, which production leads to, plays no part.
  let known: ModelledPower | undefined;
  const findModel = () =>
    known ??= hub &&
      { axis: hub.axis, power: computeModelledPower(turbine, UNCALIBRATED, hub) };
  const checked = production.map((entry) => {
    const excluded = maskExclusions({ production: entry }, exclusions, turbine.timeZone).masked!;
    if (entry.kind === "periods") {
      return checkPeriods(entry, turbine, findModel, excluded, declared);
    }
    const model = findModel();
    const expected = model && alignToAxis(entry.axis, model.axis, model.power);
    return checkHours(entry, turbine, neighbours, expected, excluded, declared);
  });
  return {
    inputs: checked.map(({ input }) => maskExclusions(input, exclusions, turbine.timeZone)),
    findings: checked.flatMap(({ findings }) => findings),
    doubts: checked.flatMap(({ doubts }) => doubts),
  };
}

/** Masks declared days: hours in them, and periods that they touch. */
function maskExclusions(
  { production, masked }: TrainingInput,
  exclusions: readonly Exclusion[],
  timeZone: string,
): TrainingInput {
  const mask = masked ?? new Uint8Array(
    production.kind === "hourly" ? production.power.length : production.periods.length,
  );
  for (const { from, to } of exclusions) {
    const start = startOfDay(Temporal.PlainDate.from(from), timeZone);
    const end = startOfDay(Temporal.PlainDate.from(to).add({ days: 1 }), timeZone);
    if (production.kind === "hourly") {
      const position = (instant: number) =>
        Math.max(0, positionAtOrAfter(production.axis, instant));
      mask.fill(1, position(start), position(end));
    } else {
      production.periods.forEach((period, i) => {
        if (period.start < end && period.end > start) mask[i] = 1;
      });
    }
  }
  return { production, masked: mask };
}
