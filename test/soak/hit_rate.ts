import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import {
  computeMonthlyEnergies,
  type MonthlyEnergy,
} from "../../src/windindex/index/monthly_energy.ts";
import {
  chooseReferencePeriod,
  computeNormals,
} from "../../src/windindex/index/reference_period.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import {
  computeHubConditions,
  type HubConditions,
} from "../../src/windindex/turbine/hub_conditions.ts";
import {
  type Interval,
  LEVEL_PRIOR,
  SEASON_PRIOR,
} from "../../src/windindex/uncertainty/error_terms.ts";
import { computeUncertainty } from "../../src/windindex/uncertainty/uncertainty.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import {
  measureProduction,
  type ReanalysisError,
  type SimulatedWorld,
  simulateWorld,
} from "./_synthetic_world.ts";

/** Allowed hit rates of 90 % intervals, %. */
const BOUNDS = [86, 94] as const;

/** Ways of training; each must have a hit rate within the bounds. */
const WAYS = [
  { resolution: "hour", months: 1 },
  { resolution: "hour", months: 3 },
  { resolution: "hour", months: 6 },
  { resolution: "hour", months: 12 },
  { resolution: "hour", months: 24 },
  { resolution: "hour", months: 36 },
  { resolution: "month", months: 1 },
  { resolution: "month", months: 6 },
  { resolution: "month", months: 12 },
  { resolution: "month", months: 36 },
  { resolution: "year", months: 48 },
] as const;

type Way = typeof WAYS[number];

/** Relative change of energy per relative change of the wind: mean of the first thirty worlds. */
const SENSITIVITY = 1.81;

/**
 * Draws errors of a reanalysis like at the real sites: the standard deviations of the priors of the engine for the
 * wave of the year (6 % of the energy; 2.4, 4.2 and 9.4 % at two sites) and for the level from year to year, and a
 * wandering error.
 */
export function drawError(number: number): ReanalysisError {
  const random = new SeededRandom(`error ${number}`);
  return {
    wandering: 0.02,
    seasonal: Math.abs(SEASON_PRIOR.deviation * Math.SQRT2 * random.normal()) / SENSITIVITY,
    annual: LEVEL_PRIOR.deviation / SENSITIVITY,
  };
}

interface Hits {
  readonly longTerm: boolean;
  /** Hit rate of the months outside the training, as a share. */
  readonly months: number;
  /** Half width of the interval of the long-term mean, as a share of it. */
  readonly width: number;
  /** Mean interval score of these months, as a share of a normal month. */
  readonly score: number;
}

/**
 * Interval score at 90 %: the width, plus twenty times the distance of a value outside. T. Gneiting and A. Raftery, "Strictly proper
 * scoring rules" (2007), equation 43.
 */
export const scoreInterval = ({ low, high }: Interval, value: number) =>
  high - low + 20 * (Math.max(0, low - value) + Math.max(0, value - high));

const within = ({ low, high }: Interval, value: number) => value >= low && value <= high;

function countHits(
  world: SimulatedWorld,
  hub: HubConditions,
  produced: readonly MonthlyEnergy[],
  { resolution, months: length }: Way,
): Hits {
  const { turbine, spans } = world;
  // Windows begin at the same random place for each way of a world; windows of whole years begin in January.
  const random = new SeededRandom(`window ${turbine.id}`);
  const place = random.uniform();
  const january = spans.findIndex(({ month }) => month === 1);
  const first = resolution === "year"
    ? january + 12 * Math.floor(place * Math.floor((spans.length - january - length) / 12))
    : Math.floor(place * (spans.length - length));
  const { production, trained } = measureProduction(world, { resolution, months: length, first });
  const { inputs } = checkProduction([production], turbine, [], [], hub);
  const training = computeTrainingEnergies(
    buildTrainingSet(hub, inputs, turbine.timeZone),
    hub,
    turbine,
  );
  const calibration = calibrate(training);
  const power = computeModelledPower(turbine, calibration, hub);
  const months = computeMonthlyEnergies(power, hub.axis, turbine.timeZone).slice(0, -1);
  const reference = chooseReferencePeriod(months);
  const { longTerm, months: intervals } = computeUncertainty(training, calibration, {
    months,
    reference,
  });
  const unseen = months.flatMap(({ year, month }, i) =>
    trained.has(12 * year + month) ? [] : [{
      interval: intervals[i]!,
      energy: produced.find((other) => other.year === year && other.month === month)!.energy!,
    }]
  );
  const normal = computeNormals(produced, reference).year;
  return {
    longTerm: within(longTerm, normal),
    months: mean(unseen.map(({ interval, energy }) => Number(within(interval, energy)))),
    width: (longTerm.high - longTerm.low) / 2 / computeNormals(months, reference).year,
    score: mean(unseen.map(({ interval, energy }) => scoreInterval(interval, energy))) / normal *
      12,
  };
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Counts how often 90 % intervals contain the truth of synthetic worlds, for each way of training. The worlds contain
 * errors that the engine does not model: reanalysis wind that is wrong by the hour, for weeks, every season and from
 * year to year, a site that favours a direction, another power curve, gusts that round it, stops and outages.
 *
 * @param worlds Number of worlds
 * @param say Prints the results
 * @param advance Called after each
 * @returns Hit rates out of bounds, in words
 */
export function hitRate(
  worlds: number,
  say: (line: string) => void,
  advance: () => void,
): string[] {
  const hits = WAYS.map((): Hits[] => []);
  for (let number = 0; number < worlds; number++) {
    const world = simulateWorld(number, drawError(number));
    const { turbine, climate, truth, produced, axis } = world;
    const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine);
    // Outages show in hours, so they are not fitted. Energies of months and years contain them, and so do their
    // predictions.
    const running = computeMonthlyEnergies(truth, axis, turbine.timeZone);
    const measured = computeMonthlyEnergies(produced, axis, turbine.timeZone);
    WAYS.forEach((way, i) =>
      hits[i].push(countHits(world, hub, way.resolution === "hour" ? running : measured, way))
    );
    advance();
  }
  say(
    `${worlds} synthetic worlds, each trained in ${WAYS.length} ways; 90 % intervals contain the truth in`,
  );
  const faults: string[] = [];
  WAYS.forEach(({ resolution, months }, i) => {
    const percent = (of: (hit: Hits) => number) => 100 * mean(hits[i].map(of));
    const rates = {
      "long-term": percent(({ longTerm }) => Number(longTerm)),
      "unseen months": percent((hit) => hit.months),
    };
    const way = resolution === "year"
      ? `annual, ${months / 12} years`
      : `${resolution}ly, ${months} months`;
    const shown = Object.entries(rates).map(([what, rate]) => `${what} ${rate.toFixed(1)} %`);
    const width = percent((hit) => hit.width).toFixed(1);
    say(
      `${way.padEnd(18)} ${shown.join(", ")}; half-width of the long-term mean ${width} %, ` +
        `score of months ${percent((hit) => hit.score).toFixed(0)} %`,
    );
    for (const [what, rate] of Object.entries(rates)) {
      if (rate >= BOUNDS[0] && rate <= BOUNDS[1]) continue;
      faults.push(`${way}: ${what} ${rate.toFixed(1)} %, not ${BOUNDS[0]} to ${BOUNDS[1]} %`);
    }
  });
  return faults;
}
