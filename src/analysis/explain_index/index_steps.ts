import { type Column, pickColumns } from "../../api/columns/column.ts";
import type { Columns } from "../../api/columns/column_table.ts";
import { figures } from "../../api/columns/columns.ts";
import type { MonthFigures } from "../../api/columns/month_columns.ts";
import { monthNumberOf, monthOfNumber } from "../../time/zones.ts";
import { calendarMonth, formatMonth } from "../../show/text/month.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import { computeMonthIndices, type MonthIndices } from "../../windindex/index/indices.ts";
import type { MonthlyEnergy } from "../../windindex/index/monthly_energy.ts";
import {
  computeServedNormal,
  type IndexReference,
  type ServedNormals,
} from "../series/index_reference.ts";

/** One step of an explanation. */
export interface Step {
  /** Name of the quantity. */
  readonly quantity: string;
  /** Calculation from the rows above. */
  readonly calculation: string;
  /** Result of the calculation; `null` where it is not possible. */
  readonly value: number | null;
  /** Unit of the value. */
  readonly unit: string;
  /** Value of the service; `null` without one. */
  readonly served: number | null;
}

/** Returns the served figure of a column; `null` where it is missing. */
export type ServedFigures = (column: Column) => number | null;

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
 * Reads the energies of the normal year and month from served figures.
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
  const own = Array.from({ length: count }, (_, i) => {
    const found = months.find((month) => monthNumberOf(month) === from + i);
    return found?.energy ?? null;
  });
  const name = (number: number) => formatMonth(monthOfNumber(number).toString());
  const total = own.includes(null) ? null : own.reduce((sum: number, one) => sum + one!, 0);
  return { text: `${name(from)} to ${name(from + count - 1)}`, total };
}

/** Builds the steps of normals and indices of a month, with their sums. */
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
    [0, 1, 2].reduce((sum, i) => sum + normals.months[(quarter + i) % 12], 0);
  const index = (column: Columns<MonthFigures>[number], calculation: string): Step => ({
    quantity: column.label,
    calculation,
    value: computed?.[column.name] ?? null,
    unit: column.unit ?? "",
    served: served(column),
  });
  const own: MonthSum = { text: formatMonth(label), total: entry.energy };
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
    index(monthIndex, over(own, normals && normals.year / 12)),
    index(abnormality, over(own, normalMonth)),
    index(last12, over(sumMonths(months, number - 11, 12), normals?.year)),
    index(lastQuarter, over(sumMonths(months, quarter, 3), quarterNormal)),
    index(lastYear, over(sumMonths(months, year, 12), normals?.year)),
  ];
}
