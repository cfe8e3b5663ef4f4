import { ArgumentError } from "../../src/api/errors.ts";
import { combineReanalyses } from "../../src/sites/calibration/combine_reanalyses.ts";
import { fitReanalyses, type HubReanalysis } from "../../src/sites/calibration/fit_reanalyses.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { HOUR } from "../../src/time/hourly.ts";
import type { EnergyPeriod } from "../../src/windindex/calibration/production.ts";
import type { TrainingInput } from "../../src/windindex/calibration/training.ts";
import { type IntervalMonth, predictSpans } from "./leave_one_month_out.ts";
import { type ComparedMonths, listComparedMonths } from "./_months.ts";
import { computeHubs } from "./_site_data.ts";

/** A way of training: hours or energies of months in a row, or the energy of the year. */
export interface Way {
  readonly resolution: "hour" | "month" | "year";
  /** Months of training. */
  readonly months: number;
}

/** The ways of training that a year of production allows. */
export const WAYS: readonly Way[] = [
  ...(["hour", "month"] as const).flatMap((resolution) =>
    [1, 3, 6, 11].map((months): Way => ({ resolution, months }))
  ),
  { resolution: "year", months: 12 },
];

/** Predicted months of a turbine for a way of training. */
export interface WayMonths {
  readonly way: Way;
  /** Windows with too few hours to calibrate. */
  readonly refused: number;
  readonly months: readonly IntervalMonth[];
}

/** Energy of each month over its valid hours, and their share of all hours. */
function sumMonths({ production: { axis, power }, mask, months }: ComparedMonths): EnergyPeriod[] {
  return months.map(({ label, from, to }) => {
    let [energy, valid] = [0, 0];
    for (let i = from; i < to; i++) {
      if (mask[i] !== 0 || Number.isNaN(power[i])) continue;
      energy += power[i];
      valid++;
    }
    const [start, end] = [from, to].map((i) => axis.start + i * HOUR);
    return { label, start, end, energy, share: valid / (to - from) };
  });
}

/** The months as one year. */
function sumYear(months: readonly EnergyPeriod[]): EnergyPeriod {
  const hoursOf = ({ start, end }: EnergyPeriod) => (end - start) / HOUR;
  const sum = (of: (month: EnergyPeriod) => number) =>
    months.reduce((all, month) => all + of(month), 0);
  return {
    label: months[0].label.slice(0, 4),
    start: months[0].start,
    end: months[months.length - 1].end,
    energy: sum(({ energy }) => energy),
    share: sum((month) => month.share! * hoursOf(month)) / sum(hoursOf),
  };
}

/** Training windows, as positions of months: all months but one for eleven of twelve, otherwise months in a row. */
function listWindows(number: number, { months: length }: Way): ReadonlySet<number>[] {
  const around = length === number - 1;
  return Array.from(
    { length: around ? number : number - length + 1 },
    (_, first) => new Set(Array.from({ length }, (_, i) => (first + i) % number)),
  );
}

/**
 * Predicts the other months of a turbine's record from each window of a way of training.
 *
 * @param climate The reanalysis
 */
function predictByWay(
  data: SiteData,
  position: number,
  climate: HubReanalysis,
  way: Way,
): WayMonths {
  const { turbine } = data.turbines[position];
  const compared = listComparedMonths(data, position, true);
  const { production, mask, months } = compared;
  const energies = sumMonths(compared);
  const inputsOf = (window: ReadonlySet<number>): TrainingInput[] => {
    if (way.resolution === "year") {
      return [{ production: { kind: "periods", periods: [sumYear(energies)] } }];
    }
    if (way.resolution === "month") {
      const periods = energies.filter((_, i) => window.has(i));
      return [{ production: { kind: "periods", periods } }];
    }
    const masked = new Uint8Array(mask.length).fill(1);
    for (const i of window) {
      const { from, to } = months[i];
      masked.set(mask.subarray(from, to), from);
    }
    return [{ production, masked }];
  };
  let refused = 0;
  const predicted = listWindows(months.length, way).flatMap((window) => {
    try {
      const { fitted } = fitReanalyses([climate], inputsOf(window), turbine, null);
      const unseen = way.resolution === "year" ? months : months.filter((_, i) => !window.has(i));
      return predictSpans(combineReanalyses(fitted, turbine, null), turbine, compared, unseen);
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      refused++;
      return [];
    }
  });
  return { way, refused, months: predicted };
}

/**
 * Predicts the months of a turbine outside each window of each way of training.
 *
 * @param reanalysis Dataset of the reanalysis
 * @param ways The ways
 */
export function predictByWays(
  data: SiteData,
  position: number,
  reanalysis: string,
  ways: readonly Way[] = WAYS,
): WayMonths[] {
  const climate = computeHubs(data, data.turbines[position].turbine)
    .find(({ serviceId }) => serviceId === reanalysis)!;
  return ways.map((way) => predictByWay(data, position, climate, way));
}
