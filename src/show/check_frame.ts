import type { DataFrame } from "nodejs-polars";
import { describeValue } from "../api/error_text.ts";
import { ArgumentError } from "../api/errors.ts";

/** Whether a value is a Polars frame. */
export function isFrame(value: unknown): value is DataFrame {
  // A frame is a proxy in which a column hides the method of the same name; every frame has the native frame inside.
  return typeof (value as { _df?: unknown } | null | undefined)?._df === "object";
}

/**
 * Refuses anything that is not a frame, before its columns are looked at.
 *
 * @param what What is being done with it, such as `plot monthly indices`
 * @param madeBy The functions that make such frames, such as `monthlyIndices()`
 * @throws {ArgumentError} If it is a Promise, a list, nothing, or anything else that is no frame
 */
export function checkFrame(
  value: unknown,
  what: string,
  madeBy: string,
): asserts value is DataFrame {
  if (isFrame(value)) return;
  const one = Array.isArray(value) && isFrame(value[0]) ? ". Join them with pl.concat()" : "";
  throw new ArgumentError(
    `Cannot ${what}: a frame is needed, as ${madeBy} makes it; this is ${
      describeValue(value)
    }${one}`,
  );
}
