import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { explainZones } from "./explain_zones.ts";
import { isFrame } from "../show/check_frame.ts";

/** Methods of a frame that return frames, or objects whose methods do: lazy frames, groups. */
export const FRAME_METHODS: readonly string[] =
  ("add clear clone count describe div divideBy drop dropNulls explode extend fillNull filter gatherEvery groupBy " +
    "groupByDynamic groupByRolling head hstack interpolate join joinAsof lazy limit max mean median min minus modulo " +
    "mul multiplyBy nullCount partitionBy pivot plus product quantile rechunk rem rename reverse sample select shift " +
    "shiftAndFill shrinkToFit slice sort std sub sum tail toDummies transpose unique unnest unpivot upsample var " +
    "vstack where withColumn withColumnRenamed withColumns withRowIndex").split(" ");

type Method = (this: unknown, ...given: unknown[]) => unknown;

/** Marks a new frame, lazy frame or group with what the values have from which it was made. */
export type Mark = (made: object, from: readonly unknown[]) => void;

/** Property of a frame with Polars' own `withColumns()`. */
const ORIGINAL: unique symbol = Symbol.for("vindkit.original") as never;

/**
 * Builds a function that makes the methods of a frame mark their results, and those of lazy frames and groups on the way.
 *
 * @param mark Marks a result; it is given the frame whose method it was, and the arguments
 */
export function buildFollower(mark: Mark): (frame: DataFrame) => void {
  const markAll = (made: unknown, from: readonly unknown[]): unknown => {
    if (made instanceof Promise) {
      return made.then((value) => markAll(value, from), (error) => {
        throw explainZones(error);
      });
    }
    if (Array.isArray(made)) return made.map((value) => markAll(value, from));
    if (isFrame(made)) {
      mark(made, from);
      return made;
    }
    return isBuilder(made) ? followBuilder(made, from) : made;
  };

  /** A lazy frame or group has no hidden properties, and may be sealed: it is built again with methods that mark. */
  const followBuilder = (builder: object, from: readonly unknown[]): object => {
    const properties = Object.getOwnPropertyDescriptors(builder) as PropertyDescriptorMap;
    for (const property of Object.values(properties)) {
      const original: unknown = property.value;
      if (typeof original !== "function") continue;
      property.value = (...given: unknown[]) =>
        markAll(call(() => original.apply(followed, given)), [followed, ...given]);
    }
    const followed: object = Object.create(Object.prototype, properties);
    mark(followed, from);
    return followed;
  };

  const methods = Object.fromEntries(FRAME_METHODS.map((name) => {
    // One function for all frames: what it needs of a frame is `this`.
    function follow(this: DataFrame, ...given: unknown[]): unknown {
      // Without columns to add, this is the same frame once more, with the methods of Polars.
      const plain = (this as unknown as Record<symbol, Method>)[ORIGINAL]();
      const from = [this, ...given];
      const passed = given.map((one) =>
        typeof one === "function" ? (part: unknown) => one(markAll(part, [this])) : one
      );
      const made = call(() => (plain as Record<string, Method>)[name](...passed));
      if (name === "extend" || (name === "hstack" && given[1] === true)) mark(this, from);
      return markAll(made, from);
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
