/**
 * The service over HTTP against the contract: every operation succeeds as declared. The errors are in
 * `contract_errors_test.ts`, the bounds of parameters in `contract_bounds_test.ts`.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type Column, wireName } from "../../../src/api/columns/column.ts";
import type { Operation } from "../../../src/api/operations/operation.ts";
import type { Success } from "../../../src/api/operations/operation_declaration.ts";
import { fileMediaTypes } from "../../../src/api/operations/climate_data.ts";
import { operationOf, operations } from "../../../src/api/operations/operations.ts";
import { buildSentSchema } from "../../../src/api/resources/resources.ts";
import { TIME_ZONE_HEADER, WORLD_HEADER } from "../../../src/api/world.ts";
import {
  type AnswerText,
  buildPath,
  type ServedSample,
  serveSample,
  validValues,
} from "../_sample.ts";

let sample: ServedSample;
let orderId: string;

function validPath(operation: Operation): string {
  const values = validValues[operation.id];
  return buildPath(operation, operation.id === "order_status" ? { order_id: orderId } : values);
}

async function askValid(operation: Operation, path = validPath(operation)): Promise<AnswerText> {
  return await sample.ask(path, operation.key ? { key: sample.keys.full } : {});
}

function assertInRange(column: Column, value: unknown): void {
  if (value === null || value === undefined || value === "" || !column.range) return;
  const [low, high] = column.range;
  const number = Number(value);
  assert(
    number >= (low ?? -Infinity) && number <= (high ?? Infinity),
    `${wireName(column)} is ${value}, outside of ${low} to ${high}`,
  );
}

/** Checks a body strictly against the contract: no column more, no column less. */
function assertShape(success: Success, { text, bytes }: AnswerText): void {
  switch (success.kind) {
    case "records": {
      const records = JSON.parse(text) as Record<string, unknown>[];
      assert(records.length > 0, "no records");
      buildSentSchema(success.columns).array().parse(records);
      for (const record of records) {
        assertEquals(Object.keys(record), success.columns.map(wireName));
        for (const column of success.columns) assertInRange(column, record[wireName(column)]);
      }
      return;
    }
    case "record":
      success.schema.parse(JSON.parse(text));
      return;
    case "string": {
      const value = JSON.parse(text);
      assert(typeof value === "string" && value !== "", text);
      return;
    }
    case "csv": {
      const [header, ...rows] = text.trimEnd().split("\n").map((line) => line.split(","));
      assertEquals(header, success.columns.map(wireName));
      assert(rows.length > 0, "no rows");
      for (const row of rows) {
        assertEquals(row.length, header.length, row.join());
        success.columns.forEach((column, i) => {
          if (column.notNull) assert(row[i] !== "", `${wireName(column)} is empty: ${row}`);
          assertInRange(column, row[i]);
        });
      }
      return;
    }
    case "file":
      assertEquals([...bytes.subarray(0, 4)], [0x50, 0x4b, 3, 4], "it is not a zip archive");
  }
}

describe("the service over HTTP", () => {
  beforeAll(async () => {
    sample = await serveSample();
    const { text } = await askValid(operationOf("place_order"));
    orderId = JSON.parse(text);
  });
  afterAll(async () => await sample.close());

  for (const operation of operations) {
    const { id, success } = operation;

    it(`answers ${id} with 200, ${success.mediaType} and the declared ${success.kind}`, async () => {
      const answered = await askValid(operation);
      assertEquals(answered.status, 200, answered.text.slice(0, 500));
      const [mediaType] = answered.headers.get("content-type")!.split(";");
      assertEquals(mediaType, success.mediaType);
      assertShape(success, answered);
    });

    it(`answers ${id} with and without the last slash`, async () => {
      const [path, query = ""] = validPath(operation).split("?");
      const bare = path.replace(/\/$/, "");
      for (const form of [bare, `${bare}/`]) {
        const { status } = await askValid(operation, query ? `${form}?${query}` : form);
        assertEquals(status, 200, form);
      }
    });
  }

  it("states in the headers of data that the figures are the sample's", async () => {
    for (const operation of operations) {
      const { headers } = await askValid(operation);
      const isDeclared = operation.headers.some(({ name }) => name === WORLD_HEADER);
      assertEquals(headers.get(WORLD_HEADER), isDeclared ? "sample" : null, operation.id);
      // An order's id, its status and a key are no figures.
      const { success } = operation;
      assertEquals(isDeclared, success.kind !== "string" && operation.key, operation.id);
    }
  });

  it("names the zone of the timestamps of model_data", async () => {
    const { headers } = await askValid(operationOf("model_data"));
    assertEquals(headers.get(TIME_ZONE_HEADER), "Europe/Copenhagen");
  });

  it("lists only the turbines of the licence", async () => {
    const path = validPath(operationOf("turbines"));
    const { text } = await sample.ask(path, { key: sample.keys.t2 });
    assertEquals(JSON.parse(text), [{ turbine_id: "T2" }]);
  });

  it("uses the defaults of the contract for absent parameters", async () => {
    const coverage = operationOf("coverage");
    const absent = { service_id: "era5", lat: 55.6, lon: 7.9 };
    const { text } = await sample.ask(buildPath(coverage, absent), { key: sample.keys.full });
    const explicitPath = buildPath(coverage, { ...absent, num_points: 1, max_distance: 150 });
    assertEquals(text, (await sample.ask(explicitPath, { key: sample.keys.full })).text);
    assertEquals(JSON.parse(text).length, 1);
  });

  for (const [filetype, mediaType] of Object.entries(fileMediaTypes)) {
    it(`answers download_climate with ${mediaType} for ${filetype}`, async () => {
      const operation = operationOf("download_climate");
      const path = buildPath(operation, { ...validValues.download_climate, filetype });
      const { status, headers, bytes } = await askValid(operation, path);
      assertEquals([status, headers.get("content-type")!.split(";")[0]], [200, mediaType]);
      const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
      assertEquals(isArchive, mediaType === "application/zip");
    });
  }
});
