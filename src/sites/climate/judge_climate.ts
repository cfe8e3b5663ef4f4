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

/** Numbers that programs write for missing: nines, the ends of 16 bits, fill values of NetCDF. */
const MARK = /^-?(99+(\.9+)?|3276[678]|\d(\.\d+)?e\+(?:[2-9]\d|[1-9]\d\d+))$/;

/** Numbers from here on are rarely values of another variable of a source. */
const LARGE = 999;

/** Says how to declare a mark for missing: in the source, or in the variable where others may have that value. */
const adviseMark = (name: string, value: number) =>
  `Add "null_values": [${value}] to ${
    Math.abs(value) < LARGE ? `the variable "${name}"` : "the climate source"
  } if it means missing`;

/** Says what to do about a value or a mean that is not plausible. */
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

/** Values of a column of a file, with what is declared of them. */
interface GivenValues {
  /** Name of the variable in the site file. */
  readonly name: string;
  /** As the file has them; missing is NaN. */
  readonly values: ArrayLike<number>;
  readonly unit: string;
  /** File and column, for messages. */
  readonly where: string;
}

/** What of a source says which numbers mean missing. */
type NullSource = Pick<ClimateSource, "null_values" | "variables">;

const numbersOf = (values: NullSource["null_values"] = []) =>
  values.map(Number).filter((value) => !Number.isNaN(value));

/** Makes numbers that mean missing NaN; those of a source only where they are no values of the variable. */
function dropNulls(
  { name, values, unit, where }: GivenValues,
  { null_values: ofSource, variables }: NullSource,
): ArrayLike<number> {
  const own = new Set(numbersOf(variables?.[name]?.null_values));
  for (const mark of numbersOf(ofSource)) {
    const isValue = !own.has(mark) && countOf(values, mark) > 0 &&
      !convertVariable(name, [mark], unit).implausible && findMark(values) !== mark;
    if (isValue && !/^(wind_speed|prel)/.test(name)) {
      throw new DataFormatError(
        `Cannot use ${where}: ${mark} in null_values may be a real value there. Move null_values from ` +
          "the source to the variables in which it means missing",
        { code: "number", value: mark },
      );
    }
    own.add(mark);
  }
  return own.size === 0
    ? values
    : Float64Array.from(values, (value) => own.has(value) ? NaN : value);
}

/**
 * Converts the values of a climate variable in a file to the engine's unit, and refuses those that it cannot have.
 *
 * @param given The values
 * @param source Says which numbers mean missing
 * @throws {DataFormatError} If a value or the mean of all is not plausible, or a number seems to mean missing
 */
export function readValues(given: GivenValues, source: NullSource): Float64Array {
  const { name, unit, where } = given;
  const refuse = (found: string, value: number, row?: number): never => {
    const facts = { code: "unit", row: row === undefined ? row : row + 1, value } as const;
    throw new DataFormatError(`Cannot use ${where}: ${found}`, facts);
  };
  const values = dropNulls(given, source);
  const { values: converted, implausible } = convertVariable(name, values, unit);
  if (implausible) {
    const { row, value, range, unit: own } = implausible;
    const found = `${row === undefined ? "the mean" : `row ${row + 1}`} is ${
      Number(value.toPrecision(6))
    } ${own}, outside of ${range.map((end) => Math.round(end)).join(" to ")}`;
    refuse(`${found}. ${adviseImplausible(name, values, unit, implausible)}`, value, row);
  }
  if (isContinuous(name)) {
    const mark = findMark(values);
    if (mark !== undefined) {
      const found = `${countOf(values, mark)} values are ${mark}, far from all others`;
      refuse(`${found}. ${adviseMark(name, mark)}`, mark);
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

/** Whether a variable changes little from hour to hour, so that jumps and repeats are faults. */
const isContinuous = (name: string) => /^(wind_[suv]|temp|dew|pres)/.test(name);

/** Hours in which one value repeats that are said, and that are refused of wind and of air: a day, a tenth of a month, a month. */
const STUCK_HOURS = { said: 24, wind: 72, air: 720 } as const;

/** Wind that varies from hour to hour, m/s. */
const VARYING = [0.5, 75] as const;

/** Mean wind speeds at 100 m that are plausible, and usual at turbines, m/s: the windiest sites have 12 to 13. */
const MEANS = { plausible: [1.2, 16], usual: [3, 12] } as const;

/** Exponents of the power law between two mean wind speeds: usual are 0.05 at sea to 0.45 in forests. */
const EXPONENTS = { plausible: [-0.1, 0.6], usual: [-0.02, 0.5] } as const;

/**
 * Ratios of a month to the same months of all years: those of three sites and the sample have 0.73 to 1.52, km/h for m/s 3.6,
 * knots 1.9.
 */
const RATIOS = { plausible: [0.4, 2.5], usual: [0.6, 1.75] } as const;

/** Months beyond the usual ratios that are refused: so many are not of weather. */
const MAX_ODD = 6;

/** Fewest hours whose mean is judged: a month. */
const MIN_HOURS = 720;

const isWithin = (value: number, [low, high]: readonly [number, number]) =>
  value >= low && value <= high;

/** Climate of a point with what its messages name. */
interface JudgedClimate {
  readonly axis: HourAxis;
  /** Variables by name, in the engine's units; missing is NaN. */
  readonly variables: ReadonlyMap<string, Float64Array>;
  /** Its files, for messages. */
  readonly file: string;
  /** Names in the files by variable. */
  readonly columnOf: (name: string) => string;
}

/**
 * Judges the hours of a point: what would make a wrong figure is refused, what may be real is said.
 *
 * @returns What is to be looked at, in sentences
 * @throws {DataFormatError} If wind repeats one value or other days for 72 hours, jumps between its ends, or has a mean of no site
 */
export function judgeClimate(climate: JudgedClimate): string[] {
  const { axis, variables, file, columnOf } = climate;
  const notes: string[] = [];
  const refuse = (found: string): never => {
    throw new DataFormatError(`Cannot use ${file}: ${found}`);
  };
  const again = "Download these hours again, or leave their cells empty";
  const stampAt = (i: number) => formatStamp(axis.start + i * HOUR);
  const say = (found: string) => void notes.push(`Please check ${file}: ${found}`);
  const judgeRuns = (
    runs: readonly { readonly from: number; readonly to: number }[],
    describe: (run: { from: number; to: number }) => string,
    refusedHours: number,
  ) => {
    if (runs.length === 0) return;
    const longest = runs.reduce((a, b) => b.to - b.from > a.to - a.from ? b : a);
    const more = runs.length > 1 ? `, and there are ${runs.length - 1} more such stretches` : "";
    const found = `${describe(longest)}${more}`;
    const total = runs.reduce((sum, { from, to }) => sum + to - from, 0);
    if (total >= refusedHours) refuse(`${found}. ${again}`);
    say(`${found}. If the source has other values, download these hours again`);
  };
  for (const [name, values] of variables) {
    const column = `column "${columnOf(name)}"`;
    if (isContinuous(name)) {
      const runs = findRepeats(values, STUCK_HOURS.said);
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
      say(
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
  judgeMeans(levels, refuse, say);
  const odd = findOddMonths(top.speeds, axis.start, RATIOS.usual);
  if (odd.length > 0) {
    const ratio = median(odd.map((one) => one.ratio));
    const found = `the wind of ${odd.slice(0, 3).map(({ month }) => month).join(", ")}${
      odd.length > 3 ? ` and ${odd.length - 3} more months` : ""
    } is ${ratio.toFixed(2)} times the wind of the same months in other years`;
    const isUnit = odd.length >= MAX_ODD ||
      odd.some((one) => !isWithin(one.ratio, RATIOS.plausible));
    if (isUnit) {
      refuse(`${found}, probably in another unit. Convert these months to the unit of the others`);
    }
    say(`${found}. Check whether they have the same unit as the others`);
  }
  return notes;
}

/** Judges the mean wind speeds of the heights, and how they grow with height. */
function judgeMeans(
  levels: ReturnType<typeof listSpeeds>,
  refuse: (found: string) => never,
  say: (found: string) => void,
): void {
  const means = levels.map(({ height, speeds }) => {
    const valid = speeds.filter((speed) => speed === speed);
    return { height, mean: valid.length < MIN_HOURS ? NaN : mean(valid) };
  });
  for (const [i, { height, mean }] of means.entries()) {
    if (Number.isNaN(mean)) continue;
    const at100 = mean * (100 / height) ** (1 / 7);
    const found = `the mean wind speed at ${height} m is ${mean.toFixed(1)} m/s`;
    if (!isWithin(at100, MEANS.plausible)) {
      refuse(
        `${found}, which is impossible at any site. Check the unit: km/h, knots and mph can be declared`,
      );
    }
    if (i === means.length - 1 && !isWithin(at100, MEANS.usual)) {
      say(`${found}, which is unusual. Check whether the unit is right`);
    }
    const below = means[i - 1];
    if (!below || Number.isNaN(below.mean)) continue;
    const exponent = Math.log(mean / below.mean) / Math.log(height / below.height);
    const both = `${found}, and at ${below.height} m it is ${below.mean.toFixed(1)} m/s`;
    const advice = "Check the units and heights of both";
    if (!isWithin(exponent, EXPONENTS.plausible)) refuse(`${both}. ${advice}`);
    if (!isWithin(exponent, EXPONENTS.usual)) say(`${both}. ${advice}`);
  }
}

/** Wind speeds by height, from the lowest. */
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
