import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ArgumentError,
  CancelledError,
  DataFormatError,
  errorOfMeaning,
  LicenceError,
  NetworkError,
  RefusedConnectionError,
  VindkitError,
} from "../../src/api/errors.ts";
import { operationOf } from "../../src/api/operations/operations.ts";
import { buildAnswerError } from "../../src/client/http/fetch_answer.ts";

describe("the code of an error", () => {
  it("N1: is the code of its class by default", () => {
    assertEquals(new ArgumentError("no").code, "argument");
    assertEquals(new DataFormatError("no").code, "data_format");
    assertEquals(new CancelledError("no").code, "abort");
    assertEquals(new RefusedConnectionError("no").code, "network");
    assertEquals(new VindkitError("no").code, "vindkit");
    assertEquals(new DataFormatError("no", { code: "time_zone" }).code, "time_zone");
  });

  it("N1: is the meaning of a service's status", () => {
    const operation = operationOf("turbines");
    for (const { status, meaning } of operation.errors) {
      const answer = { status, headers: new Headers(), start: new Uint8Array() };
      const error = buildAnswerError(operation, answer, "http://a", () => "", "live");
      assertEquals([error.code, error.constructor], [meaning, errorOfMeaning[meaning]]);
      assertEquals([error.operation, error.status], ["turbines", status]);
    }
    const [expired] = operation.errors.filter(({ meaning }) => meaning === "licence_expired");
    assertEquals(errorOfMeaning[expired.meaning], LicenceError);
  });
});

describe("the facts of an error", () => {
  const facts = {
    code: "number",
    field: "decimal",
    row: 3,
    column: "energy",
    value: "many",
  } as const;

  it("N1: are shown if they are known", () => {
    const error = new DataFormatError("no", { ...facts, column: undefined });
    const { column: _, ...known } = facts;
    assertEquals({ ...error }, { name: "DataFormatError", ...known });
    assertEquals(JSON.parse(JSON.stringify(error)), { name: "DataFormatError", ...known });
    assertEquals([error.column, error.hint, error.status], [undefined, undefined, undefined]);
    assertEquals({ ...new DataFormatError("no") }, { name: "DataFormatError" });
  });

  it("N1: come from a cause of the same class", () => {
    const cause = new DataFormatError("no", { ...facts, hint: "Mend it" });
    const more = new DataFormatError("Cannot import T1: no", { cause, row: 4 });
    assertEquals({ ...more }, { name: "DataFormatError", ...facts, row: 4 });
    const other = new NetworkError("It may be cut", { cause });
    assertEquals([other.code, other.row], ["network", undefined]);
  });

  it("N1: stay in a copy, whose message is unchanged", () => {
    const error = new DataFormatError("Cannot read a.csv: no", { ...facts, hint: "Mend it" });
    const copy = new DataFormatError(error.message, { ...error });
    assertEquals([copy.message, copy.hint], ["Cannot read a.csv: no. Mend it", "Mend it"]);
    assertEquals({ ...copy }, { ...error });
  });
});
