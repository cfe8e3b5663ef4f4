import type { SQLOutputValue } from "node:sqlite";
import { figures, predictedInterval } from "../../../api/columns/columns.ts";
import type { Licence } from "../licence.ts";
import type { Order } from "../order.ts";
import type { Dataset, FreshMonth } from "../site_record.ts";

/** A row as SQLite gives it. */
export type Row = Record<string, SQLOutputValue>;

/** Names of the figure columns, in the order of the contract. */
const FIGURES = figures.map((column) => column.name);

/** Names of the ends of the interval. */
const INTERVAL = predictedInterval.map((column) => column.name);

/** Columns of a month beside its key. */
export const MONTH_COLUMNS: readonly string[] = [...FIGURES, "completeness", "status", ...INTERVAL];

/** Figures that differ by less than this share are the same: a recalculation on another machine is no revision. */
const SAME = 1e-9;

/** A licence from its row. */
export function toLicence(row: Row): Licence {
  const list = (value: SQLOutputValue) => value === null ? null : JSON.parse(value as string);
  return {
    serialNumber: row.serial_number as string,
    email: row.email as string,
    expires: row.expires as string | null,
    turbines: list(row.turbines),
    datasets: list(row.datasets),
  };
}

/** A dataset from its row. */
export function toDataset(row: Row): Dataset {
  return { ...JSON.parse(row.record as string), id: row.id };
}

/** An order from its row. */
export function toOrder(row: Row | undefined): Order | undefined {
  return row && {
    id: row.id as string,
    serialNumber: row.serial_number as string,
    serviceId: row.service_id as string,
    parameters: JSON.parse(row.parameters as string),
    state: row.state as Order["state"],
    token: row.token as string | null,
    file: row.file as string | null,
    expires: row.expires as number | null,
  };
}

/** A month whose data are gone. */
export function withoutFigures({ year, month, status }: FreshMonth): FreshMonth {
  const none = Object.fromEntries([...FIGURES, ...INTERVAL].map((name) => [name, null]));
  return { year, month, status, completeness: 0, ...none } as FreshMonth;
}

/** Whether two months say the same. An interval that was drawn anew is no other figure, one where none was is. */
export function sameFigures(a: FreshMonth, b: FreshMonth): boolean {
  const value = (month: FreshMonth, name: string) => month[name as "completeness"] as number | null;
  return a.status === b.status &&
    [...FIGURES, "completeness"].every((name) => {
      const [x, y] = [value(a, name), value(b, name)];
      return x === y || x !== null && y !== null && Math.abs(x - y) <= SAME * Math.abs(x);
    }) &&
    INTERVAL.every((name) => (value(a, name) === null) === (value(b, name) === null));
}
