import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { latitudeParameter, longitudeParameter } from "../../../src/api/operations/climate_data.ts";
import { operationOf } from "../../../src/api/operations/operations.ts";
import {
  MAX_IDENTIFIER_LENGTH,
  type Parameter,
  type ParameterType,
  type ParameterValue,
  problemWith,
  readParameter,
} from "../../../src/api/operations/parameter.ts";

function parameter(type: ParameterType, more: Partial<Parameter> = {}): Parameter {
  return {
    name: "p",
    in: "query",
    type,
    required: false,
    description: "A parameter.",
    tag: "ours",
    ...more,
  };
}

function assertTaken(declared: Parameter, ...values: ParameterValue[]): void {
  for (const value of values) assertEquals(problemWith(declared, value), null, String(value));
}

function assertRefused(declared: Parameter, problem: string, ...values: ParameterValue[]): void {
  for (const value of values) {
    const refusal = problemWith(declared, value);
    assert(refusal !== null, `${JSON.stringify(value)?.slice(0, 40)} is taken`);
    assertStringIncludes(refusal, problem);
  }
}

const month = operationOf("monthly_index").parameters.find(({ name }) => name === "month")!;
const fileType = operationOf("place_order").parameters.find(({ name }) => name === "filetype")!;
const identifier = parameter("identifier");

describe("problemWith() and numbers", () => {
  it("accepts both bounds and refuses values beyond them, such as latitude 91", () => {
    assertTaken(latitudeParameter, -90, 90, 0, -0, 55.5);
    assertRefused(latitudeParameter, "is not within -90 to 90", 91, -91, 90.0000001, -90.0000001);
    assertTaken(longitudeParameter, -180, 180, 7.75);
    assertRefused(longitudeParameter, "is not within -180 to 180", 180.0000001, -181, 360);
  });

  it("F37 refuses month 0 and month 13", () => {
    assertTaken(month, 1, 12);
    assertRefused(month, "is not within 1 to 12", 0, 13, -1);
  });

  it("refuses fractions and lost digits for a whole number", () => {
    assertRefused(month, "is not a whole number", 1.5, 11.999999);
    assertRefused(parameter("integer"), "is not a whole number", 2 ** 53, 1e300);
    assertTaken(parameter("integer"), 2 ** 53 - 1, -(2 ** 53 - 1));
  });

  it("refuses NaN and infinities, even if there are no bounds", () => {
    for (const declared of [parameter("number"), parameter("integer"), latitudeParameter]) {
      assertRefused(declared, "is not a number", NaN, Infinity, -Infinity);
    }
  });

  it("refuses text that looks like a number", () => {
    assertRefused(latitudeParameter, "not a number", "55.5", "");
  });

  it("names an open side of the bounds", () => {
    assertRefused(parameter("integer", { minimum: 1 }), "0 is not within 1 to ∞", 0);
    assertRefused(parameter("integer", { maximum: 9 }), "10 is not within -∞ to 9", 10);
  });
});

describe("problemWith() and identifiers", () => {
  it("F22 refuses the empty identifier, `.` and `..`", () => {
    assertRefused(identifier, "it is empty", "");
    assertRefused(identifier, "is a path, not an identifier", ".", "..");
  });

  it("F22 refuses every control character", () => {
    const codes = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i)];
    for (const code of codes) {
      const character = String.fromCharCode(code);
      assertRefused(identifier, "at character 1", character);
      assertRefused(identifier, "at character 2", `a${character}b`);
    }
  });

  it("F22 refuses 1 MB without repeating it", () => {
    const problem = problemWith(identifier, "a".repeat(1_000_000));
    assertEquals(problem, "it has 1000000 characters, but an identifier has at most 128");
  });

  it("accepts the longest identifier and refuses one character more", () => {
    assertTaken(identifier, "a".repeat(MAX_IDENTIFIER_LENGTH));
    assertRefused(identifier, "at most 128", "a".repeat(MAX_IDENTIFIER_LENGTH + 1));
  });

  it("F22 accepts slashes, percent signs and emoji, which the path encodes", () => {
    assertTaken(identifier, "a/b", "%2e", "%2e%2e", "🌬️", "Ærø 7", "...", "T 1");
  });

  it("refuses half of a surrogate pair, which no URL can carry", () => {
    assertRefused(identifier, "half of a character", "\ud83c", "a\udf2c");
  });

  it("refuses numbers", () => assertRefused(identifier, "it is 1, not a text", 1));
});

describe("problemWith() and other texts", () => {
  it("accepts only the allowed values, in their exact case", () => {
    assertTaken(fileType, "zipcsv", "csv", "zipraw");
    assertRefused(fileType, "is not one of zipcsv, csv, zipraw", "CSV", "zip", "", " csv", "csv ");
  });

  it("repeats no more than the head of a forbidden value", () => {
    const problem = problemWith(fileType, "x".repeat(1_000_000));
    assert(problem !== null && problem.length < 100);
  });

  it("checks e-mail addresses", () => {
    const email = parameter("email");
    assertTaken(email, "a@b.dk", "first.last+tag@sub.example.org", "root@localhost");
    assertRefused(email, "not an e-mail address", "a", "a@", "@b.dk", "a@b", "a b@c.dk", "a@@b.dk");
    assertRefused(email, "a line break at character 7", "a@b.dk\r\nX-Auth: 1");
    assertRefused(email, "it is empty", "");
  });

  it("checks dates and months", () => {
    assertTaken(parameter("date"), "2024-02-29");
    assertRefused(parameter("date"), "is not a day of the calendar", "2023-02-29");
    assertTaken(parameter("year_month"), "2023-12");
    assertRefused(parameter("year_month"), "2023-13 has no month from 01 to 12", "2023-13");
  });

  it("does not repeat a free text, which may be a secret", () => {
    for (const type of ["string", "email", "identifier"] as const) {
      for (const value of ["canary\u0000", `canary${"y".repeat(200)}`, "canary\ud800"]) {
        const problem = problemWith(parameter(type), value);
        assert(problem !== null && !problem.includes("canary"), problem ?? "taken");
      }
    }
  });
});

describe("readParameter()", () => {
  it("uses the default of an absent parameter, or refuses it if it is required", () => {
    assertEquals(readParameter(parameter("integer", { default: 1 }), undefined), { value: 1 });
    assertEquals(readParameter(parameter("string"), undefined), { value: undefined });
    assertEquals(readParameter(latitudeParameter, undefined), { problem: "it is missing" });
  });

  it("does not treat an empty text as absent", () => {
    for (const type of ["integer", "number", "string", "date", "year_month", "email"] as const) {
      assert("problem" in readParameter(parameter(type, { default: 1 }), ""), type);
    }
  });

  it("reads plain decimal numbers", () => {
    for (const [text, value] of [["55.5", 55.5], ["-7", -7], ["+7", 7], ["007", 7], [".5", 0.5]]) {
      assertEquals(readParameter(parameter("number"), String(text)), { value });
    }
  });

  it("refuses texts that Number() would coerce into a number", () => {
    for (const text of [" ", " 7", "7 ", "0x10", "1_000", "1,5", "NaN", "Infinity", "--1", "."]) {
      assert("problem" in readParameter(parameter("number"), text), text);
    }
  });

  it("refuses digits that exceed every number", () => {
    assert("problem" in readParameter(parameter("number"), "9".repeat(400)));
    assert("problem" in readParameter(parameter("integer"), "9007199254740993"));
  });

  it("applies the bounds to the parsed value", () => {
    assertEquals(readParameter(latitudeParameter, "90"), { value: 90 });
    assertEquals(readParameter(latitudeParameter, "91"), {
      problem: "91 is not within -90 to 90",
    });
    assertEquals(readParameter(month, "13"), { problem: "13 is not within 1 to 12" });
    assertEquals(readParameter(month, "1.5"), { problem: "1.5 is not a whole number" });
  });

  it("reads back every number that a client may write", () => {
    // String() writes numbers below 1e-6 with an exponent; a place next to the equator has one.
    for (const value of [0, -0, 1e-6, 1e-7, -1e-7, 5e-324, 0.1 + 0.2, -89.99999999999999, 90]) {
      assertEquals(problemWith(latitudeParameter, value), null);
      const read = readParameter(latitudeParameter, String(value));
      assert("value" in read, `${value} is written and not read: ${JSON.stringify(read)}`);
      assertEquals(Number(read.value) + 0, value + 0);
    }
  });

  it("repeats no more than the head of 1 MB", () => {
    for (const type of ["number", "date", "year_month", "identifier", "string"] as const) {
      const read = readParameter(parameter(type), "x".repeat(1_000_000));
      assert("problem" in read && read.problem.length < 120, type);
    }
  });
});
