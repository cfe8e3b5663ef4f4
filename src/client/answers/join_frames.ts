import pl, { type DataFrame, type DataType, type Expr } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { tracedFromHere } from "../../api/error_text.ts";
import { LicenceError, type VindkitError } from "../../api/errors.ts";
import { buildFrame } from "../../frames/frame.ts";
import { describeFrame, type Provenance } from "../../frames/provenance.ts";
import { type CallOptions, resolveConnection } from "../connection/default_connection.ts";
import type { Failure, FanOutOptions, FanOutResult } from "./fan_out.ts";
import { buildProvenance } from "./read_answer.ts";
import type { AnswerFacts } from "../http/fetch_answer.ts";
import { noteFailures, PartialError } from "./partial_error.ts";
import { checkFrame } from "../../show/check_frame.ts";

/** What one turbine of several gave. */
export interface TurbinePart {
  /** What is known of the bodies it was made of. */
  readonly bodies: readonly AnswerFacts[];
}

/** A turbine's part that is a frame of its own. */
export interface TurbineFrame extends TurbinePart {
  /** Its frame; all have the same columns, or columns that some lack. */
  readonly frame: DataFrame;
}

const FAILURES: unique symbol = Symbol.for("vindkit.failures") as never;

/**
 * The turbines that failed in a call with `onFailure: "collect"`.
 *
 * @param frame The frame that the call gave
 *
 * @example A turbine that is not there
 * ```ts
 * import { failures, monthlyIndices } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const index = await monthlyIndices(["T1", "T99"], { from: "2024-01", to: "2024-12", onFailure: "collect" });
 * assertEquals(index.height, 12);
 * assertEquals(failures(index).map(({ turbineId }) => turbineId), ["T99"]);
 * ```
 */
export function failures(frame: DataFrame): readonly Failure[] {
  checkFrame(frame, "list failures", "monthlyIndices()");
  return (frame as unknown as { [FAILURES]?: readonly Failure[] })[FAILURES] ?? [];
}

/** The error that is told where no turbine succeeded: their own, where all have the same. */
function chooseError(failed: readonly Failure[]): VindkitError {
  const [{ error }] = failed;
  return failed.every((other) => other.error.constructor === error.constructor)
    ? error
    : new PartialError(failed, failed.length, undefined);
}

/** Where the figures of several bodies come from. */
function joinProvenance(
  parts: readonly TurbinePart[],
  parameters: AnswerFacts["parameters"],
  notes: readonly string[],
  options: CallOptions,
): Provenance {
  const each = parts.flatMap(({ bodies }) => bodies)
    .map((facts) => buildProvenance(facts, resolveConnection(options)));
  const all = [...new Set([...notes, ...each.flatMap((one) => one.notes ?? [])])];
  return {
    ...each[0],
    parameters,
    sha256: each.flatMap(({ sha256 }) => sha256),
    attribution: [...new Set(each.flatMap(({ attribution }) => attribution))],
    ...(all.length > 0 ? { notes: all } : {}),
  };
}

/**
 * One frame of several turbines, in the order asked for. What failed is told: by an error that holds the frame of the
 * others, or with the frame.
 *
 * @param fanned What the turbines gave
 * @param columns Declarations of the frame's columns
 * @param parameters What was asked for
 * @param options What happens where some failed; connection
 * @param join Makes one frame of several
 */
export function joinFrames<T extends TurbinePart>(
  fanned: FanOutResult<T>,
  columns: readonly Column[],
  parameters: AnswerFacts["parameters"],
  options: CallOptions & FanOutOptions,
  join: (parts: FanOutResult<T>["done"]) => DataFrame,
): DataFrame {
  const { done, failed } = fanned;
  const collect = options.onFailure === "collect";
  if (done.length === 0) {
    const error = chooseError(failed);
    if (!collect || error instanceof LicenceError) throw tracedFromHere(error);
    const none = buildFrame(columns, Object.fromEntries(columns.map(({ name }) => [name, []])));
    return attachFailures(
      describeFrame(none, columns, {
        operation: error.operation ?? "",
        parameters,
        fetchedAt: Temporal.Now.instant().toString(),
        sha256: [],
        world: resolveConnection(options).target,
        attribution: [],
        notes: noteFailures(failed, failed.length),
      }),
      failed,
    );
  }
  const asked = done.length + failed.length;
  const notes = noteFailures(failed, asked);
  const parts = done.map(({ value }) => value);
  const frame = describeFrame(
    join(done),
    columns,
    joinProvenance(parts, parameters, notes, options),
  );
  if (failed.some(({ notReady }) => !notReady) && !collect) {
    throw new PartialError(failed, asked, frame);
  }
  return attachFailures(frame, failed);
}

function attachFailures(frame: DataFrame, failed: readonly Failure[]): DataFrame {
  // Configurable: the frame is a proxy, which must not have properties that are not.
  Object.defineProperty(frame, FAILURES, { value: failed, enumerable: false, configurable: true });
  return frame;
}

/** Frames that are put below each other at once: the time grows with the square of their number. */
const BLOCK = 50;

/** Puts frames with the same columns below each other. */
function stackFrames(frames: readonly DataFrame[]): DataFrame {
  if (frames.length === 1) return frames[0];
  const blocks = Array.from(
    { length: Math.ceil(frames.length / BLOCK) },
    (_, i) => frames.slice(i * BLOCK, (i + 1) * BLOCK),
  );
  return stackFrames(blocks.map((block) => block.length === 1 ? block[0] : pl.concat([...block])));
}

/** The same columns in all frames: one that some lack is null there, one that is no number everywhere is a text. */
function alignColumns(frames: readonly DataFrame[]): readonly DataFrame[] {
  const types = new Map<string, DataType>();
  for (const frame of frames) {
    for (const name of frame.columns) {
      const { dtype } = frame.getColumn(name);
      const known = types.get(name);
      types.set(name, !known || known.equals(dtype) ? dtype : pl.Utf8);
    }
  }
  return frames.map((frame) =>
    frame.select(
      ...[...types].map(([name, dtype]) =>
        frame.columns.includes(name)
          ? castColumn(frame, name, dtype)
          : pl.lit(null).cast(dtype).alias(name)
      ),
    )
  );
}

/** A column in another type; whole numbers among texts are written without a fraction. */
function castColumn(frame: DataFrame, name: string, dtype: DataType): Expr {
  const column = pl.col(name).cast(dtype);
  const written = dtype.equals(pl.Utf8) && frame.getColumn(name).dtype.equals(pl.Float64);
  return written ? column.str.replace("\\.0$", "").alias(name) : column;
}

/** Rows of one frame below those of the other; a column that some lack is null there. */
export function joinRows(parts: FanOutResult<TurbineFrame>["done"]): DataFrame {
  const frames = parts.map(({ value }) => value.frame);
  const shape = (frame: DataFrame) => `${frame.columns.join("\0")} ${frame.dtypes.join()}`;
  const same = new Set(frames.map(shape)).size === 1;
  return stackFrames(same ? frames : alignColumns(frames));
}

/** The columns of a turbine's frame beside those that stand in front of it, which a service may have as well. */
export function listOtherColumns(frame: DataFrame, front: readonly Column[]): string[] {
  const names = front.map(({ name }) => name);
  return frame.columns.filter((name) => !names.includes(name));
}
