import { ArgumentError } from "../../api/errors.ts";
import { readSpan } from "../../show/options/range.ts";
import { findTimeFormatProblem, TimeFormat } from "../../time/time_format.ts";
import { isStep } from "./production_columns.ts";
import { isEnergy } from "./units.ts";
import {
  columnsByTurbine,
  productionFields,
  type ProductionFormat,
  productionSchema,
} from "./production_format.ts";

/** A field of a format that contradicts another one, and the explanation. */
export interface Contradiction {
  readonly field: keyof ProductionFormat;
  readonly problem: string;
}

/** Fields that a rule compares, and a function that explains why the first one, or the one it returns, contradicts the others. */
type Rule = readonly [
  compares: readonly (keyof ProductionFormat)[],
  find: (how: ProductionFormat) => string | Contradiction | false,
];

const isPeriod = ({ resolution }: ProductionFormat) =>
  resolution === "month" || resolution === "year";
const isPower = ({ unit }: ProductionFormat) => !isEnergy(unit);

const extraFields = ["status", "availability", "limit", "valid_hours"] as const;

/** Forms of the bounds of a span, by resolution. */
const BOUNDS = {
  year: { form: /^\d{4}$/, wanted: 'whole years, such as "2023"' },
  month: { form: /^\d{4}(-\d{2})?$/, wanted: 'whole months or years, such as "2023-03"' },
} as const;

/** Finds a problem of the spans with another unit. */
function findUnitSpanProblem({ other_units, resolution }: ProductionFormat): string | false {
  const spans: (readonly [number, number])[] = [];
  for (const { from, to, unit } of other_units ?? []) {
    const span = `${from} to ${to}`;
    if (resolution === "month" || resolution === "year") {
      const { form, wanted } = BOUNDS[resolution];
      if (![from, to].every((bound) => form.test(bound))) {
        return `${span} does not consist of whole ${resolution}s. Give ${wanted}`;
      }
      if (!isEnergy(unit)) {
        return `the unit of a ${resolution}'s production is an energy, not ${unit}. Use kWh or MWh`;
      }
    }
    try {
      const [first, end] = readSpan({ from, to }, "UTC");
      if (spans.some(([start, stop]) => first < stop && end > start)) {
        return `${span} overlaps another period. Give each period once`;
      }
      spans.push([first, end]);
    } catch (error) {
      return (error as Error).message;
    }
  }
  return false;
}

const rules: readonly Rule[] = [
  [["unit", "resolution"], (how) =>
    isPeriod(how) && isPower(how) &&
    `the unit of a ${how.resolution}'s production is an energy, not ${how.unit}. Use kWh or MWh`],
  [
    ["stamp", "resolution", "counter"],
    (how) =>
      isPeriod(how) && how.stamp === "end" && !how.counter &&
      `stamp "end" does not apply to a ${how.resolution}. Omit "stamp", ` +
        `and name the ${how.resolution} of each row in the file`,
  ],
  [["counter", "unit"], (how) =>
    Boolean(how.counter) && isPower(how) &&
    `a meter counts kWh or MWh, not ${how.unit}. Give the unit of the meter`],
  [["other_units", "counter"], (how) =>
    how.other_units !== undefined && Boolean(how.counter) &&
    "meter readings have one unit. Name the files of each unit in a separate entry"],
  [["other_units", "resolution", "unit"], findUnitSpanProblem],
  [
    ["counter", "resolution"],
    ({ counter, resolution }) =>
      counter === "daily" && !isStep(resolution) &&
      (resolution === "day"
        ? 'a meter that restarts each day shows the energy of the day at its end, so daily values are energies. Omit "counter"'
        : `a meter that restarts each day does not show the energy of a ${resolution}. Declare the resolution of its readings`),
  ],
  [
    ["thousands", "decimal"],
    ({ thousands, decimal }) =>
      thousands !== undefined && decimal === undefined &&
      'a thousands mark needs a decimal mark. Give "decimal", too',
  ],
  [
    ["thousands", "decimal"],
    ({ thousands, decimal }) =>
      thousands !== undefined && thousands === decimal &&
      `"${decimal}" cannot be both the decimal mark and the thousands mark. Give two different marks`,
  ],
  [
    ["availability", "availability_unit"],
    (how) =>
      how.availability !== undefined && how.availability_unit === undefined &&
      'its unit is missing. Give availability_unit "%" or "share"',
  ],
  [
    ["limit", "limit_unit"],
    (how) =>
      how.limit !== undefined && how.limit_unit === undefined &&
      'its unit is missing. Give limit_unit "kW", "MW", "%" or "share" of rated power, or "flag" for 0 and 1',
  ],
  [
    ["limit", "resolution"],
    (how) =>
      how.limit !== undefined && !isStep(how.resolution) &&
      `a power limit applies to hours, not to a ${how.resolution}. Give hourly or sub-hourly values, or omit "limit"`,
  ],
  [
    ["valid_hours", "resolution"],
    (how) =>
      isStep(how.resolution) && how.valid_hours !== undefined &&
      "hourly and sub-hourly values are valid if they are not empty. Omit " +
        '"valid_hours", and leave missing values empty',
  ],
  [["time", "resolution", "time_format"], ({ time, resolution, time_format }) => {
    if (typeof time === "string" || time_format !== undefined) return false;
    const isMonths = resolution === "month" || resolution === "year";
    if (time.length === 2 && !isMonths) return false;
    return `${time.length} columns have parts of the time. Give "time_format", too, with the parts in this ` +
      `order and spaces between them, such as ${isMonths ? '"YYYY M"' : '"YYYY M D H"'}`;
  }],
  [
    ["stamp", "time_format"],
    ({ stamp, time_format }) =>
      stamp === "end" && time_format !== undefined && !findTimeFormatProblem(time_format) &&
      new TimeFormat(time_format).isRange &&
      'time_format has the start and the end of a period. Omit "stamp"',
  ],
  [["column"], ({ column }) =>
    Array.isArray(column) && column.length !== 12 &&
    `${column.length} columns side by side do not make a year. Give twelve columns, January first`],
  [
    ["column", "resolution"],
    ({ column, resolution }) =>
      Array.isArray(column) && resolution !== "month" &&
      `twelve columns side by side are months, but resolution is "${resolution}". Give resolution "month", or one column`,
  ],
  [["counter", "column"], ({ column, counter }) =>
    Array.isArray(column) && Boolean(counter) &&
    "meter readings come from one column, not from twelve. Name one column"],
  [["time_format", "resolution", "column"], ({ time_format, resolution, column }) => {
    if (time_format === undefined || findTimeFormatProblem(time_format)) return false;
    const { hasMonth, hasDay, hasHour } = new TimeFormat(time_format);
    const quoted = JSON.stringify(time_format);
    if (resolution === "month" && !Array.isArray(column) && !hasMonth) {
      return `${quoted} has no month. Give a format such as "MM/YYYY"`;
    }
    if (resolution === "day" && !hasDay) {
      return `${quoted} has no day. Give day, month and year, such as "DD/MM/YYYY"`;
    }
    return isStep(resolution) && !hasHour &&
      `${quoted} has no hour: timestamps have day, month, year and hour. Give a format like "DD/MM/YYYY HH:mm"`;
  }],
  [["column", ...extraFields], (how) => {
    const field = extraFields.find((field) => how[field] !== undefined);
    return Array.isArray(how.column) && field !== undefined && {
      field,
      problem: `"${field}" does not apply to twelve columns side by side. Omit it`,
    };
  }],
  [["column"], (how) => {
    const turbines = columnsByTurbine(how);
    return turbines !== undefined && Object.keys(turbines).length === 0 &&
      "it names no turbine. Give the column of each turbine";
  }],
  [
    ["turbine", "column"],
    (how) =>
      how.turbine !== undefined && columnsByTurbine(how) !== undefined &&
      '"column" names a column for each turbine, so "turbine" does not apply. Omit "turbine", or name one column',
  ],
  [["turbines", "turbine"], (how) =>
    how.turbines !== undefined && how.turbine === undefined &&
    'the column that names the turbine of a row is missing. Give "turbine", too'],
  [["column", ...extraFields], (how) => {
    const many = columnsByTurbine(how) !== undefined;
    const field = extraFields.find((field) =>
      how[field] !== undefined && (typeof how[field] !== "string") !== many
    );
    return field !== undefined && {
      field,
      problem: many
        ? `"column" names a column for each turbine, but "${field}" does not. Give one for each turbine`
        : `"${field}" names a column for each turbine, but "column" does not. Give one name`,
    };
  }],
  [["column", ...extraFields], (how) => {
    const turbines = columnsByTurbine(how) ?? {};
    for (const field of extraFields) {
      const names = how[field];
      const other = typeof names === "object" &&
        Object.keys(names).find((turbine) => !Object.hasOwn(turbines, turbine));
      if (other) {
        return {
          field,
          problem:
            `the turbine "${other}" has no column with production. Name the same turbines in both fields`,
        };
      }
    }
    return false;
  }],
];

/**
 * Lists the fields that contradict others.
 *
 * @param how A format; a field that is invalid by itself contradicts no other
 */
export function listContradictions(how: ProductionFormat): Contradiction[] {
  const isSound = (field: keyof ProductionFormat) =>
    productionFields[field].safeParse(how[field]).success;
  return rules.flatMap(([compares, find]) => {
    const contradictions = compares.every(isSound) && find(how) || [];
    return typeof contradictions === "string"
      ? { field: compares[0], problem: contradictions }
      : contradictions;
  });
}

/**
 * Checks a format at run time: notebooks are not type-checked, and a misspelt field must not be ignored.
 *
 * @throws {ArgumentError} If fields are unknown, have wrong values, or contradict each other; the message names all
 */
export function assertFormat(file: string, how: ProductionFormat): void {
  const issues = productionSchema.safeParse(how).error?.issues
    .map(({ path, message }) => ({ field: path.join("."), problem: message }));
  refuseFields(file, issues ?? listContradictions(how));
}

/**
 * Checks the turbines to read if the files name them without a column.
 *
 * @throws {ArgumentError} If they are not names of turbines
 */
export function assertTurbines(file: string, turbines: ProductionFormat["turbines"]): void {
  const issues = productionFields.turbines.safeParse(turbines).error?.issues ?? [];
  refuseFields(file, issues.map(({ message }) => ({ field: "turbines", problem: message })));
}

/** Refuses declared fields with problems, if there are any; the error has the first field as a fact. */
export function refuseFields(
  file: string,
  problems: readonly { readonly field: string; readonly problem: string }[],
): void {
  if (problems.length === 0) return;
  const all = problems.map(({ field, problem }) => field === "" ? problem : `${field}: ${problem}`);
  const facts = { field: problems[0].field || undefined };
  throw new ArgumentError(`Cannot read ${file} as declared: ${all.join(". ")}`, facts);
}
