import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { type ServedTurbine, servedTurbine } from "../validate/_served_site.ts";
import { checkedHours, syntheticWorld } from "./_synthetic_world.ts";

/** A turbine that always runs, with the answers of a service after an import of its hours. */
export interface CleanWorld extends ServedTurbine {
  /** Its hours. */
  readonly hours: HourlyProduction;
  /** Findings of the import. */
  readonly findings: readonly string[];
}

/**
 * Draws a world with 24, 30 or 36 months of hourly production without a stop, and calibrates it as an import does.
 *
 * @param number Which world: it has the weather and turbine of `syntheticWorld()`
 */
export function cleanWorld(number: number): CleanWorld {
  const world = syntheticWorld(number);
  const { turbine, climate, running } = world;
  const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine);
  const { from, to, axis } = checkedHours(world, number);
  const hours: HourlyProduction = {
    kind: "hourly",
    axis,
    power: running.slice(from, to),
  };
  const { inputs, findings } = checkProduction([hours], turbine, [], [], hub);
  return {
    ...servedTurbine(turbine, hub, inputs),
    hours,
    findings,
  };
}
