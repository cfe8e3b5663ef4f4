import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { MIN_SHARE } from "../../frames/production/period_shares.ts";
import { MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import {
  type ComparedMonth,
  findMonthSpan,
  listMonths,
  productionSide,
  readComparedSeries,
  sumMonths,
} from "../series/compared_series.ts";

const [completenessColumn] = pickColumns(monthlyIndicesFrame, ["completeness"]);

/** A month of production. */
export interface ProducedMonth {
  /** Energy of all hours, MWh; `null` where it is missing, or of less than 98 % of them. */
  readonly energy: number | null;
  /** The same, also of half of the hours on, by the valid hours of a monthly energy. */
  readonly scaled: number | null;
  /** Share of its hours with production; `null` where it is unknown. */
  readonly completeness: number | null;
}

/** Production by months since year 0, in order of time. */
export type ProductionByMonth = ReadonlyMap<number, ProducedMonth>;

/**
 * Reads the months of production; empty without production.
 *
 * @param production Hours or months of one turbine
 * @param timeZone Zone that sets the months, of hours. @default that of the stamps
 * @returns The months, and how steps below an hour were averaged to hours, in sentences
 */
export function readProducedMonths(
  production: DataFrame | undefined,
  timeZone: string | undefined,
) {
  if (!production) return { months: new Map(), notes: [] };
  const read = readComparedSeries(production, productionSide, completenessColumn);
  if (read.kind === "hourly") {
    const rows = sumMonths(timeZone ? { ...read, timeZone } : read);
    return {
      months: new Map(rows.map(({ number, energy, completeness }) => {
        const known = toNull(energy);
        return [number, { energy: known, scaled: known, completeness }];
      })),
      notes: read.notes,
    };
  }
  const rows = new Map(read.months.map((month) => [month.number, month]));
  const months = listMonths(findMonthSpan([...rows.keys()]), timeZone ?? "UTC");
  return {
    months: new Map(
      months.map(({ number, hours }) => [number, scaleMonth(rows.get(number), hours)]),
    ),
    notes: read.notes,
  };
}

const toNull = (value: number): number | null => Number.isNaN(value) ? null : value;

/** Scales a monthly energy to all hours by those for which it is known. */
function scaleMonth(month: ComparedMonth | undefined, hours: number): ProducedMonth {
  if (!month) return { energy: null, scaled: null, completeness: null };
  const { energy, validHours } = month;
  const share = Math.min(1, validHours / hours);
  const completeness = Number.isNaN(share) ? month.completeness : share;
  const incomplete = completeness < MIN_COMPLETENESS;
  const scaled = Number.isNaN(share)
    ? incomplete ? NaN : energy
    : share >= MIN_SHARE
    ? energy / share
    : NaN;
  return {
    energy: incomplete ? null : toNull(scaled),
    scaled: toNull(scaled),
    completeness: toNull(completeness),
  };
}
