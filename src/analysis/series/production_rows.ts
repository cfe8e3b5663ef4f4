import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import {
  computeShares,
  countHours,
  describeShares,
  describeUnknownShares,
  readAvailabilityColumn,
  readValidHoursColumn,
} from "../../frames/production/period_shares.ts";
import { addDays } from "../../frames/production/to_months.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { buildRefuse, readNumbers } from "../../frames/read_columns.ts";
import { HOUR } from "../../time/hourly.ts";
import { formatMonthLabel, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import type { EnergyPeriod, Production } from "../../windindex/calibration/production.ts";
import { type HourlySeries, productionSide, readComparedSeries } from "./compared_series.ts";

/** Production of months or years. */
interface ProductionPeriods {
  /** Kind of the series. */
  readonly kind: "month" | "year";
  /** Months since year 0, or years, in order; only those that have a row. */
  readonly numbers: readonly number[];
  /** Energy of each, MWh; missing is NaN. */
  readonly energy: Float64Array;
  /** Hours for which the energy is known; NaN if unknown, `undefined` if the frame has no such column. */
  readonly validHours: Float64Array | undefined;
  /** Share of the time in which the turbine could run; NaN if unknown, `undefined` without such a column. */
  readonly availability: Float64Array | undefined;
  /** Sentences on rows whose share of the hours is unknown although the frame has a column for it. */
  readonly notes: readonly string[];
}

const [completeness] = pickColumns(monthlyIndicesFrame, ["completeness"]);
const [yearColumn, energyColumn] = productionColumns.year;

/**
 * Reads hourly, monthly or annual production of one turbine; averages regular steps below an hour to hours and adds
 * days up to months.
 *
 * @param frame Frame as `readProduction()` returns it
 * @param action Action named in messages: "check the performance"
 * @throws {ArgumentError} If columns are missing, of another type, or repeat an hour, a month or a year
 * @throws {DataFormatError} If hours do not begin whole hours apart
 */
export function readProductionRows(
  frame: DataFrame,
  action: string,
): HourlySeries | ProductionPeriods {
  const production = addDays(frame);
  const names = Object.keys(production);
  const { hour, month, year } = productionColumns;
  const forms = [hour, month, year];
  const form = forms.find((columns) => columns.every(({ name }) => names.includes(name)));
  if (!form) {
    const wanted = forms.map((columns) =>
      columns.map(({ name, unit }) => unit ? `"${name}" (${unit})` : `"${name}"`).join(" and ")
    );
    throw new ArgumentError(
      `Cannot ${action}: the production needs the columns ${wanted.join(", or ")}, ` +
        `but has ${names.join(", ") || "none"}. Read the production with readProduction()`,
    );
  }
  if (production.height === 0) {
    throw new ArgumentError(
      `Cannot ${action}: the production has no rows. Give production with at least one row`,
    );
  }
  if (form === year) return readYearRows(production, action);
  const side = { ...productionSide, action, subject: "the production" };
  const series = readComparedSeries(production, side, completeness);
  if (series.kind === "month") {
    const months = series.months.toSorted((a, b) => a.number - b.number);
    const numbers = months.map(({ number }) => number);
    const energy = Float64Array.from(months, (month) => month.energy);
    return { kind: "month", numbers, energy, ...readShares(production, "month", numbers, action) };
  }
  return series;
}

function readYearRows(production: DataFrame, action: string): ProductionPeriods {
  const sorted = production.sort(yearColumn.name);
  const refuse = buildRefuse(`${action} from production`);
  const [numbers, energy] = [yearColumn, energyColumn]
    .map(({ name }) => readNumbers(sorted, name, refuse));
  const years = [...numbers];
  const odd = years.find((year, i) => !Number.isInteger(year) || year === years[i - 1]);
  if (odd !== undefined) {
    throw new ArgumentError(
      `Cannot ${action}: column "${yearColumn.name}" of the production ${
        Number.isInteger(odd)
          ? `repeats ${odd}. Keep one turbine and one row a year`
          : "has a value that is not a whole year. Remove the row of this value"
      }`,
    );
  }
  return { kind: "year", numbers: years, energy, ...readShares(production, "year", years, action) };
}

/** Reads valid hours and availability in the order of the periods. */
function readShares(
  production: DataFrame,
  kind: "month" | "year",
  numbers: readonly number[],
  action: string,
): Pick<ProductionPeriods, "validHours" | "availability" | "notes"> {
  const refuse = buildRefuse(`${action} from production`);
  const sorted = production.sort(productionColumns[kind][0].name);
  return {
    validHours: readValidHoursColumn(
      sorted,
      numbers.map((number) => countHours(kind, number)),
      refuse,
    ),
    availability: readAvailabilityColumn(sorted, refuse),
    notes: describeUnknownShares(production).map((note) => `${note}.`),
  };
}

/** Production of one turbine as the engine uses it. */
export interface ProductionRecord {
  /** Period of a row of the frame. */
  readonly resolution: "hour" | "month" | "year";
  /** Zone that sets the months. */
  readonly timeZone: string;
  /** Zone of the timestamps; for months and years the zone that sets the months. */
  readonly stampZone: string;
  /** The production; energies in kWh, powers in kW. */
  readonly production: Production;
  /** Sentences on averaged steps below an hour, or on energies that cover a share of their hours. */
  readonly notes: readonly string[];
}

/**
 * Reads hourly, monthly or annual production of one turbine for the engine.
 *
 * @param frame Frame as `readProduction()` returns it
 * @param action Action named in messages: "estimate the long-term production"
 * @param timeZone Zone that sets the months. @default the zone of the hourly timestamps
 * @throws {ArgumentError} If columns are missing, of another type, or repeat an hour, a month or a year
 * @throws {DataFormatError} If hours do not begin whole hours apart
 */
export function readProductionRecord(
  frame: DataFrame,
  action: string,
  timeZone?: string,
): ProductionRecord {
  const rows = readProductionRows(frame, action);
  if (rows.kind === "hour") {
    const { grid, power } = rows;
    return {
      resolution: "hour",
      timeZone: timeZone ?? rows.timeZone,
      stampZone: rows.timeZone,
      production: { kind: "hourly", axis: grid.axis, power },
      notes: rows.notes,
    };
  }
  const zone = timeZone ?? "UTC";
  const periods = buildPeriods(rows, zone);
  const sentence = describeShares(
    periods.filter(({ energy }) => !Number.isNaN(energy)).map(({ share = 1 }) => share),
  );
  return {
    resolution: rows.kind,
    timeZone: zone,
    stampZone: zone,
    production: { kind: "periods", periods },
    notes: [
      ...rows.notes,
      ...(sentence === undefined ? [] : [`${sentence}: they count by that share.`]),
    ],
  };
}

/** Builds periods with start, end and the share of the hours that the energy covers; converts MWh to kWh. */
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
