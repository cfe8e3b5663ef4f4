import { checkPerformance } from "../../src/analysis/check_performance/check_performance.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { HOUR } from "../../src/time/hourly.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { buildMask } from "../../src/screening/finding.ts";
import { findIdle } from "../../src/screening/values/neighbours.ts";
import { markdownTable, mean, type Section } from "./_page_parts.ts";
import { hoursFrame, servedTurbine } from "./_served_site.ts";
import { computeHub } from "./_site_data.ts";

/** Title of the section. */
export const LONG_STOPS = "Kelmarsh, 2018: stops of ten days put into real hours";

/** Length of an injected stop, and hours from one start to the next. */
const STOP = { hours: 240, every: 288 };

/** Share of the hours of a stop that must have production. */
const MIN_KNOWN = 0.9;

/** A stop injected into real hours. */
interface InjectedStop {
  /** Energy removed, MWh. */
  readonly removed: number;
  /** The same, with the neighbours' mean for hours in which the turbine had stopped by itself, MWh. */
  readonly missed: number;
  /** Lost energy that the check reports, MWh, with its 90 % interval; `undefined` if it misses the stop. */
  readonly lost:
    | { readonly energy: number; readonly low: number; readonly high: number }
    | undefined;
}

/** Results of a turbine. */
interface LongStops {
  readonly turbine: string;
  readonly stops: readonly InjectedStop[];
  /** Outages found in the original hours. */
  readonly clean: number;
}

/** Smallest energy of a stop to find, MWh; share of hits; most outages in the original hours. */
const GOALS = { energy: 10, hits: 0.9, clean: 14 } as const;

/**
 * Sets ten days to zero every twelve days, one stop at a time, and checks whether `checkPerformance()` finds the stop
 * without neighbours, and its lost energy. The model is calibrated on the original hours.
 *
 * @param data The site
 * @param position Which of its turbines
 */
function injectStops(data: SiteData, position: number): LongStops {
  const { turbine, production } = data.turbines[position];
  const hub = computeHub(data, turbine);
  const hours = production[0] as HourlyProduction;
  const neighbours = data.turbines.filter((other) => other.turbine !== turbine).map((other) => ({
    ratedPower: other.turbine.ratedPower,
    production: other.production[0] as HourlyProduction,
  }));
  const { inputs } = checkProduction(production, turbine, [], neighbours, hub);
  const { model, details } = servedTurbine(turbine, hub, inputs);
  const idle = buildMask(
    findIdle(
      hours.power,
      neighbours.map(({ ratedPower, production: { power } }) => ({ power, ratedPower })),
      turbine.ratedPower,
    ),
    hours.power.length,
  );
  /** Production of the turbine, or the neighbours' mean where it had stopped. */
  const given = hours.power.map((power, i) =>
    idle[i] === 1 ? mean(neighbours.map((other) => other.production.power[i])) : power
  );
  const sum = (values: Float64Array) =>
    values.reduce((total, value) => Number.isNaN(value) ? total : total + value, 0) / 1000;
  const check = (power: Float64Array) => {
    const frame = hoursFrame(hours.axis.start, { power }, "UTC");
    const { frames: { outages } } = checkPerformance(frame, { predicted: model, details });
    return outages.toRecords().map((row) => ({
      from: Number(row.from),
      to: Number(row.to),
      energy: Number(row.lost),
      low: Number(row.lost_low),
      high: Number(row.lost_high),
    }));
  };
  const stops: InjectedStop[] = [];
  for (let from = 0; from + STOP.hours <= hours.power.length; from += STOP.every) {
    const taken = hours.power.subarray(from, from + STOP.hours);
    if (taken.filter((power) => !Number.isNaN(power)).length < MIN_KNOWN * STOP.hours) continue;
    const power = hours.power.slice();
    for (let i = from; i < from + STOP.hours; i++) if (!Number.isNaN(power[i])) power[i] = 0;
    const start = hours.axis.start + from * HOUR;
    // At least 90 % of the stop, because a part of it is not a hit.
    const lost = check(power).find((outage) =>
      Math.min(outage.to, start + STOP.hours * HOUR) - Math.max(outage.from, start) >=
        0.9 * STOP.hours * HOUR
    );
    stops.push({
      removed: sum(taken),
      missed: sum(given.subarray(from, from + STOP.hours)),
      lost,
    });
  }
  return { turbine: turbine.id, stops, clean: check(hours.power).length };
}

const isHit = ({ lost }: InjectedStop, energy: number) =>
  lost !== undefined && lost.low <= energy && energy <= lost.high;

/**
 * The section of the page: ten days removed from the hours of each turbine.
 *
 * @param data Kelmarsh
 */
export function longStopsSection(data: SiteData): Section {
  const results = data.turbines.map((_, position) => injectStops(data, position));
  const all = results.flatMap(({ stops }) => stops);
  const large = (stops: readonly InjectedStop[]) =>
    stops.filter(({ removed }) => removed > GOALS.energy);
  const count = (stops: readonly InjectedStop[], condition: (stop: InjectedStop) => boolean) =>
    `${stops.filter(condition).length} of ${stops.length}`;
  const describe = (name: string, stops: readonly InjectedStop[], clean: number) => [
    name,
    `${Math.min(...stops.map(({ removed }) => removed)).toFixed(0)} to ${
      Math.max(...stops.map(({ removed }) => removed)).toFixed(0)
    } MWh`,
    count(large(stops), ({ lost }) => lost !== undefined),
    count(large(stops), (stop) => isHit(stop, stop.missed)),
    count(large(stops), (stop) => isHit(stop, stop.removed)),
    String(clean),
  ];
  const clean = results.reduce((sum, result) => sum + result.clean, 0);
  const unseen = large(all).filter(({ lost }) => lost === undefined).length;
  const hits = large(all).filter((stop) => isHit(stop, stop.missed)).length;
  return {
    lines: [
      `## ${LONG_STOPS}`,
      "",
      "In each run, we set the production of ten consecutive days to zero.",
      "In each run, the stop starts twelve days later than in the run before.",
      "At least 90 % of the hours of these ten days must have production data.",
      "We calibrate the model on the unchanged hours.",
      "In this test, `checkPerformance()` gets no data of neighbours.",
      `The column "found" shows how many stops of more than ${GOALS.energy} MWh \`checkPerformance()\` finds.`,
      "The next two columns show how often the 90 % interval of the lost energy contains the energy in the column title.",
      'The title "removed" means the energy that we set to zero.',
      'The title "would have given" adds the energy of hours in which the real turbine stood still while its neighbours ran.',
      "For such hours, we use the mean production of the neighbours.",
      'The column "without" shows the number of real outages that `checkPerformance()` finds in the unchanged hours.',
      "",
      ...markdownTable(
        [
          "turbine",
          "removed",
          "found",
          "interval, would have given",
          "interval, removed",
          "without",
        ],
        [
          ...results.map((result) => describe(result.turbine, result.stops, result.clean)),
          describe("together", all, clean),
        ],
      ),
      "",
      "A stop counts as an outage only if its expected energy exceeds a limit.",
      "We chose this limit in synthetic worlds (`deno task soak cleanWorlds`).",
      "All turbines have the same wind, so there are fewer independent cases than stops.",
      "",
    ],
    missed: [
      ...(unseen === 0 ? [] : [`Kelmarsh: ${unseen} stops of ten days are not found`]),
      ...(hits >= GOALS.hits * large(all).length
        ? []
        : [`Kelmarsh: ${hits} of ${large(all).length} intervals contain the energy of ten days`]),
      ...(clean <= GOALS.clean
        ? []
        : [`Kelmarsh: ${clean} outages in the hours as they are, more than ${GOALS.clean}`]),
    ],
  };
}
