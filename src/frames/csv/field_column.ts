import pl, { type Series } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { DecimalMarks, moveSign, NULL_TEXTS, parsePlainNumber } from "./csv_numbers.ts";
import { buildNumbers, buildSeries } from "../frame.ts";
import type { PassRule } from "../../time/local_clock.ts";
import type { Problem } from "../../api/errors.ts";
import { StampReader } from "../../time/stamps.ts";

/** Texts of a column in one array of bytes: a third of the memory of strings. */
class TextStore {
  #bytes = new Uint8Array(256);
  #ends = new Uint32Array(64);
  #count = 0;

  /** Adds the bytes between two positions as a text. */
  add(bytes: Uint8Array, from: number, to: number): void {
    const start = this.#count === 0 ? 0 : this.#ends[this.#count - 1];
    const end = start + to - from;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, Math.ceil(this.#bytes.length * 1.5)));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(Math.ceil(this.#ends.length * 1.5));
      larger.set(this.#ends);
      this.#ends = larger;
    }
    // Most fields have a few bytes: a loop is faster than a call.
    for (let i = from, k = start; i < to; i++, k++) this.#bytes[k] = bytes[i];
    this.#ends[this.#count++] = end;
  }

  /** Takes the texts as a series, empty ones as null, and empties the store. */
  take(name: string): Series {
    const buffer = Buffer.from(this.#bytes.buffer, 0, this.#bytes.length);
    let series: Series | undefined;
    for (let first = 0; first === 0 || first < this.#count; first += PART) {
      const last = Math.min(first + PART, this.#count);
      const texts: (string | null)[] = new Array(last - first);
      for (let i = first, from = first === 0 ? 0 : this.#ends[first - 1]; i < last; i++) {
        const to = this.#ends[i];
        texts[i - first] = to === from ? null : buffer.toString("utf8", from, to);
        from = to;
      }
      const part = pl.Series(name, texts, pl.Utf8);
      if (series) series.append(part);
      else series = part;
    }
    this.#count = 0;
    return series!;
  }
}

/** Strings that are made at once: a few megabytes. */
const PART = 65_536;

/** How to read the fields of a column. */
export enum Kind {
  /** A declared number; NaN if it is missing. */
  Number,
  /** An undeclared column: numbers as long as every value is one, and the texts as well. */
  Extra,
  /** A stamp, microseconds since 1970. */
  Stamp,
  Text,
  /** A declared 64-bit integer: beyond 2^53 a float loses digits. */
  Large,
  /** Left out. */
  Skip,
}

/** Whole numbers from here on lose digits as floats. */
export const LARGEST_EXACT = 2 ** 53;

/** Numbers that some programs write for a missing value, without their sign. */
const SENTINELS = [999, 9999] as const;

/** A column that is being read: values of the current block, and the series of the blocks before. */
export class FieldColumn {
  /** Name in the header. */
  readonly name: string;
  /** Declaration; `undefined` for an undeclared column. */
  readonly column: Column | undefined;
  /** How its fields are read. */
  kind: Kind;
  /** Numbers and stamps of the block. */
  numbers: Float64Array = new Float64Array(0);
  /** Whether the block has a missing number. */
  missing = false;
  /** 64-bit integers of the block. */
  readonly large: (bigint | null)[] = [];
  /** Texts of the block; of an undeclared column with only numbers so far, the texts of the whole file. */
  readonly texts: TextStore = new TextStore();
  /** Reader of its stamps. */
  readonly stamps: StampReader;
  /** Decimal marks of its numbers. */
  readonly marks: DecimalMarks = new DecimalMarks();
  /** Further texts that mean missing. */
  nullTexts: readonly string[] | undefined;
  /** Whether it may only have whole numbers. */
  readonly whole: boolean;
  /** Negative numbers that mean missing because the declared range excludes them, without sign. */
  readonly sentinels: ReadonlySet<number>;
  #series: Series | undefined;

  /**
   * Makes a column.
   *
   * @param name Name in the header
   * @param column Declaration, if there is one
   * @param keep Whether to keep an undeclared column
   * @param timeZone Zone of stamps without offset
   * @param passRule How to tell the two passes of a repeated hour apart
   */
  constructor(
    name: string,
    column: Column | undefined,
    keep: boolean,
    timeZone?: string,
    passRule?: PassRule,
  ) {
    this.name = name;
    this.column = column;
    this.kind = column ? kindOf(column) : keep ? Kind.Extra : Kind.Skip;
    this.whole = column?.dtype === "i32";
    this.stamps = new StampReader(column?.dtype === "date" ? "UTC" : timeZone, passRule);
    const lowest = column?.range?.[0] ?? -Infinity;
    this.sentinels = new Set(SENTINELS.filter((value) => -value < lowest));
  }

  /** Turns an undeclared column into a text column, after a value that is not a number. */
  becomeText(): void {
    this.kind = Kind.Text;
    this.#series = undefined;
  }

  /** Moves the values of the block into the series. */
  flush(rows: number): void {
    if (this.kind === Kind.Skip) return;
    const part = this.#buildPart(rows);
    if (this.#series) this.#series.append(part); // copies neither part
    else this.#series = part;
    this.missing = false;
  }

  #buildPart(rows: number): Series {
    const { name } = this;
    if (this.kind === Kind.Text) return this.texts.take(name);
    if (this.kind === Kind.Large) {
      return buildSeries({ ...this.column!, name }, this.large.splice(0));
    }
    const values = this.numbers.subarray(0, rows);
    const numbers = this.missing
      ? buildNumbers(name, values)
      : pl.Series(name, values as unknown as number[], pl.Float64);
    if (this.kind === Kind.Stamp) {
      const stamps = numbers.cast(pl.Int64).cast(pl.Datetime("us", "UTC"));
      return this.column!.dtype === "date" ? stamps.cast(pl.Date) : stamps;
    }
    return this.whole ? numbers.cast(pl.Int32) : numbers;
  }

  /**
   * Takes the whole column, with its name in frames; `undefined` if it is left out.
   *
   * @param marks Decimal marks of the declared columns
   */
  take(marks: DecimalMarks): Series | undefined {
    if (this.kind === Kind.Skip) return undefined;
    if (this.kind === Kind.Extra && !this.#isExact(marks)) {
      this.becomeText();
      this.flush(0);
    }
    if (!this.#series) this.flush(0);
    const series = this.#series!;
    // A new series object is expensive, and most columns already have their name.
    return this.column && series.name !== this.column.name
      ? series.rename(this.column.name)
      : series;
  }

  /** Whether the numbers of an undeclared column are unambiguous and exact as floats. */
  #isExact(marks: DecimalMarks): boolean {
    const allMarks = new DecimalMarks();
    allMarks.join(this.marks);
    allMarks.join(marks);
    if ((this.marks.point || this.marks.comma) && allMarks.findProblem()) return false;
    const [high, low] = [this.#series?.max() ?? 0, this.#series?.min() ?? 0];
    return Math.max(Math.abs(high), Math.abs(low)) < LARGEST_EXACT;
  }
}

function kindOf(column: Column): Kind {
  switch (column.dtype) {
    case "f64":
    case "i32":
      return Kind.Number;
    case "i64":
      return Kind.Large;
    case "date":
    case "datetime":
      return Kind.Stamp;
    default:
      return Kind.Text;
  }
}

/** Reads a text as a stamp, microseconds since 1970 UTC; the first one sets the format of all. */
export function readStampText(stamps: StampReader, text: string, line: number): number | Problem {
  const problem = stamps.hasFormat ? undefined : stamps.begin(text);
  if (problem) return problem;
  const bytes = new TextEncoder().encode(text);
  const micros = stamps.read(bytes, 0);
  if (Number.isNaN(micros) || stamps.end !== bytes.length) return stamps.explainMismatch(text);
  return stamps.local ? placeStamp(stamps, micros, line) : micros;
}

/** Places a stamp of a local clock, in microseconds. */
export function placeStamp(stamps: StampReader, micros: number, line: number): number | Problem {
  const instant = stamps.place(micros, line);
  return Number.isNaN(instant) ? ["time_zone", stamps.explainUnplaced(micros)] : instant;
}

/** A number with a group of three digits after any mark. */
const thousands = /^[+-]?\d{1,3}[.,' \u00a0\u202f]\d{3}(?!\d)/;

/**
 * Reads a number, or returns the problem of the text; NaN for a missing value.
 *
 * @param column Its column, which records decimal marks
 * @param commas Whether a comma may be a decimal mark
 * @param line Line of the field, counted from 1
 */
export function parseNumber(
  text: string,
  column: FieldColumn,
  commas: boolean,
  line: number,
): number | string {
  const trimmed = moveSign(text.trim());
  if (NULL_TEXTS.has(trimmed) || column.nullTexts?.includes(trimmed)) return NaN;
  const value = parsePlainNumber(trimmed, commas);
  const problem = column.whole ? "is not a 32-bit integer" : "is not a number";
  if (!Number.isFinite(value) || column.whole && value !== (value | 0)) {
    const remedy = thousands.test(trimmed) ? ". Write numbers without thousands marks" : "";
    return `${JSON.stringify(trimmed.slice(0, 60))} ${problem}${remedy}`;
  }
  if (value < 0 && column.sentinels.has(-value)) return NaN;
  if (commas && /[.,]/.test(trimmed)) {
    column.marks.add({ row: line, column: column.name, value: trimmed }, column.column?.range);
  }
  return value;
}
