/**
 * JSON of a service, strictly and within limits.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { receivedTurbineDetails } from "../../../src/api/resources/resources.ts";
import {
  MAX_JSON_DEPTH,
  MAX_JSON_LENGTH,
  MAX_JSON_VALUES,
} from "../../../src/frames/files/reader_limits.ts";
import { parseJson } from "../../../src/frames/files/json.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";

function readRefusal(text: string): string {
  return assertThrows(() => parseJson(text), SyntaxError).message;
}

function buildNested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

/** Copies a value, with the usual prototype of objects. */
function addPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addPrototypes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, addPrototypes(inner)]),
  );
}

const details = {
  turbine_id: "T1",
  name: "Horns Rev 1 \u00e6",
  latitude: 55.5,
  longitude: 7.9,
  hub_height: 70,
  rated_power: 2000,
  rotor_diameter: 80,
  time_zone: "Europe/Copenhagen",
  training_start: "2010-01-01",
  training_end: null,
  data_ready: true,
  last_wind_index: { month: 5, year: 2023 },
  power_curve: { power_control: "pcPitch", power: [{ wind_speed: 4, power: 66.6 }] },
};

/** Texts of JSON and texts that are nearly JSON, the same in every run. */
class Texts {
  readonly #random = new SeededRandom("json");

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random.uniform() * values.length)];
  }

  space(): string {
    return this.pick(["", "", "", " ", "\n", "\t", "\r\n"]);
  }

  /**
   * A string; for a key, one without a backslash. V8 15.0 mistakes the next key that begins with an escape for it:
   * `JSON.parse('{"x":1,"\\\\":1}')` makes a later `JSON.parse('{"x":1,"\\"":2}')` give a backslash as the key.
   */
  string(isKey = false): string {
    const plain = [..."aZ09 \u00e6\u{1f300}\ud800/'\u2028\u007f{}[]:,"];
    const escapes = ['"', "/", "b", "f", "n", "r", "t", "u0061", "uD83C\\udf00", "ud800"];
    const all = [...plain, ...escapes.map((letter) => `\\${letter}`), ...(isKey ? [] : ["\\\\"])];
    const length = Math.floor(this.#random.uniform() * 5);
    return `"${Array.from({ length }, () => this.pick(all)).join("")}"`;
  }

  number(): string {
    const integer = this.pick(["0", "7", "10", "9007199254740991", "123456"]);
    const fraction = this.pick(["", "", ".0", ".25", ".1234567890123456789"]);
    const exponent = this.pick(["", "", "", "e5", "E+2", "e-07", "e0", "E-400"]);
    // Whole numbers stay within the exact range of a number; beyond it, bigints differ from JSON.parse.
    return this.pick(["", "-"]) + integer + fraction + exponent;
  }

  value(depth = 0): string {
    const kind = this.#random.uniform() * (depth < 5 ? 10 : 6);
    if (kind < 1) return this.pick(["true", "false", "null"]);
    if (kind < 3) return this.string();
    if (kind < 6) return this.number();
    const inner = Array.from({ length: Math.floor(this.#random.uniform() * 4) }, () => {
      const value = this.space() + this.value(depth + 1) + this.space();
      return kind < 8 ? value : this.space() + this.string(true) + this.space() + ":" + value;
    });
    const body = inner.join(",") || this.space();
    return kind < 8 ? `[${body}]` : `{${body}}`;
  }

  /** The text with one character taken out, put in or changed. */
  broken(text: string): string {
    const at = Math.floor(this.#random.uniform() * (text.length + 1));
    const other = this.pick([..."{}[],:\"\\0123.-+eEtnu/ '\n\u0000\u00a0\ufeff"]);
    const next = this.pick([at, at + 1]);
    return text.slice(0, at) + this.pick(["", other]) + text.slice(next);
  }
}

/** Parses with JSON.parse; `undefined` if that fails. */
function parseNatively(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Whether a difference to JSON.parse is intended: a duplicate key, a bigint, an overflow. */
function isExpectedDifference(text: string, message: string | undefined): boolean {
  if (message !== undefined) return /is duplicated in one object|is too large/.test(message);
  return /\d{16}/.test(text);
}

describe("parseJson()", () => {
  it("agrees with JSON.parse() on 20,000 texts and on as many broken ones", () => {
    const texts = new Texts();
    const seen = { parsed: 0, refused: 0, other: 0 };
    for (let i = 0; i < 40_000; i++) {
      const valid = texts.space() + texts.value() + texts.space();
      const text = i % 2 === 0 ? valid : texts.broken(valid);
      if (text !== valid && text.includes("\\\\")) continue; // it may be in a key now
      const expected = parseNatively(text);
      let result: { value: unknown } | undefined;
      let message: string | undefined;
      try {
        result = { value: addPrototypes(parseJson(text)) };
      } catch (error) {
        assert(error instanceof SyntaxError, `${error}`);
        message = error.message;
      }
      if (expected && isExpectedDifference(text, message)) {
        seen.other++;
        continue;
      }
      assertEquals(result, expected, `${JSON.stringify(text)}: ${message}`);
      seen[expected ? "parsed" : "refused"]++;
    }
    assert(seen.parsed > 20_000 && seen.refused > 8_000 && seen.other < 8_000, Deno.inspect(seen));
  });

  it("reads every kind of value", () => {
    assertEquals(parseJson(" 1.5e3 "), 1500);
    assert(Object.is(parseJson("-0"), -0));
    assertEquals(parseJson('"\\u00e6\\n\\uD83C\\uDF00"'), "\u00e6\n\u{1f300}");
    assertEquals(parseJson("[true,false,null,[]]"), [true, false, null, []]);
    assertEquals(addPrototypes(parseJson('{"a":{},"":[{"b":""}]}')), { a: {}, "": [{ b: "" }] });
  });

  it("reads a key correctly, whatever keys other texts had", () => {
    parseJson('{"x":1,"\\\\":1}');
    assertEquals(Object.keys(parseJson('{"x":1,"\\n":2}') as object), ["x", "\n"]);
  });

  it("F28 keeps __proto__ and constructor as plain data", () => {
    const value = parseJson(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":2}',
    ) as Record<string, Record<string, unknown>>;
    assertEquals(Object.getPrototypeOf(value), null);
    assertEquals(Object.getPrototypeOf(value.__proto__), null);
    assertEquals(Object.keys(value), ["__proto__", "constructor", "toString"]);
    assertEquals(value.__proto__.polluted, true);
    assertEquals(value.constructor.prototype, 1);
    assertEquals((value as { polluted?: boolean }).polluted, undefined);
    assertEquals(({} as { polluted?: boolean }).polluted, undefined);
    assert(!("hasOwnProperty" in (parseJson("[{}]") as object[])[0]));
  });

  it("F28 refuses a key that is duplicated in one object, and says where", () => {
    assertEquals(
      readRefusal('{"a": 1, "b": 2, "a": 3}'),
      'Cannot parse JSON: the key "a" is duplicated in one object, at character 18 of 24',
    );
    assertStringIncludes(readRefusal('{"a":1,"\\u0061":1}'), 'the key "a" is duplicated');
    assertStringIncludes(readRefusal('[{"x":{"a":1,"b":[],"a":{}}}]'), 'the key "a" is duplicated');
    assertStringIncludes(
      readRefusal('{"__proto__":1,"__proto__":1}'),
      'the key "__proto__" is duplicated',
    );
    assertStringIncludes(
      readRefusal('{"constructor":1,"constructor":1}'),
      '"constructor" is duplicated',
    );
    assertStringIncludes(readRefusal('{"a":null,"a":null}'), "duplicated");
    assertStringIncludes(readRefusal('{"":1,"":1}'), "a key is duplicated");
    assertEquals(addPrototypes(parseJson('[{"a":1},{"a":{"a":2}}]')), [{ a: 1 }, { a: { a: 2 } }]);
    assertEquals(Object.keys(parseJson('{"a":1,"A":1,"hasOwnProperty":1}') as object).length, 3);
  });

  it("F28 refuses arrays and objects that are too deep, however deep", () => {
    assertEquals(
      addPrototypes(parseJson(buildNested(MAX_JSON_DEPTH))),
      JSON.parse(buildNested(MAX_JSON_DEPTH)),
    );
    for (const depth of [MAX_JSON_DEPTH + 1, 10_000, 1_000_000]) {
      assertEquals(
        readRefusal(buildNested(depth)),
        "Cannot parse JSON: arrays and objects are more than 100 deep, at character 101 of " +
          (2 * depth).toLocaleString("en"),
      );
    }
    assertStringIncludes(readRefusal('{"a":'.repeat(10_000)), "more than 100 deep");
    assertStringIncludes(readRefusal('[{"a":'.repeat(51)), "more than 100 deep");
    // Arrays next to each other are not nested.
    assertEquals((parseJson(`[${"[],{},".repeat(200)}1]`) as unknown[]).length, 401);
  });

  it("F28 refuses a text that is too long, before it reads it", () => {
    const message = readRefusal("x".repeat(MAX_JSON_LENGTH + 1));
    assertEquals(
      message,
      "Cannot parse JSON: it has 64,000,001 characters, but the limit is 64,000,000",
    );
    assertEquals(parseJson("1" + " ".repeat(MAX_JSON_LENGTH - 1)), 1);
  });

  it("F28 refuses more values than fit into memory", () => {
    const fitting = `[${"0,".repeat(MAX_JSON_VALUES - 2)}0]`; // the array is a value too
    assertEquals((parseJson(fitting) as unknown[]).length, MAX_JSON_VALUES - 1);
    assertStringIncludes(
      readRefusal(`[${fitting.slice(1)}`.replace("]", ",0]")),
      "5,000,000 values",
    );
  });

  it("F28 refuses a number of a million digits at once", () => {
    for (const text of ["9".repeat(1_000_000), `0.${"9".repeat(1_000_000)}`]) {
      assertStringIncludes(readRefusal(text), "a number has more than 1,000 characters");
    }
    assertEquals(parseJson("9".repeat(1000)), BigInt("9".repeat(1000)));
  });

  it("F35 keeps whole numbers beyond 2^53 as bigints, and no others", () => {
    assertEquals(parseJson("9007199254740993"), 9007199254740993n);
    assertEquals(parseJson("[-9223372036854775808]"), [-9223372036854775808n]);
    assertEquals(parseJson("9007199254740991"), Number.MAX_SAFE_INTEGER);
    assertEquals(parseJson("-9007199254740991"), Number.MIN_SAFE_INTEGER);
    assertEquals(parseJson("9007199254740992"), 9007199254740992n);
    assertEquals(parseJson("1e20"), 1e20);
    assertEquals(parseJson("12345678901234567890.5"), 12345678901234567890.5);
    assertEquals(parseJson("1" + "0".repeat(400)), 10n ** 400n);
  });

  it("refuses numbers that would become infinite", () => {
    for (const text of ["1e999", "-1e999", "[1.8e308]", '{"a":1.0E+400}']) {
      assertStringIncludes(readRefusal(text), "a number is too large, at character");
    }
    assertEquals(parseJson("1.7976931348623157e308"), Number.MAX_VALUE);
    assertEquals(parseJson("1e-999"), 0);
  });

  const wrong: [string, string, number][] = [
    ["", "it ends where a value is expected", 1],
    ["  ", "it ends where a value is expected", 3],
    ["[1,", "it ends where a value is expected", 4],
    ["[1,]", "a value is expected", 4],
    ["[1 2]", "a comma or ] is expected", 4],
    ["[1}", "a comma or ] is expected", 3],
    ['{"a":1', "a comma or } is expected", 7],
    ['{"a":1,}', "a key in quotation marks is expected", 8],
    ["{a:1}", "a key in quotation marks is expected", 2],
    ["{'a':1}", "a key in quotation marks is expected", 2],
    ['{"a" 1}', "a colon is expected", 6],
    ["1 2", "more text follows the end of the value", 3],
    ["null\0", "more text follows the end of the value", 5],
    ["\ufeff1", "a value is expected", 1],
    ["\u00a01", "a value is expected", 1],
    ["nul", "a value is expected", 1],
    ["NaN", "a value is expected", 1],
    ["Infinity", "a value is expected", 1],
    ["-Infinity", "a digit is expected", 2],
    ["undefined", "a value is expected", 1],
    ["// a\n1", "a value is expected", 1],
    ["+1", "a value is expected", 1],
    [".5", "a value is expected", 1],
    ["01", "a number has a leading zero", 1],
    ["-00", "a number has a leading zero", 1],
    ["1.", "a digit is expected", 3],
    ["1e", "a digit is expected", 3],
    ["1e+", "a digit is expected", 4],
    ["0x10", "more text follows the end of the value", 2],
    ["1n", "more text follows the end of the value", 2],
    ['["abc', "a string does not end", 2],
    ['"abc\\', "a string contains an escape that JSON does not have", 5],
    ['"a\nb"', "a string contains a control character that is not escaped", 3],
    ['"\\x41"', "a string contains an escape that JSON does not have", 2],
    ['"\\u00g1"', "a string contains an escape that JSON does not have", 2],
    ['"\\u00"', "a string contains an escape that JSON does not have", 2],
    ["'a'", "a value is expected", 1],
    ["<html>", "a value is expected", 1],
  ];
  it("names the problem and its place in every text that is not JSON", () => {
    for (const [text, problem, position] of wrong) {
      const place = text.includes("\n")
        ? `line 1, character ${position}`
        : `character ${position} of ${text.length}`;
      assertEquals(readRefusal(text), `Cannot parse JSON: ${problem}, at ${place}`);
    }
    const second = readRefusal('{\n  "a": 1,\n  b: 2\n}');
    assertStringIncludes(second, "a key in quotation marks is expected, at line 3, character 3");
  });

  it("F20 never quotes the text in a message", () => {
    const secret = "canary7c1d2e";
    const texts = new Texts();
    for (let i = 0; i < 5000; i++) {
      const text = texts.broken(
        `{"a":"${secret}","b":[${secret},"${secret}"],"c ${secret}":${texts.value()},"c ${secret}":1}`,
      );
      assert(!readRefusal(text).includes("canary"), readRefusal(text));
    }
    // A key is named only if it looks like the name of a field.
    const long = "k".repeat(41);
    for (const key of [long, `a ${secret}`, "a\\u001b[31m", "a<b>", "1"]) {
      assertStringIncludes(readRefusal(`{"${key}":1,"${key}":1}`), ": a key is duplicated");
    }
  });

  it("returns objects that the resources of the API accept, with their additions", () => {
    const text = JSON.stringify({ ...details, owner: { name: "A" }, big: 1 })
      .replace('"big":1', '"big":9007199254740993,"__proto__":{"polluted":1}');
    const value = receivedTurbineDetails.parse(parseJson(text));
    assertEquals(value.name, details.name);
    assertEquals(value.last_wind_index?.year, 2023);
    assertEquals(value.power_curve?.power[0].power, 66.6);
    assertEquals(addPrototypes(value.owner), { name: "A" });
    assertEquals(value.big, 9007199254740993n);
    assertEquals((value as { polluted?: number }).polluted, undefined);
    assert(!receivedTurbineDetails.safeParse(parseJson('{"name":"T1"}')).success);
  });

  it("parses 10,000 turbines without losing or changing one", () => {
    const { power_curve: _, ...record } = details;
    const turbines = Array.from({ length: 10_000 }, (_, i) => ({ ...record, turbine_id: `T${i}` }));
    const text = JSON.stringify(turbines);
    assertEquals(JSON.stringify(parseJson(text)), text);
  });
});
