import {
  checkPerformance,
  type PerformanceCheck,
} from "../../src/analysis/check_performance/check_performance.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { HOUR } from "../../src/time/hourly.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { markdownTable, type Section } from "./_page_parts.ts";
import { hoursFrame, servedTurbine } from "./_served_site.ts";
import { computeHub } from "./_site_data.ts";

/** Title of the section. */
export const LASTING_LOSSES = "Kelmarsh, 2018: losses from a date on";

/** Months of 2018 with whose first day a loss begins. */
const MONTHS = [4, 7, 10] as const;

/** Shares of the power that are lost. */
const LOSSES = [0.05, 0.1, 0.2] as const;

/** Largest distance of a date counted as found, ms. */
const NEAR = 60 * 24 * HOUR;

/** Distance to rated power from which the whole share is lost, as a share of it, where the loss vanishes at rated power. */
const FADING = 0.2;

/** How the power is lost. */
type Kind = "of power" | "vanishing at rated power";

/** Hours the model was calibrated on: without the loss, or with it, as an unaware owner would do. */
type Calibration = "clean year" | "year with the loss";

/** Whether a check has neighbours. */
type Against = "alone" | "neighbours";

/** Counts of losses that were found. */
export interface FoundLosses {
  readonly kind: Kind;
  readonly calibration: Calibration;
  readonly against: Against;
  readonly loss: number;
  readonly detected: number;
  /** Found within 60 days of the date. */
  readonly near: number;
  /** Found with a 90 % interval that contains the lost share of the energy. */
  readonly hits: number;
  readonly cases: number;
}

/** Injected losses, and changes found without a loss. */
export interface LastingLosses {
  readonly losses: readonly FoundLosses[];
  /** Changes found in the original hours of four turbines, alone and with neighbours. */
  readonly clean: Readonly<Record<Against, number>>;
}

function reducePower(power: number, loss: number, kind: Kind, rated: number): number {
  const part = kind === "of power"
    ? 1
    : Math.min(1, Math.max(0, (rated - power) / (FADING * rated)));
  return power * (1 - loss * part);
}

function readSteps({ frames: { changes } }: PerformanceCheck) {
  return changes.toRecords().filter(({ change }) => change !== "limit")
    .map((row) => ({
      from: Number(row.from),
      low: Number(row.size_low) / 100,
      high: Number(row.size_high) / 100,
    }));
}

/**
 * Reduces the real hours of each turbine by 5, 10 and 20 % from a date on, and counts the losses that
 * `checkPerformance()` finds, alone and with neighbours.
 *
 * @param data Kelmarsh, 2018
 */
export function lastingLosses(data: SiteData): LastingLosses {
  const turbines = data.turbines.map(({ turbine, production }, position) => {
    const hub = computeHub(data, turbine);
    const hours = production[0] as HourlyProduction;
    const others = data.turbines.filter((_, i) => i !== position).map((other) => ({
      ratedPower: other.turbine.ratedPower,
      production: other.production[0] as HourlyProduction,
    }));
    const frameOf = (power: Float64Array) => hoursFrame(hours.axis.start, { power }, "UTC");
    const serve = (power: Float64Array) =>
      servedTurbine(
        turbine,
        hub,
        checkProduction([{ ...hours, power }], turbine, [], others).inputs,
      );
    const neighbours = others.map(({ production: { power } }) => frameOf(power));
    const check = (
      { model, details }: ReturnType<typeof serve>,
      power: Float64Array,
      against: Against,
    ) =>
      readSteps(checkPerformance(frameOf(power), {
        predicted: model,
        details: { ...details, power_curve: null }, // saves time: changes do not depend on the air density
        ...(against === "alone" ? {} : { neighbours }),
      }));
    return { turbine, hours, serve, check, clean: serve(hours.power) };
  });
  const kinds: readonly Kind[] = ["of power", "vanishing at rated power"];
  const all = ["alone", "neighbours"] as const;
  const counts = new Map<string, FoundLosses>();
  for (const { turbine, hours, serve, check, clean } of turbines) {
    for (const kind of kinds) {
      for (const month of MONTHS) {
        const date = Date.UTC(2018, month - 1);
        const first = (date - hours.axis.start) / HOUR;
        for (const loss of LOSSES) {
          const power = hours.power.map((value, i) =>
            i >= first ? reducePower(value, loss, kind, turbine.ratedPower) : value
          );
          const sum = (values: Float64Array) =>
            values.subarray(first).reduce((total, v) => Number.isNaN(v) ? total : total + v, 0);
          const share = sum(power) / sum(hours.power) - 1;
          const models = { "clean year": clean, "year with the loss": serve(power) };
          for (const [calibration, served] of Object.entries(models)) {
            for (const against of all) {
              const steps = check(served, power, against);
              const near = steps.filter(({ from }) => Math.abs(from - date) <= NEAR);
              const key = [kind, calibration, against, loss].join();
              const before = counts.get(key) ?? {
                kind,
                calibration: calibration as Calibration,
                against,
                loss,
                detected: 0,
                near: 0,
                hits: 0,
                cases: 0,
              };
              const [nearest] = steps.sort((a, b) =>
                Math.abs(a.from - date) - Math.abs(b.from - date)
              );
              counts.set(key, {
                ...before,
                detected: before.detected + (steps.length > 0 ? 1 : 0),
                near: before.near + (near.length > 0 ? 1 : 0),
                hits: before.hits +
                  (nearest && nearest.low <= share && share <= nearest.high ? 1 : 0),
                cases: before.cases + 1,
              });
            }
          }
        }
      }
    }
  }
  const countClean = (against: Against) =>
    turbines.reduce(
      (sum, { hours, check, clean }) => sum + check(clean, hours.power, against).length,
      0,
    );
  return {
    losses: [...counts.values()],
    clean: { alone: countClean("alone"), neighbours: countClean("neighbours") },
  };
}

/** Fewest of twelve to find within 60 days, by loss, alone and with neighbours. */
const GOALS = { alone: [8, 12, 12], neighbours: [undefined, 12, undefined] } as const;

const formatList = (numbers: readonly number[]) =>
  new Intl.ListFormat("en-GB").format(numbers.map(String));

/** Writes the section of the page. */
export function lastingLossesSection(data: SiteData): Section {
  const { losses, clean } = lastingLosses(data);
  const percent = (loss: number) => `${100 * loss} %`;
  const describe = ({ kind, calibration, against, loss, near, cases }: FoundLosses) =>
    `Kelmarsh, a loss of ${
      percent(loss)
    } ${kind}, ${against}, calibrated on the ${calibration}: ${near} of ${cases} found with the date within 60 days`;
  const missed = losses.flatMap((row) => {
    const goal = row.kind === "of power" && row.calibration === "clean year"
      ? GOALS[row.against][LOSSES.findIndex((loss) => loss === row.loss)]
      : undefined;
    return goal === undefined || row.near >= goal ? [] : [`${describe(row)}, not ${goal}`];
  });
  const vanishing = losses.filter(({ kind, calibration, against }) =>
    kind === "vanishing at rated power" && calibration === "clean year" && against === "alone"
  );
  return {
    lines: [
      `## ${LASTING_LOSSES}`,
      "",
      "In each case, we reduce the power of one of the four turbines by 5, 10 or 20 %.",
      "The loss starts on 1 April, 1 July or 1 October.",
      'A loss "vanishing at rated power" applies in full up to four fifths of rated power.',
      "From four fifths up to rated power, the loss decreases to zero.",
      "We chose the limits of the search for changes in synthetic worlds (docs/soak.md).",
      "But in these data, we first saw that the ratio of produced to expected power depends on the expected power of the week.",
      'The column "hits" shows the number of 90 % intervals that contain the true lost share of the energy.',
      `In the unchanged hours, \`checkPerformance()\` finds ${clean.alone} changes without neighbours and ${clean.neighbours} with neighbours.`,
      "",
      ...markdownTable(
        ["loss", "", "calibrated on the", "compared", "found", "within 60 days", "hits"],
        losses.map((row) => [
          percent(row.loss),
          row.kind,
          row.calibration,
          row.against,
          `${row.detected} of ${row.cases}`,
          String(row.near),
          String(row.hits),
        ]),
      ),
      "",
      `For losses of 5, 10 and 20 % of power, the goal is to find ${
        formatList(GOALS.alone)
      } of 12 dates to within 60 days.`,
      'This goal applies to the rows with "clean year" and "alone" in the table.',
      `For losses that vanish at rated power, the search finds ${
        formatList(vanishing.map(({ near }) => near))
      } of 12 dates to within 60 days in the same rows.`,
      "These losses are harder to find, because hours near rated power do not show them.",
      "Such hours have the most weight in the search, because their power scatters least.",
      "",
    ],
    missed: [
      ...missed,
      ...(clean.alone + clean.neighbours === 0
        ? []
        : [`Kelmarsh: ${clean.alone} and ${clean.neighbours} changes in the year as it is`]),
    ],
  };
}
