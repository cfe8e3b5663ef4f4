/**
 * Parses JSON of services and files strictly and within limits, so that none exhausts memory or can be read in two ways.
 *
 * @module
 */
import { MAX_JSON_DEPTH, MAX_JSON_LENGTH, MAX_JSON_VALUES } from "./reader_limits.ts";
import { formatNumber } from "../../show/text/numbers.ts";

/** Longest number, characters: no measurement has more, and the time to parse a bigint grows faster than its length. */
const MAX_NUMBER_LENGTH = 1000;

const QUOTE = 0x22, BACKSLASH = 0x5c, COMMA = 0x2c, COLON = 0x3a, MINUS = 0x2d, DOT = 0x2e;
const OPEN_BRACKET = 0x5b, CLOSE_BRACKET = 0x5d, OPEN_BRACE = 0x7b, CLOSE_BRACE = 0x7d;
const ZERO = 0x30;

/** Reads one text from its beginning to its end. */
class JsonReader {
  readonly #text: string;
  readonly #takesNaN: boolean;
  #at = 0;
  #depth = 0;
  #values = 0;

  constructor(text: string, takesNaN: boolean) {
    this.#text = text;
    this.#takesNaN = takesNaN;
  }

  readWhole(): unknown {
    const value = this.#readValue();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#refuse("there is more after the end of the value");
    return value;
  }

  /** Never quotes the text, which may contain a secret. */
  #refuse(problem: string, at = this.#at): never {
    const before = this.#text.slice(0, at).split("\n");
    const place = this.#text.includes("\n")
      ? `line ${formatNumber(before.length)}, character ${formatNumber(before.at(-1)!.length + 1)}`
      : `character ${formatNumber(at + 1)} of ${formatNumber(this.#text.length)}`;
    throw new SyntaxError(`Cannot parse JSON: ${problem}, at ${place}`);
  }

  /** Moves to the next character that is not a space and returns its code; NaN at the end. */
  #skipSpace(): number {
    for (;; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
    }
  }

  #readValue(): unknown {
    const code = this.#skipSpace();
    if (++this.#values > MAX_JSON_VALUES) {
      this.#refuse(`it has more than ${formatNumber(MAX_JSON_VALUES)} values`);
    }
    switch (code) {
      case QUOTE:
        return this.#readString();
      case OPEN_BRACE:
        return this.#readObject();
      case OPEN_BRACKET:
        return this.#readArray();
      case 0x74: // t
        return this.#readWord("true", true);
      case 0x66: // f
        return this.#readWord("false", false);
      case 0x6e: // n
        return this.#readWord("null", null);
    }
    if (this.#takesNaN && code === 0x4e) return this.#readWord("NaN", null);
    if (code === MINUS || isDigit(code)) return this.#readNumber();
    this.#refuse(isNaN(code) ? "it ends where a value is expected" : "a value is expected");
  }

  #readWord<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#refuse("a value is expected");
    this.#at += word.length;
    return value;
  }

  #readNested(mark: number, problem: string, readOne: () => void): void {
    if (++this.#depth > MAX_JSON_DEPTH) {
      this.#refuse(`arrays and objects are more than ${MAX_JSON_DEPTH} deep`);
    }
    this.#at++;
    if (this.#skipSpace() === mark) this.#at++;
    else {
      do readOne(); while (!this.#readEnd(mark, problem));
    }
    this.#depth--;
  }

  #readArray(): unknown[] {
    const values: unknown[] = [];
    const readOne = () => values.push(this.#readValue());
    this.#readNested(CLOSE_BRACKET, "a comma or ] is expected", readOne);
    return values;
  }

  #readObject(): Record<string, unknown> {
    // Without a prototype `__proto__` is a key like any other. Four times smaller than Object.create(null).
    const record: Record<string, unknown> = Object.setPrototypeOf({}, null);
    this.#readNested(CLOSE_BRACE, "a comma or } is expected", () => {
      if (this.#skipSpace() !== QUOTE) this.#refuse("a key in quotation marks is expected");
      const start = this.#at;
      const key = this.#readString();
      // Parsers differ in which of the two values they take: the one checked may not be the one used.
      if (key in record) this.#refuse(`${formatKey(key)} is duplicated in one object`, start);
      if (this.#skipSpace() !== COLON) this.#refuse("a colon is expected");
      this.#at++;
      record[key] = this.#readValue();
    });
    return record;
  }

  /** Whether the closing mark follows; if not, a comma must. */
  #readEnd(mark: number, problem: string): boolean {
    const code = this.#skipSpace();
    if (code !== mark && code !== COMMA) this.#refuse(problem);
    this.#at++;
    return code === mark;
  }

  #readString(): string {
    const text = this.#text;
    const start = this.#at++;
    let plain = true;
    for (;; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        plain = false;
        this.#skipEscape();
      } else if (code < 0x20) {
        this.#refuse("a string contains a control character that is not escaped");
      } else if (code !== code) {
        this.#refuse("a string does not end", start);
      }
    }
    const end = this.#at++;
    return plain ? text.slice(start + 1, end) : JSON.parse(text.slice(start, end + 1));
  }

  /** Moves to the last character of an escape. */
  #skipEscape(): void {
    const next = this.#text.charAt(++this.#at);
    if (next === "u" && /^[0-9a-f]{4}$/i.test(this.#text.slice(this.#at + 1, this.#at + 5))) {
      this.#at += 4;
    } else if (next === "" || !'"\\/bfnrt'.includes(next)) {
      this.#refuse("a string contains an escape that JSON does not have", this.#at - 1);
    }
  }

  #readNumber(): number | bigint {
    const text = this.#text;
    const start = this.#at;
    if (text.charCodeAt(start) === MINUS) this.#at++;
    const first = this.#at;
    this.#skipDigits();
    if (text.charCodeAt(first) === ZERO && this.#at > first + 1) {
      this.#refuse("a number has a leading zero", start);
    }
    const wholeEnd = this.#at;
    if (text.charCodeAt(this.#at) === DOT) {
      this.#at++;
      this.#skipDigits();
    }
    if ((text.charCodeAt(this.#at) | 0x20) === 0x65) { // e or E
      const sign = text.charAt(++this.#at);
      if (sign === "+" || sign === "-") this.#at++;
      this.#skipDigits();
    }
    if (this.#at - start > MAX_NUMBER_LENGTH) {
      this.#refuse(`a number has more than ${formatNumber(MAX_NUMBER_LENGTH)} characters`, start);
    }
    const source = text.slice(start, this.#at);
    const number = Number(source);
    if (this.#at === wholeEnd) return Number.isSafeInteger(number) ? number : BigInt(source);
    if (!Number.isFinite(number)) this.#refuse("a number is too large", start);
    return number;
  }

  #skipDigits(): void {
    const start = this.#at;
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at === start) this.#refuse("a digit is expected");
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 0x39;
}

/** A key for a message: in full only if it looks like the name of a field. */
function formatKey(key: string): string {
  return /^[a-z_][\w.-]{0,39}$/i.test(key) ? `the key "${key}"` : "a key";
}

/**
 * Parses JSON strictly: it refuses a duplicate key, a number beyond the range of JavaScript, values more than
 * {@linkcode MAX_JSON_DEPTH} deep, more than {@linkcode MAX_JSON_VALUES} values, and a text of more than
 * {@linkcode MAX_JSON_LENGTH} characters. Objects have no prototype; whole numbers that a JavaScript number cannot hold
 * exactly become bigints.
 *
 * @param options `takesNaN`: whether `NaN`, which JSON does not have and some services write, is null
 * @throws {SyntaxError} If the text is not such JSON; the message says what is wrong and where, and does not quote the text
 */
export function parseJson(text: string, { takesNaN = false } = {}): unknown {
  if (text.length > MAX_JSON_LENGTH) {
    throw new SyntaxError(
      `Cannot parse JSON: it has ${formatNumber(text.length)} characters, more than ${
        formatNumber(MAX_JSON_LENGTH)
      }`,
    );
  }
  return new JsonReader(text, takesNaN).readWhole();
}
