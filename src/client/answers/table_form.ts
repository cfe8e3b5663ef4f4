import { declareOptions, type OptionTable } from "../../show/options/read_options.ts";
import { describeValue } from "../../api/error_text.ts";
import type { Column } from "../../api/columns/column.ts";
import { buildRefuse, type Refuse } from "../../frames/read_columns.ts";
import { findOtherUnit } from "../../frames/csv/csv_names.ts";
import type { TableAdvice } from "../../frames/csv/csv_layout.ts";
import { resolveTimeZone } from "../../time/zones.ts";

/** Options of calls whose answer is a table, for services whose tables have other names or another zone. */
export interface TableForm {
  /** Names in the header of the table by the names in frames: `{ time: "Zeit", power: "P (kW)" }`. */
  columns?: Readonly<Record<string, string>>;
  /** Zone of stamps without offset: an IANA name, or an offset such as "+01:00". @default what the service says */
  timeZone?: string;
}

/** The options of {@linkcode TableForm}. */
export const tableForm: OptionTable<TableForm> = declareOptions<TableForm>()("columns timeZone");

/** What a licence holder can pass where a table is refused. */
export const tableAdvice: TableAdvice = {
  encoding: "Tell the provider of the service",
  columns: 'If one of them is it, pass { columns: { time: "its name" } }, by the names above',
  zone:
    'Pass the zone of the stamps as { timeZone: "Europe/Copenhagen" }, or as { timeZone: "+01:00" } ' +
    "for standard time all year",
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
    refuse(`columns is ${describeValue(columns)}. Give { time: "its name in the table" }`);
  }
  for (const [name, theirs] of Object.entries(columns)) {
    const column = find(name);
    if (!column) return refuse(`columns has "${name}". It can have ${known}`);
    const given = `columns.${name} is ${describeValue(theirs)}`;
    if (typeof theirs !== "string" || theirs === "") {
      refuse(`${given}. Give its name in the table`);
    }
    const unit = findOtherUnit(theirs, column);
    if (unit !== undefined) {
      refuse(
        `${given}, in ${unit}, and ${name} is in ${column.unit}. Get the table with rawAnswer(), ` +
          "and convert it",
      );
    }
  }
  if (timeZone !== undefined && readZone(timeZone) === undefined) {
    refuse(
      `timeZone is ${describeValue(timeZone)}, no IANA time zone and no offset of whole hours. ` +
        'Give one such as "Europe/Copenhagen" or "+01:00"',
    );
  }
}

/** Whether the caller gave names or a zone that differ from the defaults. */
export function isReadOtherwise({ columns, timeZone }: TableForm): boolean {
  return columns !== undefined || timeZone !== undefined;
}

/** The zone that a caller gives; `undefined` where it is none. */
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
