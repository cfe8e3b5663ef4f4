/**
 * JSON of a service, strictly and within limits: what a parser must not be talked into by an answer.
 *
 * @module
 */
import { formatNumber } from "../../show/text/number.ts";

/** Longest text that is parsed, in characters: 64 MB of plain ASCII. */
export const MAX_JSON_LENGTH = 64_000_000;

/** Arrays and objects that may stand inside each other. */
export const MAX_JSON_DEPTH = 100;

/**
 * Values in one text, those of arrays and objects and these themselves. 64 MB of brackets would else become objects of
 * more than 4 GB, which ends the process; 10,000 turbines with their power curves have a million.
 */
export const MAX_JSON_VALUES = 5_000_000;

/** Characters of one number: more are no measurement, and turning them into a bigint takes ever longer. */
const MAX_NUMBER_LENGTH = 1000;

const QUOTE = 0x22, BACKSLASH = 0x5c, COMMA = 0x2c, COLON = 0x3a, MINUS = 0x2d, DOT = 0x2e;
const OPEN_BRACKET = 0x5b, CLOSE_BRACKET = 0x5d, OPEN_BRACE = 0x7b, CLOSE_BRACE = 0x7d;
const ZERO = 0x30;

/** A reading of one text, from its beginning to its end. */
class JsonReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#refuse("there is more after the end of the value");
    return value;
  }

  /** Never quotes the text: it may hold a secret. */
  #refuse(problem: string, at = this.#at): never {
    throw new SyntaxError(
      `Cannot parse JSON: ${problem}, at character ${formatNumber(at + 1)} of ${
        formatNumber(this.#text.length)
      }`,
    );
  }

  /** Goes on to what is no space, and gives its code: NaN at the end. */
  #skipSpace(): number {
    for (;; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
    }
  }

  #value(): unknown {
    const code = this.#skipSpace();
    if (++this.#values > MAX_JSON_VALUES) {
      this.#refuse(`it has more than ${formatNumber(MAX_JSON_VALUES)} values`);
    }
    switch (code) {
      case QUOTE:
        return this.#string();
      case OPEN_BRACE:
        return this.#nested(() => this.#object());
      case OPEN_BRACKET:
        return this.#nested(() => this.#array());
      case 0x74: // t
        return this.#word("true", true);
      case 0x66: // f
        return this.#word("false", false);
      case 0x6e: // n
        return this.#word("null", null);
    }
    if (code === MINUS || isDigit(code)) return this.#number();
    this.#refuse(isNaN(code) ? "it ends where a value is expected" : "a value is expected");
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#refuse("a value is expected");
    this.#at += word.length;
    return value;
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > MAX_JSON_DEPTH) {
      this.#refuse(`arrays and objects are more than ${MAX_JSON_DEPTH} deep`);
    }
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #array(): unknown[] {
    const values: unknown[] = [];
    if (this.#skipSpace() === CLOSE_BRACKET) {
      this.#at++;
      return values;
    }
    for (;;) {
      values.push(this.#value());
      if (this.#ends(CLOSE_BRACKET, "a comma or ] is expected")) return values;
    }
  }

  #object(): Record<string, unknown> {
    // Without a prototype `__proto__` is a key like any other. Four times smaller than Object.create(null).
    const record: Record<string, unknown> = Object.setPrototypeOf({}, null);
    if (this.#skipSpace() === CLOSE_BRACE) {
      this.#at++;
      return record;
    }
    for (;;) {
      if (this.#skipSpace() !== QUOTE) this.#refuse("a key in quotation marks is expected");
      const start = this.#at;
      const key = this.#string();
      // Parsers differ in which of the two they take: what was checked may not be what is used.
      if (key in record) this.#refuse(`${formatKey(key)} stands twice in one object`, start);
      if (this.#skipSpace() !== COLON) this.#refuse("a colon is expected");
      this.#at++;
      record[key] = this.#value();
      if (this.#ends(CLOSE_BRACE, "a comma or } is expected")) return record;
    }
  }

  /** Whether the closing mark comes; else there has to be a comma. */
  #ends(mark: number, problem: string): boolean {
    const code = this.#skipSpace();
    if (code !== mark && code !== COMMA) this.#refuse(problem);
    this.#at++;
    return code === mark;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at++;
    let plain = true;
    for (;; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        plain = false;
        this.#escape();
      } else if (code < 0x20) {
        this.#refuse("a string holds a control character that is not escaped");
      } else if (code !== code) {
        this.#refuse("a string does not end", start);
      }
    }
    const end = this.#at++;
    return plain ? text.slice(start + 1, end) : JSON.parse(text.slice(start, end + 1));
  }

  /** Goes to the last character of an escape. */
  #escape(): void {
    const next = this.#text.charAt(++this.#at);
    if (next === "u" && /^[0-9a-f]{4}$/i.test(this.#text.slice(this.#at + 1, this.#at + 5))) {
      this.#at += 4;
    } else if (next === "" || !'"\\/bfnrt'.includes(next)) {
      this.#refuse("a string holds an escape that JSON does not have", this.#at - 1);
    }
  }

  #number(): number | bigint {
    const text = this.#text;
    const start = this.#at;
    if (text.charCodeAt(start) === MINUS) this.#at++;
    const first = this.#at;
    this.#digits();
    if (text.charCodeAt(first) === ZERO && this.#at > first + 1) {
      this.#refuse("a number begins with a zero too many", start);
    }
    const wholeEnd = this.#at;
    if (text.charCodeAt(this.#at) === DOT) {
      this.#at++;
      this.#digits();
    }
    if ((text.charCodeAt(this.#at) | 0x20) === 0x65) { // e or E
      const sign = text.charAt(++this.#at);
      if (sign === "+" || sign === "-") this.#at++;
      this.#digits();
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

  #digits(): void {
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
 * Parses JSON as a service sends it, strictly: refused are a duplicate key, a number beyond what a JavaScript number
 * holds, values more than {@linkcode MAX_JSON_DEPTH} deep, more than {@linkcode MAX_JSON_VALUES} of them, and a text of
 * more than {@linkcode MAX_JSON_LENGTH} characters. Objects have no prototype; whole numbers that a JavaScript number cannot hold exactly become bigints.
 *
 * @throws {SyntaxError} If it is no such JSON; the message says what is wrong and where, and does not quote the text
 */
export function parseJson(text: string): unknown {
  if (text.length > MAX_JSON_LENGTH) {
    throw new SyntaxError(
      `Cannot parse JSON: it has ${formatNumber(text.length)} characters, more than ${
        formatNumber(MAX_JSON_LENGTH)
      }`,
    );
  }
  return new JsonReader(text).whole();
}
