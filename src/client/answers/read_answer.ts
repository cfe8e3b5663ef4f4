import type { DataFrame } from "nodejs-polars";
import { type Column, wireName } from "../../api/columns/column.ts";
import { turbineId } from "../../api/columns/columns.ts";
import { DataFormatError, NoDataError } from "../../api/errors.ts";
import { recordOf } from "../../api/resources/resources.ts";
import { ATTRIBUTION_HEADER, type World, WORLD_HEADER } from "../../api/world.ts";
import { buildFrame } from "../../frames/frame.ts";
import { describeFrame, type Provenance } from "../../frames/provenance.ts";
import type { z } from "zod";
import type { Connection } from "../connection/connection.ts";
import type { FrameOptions } from "../connection/default_connection.ts";
import type { Answer, AnswerFacts } from "../http/fetch_answer.ts";
import { parseJson } from "../http/json.ts";

/** A percent-encoded text; as it is where it is not well encoded. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where the figures of an answer come from. */
export function buildProvenance(facts: AnswerFacts, connection: Connection): Provenance {
  const { headers, sha256, operation, parameters, fetchedAt, notes = [] } = facts;
  const said = headers.get(WORLD_HEADER);
  const world: World = said === "sample" || said === "own" ? said : connection.target;
  const attribution = headers.get(ATTRIBUTION_HEADER)?.split(",").map(decodePercent) ?? [];
  return {
    operation: operation.id,
    parameters,
    fetchedAt,
    sha256: [sha256],
    world,
    attribution,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

/** JSON of an answer; whole numbers that a JavaScript number cannot hold become bigints. */
export function readJson(answer: Answer): unknown {
  let source: string;
  try {
    source = new TextDecoder("utf-8", { fatal: true }).decode(answer.bytes);
  } catch (cause) {
    throw new DataFormatError(`Cannot read the answer of ${answer.url}: it is not UTF-8`, {
      cause,
    });
  }
  try {
    return parseJson(source);
  } catch (error) { // as a cause it might quote the body, and with it what may be secret there
    const key = answer.operation.id === "api_key"; // even its field names may be the customer's
    throw new DataFormatError(
      `Cannot read the answer of ${answer.url}: ${
        key ? "it is not JSON" : (error as Error).message
      }. It begins with ${JSON.stringify(answer.excerpt(answer.bytes))}`,
      { operation: answer.operation.id, url: answer.url },
    );
  }
}

/**
 * Checks a JSON value against its resource.
 *
 * @throws {DataFormatError} If it does not fit; the message names each field
 */
export function checkResource<T>(value: unknown, schema: z.ZodType<T>, answer: Answer): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.slice(0, 5)
    .map(({ path, message }) => `${path.join(".") || "the answer"}: ${message}`);
  throw new DataFormatError(
    `Cannot use the answer of ${answer.url}: ${problems.join("; ")}`,
    { operation: answer.operation.id, url: answer.url },
  );
}

/** Days since 1970 of a date on the wire: a day, a month or a bare year. */
export function parseDays(value: unknown, column: Column, url: string): number {
  const text = String(value);
  const full = /^\d{4}$/.test(text)
    ? `${text}-01-01`
    : /^\d{4}-\d{2}$/.test(text)
    ? `${text}-01`
    : text.slice(0, 10);
  try {
    return Temporal.PlainDate.from("1970-01-01").until(full).days;
  } catch (cause) {
    throw new DataFormatError(
      `Cannot use the answer of ${url}: ${wireName(column)} is ${
        JSON.stringify(text.slice(0, 40))
      }, no date`,
      { cause },
    );
  }
}

/**
 * A typed frame of a JSON array of records.
 *
 * @param columns Declarations of the columns
 * @param records The records, if they are not the answer itself
 * @throws {DataFormatError} If it is no such array
 */
export function buildRecordsFrame(
  answer: Answer,
  columns: readonly Column[],
  records: unknown = readJson(answer),
): DataFrame {
  const schema = recordOf(columns).array();
  const rows = checkResource(records, schema, answer) as Record<string, unknown>[];
  const values = Object.fromEntries(columns.map((column) => [
    column.name,
    rows.map((row) => {
      const value = row[wireName(column)] ?? null;
      return value !== null && column.dtype === "date"
        ? parseDays(value, column, answer.url)
        : value as string | number | null;
    }),
  ]));
  return buildFrame(columns, values);
}

/** A value for a message: JSON knows no bigint, and may be long. */
function formatValue(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  return (JSON.stringify(value) ?? String(value)).slice(0, 100);
}

/**
 * Refuses an answer that speaks of something else than asked.
 *
 * @throws {DataFormatError} If it does
 */
export function assertEcho(field: string, found: unknown, asked: unknown, url: string): void {
  if (found === asked) return;
  throw new DataFormatError(
    `Cannot use the answer of ${url}: its ${field} is ${formatValue(found)}, ` +
      `not ${formatValue(asked)} as asked`,
  );
}

/**
 * A frame, or one without rows where the service has no data and the caller wants that.
 *
 * @param columns Declarations of the columns
 * @param options What is wanted
 * @param make Gets the frame
 */
export async function makeOrEmpty(
  columns: readonly Column[],
  options: FrameOptions,
  make: () => Promise<DataFrame>,
): Promise<DataFrame> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof NoDataError) || options.onNoData !== "empty") throw error;
    const none = Object.fromEntries(columns.map(({ name }) => [name, []]));
    return describeFrame(buildFrame(columns, none), columns);
  }
}

/**
 * Refuses a table that names another turbine in a column of its own.
 *
 * @throws {DataFormatError} If it does
 */
export function assertTurbine(frame: DataFrame, asked: string, url: string): void {
  if (!frame.columns.includes(turbineId.name)) return;
  const found = frame.getColumn(turbineId.name).unique().toArray().map(String);
  const other = found.find((id) => id !== asked);
  if (other !== undefined) assertEcho(turbineId.name, other, asked, url);
}
