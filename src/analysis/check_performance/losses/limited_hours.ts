import { findRuns, type Run } from "../../../screening/finding.ts";
import { findStuck } from "../../../screening/values/hourly_power.ts";
import { isLimit, markLimited, MATTERS } from "../../../screening/values/limited_power.ts";
import { IDLE_POWER, type Neighbour } from "../../../screening/values/neighbours.ts";
import { mean, sumOf } from "../../../stats/spread.ts";
import { markRunningHours } from "../changes/weekly_ratios.ts";
import type { StatedLimits } from "../production.ts";
import { type HourlyPair, standTogether } from "./outage_hours.ts";
import { findLastingLimit, findLevel } from "./power_limit.ts";

/** How a power limit is known: from a column, from a status log, or because the power shows it. */
export type LimitSource = "declared" | "status" | "found";

/** A stretch of hours in which the power was limited. */
export interface LimitRun extends Run {
  readonly source: LimitSource;
  /** Level, kW; NaN if a log does not state it. */
  readonly level: number;
  /** Hours of the day in which it applies, in local time. */
  readonly hoursOfDay: readonly number[];
  /**
   * Whether it also limited a turbine nearby, at least in one hour: then the neighbours' power says nothing about the
   * loss.
   */
  readonly shared: boolean;
  /** 1 for the hours, of all, in which it held the turbine back. */
  readonly held: Float64Array;
}

const ALL_DAY: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour);

/** Consecutive hours at a level that show a limit. */
const MIN_HOURS = 2;

/** Width of a level, as a share of the rated power: from one hour to the next, and around all its hours. */
const [STEP, WIDTH] = [0.01, 0.015] as const;

/**
 * Smallest distance of a level from the expected power, as a share of the rated power; the second is for a known,
 * recurring level.
 */
const [GAP, KNOWN_GAP] = [0.1, 0.05] as const;

/** Fewest hours of a recurring level. */
const MIN_REPEATED = 12;

/** Share of the record above which a level in all hours of the day is no limit but the turbine's usual maximum. */
const ALWAYS = 0.9;

/**
 * Hours before and after a named change within which a lasting limit is a part of the change: weak winds hide its
 * start.
 */
const SOON = 336;

/** Most hours of weaker wind between hours at a level. */
const MAX_GAP = 3;

/** Smallest share of the expected power that counts as usual just before and after a limit. */
const USUAL = 0.6;

/** Missing energy that a calm cannot explain, in hours of rated power. */
const CLEAR = 1;

/** Largest distance of a neighbour's level from the turbine's, as a share of the rated power, and of the level. */
const [ALIKE, ALIKE_SHARE] = [0.02, 0.05] as const;

/** Lowest level that counts as shared with neighbours, as a share of the rated power: weak wind is alike everywhere. */
const LOWEST = 0.1;

/** Wind speed above which a level is no sign of a limit, m/s: gusts stop all turbines for a part of the hour. */
const STORM = 17;

/** Whether the power hardly differs from the hour before or after. */
const isFlat = (power: Float64Array, ratedPower: number, i: number): boolean =>
  Math.min(Math.abs(power[i] - power[i - 1]), Math.abs(power[i] - power[i + 1])) <=
    STEP * ratedPower;

/** Finds the hours in which some, or all, of the running neighbours hold the same, nearly constant level. */
function findShared(produced: Float64Array, neighbours: readonly Neighbour[], ratedPower: number) {
  const runningAt = (i: number) =>
    neighbours.filter(({ power, ratedPower: rated }) => power[i] > IDLE_POWER * rated);
  const isLike = (i: number) => ({ power, ratedPower: rated }: Neighbour) => {
    const [share, neighbourShare] = [produced[i] / ratedPower, power[i] / rated];
    return share >= LOWEST &&
      Math.abs(neighbourShare - share) <= Math.min(ALIKE, share * ALIKE_SHARE) &&
      isFlat(power, rated, i);
  };
  const some = (i: number) => neighbours.some(isLike(i));
  return { some, all: (i: number) => some(i) && runningAt(i).every(isLike(i)) };
}

/** Computes the share of hours in which a condition holds. */
const shareOf = ({ from, to }: Run, condition: (i: number) => boolean): number =>
  mean(Array.from({ length: to - from }, (_, i) => Number(condition(from + i))));

/** Joins runs separated by a few hours in which a condition holds: the wind was too weak for the limit. */
function joinRuns(runs: readonly Run[], between: (i: number) => boolean): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    const gap = Array.from({ length: run.from - (last?.to ?? run.from) }, (_, i) => last!.to + i);
    if (last && gap.length <= MAX_GAP && gap.every(between)) {
      joined.splice(-1, 1, { ...run, from: last.from });
    } else joined.push(run);
  }
  return joined;
}

/** Lists the limits stated by a column or a status log, in order of time. */
export function findStatedLimits(
  { produced, expected }: Pick<HourlyPair, "produced" | "expected">,
  { limit, curtailed }: StatedLimits,
  neighbours: readonly Neighbour[],
  ratedPower: number,
): LimitRun[] {
  const isShared = findShared(produced, neighbours, ratedPower);
  const sourceOf = (i: number): LimitSource | undefined =>
    limit && isLimit(limit[i], ratedPower)
      ? "declared"
      : curtailed && curtailed[i] > 0
      ? "status"
      : undefined;
  // A log does not state the level, so the produced power is taken.
  const levels = produced.map((power, i) => sourceOf(i) === "status" ? power : limit?.[i] ?? NaN);
  const held = Float64Array.from(markLimited(levels, expected, ratedPower));
  const runs = (["declared", "status"] as const).flatMap((source) =>
    findRuns(produced.length, (i) => sourceOf(i) === source)
      .filter(({ from, to }) => held.subarray(from, to).includes(1))
      .map((run): LimitRun => ({
        ...run,
        source,
        level: source === "status" ? NaN : mean(levels.subarray(run.from, run.to)),
        hoursOfDay: ALL_DAY,
        shared: shareOf(run, isShared.some) > 0,
        held,
      }))
  );
  return runs.sort((a, b) => a.from - b.from);
}

/**
 * Finds unstated limits: a level that the power does not exceed for weeks, in all hours of the day or in some; a level
 * well below the expected power for two hours or more that recurs, or that neighbours hold as well; and hours in which
 * all turbines stand still although power is expected.
 *
 * @param away Share of each hour in which the turbine was stopped, or under a stated limit
 * @param neighbours Turbines nearby, on the same hours
 * @param ratedPower Rated power, kW
 * @param changed Hour of a known change: a lasting limit that began with it is a part of that change
 * @returns The limits in order of time, and for a lasting one 1 for each hour in which it matters, by its hours of the
 * day
 */
export function findUnstatedLimits(
  pair: HourlyPair,
  away: Float64Array,
  neighbours: readonly Neighbour[],
  ratedPower: number,
  changed = Infinity,
): { readonly runs: readonly LimitRun[]; readonly reached: Uint8Array | undefined } {
  const { produced, expected, windSpeed } = pair;
  const { length } = produced;
  const running = markRunningHours(pair, away, ratedPower);
  const limit = findLastingLimit(pair, running, ratedPower);
  const isNamed = Math.abs((limit?.spans[0].from ?? NaN) - changed) <= SOON;
  const isUsual = limit !== undefined && limit.hoursOfDay.length === 24 &&
    limit.spans.some(({ from, to }) => to - from >= ALWAYS * length);
  const lasting = isNamed || isUsual ? undefined : limit;
  const runs: LimitRun[] = (lasting?.spans ?? []).map((run) => {
    const { level, hoursOfDay, held } = lasting!;
    return { ...run, source: "found", level, hoursOfDay, shared: false, held };
  });
  const held = new Float64Array(length);
  /** Whether a level belongs to a named change, or to how the turbine always runs. */
  const isOther = (power: number) =>
    lasting === undefined && limit !== undefined &&
    Math.abs(limit.level - power) <= WIDTH * ratedPower;
  const open = Uint8Array.from(
    produced,
    (power, i) =>
      away[i] > 0 || lasting?.held[i] === 1 || Number.isNaN(power + expected[i]) || isOther(power)
        ? 0
        : 1,
  );
  // A value that persists through a calm is one that the logger repeated.
  for (const { from, to } of findStuck(produced, ratedPower)) {
    if (expected.subarray(from, to).some((power) => power < MATTERS * produced[from])) {
      open.fill(0, from, to);
    }
  }
  const normal = [...running.keys()].filter((i) => running[i] === 1 && open[i] === 1);
  const ratio = sumOf(normal, (i) => produced[i]) / sumOf(normal, (i) => expected[i]);
  const meanOf = (values: Float64Array, { from, to }: Run) => mean(values.subarray(from, to));
  const isShared = findShared(produced, neighbours, ratedPower);
  const isStorm = (i: number) => (windSpeed?.[i] ?? 0) >= STORM;
  const isHeld = (run: Run, gap: number) =>
    run.to - run.from >= MIN_HOURS && shareOf(run, isStorm) < 1 &&
    ratio * meanOf(expected, run) >= meanOf(produced, run) + gap * ratedPower;
  const isStill = (i: number) => produced[i] <= IDLE_POWER * ratedPower;
  const add = (some: readonly Run[], shared: (run: Run) => boolean) => {
    for (const run of some) {
      const level = meanOf(produced, run);
      // A limit may begin and end within an hour.
      const from = open[run.from - 1] === 1 ? run.from - 1 : run.from;
      const to = open[run.to] === 1 ? run.to + 1 : run.to;
      runs.push({
        from,
        to,
        source: "found",
        level,
        hoursOfDay: ALL_DAY,
        shared: shared(run),
        held,
      });
      held.fill(1, from, to);
      open.fill(0, from, to);
    }
  };

  /**
   * Whether this cannot be a passing calm: much energy is missing, or the power was usual just before and after. The
   * adjacent hours are skipped, because the limit may begin and end in them.
   */
  const isClear = ({ from, to }: Run) => {
    const hours = Array.from({ length: to - from }, (_, i) => from + i);
    const missing = sumOf(hours, (i) => ratio * expected[i] - produced[i]);
    const around = [from - 2, to + 1].filter((i) => !Number.isNaN(produced[i] + expected[i]));
    const usual = USUAL * ratio * sumOf(around, (i) => expected[i]);
    return missing >= CLEAR * ratedPower ||
      around.length > 0 && sumOf(around, (i) => produced[i]) >= usual;
  };
  add(
    findRuns(length, (i) => open[i] === 1 && isStill(i) && standTogether(neighbours, i))
      .filter((run) => isHeld(run, GAP) && isClear(run)),
    () => true,
  );
  const canBe = (i: number) => open[i] === 1 && !isStill(i) && isFlat(produced, ratedPower, i);
  for (;;) {
    const low = open.map((_, i) =>
      canBe(i) && !isStorm(i) && ratio * expected[i] >= produced[i] + GAP * ratedPower ? 1 : 0
    );
    const level = findLevel(pair, low, ratedPower, MIN_REPEATED);
    if (level === undefined) break;
    const isAt = (i: number) => Math.abs(produced[i] - level) <= WIDTH * ratedPower;
    const isUnder = (i: number) =>
      open[i] === 1 &&
      (isAt(i) || produced[i] < level && ratio * expected[i] < level + GAP * ratedPower);
    const again = joinRuns(findRuns(length, (i) => open[i] === 1 && isAt(i)), isUnder)
      .filter((run) => isHeld(run, KNOWN_GAP));
    if (again.length < 2) break;
    add(again, (run) => shareOf(run, isShared.some) > 0);
  }
  add(
    findRuns(length, (i) => canBe(i) && isShared.all(i))
      .filter((run) => isHeld(run, GAP) && isClear(run)),
    () => true,
  );
  return { runs: runs.sort((a, b) => a.from - b.from), reached: lasting?.reached };
}
