import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { z } from "zod";
import { type Column, wireName } from "../../src/api/columns/column.ts";
import { receivedMonthlyIndex, receivedTurbineDetails } from "../../src/api/resources/resources.ts";
import type { Meaning } from "../../src/api/errors.ts";
import type { Operation } from "../../src/api/operations/operation.ts";
import type { Group, Success } from "../../src/api/operations/operation_declaration.ts";
import {
  INTERFACE_VERSION,
  KEY_HEADER,
  operationOf,
  operations,
} from "../../src/api/operations/operations.ts";
import { type Parameter, problemWith } from "../../src/api/operations/parameter.ts";
import {
  endpoints,
  errors,
  fields,
  limits,
  type TextEndpoint,
  type TextParameter,
} from "../fixtures/api_text.ts";

const groupOfSection: Record<TextEndpoint["section"], Group> = {
  "4.1": "wind-index",
  "4.2": "climate-data",
  "4.3": "reports",
  "4.4": "user-access",
};

const shapeOfKind: Record<Success["kind"], TextEndpoint["shape"]> = {
  records: "array",
  record: "object",
  string: "string",
  csv: "csv",
  file: "file",
};

const typeOfDtype: Record<Column["dtype"], string> = {
  f64: "number",
  i32: "integer",
  i64: "int64",
  utf8: "string",
  bool: "boolean",
  date: "date",
  datetime: "date-time",
};

/** Meanings that an error of the text may have, by its status; 404 stands for several conditions. */
const meaningsOfStatus: Readonly<Record<number, readonly Meaning[]>> = {
  400: ["no_data", "invalid_user"],
  401: ["licence_expired"],
  403: ["no_access"],
  404: ["no_data", "not_found", "no_access"],
  405: ["invalid_file_type"],
  406: ["too_many_requests"],
};

function operationAt(path: string): Operation {
  const matches = operations.filter((operation) => operation.path === path);
  assertEquals(matches.length, 1, `operations with the path ${path}`);
  return matches[0];
}

function endpointAt(path: string): TextEndpoint {
  const match = endpoints.find((endpoint) => endpoint.path === path);
  assert(match, `the text has no ${path}`);
  return match;
}

function parameterOf(operation: Operation, name: string): Parameter {
  const match = operation.parameters.find((parameter) => parameter.name === name);
  assert(match, `${operation.id} has no ${name}`);
  return match;
}

/** Types in the text, which are coarser than the contract's. */
function textTypeOf({ type }: Parameter): Pick<TextParameter, "type" | "format"> {
  switch (type) {
    case "identifier":
    case "string":
      return { type: "string", format: undefined };
    case "email":
    case "date":
      return { type: "string", format: type };
    case "year_month":
      return { type: "string", format: "YYYY-MM" };
    default:
      return { type, format: undefined };
  }
}

describe("Section 4: endpoints", () => {
  it("the text has 14 endpoints, and the contract has exactly these", () => {
    assertEquals(endpoints.length, 14);
    assertEquals(
      operations.map((operation) => operation.path).sort(),
      endpoints.map((endpoint) => endpoint.path).sort(),
    );
  });

  it("every endpoint is a GET that succeeds with 200, and no operation says otherwise", () => {
    for (const { method, status } of endpoints) assertEquals([method, status], ["GET", 200]);
    for (const operation of operations) {
      assert(!("method" in operation), `${operation.id} declares a method of its own`);
      assert(!("status" in operation.success), `${operation.id} declares a success of its own`);
      for (const { status } of operation.errors) assert(status >= 400, `${operation.id} ${status}`);
    }
  });

  for (const endpoint of endpoints) {
    it(`GET ${endpoint.path} has the group, key, deprecation and answer of the text`, () => {
      const operation = operationAt(endpoint.path);
      assertEquals(
        {
          group: operation.group,
          key: operation.key,
          deprecated: operation.deprecated,
          mediaType: operation.success.mediaType,
          shape: shapeOfKind[operation.success.kind],
        },
        {
          group: groupOfSection[endpoint.section],
          key: endpoint.key,
          deprecated: endpoint.deprecated,
          mediaType: endpoint.mediaType,
          shape: endpoint.shape,
        },
      );
    });

    it(`GET ${endpoint.path} has exactly the parameters of the text, in its order`, () => {
      const { parameters } = operationAt(endpoint.path);
      assertEquals(
        parameters.filter((parameter) => parameter.tag !== "ours").map(({ name }) => name),
        endpoint.parameters.map(({ name }) => name),
      );
    });

    for (const expected of endpoint.parameters) {
      it(`GET ${endpoint.path} has ${expected.name} as in the text`, () => {
        const parameter = parameterOf(operationAt(endpoint.path), expected.name);
        assertEquals(
          {
            in: parameter.in,
            ...textTypeOf(parameter),
            required: parameter.required,
            default: parameter.default,
            allowed: parameter.values,
          },
          {
            in: expected.in,
            type: expected.type,
            format: expected.format,
            required: expected.required,
            default: expected.default,
            allowed: expected.allowed,
          },
        );
        if (expected.unit) assertEquals(parameter.unit, expected.unit);
        const bounds = [parameter.minimum, parameter.maximum];
        if (parameter.tag === "documented") {
          assertEquals(
            bounds,
            [expected.minimum, expected.maximum],
            "bounds that the text does not name are not tagged documented",
          );
        } else {
          // the tag shows that the bounds are ours, where the text has none
          assertEquals([expected.minimum, expected.maximum], [undefined, undefined]);
          assert(bounds.some((bound) => bound !== undefined), "an assumption without bounds");
          assertStringIncludes(parameter.description, "gives no limits");
        }
      });
    }
  }

  for (const operation of operations) {
    it(`${operation.id}() tags nothing as documented that the text does not have`, () => {
      const names = endpointAt(operation.path).parameters.map(({ name }) => name);
      for (const { name, tag } of operation.parameters) {
        if (tag !== "ours") assert(names.includes(name), `${name} is tagged ${tag}`);
      }
    });
  }
});

describe("Section 2: fields of the answers that section 4 refers to", () => {
  for (const { path, fields: section } of endpoints) {
    if (section === undefined) continue;
    const expected = fields[section];
    const { success } = operationAt(path);

    if (success.kind === "records") {
      it(`GET ${path} has the fields of ${section} with their types, all tagged documented`, () => {
        const documented = success.columns.filter(({ tag }) => tag === "documented");
        assertEquals(
          Object.fromEntries(documented.map((column) => [
            wireName(column),
            typeOfDtype[column.dtype],
          ])),
          expected,
        );
        for (const column of success.columns) {
          assert(
            wireName(column) in expected || column.optional,
            `${column.name} is ours and needed`,
          );
        }
      });
    } else if (success.kind === "record") {
      const sample = (type: string): unknown =>
        ({ string: "a", number: 1.5, integer: 5, boolean: true })[type];
      const filled = Object.fromEntries(
        Object.entries(expected).map(([name, type]) => [name, sample(type)]),
      );
      if ("last_wind_index" in expected) {
        filled.last_wind_index = { month: 5, year: 2023 };
        filled.power_curve = {
          power_control: "pcPitch",
          power: [{ wind_speed: 10, power: 1500 }],
        };
      }

      const received = section === "2.2" ? receivedTurbineDetails : receivedMonthlyIndex;

      it(`GET ${path}: the client accepts an answer with only the fields of ${section}`, () => {
        const parsed = received.safeParse(filled);
        assert(parsed.success, parsed.error?.message);
        assertEquals<unknown>(parsed.data, filled);
      });

      for (const [name, type] of Object.entries(expected)) {
        it(`GET ${path} has ${name}, ${type}, and the client refuses another type`, () => {
          const { shape } = success.schema as z.ZodObject;
          assert(name in shape);
          const wrong = type === "string" ? true : "text";
          assertEquals(received.safeParse({ ...filled, [name]: wrong }).success, false);
        });
      }

      it(`GET ${path} tags fields outside of ${section} as ours`, () => {
        const { shape } = success.schema as z.ZodObject;
        for (const [name, field] of Object.entries(shape)) {
          const tag = (field as z.ZodType).meta()?.["x-vindkit-tag"];
          assertEquals(tag, name in expected ? "documented" : "ours", name);
        }
      });
    }
  }

  it("power_control accepts only pcStall and pcPitch", () => {
    const { success } = operationAt("/wind-index/calibrated/details/{turbine_id}");
    assert(success.kind === "record");
    const { power_curve } = (success.schema as z.ZodObject).shape;
    const curve = (power_control: string) =>
      (power_curve as z.ZodType).safeParse({ power_control, power: [] }).success;
    assertEquals(["pcStall", "pcPitch", "pcstall", "pitch", ""].map(curve), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("Section 5: authentication", () => {
  it("the key stands in X-Auth and every endpoint but /apikey needs it", () => {
    assertEquals(KEY_HEADER, "X-Auth");
    assertEquals(operations.filter(({ key }) => !key).map(({ path }) => path), ["/apikey"]);
  });
});

describe("Section 7: errors", () => {
  for (const { status, condition, advice, where } of errors) {
    for (const path of where) {
      it(`GET ${path} has ${status} "${condition}"`, () => {
        const declared = operationAt(path).errors.filter((error) => error.status === status);
        assertEquals(declared.map(({ tag }) => tag), ["documented"]);
        assert(meaningsOfStatus[status].includes(declared[0].meaning), declared[0].meaning);
        assertEquals(declared[0].meaning === "invalid_user", status === 400 && path === "/apikey");
        if (advice) {
          assert(declared[0].condition.startsWith(condition), declared[0].condition);
          assertStringIncludes(declared[0].condition, advice);
        } else {
          assertEquals(declared[0].condition, condition);
        }
      });
    }
  }

  for (const operation of operations) {
    it(`${operation.id}() tags no error as documented that the text does not have`, () => {
      const inText = errors.filter(({ where }) => where.includes(operation.path));
      assertEquals(
        operation.errors.filter(({ tag }) => tag === "documented").map(({ status }) => status)
          .sort(),
        inText.map(({ status }) => status).sort(),
      );
    });

    it(`${operation.id}() gives each error status one meaning`, () => {
      const statuses = operation.errors.map(({ status }) => status);
      assertEquals(statuses.length, new Set(statuses).size, statuses.join(", "));
    });

    it(`${operation.id}() has an error for a forbidden value if it has parameters`, () => {
      const meanings = operation.errors.map(({ meaning }) => meaning);
      for (const { name, refusal = "invalid_argument" } of operation.parameters) {
        assert(meanings.includes(refusal), `${name} is refused with ${refusal}`);
      }
    });
  }

  it("a refused file type is answered with 405, other values with our 422", () => {
    for (const operation of operations) {
      for (const { name, refusal = "invalid_argument" } of operation.parameters) {
        const error = operation.errors.find(({ meaning }) => meaning === refusal);
        assertEquals(error?.status, name === "filetype" ? 405 : 422, `${operation.id} ${name}`);
        assertEquals(error?.tag, name === "filetype" ? "documented" : "ours");
      }
    }
  });

  it("if the text names endpoints, they are endpoints of section 4", () => {
    for (const { where } of [...errors, ...limits.map(({ appliesTo }) => ({ where: appliesTo }))]) {
      for (const path of where) endpointAt(path);
    }
  });
});

describe("Section 8: limits", () => {
  for (const limit of limits) {
    for (const path of limit.appliesTo) {
      if ("activeRequests" in limit) {
        it(`GET ${path} answers too many active requests with ${limit.status}`, () => {
          const declared = operationAt(path).errors.find(({ status }) => status === limit.status);
          assertEquals([declared?.meaning, declared?.tag], ["too_many_requests", "documented"]);
        });
        continue;
      }
      it(`GET ${path} accepts ${limit.parameter} from ${limit.minimum} to ${limit.maximum}`, () => {
        const parameter = parameterOf(operationAt(path), limit.parameter);
        assertEquals(
          [parameter.minimum, parameter.maximum, parameter.default, parameter.tag],
          [limit.minimum, limit.maximum, limit.default, "documented"],
        );
        if (limit.unit) assertEquals(parameter.unit, limit.unit);
        assertEquals(problemWith(parameter, limit.minimum), null);
        assertEquals(problemWith(parameter, limit.maximum), null);
        assert(problemWith(parameter, limit.minimum - 1) !== null);
        assert(problemWith(parameter, limit.maximum + 1) !== null);
      });
    }
  }

  for (const operation of operations) {
    it(`${operation.id}() has no documented bounds other than the text's`, () => {
      const inText = limits.filter((limit) =>
        "parameter" in limit && limit.appliesTo.includes(operation.path)
      ).map((limit) => "parameter" in limit && limit.parameter);
      const inContract = operation.parameters.filter(({ tag, minimum, maximum }) =>
        tag === "documented" && (minimum !== undefined || maximum !== undefined)
      ).map(({ name }) => name);
      assertEquals(inContract.sort(), inText.sort());
    });
  }
});

describe("The table itself", () => {
  it("has the interface version of the text", () => assertEquals(INTERFACE_VERSION, "1.1"));

  it("has unique ids, and operationOf() finds each", () => {
    const ids = operations.map(({ id }) => id);
    assertEquals(ids.length, new Set(ids).size);
    for (const operation of operations) assert(operationOf(operation.id) === operation);
  });

  for (const operation of operations) {
    it(`${operation.id}() declares each parameter in braces and has braces for each`, () => {
      const inBraces = [...operation.path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
      const declared = operation.parameters.filter((parameter) => parameter.in === "path");
      assertEquals(declared.map(({ name }) => name), inBraces);
      for (const { name, required } of declared) assert(required, `${name} is not required`);
    });

    it(`${operation.id}() has unique parameters, path parameters first`, () => {
      const names = operation.parameters.map(({ name }) => name);
      assertEquals(names.length, new Set(names).size);
      const places = operation.parameters.map((parameter) => parameter.in);
      assertEquals(places, [...places].sort());
    });

    it(`${operation.id}() has defaults that its own bounds allow`, () => {
      for (const parameter of operation.parameters) {
        if (parameter.default === undefined) continue;
        assertEquals(parameter.required, false);
        assertEquals(problemWith(parameter, parameter.default), null);
      }
    });

    it(`${operation.id}() describes itself, its parameters and its columns in sentences`, () => {
      const { success } = operation;
      const texts = [
        operation.summary,
        ...operation.parameters.map(({ description }) => description),
        ...("columns" in success ? success.columns.map(({ description }) => description) : []),
        ...("description" in success ? [success.description] : []),
      ];
      for (const text of texts) assert(/^\S.*\.$/s.test(text), `"${text}"`);
    });

    it(`${operation.id}() has columns with unique names in frames and on the wire`, () => {
      if (!("columns" in operation.success)) return;
      const { columns } = operation.success;
      const names = columns.map(({ name }) => name);
      assertEquals(names.length, new Set(names).size);
      assertEquals(columns.length, new Set(columns.map(wireName)).size);
      for (const name of names) assert(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name), name);
    });
  }
});
