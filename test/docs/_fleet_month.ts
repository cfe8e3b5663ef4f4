/**
 * The picture of README.md: a month of the sample's fleet, turbine by turbine, by wind, stops and the rest.
 *
 * @module
 */
import { monthlyIndices, plotFleetMonth, summarizeFleet, turbineDetails } from "../../mod.ts";
import { checkTurbine } from "../../src/report/mod.ts";
import { readSampleProduction } from "../../src/service/mod.ts";

/** The month of the picture: that of the longest stop of T1. */
const MONTH = "2024-03";

/** The turbines of the sample whose production is of one turbine. */
const IDS = ["T1", "T2", "T4", "T5", "T6", "T7"];

/** Draws the month of those turbines. */
export async function drawFleetMonth(): Promise<ReturnType<typeof plotFleetMonth>> {
  const productions = readSampleProduction();
  const details = await Promise.all(IDS.map((id) => turbineDetails(id)));
  const checks = await Promise.all(
    IDS.map(async (id) => [id, await checkTurbine(id, productions.get(id)!)] as const),
  );
  const fleet = summarizeFleet(await monthlyIndices(IDS), details, {
    month: MONTH,
    checks: Object.fromEntries(checks),
  });
  return plotFleetMonth(fleet, {
    title: "Wind or turbine? March 2024 of a fleet",
    width: 450,
  });
}
