/** Source of a statement about the service: the API text, our assumption where the text is silent or contradicts itself, or an addition of our service. */
export type Tag = "documented" | "assumed" | "ours";

/** Type of a column's values, independent of any frame library. `datetime` is microseconds in a time zone. */
export type Dtype = "f64" | "i32" | "i64" | "utf8" | "bool" | "date" | "datetime";

/** One column of a frame, a CSV file or a list of JSON records, declared once. */
export interface Column {
  /** Name in frames, snake_case. */
  readonly name: string;
  /** Name on the wire, if it differs. */
  readonly wire?: string;
  /** Names in other services. */
  readonly aliases?: readonly string[];
  /** Type of the values. */
  readonly dtype: Dtype;
  /** Unit as shown in headers and axis titles; absent if the value has none. */
  readonly unit?: string;
  /** Smallest and largest plausible value; `null` leaves a side open. */
  readonly range?: readonly [number | null, number | null];
  /** The only values, if a text has few. */
  readonly values?: readonly string[];
  /** Decimals in the text that our service renders: more would exceed the accuracy of the model. */
  readonly decimals?: number;
  /** Short name for headers and axis titles, sentence case. */
  readonly label: string;
  /** Meaning of the value, one sentence. */
  readonly description: string;
  /** Source of the column. */
  readonly tag: Tag;
  /** Whether our service always has a value; another may send `null` unless this is a key. @default {false} */
  readonly notNull?: boolean;
  /** Whether it identifies a row, so an answer without it is refused. @default {false} */
  readonly key?: boolean;
  /** Whether a table of another service may lack it. @default {false} */
  readonly optional?: boolean;
  /** Whether its date is a month on the wire, YYYY-MM. @default {false} */
  readonly monthly?: boolean;
}

/** The name a column has on the wire. */
export function wireName(column: Column): string {
  return column.wire ?? column.name;
}

/** A column of ours, which the wire never has. */
export function addedColumn(
  name: string,
  dtype: Dtype,
  label: string,
  description: string,
  unit?: string,
): Column {
  return { name, dtype, ...(unit === undefined ? {} : { unit }), label, description, tag: "ours" };
}

/**
 * A column followed by the ends of its interval: `lost`, `lost_low` and `lost_high`.
 *
 * @param interval Name of the interval in the descriptions of its ends
 */
export function withEnds(column: Column, interval = "its 90 % interval"): Column[] {
  const ends = (["low", "high"] as const).map((end): Column => ({
    ...column,
    name: `${column.name}_${end}`,
    label: `${column.label}, ${end}`,
    description: `${end === "low" ? "Lower" : "Upper"} end of ${interval}.`,
  }));
  return [column, ...ends];
}

/** Label with its unit, for headers and axis titles: "Wind speed (m/s)". */
export function labelWithUnit(column: Column): string {
  return column.unit ? `${column.label} (${column.unit})` : column.label;
}

/** Picks declared columns by name, in the order of the names. */
export function pickColumns<Own extends Column, Name extends Own["name"]>(
  columns: readonly Own[],
  names: readonly Name[],
): (Own & { readonly name: Name })[] {
  return names.map((name) => {
    const isWanted = (column: Own): column is Own & { readonly name: Name } => column.name === name;
    const declared = columns.find(isWanted);
    if (!declared) throw new Error(`Cannot pick column "${name}": it is not declared`);
    return declared;
  });
}
