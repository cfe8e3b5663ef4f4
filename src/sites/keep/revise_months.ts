import { listColumns, requireColumns } from "../../api/columns/column_table.ts";
import type { Column } from "../../api/columns/column.ts";
import {
  figures,
  intervalTable,
  type MonthFigures,
  windIndicesTable,
} from "../../api/columns/month_columns.ts";
import { formatMonthLabel, monthNumberOf } from "../../time/zones.ts";
import { storedColumns } from "./month_table.ts";
import type { FreshMonth, RevisedMonths, StoredMonth } from "./site_record.ts";

/** Largest relative difference between equal figures: a recalculation on another machine is not a revision. */
const SAME = 1e-9;

/** Figures of a month that depend on no other month. */
const ownFigures = figures.filter(({ name }) =>
  name === "month_index" || name === "month_abnormality_index" || name === "predicted_production"
);

/** Whether a value of a month is the same. A resampled interval counts as the same, an added or removed one does not. */
function isSameValue(
  { name }: Column,
  x: string | number | null,
  y: string | number | null,
): boolean {
  if (x === y) return true;
  if (x === null || y === null) return false;
  if (name in intervalTable) return true;
  return typeof x === "number" && typeof y === "number" && Math.abs(x - y) <= SAME * Math.abs(x);
}

/** Whether the figures of a month that depend on no other month are the same. */
export function hasSameEnergy(a: MonthFigures, b: MonthFigures): boolean {
  return ownFigures.every((one) => isSameValue(one, a[one.name], b[one.name]));
}

/** Changes of an import to the months of a turbine. */
interface MonthChanges extends RevisedMonths {
  /** Rows to write; each replaces a row with the same revision. */
  readonly rows: readonly StoredMonth[];
}

const statedColumns = listColumns(requireColumns(windIndicesTable))
  .filter(({ name }) => name !== "revision");

/** Clears a month whose data are gone: null for every optional value. */
function removeFigures(month: StoredMonth): StoredMonth {
  const values = storedColumns.filter(({ notNull }) => !notNull).map(({ name }) =>
    [name, null] as const
  );
  return { ...month, ...Object.fromEntries(values), completeness: 0 };
}

function hasFigures(month: FreshMonth): boolean {
  return figures.some(({ name }) => month[name] !== null);
}

/**
 * Revises the months of a turbine: a month whose figures differ from its latest revision gets a new revision; a missing
 * month loses its figures. A month after the last one with figures is not complete yet. Its row is replaced without a
 * new revision, because no report shows it.
 *
 * @param before The stored months, each in its latest revision
 * @param of `calibration`: revision of the calibration behind the figures, `undefined` without one; `edition` of the
 * turbine
 */
export function reviseMonths(
  before: readonly StoredMonth[],
  months: readonly FreshMonth[],
  { calibration, edition }: { calibration: number | undefined; edition: number },
): MonthChanges {
  const known = new Map(before.map((month) => [monthNumberOf(month), month]));
  const named = new Set(months.map(monthNumberOf));
  const gone = before
    .filter((month) => !named.has(monthNumberOf(month)) && month.month_index !== null)
    .map(removeFigures);
  const end = Math.max(...before.filter(hasFigures).map(monthNumberOf)); // -Infinity without any
  const rows: StoredMonth[] = [];
  const newEnergy: string[] = [];
  let trailing = 0;
  for (const fresh of [...months, ...gone]) {
    const latest = known.get(monthNumberOf(fresh));
    const counted = {
      revision: (latest?.revision ?? 0) + 1,
      calibration: calibration ?? latest?.calibration ?? 0,
      edition,
    };
    const month: StoredMonth = { ...fresh, ...counted };
    if (!latest) {
      rows.push(month);
      continue;
    }
    if (statedColumns.every((one) => isSameValue(one, latest[one.name], month[one.name]))) continue;
    if (monthNumberOf(month) > end && !hasFigures(month)) {
      const { revision, calibration, edition } = latest;
      rows.push({ ...month, revision, calibration, edition });
      continue;
    }
    if (hasFigures(latest)) {
      if (hasSameEnergy(latest, month)) trailing++;
      else newEnergy.push(formatMonthLabel(month));
    }
    rows.push(month);
  }
  return { rows, newEnergy: newEnergy.sort(), trailing };
}
