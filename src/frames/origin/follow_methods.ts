import pl, { type DataFrame, type Expr } from "nodejs-polars";
import { isFrame } from "../../show/check_frame.ts";
import { ArgumentError } from "../../api/errors.ts";

/** Methods of a frame that return frames, or objects whose methods do: lazy frames, groups. */
export const FRAME_METHODS: readonly string[] =
  ("add clear clone count describe div divideBy drop dropNulls explode extend fillNull filter gatherEvery groupBy " +
    "groupByDynamic groupByRolling head hstack interpolate join joinAsof lazy limit max mean median min minus modulo " +
    "mul multiplyBy nullCount partitionBy pivot plus product quantile rechunk rem rename reverse sample select shift " +
    "shiftAndFill shrinkToFit slice sort std sub sum tail toDummies transpose unique unnest unpivot upsample var " +
    "vstack where withColumn withColumnRenamed withColumns withRowIndex").split(" ");

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Marks a new frame, lazy frame or group with the origin of the values it was made from. `keeps` tells which columns are unchanged. */
type Mark = (made: object, from: readonly unknown[], keeps: (name: string) => boolean) => void;

/** Methods of frames that only choose, order, cut or join rows and columns. */
const CHOOSING: ReadonlySet<string> = new Set(
  ("clear clone drop dropNulls explode extend filter gatherEvery head hstack join joinAsof limit partitionBy rechunk " +
    "reverse sample shrinkToFit slice sort tail unique vstack where withRowIndex").split(" "),
);

/**
 * Refuses windows of months, quarters and years, which Polars begins on a Monday: months would begin on the 26th.
 *
 * @param method Name of the frame's method; only `groupByDynamic` makes windows
 */
function refuseCalendarWindows(method: string, [options]: readonly unknown[]): void {
  if (method !== "groupByDynamic") return;
  const { indexColumn = "time", every, period } = Object(options) as Record<string, unknown>;
  const window = [every, period].find((one) => /\d(mo|q|y)/.test(String(one)));
  if (window === undefined) return;
  throw new ArgumentError(
    `Cannot group by windows of ${window}: Polars starts these windows on a Monday, not on the first day of a month. ` +
      `Truncate the timestamps, then group: frame.withColumn(pl.col("${indexColumn}").dt.truncate("${window}")).` +
      `groupBy("${indexColumn}"). For production, use toMonths(frame)`,
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
 * Builds a function that makes the methods of a frame mark their results, and the methods of lazy frames and groups on
 * the way, too.
 *
 * @param mark Marks a result. It receives the frame and the arguments of the method, and a test for unchanged columns:
 * all columns if the method only chooses, else columns with equal values; none of a lazy frame or group
 */
export function buildFollower(mark: Mark): (frame: DataFrame) => void {
  const markAll = (made: unknown, from: readonly unknown[], before?: DataFrame | true): unknown => {
    if (made instanceof Promise) return made.then((value) => markAll(value, from));
    if (Array.isArray(made)) return made.map((value) => markAll(value, from, before));
    if (!isFrame(made)) return isBuilder(made) ? followBuilder(made, from) : made;
    mark(made, from, (name) =>
      before === true ||
      before !== undefined && made.columns.includes(name) &&
        made.getColumn(name).seriesEqual(before.getColumn(name), true));
    return made;
  };

  /** Builds a lazy frame or group again with methods that mark, because the original may be sealed. */
  const followBuilder = (builder: object, from: readonly unknown[]): object => {
    const properties = Object.getOwnPropertyDescriptors(builder) as PropertyDescriptorMap;
    for (const [name, property] of Object.entries(properties)) {
      const original: unknown = property.value;
      if (typeof original !== "function") continue;
      property.value = (...args: unknown[]) => {
        refuseCalendarWindows(name, args);
        return markAll(original.apply(followed, args), [followed, ...args]);
      };
    }
    const followed: object = Object.create(Object.prototype, properties);
    mark(followed, from, () => false);
    return followed;
  };

  const methods = Object.fromEntries(FRAME_METHODS.map((name) => {
    // One function for all frames; the frame is `this`.
    function follow(this: DataFrame, ...args: unknown[]): unknown {
      refuseCalendarWindows(name, args);
      // Without columns to add, this returns the same frame with the methods of Polars.
      const plain = (this as unknown as Record<symbol, Method>)[ORIGINAL](
        ...name === "describe" ? castDates(this) : [],
      );
      const from = [this, ...args];
      const before = CHOOSING.has(name) || this;
      const passed = args.map((one) =>
        typeof one === "function" ? (part: unknown) => one(markAll(part, [this], before)) : one
      );
      const made = (plain as Record<string, Method>)[name](...passed);
      if (name === "extend" || (name === "hstack" && args[1] === true)) markAll(this, from, true);
      return markAll(made, from, before);
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

/** Whether a value is a lazy frame, or a group that makes frames. */
function isBuilder(value: unknown): value is object {
  return typeof value === "object" && value !== null &&
    Object.getPrototypeOf(value) === Object.prototype && !pl.Series.isSeries(value) &&
    // Not by Object.values(), which would compute the columns of a lazy frame.
    Object.values(Object.getOwnPropertyDescriptors(value) as PropertyDescriptorMap)
      .some((property) => typeof property.value === "function");
}
