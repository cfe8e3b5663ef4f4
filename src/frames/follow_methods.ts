import pl, { type DataFrame, type Expr, type LazyDataFrame } from "nodejs-polars";
import { isFrame } from "../show/check_frame.ts";
import { ArgumentError } from "../api/errors.ts";

/** A type of stamps in an error of Polars: `datetime[μs, UTC]` in joins, `Datetime('μs', 'UTC')` in stacks; without a zone it ends after the unit. */
const STAMPS = /datetime[[(]'?[^\s,'\])]+'?(?:,\s*'?([^'\])]+)'?)?[\])]/gi;

/** The column, as joins and stacks name it. */
const COLUMN = /`([^`]+)`: datetime|column '([^']+)'/i;

/** Explains Polars' error about stamps of two zones, which it cannot join: names both zones and how to convert. */
function explainZones(error: unknown): unknown {
  const { message } = error as Error;
  const found = [...String(message).matchAll(STAMPS)];
  const zones = [...new Set(found.map(([, zone]) => zone))];
  if (zones.length !== 2) return error;
  const [, joined, stacked] = COLUMN.exec(message) ?? [];
  const column = joined ?? stacked ?? "time";
  const bare = zones.includes(undefined as never);
  const zone = zones.includes("UTC") ? "UTC" : zones.find((one) => one !== undefined);
  const convert = bare ? `replaceTimeZone` : `convertTimeZone`;
  const places = zones.map((one) => one ?? "no time zone").sort().join(" and ");
  return new ArgumentError(
    `Cannot join hours of two time zones: the stamps "${column}" are in ${places}. ` +
      (bare ? "Give those without one their zone" : "Convert one side") +
      ` first: frame.withColumn(pl.col("${column}").dt.${convert}("${zone}"))`,
    { cause: error },
  );
}

/** Methods of a frame that return frames, or objects whose methods do: lazy frames, groups. */
export const FRAME_METHODS: readonly string[] =
  ("add clear clone count describe div divideBy drop dropNulls explode extend fillNull filter gatherEvery groupBy " +
    "groupByDynamic groupByRolling head hstack interpolate join joinAsof lazy limit max mean median min minus modulo " +
    "mul multiplyBy nullCount partitionBy pivot plus product quantile rechunk rem rename reverse sample select shift " +
    "shiftAndFill shrinkToFit slice sort std sub sum tail toDummies transpose unique unnest unpivot upsample var " +
    "vstack where withColumn withColumnRenamed withColumns withRowIndex").split(" ");

type Method = (this: unknown, ...given: unknown[]) => unknown;

/** Whether a column of a result still has the values that the column of that name had before. */
export type Keeps = (made: unknown, name: string) => boolean;

/** Marks a new frame, lazy frame or group with what the values have from which it was made. */
export type Mark = (made: object, from: readonly unknown[], keeps: Keeps) => void;

/** Methods of frames and lazy frames that only choose, order, cut or join rows and columns. */
const CHOOSING: ReadonlySet<string> = new Set(
  ("clear clone collect collectSync drop dropNulls explode extend fetch filter gatherEvery head hstack join joinAsof " +
    "lazy limit partitionBy rechunk reverse sample shrinkToFit slice sort tail unique vstack where withRowIndex")
    .split(" "),
);

/** Whether a column is the same, value by value: what an expression did is not guessed. */
function isSame(frame: DataFrame, made: unknown, name: string): boolean {
  if (!isFrame(made) || !made.columns.includes(name)) return false;
  return made.getColumn(name).seriesEqual(frame.getColumn(name), true);
}

/**
 * Refuses windows of months, quarters and years, which Polars begins on a Monday: months would begin on the 26th.
 *
 * @param method Name of the frame's method; only `groupByDynamic` makes windows
 */
function refuseCalendarWindows(method: string, [options]: readonly unknown[]): void {
  if (method !== "groupByDynamic") return;
  const { indexColumn = "time", every, period } = Object(options) as Record<string, unknown>;
  const found = [every, period].find((one) => /\d(mo|q|y)/.test(String(one)));
  if (found === undefined) return;
  throw new ArgumentError(
    `Cannot group by windows of ${found}: Polars begins them on a Monday, not with the month. Truncate the stamps, ` +
      `then group: frame.withColumn(pl.col("${indexColumn}").dt.truncate("${found}")).groupBy("${indexColumn}"); ` +
      "for production there is toMonths(frame)",
  );
}

/** Casts days to instants, because Polars' `describe()` cannot combine its statistics of days. */
function castDates({ columns, dtypes }: DataFrame): Expr[] {
  return columns.filter((_, i) => dtypes[i].variant === "Date")
    .map((name) => pl.col(name).cast(pl.Datetime("us")));
}

/** Property of a frame with Polars' own `withColumns()`. */
const ORIGINAL: unique symbol = Symbol.for("vindkit.original") as never;

/**
 * Builds a function that makes the methods of a frame mark their results, and those of lazy frames and groups on the way.
 *
 * @param mark Marks a result; it is given the frame whose method it was, the arguments, and which columns are as before
 */
export function buildFollower(mark: Mark): (frame: DataFrame) => void {
  const markAll = (made: unknown, from: readonly unknown[], keeps: Keeps): unknown => {
    if (made instanceof Promise) {
      return made.then((value) => markAll(value, from, keeps), (error) => {
        throw explainZones(error);
      });
    }
    if (Array.isArray(made)) return made.map((value) => markAll(value, from, keeps));
    if (isFrame(made)) {
      mark(made, from, keeps);
      return made;
    }
    return isBuilder(made) ? followBuilder(made, from, keeps) : made;
  };

  /** A lazy frame or group has no hidden properties, and may be sealed: it is built again with methods that mark. */
  const followBuilder = (builder: object, from: readonly unknown[], keeps: Keeps): object => {
    const properties = Object.getOwnPropertyDescriptors(builder) as PropertyDescriptorMap;
    for (const [name, property] of Object.entries(properties)) {
      const original: unknown = property.value;
      if (typeof original !== "function") continue;
      property.value = (...given: unknown[]) => {
        refuseCalendarWindows(name, given);
        return markAll(
          call(() => original.apply(followed, given)),
          [followed, ...given],
          () => CHOOSING.has(name),
        );
      };
    }
    const followed: object = Object.create(Object.prototype, properties);
    mark(followed, from, keeps);
    return followed;
  };

  const methods = Object.fromEntries(FRAME_METHODS.map((name) => {
    // One function for all frames; the frame is `this`.
    function follow(this: DataFrame, ...given: unknown[]): unknown {
      refuseCalendarWindows(name, given);
      // Without columns to add, this is the same frame once more, with the methods of Polars.
      const plain = (this as unknown as Record<symbol, Method>)[ORIGINAL](
        ...name === "describe" ? castDates(this) : [],
      );
      const from = [this, ...given];
      const keeps: Keeps = (made, column) => CHOOSING.has(name) || isSame(this, made, column);
      const passed = given.map((one) =>
        typeof one === "function" ? (part: unknown) => one(markAll(part, [this], keeps)) : one
      );
      const made = call(() => (plain as Record<string, Method>)[name](...passed));
      if (name === "extend" || (name === "hstack" && given[1] === true)) mark(this, from, keeps);
      return markAll(made, from, keeps);
    }
    return [name, { value: follow, configurable: true, writable: true }];
  }));

  return (frame) => {
    if (Reflect.get(frame, ORIGINAL) !== undefined) return;
    const original: unknown = frame.withColumns;
    if (typeof original !== "function") return; // a column of this name hides it
    Object.defineProperties(frame, {
      ...methods,
      [ORIGINAL]: { value: original, configurable: true },
    });
  };
}

/** Calls a method of Polars; its errors about zones become ours. */
function call(method: () => unknown): unknown {
  try {
    return method();
  } catch (error) {
    throw explainZones(error);
  }
}

/** Whether a value is a lazy frame, or a group that makes frames. */
function isBuilder(value: unknown): value is LazyDataFrame | object {
  return typeof value === "object" && value !== null &&
    Object.getPrototypeOf(value) === Object.prototype && !pl.Series.isSeries(value) &&
    // Not by Object.values(), which would compute the columns of a lazy frame.
    Object.values(Object.getOwnPropertyDescriptors(value) as PropertyDescriptorMap)
      .some((property) => typeof property.value === "function");
}
