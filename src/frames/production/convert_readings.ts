import pl, { type DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { refuseFile } from "../files/read_file.ts";
import { DAY } from "../../time/hourly.ts";
import { formatStamp } from "../../time/stamps.ts";
import { computeOffset, monthNumberAt } from "../../time/zones.ts";
import { buildNumbers, extractEpochs, toFloats, zoneOf } from "../frame.ts";
import { readTexts } from "../read_columns.ts";
import { findStepLength, isStamped, isStep, productionColumns } from "./production_columns.ts";
import { convertUnit } from "./units.ts";
import { countDayHours } from "./period_shares.ts";
import type { ProductionFormat } from "./production_format.ts";
import type { RowPlace } from "./production_table.ts";

/** Readings of a meter, in the order of time. */
interface MeterReadings {
  /** Readings in the unit of the meter; NaN if missing. */
  readonly readings: Float64Array;
  /** Whether a row is one period after the row before. */
  readonly follows: (row: number) => boolean;
  /** Number at which the meter restarts from 0. */
  readonly rollover?: number | undefined;
  /**
   * Whether two rows are certainly of the same meter; it may be replaced between files, or anywhere if declared as
   * "resets".
   */
  readonly isSame: (one: number, other: number) => boolean;
  /** Refuses a reading, with its row. */
  readonly refuse: (row: number, problem: string) => never;
}

/**
 * Computes production from meter readings: for each row the difference to the next one. It is NaN if the next reading
 * is missing or more than one period later, because only the total of a gap is known, and if the meter was replaced.
 *
 * @returns The production, one value fewer than readings, in the unit of the meter; and the rows where a replaced meter
 * shows less than before
 */
function computeMeterProduction({ readings, follows, rollover, isSame, refuse }: MeterReadings) {
  const produced = new Float64Array(Math.max(0, readings.length - 1)).fill(NaN);
  const restarts: number[] = [];
  let before = -1; // readings increase over gaps as well
  for (let row = 0; row < readings.length; row++) {
    const reading = readings[row];
    if (Number.isNaN(reading)) continue;
    if (rollover !== undefined && !(reading >= 0 && reading < rollover)) {
      refuse(row, `${reading} is not a possible reading of a meter that restarts at ${rollover}`);
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
          `the meter shows ${reading}, after ${last}: it was replaced or reset, or it restarted ` +
            'at its highest number. Declare counter "resets", or the highest number: counter { rollover: 1000000 }',
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

/** A false reading is at most this share of the one before, and a single later step regains at least this share of its fall. */
const [NO_READING, REGAINED] = [0.1, 0.5];

/** Refuses false readings, such as 0 when the meter did not answer: later readings continue from the ones before. */
function refuseDrops({ readings, refuse }: Pick<MeterReadings, "readings" | "refuse">): void {
  const known = [...readings.keys()].filter((row) => !Number.isNaN(readings[row]));
  for (let i = 1; i < known.length; i++) {
    const [last, reading] = [readings[known[i - 1]], readings[known[i]]];
    if (!(reading < NO_READING * last)) continue;
    const back = known.findIndex((row, at) => at > i && readings[row] >= last);
    if (back === -1) continue;
    const gain = readings[known[back]] - readings[known[back - 1]];
    if (gain < REGAINED * (last - reading)) continue;
    refuse(
      known[i],
      `the meter shows ${reading}, between ${last} and ${readings[known[back]]}: it was probably ` +
        `not read. Declare null_values [${reading}], or remove the row`,
    );
  }
}

/** Thresholds of a daily restart. Not declared: fewest falls, and their smallest share of the days. Declared: smallest share of days with falls, and most falls a day. */
const [MIN_FALLS, MIN_FALL_SHARE, FEW_FALLS, MAX_FALLS] = [3, 0.5, 0.25, 2];

/**
 * Finds the time of day at which a meter usually restarts: when its readings fall most often.
 *
 * @param local Times of the readings by the clock of their zone, ms since 1970 as if it were UTC
 * @returns Time of day of the reading before, ms; number of falls then, and number of days
 */
function findUsualRestart(
  { readings, follows }: Pick<MeterReadings, "readings" | "follows">,
  local: Float64Array,
) {
  const counts = new Map<number, { falls: number; days: number }>();
  for (let row = 1; row < readings.length; row++) {
    const difference = readings[row] - readings[row - 1];
    if (Number.isNaN(difference) || !follows(row)) continue;
    const start = modulo(local[row - 1], DAY);
    const count = counts.get(start) ?? { falls: 0, days: 0 };
    counts.set(start, { falls: count.falls + Number(difference < 0), days: count.days + 1 });
  }
  const [[start, count] = [0, { falls: 0, days: 0 }]] = [...counts].sort(([, a], [, b]) =>
    b.falls - a.falls
  );
  return { start: count.falls === 0 ? 0 : start, ...count };
}

const modulo = (value: number, by: number) => value - by * Math.floor(value / by);

/**
 * Computes production from readings of a meter that restarts once a day. After a restart at 00:00, the next reading is
 * the production since. If it restarts within a step, its last count before is unknown, so the step is NaN. On a day
 * without a fall, as after a calm, it restarts at its usual time.
 *
 * @returns As {@linkcode computeMeterProduction}; `restarts` are the rows of readings before which a step is unknown
 * @throws {DataFormatError} If it restarts on few days
 */
function computeDailyProduction(meter: MeterReadings, local: Float64Array) {
  const { readings, follows } = meter;
  const usual = findUsualRestart(meter, local);
  const differences = readings.map((reading, row) =>
    row > 0 && follows(row) ? reading - readings[row - 1] : NaN
  );
  const dayOf = (row: number) => Math.floor(local[row - 1] / DAY);
  const falls = [...differences.keys()].filter((row) => differences[row] < 0);
  const fallDays = new Set(falls.map(dayOf));
  const active = new Set(
    [...readings.keys()].filter((row) => row > 0 && readings[row] > 0).map(dayOf),
  );
  if (active.size >= MIN_FALLS && fallDays.size < FEW_FALLS * active.size) {
    const problem =
      `the meter shows less than before on ${fallDays.size} of ${active.size} days, so it does ` +
      'not restart each day. Declare counter true, or "resets" if it was set back';
    meter.refuse(readings.findIndex((reading) => reading > 0), problem);
  }
  if (falls.length > MAX_FALLS * active.size) {
    const problem =
      `the meter shows less than before ${falls.length} times on ${active.size} days, so it does ` +
      'not restart once a day. If the values are the energies of their steps, omit "counter"';
    meter.refuse(falls[0], problem);
  }
  const restarts = [...differences.keys()].filter((row) =>
    differences[row] < 0 ||
    !Number.isNaN(differences[row]) && modulo(local[row - 1], DAY) === usual.start &&
      !fallDays.has(dayOf(row))
  );
  for (const row of restarts) differences[row] = NaN;
  const midnights = restarts.filter((row) => modulo(local[row - 1], DAY) === 0);
  const late = isLate(midnights, readings, differences);
  if (!late) { for (const row of midnights) differences[row] = readings[row]; }
  return {
    produced: differences.slice(1),
    restarts: restarts.filter((row) => Number.isNaN(differences[row])),
    usual: usual.start,
    late: late && usual.start === 0,
  };
}

/** Describes the unknown steps of a meter that restarts each day. */
function describeDaily(
  { restarts, usual, late }: ReturnType<typeof computeDailyProduction>,
  step: number,
): string {
  const show = (time: number) => formatStamp(modulo(time, DAY)).slice(11, 16);
  const when = late ? "later than at 00:00" : `between ${show(usual)} and ${show(usual + step)}`;
  const reason = late ? "it counts less up to its next reading than in the neighbouring steps" : "";
  return `the meter restarts ${when}${
    reason && `: ${reason}`
  }. The file does not show what it counted in ` +
    `the step of a restart, so ${restarts.length} steps are null`;
}

/** Refuses a meter that restarts each day but is not declared "daily": after a calm its production would be too low. */
function refuseDaily(meter: MeterReadings, clock: () => Float64Array): void {
  const { readings } = meter;
  const first = readings.findIndex((reading, row) => reading < readings[row - 1]);
  const count = readings.reduce((sum, one, row) => sum + Number(one < readings[row - 1]), 0);
  if (count < MIN_FALLS) return;
  const { falls, days } = findUsualRestart(meter, clock());
  // Powers fall half the time, at any time of day.
  if (falls < MIN_FALLS || falls < MIN_FALL_SHARE * Math.max(days, count)) return;
  meter.refuse(
    first,
    `the meter shows ${readings[first]}, after ${
      readings[first - 1]
    }, and less than before on ${falls} ` +
      `of ${days} days, so it restarts each day. Declare counter "daily"`,
  );
}

/** Converts stamps to the clock of a zone, ms since 1970 as if it were UTC. */
function toLocal(stamps: Float64Array, zone: string): Float64Array {
  let [day, start, end] = [NaN, 0, 0];
  return stamps.map((stamp) => {
    const stampDay = Math.floor(stamp / DAY);
    if (stampDay !== day) { // a call for each stamp would take longer than reading it
      day = stampDay;
      [start, end] = [stampDay * DAY, (stampDay + 1) * DAY].map((instant) =>
        computeOffset(instant, zone)
      );
    }
    return stamp + (start === end ? start : computeOffset(stamp, zone));
  });
}

/** The first step of a day is short below this share of its neighbours: certainly, or if it differs by enough standard errors. */
const [SHORT, MAYBE_SHORT, MIN_ERRORS] = [0.5, 0.9, 3];

/**
 * Whether a meter restarts later than at 00:00, within its first step of the day: it counts less there than in the
 * neighbouring steps.
 *
 * @param midnights Rows of the first readings after 00:00
 * @param differences Production up to each row, NaN if unknown
 */
function isLate(
  midnights: readonly number[],
  readings: Float64Array,
  differences: Float64Array,
): boolean {
  const pairs = midnights
    .map((row) => [readings[row], (differences[row - 1] + differences[row + 1]) / 2] as const)
    .filter(([, neighbour]) => !Number.isNaN(neighbour ?? NaN));
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  const [first, nearby] = [sum(pairs.map(([one]) => one)), sum(pairs.map(([, other]) => other))];
  if (first < SHORT * nearby) return true;
  const shortfalls = pairs.map(([one, other]) => other - one);
  const mean = sum(shortfalls) / shortfalls.length;
  const error = Math.sqrt(sum(shortfalls.map((one) => (one - mean) ** 2))) / shortfalls.length;
  return first < MAYBE_SHORT * nearby && mean > MIN_ERRORS * error;
}

/** Fields of a declaration that concern meter readings. */
export type ReadingsFormat = Pick<ProductionFormat, "resolution" | "unit" | "stamp" | "counter">;

/**
 * Converts meter readings, joined from all files, to production: the step from the last reading of a file to the first
 * of the next one is a period like others. Returns other production unchanged.
 *
 * @param frame Readings in the unit of the meter, one turbine after the other, each in the order of time
 * @param place File and place of a row, for messages
 * @returns The production; for each turbine one row fewer, because the last reading (the first, if readings are taken
 * at the end of their period) has no production
 * @throws {DataFormatError} If a meter goes back within a file; the message names the place
 */
export function convertReadings(
  frame: DataFrame,
  how: ReadingsFormat,
  place: (row: number) => RowPlace,
) {
  if (!how.counter || frame.height === 0) return { frame, notes: [] };
  const [{ name: time }, value] = productionColumns[how.resolution];
  const zone = zoneOf(frame.getColumn(time).dtype) ?? "UTC";
  const starts = isStamped(how.resolution) ? extractEpochs(frame, time) : new Float64Array(0);
  const readings = toFloats(frame.getColumn(value.name));
  const periods = countPeriods(frame, how.resolution);
  const { counter, resolution } = how;
  const step = isStep(resolution) ? findStepLength(resolution) : undefined;
  const rollover = typeof counter === "object" ? counter.rollover : undefined;
  const notes: string[] = [];
  const values = new Float64Array(frame.height);
  const isKept = Array<boolean>(frame.height).fill(true); // a frame of each turbine would take most of the memory
  const later = endsPeriod(how);
  for (const [from, to] of findTurbines(frame)) {
    const meter: MeterReadings = {
      readings: readings.subarray(from, to),
      follows: (row) => periods[from + row] - periods[from + row - 1] === 1,
      rollover,
      isSame: (one, other) =>
        counter !== "resets" && place(from + one).file === place(from + other).file,
      refuse: (row, problem) => {
        const { file, at } = place(from + row);
        return refuseFile(file, `${at}: ${problem}`, { field: "counter" });
      },
    };
    const clock = () => toLocal(starts.subarray(from, to), zone);
    const daily = counter === "daily" ? computeDailyProduction(meter, clock()) : undefined;
    if (step !== undefined && !daily) refuseDaily(meter, clock);
    if (!daily && rollover === undefined) refuseDrops(meter);
    const { produced, restarts } = daily ?? computeMeterProduction(meter);
    if (daily && restarts.length > 0) {
      const { file, at } = place(from + restarts[0]);
      notes.push(`${file}: ${at}: ${describeDaily(daily, step!)}`);
    }
    for (const row of daily ? [] : restarts) {
      const { file, at } = place(from + row);
      notes.push(
        `${file}: ${at}: the meter shows less than before, because it was replaced or reset. The energy in between is null`,
      );
    }
    values.set(produced, later ? from + 1 : from);
    isKept[later ? from : to - 1] = false;
  }
  const hoursOf = (row: number) => countDayHours(starts[row], zone);
  const converted = frame.withColumn(buildNumbers(value.name, convertUnit(values, how, hoursOf)));
  return { frame: converted.filter(pl.Series(isKept)), notes };
}

/** Whether a reading belongs to the end of the period that its row names. */
function endsPeriod(how: ReadingsFormat): boolean {
  return how.stamp === "end" && !isStep(how.resolution);
}

/** Numbers the periods of rows: consecutive periods differ by one. */
function countPeriods(frame: DataFrame, resolution: ProductionFormat["resolution"]): Float64Array {
  const [{ name }] = productionColumns[resolution];
  if (isStamped(resolution)) {
    const epochs = extractEpochs(frame, name);
    if (isStep(resolution)) return epochs.map((epoch) => epoch / findStepLength(resolution));
    const zone = zoneOf(frame.getColumn(name).dtype) ?? "UTC";
    return epochs.map((epoch) => Math.round((epoch + computeOffset(epoch, zone)) / DAY));
  }
  const numbers = toFloats(frame.getColumn(name).cast(pl.Int32));
  return resolution === "year" ? numbers : numbers.map((days) => monthNumberAt(days * 86_400_000));
}

/** Finds the first row and the end of the rows of each turbine; of all rows if no column names it. */
function findTurbines(frame: DataFrame): (readonly [from: number, to: number])[] {
  if (!frame.columns.includes(turbineId.name)) return [[0, frame.height]];
  const ids = readTexts(frame, turbineId.name);
  const starts = [...ids.keys()].filter((row) => row === 0 || ids[row] !== ids[row - 1]);
  return starts.map((from, i) => [from, starts[i + 1] ?? ids.length]);
}
