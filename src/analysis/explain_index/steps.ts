import pl, { type DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import type { Columns } from "../../api/columns/column_table.ts";
import { figures, monthlyIndicesFrame, monthState } from "../../api/columns/columns.ts";
import type { MonthFigures } from "../../api/columns/month_columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { buildRefuse, readMonths, readNumbers, readTexts } from "../../frames/read_columns.ts";
import { calendarMonth, formatMonth, formatNumber } from "../../show/text/numbers.ts";
import { findMonthStart, HOUR } from "../../time/hourly.ts";
import { formatClock, monthNumberOf, monthOfNumber } from "../../time/zones.ts";
import { computeMonthIndices, type MonthIndices } from "../../windindex/index/indices.ts";
import type { MonthlyEnergy } from "../../windindex/index/monthly_energy.ts";
import {
  computeServedNormal,
  type IndexReference,
  type ServedNormals,
} from "../series/index_months.ts";
import type { CurvePower, ModelHours } from "../series/model_hours.ts";
import { sumOf } from "../../stats/spread.ts";

const [turbineColumn, monthColumn, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["turbine_id", "month", "status"],
);

/** Figures and status of a month from the service. */
export interface ServedMonth {
  readonly figures: ServedFigures;
  /** Its status, such as "final"; `null` if missing. */
  readonly status: string | null;
}

/**
 * Reads figures and status of a month from the indices.
 *
 * @param month The month, "2023-05"
 * @throws {ArgumentError} If a column or the month is missing, or the month is duplicated
 */
export function readServedMonth(indices: DataFrame, id: string, month: string): ServedMonth {
  const names = Object.keys(indices);
  const missing = [monthColumn, ...figures].filter(({ name }) => !names.includes(name));
  if (missing.length > 0) {
    throw new ArgumentError(
      `Cannot explain the index of ${month}: the indices lack the columns ` +
        `${missing.map(({ name }) => name).join(", ")}. Give the frame from monthlyIndices()`,
    );
  }
  const turbineRows = names.includes(turbineColumn.name)
    ? indices.filter(pl.col(turbineColumn.name).eq(pl.lit(id)))
    : indices;
  const refuse = buildRefuse(`explain the index of ${month} from the indices`);
  const labels = readMonths(turbineRows, monthColumn.name, refuse)
    .map((number) => monthOfNumber(number).toString());
  const at = labels.flatMap((label, i) => label === month ? [i] : []);
  if (at.length !== 1) {
    const covered = labels.sort();
    const problem = at.length > 1
      ? `have ${at.length} rows for this month. Keep one of these rows`
      : covered.length === 0
      ? `have no month of ${id}. Give the indices of this turbine`
      : `cover ${covered[0]} to ${covered.at(-1)}. Ask monthlyIndices() for ${month}`;
    throw new ArgumentError(`Cannot explain the index of ${month}: the indices ${problem}`);
  }
  const row = turbineRows.slice(at[0], 1);
  return {
    figures: ({ name }) => {
      const value = names.includes(name) ? readNumbers(row, name, refuse)[0] : NaN;
      return Number.isNaN(value) ? null : value;
    },
    status: names.includes(statusColumn.name) ? readTexts(row, statusColumn.name)[0] : null,
  };
}

const [predicted] = pickColumns(figures, ["predicted_production"]);
const [completeness] = pickColumns(monthState, ["completeness"]);

/** Positions of a month's hours in the model data. */
interface HourRange {
  readonly from: number;
  readonly to: number;
}

function findHours({ axis, timeZone }: ModelHours, month: Temporal.PlainYearMonth): HourRange {
  return {
    from: Math.max(0, findMonthStart(axis, month, timeZone)),
    to: Math.min(axis.length, findMonthStart(axis, month.add({ months: 1 }), timeZone)),
  };
}

/** Finds the hour whose power is closest to half of the largest: the curve is steep there, so each input matters. */
function findExampleHour(power: Float64Array, { from, to }: HourRange): number | undefined {
  const known = [...power.subarray(from, to).keys()].map((i) => from + i)
    .filter((i) => power[i] === power[i]);
  const half = known.reduce((most, i) => Math.max(most, power[i]), 0) / 2;
  return known.reduce<number | undefined>(
    (best, i) =>
      best === undefined || Math.abs(power[i] - half) < Math.abs(power[best] - half) ? i : best,
    undefined,
  );
}

/**
 * Builds the steps to the power of one hour from its wind speed and air density; instantaneous values count at both of
 * its ends.
 */
function buildHourSteps(hours: ModelHours, curve: CurvePower, i: number): Step[] {
  const clock = (at: number) => formatClock(hours.axis.start + at * HOUR, hours.timeZone);
  const point = (at: number) =>
    `P(${formatNumber(hours.windSpeed![at], 2)} m/s, ${
      formatNumber(hours.airDensity![at], 3)
    } kg/m3)`;
  const kW = { unit: "kW", served: null };
  const ends = curve.stamp === "instant" ? [i, i + 1] : [];
  return [
    ...ends.map((at) => ({
      quantity: `Power at ${clock(at)}`,
      calculation: point(at),
      value: curve.atStamps[at],
      ...kW,
    })),
    {
      quantity: `Power in the hour from ${clock(i)}`,
      calculation: ends.length > 0
        ? ends.map((at) => formatNumber(curve.atStamps[at], 1)).join(" and ") + ", their mean"
        : point(i),
      value: curve.hourly[i],
      ...kW,
      served: hours.power[i],
    },
  ];
}

function sumHours(
  values: Float64Array,
  counted: Float64Array,
  { from, to }: HourRange,
): number | null {
  let [total, missing] = [0, 0];
  for (let i = from; i < to; i++) {
    if (counted[i] !== counted[i]) continue;
    if (values[i] !== values[i]) missing++;
    else total += values[i];
  }
  // The last timestamp of a record has no next one for an average.
  return missing > 1 ? null : total;
}

/** Computes the mean of hourly values over a month; `null` without values. */
export function computeMonthMean(
  values: Float64Array | undefined,
  hours: ModelHours,
  month: Temporal.PlainYearMonth,
): number | null {
  const { from, to } = findHours(hours, month);
  const known = [...values?.subarray(from, to) ?? []].filter((value) => value === value);
  return known.length === 0 ? null : sumOf(known) / known.length;
}

/** Builds the steps from the hours of a month to its energy. */
export function buildEnergySteps(
  hours: ModelHours,
  curve: CurvePower | undefined,
  entry: MonthlyEnergy,
  served: ServedFigures,
): Step[] {
  const month = Temporal.PlainYearMonth.from({ year: entry.year, month: entry.month });
  const monthHours = findHours(hours, month);
  const steps: Step[] = [];
  const add = (
    quantity: string,
    calculation: string,
    value: number | null,
    unit: string,
    servedValue: number | null = null,
  ) => steps.push({ quantity, calculation, value, unit, served: servedValue });
  const share = (column: Column) => {
    const value = served(column);
    return value === null ? null : 100 * value;
  };
  add(
    "Hours of the month",
    `midnight to midnight in ${hours.timeZone}`,
    entry.hours,
    "h",
  );
  add("Valid hours", "hours with a power", entry.validHours, "h");
  add(
    completeness.label,
    `100 × ${entry.validHours} / ${entry.hours}`,
    100 * entry.completeness,
    "%",
    share(completeness),
  );
  const { power } = hours;
  if (curve) {
    add(
      "Smoothing of the power curve",
      "standard deviation of the wind speeds that P averages; this value fits the served power best",
      curve.smoothing,
      "m/s",
    );
  }
  const example = curve && findExampleHour(power, monthHours);
  if (curve && example !== undefined) steps.push(...buildHourSteps(hours, curve, example));
  const summed = sumHours(power, power, monthHours);
  if (curve) {
    const again = sumHours(curve.hourly, power, monthHours);
    add(
      "Energy by the power curve",
      "sum of P(wind speed, air density) over the hours",
      again === null ? null : again / 1000,
      "MWh",
      summed === null ? null : summed / 1000,
    );
  }
  add(
    "Energy of the valid hours",
    "sum of the hourly power of the model data",
    summed === null ? null : summed / 1000,
    "MWh",
  );
  add(
    predicted.label,
    summed === null
      ? "energy of the valid hours × hours / valid hours"
      : `${formatNumber(summed / 1000, 3)} × ${entry.hours} / ${entry.validHours}`,
    entry.energy === null ? null : entry.energy / 1000,
    "MWh",
    served(predicted),
  );
  return steps;
}

/** One step of an explanation. */
export interface Step {
  /** Name of the quantity. */
  readonly quantity: string;
  /** Calculation from the rows above. */
  readonly calculation: string;
  /** Result of the calculation; `null` if it is not possible. */
  readonly value: number | null;
  /** Unit of the value. */
  readonly unit: string;
  /** Value of the service; `null` without one. */
  readonly served: number | null;
}

/** Returns a column's figure from the service; `null` if missing. */
type ServedFigures = (column: Column) => number | null;

const [monthIndex, abnormality, last12, lastQuarter, lastYear, energy] = pickColumns(figures, [
  "month_index",
  "month_abnormality_index",
  "last12_month_index",
  "last_full_quarter_index",
  "last_full_year_index",
  "predicted_production",
]);

const MWH = 1000; // kWh

/** Formats an energy in MWh for a calculation. */
function formatMwh(kWh: number): string {
  return formatNumber(kWh / MWH, 3);
}

/**
 * Reads the energies of the normal year and month from the service's figures.
 *
 * @param name Calendar month, 1 to 12
 */
export function readServedNormals(served: ServedFigures, name: number): ServedNormals {
  const produced = served(energy);
  const month = computeServedNormal(produced, served(abnormality), 1);
  return {
    year: computeServedNormal(produced, served(monthIndex), 12),
    month: month && { ...month, name },
  };
}

/** Sum of the energies of some months, and its text. */
interface MonthSum {
  readonly text: string;
  readonly total: number | null;
}

function sumMonths(months: readonly MonthlyEnergy[], from: number, count: number): MonthSum {
  const energies = Array.from({ length: count }, (_, i) => {
    const entry = months.find((month) => monthNumberOf(month) === from + i);
    return entry?.energy ?? null;
  });
  const name = (number: number) => formatMonth(monthOfNumber(number).toString());
  const total = energies.includes(null)
    ? null
    : energies.reduce((sum: number, one) => sum + one!, 0);
  return { text: `${name(from)} to ${name(from + count - 1)}`, total };
}

/** Builds the steps to the normals and indices of a month, with their sums. */
export function buildIndexSteps(
  months: readonly MonthlyEnergy[],
  entry: MonthlyEnergy,
  reference: IndexReference | undefined,
  served: ServedFigures,
): Step[] {
  const label = `${entry.year}-${String(entry.month).padStart(2, "0")}`;
  const normalsServed = readServedNormals(served, entry.month);
  const inMwh = (value: number | undefined) => value === undefined ? null : value / MWH;
  const computed: MonthIndices | undefined = reference &&
    computeMonthIndices(months, reference.normals)
      .find(({ year, month }) => year === entry.year && month === entry.month);
  const { normals, period } = reference ?? {};
  const years = period
    ? `${period.years[0]} to ${period.years.at(-1)}`
    : "no whole year in the model data";
  const normalMonth = normals?.months[entry.month - 1];
  const name = calendarMonth(label);
  const over = (sum: MonthSum, normal: number | undefined) =>
    sum.total === null || normal === undefined
      ? `${sum.text}: a month of it is missing`
      : `100 × ${formatMwh(sum.total)} / ${formatMwh(normal)}, ${sum.text}`;
  const number = monthNumberOf(entry);
  const quarter = Math.floor((number + 1) / 3) * 3 - 3;
  const year = Math.floor((number + 1) / 12) * 12 - 12;
  const quarterNormal = normals &&
    sumOf([0, 1, 2], (i) => normals.months[(quarter + i) % 12]);
  const index = (column: Columns<MonthFigures>[number], calculation: string): Step => ({
    quantity: column.label,
    calculation,
    value: computed?.[column.name] ?? null,
    unit: column.unit ?? "",
    served: served(column),
  });
  const monthSum: MonthSum = { text: formatMonth(label), total: entry.energy };
  return [
    {
      quantity: "Normal year",
      calculation: `mean energy of the years ${years}`,
      value: inMwh(normals?.year),
      unit: "MWh",
      served: inMwh(normalsServed.year?.energy),
    },
    {
      quantity: `Normal ${name}`,
      calculation: `mean energy of each ${name} of these years`,
      value: inMwh(normalMonth),
      unit: "MWh",
      served: inMwh(normalsServed.month?.energy),
    },
    {
      quantity: "One twelfth of a normal year",
      calculation: normals ? `${formatMwh(normals.year)} / 12` : "normal year / 12",
      value: inMwh(normals && normals.year / 12),
      unit: "MWh",
      served: inMwh(normalsServed.year && normalsServed.year.energy / 12),
    },
    index(monthIndex, over(monthSum, normals && normals.year / 12)),
    index(abnormality, over(monthSum, normalMonth)),
    index(last12, over(sumMonths(months, number - 11, 12), normals?.year)),
    index(lastQuarter, over(sumMonths(months, quarter, 3), quarterNormal)),
    index(lastYear, over(sumMonths(months, year, 12), normals?.year)),
  ];
}
