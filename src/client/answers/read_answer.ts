import { describeValue } from "../../api/error_text.ts";
import { type Column, wireName } from "../../api/columns/column.ts";
import { turbineId } from "../../api/columns/columns.ts";
import { DataFormatError, NoDataError } from "../../api/errors.ts";
import { buildReceivedSchema } from "../../api/resources/resources.ts";
import { ATTRIBUTION_HEADER, NOTES_HEADER, type World, WORLD_HEADER } from "../../api/world.ts";
import { buildFrame, buildRows } from "../../frames/frame.ts";
import { describeFrame, type Provenance } from "../../frames/origin/provenance.ts";
import type { z } from "zod";
import {
  type CallOptions,
  type FrameOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import type { Answer, AnswerFacts } from "../http/fetch_answer.ts";
import { parseJson } from "../../frames/files/json.ts";
import type { DataFrame } from "nodejs-polars";
import type { OperationId } from "../../api/operations/operation.ts";
import type { ParameterValues } from "../../api/operations/request_path.ts";
import { obtainWhole } from "../cache/obtain.ts";
import { declareOptions, type OptionTable } from "../../show/options/read_options.ts";
import { buildRefuse, type Refuse } from "../../frames/read_columns.ts";
import { findOtherUnit } from "../../frames/csv/csv_names.ts";
import type { TableAdvice } from "../../frames/csv/csv_layout.ts";
import { resolveTimeZone } from "../../time/zones.ts";

/** Decodes a percent-encoded text; an invalid one stays as it is. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Builds the provenance of an answer's figures. */
export function buildProvenance(facts: AnswerFacts, options: CallOptions): Provenance {
  const { headers, sha256, operation, parameters, fetchedAt } = facts;
  const read = (name: string) => headers.get(name)?.split(",").map(decodePercent) ?? [];
  const notes = [...read(NOTES_HEADER), ...facts.notes ?? []];
  const reported = headers.get(WORLD_HEADER);
  const world: World = reported === "sample" || reported === "own"
    ? reported
    : resolveConnection(options).target;
  return {
    operation: operation.id,
    parameters,
    fetchedAt,
    sha256: [sha256],
    world,
    attribution: read(ATTRIBUTION_HEADER),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

/** Parses the JSON of an answer; whole numbers that a JavaScript number cannot hold become bigints. */
export function readJson(answer: Answer): unknown {
  let source: string;
  try {
    source = new TextDecoder("utf-8", { fatal: true }).decode(answer.bytes);
  } catch (cause) {
    throw new DataFormatError(
      `Cannot read the answer of ${answer.url}: it is not UTF-8 text. Check the address. If it is right, tell the provider of the service`,
      { cause },
    );
  }
  try {
    return parseJson(source, { takesNaN: true });
  } catch (error) { // not passed as the cause: it might quote secrets of the body
    const key = answer.operation.id === "api_key"; // even its field names may be the customer's
    throw new DataFormatError(
      `Cannot read the answer of ${answer.url}: it is not valid JSON${
        key ? "" : ` (${(error as Error).message.replace("Cannot parse JSON: ", "")})`
      }. It begins with ${
        JSON.stringify(answer.excerpt(answer.bytes))
      }. Check the address. If it is right, tell the provider of the service`,
      { operation: answer.operation.id, url: answer.url },
    );
  }
}

const KINDS: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  bigint: "a whole number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** Describes what a schema expects of a value that does not fit. */
function describeNeed(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_union") {
    const needs = issue.errors.flatMap(([first]) => first ? describeNeed(first) : []);
    return [...new Set(needs)].filter((need, _, all) =>
      need !== KINDS.number || !all.includes(KINDS.int)
    );
  }
  if (issue.code === "invalid_type") return [KINDS[issue.expected] ?? issue.expected];
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value));
  return "minimum" in issue ? [`${issue.minimum} or more`] : ["another value"];
}

/** Describes where a JSON value does not fit: the place, what was received, and what is expected. */
export function describeMisfit({ issues }: z.ZodError, value: unknown): string {
  return issues.slice(0, 5).map((issue) => {
    // deno-lint-ignore no-explicit-any -- JSON
    const field = issue.path.reduce((at, key) => (at as any)?.[key], value);
    const [place, came] = [issue.path.join(".") || "the answer", describeValue(field)];
    return `${place} is ${field === undefined ? "missing" : came}, but must be ${
      describeNeed(issue).join(" or ")
    }`;
  }).join("; ");
}

/**
 * Checks that a JSON value fits its resource.
 *
 * @throws {DataFormatError} If it does not fit; the message names each field
 */
export function checkResource<T>(value: unknown, schema: z.ZodType<T>, answer: Answer): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new DataFormatError(
    `Cannot use the answer of ${answer.url}: ${describeMisfit(result.error, value)}`,
    {
      operation: answer.operation.id,
      url: answer.url,
      hint: "Check the address. If it is right, tell the provider of the service",
    },
  );
}

/** Parses a date on the wire (a day, a month or a bare year) into days since 1970. */
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
      }, not a date. Tell the provider of the service`,
      { cause },
    );
  }
}

/**
 * Builds a typed frame from a JSON array of records.
 *
 * @param records The records, if they are not the answer itself
 * @throws {DataFormatError} If the records do not fit the columns
 */
export function buildRecordsFrame(
  answer: Answer,
  columns: readonly Column[],
  records: unknown = readJson(answer),
): DataFrame {
  const schema = buildReceivedSchema(columns).array();
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

/** Formats a value for a message, at most 100 characters; JSON cannot write a bigint. */
function formatValue(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  return (JSON.stringify(value) ?? String(value)).slice(0, 100);
}

/**
 * Refuses an answer about something other than the requested thing.
 *
 * @throws {DataFormatError} If it does
 */
export function assertEcho(
  field: string,
  received: unknown,
  requested: unknown,
  url: string,
): void {
  if (received === requested) return;
  throw new DataFormatError(
    `Cannot use the answer of ${url}: its ${field} is ${formatValue(received)}, not ${
      formatValue(requested)
    } as requested. Tell the provider of the service`,
  );
}

/** Makes a frame; if the service has no data and the caller allows it, one without rows. */
export async function makeOrEmpty(
  columns: readonly Column[],
  options: FrameOptions,
  make: () => Promise<DataFrame>,
): Promise<DataFrame> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof NoDataError) || options.onNoData !== "empty") throw error;
    return describeFrame(buildRows(columns, []), columns);
  }
}

/**
 * Refuses a table whose turbine column names a turbine other than the requested one.
 *
 * @throws {DataFormatError} If it does
 */
export function assertTurbine(frame: DataFrame, requested: string, url: string): void {
  if (!frame.columns.includes(turbineId.name)) return;
  const ids = frame.getColumn(turbineId.name).unique().toArray().map(String);
  const other = ids.find((id) => id !== requested);
  if (other !== undefined) assertEcho(turbineId.name, other, requested, url);
}

/** Unwraps a list from an object that has no other field. */
function unwrapList(json: unknown): unknown {
  const [only, ...more] = Object.values(Object(json));
  return Array.isArray(only) && !Array.isArray(json) && more.length === 0 ? only : json;
}

/**
 * Gets a list of records as a frame.
 *
 * @param readItem Makes a record of an item. @default the item is one
 */
export async function obtainRecords(
  id: OperationId,
  values: ParameterValues,
  columns: readonly Column[],
  options: FrameOptions,
  readItem: (item: unknown) => unknown = (item) => item,
): Promise<DataFrame> {
  return await makeOrEmpty(columns, options, async () => {
    const { facts, value } = await obtainWhole(id, values, options, (answer) => {
      const items = unwrapList(readJson(answer));
      const records = Array.isArray(items) ? items.map((item) => readItem(item)) : items;
      return buildRecordsFrame(answer, columns, records);
    });
    return describeFrame(value, columns, buildProvenance(facts, options));
  });
}

/** Options of calls whose answer is a table, for services whose tables have other names or another zone. */
export interface TableForm {
  /** Names in the header of the table by the names in frames: `{ time: "Zeit", power: "P (kW)" }`. */
  columns?: Readonly<Record<string, string>>;
  /** Zone of timestamps without offset: an IANA name, or an offset such as "+01:00". @default the service's zone */
  timeZone?: string;
}

/** The options of {@linkcode TableForm}. */
export const tableForm: OptionTable<TableForm> = declareOptions<TableForm>()("columns timeZone");

/** Advice to a licence holder whose table is refused. */
export const tableAdvice: TableAdvice = {
  encoding: "Tell the provider of the service",
  columns:
    'If the table uses another name for a column, pass that name: { columns: { time: "name" } }',
  zone:
    'Pass the time zone of the timestamps as { timeZone: "Europe/Copenhagen" }, or { timeZone: "+01:00" ' +
    "} for standard time all year",
};

/**
 * Checks the names and the zone that a caller gives.
 *
 * @param find The declaration of a column by its name in frames
 * @param known The column names that `columns` may contain, for messages
 * @throws {ArgumentError} If a key is not the name of a column, a name states another unit, or the zone is unknown
 */
export function checkTableForm(
  call: string,
  { columns = {}, timeZone }: TableForm,
  find: (name: string) => Column | undefined,
  known: string,
): void {
  const refuse: Refuse = buildRefuse(`call ${call}`);
  if (typeof columns !== "object" || columns === null || Array.isArray(columns)) {
    refuse(
      `columns is ${
        describeValue(columns)
      }. Give names of columns in the table, as { time: "name" }`,
    );
  }
  for (const [name, theirs] of Object.entries(columns)) {
    const column = find(name);
    if (!column) {
      return refuse(`columns has the unknown name "${name}". Give one of these names: ${known}`);
    }
    const problem = `columns.${name} is ${describeValue(theirs)}`;
    if (typeof theirs !== "string" || theirs === "") {
      refuse(`${problem}. Give the name of this column in the table`);
    }
    const unit = findOtherUnit(theirs, column);
    if (unit !== undefined) {
      refuse(
        `${problem}, in ${unit}, but ${name} is in ${column.unit}. Get the table with rawAnswer() ` +
          "and convert the values yourself",
      );
    }
  }
  if (timeZone !== undefined && readZone(timeZone) === undefined) {
    refuse(
      `timeZone is ${
        describeValue(timeZone)
      }, not an IANA time zone or an offset in whole hours. Give a zone such as "Europe/Copenhagen" or "+01:00"`,
    );
  }
}

/** Whether the caller gave names or a zone that differ from the defaults. */
export function isReadOtherwise({ columns, timeZone }: TableForm): boolean {
  return columns !== undefined || timeZone !== undefined;
}

/** The zone that a caller gives; `undefined` if it is not valid. */
export function readZone(timeZone: string | undefined): string | undefined {
  return typeof timeZone === "string" ? resolveTimeZone(timeZone) : undefined;
}

/** Finds declarations among columns, for {@linkcode checkTableForm}. */
export function amongColumns(
  columns: readonly Column[],
): [find: (name: string) => Column | undefined, known: string] {
  return [
    (name) => columns.find((column) => column.name === name),
    columns.map(({ name }) => name).join(", "),
  ];
}
