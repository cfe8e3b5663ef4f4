import pl, { type DataFrame } from "nodejs-polars";
import { modelDataCsv, monthlyIndicesFrame } from "../../../src/api/columns/columns.ts";
import { buildFrame } from "../../../src/frames/frame.ts";
import { monthAsDays } from "../../../src/time/zones.ts";

export const HOUR = 3_600_000;

/** Hours from an instant on, with columns of one value per hour; null is missing. */
export function hoursFrame(
  start: string,
  columns: Readonly<Record<string, readonly (number | null)[]>>,
  timeZone = "UTC",
): DataFrame {
  const [values] = Object.values(columns);
  const first = Date.parse(start);
  const time = BigInt64Array.from(values, (_, i) => BigInt(first + i * HOUR) * 1000n);
  return buildFrame(modelDataCsv, { time, ...columns }, timeZone);
}

/** One value for each hour of a number of days. */
export function everyHour(days: number, value: (hour: number) => number | null): (number | null)[] {
  return Array.from({ length: 24 * days }, (_, hour) => value(hour));
}

/** Consecutive months from a first one on. */
export function monthsFrame(
  from: string,
  column: string,
  values: readonly (number | null)[],
): DataFrame {
  const first = Temporal.PlainYearMonth.from(from);
  const days = values.map((_, i) => monthAsDays(first.add({ months: i })));
  return pl.DataFrame([
    pl.Series("month", days, pl.Float64).cast(pl.Int32).cast(pl.Date),
    pl.Series(column, [...values], pl.Float64),
  ]);
}

/** Consecutive monthly indices from a first month on: predicted energies, and the normal energy of each. */
export function computeIndices(
  from: string,
  predicted: readonly number[],
  normals: readonly number[],
): DataFrame {
  const first = Temporal.PlainYearMonth.from(from);
  const year = normals.reduce((sum, energy) => sum + energy, 0);
  const months = predicted.map((_, i) => first.add({ months: i }));
  return buildFrame(monthlyIndicesFrame, {
    month: months.map(monthAsDays),
    month_index: predicted.map((energy) => 1200 * energy / year),
    month_abnormality_index: predicted.map((energy, i) =>
      100 * energy / normals[months[i].month - 1]
    ),
    predicted_production: predicted,
    completeness: predicted.map(() => 1),
  });
}

/** Years and their energies. */
export function yearsFrame(energies: Readonly<Record<string, number | null>>): DataFrame {
  return pl.DataFrame([
    pl.Series("year", Object.keys(energies).map(Number), pl.Int32),
    pl.Series("energy", Object.values(energies), pl.Float64),
  ]);
}

/** A column as a list. */
export function list(frame: DataFrame, name: string): unknown[] {
  return frame.getColumn(name).toArray();
}

/** A column of numbers as a list; a missing one is NaN. */
export function numbers(frame: DataFrame, name: string): number[] {
  return (frame.getColumn(name).toArray() as (number | null)[]).map((value) => value ?? NaN);
}

/** Energies by step name. */
export function byStep(steps: DataFrame): Record<string, number> {
  const names = list(steps, "step") as string[];
  return Object.fromEntries(numbers(steps, "energy").map((energy, i) => [names[i], energy]));
}

/** Power curve of a straight line from 3 m/s to 13 m/s: 100 kW per m/s, 1,000 kW at rated wind. */
export const details = {
  name: "Example 1",
  rated_power: 1000,
  time_zone: "UTC",
  power_curve: {
    power_control: "pcStall" as const,
    power: [{ wind_speed: 3, power: 0 }, { wind_speed: 13, power: 1000 }, {
      wind_speed: 25,
      power: 1000,
    }],
  },
};

/** January and February 2021, 59 days: the model expects 500 kW all the time. */
export const DAYS = 59;
export const january = computeIndices("2021-01", [372, 336], [300, 350, ...Array(10).fill(400)]);

export function steady(power: (hour: number) => number | null): DataFrame {
  return hoursFrame("2021-01-01T00:00Z", { power: everyHour(DAYS, power) });
}

export const predicted = steady(() => 500);

/** Sum of all but the last step, less the last. */
export function computeGap(steps: DataFrame): number {
  const energies = numbers(steps, "energy");
  const last = energies.pop()!;
  return energies.reduce((sum, energy) => sum + energy, 0) - last;
}
