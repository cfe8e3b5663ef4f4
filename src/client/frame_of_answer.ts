import type { DataFrame } from "nodejs-polars";
import { type Column, wireName } from "../api/column.ts";
import { DataFormatError } from "../api/errors.ts";
import { recordOf } from "../api/resources.ts";
import { ATTRIBUTION_HEADER, type World, WORLD_HEADER } from "../api/world.ts";
import { frameOf } from "../frames/frame.ts";
import type { Provenance } from "../frames/provenance.ts";
import type { z } from "zod";
import type { Answer } from "./ask.ts";
import type { Connection } from "./connection.ts";

/** Where the figures of an answer come from. */
export async function provenanceOf(answer: Answer, connection: Connection): Promise<Provenance> {
  const { headers, bytes, operation, parameters, fetchedAt } = answer;
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  const said = headers.get(WORLD_HEADER);
  const world: World = said === "sample" || said === "own" ? said : connection.target;
  const attribution = headers.get(ATTRIBUTION_HEADER)?.split(",").map(decodeURIComponent) ?? [];
  const sha256 = [new Uint8Array(digest).toHex()];
  return { operation: operation.id, parameters, fetchedAt, sha256, world, attribution };
}

/** JSON of an answer; whole numbers that a JavaScript number cannot hold become bigints. */
export function jsonOf(answer: Answer): unknown {
  const text = new TextDecoder("utf-8", { fatal: true });
  let source: string;
  try {
    source = text.decode(answer.bytes);
  } catch (cause) {
    throw new DataFormatError(`Cannot read the answer of ${answer.url}: it is not UTF-8`, {
      cause,
    });
  }
  try {
    return JSON.parse(source, losslessNumber);
  } catch { // the cause would quote the body, and with it what may be secret there
    throw new DataFormatError(
      `Cannot read the answer of ${answer.url}: it is not JSON but ${
        JSON.stringify(answer.excerpt(answer.bytes))
      }`,
      { operation: answer.operation.id, url: answer.url },
    );
  }
}

function losslessNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && /^-?\d+$/.test(source) &&
      !Number.isSafeInteger(value)
    ? BigInt(source)
    : value;
}

/**
 * Checks a JSON value against its resource.
 *
 * @throws {DataFormatError} If it does not fit; the message names each field
 */
export function checked<T>(value: unknown, schema: z.ZodType<T>, answer: Answer): T {
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
function daysOf(value: string | number, column: Column, answer: Answer): number {
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
      `Cannot use the answer of ${answer.url}: ${wireName(column)} is ${
        JSON.stringify(text.slice(0, 40))
      }, no date`,
      { cause },
    );
  }
}

/**
 * A typed frame of a JSON array of records.
 *
 * @param answer The answer
 * @param columns Declarations of the columns
 * @param records The records, if they are not the answer itself
 * @throws {DataFormatError} If it is no such array
 */
export function recordsFrame(
  answer: Answer,
  columns: readonly Column[],
  records: unknown = jsonOf(answer),
): DataFrame {
  const schema = recordOf(columns).array();
  const rows = checked(records, schema, answer) as Record<string, unknown>[];
  const values = Object.fromEntries(columns.map((column) => [
    column.name,
    rows.map((row) => {
      const value = row[wireName(column)] ?? null;
      return value !== null && column.dtype === "date"
        ? daysOf(value as string, column, answer)
        : value as string | number | null;
    }),
  ]));
  return frameOf(columns, values);
}

/**
 * Refuses an answer that speaks of something else than asked.
 *
 * @throws {DataFormatError} If it does
 */
export function assertEcho(field: string, found: unknown, asked: unknown, url: string): void {
  if (found === asked) return;
  throw new DataFormatError(
    `Cannot use the answer of ${url}: its ${field} is ${JSON.stringify(found)}, ` +
      `not ${JSON.stringify(asked)} as asked`,
  );
}
