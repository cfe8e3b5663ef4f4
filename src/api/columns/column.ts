/** Where a statement about the service comes from: the API text says it, it is silent or contradicts itself and we assume it, or it is an addition of our own service. */
export type Tag = "documented" | "assumed" | "ours";

/** Type of a column's values, independent of any frame library. `datetime` is microseconds in a time zone. */
export type Dtype = "f64" | "i32" | "i64" | "utf8" | "bool" | "date" | "datetime";

/** One column of a frame, a CSV file or a list of JSON records, declared once. */
export interface Column {
  /** Name in frames, snake_case. */
  readonly name: string;
  /** Name on the wire, where it is another. */
  readonly wire?: string;
  /** Names under which other services send it. */
  readonly aliases?: readonly string[];
  /** Type of the values. */
  readonly dtype: Dtype;
  /** Unit as shown in headers and axis titles; absent where the value has none. */
  readonly unit?: string;
  /** Smallest and largest plausible value; `null` leaves a side open. */
  readonly range?: readonly [number | null, number | null];
  /** The only values, where a text has few. */
  readonly values?: readonly string[];
  /** Decimals in the text that our service renders: more would be below what the model can know. */
  readonly decimals?: number;
  /** Short name for headers and axis titles, sentence case. */
  readonly label: string;
  /** What the value means, one sentence. */
  readonly description: string;
  /** Where the column comes from. */
  readonly tag: Tag;
  /** Whether our service always has a value; another may send `null` unless this is a key. @default {false} */
  readonly notNull?: boolean;
  /** Whether it says what a row is about, so an answer without it is refused. @default {false} */
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

/** A column of ours: nothing on the wire has it. */
export function ownColumn(
  name: string,
  dtype: Dtype,
  label: string,
  description: string,
  unit?: string,
): Column {
  return { name, dtype, ...(unit === undefined ? {} : { unit }), label, description, tag: "ours" };
}

/**
 * A column with the ends of its interval beside it: `lost`, `lost_low` and `lost_high`.
 *
 * @param interval What they are the ends of, in their descriptions
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

/** Label with its unit, as headers and axis titles show it: "Wind speed (m/s)". */
export function labelWithUnit(column: Column): string {
  return column.unit ? `${column.label} (${column.unit})` : column.label;
}

/** Picks declared columns by name, in the order asked for. */
export function pickColumns<Own extends Column, Name extends Own["name"]>(
  columns: readonly Own[],
  names: readonly Name[],
): (Own & { readonly name: Name })[] {
  return names.map((name) => {
    const isWanted = (column: Own): column is Own & { readonly name: Name } => column.name === name;
    const found = columns.find(isWanted);
    if (!found) throw new Error(`Cannot pick column "${name}": it is not declared`);
    return found;
  });
}
