/** Readings of a meter, in the order of time. */
interface MeterReadings {
  /** Readings in the unit of the meter; NaN if missing. */
  readonly readings: Float64Array;
  /** Whether the reading of a row is one period after that of the row before. */
  readonly follows: (row: number) => boolean;
  /** Number at which the meter restarts from 0. */
  readonly rollover?: number | undefined;
  /** Whether two rows are of one file: between files the meter may have been replaced. */
  readonly sameFile: (one: number, other: number) => boolean;
}

/** Production between the readings of a meter. */
interface MeterProduction {
  /** One value fewer than readings, in the unit of the meter. */
  readonly produced: Float64Array;
  /** Rows of readings that are lower than the one before, which is in another file. */
  readonly restarts: readonly number[];
}

/**
 * Computes production from meter readings: for each row the difference to the next one. It is NaN if the next reading is
 * missing or more than one period later, as only the total of a gap is known, and where the meter was replaced.
 *
 * @returns The production, or the sentence that refuses a reading, with its row
 */
export function computeMeterProduction(
  { readings, follows, rollover, sameFile }: MeterReadings,
): MeterProduction | { readonly row: number; readonly found: string } {
  const produced = new Float64Array(Math.max(0, readings.length - 1)).fill(NaN);
  const restarts: number[] = [];
  let before = -1; // readings increase over gaps as well
  for (let row = 0; row < readings.length; row++) {
    const reading = readings[row];
    if (Number.isNaN(reading)) continue;
    if (rollover !== undefined && !(reading >= 0 && reading < rollover)) {
      return { row, found: `${reading} is not a reading of a meter that restarts at ${rollover}` };
    }
    const last = before === -1 ? NaN : readings[before];
    let difference = reading - last;
    if (difference < 0) {
      const beyond = rollover === undefined ? Infinity : difference + rollover;
      // After a rollover the difference is small; after a replacement or a reset it can be anything.
      const replaced = rollover === undefined || beyond > rollover / 2;
      if (replaced && sameFile(before, row)) {
        return {
          row,
          found:
            `the meter shows ${reading}, after ${last}: it was replaced, reset, or restarted ` +
            "at its highest number. Split the file there, or declare that number: " +
            "counter: { rollover: 1000000 }",
        };
      }
      if (replaced) restarts.push(row);
      difference = replaced ? NaN : beyond;
    }
    if (row > 0 && follows(row) && before === row - 1) produced[row - 1] = difference;
    before = row;
  }
  return { produced, restarts };
}
