import pl, { type DataFrame } from "nodejs-polars";
import { shortenText } from "../../show/text/plain_text.ts";
import { dtypeName } from "../dtype.ts";
import { refuseFile } from "../refuse_file.ts";
import { assertTableSize, BoundsError, checkParquet } from "./check_parquet.ts";

/** Kinds of messages. */
const RECORD_BATCH = 3;
const DICTIONARY_BATCH = 2;

/**
 * Checks what an Arrow file declares: rows, columns, and the place and size of every buffer, unpacked too. The library
 * that reads it takes the memory that it declares.
 *
 * @throws {BoundsError} If it is beyond the bounds of readers
 * @throws {RangeError} If it contradicts itself, or is cut off
 */
function checkArrow(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 10;
  const length = end < 8 ? 0 : view.getInt32(end, true);
  if (!(length > 0 && length <= end)) throw new RangeError("its footer is not in the file");
  const footer = new Table(view, end - length);
  const blocks = [...footer.list(2, 24), ...footer.list(3, 24)];
  const size = { rows: 0, columns: 0, unpacked: 0 };
  for (const block of blocks) {
    const start = readCount(view, block);
    const metaLength = view.getInt32(block + 8, true);
    const body = start + metaLength;
    const bodyLength = readCount(view, block + 16);
    if (metaLength < 8 || body + bodyLength > bytes.length) {
      throw new RangeError("a part of it is outside of the file");
    }
    // Newer files have a mark of four bytes before the length of the message.
    const message = new Table(view, start + (view.getInt32(start, true) === -1 ? 8 : 4));
    const kind = message.byte(1);
    if (kind !== RECORD_BATCH && kind !== DICTIONARY_BATCH) continue;
    const header = message.table(2);
    const batch = kind === RECORD_BATCH ? header : header?.table(1);
    if (!batch) throw new RangeError("a part of it is empty");
    const rows = batch.count(0);
    if (kind === RECORD_BATCH) size.rows += rows;
    const nodes = batch.list(1, 16);
    size.columns = Math.max(size.columns, nodes.length);
    for (const node of nodes) {
      const own = readCount(view, node);
      assertTableSize({ rows: own, columns: 1, unpacked: 0 });
      if (readCount(view, node + 8) > own) {
        throw new RangeError("a column has more nulls than rows");
      }
    }
    const packed = batch.table(3) !== undefined;
    for (const buffer of batch.list(2, 16)) {
      const at = readCount(view, buffer);
      const taken = readCount(view, buffer + 8);
      if (at + taken > bodyLength) throw new RangeError("a buffer is outside of its part");
      // A packed buffer begins with its unpacked length; -1 if it is not packed after all.
      const stated = packed && taken >= 8 ? Number(view.getBigInt64(body + at, true)) : -1;
      if (stated < -1) throw new RangeError(`a buffer has ${stated} bytes`);
      size.unpacked += stated === -1 ? taken : stated;
      assertTableSize(size);
    }
  }
  assertTableSize(size);
}

/** Reads an integer of 64 bits that counts something. */
function readCount(view: DataView, at: number): number {
  const value = Number(view.getBigInt64(at, true));
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(`a number of it is ${value}`);
}

/** A table of FlatBuffers, the format in which Arrow files describe themselves. */
class Table {
  readonly #view: DataView;
  readonly #at: number;

  /** @param start Where the offset of the table is */
  constructor(view: DataView, start: number) {
    this.#view = view;
    this.#at = start + view.getUint32(start, true);
  }

  /** Position of a field; 0 if it is missing. */
  #find(field: number): number {
    const entries = this.#at - this.#view.getInt32(this.#at, true);
    const offset = 4 + 2 * field;
    if (offset >= this.#view.getUint16(entries, true)) return 0;
    const found = this.#view.getUint16(entries + offset, true);
    return found === 0 ? 0 : this.#at + found;
  }

  byte(field: number): number {
    const at = this.#find(field);
    return at === 0 ? 0 : this.#view.getUint8(at);
  }

  count(field: number): number {
    const at = this.#find(field);
    return at === 0 ? 0 : readCount(this.#view, at);
  }

  table(field: number): Table | undefined {
    const at = this.#find(field);
    return at === 0 ? undefined : new Table(this.#view, at);
  }

  /** Positions of the structs of a list. */
  list(field: number, bytes: number): number[] {
    const at = this.#find(field);
    if (at === 0) return [];
    const start = at + this.#view.getUint32(at, true);
    const length = this.#view.getUint32(start, true);
    if (start + 4 + length * bytes > this.#view.byteLength) {
      throw new RangeError("a list of it is outside of the file");
    }
    return Array.from({ length }, (_, i) => start + 4 + i * bytes);
  }
}

/** Kinds of files with typed columns. */
export type FrameFile = "parquet" | "arrow";

/** First bytes of such files. */
const signatures: Readonly<Record<string, FrameFile>> = { PAR1: "parquet", ARRO: "arrow" };

/** Kind of a file by its first bytes; `undefined` if it is neither Parquet nor Arrow. */
export function detectFrameFile(bytes: Uint8Array): FrameFile | undefined {
  return signatures[String.fromCharCode(...bytes.subarray(0, 4))];
}

/**
 * Reads the frame of a Parquet or Arrow file.
 *
 * @throws {DataFormatError} If it is damaged, or beyond the bounds of readers
 */
export function readFrameFile(bytes: Uint8Array, file: string, kind: FrameFile): DataFrame {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (kind === "parquet") checkParquet(bytes);
    else checkArrow(bytes);
    const frame = kind === "parquet" ? pl.readParquet(buffer) : pl.readIPC(buffer);
    assertWhole(frame);
    return frame;
  } catch (cause) {
    const [found] = (cause as Error).message.split("\n");
    const name = kind === "parquet" ? "Parquet" : "Arrow";
    const isWhole = cause instanceof BoundsError;
    const problem = isWhole ? found : `it is not a complete ${name} file (${found})`;
    return refuseFile(file, problem, { hint: "Write it again", cause });
  }
}

/** Refuses columns of another length or an unknown type, which the library passes on and fails at later. */
function assertWhole(frame: DataFrame): void {
  for (const series of frame.getColumns()) {
    const what = `column "${shortenText(series.name)}"`;
    if (series.length !== frame.height) {
      throw new RangeError(`${what} has ${series.length} rows, not ${frame.height}`);
    }
    try {
      dtypeName(series.dtype);
    } catch (cause) {
      throw new BoundsError(`${what} is of a type that cannot be read`, { cause });
    }
  }
}
