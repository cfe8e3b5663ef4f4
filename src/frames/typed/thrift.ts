/** A value of Thrift's compact protocol: a struct is a map of its fields by number. Texts and bytes are passed over. */
export type ThriftValue = number | boolean | undefined | readonly ThriftValue[] | ThriftStruct;

/** A struct: its fields by number. */
export type ThriftStruct = ReadonlyMap<number, ThriftValue>;

/** Nesting at most: the metadata of Parquet have a third of it. */
const MAX_DEPTH = 32;

/** Reads structs of Thrift's compact protocol, in which Parquet files describe themselves. */
export class ThriftReader {
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
