import type { DataFrame } from "nodejs-polars";
import { isPlausibleLevel } from "../series/level.ts";
import { listReadings } from "../series/findings.ts";
import { findStops, readStates } from "../series/turbine_states.ts";
import { zoneOfDetails } from "../series/turbine_stamps.ts";
import { checkHours } from "./check_hours.ts";
import { checkPeriods } from "./check_periods.ts";
import type { CheckedPeriods, CheckResult } from "./check_result.ts";
import { readExpectation, readPredictedMonths, sumModelMonths } from "./expectation.ts";
import { type ChosenOptions, refuse } from "./options.ts";
import { addStops, readProducedSeries, sumProducedMonths } from "./production.ts";
import type { PerformanceFound } from "./words.ts";

/**
 * Checks that production and prediction can be of one turbine.
 *
 * @param units Number of turbines that the production is of
 * @throws {ArgumentError} If production or prediction is 0, or their ratio is not plausible
 */
function assertPlausible(
  { periods, outages, normalRatio, by, hours }: CheckedPeriods,
  units: number,
): void {
  const [column, unit] = hours ? ["power", "kW"] : ["energy", "MWh"];
  const both = periods.filter(({ produced, predicted }) => Number.isFinite(produced + predicted));
  const [produced, predicted] = (["produced", "predicted"] as const)
    .map((name) => both.reduce((total, period) => total + period[name], 0));
  const [first, last] = [both[0].label, both[both.length - 1].label];
  const labels = first === last ? `in ${first}` : `from ${first} to ${last}`;
  if (!(predicted > 0)) {
    refuse(`the prediction is 0 MWh ${labels}. Give predictions of a turbine that runs`);
  }
  const stopsKnown = hours || outages.some(({ source }) => source !== "detected");
  if (!stopsKnown && !(produced > 0)) {
    refuse(
      `column "${column}" of the production has no more than 0 ${unit} in all ${by}s ${labels}. If the ` +
        "turbine was stopped all the time, name that as an outage with { outages: [{ from, to }] }",
    );
  }
  const ran = both.some(({ running }) => Number.isFinite(running));
  const ratio = ran ? normalRatio : produced / predicted;
  if (isPlausibleLevel(ratio, by === "year" ? 12 * both.length : both.length, ran)) return;
  const times = ratio >= 1 ? ratio.toFixed(1) : ratio.toPrecision(2);
  refuse(
    `${
      ran ? "outside of outages " : ""
    }the production is ${times} times the prediction, over ${by}s ${labels}. ` +
      `Column "${column}" must be in ${unit}, and of ` +
      `${units === 1 ? "one turbine" : `${units} turbines`}: convert it, or give the number of ` +
      "turbines of a park with { units: ... }",
  );
}

/**
 * Compares production with predictions, hour by hour where both are hourly; hours are summed by months where the prediction is
 * monthly.
 *
 * @param predicted Model data or monthly indices
 * @throws {ArgumentError} If a column is missing or in another unit, or production and prediction have no time in common
 */
export function checkPredictions(
  given: DataFrame,
  predicted: DataFrame,
  options: ChosenOptions,
): CheckResult {
  const { details, units, events, neighbours = [] } = options;
  if (!(units > 0)) refuse(`${units} turbines were given as units. Give 1 or more`);
  const expectation = readExpectation(predicted, options);
  const { model, reference } = expectation;
  const zone = model?.timeZone ?? zoneOfDetails(details);
  const states = options.states ?? (events && readStates(events, {}, refuse));
  const read = readProducedSeries(given, zone);
  const production = states ? addStops(read, states) : read;
  const unused: PerformanceFound[] = [];
  let checked: CheckedPeriods;
  if (model && production.kind === "hour") {
    checked = checkHours(production, model, expectation, options);
  } else {
    const months = model
      ? sumModelMonths(model, expectation.density)
      : readPredictedMonths(predicted, units);
    const hourly = production.kind === "hour";
    const timeZone = zone ?? production.timeZone;
    const periods = hourly ? sumProducedMonths(production, timeZone) : production;
    checked = checkPeriods(periods, months, expectation, options);
    if (neighbours.length > 0) unused.push({ code: "neighbours_unused" });
    if (hourly && !zoneOfDetails(details)) unused.push({ code: "months_of_zone", zone: timeZone });
    if (hourly && production.availability) unused.push({ code: "availability_unused" });
  }
  assertPlausible(checked, units);
  // Outages of a log are named by their category.
  const outages = checked.outages.map((outage) => {
    const [cause] = states ? findStops(states, [outage.from, outage.to]).causes : [];
    return outage.source !== "status" || cause === undefined
      ? outage
      : { ...outage, name: outage.name.replace("Not available", cause) };
  });
  const notes = [...listReadings(states?.notes ?? []), ...expectation.notes, ...unused];
  return { ...checked, outages, reference, notes: [...checked.notes, ...notes] };
}
