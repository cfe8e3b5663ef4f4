import { ArgumentError } from "../../api/errors.ts";
import { alignToAxis, endOfAxis, positionAtOrAfter } from "../../time/hourly.ts";
import { monthAt, startOfDay, startOfMonth } from "../../time/zones.ts";
import {
  buildMask,
  describeFindings,
  type Finding,
  findRuns,
  listHours,
  remedies,
} from "../../screening/finding.ts";
import { isNoLimit, markLimited, NO_LIMIT } from "../../screening/values/limited_power.ts";
import { IDLE_POWER } from "../../screening/values/neighbours.ts";
import {
  findFlat,
  findGaps,
  findOutages,
  findOutOfRange,
  findStandstill,
  varyingPower,
} from "../../screening/values/hourly_power.ts";
import { findIdle, findSame } from "../../screening/values/neighbours.ts";
import { findCopiedPeriods } from "../../screening/values/copied.ts";
import { boundHours } from "../../screening/values/describe_mixed_units.ts";
import { findMixedHours } from "../../screening/values/mixed_units.ts";
import { countCoarse, findDropped, findUnreached } from "../../screening/values/unit_levels.ts";
import { suspectUnit } from "../../screening/values/wrong_unit.ts";
import {
  addDays,
  type HourlyProduction,
  isDaily,
  type PeriodProduction,
  type Production,
  spreadDays,
} from "../../windindex/calibration/production.ts";
import type { TrainingInput } from "../../windindex/calibration/training.ts";
import { DEFAULT_SMOOTHING } from "../../windindex/calibration/training_energies.ts";
import { computeModelledPower, type PowerModel } from "../../windindex/power_model.ts";
import type { HubConditions } from "../../windindex/turbine/hub_conditions.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import type { NeighbourProduction } from "./neighbour_production.ts";
import {
  type Checked,
  checkPeriods,
  type ModelledPower,
  type TrainingProduction,
} from "./check_periods.ts";
import {
  type DeclaredProduction,
  judgeMixture,
  refuseLateDays,
  refuseLevels,
} from "./judge_hours.ts";
import type { Exclusion } from "../site_data.ts";

/** Formats the first and last month of production, for messages. */
function formatMonths({ axis }: HourlyProduction, timeZone: string): string {
  const [first, last] = [axis.start, endOfAxis(axis) - 1].map((instant) =>
    monthAt(instant, timeZone).toString()
  );
  return first === last ? first : `${first} to ${last}`;
}

/** Model with the unscaled wind of the climate. */
const UNCALIBRATED: PowerModel = {
  scaling: { kind: "factor", k: 1 },
  smoothing: DEFAULT_SMOOTHING,
};

function checkHours(
  production: HourlyProduction,
  turbine: Turbine,
  neighbours: readonly NeighbourProduction[],
  expected: Float64Array | undefined,
  excluded: Uint8Array,
  declared: DeclaredProduction,
  days = false,
): Checked {
  const { power, axis, limit } = production;
  const limited = limit && markLimited(limit, expected, turbine.ratedPower);
  // A limit above 0 explains a constant level, but not a standstill.
  const still = IDLE_POWER * turbine.ratedPower;
  const explained = limited?.map((flag, i) => power[i] <= still && limit![i] > still ? 0 : flag);
  const zone = declared.zone ?? turbine.timeZone;
  const judged = power.map((value, i) => excluded[i] === 1 || limited?.[i] === 1 ? NaN : value);
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
  const varying = varyingPower(turbine.ratedPower);
  const coarse = days ? undefined : countCoarse(power, varying);
  if (coarse !== undefined) {
    throw new ArgumentError(
      `Cannot use the production of ${turbine.id}: its hourly values are rounded so coarsely that only ${coarse} different values occur. Export these values with more digits, or sum them to days or months`,
    );
  }
  const [doubt] = suspectUnit(power.map((value) => value / turbine.ratedPower), "hours");
  if (doubt) {
    throw new ArgumentError(
      `Cannot use the production of ${turbine.id} in ${
        formatMonths(production, turbine.timeZone)
      }: ` +
        doubt.message,
    );
  }
  const refuse = (problem: string): never => {
    throw new ArgumentError(`Cannot use the production of ${turbine.id}: ${problem}`);
  };
  if (limit && isNoLimit(power, limit, turbine.ratedPower)) refuse(NO_LIMIT);
  if (expected) refuseLevels(judged, expected, axis, turbine, declared, refuse);
  const neighbourPower = neighbours.map(({ ratedPower, production }) => ({
    ratedPower,
    power: alignToAxis(axis, production.axis, production.power),
  }));
  const isUnmixed = ({ from, to }: Finding) => !mixed.some((one) => one.from < to && one.to > from);
  const impossible = findOutOfRange(power, turbine.ratedPower).filter(isUnmixed);
  const same = findSame(power, neighbourPower, varying);
  const sharedHours = power.reduce(
    (count, value, i) =>
      count + Number(value === value && neighbourPower.some(({ power }) => power[i] === power[i])),
    0,
  );
  const isShared = 2 * countMasked(buildMask(same, power.length)) > sharedHours;
  // Daily means repeat within the day, so checks of hourly patterns do not apply.
  const stops = (days ? findStandstill(power, turbine.ratedPower, expected) : [
    ...findOutages(power, turbine.ratedPower, expected),
    ...findIdle(power, neighbourPower, turbine.ratedPower),
    ...(isShared ? [] : same),
    ...findDropped(power, turbine.ratedPower),
    ...findFlat(power, turbine.ratedPower),
  ]).filter(isUnmixed).filter(({ from, to }) => !explained?.subarray(from, to).includes(1));
  const limits = listHours(
    "limited",
    findRuns(power.length, (i) => limited?.[i] === 1),
    () => "of limited power",
  );
  const describe = (findings: readonly Finding[]) =>
    describeFindings(findings, axis, turbine.timeZone);
  const reached = expected && !days
    ? findUnreached(judged, expected, turbine.ratedPower)
    : undefined;
  const doubts = [
    ...mixture,
    ...describe(impossible).map((line) =>
      `${line} The fit excludes them, and they do not count as valid.`
    ),
    ...describe(stops.filter(isForeign)).map((line) => `${line} The fit excludes them.`),
    ...(reached === undefined ? [] : [
      `Its largest power is ${
        (100 * reached).toFixed(0)
      } % of its rated power, even in the strongest wind. Check rated ` +
      "power, units and the unit of its production. If its power is always limited, this index describes the limited turbine.",
    ]),
    ...(isShared
      ? [
        "Its production equals a neighbour's production in most hours. Check whether one column is declared for both.",
      ]
      : []),
  ];
  return {
    input: {
      production,
      masked: buildMask([...mixed, ...impossible, ...stops, ...limits], power.length),
    },
    findings: [
      ...doubts,
      ...describe(stops.filter((one) => !isForeign(one))).map((line) =>
        `${line} The fit excludes them.`
      ),
      ...describe(limits).map((line) => `${line} The fit excludes them.`),
      ...describe(findGaps(power)),
    ],
    doubts,
  };
}

/** Whether hours repeat other hours or another turbine, or were not recorded. */
const isForeign = ({ kind }: Finding) => ["copied", "same", "dropped"].includes(kind);

const countMasked = (mask: Uint8Array) => mask.reduce((sum, one) => sum + one, 0);

/** Fewest repeated days that are reported. */
const MIN_COPIED = 3;

/** Checks days as hours that have the mean of their day. */
function checkDays(
  production: PeriodProduction,
  turbine: Turbine,
  model: ModelledPower | undefined,
  excluded: Uint8Array,
  declared: DeclaredProduction,
): Checked {
  const hours = spreadDays(production);
  const { axis } = hours;
  const excludedHours = new Uint8Array(axis.length);
  production.periods.forEach(({ start, end }, i) => {
    if (excluded[i] === 1) {
      excludedHours.fill(1, positionAtOrAfter(axis, start), positionAtOrAfter(axis, end));
    }
  });
  const expected = model && alignToAxis(axis, model.axis, model.power);
  if (expected) {
    refuseLateDays(hours.power, expected, (copies) => {
      throw new ArgumentError(`Cannot use the production of ${turbine.id}: ${copies}`);
    });
  }
  const { input, ...rest } = checkHours(
    hours,
    turbine,
    [],
    expected,
    excludedHours,
    declared,
    true,
  );
  const masked = Uint8Array.from(
    production.periods,
    ({ start }) => input.masked![positionAtOrAfter(hours.axis, start)],
  );
  const copies = findCopiedPeriods(production.periods);
  const copied = copies.length < MIN_COPIED ? [] : copies;
  for (const { from } of copied) masked[from] = 1;
  const lines = copied.length === 0 ? [] : [
    `copied, ${copied.length} days, the first ${
      copied[0].message
    }. ${remedies.copied}. The fit excludes them.`,
  ];
  return {
    input: { production, masked },
    findings: [...lines, ...rest.findings],
    doubts: [...lines, ...rest.doubts],
  };
}

/**
 * Adds up days to months for the fit. An incomplete last month waits, because each added day would cause a new
 * calibration.
 *
 * @returns The input, and a sentence on the month that waits
 */
function addInput(input: TrainingInput, timeZone: string): [TrainingInput, string?] {
  const { production, masked } = input;
  if (!isDaily(production)) return [input];
  const { periods: days } = production;
  const months = addDays(days, masked ?? new Uint8Array(days.length));
  const last = days[days.length - 1];
  const next = monthAt(last.start, timeZone).add({ months: 1 });
  const open = months.length > 1 && last.end < startOfMonth(next, timeZone);
  if (!open) return [{ production: { kind: "periods", periods: months } }];
  return [
    { production: { kind: "periods", periods: months.slice(0, -1) } },
    `${
      months[months.length - 1].label
    } has days up to ${last.label}; it will be fitted once it is complete.`,
  ];
}

/**
 * Looks for outages and impossible values in production; masks them, and repairs nothing. Climate is used only to see
 * whether days without power had wind, and which times are in another unit.
 *
 * @param production Production of one unit
 * @param exclusions Days that the site file excludes
 * @param neighbours Hourly production of turbines nearby: if they run, a turbine at standstill has stopped
 * @param hub Climate at the hub; without it, three days without power are an outage regardless of wind
 * @param declared How the production is declared, for remedies
 * @throws {ArgumentError} If the values are impossible for the turbine, which points to a wrong unit
 */
export function checkProduction(
  production: readonly Production[],
  turbine: Turbine,
  exclusions: readonly Exclusion[] = [],
  neighbours: readonly NeighbourProduction[] = [],
  hub?: HubConditions,
  declared: DeclaredProduction = {},
): TrainingProduction {
  // Uncalibrated, because the calibration depends on these checks.
  let known: ModelledPower | undefined;
  const findModel = () =>
    known ??= hub &&
      { axis: hub.axis, power: computeModelledPower(turbine, UNCALIBRATED, hub) };
  const { timeZone } = turbine;
  const checked = production.map((entry) => {
    const excluded = maskExclusions({ production: entry }, exclusions, timeZone).masked!;
    if (entry.kind === "periods" && !isDaily(entry)) {
      return checkPeriods(entry, turbine, findModel, excluded, declared);
    }
    const model = findModel();
    if (entry.kind === "periods") return checkDays(entry, turbine, model, excluded, declared);
    const expected = model && alignToAxis(entry.axis, model.axis, model.power);
    return checkHours(entry, turbine, neighbours, expected, excluded, declared);
  });
  const added = checked.map(({ input }) =>
    addInput(maskExclusions(input, exclusions, timeZone), timeZone)
  );
  return {
    inputs: added.map(([input]) => input),
    findings: [
      ...checked.flatMap(({ findings }) => findings),
      ...added.flatMap(([, waits]) => waits ?? []),
    ],
    doubts: checked.flatMap(({ doubts }) => doubts),
  };
}

/** Masks excluded days: their hours, and periods that they touch. */
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
