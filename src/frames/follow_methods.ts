import pl, { type DataFrame, type Expr, type LazyDataFrame } from "nodejs-polars";
import { isFrame } from "../show/check_frame.ts";
import { ArgumentError } from "../api/errors.ts";

/** A type of stamps in an error of Polars: `datetime[μs, UTC]` in joins, `Datetime('μs', 'UTC')` in stacks; without a zone it ends after the unit. */
const STAMPS = /datetime[[(]'?[^\s,'\])]+'?(?:,\s*'?([^'\])]+)'?)?[\])]/gi;

/** The column, as joins and stacks name it. */
const COLUMN = /`([^`]+)`: datetime|column '([^']+)'/i;

/** Explains an error of Polars about stamps of two zones, which it does not join: names both, and how to convert. */
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

/** Whether a method may have changed what the values of a column mean, by its name. */
export type Changes = (name: string) => boolean;

/** Marks a new frame, lazy frame or group with what the values have from which it was made. */
export type Mark = (made: object, from: readonly unknown[], changes: Changes) => void;

/** Methods of frames and groups that calculate figures of another meaning: a sum, a count, a product. */
const CALCULATING: ReadonlySet<string> = new Set(
  ("add count describe div divideBy groups len minus modulo mul multiplyBy nUnique nullCount plus product rem std sub " +
    "sum toDummies transpose var").split(" "),
);
const WITH_EXPRESSIONS: ReadonlySet<string> = new Set(
  ["agg", "groupBy", "groupByDynamic", "groupByRolling", "select", "withColumn", "withColumns"],
);
const RENAMING: ReadonlySet<string> = new Set(["rename", "withColumnRenamed"]);

/** Aggregates that have the unit of their values. */
const SAME_UNIT = "(?:first|last|max|mean|median|min)";
const SAME_UNIT_METHOD = new RegExp(`^${SAME_UNIT}$`);
/** Printed form of an expression that has columns as they are, or one of these aggregates of them. */
const PLAIN = new RegExp(
  String.raw`^(?:col\("[^"]*"\)|cs\.\w+\([^()]*\))(?:\.${SAME_UNIT}\(\))?$`,
);

/** Names of the columns that an argument of `select()` and the like changes; `undefined` for any. */
function listChanged(given: unknown): (string | undefined)[] {
  if (typeof given !== "object" || given === null) return [];
  if (pl.Series.isSeries(given)) return [given.name];
  if (!pl.Expr.isExpr(given)) {
    return Object.entries(given).flatMap(([name, methods]) =>
      [methods].flat().every((one) => SAME_UNIT_METHOD.test(String(one))) ? [] : name
    );
  }
  const text = String(given);
  if (PLAIN.test(text)) return [];
  const alias = /\.alias\("([^"]*)"\)$/.exec(text);
  if (alias) return [alias[1]];
  // A pattern or a made name may be any; else the leftmost column names the result, unless another name is inside.
  if (/\bcs\.|\.name\.|\.struct\./.test(text)) return [undefined];
  const leftmost = text.includes(".alias(") ? null : /^[[(]*col\("([^"]*)"\)/.exec(text);
  return leftmost ? [leftmost[1]] : [...text.matchAll(/"([^"]*)"/g)].map(([, name]) => name);
}

/** Finds what a call changes: a name that is new to its values counts as changed. */
function findChanges(method: string, given: readonly unknown[]): Changes {
  if (CALCULATING.has(method)) return () => true;
  const names: readonly unknown[] = WITH_EXPRESSIONS.has(method)
    ? given.flat(2).flatMap(listChanged)
    : RENAMING.has(method)
    ? given.flatMap((one) => typeof one === "string" ? one : Object.values(one ?? {}))
    : [];
  return (name) => names.includes(undefined) || names.includes(name);
}

/**
 * Refuses windows of months, quarters and years, which Polars begins on a Monday: months would begin on the 26th.
 *
 * @param method The method of the frame, of which one makes windows
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

/** Casts days to instants: `describe()` of Polars cannot put together what it finds of days. */
function castDates({ columns, dtypes }: DataFrame): Expr[] {
  return columns.filter((_, i) => dtypes[i].variant === "Date")
    .map((name) => pl.col(name).cast(pl.Datetime("us")));
}

/** Property of a frame with Polars' own `withColumns()`. */
const ORIGINAL: unique symbol = Symbol.for("vindkit.original") as never;

/**
 * Builds a function that makes the methods of a frame mark their results, and those of lazy frames and groups on the way.
 *
 * @param mark Marks a result; it is given the frame whose method it was, the arguments, and what the method changed
 */
export function buildFollower(mark: Mark): (frame: DataFrame) => void {
  const markAll = (made: unknown, from: readonly unknown[], changes: Changes): unknown => {
    if (made instanceof Promise) {
      return made.then((value) => markAll(value, from, changes), (error) => {
        throw explainZones(error);
      });
    }
    if (Array.isArray(made)) return made.map((value) => markAll(value, from, changes));
    if (isFrame(made)) {
      mark(made, from, changes);
      return made;
    }
    return isBuilder(made) ? followBuilder(made, from, changes) : made;
  };

  /** A lazy frame or group has no hidden properties, and may be sealed: it is built again with methods that mark. */
  const followBuilder = (builder: object, from: readonly unknown[], changes: Changes): object => {
    const properties = Object.getOwnPropertyDescriptors(builder) as PropertyDescriptorMap;
    for (const [name, property] of Object.entries(properties)) {
      const original: unknown = property.value;
      if (typeof original !== "function") continue;
      property.value = (...given: unknown[]) => {
        refuseCalendarWindows(name, given);
        return markAll(
          call(() => original.apply(followed, given)),
          [followed, ...given],
          findChanges(name, given),
        );
      };
    }
    const followed: object = Object.create(Object.prototype, properties);
    mark(followed, from, changes);
    return followed;
  };

  const methods = Object.fromEntries(FRAME_METHODS.map((name) => {
    // One function for all frames: what it needs of a frame is `this`.
    function follow(this: DataFrame, ...given: unknown[]): unknown {
      refuseCalendarWindows(name, given);
      // Without columns to add, this is the same frame once more, with the methods of Polars.
      const plain = (this as unknown as Record<symbol, Method>)[ORIGINAL](
        ...name === "describe" ? castDates(this) : [],
      );
      const from = [this, ...given];
      const changes = findChanges(name, given);
      const passed = given.map((one) =>
        typeof one === "function" ? (part: unknown) => one(markAll(part, [this], changes)) : one
      );
      const made = call(() => (plain as Record<string, Method>)[name](...passed));
      if (name === "extend" || (name === "hstack" && given[1] === true)) mark(this, from, changes);
      return markAll(made, from, changes);
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
