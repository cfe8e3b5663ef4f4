import { pooledMap } from "@std/async";
import pl, { type DataFrame } from "nodejs-polars";
import { type MonthLike, toMonth } from "../api/calendar.ts";
import type { Column } from "../api/column.ts";
import { figures, monthlyIndicesFrame, monthState, windIndicesCsv } from "../api/columns.ts";
import { ArgumentError } from "../api/errors.ts";
import { operationOf } from "../api/operations.ts";
import { requestPath } from "../api/request_path.ts";
import { readCsv } from "../frames/csv.ts";
import { type ColumnValues, frameOf } from "../frames/frame.ts";
import { describeFrame, type Provenance } from "../frames/provenance.ts";
import { monthAsDays, monthNumberOf } from "../frames/zones.ts";
import { ask } from "./ask.ts";
import { type CallOptions, connectionOf } from "./default_connection.ts";
import { provenanceOf } from "./frame_of_answer.ts";

/** Options of {@linkcode monthlyIndices}. */
export interface MonthlyIndicesOptions extends CallOptions {
  /** First month. @default the first one with an index */
  from?: MonthLike;
  /** Last month, included. @default the last one with an index */
  to?: MonthLike;
}

/**
 * The wind indices of one turbine or several, month by month. Months without data are rows with nulls.
 *
 * @param turbineIds Identifier of a turbine, or a list of them
 * @param options `from` and `to`, both included; connection and signal
 * @returns A frame of `turbine_id` (String), `month` (Date, its first day), the six figures (Float64; indices in %,
 * `predicted_production` in MWh), `status` (String), `completeness` (Float64, 0 to 1) and `revision` (Int32)
 * @throws {ArgumentError} If a month is none, or `from` is after `to`
 * @throws {NoDataError} If the licence has no such turbine, or it has no indices yet
 *
 * @example Two years of a turbine
 * ```ts
 * import { monthlyIndices } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const index = await monthlyIndices("T1", { from: "2022-01", to: "2023-12" });
 * assertEquals(index.height, 24);
 * ```
 */
export async function monthlyIndices(
  turbineIds: string | readonly string[],
  options: MonthlyIndicesOptions = {},
): Promise<DataFrame> {
  const from = options.from === undefined ? undefined : toMonth(options.from, "from");
  const to = options.to === undefined ? undefined : toMonth(options.to, "to");
  if (from && to && monthNumberOf(from) > monthNumberOf(to)) {
    throw new ArgumentError(`Cannot get indices: from ${from} is after to ${to}`);
  }
  const ids = typeof turbineIds === "string" ? [turbineIds] : turbineIds;
  if (ids.length === 0) {
    throw new ArgumentError("Cannot get indices: the list of turbines is empty");
  }
  const { concurrency } = connectionOf(options);
  for (const id of ids) requestPath(operationOf("wind_indices"), { turbine_id: id }); // before any is sent
  const parts: { frame: DataFrame; provenance: Provenance }[] = [];
  const one = async (id: string) => {
    const answer = await ask("wind_indices", { turbine_id: id }, options);
    const { frame } = readCsv(answer.bytes, windIndicesCsv, { file: answer.url, extra: false });
    const provenance = await provenanceOf(answer, connectionOf(options));
    return { frame: monthsOf(id, frame, from, to), provenance };
  };
  try {
    for await (const part of pooledMap(concurrency, ids, one)) parts.push(part);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error; // notebooks show no members
  }
  const frames = parts.map(({ frame }) => frame);
  const joined = frames.length === 1 ? frames[0] : pl.concat(frames);
  return describeFrame(joined, monthlyIndicesFrame, {
    ...parts[0].provenance,
    parameters: {
      turbine_id: ids.join(", "),
      ...(from ? { from: from.toString() } : {}),
      ...(to ? { to: to.toString() } : {}),
    },
    sha256: parts.flatMap(({ provenance }) => provenance.sha256),
    attribution: [...new Set(parts.flatMap(({ provenance }) => provenance.attribution))],
  });
}

/** Every month from the first to the last, with the figures of the CSV where it has them. */
function monthsOf(
  turbineId: string,
  csv: DataFrame,
  from: Temporal.PlainYearMonth | undefined,
  to: Temporal.PlainYearMonth | undefined,
): DataFrame {
  const values = (column: Column) =>
    csv.columns.includes(column.name) ? csv.getColumn(column.name).toArray() : undefined;
  const [yearColumn, monthColumn] = windIndicesCsv;
  const years = values(yearColumn) as number[];
  const numbers = (values(monthColumn) as number[]).map((month, row) =>
    monthNumberOf({ year: years[row], month })
  );
  const rows = new Map(numbers.map((number, row) => [number, row]));
  const first = from ? monthNumberOf(from) : Math.min(...numbers);
  const last = to ? monthNumberOf(to) : Math.max(...numbers);
  const wanted = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const [idColumn, dateColumn] = monthlyIndicesFrame;
  const columns: Record<string, ColumnValues> = {
    [idColumn.name]: wanted.map(() => turbineId),
    [dateColumn.name]: wanted.map((number) =>
      monthAsDays(
        Temporal.PlainYearMonth.from({ year: Math.floor(number / 12), month: number % 12 + 1 }),
      )
    ),
  };
  for (const column of [...figures, ...monthState]) {
    const known = values(column);
    columns[column.name] = wanted.map((number) => {
      const row = rows.get(number);
      return row === undefined ? null : known?.[row] as number | string | null ?? null;
    });
  }
  return frameOf(monthlyIndicesFrame, columns);
}
