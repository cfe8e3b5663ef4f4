import pl, { type DataFrame, type DataType, type Expr } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { turbineId } from "../../api/columns/columns.ts";
import { tracedFromHere } from "../../api/error_text.ts";
import { LicenceError, VindkitError } from "../../api/errors.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import { buildRows } from "../../frames/frame.ts";
import { describeFrame, type Provenance } from "../../frames/origin/provenance.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { formatCount } from "../../show/text/numbers.ts";
import { shortenText } from "../../show/text/plain_text.ts";
import {
  type CallOptions,
  type FrameOptions,
  type InnerOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import type { AnswerFacts } from "../http/fetch_answer.ts";
import {
  type Failure,
  fanOut,
  type FanOutOptions,
  type FanOutResult,
  readTurbineIds,
} from "./fan_out.ts";
import { buildProvenance, makeOrEmpty } from "./read_answer.ts";

/** Failures that a message lists. */
const MAX_LISTED = 5;

/** Longest message of a listed failure, in characters. */
const MAX_MESSAGE = 400;

function listFailures(
  failed: readonly Failure[],
  requested: number,
  show: (failure: Failure) => string,
): string {
  const first = failed.slice(0, MAX_LISTED).map(show).join("; ");
  const more = failed.length > MAX_LISTED ? `; and ${failed.length - MAX_LISTED} more` : "";
  return `${failed.length} of ${formatCount(requested, "turbine")} failed: ${first}${more}`;
}

/** Formats failures with their messages. */
function formatFailures(failed: readonly Failure[], requested: number): string {
  return listFailures(
    failed,
    requested,
    ({ turbineId, error }) =>
      `${shortenText(turbineId)}: ${shortenText(error.message, MAX_MESSAGE)}`,
  );
}

/** Formats failures as short lines below a table or a chart; `failures(frame)` has their errors. */
function noteFailures(failed: readonly Failure[], requested: number): string[] {
  const { notReady = [], others = [] } = Object.groupBy(
    failed,
    (failure) => failure.notReady ? "notReady" : "others",
  );
  const lines = [];
  if (others.length > 0) {
    lines.push(
      listFailures(others, requested, ({ turbineId, error }) => `${turbineId} (${error.name})`),
    );
  }
  if (notReady.length > 0) {
    const ids = notReady.slice(0, MAX_LISTED).map(({ turbineId }) => turbineId).join(", ");
    const more = notReady.length > MAX_LISTED ? ` and ${notReady.length - MAX_LISTED} more` : "";
    lines.push(`these turbines are left out, because their data are not ready: ${ids}${more}`);
  }
  return lines;
}

/** Some turbines of a call failed; `frame` has the others. */
export class PartialError extends VindkitError {
  /** The turbines that failed, each with its error. */
  readonly failures: readonly Failure[];
  /** Frame of the turbines that succeeded; `undefined` if all failed. */
  readonly frame: DataFrame | undefined;

  /**
   * Makes the error.
   *
   * @param failures The turbines that failed
   * @param requested How many were requested
   * @param frame Frame of the others
   */
  constructor(failures: readonly Failure[], requested: number, frame: DataFrame | undefined) {
    super(`Cannot get all turbines: ${formatFailures(failures, requested)}`, {
      operation: failures[0].error.operation,
      status: failures[0].error.status,
      hint: frame
        ? 'The other turbines are in the error\'s frame; onFailure: "collect" continues without the failed ones'
        : "The error has no frame, because all turbines failed",
    });
    this.failures = failures;
    this.frame = frame;
    // Not enumerable, so a printed error does not bury its message under stacks and tables.
    for (const name of ["failures", "frame"]) {
      Object.defineProperty(this, name, { enumerable: false });
    }
  }
}

/** Result for one turbine of several. */
export interface TurbinePart {
  /** Facts about the answers that the result was read from. */
  readonly bodies: readonly AnswerFacts[];
}

/** Result for one turbine that is a frame. */
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
 * @example An unknown turbine
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

/** Chooses the error to throw if no turbine succeeded: their common one, if all failed alike. */
function chooseError(failed: readonly Failure[]): VindkitError {
  const [{ error }] = failed;
  return failed.every((other) => other.error.constructor === error.constructor)
    ? error
    : new PartialError(failed, failed.length, undefined);
}

/** Joins the provenance of several answers. */
function joinProvenance(
  parts: readonly TurbinePart[],
  parameters: AnswerFacts["parameters"],
  notes: readonly string[],
  options: CallOptions,
): Provenance {
  const each = parts.flatMap(({ bodies }) => bodies)
    .map((facts) => buildProvenance(facts, options));
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
 * Joins the results of several turbines into one frame, in the requested order. Failures are thrown as an error that
 * carries the frame of the others, or are attached to that frame.
 */
function joinFrames<T extends TurbinePart>(
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
    const world = resolveConnection(options).target;
    return attachFailures(
      describeFrame(buildRows(columns, []), columns, {
        operation: error.operation ?? "",
        parameters,
        sha256: [],
        world,
        attribution: [],
        notes: noteFailures(failed, failed.length),
      }),
      failed,
    );
  }
  const requested = done.length + failed.length;
  const notes = noteFailures(failed, requested);
  const parts = done.map(({ value }) => value);
  const frame = describeFrame(
    join(done),
    columns,
    joinProvenance(parts, parameters, notes, options),
  );
  if (failed.some(({ notReady }) => !notReady) && !collect) {
    throw new PartialError(failed, requested, frame);
  }
  return attachFailures(frame, failed);
}

/** A call for several turbines. */
interface TurbinesCall<T extends TurbinePart> {
  readonly operation: OperationId;
  /** Parameters other than the turbines, for the provenance. */
  readonly parameters?: AnswerFacts["parameters"];
  /** Columns of the frame. */
  readonly columns: readonly Column[];
  /** Columns if a single turbine is given. @default as for a list */
  readonly ownColumns?: readonly Column[];
  /** Calls it for one turbine. */
  readonly obtain: (turbineId: string, call: InnerOptions) => Promise<T>;
  readonly join: (parts: FanOutResult<T>["done"]) => DataFrame;
}

/** Calls an operation for a turbine or several, and joins their frames. */
export async function callTurbines<T extends TurbinePart & Partial<TurbineFrame>>(
  turbineIds: string | readonly string[],
  options: FrameOptions & FanOutOptions,
  { operation, parameters, columns, ownColumns, obtain, join }: TurbinesCall<T>,
): Promise<DataFrame> {
  const ids = readTurbineIds(turbineIds, operation, options);
  if (ownColumns && typeof turbineIds === "string") {
    return await makeOrEmpty(ownColumns, options, async () => {
      const { frame, bodies: [facts] } = await obtain(turbineIds, options);
      return describeFrame(frame!, ownColumns, buildProvenance(facts, options));
    });
  }
  const fanned = await fanOut(ids, options, obtain);
  const sent = { turbine_id: ids.join(", "), ...parameters };
  const make = () => joinFrames(fanned, columns, sent, options, join);
  return await makeOrEmpty(columns, options, () => Promise.resolve(make()));
}

function attachFailures(frame: DataFrame, failed: readonly Failure[]): DataFrame {
  // Configurable, because the frame is a proxy, which must not have properties that are not configurable.
  Object.defineProperty(frame, FAILURES, { value: failed, enumerable: false, configurable: true });
  return frame;
}

/** Frames concatenated in one step: the time grows with the square of their number. */
const BLOCK = 50;

/** Concatenates frames with the same columns. */
function stackFrames(frames: readonly DataFrame[]): DataFrame {
  if (frames.length === 1) return frames[0];
  const blocks = Array.from(
    { length: Math.ceil(frames.length / BLOCK) },
    (_, i) => frames.slice(i * BLOCK, (i + 1) * BLOCK),
  );
  return stackFrames(blocks.map((block) => block.length === 1 ? block[0] : pl.concat([...block])));
}

/** Gives all frames the same columns: a missing column is null, a column with different types becomes text. */
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

/** Casts a column; whole numbers that become texts are written without a fraction. */
function castColumn(frame: DataFrame, name: string, dtype: DataType): Expr {
  const column = pl.col(name).cast(dtype);
  const written = dtype.equals(pl.Utf8) && frame.getColumn(name).dtype.equals(pl.Float64);
  return written ? column.str.replace("\\.0$", "").alias(name) : column;
}

/** Joins the rows of all frames; a column that is missing in some is null there. */
export function joinRows(frames: readonly DataFrame[]): DataFrame {
  const shape = (frame: DataFrame) => `${frame.columns.join("\0")} ${frame.dtypes.join()}`;
  const same = new Set(frames.map(shape)).size === 1;
  return stackFrames(same ? frames : alignColumns(frames));
}

/** Puts the turbine and other columns in front of a frame; they replace columns of the same names that a service may send. */
export function putInFront(
  frame: DataFrame,
  id: string,
  others: readonly (readonly [Column, Expr])[] = [],
): DataFrame {
  const all: (readonly [Column, Expr])[] = [[turbineId, pl.lit(id)], ...others];
  const front = new Map(all.map(([{ name }, value]) => [name, value.alias(name)]));
  const otherNames = frame.columns.filter((name) => !front.has(name));
  return frame.select(...front.values(), ...otherNames.map((name) => pl.col(name)));
}
