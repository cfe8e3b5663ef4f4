import { checkProduction } from "../../src/service/import/training_inputs.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import {
  chooseReferencePeriod,
  computeNormals,
} from "../../src/windindex/index/reference_period.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { computeUncertainty, type Interval } from "../../src/windindex/uncertainty/uncertainty.ts";
import { syntheticWorld } from "./_synthetic_world.ts";

/** Hit rates of 90 % intervals that may be, %. */
const BOUNDS = [85, 95] as const;

interface Hits {
  readonly k: boolean;
  readonly longTerm: boolean;
  /** Share of the months that were not trained on. */
  readonly months: number;
  readonly scaling: string;
  /** Whether production was hourly. */
  readonly hourly: boolean;
  /** Half the interval of the long-term mean, as a share of it. */
  readonly width: number;
}

const within = ({ low, high }: Interval, value: number) => value >= low && value <= high;

function countHits(number: number): Hits {
  const { turbine, climate, production, trained, truth, axis } = syntheticWorld(number);
  const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine);
  const { inputs } = checkProduction([production], turbine);
  const training = computeTrainingEnergies(
    buildTrainingSet(hub, inputs, turbine.timeZone),
    hub,
    turbine,
  );
  const calibration = calibrate(training);
  const power = computeModelledPower(turbine, calibration, hub);
  const months = computeMonthlyEnergies(power, hub.axis, turbine.timeZone).slice(0, -1);
  const reference = chooseReferencePeriod(months);
  const { k, longTerm, months: intervals } = computeUncertainty(training, calibration, {
    months,
    reference,
  });
  // The truth, by the same calendar; and the factor that all its years lead to.
  const produced = computeMonthlyEnergies(truth, axis, turbine.timeZone);
  const all = buildTrainingSet(
    hub,
    [{ production: { kind: "hourly", axis, power: truth } }],
    turbine.timeZone,
  );
  const trueFactor = calibrate(computeTrainingEnergies(all, hub, turbine, ["factor"])).k;
  const unseen = months.flatMap(({ year, month }, i) =>
    trained.has(12 * year + month) || intervals[i] === null ? [] : [within(
      intervals[i],
      produced.find((own) => own.year === year && own.month === month)!.energy!,
    )]
  );
  return {
    k: within(k!, trueFactor),
    longTerm: within(longTerm!, computeNormals(produced, reference).year),
    months: unseen.filter((hit) => hit).length / unseen.length,
    scaling: calibration.scaling.kind,
    hourly: production.kind === "hourly",
    width: (longTerm!.high - longTerm!.low) / 2 / computeNormals(months, reference).year,
  };
}

/**
 * How often 90 % intervals hold in worlds whose truth is known, and that contain what the engine lacks: wind of the
 * reanalysis that is wrong by the hour, for weeks and every season, a site that favours a direction, another power curve,
 * gusts that round it, stops and outages. Twelve to 36 months of production of 21 years, hourly or monthly.
 *
 * @param worlds Number of worlds
 * @param say Prints the results
 * @returns Hit rates out of bounds, in words
 */
export function hitRate(worlds: number, say: (line: string) => void): string[] {
  const hits = Array.from({ length: worlds }, (_, number) => countHits(number));
  const percent = (of: (world: Hits) => number, worlds: readonly Hits[] = hits) =>
    100 * worlds.reduce((sum, world) => sum + of(world), 0) / worlds.length;
  const scalings = Map.groupBy(hits, ({ scaling }) => scaling);
  say(
    `${worlds} synthetic worlds; selected: ${
      [...scalings].map(([kind, own]) => `${kind} ${own.length}`).join(", ")
    }; mean half-width of the long-term interval ${percent(({ width }) => width).toFixed(1)} %`,
  );
  const rates = [
    ["the long-term mean", percent(({ longTerm }) => Number(longTerm))],
    ["k", percent(({ k }) => Number(k))],
    ["months that were not trained on", percent(({ months }) => months)],
  ] as const;
  for (const [what, rate] of rates) {
    say(`90 % intervals of ${what} hold in ${rate.toFixed(1)} %`);
  }
  // Months in MWh do not show short outages: what a turbine gives without them is underestimated.
  const [hourly, monthly] = [true, false].map((kind) => {
    const own = hits.filter(({ hourly }) => hourly === kind);
    return `${own.length} worlds ${percent(({ longTerm }) => Number(longTerm), own).toFixed(1)} %`;
  });
  say(`of the long-term mean: from hourly production ${hourly}, from monthly ${monthly}`);
  return rates.filter(([, rate]) => rate < BOUNDS[0] || rate > BOUNDS[1])
    .map(([what, rate]) =>
      `90 % intervals of ${what} hold in ${rate.toFixed(1)} %, not 85 to 95 %`
    );
}
