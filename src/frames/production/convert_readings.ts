import pl, { type DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { refuseFile } from "../refuse_file.ts";
import { HOUR, TEN_MINUTES } from "../../time/hourly.ts";
import { monthNumberAt } from "../../time/zones.ts";
import { buildNumbers, extractEpochs, toFloats } from "../frame.ts";
import { readTexts } from "../read_columns.ts";
import { productionColumns } from "./production_columns.ts";
import type { ProductionFormat } from "./production_format.ts";
import type { RowPlace } from "./production_table.ts";
import { convertUnit } from "./units.ts";

/** Readings of a meter, in the order of time. */
interface MeterReadings {
  /** Readings in the unit of the meter; NaN if missing. */
  readonly readings: Float64Array;
  /** Whether the reading of a row is one period after that of the row before. */
  readonly follows: (row: number) => boolean;
  /** Number at which the meter restarts from 0. */
  readonly rollover?: number | undefined;
  /**
   * Whether two rows are surely of the same meter; it may be replaced between files, and anywhere if it is declared to
   * reset.
   */
  readonly isSame: (one: number, other: number) => boolean;
  /** Refuses a reading, with its row. */
  readonly refuse: (row: number, found: string) => never;
}

/**
 * Computes production from meter readings: for each row the difference to the next one. It is NaN if the next reading is
 * missing or more than one period later, as only the total of a gap is known, and where the meter was replaced.
 *
 * @returns The production, one value fewer than readings, in the unit of the meter; and the rows of readings that are lower
 * than the one before, as the meter was replaced
 */
function computeMeterProduction({ readings, follows, rollover, isSame, refuse }: MeterReadings) {
  const produced = new Float64Array(Math.max(0, readings.length - 1)).fill(NaN);
  const restarts: number[] = [];
  let before = -1; // readings increase over gaps as well
  for (let row = 0; row < readings.length; row++) {
    const reading = readings[row];
    if (Number.isNaN(reading)) continue;
    if (rollover !== undefined && !(reading >= 0 && reading < rollover)) {
      refuse(row, `${reading} is not a reading of a meter that restarts at ${rollover}`);
    }
    const last = before === -1 ? NaN : readings[before];
    let difference = reading - last;
    if (difference < 0) {
      const beyond = rollover === undefined ? Infinity : difference + rollover;
      // After a rollover the difference is small; after a replacement or a reset it can be anything.
      const replaced = rollover === undefined || beyond > rollover / 2;
      if (replaced && isSame(before, row)) {
        refuse(
          row,
          `the meter shows ${reading}, after ${last}: it was replaced, reset, or restarted ` +
            'at its highest number. Declare counter "resets", or that number: counter { rollover: 1000000 }',
        );
      }
      if (replaced) restarts.push(row);
      difference = replaced ? NaN : beyond;
    }
    if (row > 0 && follows(row) && before === row - 1) produced[row - 1] = difference;
    before = row;
  }
  return { produced, restarts };
}

/** What a declaration says of meter readings. */
export type ReadingsFormat = Pick<ProductionFormat, "resolution" | "unit" | "stamp" | "counter">;

/**
 * Converts meter readings, joined from all files, to production: the step from the last reading of a file to the first of
 * the next one is a period like others. Other production is returned as it is.
 *
 * @param frame Readings in the unit of the meter, one turbine after the other, each in the order of time
 * @param place File and place of a row, for messages
 * @returns The production; for each turbine one row fewer, since the last reading (the first, if readings are of the end of
 * their period) has no production of its own
 * @throws {DataFormatError} If a meter goes back within a file; the message names the place
 */
export function convertReadings(
  frame: DataFrame,
  how: ReadingsFormat,
  place: (row: number) => RowPlace,
) {
  if (!how.counter || frame.height === 0) return { frame, notes: [] };
  const [, value] = productionColumns[how.resolution];
  const readings = toFloats(frame.getColumn(value.name));
  const periods = countPeriods(frame, how.resolution);
  const { counter } = how;
  const rollover = typeof counter === "object" ? counter.rollover : undefined;
  const notes: string[] = [];
  const values = new Float64Array(frame.height);
  const kept = Array<boolean>(frame.height).fill(true); // a frame of each turbine would take most of the memory
  const later = endsPeriod(how);
  for (const [from, to] of findTurbines(frame)) {
    const { produced, restarts } = computeMeterProduction({
      readings: readings.subarray(from, to),
      follows: (row) => periods[from + row] - periods[from + row - 1] === 1,
      rollover,
      isSame: (one, other) =>
        counter !== "resets" && place(from + one).file === place(from + other).file,
      refuse: (row, found) => {
        const { file, at } = place(from + row);
        return refuseFile(file, `${at}: ${found}`, { field: "counter" });
      },
    });
    for (const row of restarts) {
      const { file, at } = place(from + row);
      notes.push(
        `${file}: ${at}: the meter shows less than before: it was replaced or reset, and what it counted in between is null`,
      );
    }
    values.set(produced, later ? from + 1 : from);
    kept[later ? from : to - 1] = false;
  }
  const converted = frame.withColumn(buildNumbers(value.name, convertUnit(values, how)));
  return { frame: converted.filter(pl.Series(kept)), notes };
}

/** Whether a reading belongs to the end of the period that its row names. */
function endsPeriod(how: ReadingsFormat): boolean {
  return how.stamp === "end" && (how.resolution === "month" || how.resolution === "year");
}

/** Numbers of the periods of rows: one more for the next. */
function countPeriods(frame: DataFrame, resolution: ProductionFormat["resolution"]): Float64Array {
  const [{ name }] = productionColumns[resolution];
  if (resolution === "hour" || resolution === "10min") {
    const step = resolution === "hour" ? HOUR : TEN_MINUTES;
    return extractEpochs(frame, name).map((epoch) => epoch / step);
  }
  const numbers = toFloats(frame.getColumn(name).cast(pl.Int32));
  return resolution === "year" ? numbers : numbers.map((days) => monthNumberAt(days * 86_400_000));
}

/** First row and end of the rows of each turbine; of all rows where no column names it. */
function findTurbines(frame: DataFrame): (readonly [from: number, to: number])[] {
  if (!frame.columns.includes(turbineId.name)) return [[0, frame.height]];
  const ids = readTexts(frame, turbineId.name);
  const starts = [...ids.keys()].filter((row) => row === 0 || ids[row] !== ids[row - 1]);
  return starts.map((from, i) => [from, starts[i + 1] ?? ids.length]);
}
