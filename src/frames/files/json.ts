/**
 * Parses JSON of services and files strictly and within limits, so no text exhausts memory or can be read in two ways.
 *
 * @module
 */
import { ArgumentError } from "../../api/errors.ts";
import { MAX_JSON_DEPTH, MAX_JSON_LENGTH, MAX_JSON_VALUES } from "./reader_limits.ts";
import { formatNumber } from "../../show/text/numbers.ts";

/** Longest number, characters: no measurement has more, and the time to parse a bigint grows faster than its length. */
const MAX_NUMBER_LENGTH = 1000;

const QUOTE = 0x22, BACKSLASH = 0x5c, COMMA = 0x2c, COLON = 0x3a, MINUS = 0x2d;
const OPEN_BRACKET = 0x5b, CLOSE_BRACKET = 0x5d, OPEN_BRACE = 0x7b, CLOSE_BRACE = 0x7d;
const ZERO = 0x30, NINE = 0x39;

/** A text that begins like a number, and the place in it where a digit is missing. */
const [NUMBER, NO_DIGIT] = [/-?\d*(?:\.\d*)?(?:e[+-]?\d*)?/iy, /(?:^-|\.|e[+-]?)(?![\d+-])/i];

/** Reads one text from its beginning to its end. */
function readWhole(text: string, takesNaN: boolean): unknown {
  let [at, depth, values] = [0, 0, 0];

  /** Never quotes the text, which may contain a secret. */
  const refuse = (problem: string, position = at): never => {
    const before = text.slice(0, position).split("\n");
    const place = text.includes("\n")
      ? `line ${formatNumber(before.length)}, character ${formatNumber(before.at(-1)!.length + 1)}`
      : `character ${formatNumber(position + 1)} of ${formatNumber(text.length)}`;
    throw new SyntaxError(`Cannot parse JSON: ${problem}, at ${place}`);
  };

  /** Moves to the next character that is not a space and returns its code; NaN at the end. */
  const skipSpace = (): number => {
    for (;; at++) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
    }
  };

  const readValue = (): unknown => {
    const code = skipSpace();
    if (++values > MAX_JSON_VALUES) {
      refuse(`it has more than ${formatNumber(MAX_JSON_VALUES)} values`);
    }
    switch (code) {
      case QUOTE:
        return readString();
      case OPEN_BRACE:
        return readObject();
      case OPEN_BRACKET:
        return readArray();
      case 0x74: // t
        return readWord("true", true);
      case 0x66: // f
        return readWord("false", false);
      case 0x6e: // n
        return readWord("null", null);
    }
    if (takesNaN && code === 0x4e) return readWord("NaN", null);
    if (code === MINUS || code >= ZERO && code <= NINE) return readNumber();
    return refuse(isNaN(code) ? "it ends where a value is expected" : "a value is expected");
  };

  const readWord = <T>(word: string, value: T): T => {
    if (!text.startsWith(word, at)) refuse("a value is expected");
    at += word.length;
    return value;
  };

  /** Reads the items between two brackets, which commas separate. */
  const readNested = (end: number, problem: string, readOne: () => void): void => {
    if (++depth > MAX_JSON_DEPTH) {
      refuse(`arrays and objects are more than ${MAX_JSON_DEPTH} deep`);
    }
    at++;
    if (skipSpace() === end) at++;
    else {
      for (let code = COMMA; code === COMMA; at++) {
        readOne();
        code = skipSpace();
        if (code !== end && code !== COMMA) refuse(problem);
      }
    }
    depth--;
  };

  const readArray = (): unknown[] => {
    const list: unknown[] = [];
    readNested(CLOSE_BRACKET, "a comma or ] is expected", () => list.push(readValue()));
    return list;
  };

  const readObject = (): Record<string, unknown> => {
    // Without a prototype `__proto__` is a key like any other. Four times smaller than Object.create(null).
    const record: Record<string, unknown> = Object.setPrototypeOf({}, null);
    readNested(CLOSE_BRACE, "a comma or } is expected", () => {
      if (skipSpace() !== QUOTE) refuse("a key in quotation marks is expected");
      const start = at;
      const key = readString();
      // Parsers differ in which of the two values they take, so the one checked may not be the one used.
      if (key in record) refuse(`${formatKey(key)} is duplicated in one object`, start);
      if (skipSpace() !== COLON) refuse("a colon is expected");
      at++;
      record[key] = readValue();
    });
    return record;
  };

  const readString = (): string => {
    const start = at++;
    let plain = true;
    for (;; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        plain = false;
        skipEscape();
      } else if (code < 0x20) {
        refuse("a string contains a control character that is not escaped");
      } else if (code !== code) {
        refuse("a string does not end", start);
      }
    }
    const end = at++;
    return plain ? text.slice(start + 1, end) : JSON.parse(text.slice(start, end + 1));
  };

  /** Moves to the last character of an escape. */
  const skipEscape = (): void => {
    const next = text.charAt(++at);
    if (next === "u" && /^[0-9a-f]{4}$/i.test(text.slice(at + 1, at + 5))) at += 4;
    else if (next === "" || !'"\\/bfnrt'.includes(next)) {
      refuse("a string contains an escape that JSON does not have", at - 1);
    }
  };

  const readNumber = (): number | bigint => {
    const start = at;
    NUMBER.lastIndex = start;
    const [source] = NUMBER.exec(text)!;
    const gap = NO_DIGIT.exec(source);
    if (gap) refuse("a digit is expected", start + gap.index + gap[0].length);
    if (/^-?0\d/.test(source)) refuse("a number has a leading zero", start);
    if (source.length > MAX_NUMBER_LENGTH) {
      refuse(`a number has more than ${formatNumber(MAX_NUMBER_LENGTH)} characters`, start);
    }
    at += source.length;
    const number = Number(source);
    if (/^-?\d+$/.test(source)) return Number.isSafeInteger(number) ? number : BigInt(source);
    return Number.isFinite(number) ? number : refuse("a number is too large", start);
  };

  const value = readValue();
  skipSpace();
  if (at < text.length) refuse("more text follows the end of the value");
  return value;
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
 * @throws {SyntaxError} If the text is not such JSON; the message names the problem and its place, and does not quote
 * the text
 */
export function parseJson(text: string, { takesNaN = false } = {}): unknown {
  if (text.length > MAX_JSON_LENGTH) {
    throw new SyntaxError(
      `Cannot parse JSON: it has ${formatNumber(text.length)} characters, but the limit is ${
        formatNumber(MAX_JSON_LENGTH)
      }`,
    );
  }
  return readWhole(text, takesNaN);
}

/**
 * Reads the text of a file as JSON.
 *
 * @param file Its name, for messages
 * @throws {ArgumentError} If it is not JSON
 */
export function parseJsonFile(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const problem = (cause as Error).message.replace("Cannot parse JSON: ", "");
    throw new ArgumentError(
      `Cannot read ${file}: it is not valid JSON (${problem}). Correct the file at this place`,
      { cause },
    );
  }
}
