/**
 * Every parameter of the contract at its bounds, over HTTP: just outside is refused as declared, just inside is not.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Operation } from "../../../src/api/operations/operation.ts";
import { operationOf, operations } from "../../../src/api/operations/operations.ts";
import {
  MAX_EMAIL_LENGTH,
  MAX_IDENTIFIER_LENGTH,
  type Parameter,
} from "../../../src/api/operations/parameter.ts";
import {
  type AnswerText,
  buildPath,
  type ServedSample,
  serveSample,
  validValues,
} from "../_sample.ts";

let sample: ServedSample;

async function askWith(
  operation: Operation,
  values: Readonly<Record<string, string | number | undefined>>,
): Promise<AnswerText> {
  const path = buildPath(operation, { ...validValues[operation.id], ...values });
  return await sample.ask(path, { key: sample.keys.full });
}

/** Values just outside of the bounds, and values just inside. */
function edges(parameter: Parameter): [outside: (string | number)[], inside: (string | number)[]] {
  const { type, minimum, maximum, values } = parameter;
  if (values) return [["ZIPCSV", "xml", ""], [...values]];
  switch (type) {
    case "number":
    case "integer": {
      const step = type === "integer" ? 1 : 1e-6;
      const outside: (string | number)[] = ["", "NaN", "Infinity", "0x10", "1,5", " 1", "abc"];
      if (type === "integer") outside.push("1.5");
      if (minimum !== undefined) outside.push(minimum - step);
      if (maximum !== undefined) outside.push(maximum + step);
      return [outside, [minimum, maximum].filter((bound) => bound !== undefined)];
    }
    case "date":
      return [
        [
          "",
          "2023",
          "2023-02-29",
          "2023-13-01",
          "2023-1-1",
          "0000-12-31",
          "10000-01-01",
          "20230101",
        ],
        ["2024-02-29", "0001-01-01", "9999-12-31"],
      ];
    case "year_month":
      return [["2023-00", "2023-13", "0000-12", "10000-01", "23-05", "2023-5"], [
        "0001-01",
        "9999-12",
      ]];
    case "email":
      return [
        [
          "",
          "nobody",
          "a@b",
          "a b@example.com",
          "@example.com",
          buildAddress(MAX_EMAIL_LENGTH + 1),
        ],
        ["a@example.com", buildAddress(MAX_EMAIL_LENGTH)],
      ];
    case "identifier":
      return [["x".repeat(MAX_IDENTIFIER_LENGTH + 1), "a\u0000b", "a\r\nb"], [
        "x".repeat(MAX_IDENTIFIER_LENGTH),
        "a/b",
        "\u{1f4a8}",
        "' OR 1=1 --",
      ]];
    case "string":
      return [["", "x".repeat(MAX_IDENTIFIER_LENGTH + 1), "a\u0000b", "a\r\nb", "\u009f"], [
        "x".repeat(MAX_IDENTIFIER_LENGTH),
        "\u{1f4a8}",
      ]];
  }
}

/** An e-mail address with so many characters. */
function buildAddress(length: number): string {
  return "@example.com".padStart(length, "x");
}

describe("parameters over HTTP", () => {
  beforeAll(async () => {
    sample = await serveSample();
  });
  afterAll(async () => await sample.close());

  for (const operation of operations) {
    for (const parameter of operation.parameters) {
      const { name, required, refusal = "invalid_argument" } = parameter;
      const { status: refused } = operation.errors.find(({ meaning }) => meaning === refusal)!;
      const [outside, inside] = edges(parameter);

      it(`${operation.id} refuses a forbidden ${name} with ${refused} and names it`, async () => {
        for (const value of outside) {
          if (value === "" && parameter.in === "path") continue; // a different path
          const { status, text } = await askWith(operation, { [name]: value });
          assertEquals(status, refused, `${JSON.stringify(value)}: ${text.slice(0, 300)}`);
          assertStringIncludes(JSON.parse(text).detail, `${name}: `);
        }
      });

      it(`${operation.id} accepts a ${name} at its bounds`, async () => {
        for (const value of inside) {
          // Years change together, days separately: a wrong order would be refused for another reason.
          const values = name.endsWith("_year")
            ? { start_year: value, end_year: value }
            : parameter.type === "date"
            ? { start_date: undefined, end_date: undefined, [name]: value }
            : { [name]: value };
          const { status, text } = await askWith(operation, values);
          // there may be no data, but the value itself is allowed
          assert(![405, 422, 500].includes(status), `${JSON.stringify(value)}: ${text}`);
        }
      });

      if (parameter.default !== undefined && parameter.defaultApplies !== false) {
        it(`${operation.id} uses ${parameter.default} for an absent ${name}`, async () => {
          const [absent, given] = [
            await askWith(operation, { [name]: undefined }),
            await askWith(operation, { [name]: parameter.default }),
          ];
          assertEquals([absent.status, given.status], [200, 200]);
          assertEquals(absent.headers.get("etag"), given.headers.get("etag"));
          assertEquals(absent.text, given.text);
        });
      }

      if (!required || parameter.in === "path") continue;
      it(`${operation.id} refuses a request without ${name} with ${refused}`, async () => {
        const { status, text } = await askWith(operation, { [name]: undefined });
        assertEquals(status, refused);
        assertStringIncludes(JSON.parse(text).detail, `${name}: it is missing`);
      });
    }
  }

  it("begin with the first hour if start_date is absent, despite the default in the text", async () => {
    const modelData = operationOf("model_data");
    const [, first] = (await askWith(modelData, { start_date: undefined })).text.split("\n");
    const [, fromDefault] = (await askWith(modelData, { start_date: "2020-01-01" })).text.split(
      "\n",
    );
    assert(first.startsWith("2005-01-01T"), first);
    assert(fromDefault.startsWith("2020-01-01T00:00:00+01:00"), fromDefault);
  });

  it("refuse years in the wrong order with 422", async () => {
    for (const operation of operations) {
      if (!operation.parameters.some(({ name }) => name === "start_year")) continue;
      const { status } = await askWith(operation, { start_year: 2024, end_year: 2023 });
      assertEquals(status, 422, operation.id);
    }
  });
});

describe("F22 identifiers that are paths", () => {
  beforeAll(async () => {
    sample = await serveSample();
  });
  afterAll(async () => await sample.close());

  /** Status of a request with an unchanged path: fetch would normalize it. */
  async function rawStatus(path: string): Promise<number> {
    const { hostname, port } = new URL(sample.url);
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const request = `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-Auth: ${sample.keys.full}\r\n` +
      "Connection: close\r\n\r\n";
    await connection.write(new TextEncoder().encode(request));
    const parts: Uint8Array[] = [];
    const buffer = new Uint8Array(65_536);
    for (let n = await connection.read(buffer); n !== null; n = await connection.read(buffer)) {
      parts.push(buffer.slice(0, n));
    }
    const text = new TextDecoder().decode(await new Blob(parts as BlobPart[]).bytes());
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
  }

  for (const id of [".", "..", "%2e", "%2E%2e", "%00", "a%0d%0ab"]) {
    it(`refuse ${id} with 422`, async () => {
      assertEquals(await rawStatus(`/wind-index/calibrated/details/${id}`), 422);
    });
  }

  for (const id of ["a%2Fb", "%ff", "%zz", "a\\b"]) {
    it(`look up ${id} as a name, and find nothing`, async () => {
      assertEquals(await rawStatus(`/wind-index/calibrated/details/${id}`), 400);
    });
  }

  it("find nothing at an empty one", async () => {
    assertEquals(await rawStatus("/wind-index/calibrated/details/"), 404);
  });
});
