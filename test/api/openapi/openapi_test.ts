import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Tag, wireName } from "../../../src/api/columns/column.ts";
import {
  type JsonSchema,
  openApi,
  type OpenApiOperation,
  type OpenApiParameter,
} from "../../../src/api/openapi/openapi.ts";
import type { Operation } from "../../../src/api/operations/operation.ts";
import { ANY_FILE } from "../../../src/api/operations/operation_declaration.ts";
import { serviceStatuses } from "../../../src/api/operations/operation_errors.ts";
import {
  INTERFACE_VERSION,
  KEY_HEADER,
  operations,
} from "../../../src/api/operations/operations.ts";
import {
  MAX_IDENTIFIER_LENGTH,
  type Parameter,
  problemWith,
} from "../../../src/api/operations/parameter.ts";
import { entityTagHeader } from "../../../src/api/operations/response_headers.ts";
import { problemsWith, referencesIn, resolve } from "../_json_schema.ts";

const document = openApi();

function describedOf({ path }: Operation): OpenApiOperation {
  return document.paths[path].get;
}

function describedParameter(operation: Operation, { name }: Parameter): OpenApiParameter {
  return describedOf(operation).parameters.find((one) => one.name === name)!;
}

/** Allowed and forbidden values of a parameter. */
function candidates({ type, minimum, maximum, values }: Parameter): (string | number)[] {
  if (values) return [...values, ...values.map((value) => value.toUpperCase()), "", "xml"];
  switch (type) {
    case "integer":
    case "number": {
      const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
      return [
        ...bounds.flatMap((bound) => [bound - 1, bound - 0.5, bound, bound + 1]),
        1.5,
        2,
        2 ** 53,
      ];
    }
    case "date":
      return [
        ...["0001-01-01", "9999-12-31", "2024-02-29", "0000-01-01", "10000-01-01", "2023-02-29"],
        ...["2023-1-1", "2023", ""],
      ];
    case "year_month":
      return ["0001-01", "9999-12", "2023-00", "2023-13", "0000-12", "10000-01", "23-05", "2023-5"];
    case "email":
      return ["a@example.com", "nobody", "", "a b@example.com", ...[242, 243].map(address)];
    case "identifier":
    case "string":
      return [
        ...["T1", "a/b", ".", "..", "...", ".a", "a.", "\u{1f4a8}", "", "a\u0000b", "a\r\nb"],
        ...["\u007f", "\u009f", "\u00a0", "a\n"],
        ...[0, 1].map((more) => "x".repeat(MAX_IDENTIFIER_LENGTH + more)),
      ];
  }
}

function address(length: number): string {
  return `${"x".repeat(length)}@example.com`;
}

/** Properties within a schema without a meaning and a source. */
function untagged(schema: JsonSchema, at: string): string[] {
  const parts = [
    schema.items,
    ...(schema.anyOf as JsonSchema[] ?? []),
  ] as (JsonSchema | undefined)[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return [
    ...parts.flatMap((part) => part ? untagged(part, at) : []),
    ...properties.flatMap(([name, property]) => {
      const hasTag = tags.some((tag) => String(property.description).endsWith(`. (${tag})`));
      return [...(hasTag ? [] : [`${at}.${name}`]), ...untagged(property, `${at}.${name}`)];
    }),
  ];
}

const tags: readonly Tag[] = ["documented", "assumed", "ours"];

describe("openApi()", () => {
  it("is OpenAPI 3.1 with the interface's version, for the given server", () => {
    assert(/^3\.1\.\d+$/.test(document.openapi));
    assertEquals(document.info.version, INTERFACE_VERSION);
    assertEquals(document.servers, [{ url: "/" }]);
    const server = "https://wind.example";
    assertEquals(openApi(server), { ...document, servers: [{ url: server }] });
  });

  it("is plain JSON, and the same each time", () => {
    assertEquals(JSON.parse(JSON.stringify(document)), document);
    assertEquals(openApi(), document);
  });

  it("has exactly one path for each operation", () => {
    assertEquals(Object.keys(document.paths), operations.map(({ path }) => path));
    for (const item of Object.values(document.paths)) assertEquals(Object.keys(item), ["get"]);
  });

  it("has a unique operationId for each operation", () => {
    const ids = Object.values(document.paths).map(({ get }) => get.operationId);
    assertEquals(new Set(ids).size, ids.length);
    assertEquals(ids, operations.map(({ id }) => id));
  });

  it("lists the groups as tags, each once", () => {
    const names = document.tags.map(({ name }) => name);
    assertEquals(names, [...new Set(operations.map(({ group }) => group))]);
  });

  it("has the key as its only security scheme", () => {
    assertEquals(Object.values(document.components.securitySchemes), [
      { type: "apiKey", in: "header", name: KEY_HEADER },
    ]);
  });

  it("has no dangling references and no unused schemas", () => {
    const references = new Set(referencesIn(document));
    for (const reference of references) assert(resolve(document, reference), reference);
    const schemas = Object.keys(document.components.schemas);
    assertEquals([...references].sort(), schemas.map((n) => `#/components/schemas/${n}`).sort());
  });

  it("refers to no address but the server's", () => {
    assertEquals(JSON.stringify(document).match(/https?:|"\$(schema|id)"|"\/\/\w/g), null);
    const addresses = JSON.stringify(openApi("https://wind.example")).match(/https?:[^"]*/g);
    assertEquals(addresses, ["https://wind.example"]);
  });

  it("has schemas without JavaScript specifics", () => {
    const text = JSON.stringify(document);
    assertEquals(text.includes(String(Number.MAX_SAFE_INTEGER)), false);
    const { properties } = document.components.schemas.datasets as {
      properties: Record<string, JsonSchema>;
    };
    assertEquals([properties.id.type, properties.id.format], ["integer", "int64"]);
  });

  it("K11: says for each CSV with timestamps that a span with a change of clocks has two offsets", () => {
    for (const { path, success } of operations) {
      if (success.kind !== "csv") continue;
      const { schema } = document.paths[path].get.responses[200].content![success.mediaType];
      const stamped = success.columns.some(({ dtype }) => dtype === "datetime");
      assertEquals(String(schema.description).includes("utc=True"), stamped);
    }
  });

  it("links identifiers from lists and orders to the operations that take them", () => {
    const links = operations.flatMap(({ id, path }) =>
      Object.entries(document.paths[path].get.responses[200].links ?? {}).map(([target, link]) => {
        const [[name, source]] = Object.entries(link.parameters);
        assertEquals(link.operationId, target);
        return `${id} ${source} ${target} ${name}`;
      })
    );
    const listed = (list: string, name: string) =>
      operations.filter(({ parameters }) => parameters.some((parameter) => parameter.name === name))
        .map(({ id }) => `${list} $response.body#/0/${name} ${id} ${name}`);
    assertEquals(links, [
      ...listed("turbines", "turbine_id"),
      ...listed("datasets", "service_id"),
      "place_order $response.body order_status order_id",
      ...listed("report_turbines", "turbine_id"),
    ]);
  });

  for (const operation of operations) {
    const { id, group, summary, deprecated, key, parameters, errors, headers, success } = operation;
    const fromDocument = describedOf(operation);

    it(`describes ${id}: group, summary, mark, key`, () => {
      assertEquals(
        [
          fromDocument.tags,
          fromDocument.summary,
          fromDocument.deprecated,
          fromDocument.security.length > 0,
        ],
        [[group], summary, deprecated, key],
      );
      const schemes = Object.keys(document.components.securitySchemes);
      assertEquals(fromDocument.security.flatMap(Object.keys), key ? schemes : []);
      assertStringIncludes(fromDocument.description, summary);
    });

    it(`has the parameters of ${id} with place, bounds, default, unit and tag`, () => {
      const described = fromDocument.parameters.filter((parameter) => parameter.in !== "header");
      assertEquals(described.map(({ name }) => name), parameters.map(({ name }) => name));
      for (const parameter of parameters) {
        const { schema, ...described } = describedParameter(operation, parameter);
        assertEquals([described.in, described.required], [parameter.in, parameter.required]);
        for (const part of [parameter.description, parameter.tag, parameter.unit ?? ""]) {
          assertStringIncludes(described.description, part);
        }
        assertEquals(
          [schema.minimum, schema.maximum, schema.enum],
          [parameter.minimum, parameter.maximum, parameter.values],
        );
        const defaultValue = parameter.defaultApplies === false ? undefined : parameter.default;
        assertEquals(schema.default, defaultValue);
      }
    });

    for (const parameter of parameters) {
      it(`allows for ${parameter.name} of ${id} exactly the values that the service accepts`, () => {
        const problems = problemsWith(document, describedParameter(operation, parameter).schema);
        for (const value of candidates(parameter)) {
          const ours = problemWith(parameter, value);
          const theirs = problems(value);
          assertEquals(
            theirs.length === 0,
            ours === null,
            `${JSON.stringify(value)}: service "${ours}", document "${theirs}"`,
          );
        }
      });
    }

    it(`has the answers of ${id}: success, each declared error with its meaning, our own`, () => {
      const conditional = headers.includes(entityTagHeader) ? [304, 412] : [];
      const declared = errors.map(({ status }) => status);
      const ours = serviceStatuses.map(({ status }) => status);
      const statuses = [200, ...conditional, ...declared, ...ours].map(String);
      assertEquals(Object.keys(fromDocument.responses).sort(), statuses.sort());
      for (const { status, meaning, condition, tag } of errors) {
        const { description, content = {} } = fromDocument.responses[status];
        for (const part of [condition, meaning, tag]) assertStringIncludes(description, part);
        assertEquals(Object.keys(content), ["application/problem+json"]);
      }
      for (const { status, condition } of serviceStatuses) {
        const { description, content = {} } = fromDocument.responses[status];
        assertEquals(description, `${condition} (ours)`);
        assertEquals(Object.keys(content), ["application/problem+json"]);
      }
    });

    it(`has the headers of ${id}: for success, for 304, for refusals`, () => {
      const names = (status: number) => Object.keys(fromDocument.responses[status].headers ?? {});
      const expected = headers.map(({ name }) => name);
      assertEquals(names(200), expected);
      for (const { name, description, required, schema } of headers) {
        const described = fromDocument.responses[200].headers![name];
        assertEquals([described.required, described.schema], [required, schema]);
        assertStringIncludes(described.description, description);
      }
      for (const { status } of errors) {
        const expectedHeaders: Record<number, string> = {
          401: "WWW-Authenticate",
          405: "Allow",
          406: "Retry-After",
          429: "Retry-After",
        };
        const expected = [
          "Cache-Control",
          ...(expectedHeaders[status] ? [expectedHeaders[status]] : []),
        ];
        assertEquals(names(status), expected, String(status));
      }
    });

    it(`allows conditional requests for ${id} only if its answers have tags`, () => {
      const conditions = fromDocument.parameters.filter((parameter) => parameter.in === "header");
      const tagged = headers.includes(entityTagHeader);
      assertEquals(conditions.map(({ name }) => name), tagged ? ["If-None-Match", "If-Match"] : []);
      const { content, headers: kept } = fromDocument.responses[304] ?? {};
      assertEquals(content, undefined, "it has no body");
      assertEquals(kept, tagged ? fromDocument.responses[200].headers : undefined);
    });

    it(`has the body of ${id}: ${success.mediaType}, ${success.kind}`, () => {
      const { content = {} } = fromDocument.responses[200];
      const { schema } = content[success.mediaType];
      switch (success.kind) {
        case "records": {
          assertEquals(schema.type, "array");
          const { properties } = resolve(document, (schema.items as { $ref: string }).$ref) as {
            properties: Record<string, JsonSchema>;
          };
          assertEquals(Object.keys(properties), success.columns.map(wireName));
          for (const column of success.columns) {
            const property = properties[wireName(column)];
            for (const part of [column.description, column.tag, column.unit ?? ""]) {
              assertStringIncludes(String(property.description), part);
            }
          }
          break;
        }
        case "record": {
          const resource = resolve(document, String(schema.$ref))!;
          assertEquals(resource.type, "object");
          assertEquals(untagged(resource, id), []);
          break;
        }
        case "csv":
          assertEquals(schema.type, "string");
          for (const column of success.columns) {
            const { dtype, unit, tag, description } = column;
            const facts = [...(unit ? [unit] : []), dtype, tag].join(", ");
            assertStringIncludes(
              String(schema.description),
              `\`${wireName(column)}\` (${facts}): ${description}`,
            );
          }
          break;
        case "string":
          assertEquals(schema, { type: "string", description: success.description });
          break;
        case "file":
          assertEquals(schema, { type: "string", format: "binary" });
          assertEquals(content["text/tab-separated-values"].schema, { type: "string" });
          assertEquals(
            new Set(Object.keys(content)),
            new Set([ANY_FILE, success.mediaType, ...Object.values(success.mediaTypes)]),
          );
      }
    });
  }
});
