import { mean } from "../../src/stats/spread.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import {
  adjustLevel,
  calibrate,
  type Calibration,
} from "../../src/windindex/calibration/calibration.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import {
  computeTrainingEnergies,
  DEFAULT_SMOOTHING,
  type TrainingEnergies,
} from "../../src/windindex/calibration/training_energies.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower, type PowerModel } from "../../src/windindex/power_model.ts";
import { fitScaling } from "../../src/windindex/scaling/fit_scaling.ts";
import { computePeriodEnergy } from "../../src/windindex/scaling/energy_ladder.ts";
import {
  computeHubConditions,
  type HubConditions,
} from "../../src/windindex/turbine/hub_conditions.ts";
import { drawError } from "./hit_rate.ts";
import { measureProduction, type SimulatedWorld, simulateWorld } from "./_synthetic_world.ts";

/** Lengths of the record. */
const MONTHS = [12, 24, 36, 60] as const;

/** Ways to calibrate: all choices as selected, or one of them undone. */
const CHOICES = ["all as selected", "usual smoothing", "one factor", "equal weights"] as const;

/** A model, and its error in the record itself. */
interface Prediction {
  readonly model: PowerModel;
  /** Mean absolute error of months of the record, each predicted without itself, over their mean energy. */
  readonly unseen: number;
}

/** Errors of the months of the record, each predicted without itself, and of the months of all other years. */
type Errors = Readonly<Record<"unseen" | "other", number>>;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Sum of the absolute errors over the sum of the truth. */
function measureError(pairs: readonly (readonly [predicted: number, truth: number])[]): number {
  return sum(pairs.map(([predicted, truth]) => Math.abs(predicted - truth))) /
    sum(pairs.map(([, truth]) => truth));
}

function readSelected(calibration: Calibration): Prediction {
  const used = calibration.periods.filter(({ used, unseen }) => used && unseen !== null);
  return {
    model: calibration,
    unseen: measureError(used.map(({ unseen, produced }) => [unseen!, produced])),
  };
}

/** Fits the selected scaling with equal weights of all used periods. */
function fitEqually({ set, hub, turbine }: TrainingEnergies, selected: Calibration): Prediction {
  const { scaling: { kind }, smoothing } = selected;
  const training = computeTrainingEnergies(set, hub, turbine, [kind], smoothing);
  const used = new Map(selected.periods.map(({ label, used }) => [label, used]));
  const counted = Float64Array.from(training.periods, ({ label }) => Number(used.get(label)));
  const [modelled, produced] = [training.modelled.get(kind)!, training.produced.get(kind)!];
  const { scaling } = adjustLevel(fitScaling(modelled, produced, counted), training, counted);
  const pairs = [...counted.keys()].filter((period) => counted[period] > 0).map((period) => {
    const others = counted.map((one, i) => i === period ? 0 : one);
    const unseenScaling = fitScaling(modelled, produced, others);
    return [computePeriodEnergy(modelled, period, unseenScaling), produced.energy[period]] as const;
  });
  return { model: { scaling, smoothing }, unseen: measureError(pairs) };
}

function predictByChoices(
  world: SimulatedWorld,
  hub: HubConditions,
  production: ReturnType<typeof measureProduction>["production"],
): Prediction[] {
  const { turbine } = world;
  const { inputs } = checkProduction([production], turbine, [], [], hub);
  const set = buildTrainingSet(hub, inputs, turbine.timeZone);
  const training = computeTrainingEnergies(set, hub, turbine);
  const selected = calibrate(training);
  return [
    readSelected(selected),
    readSelected(calibrate(training, [DEFAULT_SMOOTHING])),
    readSelected(calibrate(computeTrainingEnergies(set, hub, turbine, ["factor"]))),
    fitEqually(training, selected),
  ];
}

/** Largest increase of the error of other years by a choice, as a share. */
const TOLERANCE = 0.02;

/**
 * Measures whether the choices of a calibration suit other years, in worlds whose other years are known. It undoes
 * smoothing, kind of scaling and weights of months in turn.
 *
 * @param worlds Number of worlds
 * @param say Prints the results
 * @param advance Called after each
 * @returns Choices that make other years worse, in words
 */
export function otherYears(
  worlds: number,
  say: (line: string) => void,
  advance: () => void,
): string[] {
  const ways = (["hour", "month"] as const).flatMap((resolution) =>
    MONTHS.map((months) => ({ resolution, months, errors: CHOICES.map((): Errors[] => []) }))
  );
  for (let number = 0; number < worlds; number++) {
    const world = simulateWorld(number, drawError(number));
    const { turbine, climate, truth, produced, axis, spans } = world;
    const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine);
    const measured = {
      hour: computeMonthlyEnergies(truth, axis, turbine.timeZone),
      month: computeMonthlyEnergies(produced, axis, turbine.timeZone),
    };
    for (const { resolution, months, errors } of ways) {
      const first = 7 * number % (spans.length - months + 1);
      const { production, trained } = measureProduction(world, { resolution, months, first });
      const known = new Map(
        measured[resolution].map(({ year, month, energy }) => [12 * year + month, energy!]),
      );
      predictByChoices(world, hub, production).forEach(({ model, unseen }, i) => {
        const power = computeModelledPower(turbine, model, hub);
        const pairs = computeMonthlyEnergies(power, hub.axis, turbine.timeZone)
          .flatMap(({ year, month, energy }) => {
            const label = 12 * year + month;
            return trained.has(label) || !known.has(label)
              ? []
              : [[energy!, known.get(label)!] as const];
          });
        errors[i].push({ unseen, other: measureError(pairs) });
      });
    }
    advance();
  }
  say(
    `${worlds} synthetic worlds; errors of a month in %: unseen months of the record | months of other years`,
  );
  say(["".padEnd(18), ...CHOICES.map((choice) => choice.padStart(15))].join(" "));
  return ways.flatMap(({ resolution, months, errors }) => {
    const averages = errors.map((all) => ({
      unseen: mean(all.map(({ unseen }) => unseen)),
      other: mean(all.map(({ other }) => other)),
    }));
    const way = `${resolution}ly, ${months} months`;
    const percent = (share: number) => (100 * share).toFixed(2);
    const cells = averages.map(({ unseen, other }) =>
      `${percent(unseen)} | ${percent(other)}`.padStart(15)
    );
    say([way.padEnd(18), ...cells].join(" "));
    const [{ other: selected }, ...held] = averages;
    return held.flatMap(({ other }, i) =>
      selected <= (1 + TOLERANCE) * other
        ? []
        : [`${way}: ${percent(selected)} %, with ${CHOICES[i + 1]} ${percent(other)} %`]
    );
  });
}
