import { checkTableSize } from "../csv/table_bounds.ts";
import { MAX_UNPACKED_BYTES } from "../reader_limits.ts";

/** A file that readers do not take, although it may be complete. */
export class BoundsError extends Error {}

/** What a file of a typed table declares. */
interface TableSize {
  readonly rows: number;
  readonly columns: number;
  /** Bytes of its content unpacked, as far as they are known. */
  unpacked: number;
}

/**
 * Refuses a table beyond the bounds of readers.
 *
 * @throws {BoundsError} Which bound it exceeds
 */
export function assertTableSize({ rows, columns, unpacked }: TableSize): void {
  const refuse = (found: string): never => {
    throw new BoundsError(found);
  };
  checkTableSize(rows, columns, refuse);
  if (unpacked <= MAX_UNPACKED_BYTES) return;
  refuse(`its table has ${unpacked} bytes unpacked, more than ${MAX_UNPACKED_BYTES}`);
}

/** A value of Thrift's compact protocol: a struct is a map of its fields by number. Texts and bytes are passed over. */
type ThriftValue = number | boolean | undefined | readonly ThriftValue[] | ThriftStruct;

/** A struct: its fields by number. */
type ThriftStruct = ReadonlyMap<number, ThriftValue>;

/** Nesting at most: the metadata of Parquet have a third of it. */
const MAX_DEPTH = 32;

/** Reads structs of Thrift's compact protocol, in which Parquet files describe themselves. */
class ThriftReader {
  /** Position of the next byte. */
  at: number;
  readonly #bytes: Uint8Array;
  #depth = 0;

  /** @param at Where the struct begins */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /**
   * Reads a struct.
   *
   * @throws {RangeError} If it is damaged
   */
  readStruct(): ThriftStruct {
    if (++this.#depth > MAX_DEPTH) throw new RangeError("its metadata are too deep");
    const fields = new Map<number, ThriftValue>();
    for (let field = 0;;) {
      const head = this.#readByte();
      if (head === 0) break;
      field = head >> 4 === 0 ? this.#readNumber() : field + (head >> 4);
      fields.set(field, this.#readValue(head & 15));
    }
    this.#depth--;
    return fields;
  }

  #readByte(): number {
    if (this.at >= this.#bytes.length) throw new RangeError("its metadata are cut off");
    return this.#bytes[this.at++];
  }

  #readVarint(): number {
    let value = 0;
    for (let factor = 1;; factor *= 128) {
      const byte = this.#readByte();
      value += (byte & 127) * factor;
      if (byte < 128) break;
      if (factor > 2 ** 63) throw new RangeError("its metadata have an endless number");
    }
    return value;
  }

  /** Reads a zigzag number; one beyond 2^53 loses digits, and is out of any bound. */
  #readNumber(): number {
    const value = this.#readVarint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #readValue(type: number): ThriftValue {
    switch (type) {
      case 1:
        return true;
      case 2:
        return false;
      case 3:
        return this.#readByte();
      case 4:
      case 5:
      case 6:
        return this.#readNumber();
      case 7:
        this.#skip(8);
        return undefined;
      case 8:
        this.#skip(this.#readVarint());
        return undefined;
      case 9:
      case 10:
        return this.#readList();
      case 12:
        return this.readStruct();
    }
    throw new RangeError(`its metadata have a field of the unknown type ${type}`);
  }

  #readList(): ThriftValue[] {
    const head = this.#readByte();
    const length = head >> 4 === 15 ? this.#readVarint() : head >> 4;
    if (length > this.#bytes.length) throw new RangeError("its metadata have a list without end");
    const type = head & 15;
    // In a list a boolean takes a byte.
    return Array.from({ length }, () => type <= 2 ? this.#readByte() === 1 : this.#readValue(type));
  }

  #skip(length: number): void {
    this.at += length;
    if (!(this.at <= this.#bytes.length)) throw new RangeError("its metadata are cut off");
  }
}

/** First and last bytes of a Parquet file. */
const MAGIC = [0x50, 0x41, 0x52, 0x31];

/** Types of pages. */
const [DATA_PAGE, , DICTIONARY_PAGE, DATA_PAGE_V2] = [0, 1, 2, 3];

/**
 * Checks what a Parquet file declares: rows, columns, sizes, and every page of every column. The library that reads it
 * takes the memory that it declares, and ends the process where that is more than there is.
 *
 * @throws {BoundsError} If it is beyond the bounds of readers
 * @throws {RangeError} If it contradicts itself, or is cut off
 */
export function checkParquet(bytes: Uint8Array): void {
  const end = bytes.length - 8;
  const ends = end >= 4 &&
    MAGIC.every((byte, i) => bytes[i] === byte && bytes[end + 4 + i] === byte);
  if (!ends) throw new RangeError("it does not begin and end as Parquet");
  const length = new DataView(bytes.buffer, bytes.byteOffset + end).getUint32(0, true);
  if (length > end - 4) throw new RangeError("its footer is longer than the file");
  const footer = new ThriftReader(bytes, end - length).readStruct();
  const groups = listStructs(footer.get(4));
  const rows = readCount(footer, 3, "rows");
  const width = Math.max(0, ...groups.map((group) => listStructs(group.get(1)).length));
  const size: TableSize = { rows, columns: width, unpacked: 0 };
  assertTableSize(size);
  let found = 0;
  for (const group of groups) {
    const height = readCount(group, 3, "rows");
    found += height;
    for (const column of listStructs(group.get(1))) {
      const chunk = readStruct(column, 3);
      size.unpacked += checkChunk(bytes, chunk, end - length, size);
      assertTableSize(size);
      // A column of lists has more values than rows.
      if (readCount(chunk, 5, "values") < height) {
        throw new RangeError("a column has fewer values than rows");
      }
    }
  }
  if (found !== rows) throw new RangeError(`it has ${found} rows, and declares ${rows}`);
}

/** Checks the pages of a column; returns their uncompressed bytes. */
function checkChunk(
  bytes: Uint8Array,
  chunk: ThriftStruct,
  footer: number,
  { rows, columns }: TableSize,
): number {
  const declared = readCount(chunk, 5, "values");
  assertTableSize({ rows: Math.max(rows, declared), columns, unpacked: 0 });
  const data = readCount(chunk, 9, "offset");
  const dictionary = chunk.get(11);
  const start = typeof dictionary === "number" && dictionary > 0
    ? Math.min(dictionary, data)
    : data;
  const end = start + readCount(chunk, 7, "bytes");
  if (start < 4 || end > footer) throw new RangeError("a column is outside of the file");
  let [unpacked, values] = [0, 0];
  for (let at = start; at < end;) {
    const reader = new ThriftReader(bytes.subarray(0, end), at);
    const page = reader.readStruct();
    unpacked += readCount(page, 2, "bytes");
    at = reader.at + readCount(page, 3, "bytes");
    if (at > end) throw new RangeError("a page is longer than its column");
    const type = page.get(1);
    if (type === DATA_PAGE) values += readCount(readStruct(page, 5), 1, "values");
    else if (type === DATA_PAGE_V2) {
      const header = readStruct(page, 8);
      const own = readCount(header, 1, "values");
      if (readCount(header, 2, "nulls") > own || readCount(header, 3, "rows") > own) {
        throw new RangeError("a page has more nulls or rows than values");
      }
      const levels = readCount(header, 5, "bytes") + readCount(header, 6, "bytes");
      if (levels > readCount(page, 2, "bytes")) throw new RangeError("a page is too short");
      values += own;
    } else if (type === DICTIONARY_PAGE) {
      const own = readCount(readStruct(page, 7), 1, "values");
      // Each value of a dictionary takes a bit or more.
      if (own > 8 * readCount(page, 2, "bytes")) throw new RangeError("a dictionary is too short");
    }
  }
  if (values !== declared) {
    throw new RangeError(`a column has ${values} values, and declares ${declared}`);
  }
  return unpacked;
}

function listStructs(value: ThriftValue): ThriftStruct[] {
  if (!Array.isArray(value)) throw new RangeError("its metadata lack a list");
  return value.map((one) => {
    if (!(one instanceof Map)) throw new RangeError("its metadata lack a part");
    return one;
  });
}

function readStruct(struct: ThriftStruct, field: number): ThriftStruct {
  return listStructs([struct.get(field)])[0];
}

/** Reads a number that counts something. */
function readCount(struct: ThriftStruct, field: number, what: string): number {
  const value = struct.get(field);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(`its number of ${what} is ${value === undefined ? "missing" : value}`);
}
