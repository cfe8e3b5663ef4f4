import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { operationOf, operations } from "../../../src/api/operations/operations.ts";
import type {
  Parameter,
  ParameterType,
  ParameterValue,
} from "../../../src/api/operations/parameter.ts";
import { type ParameterValues, requestPath } from "../../../src/api/operations/request_path.ts";

const allowed: Record<ParameterType, ParameterValue> = {
  identifier: "T1",
  string: "S-1",
  email: "a@b.dk",
  integer: 5,
  number: 5.5,
  date: "2023-05-01",
  year_month: "2023-05",
};

/** Values that no parameter of the type may have, whatever its bounds. */
const forbidden: Record<ParameterType, ParameterValue[]> = {
  identifier: ["", ".", "..", "a\u0000b", "a\nb", "a".repeat(1_000_000), "\ud800", 7],
  string: ["", "a\u0000b", "a\r\nX-Auth: 1", "a".repeat(1_000_000), 7],
  email: ["", "a", "a@b.dk\r\n", "a".repeat(1_000_000), 7],
  integer: [1.5, NaN, Infinity, "5"],
  number: [NaN, Infinity, "5.5"],
  date: ["", "2023-02-29", "0000-01-01", "2023-5-1", "2023-05-01&x=1", 20230501],
  year_month: ["", "2023-13", "0000-01", "2023-5", "../2023-05", 202305],
};

function valueFor({ type, values, minimum = 0, maximum = Infinity }: Parameter): ParameterValue {
  if (values) return values[0];
  const value = allowed[type];
  return typeof value === "number" ? Math.min(Math.max(value, minimum), maximum) : value;
}

function valuesFor(parameters: readonly Parameter[]): Record<string, ParameterValue> {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, valueFor(parameter)]));
}

function details(turbine: string): URL {
  const path = requestPath(operationOf("turbine_details"), { turbine_id: turbine });
  return new URL(`http://service.test${path}`);
}

describe("requestPath()", () => {
  it("puts path and query parameters in their places, in the order of the contract", () => {
    assertEquals(
      requestPath(operationOf("coverage"), {
        max_distance: 100,
        num_points: 4,
        lon: 7.9,
        lat: 55.5,
        service_id: "era5",
      }),
      "/onlinedata-services/climate/coverage/era5?lat=55.5&lon=7.9&num_points=4&max_distance=100",
    );
    assertEquals(
      requestPath(operationOf("monthly_index"), { turbine_id: "T1", year: 2023, month: 5 }),
      "/wind-index/calibrated/wind_indices/T1/2023/5/",
    );
    assertEquals(requestPath(operationOf("turbines"), {}), "/wind-index/calibrated/");
  });

  it("leaves out absent optional parameters, because the service has the defaults", () => {
    assertEquals(
      requestPath(operationOf("model_data"), { turbine_id: "T1", start_date: undefined }),
      "/wind-index/calibrated/model_data/T1",
    );
  });

  it("accepts both bounds of latitude and longitude", () => {
    const at = (lat: number, lon: number) =>
      requestPath(operationOf("coverage"), { service_id: "era5", lat, lon });
    assert(at(-90, -180).endsWith("?lat=-90&lon=-180"));
    assert(at(90, 180).endsWith("?lat=90&lon=180"));
  });

  it("refuses latitude 91 and names the problem", () => {
    const error = assertThrows(
      () => requestPath(operationOf("coverage"), { service_id: "era5", lat: 91, lon: 0 }),
      ArgumentError,
    );
    assertEquals(
      error.message,
      "Cannot call coverage: lat 91 is not within -90 to 90. Give this parameter a valid value",
    );
    assertEquals(error.operation, "coverage");
  });

  it("F22 encodes a slash as %2F", () => {
    assertStringIncludes(details("a/b").href, "/details/a%2Fb");
    assertStringIncludes(details("../../apikey").href, "/details/..%2F..%2Fapikey");
  });

  for (
    const turbine of [
      "a/b",
      "a\\b",
      "/",
      "...",
      "%2e",
      "%2e%2e",
      "%2F",
      "%",
      "a?x=1",
      "a#b",
      "a b",
      " ",
      "a;b=c",
      "a:b@c",
      "//evil.test",
      "$&",
      "{turbine_id}",
      "🌬️",
      "Ærø",
      "e\u0301",
      "\u202e",
    ]
  ) {
    it(`F22 keeps ${JSON.stringify(turbine)} one segment that reads back unchanged`, () => {
      const url = details(turbine);
      assertEquals([url.host, url.search, url.hash], ["service.test", "", ""]);
      const segments = url.pathname.split("/");
      assertEquals(segments.slice(0, -1), ["", "wind-index", "calibrated", "details"]);
      assertEquals(decodeURIComponent(segments.at(-1)!), turbine);
    });
  }

  it("F22 lets no identifier take the place of the next parameter", () => {
    assertEquals(
      requestPath(operationOf("monthly_index"), { turbine_id: "{year}", year: 2023, month: 5 }),
      "/wind-index/calibrated/wind_indices/%7Byear%7D/2023/5/",
    );
  });

  it("encodes characters that would split a query", () => {
    const path = requestPath(operationOf("api_key"), {
      serial_number: "1&email=x#y+z",
      email: "first+tag@b.dk",
    });
    const url = new URL(`http://service.test${path}`);
    assertEquals([...url.searchParams], [
      ["serial_number", "1&email=x#y+z"],
      ["email", "first+tag@b.dk"],
    ]);
  });

  for (const operation of operations) {
    it(`fills the whole path of ${operation.id}()`, () => {
      const path = requestPath(operation, valuesFor(operation.parameters));
      assert(!/[{}]|undefined|NaN/.test(path), path);
      const url = new URL(`http://service.test${path}`);
      assertEquals(url.pathname + url.search, path);
      assertEquals(url.pathname.split("/").length, operation.path.split("/").length);
      assertEquals(
        [...url.searchParams.keys()],
        operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) =>
          name
        ),
      );
    });

    for (const parameter of operation.parameters) {
      it(`builds no path for ${operation.id}() with a refused ${parameter.name}`, () => {
        const values: ParameterValues = valuesFor(operation.parameters);
        const refused = [
          ...forbidden[parameter.type],
          ...(parameter.values ? ["x", parameter.values[0].toUpperCase()] : []),
          ...(parameter.minimum === undefined ? [] : [parameter.minimum - 1]),
          ...(parameter.maximum === undefined ? [] : [parameter.maximum + 1]),
        ];
        for (const value of refused) {
          const error = assertThrows(
            () => requestPath(operation, { ...values, [parameter.name]: value }),
            ArgumentError,
            `Cannot call ${operation.id.replaceAll("_", " ")}: ${parameter.name} `,
          );
          assert(error.message.length < 200, "the message repeats the value");
        }
      });

      it(`${parameter.required ? "needs" : "does not need"} ${parameter.name} for ${operation.id}()`, () => {
        const values = { ...valuesFor(operation.parameters), [parameter.name]: undefined };
        if (parameter.required) {
          assertThrows(() => requestPath(operation, values), ArgumentError, "is missing");
        } else {
          assert(!requestPath(operation, values).includes(`${parameter.name}=`));
        }
      });
    }
  }
});
