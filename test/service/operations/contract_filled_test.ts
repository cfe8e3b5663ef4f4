/**
 * Every declared column and field of an answer has a value somewhere in the answers of the sample. A column that is
 * declared and typed but never computed would be served as nulls.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { wireName } from "../../../src/api/columns/column.ts";
import { type JsonSchema, resourceSchema } from "../../../src/api/openapi/openapi.ts";
import type { OperationId } from "../../../src/api/operations/operation.ts";
import type { Success } from "../../../src/api/operations/operation_declaration.ts";
import { operations } from "../../../src/api/operations/operations.ts";
import { buildPath, licences, type ServedSample, serveSample, validValues } from "../_sample.ts";

/** Declared leaves of a JSON value: "history.monthIndex". */
function declaredFields(schema: JsonSchema, at = ""): string[] {
  const alternatives = schema.anyOf as JsonSchema[] | undefined;
  if (alternatives) {
    const values = alternatives.filter(({ type }) => type !== "null");
    return [...new Set(values.flatMap((one) => declaredFields(one, at)))];
  }
  if (schema.items) return declaredFields(schema.items as JsonSchema, at);
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  if (!properties) return [at];
  return Object.entries(properties)
    .flatMap(([name, field]) => declaredFields(field, at === "" ? name : `${at}.${name}`));
}

/** Leaves of a JSON value that have one. */
function filledFields(value: unknown, at = ""): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => filledFields(item, at));
  if (typeof value !== "object") return [at];
  return Object.entries(value)
    .flatMap(([name, field]) => filledFields(field, at === "" ? name : `${at}.${name}`));
}

/** Fields of an answer that the contract declares, and those that have a value. */
function listFields(success: Success, text: string): [declared: string[], filled: string[]] {
  switch (success.kind) {
    case "records":
    case "record":
      return [declaredFields(resourceSchema(success)!), filledFields(JSON.parse(text))];
    case "csv": {
      const [names, ...rows] = text.trimEnd().split("\n").map((line) => line.split(","));
      return [
        success.columns.map(wireName),
        names.filter((_, i) => rows.some((row) => row[i] !== "")),
      ];
    }
    case "string":
      return [["the text"], filledFields(JSON.parse(text), "the text")];
    case "file":
      return [["the file"], text === "" ? [] : ["the file"]];
  }
}

describe("the sample", () => {
  let sample: ServedSample;
  let orderId: string;

  beforeAll(async () => {
    sample = await serveSample();
    const order = operations.find(({ id }) => id === "place_order")!;
    const { text } = await sample.ask(buildPath(order, validValues.place_order), {
      key: sample.keys.full,
    });
    orderId = JSON.parse(text);
  });
  afterAll(async () => await sample.close());

  for (const operation of operations) {
    it(`fills all declared fields of ${operation.id}`, async () => {
      const { serialNumber: serial_number, email } = licences.ends;
      const ownValues: Partial<Record<OperationId, Readonly<Record<string, string>>>> = {
        order_status: { order_id: orderId },
        api_key: { serial_number, email },
      };
      const path = buildPath(operation, ownValues[operation.id] ?? validValues[operation.id]);
      const { text } = await sample.ask(path, operation.key ? { key: sample.keys.full } : {});
      const [declared, filled] = listFields(operation.success, text);
      assertEquals(declared.filter((field) => !filled.includes(field)), []);
    });
  }
});
