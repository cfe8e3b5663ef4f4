import { HOUR } from "../../src/time/hour_axis.ts";
import { checkProduction } from "../../src/service/import/training_inputs.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { listMonthSpans } from "../../src/windindex/index/monthly_energy.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { type ServedTurbine, servedTurbine } from "../validate/_served_site.ts";
import { syntheticWorld } from "./_synthetic_world.ts";

/** A turbine that always runs, and what a service says about it after an import of its hours. */
export interface CleanWorld extends ServedTurbine {
  /** Its hours. */
  readonly hours: HourlyProduction;
  /** Findings of the import. */
  readonly findings: readonly string[];
}

/**
 * Draws a world of 24, 30 or 36 months of hourly production without any stop, and calibrates it on them as an import
 * does.
 *
 * @param number Which world: weather and turbine are those of `syntheticWorld()`
 */
export function cleanWorld(number: number): CleanWorld {
  const { turbine, climate, running, axis } = syntheticWorld(number);
  const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine);
  const spans = listMonthSpans(axis, turbine.timeZone)
    .filter(({ from, to }) => from >= 0 && to <= axis.length);
  const months = 24 + 6 * (number % 3);
  const first = (7 * number) % (spans.length - months + 1);
  const [from, to] = [spans[first].from, spans[first + months - 1].to];
  const hours: HourlyProduction = {
    kind: "hourly",
    axis: { start: axis.start + from * HOUR, length: to - from },
    power: running.slice(from, to),
  };
  const { inputs, findings } = checkProduction([hours], turbine, [], [], hub);
  return {
    ...servedTurbine(turbine, hub, inputs),
    hours,
    findings,
  };
}
