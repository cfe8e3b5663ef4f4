import { DataFormatError } from "../../api/errors.ts";
import { findCopied } from "../../screening/values/copied.ts";
import {
  countDrops,
  countOf,
  findFold,
  findMark,
  findOddMonths,
  findRepeats,
  isHeld,
  judgeDirections,
  MIN_DROPS,
} from "../../screening/values/climate_values.ts";
import { mean, median } from "../../stats/spread.ts";
import { HOUR, type HourAxis } from "../../time/hourly.ts";
import { formatStamp } from "../../time/stamps.ts";
import { convertVariable, type Implausible } from "../declaration/climate_variables.ts";
import type { ClimateSource } from "../declaration/site_file.ts";

/** Numbers that programs write for missing values: nines, 16-bit limits, fill values of NetCDF. */
const MARK = /^-?(99+(\.9+)?|3276[678]|\d(\.\d+)?e\+(?:[2-9]\d|[1-9]\d\d+))$/;

/** Numbers from here on are rarely real values of any variable, so they can be declared for the whole source. */
const LARGE = 999;

/** Advises where to declare a mark for missing values: in the source, or in one variable if the value may be real in others. */
const adviseMark = (name: string, value: number) =>
  `Add "null_values": [${value}] to ${
    Math.abs(value) < LARGE ? `the variable "${name}"` : "the climate source"
  } if it means missing`;

/** Advises on an implausible value or mean. */
function adviseImplausible(
  name: string,
  values: ArrayLike<number>,
  unit: string,
  { row, likely }: Implausible,
): string {
  const value = row === undefined ? NaN : values[row];
  const others = Float64Array.from(values, (one) => one === value ? NaN : one);
  const isMark = (MARK.test(String(value)) || countOf(values, value) > 1) &&
    !convertVariable(name, others, unit).implausible;
  if (isMark) return adviseMark(name, value);
  if (likely.length > 0) {
    const units = likely.length > 1 ? "their actual unit" : `"unit": "${likely[0]}"`;
    return `The values look like ${likely.join(" or ")}. Declare ${units}`;
  }
  return Number.isNaN(value) ? "Check the unit" : `Check the unit. ${adviseMark(name, value)}`;
}

/** Values of a column of a file, with their declaration. */
interface ColumnValues {
  /** Name of the variable in the site file. */
  readonly name: string;
  /** Values as in the file; missing is NaN. */
  readonly values: ArrayLike<number>;
  readonly unit: string;
  /** File and column, for messages. */
  readonly where: string;
}

/** The parts of a source that declare numbers as missing. */
type NullSource = Pick<ClimateSource, "null_values" | "variables">;

const numbersOf = (values: NullSource["null_values"] = []) =>
  values.map(Number).filter((value) => !Number.isNaN(value));

/** Replaces numbers that mean missing by NaN; rejects a number of the source that may be a real value of the variable. */
function dropNulls(
  { name, values, unit, where }: ColumnValues,
  { null_values: sourceNulls, variables }: NullSource,
): ArrayLike<number> {
  const marks = new Set(numbersOf(variables?.[name]?.null_values));
  for (const mark of numbersOf(sourceNulls)) {
    const isValue = !marks.has(mark) && countOf(values, mark) > 0 &&
      !convertVariable(name, [mark], unit).implausible && findMark(values) !== mark;
    if (isValue && !/^(wind_speed|prel)/.test(name)) {
      throw new DataFormatError(
        `Cannot use ${where}: ${mark} in null_values may be a real value there. Move null_values from ` +
          "the source to the variables in which this number means missing",
        { code: "number", value: mark },
      );
    }
    marks.add(mark);
  }
  return marks.size === 0
    ? values
    : Float64Array.from(values, (value) => marks.has(value) ? NaN : value);
}

/**
 * Converts the values of a climate variable to the engine's unit, and rejects implausible ones.
 *
 * @param column The values of a column, with their declaration
 * @param source Declares which numbers mean missing
 * @throws {DataFormatError} If a value or the mean is implausible, or a number probably means missing
 */
export function readValues(column: ColumnValues, source: NullSource): Float64Array {
  const { name, unit, where } = column;
  const refuse = (problem: string, value: number, row?: number): never => {
    const facts = { code: "unit", row: row === undefined ? row : row + 1, value } as const;
    throw new DataFormatError(`Cannot use ${where}: ${problem}`, facts);
  };
  const values = dropNulls(column, source);
  const { values: converted, implausible } = convertVariable(name, values, unit);
  if (implausible) {
    const { row, value, range, unit: engineUnit } = implausible;
    const problem = `${row === undefined ? "the mean" : `row ${row + 1}`} is ${
      Number(value.toPrecision(6))
    } ${engineUnit}, outside of ${range.map((end) => Math.round(end)).join(" to ")}`;
    refuse(`${problem}. ${adviseImplausible(name, values, unit, implausible)}`, value, row);
  }
  if (isContinuous(name)) {
    const mark = findMark(values);
    if (mark !== undefined) {
      const problem = `${countOf(values, mark)} values are ${mark}, far from all others`;
      refuse(`${problem}. ${adviseMark(name, mark)}`, mark);
    }
  }
  if (name.startsWith("wind_speed")) {
    const drops = countDrops(converted);
    if (drops >= MIN_DROPS) {
      refuse(`${drops} values are 0, between hours of wind. ${adviseMark(name, 0)}`, 0);
    }
  }
  if (!name.startsWith("wind_direction")) return converted;
  const judged = judgeDirections(converted);
  if (judged === "radians") {
    refuse('no direction exceeds 2 pi, so they are probably in rad. Declare "unit": "rad"', NaN);
  }
  if (judged === "mark") {
    const value = Array.from(values).find((value) => value < 0)!;
    refuse(`${countOf(values, value)} values are ${value}. ${adviseMark(name, value)}`, value);
  }
  return converted;
}

/** Whether a variable changes gradually, so jumps and repeats are faults. */
const isContinuous = (name: string) => /^(wind_[suv]|temp|dew|pres)/.test(name);

/** Hours with a repeated value: noted from a day on, rejected from three days (wind) or a month (air). */
const STUCK_HOURS = { noted: 24, wind: 72, air: 720 } as const;

/** Wind speeds that vary from hour to hour, m/s. */
const VARYING = [0.5, 75] as const;

/** Plausible mean wind speeds at 100 m, and usual ones at turbines, m/s; the windiest sites have 12 to 13. */
const MEANS = { plausible: [1.2, 16], usual: [3, 12] } as const;

/** Power-law exponents between the mean wind speeds of two heights; usual are 0.05 at sea to 0.45 in forests. */
const EXPONENTS = { plausible: [-0.1, 0.6], usual: [-0.02, 0.5] } as const;

/**
 * Ratios of a month to the same months of all years: 0.73 to 1.52 at three sites and the sample, 3.6 for km/h read as
 * m/s, 1.9 for knots.
 */
const RATIOS = { plausible: [0.4, 2.5], usual: [0.6, 1.75] } as const;

/** Number of unusual months from which climate is rejected: weather does not explain so many. */
const MAX_ODD = 6;

/** Fewest hours for judging a mean: a month. */
const MIN_HOURS = 720;

const isWithin = (value: number, [low, high]: readonly [number, number]) =>
  value >= low && value <= high;

/** Climate of a point, with names for messages. */
interface JudgedClimate {
  readonly axis: HourAxis;
  /** Variables by name, in the engine's units; missing is NaN. */
  readonly variables: ReadonlyMap<string, Float64Array>;
  /** Its files, for messages. */
  readonly file: string;
  /** Name of a variable in the files. */
  readonly columnOf: (name: string) => string;
}

/**
 * Judges the hours of a point: rejects faults that would distort figures, and notes oddities that may be real.
 *
 * @returns Sentences on oddities to check
 * @throws {DataFormatError} If wind repeats one value or other days for 72 hours, wraps around its range, or has an
 * impossible mean
 */
export function judgeClimate(climate: JudgedClimate): string[] {
  const { axis, variables, file, columnOf } = climate;
  const notes: string[] = [];
  const refuse = (issue: string): never => {
    throw new DataFormatError(`Cannot use ${file}: ${issue}`);
  };
  const remedy = "Download these hours again, or leave their cells empty";
  const stampAt = (i: number) => formatStamp(axis.start + i * HOUR);
  const addNote = (issue: string) => void notes.push(`Please check ${file}: ${issue}`);
  const judgeRuns = (
    runs: readonly { readonly from: number; readonly to: number }[],
    describe: (run: { from: number; to: number }) => string,
    refusedHours: number,
  ) => {
    if (runs.length === 0) return;
    const longest = runs.reduce((a, b) => b.to - b.from > a.to - a.from ? b : a);
    const more = runs.length > 1 ? `, and there are ${runs.length - 1} more such stretches` : "";
    const issue = `${describe(longest)}${more}`;
    const total = runs.reduce((sum, { from, to }) => sum + to - from, 0);
    if (total >= refusedHours) refuse(`${issue}. ${remedy}`);
    addNote(`${issue}. If the source has other values, download these hours again`);
  };
  for (const [name, values] of variables) {
    const column = `column "${columnOf(name)}"`;
    if (isContinuous(name)) {
      const runs = findRepeats(values, STUCK_HOURS.noted);
      const describe = ({ from, to }: { from: number; to: number }) =>
        `${column} has the value ${values[from]} in all ${to - from} hours from ${stampAt(from)}`;
      if (name.startsWith("wind") && isHeld(values)) {
        refuse(
          `${column} repeats its values for several hours, probably because the data have longer steps. ` +
            "Download hourly data",
        );
      }
      judgeRuns(runs, describe, STUCK_HOURS[name.startsWith("wind") ? "wind" : "air"]);
      const fold = findFold(values);
      if (fold !== -1) {
        refuse(
          `${column} jumps between its largest and smallest values, first at ${
            stampAt(fold)
          }, probably ` +
            "because packed integers overflowed when files were merged. Merge them as floats, or name the files one by one",
        );
      }
    } else if (name.startsWith("wind_direction") && judgeDirections(values) === "sector") {
      addNote(
        `${column} has directions in less than half of the circle. Check the column and its unit`,
      );
    }
  }
  const [dew, air] = [variables.get("dew_point"), variables.get("temperature")];
  const moist = dew?.filter((value, i) => value > (air?.[i] ?? NaN) + 1).length ?? 0;
  if (dew && moist > dew.length / 100) {
    refuse(
      `the dew point is above the temperature in ${moist} hours. Check their columns and units`,
    );
  }
  const levels = listSpeeds(variables);
  const top = levels.at(-1);
  if (!top) return notes;
  judgeRuns(
    findCopied(top.speeds, VARYING, 24),
    ({ from, to }) =>
      `the wind of the ${to - from} hours from ${stampAt(from)} equals earlier days`,
    STUCK_HOURS.wind,
  );
  judgeMeans(levels, refuse, addNote);
  const oddMonths = findOddMonths(top.speeds, axis.start, RATIOS.usual);
  if (oddMonths.length > 0) {
    const ratio = median(oddMonths.map((one) => one.ratio));
    const issue = `the wind of ${oddMonths.slice(0, 3).map(({ month }) => month).join(", ")}${
      oddMonths.length > 3 ? ` and ${oddMonths.length - 3} more months` : ""
    } is ${ratio.toFixed(2)} times the wind of the same months in other years`;
    const isUnit = oddMonths.length >= MAX_ODD ||
      oddMonths.some((one) => !isWithin(one.ratio, RATIOS.plausible));
    if (isUnit) {
      refuse(`${issue}, probably in another unit. Convert these months to the unit of the others`);
    }
    addNote(`${issue}. Check whether they have the same unit as the others`);
  }
  return notes;
}

/** Judges the mean wind speeds and the shear between heights. */
function judgeMeans(
  levels: ReturnType<typeof listSpeeds>,
  refuse: (issue: string) => never,
  addNote: (issue: string) => void,
): void {
  const means = levels.map(({ height, speeds }) => {
    const valid = speeds.filter((speed) => speed === speed);
    return { height, mean: valid.length < MIN_HOURS ? NaN : mean(valid) };
  });
  for (const [i, { height, mean }] of means.entries()) {
    if (Number.isNaN(mean)) continue;
    const at100 = mean * (100 / height) ** (1 / 7);
    const issue = `the mean wind speed at ${height} m is ${mean.toFixed(1)} m/s`;
    if (!isWithin(at100, MEANS.plausible)) {
      refuse(
        `${issue}, which is impossible at any site. Check the unit: km/h, knots and mph can be declared`,
      );
    }
    if (i === means.length - 1 && !isWithin(at100, MEANS.usual)) {
      addNote(`${issue}, which is unusual. Check whether the unit is right`);
    }
    const below = means[i - 1];
    if (!below || Number.isNaN(below.mean)) continue;
    const exponent = Math.log(mean / below.mean) / Math.log(height / below.height);
    const comparison = `${issue}, and at ${below.height} m it is ${below.mean.toFixed(1)} m/s`;
    const advice = "Check the units and heights of both";
    if (!isWithin(exponent, EXPONENTS.plausible)) refuse(`${comparison}. ${advice}`);
    if (!isWithin(exponent, EXPONENTS.usual)) addNote(`${comparison}. ${advice}`);
  }
}

/** Lists wind speeds by height, the lowest first. */
function listSpeeds(variables: JudgedClimate["variables"]) {
  const heights = [...variables.keys()].flatMap((name) =>
    /^wind_[su]\w*_([\d.]+)$/.exec(name)?.[1] ?? []
  );
  return [...new Set(heights)].flatMap((height) => {
    const [speed, u, v] = ["speed", "u", "v"].map((kind) =>
      variables.get(`wind_${kind}_${height}`)
    );
    const speeds = speed ?? (u && v && u.map((value, i) => Math.hypot(value, v[i])));
    return speeds ? [{ height: Number(height), speeds }] : [];
  }).sort((a, b) => a.height - b.height);
}
