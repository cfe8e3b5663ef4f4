import type { DataFrame } from "nodejs-polars";
import {
  checkPerformance,
  type PerformanceCheck,
} from "../../src/analysis/check_performance/check_performance.ts";
import { productionColumns } from "../../src/frames/production/production_columns.ts";
import { buildFrame } from "../../src/frames/frame.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { HOUR, type HourAxis } from "../../src/time/hourly.ts";
import { monthAsDays, monthNumberOf, monthOfNumber } from "../../src/time/zones.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { hoursFrame, servedTurbine } from "../validate/_served_site.ts";
import { checkedHours, OUTAGES, syntheticWorld, withStops } from "./_synthetic_world.ts";

/** The date of a change is drawn between these shares of the record. */
const DATES = [0.2, 0.8] as const;

/** A turbine with stops and outages, whose power a test can change from a date on. */
export interface ChangedWorld {
  /** Date of the change, milliseconds since 1970 UTC. */
  readonly date: number;
  /** Date in the middle of the record. */
  readonly middle: number;
  /** Rated power, kW. */
  readonly ratedPower: number;
  /**
   * Checks hours with a change. As for an owner, the calibration is on the same hours, so it contains the change.
   *
   * @param change Changed power of an hour, kW, by its power before and its start
   * @param resolution Whether the check gets hours or months
   */
  check(
    change: (power: number, instant: number) => number,
    resolution?: "hour" | "month",
  ): PerformanceCheck;
}

/** Adds up hours by months. */
function buildMonths(axis: HourAxis, power: Float64Array, timeZone: string): DataFrame {
  const months = computeMonthlyEnergies(power, axis, timeZone);
  return buildFrame(productionColumns.month, {
    month: months.map((month) => monthAsDays(monthOfNumber(monthNumberOf(month)))),
    energy: months.map(({ energy }) => energy === null ? null : energy / 1000),
  });
}

/**
 * Draws a world of 24, 30 or 36 months of hourly production with short stops and outages, and a date in it.
 *
 * @param number Which world: it has the weather and turbine of `syntheticWorld()`
 */
export function changedWorld(number: number): ChangedWorld {
  const world = syntheticWorld(number);
  const { turbine, climate, truth } = world;
  const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine);
  const { from, to, axis: checked } = checkedHours(world, number);
  const before = withStops(truth.slice(from, to), { seed: `changed ${number}`, ...OUTAGES });
  const share = DATES[0] + (DATES[1] - DATES[0]) * new SeededRandom(`date ${number}`).uniform();
  const at = (part: number) => checked.start + Math.round(part * checked.length) * HOUR;
  return {
    date: at(share),
    middle: at(0.5),
    ratedPower: turbine.ratedPower,
    check(change, resolution = "hour") {
      const power = before.map((value, i) => change(value, checked.start + i * HOUR));
      const { inputs } = checkProduction([{ kind: "hourly", axis: checked, power }], turbine);
      const { model, details } = servedTurbine(turbine, hub, inputs);
      const production = resolution === "hour"
        ? hoursFrame(checked.start, { power }, turbine.timeZone)
        : buildMonths(checked, power, turbine.timeZone);
      return checkPerformance(production, { predicted: model, details });
    },
  };
}
