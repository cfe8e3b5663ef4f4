/** Readings of a meter, in the order of time. */
interface MeterReadings {
  /** What the meter showed; NaN where it was not read. */
  readonly readings: Float64Array;
  /** Whether the reading at a position is the one next to that before it. */
  readonly follows: (row: number) => boolean;
  /** Number at which the meter begins anew. */
  readonly rollover?: number | undefined;
}

/**
 * What was produced between readings: of each row the difference to the next one. Where the next was not read, or does
 * not follow, it is NaN: what was produced in a gap is known for all of it together only.
 *
 * @returns One value fewer than there are readings, or the sentence that refuses one, with its row
 */
export function computeMeterProduction(
  { readings, follows, rollover }: MeterReadings,
): Float64Array | { readonly row: number; readonly found: string } {
  const produced = new Float64Array(Math.max(0, readings.length - 1)).fill(NaN);
  let last = NaN; // readings go up over gaps as well
  for (let row = 0; row < readings.length; row++) {
    const reading = readings[row];
    if (Number.isNaN(reading)) continue;
    if (rollover !== undefined && !(reading >= 0 && reading < rollover)) {
      return { row, found: `${reading} is no reading of a meter that begins anew at ${rollover}` };
    }
    let difference = reading - last;
    if (difference < 0) {
      const beyond = rollover === undefined ? Infinity : difference + rollover;
      // A meter that runs over has gone a short way; one that was changed or set back shows anything.
      if (rollover === undefined || beyond > rollover / 2) {
        return {
          row,
          found: `the meter shows ${reading}, after ${last}: it was changed, set back, or began ` +
            "anew. Split the file there, or declare the number at which it begins anew: " +
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
