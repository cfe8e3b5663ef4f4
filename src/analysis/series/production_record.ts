import type { DataFrame } from "nodejs-polars";
import { formatMonthLabel, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import { computeShares, describeShares } from "../../frames/production/period_shares.ts";
import { HOUR } from "../../time/hourly.ts";
import type { EnergyPeriod, Production } from "../../windindex/calibration/production.ts";
import { type ProductionPeriods, readProductionRows } from "./production_rows.ts";

/** Production of one turbine as the engine uses it. */
export interface ProductionRecord {
  /** Period of a row of the frame. */
  readonly resolution: "hour" | "month" | "year";
  /** Zone that sets the months. */
  readonly timeZone: string;
  /** The production; energies in kWh, powers in kW. */
  readonly production: Production;
  /** How steps below an hour were averaged to hours, or which energies are of a share of their hours, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads hourly, monthly or annual production of one turbine for the engine.
 *
 * @param frame Frame as `readProduction()` gives it
 * @param what Action, for messages: "estimate the long-term production"
 * @param timeZone Zone that sets the months; that of hourly stamps unless given
 * @throws {ArgumentError} If columns are missing, of another type, or repeat an hour, a month or a year
 * @throws {DataFormatError} If hours do not begin whole hours apart
 */
export function readProductionRecord(
  frame: DataFrame,
  what: string,
  timeZone?: string,
): ProductionRecord {
  const rows = readProductionRows(frame, what);
  if (rows.kind === "hour") {
    const { grid, power } = rows;
    return {
      resolution: "hour",
      timeZone: timeZone ?? rows.timeZone,
      production: { kind: "hourly", axis: grid.axis, power },
      notes: rows.notes,
    };
  }
  const zone = timeZone ?? "UTC";
  const periods = buildPeriods(rows, zone);
  const found = describeShares(
    periods.filter(({ energy }) => !Number.isNaN(energy)).map(({ share = 1 }) => share),
  );
  return {
    resolution: rows.kind,
    timeZone: zone,
    production: { kind: "periods", periods },
    notes: [...rows.notes, ...(found === undefined ? [] : [`${found}: they count by that share.`])],
  };
}

/** Builds periods with start, end and the share of the hours that the energy is of; converts MWh to kWh. */
function buildPeriods(
  { kind, numbers, energy, validHours, availability }: ProductionPeriods,
  timeZone: string,
): EnergyPeriod[] {
  const months = kind === "month" ? 1 : 12;
  const periods = numbers.map((number, i): EnergyPeriod => {
    const month = monthOfNumber(kind === "month" ? number : 12 * number);
    return {
      label: kind === "month" ? formatMonthLabel(month) : String(number),
      start: startOfMonth(month, timeZone),
      end: startOfMonth(month.add({ months }), timeZone),
      energy: 1000 * energy[i],
    };
  });
  const hours = periods.map(({ start, end }) => (end - start) / HOUR);
  const shares = computeShares(hours, validHours, availability);
  return periods.map((period, i) => shares[i] === 1 ? period : { ...period, share: shares[i] });
}
