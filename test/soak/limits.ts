import { freeFrames } from "./_memory.ts";
import { checkPerformance } from "../../src/analysis/check_performance/check_performance.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { hoursFrame, servedTurbine } from "../validate/_served_site.ts";
import { computeHubs, dataPresent, siteData, type SiteName } from "../validate/_site_data.ts";
import {
  drawSpells,
  type Known,
  LEVELS,
  limitedWorld,
  limitPower,
  markRows,
} from "./_limited_world.ts";

/** The rules were chosen on worlds 3000 to 3011. */
const FIRST_WORLD = 8000;

/** Goals, %: limited energy found, if declared and if not; falsely limited energy; error of the normal ratio. */
const GOALS = { declared: 95, undeclared: 85, wrong: 0.3, ratio: 0.5 } as const;

const WAYS: readonly (readonly [known: Known, withNeighbours: boolean])[] = [
  ["set point", false],
  ["flag", false],
  ["not stated", true],
  ["not stated", false],
];

const nameWay = ([known, withNeighbours]: typeof WAYS[number]) =>
  known === "not stated" ? `${known}, ${withNeighbours ? "with neighbours" : "alone"}` : known;

/** Sites of real hours, and the scatter of the power at the limit, as a share of the rated power. */
const [SITES, SCATTER]: readonly [readonly SiteName[], number] = [
  ["kelmarsh", "la_haute_borne"],
  0.004,
];

/** Puts limits into real hours, in all turbines of a site or in one, and prints the share of the lost energy found. */
async function limitSite(name: SiteName, say: (line: string) => void): Promise<void> {
  const data = await siteData(name);
  const sums = new Map<string, [taken: number, found: number, lost: number, before: number]>();
  for (const [position, { turbine, production }] of data.turbines.entries()) {
    const [{ hub }] = computeHubs(data, turbine);
    const hourly = production[0] as HourlyProduction;
    const { start, length } = hourly.axis;
    const others = data.turbines.filter((other) => other.turbine !== turbine);
    const powers = [hourly, ...others.map((other) => other.production[0] as HourlyProduction)]
      .map(({ power }) => power);
    const neighbours = others.map((other) => ({
      ratedPower: other.turbine.ratedPower,
      production: other.production[0] as HourlyProduction,
    }));
    const { inputs } = checkProduction(production, turbine, [], neighbours);
    const { model, details } = servedTurbine(turbine, hub, inputs);
    const shares = drawSpells(length, new SeededRandom(`${name} ${position}`));
    const check = (level: number | undefined, all: boolean) => {
      const random = new SeededRandom(`scatter ${name} ${position}`);
      const limited = powers.map((power, i) =>
        level === undefined || (i > 0 && !all) ? power : power.map((one, at) =>
          limitPower(
            one,
            shares[at],
            level * turbine.ratedPower,
            SCATTER * turbine.ratedPower * random.normal(),
          )
        )
      );
      const [frame, ...neighbourFrames] = limited.map((power) =>
        hoursFrame(start, { power }, "UTC")
      );
      const options = { predicted: model, details, neighbours: neighbourFrames };
      const { frames: { limits } } = checkPerformance(frame, options);
      const { marked, lost } = markRows(limits, hourly.axis);
      const taken = hourly.power.map((power, i) => power - limited[0][i] || 0);
      const add = (counts: (i: number) => boolean) =>
        taken.reduce((sum, one, i) => counts(i) ? sum + one / 1000 : sum, 0);
      return { taken: add(() => true), detected: add((i) => marked[i] === 1), lost };
    };
    const before = check(undefined, true);
    for (const level of LEVELS) {
      for (const all of level === 0 ? [true] : [true, false]) {
        const { taken, detected, lost } = check(level, all);
        const key = `${100 * level} % in ${all ? "all turbines" : "one"}`;
        const sum = sums.get(key) ?? [0, 0, 0, 0];
        sums.set(key, [sum[0] + taken, sum[1] + detected, sum[2] + lost, sum[3] + before.lost]);
      }
    }
  }
  for (const [key, [taken, detected, lost, before]] of sums) {
    say(
      `${name}, ${data.turbines.length} turbines, limits at ${key}: ${
        (100 * detected / taken).toFixed(1)
      } % of ${taken.toFixed(0)} MWh found, valued at ${lost.toFixed(0)} MWh; without limits ${
        before.toFixed(0)
      } MWh`,
    );
  }
}

/**
 * Limits the power in worlds of known truth and in hours of real sites, and measures the share of the lost energy
 * found. The limit is stated by a set point or a flag, or not stated; then with neighbours or alone.
 *
 * @param count Number of worlds, of 24 to 36 months
 * @param say Prints the results
 * @param advance Called after each
 * @returns Goals that are missed, in words
 */
export async function limits(
  count: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const faults: string[] = [];
  const results = new Map<
    string,
    { taken: number; detected: number; lost: number; errors: number[]; hits: number }
  >();
  const wrong = new Map<string, [lost: number, possible: number]>();
  for (let number = FIRST_WORLD; number < FIRST_WORLD + count; number++) {
    const world = limitedWorld(number);
    for (const way of WAYS) {
      const [known, withNeighbours] = way;
      const clean = world.check(undefined, "not stated", withNeighbours);
      if (known === "not stated") {
        const [lost, possible] = wrong.get(nameWay(way)) ?? [0, 0];
        wrong.set(nameWay(way), [lost + clean.lost, possible + clean.possible]);
      }
      for (const level of LEVELS) {
        // Without neighbours, a limit of zero looks like a stop.
        if (level === 0 && known === "not stated" && !withNeighbours) continue;
        const { taken, detected, lost, low, high, normalRatio } = world.check(
          level,
          known,
          withNeighbours,
        );
        const key = `${100 * level} % of rated power, ${nameWay(way)}`;
        const sum = results.get(key) ?? { taken: 0, detected: 0, lost: 0, errors: [], hits: 0 };
        results.set(key, {
          ...{ taken: sum.taken + taken, detected: sum.detected + detected, lost: sum.lost + lost },
          errors: [...sum.errors, normalRatio - clean.normalRatio],
          hits: sum.hits + Number(low <= taken && taken <= high),
        });
      }
    }
    advance();
    await freeFrames();
  }
  for (const [key, { taken, detected, lost, errors, hits }] of results) {
    const share = 100 * detected / taken;
    const mean = errors.reduce((sum, one) => sum + one, 0) / count;
    const near = errors.filter((one) => Math.abs(one) <= GOALS.ratio).length;
    say(
      `${key}: ${share.toFixed(1)} % of the limited energy found, valued at ${
        (lost / taken).toFixed(2)
      } of the truth, within the 90 % interval in ${hits} of ${count} worlds; normal ratio ${
        mean.toFixed(2)
      } points off, within ${GOALS.ratio} points in ${near} worlds`,
    );
    const goal = key.includes("not stated") ? GOALS.undeclared : GOALS.declared;
    if (share < goal) faults.push(`${key}: ${share.toFixed(1)} % found, not ${goal}`);
    if (Math.abs(mean) > GOALS.ratio) faults.push(`${key}: normal ratio ${mean.toFixed(2)} off`);
  }
  for (const [key, [lost, possible]] of wrong) {
    const share = 100 * lost / possible;
    say(`no limit, ${key}: ${share.toFixed(2)} % of the energy is reported as limited`);
    if (share > GOALS.wrong) faults.push(`${share.toFixed(2)} % is called limited, ${key}`);
  }
  if (!dataPresent()) say("../shared/data is not here: no real hours");
  else for (const name of SITES) await limitSite(name, say);
  return faults;
}
