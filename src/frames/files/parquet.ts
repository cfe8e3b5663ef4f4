import pl, { type DataFrame } from "nodejs-polars";
import { DataFormatError } from "../../api/errors.ts";
import { MAX_CELLS } from "./reader_limits.ts";
import { refuseFile } from "./read_file.ts";

/** A value of Thrift's compact protocol: a struct is a map of its fields by number; other types are skipped. */
type ThriftValue = number | undefined | readonly ThriftValue[] | ThriftStruct;

type ThriftStruct = ReadonlyMap<number, ThriftValue>;

/** Reads a struct of Thrift's compact protocol, and the position after it. Missing bytes count as zeros, which end a struct. */
function readThrift(bytes: Uint8Array, start: number): [struct: ThriftStruct, end: number] {
  let at = start;
  const readByte = () => bytes[at++] ?? 0;
  const readLength = () => {
    let value = 0;
    for (let factor = 1;; factor *= 128) {
      const byte = readByte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const readNumber = () => {
    const value = readLength();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const readList = () => {
    const head = readByte();
    const length = head >> 4 === 15 ? readLength() : head >> 4;
    const list: ThriftValue[] = [];
    // In a list, a boolean takes a byte.
    while (list.length < length && at < bytes.length) list.push(readValue(Math.max(head & 15, 3)));
    return list;
  };
  const readStruct = (): ThriftStruct => {
    const fields = new Map<number, ThriftValue>();
    for (let field = 0;;) {
      const head = readByte();
      if (head === 0) return fields;
      field = head >> 4 === 0 ? readNumber() : field + (head >> 4);
      fields.set(field, readValue(head & 15));
    }
  };
  const skip = (length: number) => {
    at += length;
    return undefined;
  };
  const readers: Readonly<Record<number, () => ThriftValue>> = {
    1: () => undefined, // true
    2: () => undefined, // false
    3: () => skip(1),
    4: readNumber,
    5: readNumber,
    6: readNumber,
    7: () => skip(8),
    8: () => skip(readLength()),
    9: readList,
    10: readList,
    12: readStruct,
  };
  const readValue = (type: number): ThriftValue => {
    const read = readers[type];
    if (!read) throw new RangeError(`its metadata has a field of the unknown type ${type}`);
    return read();
  };
  return [readStruct(), at];
}

function readStructs(value: ThriftValue): ThriftStruct[] {
  return [value].flat().filter((one) => one instanceof Map);
}

/**
 * Checks how many values a Parquet file declares: Polars takes memory for them, and crashes the process if a page has
 * more values than its column. Polars refuses all other errors itself.
 *
 * @param refuse Called with the limit that it exceeds
 * @throws {RangeError} If its pages contradict its columns
 */
function checkCounts(bytes: Uint8Array, refuse: (problem: string) => never): void {
  const end = bytes.length - 8;
  if (end < 4) return;
  const footer = end - new DataView(bytes.buffer, bytes.byteOffset + end).getUint32(0, true);
  const columns = readStructs(readThrift(bytes, footer)[0].get(4))
    .flatMap((group) => readStructs(group.get(1)))
    .flatMap((column) => readStructs(column.get(3)));
  let total = 0;
  for (const column of columns) {
    const [declared, length, data, dictionary] = [5, 7, 9, 11].map((field) =>
      Number(column.get(field))
    );
    total += declared;
    if (total > MAX_CELLS) refuse(`it has ${total} values, but the limit is ${MAX_CELLS}`);
    const first = dictionary > 0 ? Math.min(dictionary, data) : data;
    for (let at = first; at < Math.min(first + length, footer);) {
      const [page, body] = readThrift(bytes, at);
      for (const header of [5, 8].flatMap((version) => readStructs(page.get(version)))) {
        const values = Number(header.get(1));
        if (values >= 0 && values <= declared) continue;
        throw new RangeError(`a page has ${values} values, but its column has only ${declared}`);
      }
      at = body + Math.max(0, Number(page.get(3)));
    }
  }
}

/** Whether a file begins as Parquet. */
export function isParquet(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 4)) === "PAR1";
}

/**
 * Reads the frame of a Parquet file.
 *
 * @throws {DataFormatError} If it is damaged, or beyond the limits of readers
 */
export function readParquet(bytes: Uint8Array, file: string): DataFrame {
  const refuse = (problem: string, cause?: unknown) =>
    refuseFile(file, problem, { hint: "Write the file again", cause });
  try {
    checkCounts(bytes, refuse);
    const frame = pl.readParquet(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    // Polars returns such columns and fails later; a type that it does not know fails here.
    const { height } = frame; // each access to it goes through all columns
    if (frame.getColumns().some(({ dtype, length }) => !dtype || length !== height)) {
      throw new RangeError("its columns have different numbers of rows");
    }
    return frame;
  } catch (cause) {
    if (cause instanceof DataFormatError) throw cause;
    const [reason] = (cause as Error).message.split("\n");
    return refuse(`it is not a complete Parquet file (${reason})`, cause);
  }
}
