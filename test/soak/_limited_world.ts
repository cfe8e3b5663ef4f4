import type { DataFrame } from "nodejs-polars";
import { checkPerformance } from "../../src/analysis/check_performance/check_performance.ts";
import { buildNumbers } from "../../src/frames/frame.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { HOUR, type HourAxis } from "../../src/time/hourly.ts";
import { hoursFrame } from "../validate/_served_site.ts";
import { cleanWorld } from "./_clean_world.ts";

/** Levels of the limits, as shares of the rated power. */
export const LEVELS = [0, 0.3, 0.6] as const;

/** Source of a limit: a column with the set point, a flag, or only the power of turbine and neighbours. */
export type Known = "set point" | "flag" | "not stated";

/** Results of a check in a world of known limits. Energies in MWh. */
export interface LimitedFigures {
  /** Energy that the limits truly took, and its part in hours reported as limited. */
  readonly taken: number;
  readonly detected: number;
  /** Lost energy by the check, and the ends of its 90 % interval. */
  readonly lost: number;
  readonly low: number;
  readonly high: number;
  /** Energy without limits. */
  readonly possible: number;
  /** Produced over predicted energy outside of stops and limits, %. */
  readonly normalRatio: number;
}

/** Mean time between limits and their mean duration, h. */
const SPELLS = { between: 200, duration: 8, shortest: 2 } as const;

/** Time a turbine takes to reach a level, h; and the scatter of its power there, as a share of rated power. */
const [RAMP, SCATTER] = [0.25, 0.004] as const;

/** Number of neighbours, and the hourly scatter of their power against this turbine. */
const [NEIGHBOURS, APART] = [3, 0.12] as const;

/** Draws the share of each hour with a limit. */
export function drawSpells(length: number, random: SeededRandom): Float64Array {
  const shares = new Float64Array(length);
  for (let at = random.exponential(SPELLS.between); at < length;) {
    const end = at + SPELLS.shortest + random.exponential(SPELLS.duration);
    for (let i = Math.floor(at); i < end && i < length; i++) {
      shares[i] = Math.min(i + 1, end) - Math.max(i, at);
    }
    at = end + random.exponential(SPELLS.between);
  }
  return shares;
}

/** Power of an hour that is limited for a share of it, with a ramp to the level. */
export function limitPower(power: number, share: number, level: number, scatter: number): number {
  if (share === 0) return power;
  const held = Math.min(power, Math.max(0, level + scatter));
  const whole = share < 1 ? Math.max(0, share - RAMP / 2) : share;
  return whole * held + (1 - whole) * power;
}

/** Marks the hours in a frame `limits`, and adds up its lost energy, MWh. */
export function markRows(limits: DataFrame, axis: HourAxis) {
  const marked = new Uint8Array(axis.length);
  const rows = limits.toRecords();
  for (const { from, to } of rows) {
    const [first, end] = [from, to].map((one) => (Number(one) - axis.start) / HOUR);
    marked.fill(1, first, end);
  }
  const [lost, low, high] = ["lost", "lost_low", "lost_high"]
    .map((name) => rows.reduce((all, row) => all + Number(row[name]), 0));
  return { marked, lost, low, high };
}

/** A world in which a test can limit the power of a turbine and its neighbours. */
export interface LimitedWorld {
  /**
   * Limits the power and checks it.
   *
   * @param level Level of the limits, as a share of the rated power; none in a clean world
   * @param withNeighbours Whether the check gets the neighbours
   */
  check(level: number | undefined, known: Known, withNeighbours: boolean): LimitedFigures;
}

/**
 * Draws a world.
 *
 * @param number Which world: it has the weather and turbine of `cleanWorld()`
 */
export function limitedWorld(number: number): LimitedWorld {
  const { model, details, hours } = cleanWorld(number);
  const { axis, power: possible } = hours;
  const rated = details.rated_power!;
  const random = new SeededRandom(`limits ${number}`);
  const spells = drawSpells(axis.length, random);
  const others = Array.from(
    { length: NEIGHBOURS },
    () =>
      possible.map((power) =>
        Math.max(0, Math.min(rated, power * Math.exp(APART * random.normal())))
      ),
  );
  const sum = (values: ArrayLike<number>, counts: (i: number) => boolean = () => true) =>
    Array.from(values).reduce((sum, value, i) => counts(i) ? sum + value / 1000 : sum, 0);
  return {
    check(level, known, withNeighbours) {
      const shares = level === undefined ? new Float64Array(axis.length) : spells;
      const at = (level ?? 1) * rated;
      const scatter = new SeededRandom(`scatter ${number}`);
      const limit = (power: Float64Array) =>
        power.map((value, i) =>
          limitPower(value, shares[i], at, SCATTER * rated * scatter.normal())
        );
      const frameOf = (measured: Float64Array): DataFrame => {
        const limit = shares.map((share, i) =>
          share === 0
            ? NaN
            : known === "flag"
            ? Math.max(0, measured[i])
            : share * at + (1 - share) * rated
        );
        const frame = hoursFrame(axis.start, { power: measured }, details.time_zone!);
        return known === "not stated" ? frame : frame.withColumn(buildNumbers("limit", limit));
      };
      const power = limit(possible);
      const check = checkPerformance(frameOf(power), {
        ...{ predicted: model, details },
        ...(withNeighbours ? { neighbours: others.map((other) => frameOf(limit(other))) } : {}),
      });
      const { marked, ...losses } = markRows(check.frames.limits, axis);
      const taken = possible.map((value, i) => value - power[i]);
      return {
        taken: sum(taken),
        detected: sum(taken, (i) => marked[i] === 1),
        ...{ ...losses, possible: sum(possible), normalRatio: check.normalRatio },
      };
    },
  };
}
