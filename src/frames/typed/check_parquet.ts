import { assertTableSize, type TableSize } from "./table_size.ts";
import { ThriftReader, type ThriftStruct, type ThriftValue } from "./thrift.ts";

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
