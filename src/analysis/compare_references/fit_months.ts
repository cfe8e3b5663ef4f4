import { pickColumns } from "../../api/columns/column.ts";
import { month as monthColumn, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { monthOfNumber, startOfMonth } from "../../time/zones.ts";
import { readMonths, readNumbers, type Refuse } from "../../frames/read_columns.ts";
import { columnOf } from "../series/turbine_stamps.ts";
import { findWindColumn } from "../series/wind_column.ts";
import type { SingleCandidate } from "./candidates.ts";
import { computeProducedMeans } from "./month_means.ts";
import { correlateMonths, pairMonths } from "./monthly_pairs.ts";
import type { ProductionSeries, ReferenceFit } from "./reference_fit.ts";

const [, energy] = productionColumns.month;
const [monthIndex] = pickColumns(monthlyIndicesFrame, ["month_index"]);

/** Compares a candidate of months with the production. */
export function fitMonths(
  compared: ProductionSeries,
  { frame, column }: SingleCandidate,
  refuse: Refuse,
): ReferenceFit {
  const names = frame.columns;
  const chosen = column ?? [energy, monthIndex].find(({ name }) => names.includes(name))?.name ??
    findWindColumn(names)?.name ?? refuse(
      `it has months, but neither "${energy.name}" nor "${monthIndex.name}"; it has ` +
        `${names.join(", ")}. Name the column with { column }`,
    );
  if (!names.includes(chosen)) refuse(`it has no column "${chosen}"; it has ${names.join(", ")}`);
  const numbers = readMonths(frame, monthColumn.name, refuse);
  if (new Set(numbers).size < numbers.length) {
    refuse("a month is duplicated. Keep one turbine, and one row a month");
  }
  const values = readNumbers(frame, chosen, refuse);
  const known = new Map(
    numbers.map((number, i) => [number, values[i]] as const)
      .filter(([, value]) => !Number.isNaN(value)),
  );
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const pairs = pairMonths(computeProducedMeans(compared), known);
  const instant = (number: number) => startOfMonth(monthOfNumber(number), compared.timeZone);
  return {
    column: columnOf(frame, chosen).name,
    hours: undefined,
    pairs,
    monthly: correlateMonths(pairs),
    hourlyR: undefined,
    lag: undefined,
    trend: undefined,
    years: undefined,
    completeness: known.size / (last - first + 1),
    record: [instant(first), instant(last)],
    notes: ["its values are of months: no hourly r, lag and trend"],
  };
}
