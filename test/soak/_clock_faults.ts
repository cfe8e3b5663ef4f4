import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { HOUR } from "../../src/time/hourly.ts";
import { computeTurbine } from "../../src/sites/calibration/compute_turbine.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { syntheticWorld } from "./_synthetic_world.ts";

/** Fewest hours before and after a clock error begins: two months. */
const EDGE = 61 * 24;

/**
 * Writes production by a late clock. If two values fall into one hour, the first stays, as in a source with a row per
 * hour.
 *
 * @param production Production on real hours
 * @param hoursAt Hours by which the clock is late at an instant
 */
export function writeByClock(
  { axis, power }: HourlyProduction,
  hoursAt: (instant: number) => number,
): HourlyProduction {
  const written = new Float64Array(power.length).fill(NaN);
  power.forEach((value, i) => {
    const at = i + hoursAt(axis.start + i * HOUR);
    if (at >= 0 && at < written.length && Number.isNaN(written[at])) written[at] = value;
  });
  return { kind: "hourly", axis, power: written };
}

/** Offset of a zone from UTC at an instant, h. */
export function offsetAt(instant: number, timeZone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
    .offsetNanoseconds / 3.6e12;
}

/**
 * Returns the clock findings of an import that also calibrates on the production.
 *
 * @param site The site
 * @param position Which of its turbines
 * @param production Its production
 */
export function importClock(
  site: SiteData,
  position: number,
  production: HourlyProduction,
): string[] {
  const turbines = site.turbines.map((turbine, i) =>
    i === position ? { ...turbine, production: [production] } : turbine
  );
  const earlier = { calibration: null, nextRevision: 1, recalibrate: false };
  const { findings } = computeTurbine({ ...site, turbines }, position, [], earlier);
  return findings.filter((line) => line.startsWith("production comes"));
}

/** Days between an instant and the date of a clock finding; NaN if the finding has no date. */
export function daysOff(finding: string, instant: number): number {
  const day = /from (\d{4}-\d\d-\d\d) on/.exec(finding)?.[1] ?? "";
  return Math.abs(Date.parse(day) - instant) / (24 * HOUR);
}

/** A synthetic site with one turbine and hourly production, and the instant at which its clock may go wrong. */
export interface ClockWorld {
  readonly site: SiteData;
  readonly production: HourlyProduction;
  readonly timeZone: string;
  /** A random hour at least two months from either end. */
  readonly instant: number;
}

/**
 * Draws worlds with 12 to 36 months of hourly production.
 *
 * @param count How many
 */
export function* clockWorlds(count: number): Generator<ClockWorld> {
  for (let number = 0, drawn = 0; drawn < count; number++) {
    const { turbine, climate, production } = syntheticWorld(number);
    if (production.kind !== "hourly") continue;
    drawn++;
    const random = new SeededRandom(`clock ${number}`);
    const hour = EDGE + random.below(production.power.length - 2 * EDGE);
    yield {
      site: {
        site: turbine.id,
        fingerprint: turbine.id,
        world: "own",
        reanalyses: [{
          dataset: {
            serviceId: "synthetic",
            group: "",
            type: "",
            shortDescription: "",
            longDescription: "",
            url: "",
            attribution: [],
          },
          climate,
        }],
        turbines: [{ turbine, production: [production], exclusions: [] }],
      },
      production,
      timeZone: turbine.timeZone,
      instant: production.axis.start + hour * HOUR,
    };
  }
}
