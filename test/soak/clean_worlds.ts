import {
  checkPerformance,
  type PerformanceCheck,
} from "../../src/analysis/check_performance/check_performance.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { HOUR } from "../../src/time/hourly.ts";
import { hoursFrame } from "../validate/_served_site.ts";
import { type CleanWorld, cleanWorld } from "./_clean_world.ts";

/** The limits were chosen on worlds 0 to 149. */
const FIRST_WORLD = 1000;

/** Goals: largest share of months outside of the band, smallest share of intervals that contain the truth. */
const GOALS = { outside: 1 / 200, hits: 0.85 } as const;

/** Length of an injected stop, h, and its smallest cost to count, hours of rated power. */
const STOP = { hours: 240, minCost: 5 } as const;

/** Findings in a world. */
interface Reported {
  readonly months: number;
  readonly outside: number;
  /** Whether the import reports standstill. */
  readonly standstill: boolean;
  /** Detected outages; all are false. */
  readonly outages: number;
  /** The injected stop; `null` if it costs too little. */
  readonly stop: { readonly detected: boolean; readonly hit: boolean } | null;
}

function check({ model, indices, details, hours }: CleanWorld, power: Float64Array) {
  const production = hoursFrame(hours.axis.start, { power }, details.time_zone!);
  return checkPerformance(production, { predicted: model, indices, details });
}

/** Finds the outage that contains a stop, and checks whether its interval contains the removed energy. */
function judgeStop(
  { frames: { outages } }: PerformanceCheck,
  [from, to]: readonly [from: number, to: number],
  removed: number,
): Reported["stop"] {
  const outage = outages.toRecords().find((row) =>
    Number(row.from) <= from && Number(row.to) >= to
  );
  const hit = outage !== undefined && Number(outage.lost_low) <= removed &&
    removed <= Number(outage.lost_high);
  return { detected: outage !== undefined, hit };
}

function reportWorld(number: number): Reported {
  const world = cleanWorld(number);
  const { hours: { power, axis }, details, findings } = world;
  const { frames: { comparison, outside, outages } } = check(world, power);
  const states = comparison.getColumn("state").toArray();
  const first = new SeededRandom(`stop ${number}`).below(power.length - STOP.hours);
  const taken = power.subarray(first, first + STOP.hours);
  const removed = taken.reduce((sum, value) => sum + value, 0) / 1000;
  const stopped = power.slice().fill(0, first, first + STOP.hours);
  const start = axis.start + first * HOUR;
  return {
    months: states.filter((state) => state !== null && state !== "incomplete").length,
    outside: outside.height,
    standstill: findings.some((line) => line.startsWith("standstill")),
    outages: outages.height,
    stop: removed < STOP.minCost * details.rated_power! / 1000
      ? null
      : judgeStop(check(world, stopped), [start, start + STOP.hours * HOUR], removed),
  };
}

/**
 * Counts false reports about turbines that always run: months outside of the band of `checkPerformance()`, detected
 * outages, standstill reported by an import. Then checks that a stop of ten days in each is found.
 *
 * @param worlds Number of worlds, of 24 to 36 months
 * @param say Prints the results
 * @param advance Called after each
 * @returns Goals that are missed, in words
 */
export function cleanWorlds(
  worlds: number,
  say: (line: string) => void,
  advance: () => void,
): string[] {
  const reported = Array.from({ length: worlds }, (_, i) => {
    advance();
    return reportWorld(FIRST_WORLD + i);
  });
  const sum = (value: (world: Reported) => number) =>
    reported.reduce((total, world) => total + value(world), 0);
  const [months, outside] = [sum((world) => world.months), sum((world) => world.outside)];
  const standstill = sum((world) => Number(world.standstill));
  const stops = reported.flatMap(({ stop }) => stop ? [stop] : []);
  const detectedStops = stops.filter((stop) => stop.detected).length;
  const hits = stops.filter((stop) => stop.hit).length;
  say(`${worlds} synthetic worlds whose turbine always runs, ${months} months`);
  say(`outside of the band: ${outside} months, one in ${Math.round(months / outside)}`);
  say(`imports that report standstill: ${standstill}`);
  say(`outages detected: ${sum((world) => world.outages)}`);
  say(`stops of ten days found: ${detectedStops} of ${stops.length}`);
  say(`90 % intervals of their lost energy that contain it: ${hits} of ${stops.length}`);
  return [
    ...(outside <= GOALS.outside * months
      ? []
      : [`${outside} of ${months} months are outside of the band, more than one in 200`]),
    ...(standstill === 0 ? [] : [`${standstill} imports report standstill`]),
    ...(detectedStops === stops.length
      ? []
      : [`${stops.length - detectedStops} stops of ten days are not found`]),
    ...(hits >= GOALS.hits * stops.length
      ? []
      : [`${hits} of ${stops.length} intervals contain the lost energy, less than 85 %`]),
  ];
}
