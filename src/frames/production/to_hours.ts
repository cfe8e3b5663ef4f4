import pl, { type DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { time, turbineId } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { formatCount } from "../../show/text/numbers.ts";
import { formatStamp } from "../../time/stamps.ts";
import { DAY, HOUR } from "../../time/hourly.ts";
import { computeClockShift } from "../../time/zones.ts";
import { buildDatetimes, buildNumbers, buildSeries } from "../frame.ts";
import { describeFrame, provenance } from "../origin/provenance.ts";
import { buildRefuse, readStamps, readTexts, type Refuse } from "../read_columns.ts";
import { readLimits, readShares } from "./period_shares.ts";
import { productionColumns, productionExtras } from "./production_columns.ts";
import { declareOptions, type OptionTable, readOptions } from "../../show/options/read_options.ts";
import { checkFrame } from "../../show/check_frame.ts";

/** Options of {@linkcode toHours}. */
export interface ToHoursOptions {
  /**
   * Share of an hour's steps that must be valid, 0 to 1; an hour with fewer is null. The default is half of them: steps
   * within an hour are similar, and if one missing step removed an hour, months would fall below the 98 % of valid hours
   * that they need. At 0 one valid step is enough.
   * @default {0.5}
   */
  readonly minShare?: number;
}

/** Options of {@linkcode averageToHours}. */
interface AveragingOptions extends ToHoursOptions {
  /** Length of a step, ms. @default the median distance of the rows */
  readonly step?: number;
}

const [, power] = productionColumns.hour;
const { status, availability, limit, limitShare, validShare } = productionExtras;
/** Columns to average over an hour; a limit over the steps that had one. */
const averaged: readonly Column[] = [power, availability, limit, limitShare];
const declared: readonly Column[] = [
  ...[turbineId, time, power, status, availability, limit, limitShare, validShare],
];

/** Options of {@linkcode toHours} by name. */
export const TO_HOURS_OPTIONS: OptionTable<ToHoursOptions> = declareOptions<ToHoursOptions>()("", {
  minShare: 0.5,
});

/**
 * Averages production in steps below an hour, such as ten minutes, to hours.
 *
 * Power and availability are the mean of the valid steps of the hour, a limit is the mean of the steps that had one;
 * `status` names each status of the hour once, in the order of time. An hour between the first row and the last that
 * has no row, or too few valid steps, is a row with nulls. Hours begin as in UTC, like model and climate data, if the
 * steps fit them, else as on the clock in the zone.
 *
 * @param frame `time` with a zone and `power` (kW), as `readProduction()` returns them; optionally `turbine_id`,
 * `status`, `availability` and `limit`
 * @param options Share of the steps that must be valid
 * @returns The same columns with one row for each hour and turbine, in the zone of the frame, and `valid_share`, the share
 * of the hour whose steps have a power (0 to 1); a note in its provenance, and below the table, counts the hours that are
 * null
 * @throws {ArgumentError} If columns are missing or of another type, a step is duplicated, or steps are not regular
 *
 * @example An hour of ten minutes, one of them missing
 * ```ts
 * import { readProduction, toHours } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * const steps = [100, 110, "", 130, 140, 150].map((kW, i) => `2023-05-01T00:${i}0Z,${kW}\n`);
 * await Deno.writeTextFile(file, "time,power\n" + steps.join(""));
 * const production = await readProduction(file, {
 *   column: "power",
 *   time: "time",
 *   resolution: "10min",
 *   unit: "kW",
 * });
 * assertEquals(toHours(production).getColumn("power").toArray(), [126]);
 * assertEquals(toHours(production, { minShare: 1 }).getColumn("power").nullCount(), 1);
 * await Deno.remove(file);
 * ```
 */
export function toHours(frame: DataFrame, options: ToHoursOptions = {}): DataFrame {
  const how = readOptions("toHours()", options, TO_HOURS_OPTIONS);
  checkFrame(frame, "average production to hours", "readProduction()");
  return averageToHours(frame, how, buildRefuse("average production to hours")).frame;
}

/**
 * Averages as {@linkcode toHours} does, and also returns its notes.
 *
 * @param how Share of valid steps, and the length of a step if it is known
 */
export function averageToHours(
  frame: DataFrame,
  { minShare = 0.5, step: known }: AveragingOptions,
  refuse: Refuse,
) {
  if (!(minShare >= 0 && minShare <= 1)) {
    throw new ArgumentError(
      `Cannot average production to hours: minShare is ${minShare}. Give a share from 0 to 1`,
    );
  }
  const names = Object.keys(frame);
  const missing = [time, power].find(({ name }) => !names.includes(name));
  if (missing) refuse(`it has no column "${missing.name}". It has ${names.join(", ") || "none"}`);
  const columns = declared.filter((column) => names.includes(column.name) || column === validShare);
  const { epochs, timeZone } = readStamps(frame, time.name, refuse);
  const turbines = groupByTurbine(frame, epochs, refuse);
  const step = known ?? findUsualStep([...turbines.values()], epochs, refuse);
  const perHour = HOUR / step;
  const needed = Math.max(1, Math.ceil(minShare * perHour - 1e-9));
  const readColumn = (column: Column) =>
    column === limit ? readLimits(frame, limit, refuse)! : readShares(frame, column.name, refuse);
  const values = new Map(
    averaged.filter((column) => columns.includes(column))
      .map((column) => [column, readColumn(column)]),
  );
  // Hours that were averaged before have their shares already.
  const shares = names.includes(validShare.name)
    ? readShares(frame, validShare.name, refuse)
    : undefined;
  const words = columns.includes(status) ? readTexts(frame, status.name) : undefined;
  const count = { hours: 0, few: 0, empty: 0 };
  const parts = [...turbines].map(([turbine, rows]) => {
    const hours = groupByHour(rows, epochs, { step, timeZone }, refuse);
    count.hours += hours.length;
    const series = columns.map((column) => {
      if (column === turbineId) return buildSeries(column, hours.map(() => turbine));
      if (column === time) {
        return buildDatetimes(time.name, Float64Array.from(hours, ({ start }) => start), timeZone);
      }
      if (column === status) {
        return buildSeries(status, hours.map(({ rows }) => joinStatus(rows, words!)));
      }
      if (column === validShare) {
        const valid = values.get(power)!;
        return buildSeries(
          validShare,
          Float64Array.from(
            hours,
            ({ rows }) =>
              rows.reduce(
                (sum, row) => sum + (shares?.[row] ?? Number(!Number.isNaN(valid[row]))),
                0,
              ) / perHour,
          ),
        );
      }
      const columnValues = values.get(column)!;
      return buildNumbers(
        column.name,
        Float64Array.from(hours, ({ rows }) => {
          const valid = rows.map((row) => columnValues[row]).filter((value) =>
            !Number.isNaN(value)
          );
          if (column === power && valid.length < needed) {
            count[valid.length > 0 ? "few" : "empty"]++;
          }
          const fewest = column === limit || column === limitShare ? 1 : needed;
          return valid.length < fewest ? NaN : valid.reduce((a, b) => a + b, 0) / valid.length;
        }),
      );
    });
    return pl.DataFrame(series);
  });
  const notes = writeNotes(count, step, needed, names.filter((name) => !isDeclared(name)));
  const none = buildSeries(validShare, new Float64Array(0));
  const hourly = parts.length === 0
    ? frame.withColumn(none)
    : parts.length === 1
    ? parts[0]
    : pl.concat(parts);
  return { frame: describeFrame(hourly, columns, provenance(frame), notes), notes };
}

const isDeclared = (name: string) => declared.some((column) => column.name === name);

/** Groups rows by turbine, each in the order of time; `null` is the turbine of a frame without `turbine_id`. */
function groupByTurbine(
  frame: DataFrame,
  epochs: Float64Array,
  refuse: Refuse,
): Map<string | null, number[]> {
  const several = Object.keys(frame).includes(turbineId.name);
  const ids = several ? readTexts(frame, turbineId.name) : undefined;
  const rows = Map.groupBy(epochs.keys(), (row) => ids ? ids[row] : null);
  for (const [id, turbineRows] of rows) {
    turbineRows.sort((a, b) => epochs[a] - epochs[b]);
    const duplicate = turbineRows.findIndex((row, i) =>
      i > 0 && epochs[row] === epochs[turbineRows[i - 1]]
    );
    if (duplicate === -1) continue;
    refuse(
      `${formatStamp(epochs[turbineRows[duplicate]])} is duplicated${
        id === null ? "" : ` at ${id}`
      }. ` +
        "Keep one row per step and turbine",
    );
  }
  return rows;
}

/** Finds the median distance of rows, ms; at most an hour. */
function findUsualStep(
  turbines: readonly (readonly number[])[],
  epochs: Float64Array,
  refuse: Refuse,
): number {
  const distances = Float64Array.from(
    turbines.flatMap((rows) => rows.slice(1).map((row, i) => epochs[row] - epochs[rows[i]])),
  ).sort();
  if (distances.length === 0) {
    return epochs.length === 0
      ? HOUR
      : refuse("it has only one row, so its step is unknown. Give more rows");
  }
  const usual = distances[Math.floor((distances.length - 1) / 2)];
  if (usual >= DAY - HOUR) refuse("each row covers a day or more. Add them up with toMonths()");
  return Math.min(HOUR, usual);
}

/** An hour and the rows of its steps. */
interface HourRows {
  readonly start: number;
  readonly rows: number[];
}

/** Groups rows by hour, from the first row to the last, including hours without a row. */
function groupByHour(
  rows: readonly number[],
  epochs: Float64Array,
  { step, timeZone }: { step: number; timeZone: string },
  refuse: Refuse,
): HourRows[] {
  const minutes = step / 60_000;
  if (HOUR % step !== 0) {
    refuse(`its steps of ${minutes} minutes do not fill an hour. Give steps of 5, 10, 15 or 30`);
  }
  const first = epochs[rows[0]];
  const shift = first % step === 0 ? 0 : computeClockShift(first, timeZone);
  const oddRow = rows.find((row) => (epochs[row] - shift) % step !== 0);
  if (oddRow !== undefined) {
    refuse(
      `${
        formatStamp(epochs[oddRow])
      } is not a whole step of ${minutes} minutes after the hour. Give regular ` +
        "steps, each with the time at which it begins",
    );
  }
  const hourOf = (row: number) => Math.floor((epochs[row] - shift) / HOUR);
  const from = hourOf(rows[0]);
  const hours = Array.from(
    { length: hourOf(rows[rows.length - 1]) - from + 1 },
    (_, i): HourRows => ({ start: (from + i) * HOUR + shift, rows: [] }),
  );
  for (const row of rows) hours[hourOf(row) - from].rows.push(row);
  return hours;
}

function joinStatus(rows: readonly number[], words: readonly (string | null)[]): string | null {
  const statuses = new Set(rows.map((row) => words[row]).filter((word) => word !== null));
  return statuses.size === 0 ? null : [...statuses].join(", ");
}

function writeNotes(
  { hours, few, empty }: { hours: number; few: number; empty: number },
  step: number,
  needed: number,
  others: readonly string[],
): string[] {
  const missing = few + empty === 0
    ? ""
    : `. ${
      formatCount(few + empty, "hour has", "hours have")
    } no mean, because fewer than ${needed} ` +
      `of the ${HOUR / step} values are valid. This includes ${empty} h without a valid value`;
  return [
    ...(step === HOUR ? [] : [
      `Vindkit averaged ${step / 60_000}-minute values to ${
        formatCount(hours, "hourly value")
      }${missing}`,
    ]),
    ...(others.length > 0 ? [`Columns left out of the hours: ${others.join(", ")}`] : []),
  ];
}
