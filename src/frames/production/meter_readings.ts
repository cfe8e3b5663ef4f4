/** Readings of a meter, in the order of time. */
interface MeterReadings {
  /** Readings in the unit of the meter; NaN if missing. */
  readonly readings: Float64Array;
  /** Whether the reading of a row is one period after that of the row before. */
  readonly follows: (row: number) => boolean;
  /** Number at which the meter restarts from 0. */
  readonly rollover?: number | undefined;
}

/**
 * Computes production from meter readings: for each row the difference to the next one. It is NaN if the next reading is
 * missing or more than one period later, as only the total of a gap is known.
 *
 * @returns One value fewer than readings, or the sentence that refuses a reading, with its row
 */
export function computeMeterProduction(
  { readings, follows, rollover }: MeterReadings,
): Float64Array | { readonly row: number; readonly found: string } {
  const produced = new Float64Array(Math.max(0, readings.length - 1)).fill(NaN);
  let last = NaN; // readings increase over gaps as well
  for (let row = 0; row < readings.length; row++) {
    const reading = readings[row];
    if (Number.isNaN(reading)) continue;
    if (rollover !== undefined && !(reading >= 0 && reading < rollover)) {
      return { row, found: `${reading} is not a reading of a meter that restarts at ${rollover}` };
    }
    let difference = reading - last;
    if (difference < 0) {
      const beyond = rollover === undefined ? Infinity : difference + rollover;
      // After a rollover the difference is small; after a replacement or a reset it can be anything.
      if (rollover === undefined || beyond > rollover / 2) {
        return {
          row,
          found:
            `the meter shows ${reading}, after ${last}: it was replaced, reset, or restarted ` +
            "at its highest number. Split the file there, or declare that number: " +
            "counter: { rollover: 1000000 }",
        };
      }
      difference = beyond;
    }
    if (row > 0 && follows(row) && !Number.isNaN(readings[row - 1])) produced[row - 1] = difference;
    last = reading;
  }
  return produced;
}
