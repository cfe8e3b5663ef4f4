import { freeFrames } from "./_memory.ts";
import type { PerformanceCheck } from "../../src/analysis/check_performance/check_performance.ts";
import { HOUR } from "../../src/time/hourly.ts";
import { type ChangedWorld, changedWorld } from "./_changed_world.ts";

/** Limits were chosen on worlds 1000 to 1119, 2000 to 2099 and 3000 to 3099. */
const FIRST_WORLD = 7000;

/** Goals, % of the worlds: losses found, false alarms, and found losses whose interval contains the truth. */
const GOALS = { 0.05: 30, 0.1: 85, alarms: 8, hits: 80 } as const;

/** Level of a limit, as a share of the rated power, and the largest error of the level found. */
const LEVEL = { share: 0.6, near: 0.01 } as const;

/** Largest distance of a date counted as found, ms. */
const NEAR = 60 * 24 * HOUR;

/** The found change nearest to the date, compared with the truth. */
interface Found {
  readonly near: boolean;
  readonly size: boolean;
  readonly date: boolean;
}

/** Reads the changes a check found; sizes as shares. */
function readSteps({ frames: { changes } }: PerformanceCheck) {
  return changes.toRecords().map((row) => ({
    from: Number(row.from),
    dates: [Number(row.from_low), Number(row.from_high)],
    sizes: [Number(row.size_low) / 100, Number(row.size_high) / 100],
  }));
}

/** Compares the change nearest to a date with the truth; `undefined` if the check found none. */
function judge(check: PerformanceCheck, date: number, loss: number): Found | undefined {
  const [nearest] = readSteps(check)
    .sort((a, b) => Math.abs(a.from - date) - Math.abs(b.from - date));
  if (!nearest) return undefined;
  return {
    near: Math.abs(nearest.from - date) <= NEAR,
    size: nearest.sizes[0] <= -loss && -loss <= nearest.sizes[1],
    date: nearest.dates[0] <= date && date <= nearest.dates[1],
  };
}

const reduceFrom = (date: number, loss: number) => (power: number, instant: number) =>
  instant >= date ? power * (1 - loss) : power;

/** Whether a limit is found with its level and its start, and no loss of power with it. */
function judgeLimit(world: ChangedWorld): boolean {
  const level = LEVEL.share * world.ratedPower;
  const check = world.check((power, instant) =>
    instant >= world.date ? Math.min(power, level) : power
  );
  const limits = check.frames.limits.toRecords();
  return limits.length === 1 && check.frames.changes.height === 0 &&
    Math.abs(Number(limits[0].level) / level - 1) <= LEVEL.near &&
    Math.abs(Number(limits[0].from) - world.date) <= NEAR;
}

/**
 * Puts lasting losses of power, or limits, into worlds of known truth, and counts the findings of
 * `checkPerformance()` without neighbours. As for an owner, the turbine is calibrated on the hours with the loss.
 *
 * @param count Number of worlds, of 24 to 36 months
 * @param say Prints the results
 * @param advance Called after each
 * @returns Goals that are missed, in words
 */
export async function lastingChanges(
  count: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const faults: string[] = [];
  const tally: Record<string, (Found | undefined)[]> = {};
  let [alarms, monthlyAlarms, limits, falseLimits, seen] = [0, 0, 0, 0, 0];
  const smallest: number[] = [];
  for (let number = FIRST_WORLD; number < FIRST_WORLD + count; number++) {
    const world = changedWorld(number);
    const { date, middle } = world;
    const clean = world.check((power) => power);
    if (readSteps(clean).length > 0) alarms++;
    if (clean.frames.limits.height > 0) falseLimits++;
    smallest.push(clean.smallestChange!);
    const least = clean.smallestChange! / 100;
    if (judge(world.check(reduceFrom(middle, least)), middle, least)) seen++;
    for (const loss of [0.05, 0.1]) {
      (tally[`${100 * loss} % by hours`] ??= []).push(
        judge(world.check(reduceFrom(date, loss)), date, loss),
      );
      (tally[`${100 * loss} % by months`] ??= []).push(
        judge(world.check(reduceFrom(date, loss), "month"), date, loss),
      );
    }
    if (readSteps(world.check((power) => power, "month")).length > 0) monthlyAlarms++;
    if (judgeLimit(world)) limits++;
    advance();
    await freeFrames();
  }
  const percent = (part: number, all = count) => 100 * part / all;
  for (const [what, results] of Object.entries(tally)) {
    const detections = results.filter((one) => one !== undefined);
    const countOf = (value: (one: Found) => boolean) => detections.filter(value).length;
    say(
      `a loss of ${what} is found in ${detections.length} of ${count} worlds, in ${
        countOf(({ near }) => near)
      } within 60 days; the 90 % intervals contain the true size in ${
        countOf(({ size }) => size)
      } of these, the true date in ${countOf(({ date }) => date)}`,
    );
    if (!what.endsWith("hours")) continue;
    const goal = what.startsWith("5 ") ? GOALS[0.05] : GOALS[0.1];
    if (percent(detections.length) < goal) {
      faults.push(
        `a loss of ${what} is found in ${detections.length} of ${count}, not in ${goal} %`,
      );
    }
    const hits = percent(countOf(({ size }) => size), detections.length);
    if (hits < GOALS.hits) {
      faults.push(`a loss of ${what}: ${hits.toFixed(0)} % of the intervals contain it`);
    }
  }
  say(
    `without a change: ${alarms} of ${count} worlds report one by hours, ${monthlyAlarms} by months`,
  );
  if (percent(alarms) > GOALS.alarms) faults.push(`${alarms} false alarms in ${count} worlds`);
  smallest.sort((a, b) => a - b);
  const [low, middle, high] = [0.1, 0.5, 0.9].map((share) =>
    smallest[Math.floor(share * smallest.length)].toFixed(1)
  );
  say(
    `the smallest change that a record can show is ${middle} % (a tenth of the worlds below ${low}, a tenth ` +
      `above ${high}); a loss of that size in the middle of the record is found in ${seen} of ${count}`,
  );
  say(
    `a limit at ${
      100 * LEVEL.share
    } % of the rated power is found, and no loss with it, in ${limits} of ${count}; ` +
      `without a limit, one is found in ${falseLimits}`,
  );
  return faults;
}
