/**
 * A complete call: which failures are retried, how long the pauses are, which error an answer becomes.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import {
  ArgumentError,
  errorOfMeaning,
  LicenceError,
  NetworkError,
  ServiceError,
  TimeoutError,
  VindkitError,
} from "../../../src/api/errors.ts";
import type { OperationId } from "../../../src/api/operations/operation.ts";
import { operations } from "../../../src/api/operations/operations.ts";
import { checkCall, type ParameterValues } from "../../../src/api/operations/request_path.ts";
import type { Connection } from "../../../src/client/connection/connection.ts";
import {
  type Answer,
  type AnswerFacts,
  fetchAnswer,
} from "../../../src/client/http/fetch_answer.ts";
import { MAX_TRIES } from "../../../src/client/http/retries.ts";
import { withoutPauses } from "../../faults/_reads.ts";
import {
  allowed,
  CANARY,
  type LocalServer,
  neverAnswer,
  type SeenRequest,
  withRawServer,
  withServer,
} from "../_local_server.ts";

/** Calls an operation with these values. */
async function fetchWith(
  id: OperationId,
  values: ParameterValues,
  { connection, signal }: { connection: Connection; signal?: AbortSignal },
): Promise<Answer & AnswerFacts> {
  return await fetchAnswer(
    connection,
    checkCall(id, values),
    signal ? { signal } : {},
  );
}

const call = (id: OperationId, options: { connection: Connection; signal?: AbortSignal }) =>
  fetchWith(id, allowed[id], options);

/** A refusal with a `Retry-After` in any form. */
const busy = (retryAfter: string, status = 503) =>
  new Response("busy", { status, headers: { "retry-after": retryAfter } });

/** Time between two requests, ms. */
const pause = (seen: readonly SeenRequest[], number: number) =>
  seen[number].at - seen[number - 1].at;

const safe = operations.filter(({ id }) => !["place_order", "api_key"].includes(id));

describe("fetchAnswer()", () => {
  it("sends the contract's path and query, and returns the answer", async () => {
    await withServer(() => Response.json([]), async ({ connection, seen, url }) => {
      const answer = await call("coverage", { connection });
      const path = "/onlinedata-services/climate/coverage/era5?lat=55.5&lon=8";
      assertEquals(seen[0].path, path);
      assertEquals(answer.url, url + path);
      assertEquals(answer.parameters, allowed.coverage);
      assertEquals(answer.operation.id, "coverage");
      const age = Date.now() - Temporal.Instant.from(answer.fetchedAt).epochMilliseconds;
      assert(age >= 0 && age < 10_000);
    });
  });

  it("F22 encodes identifiers, so none escapes its segment of the path", async () => {
    await withServer(() => Response.json({}), async ({ connection, seen }) => {
      for (const id of ["a/b", "a b", "%2e%2e", "?x=1", "#", "\u{1f4a8}", "$&"]) {
        await fetchWith("turbine_details", { turbine_id: id }, { connection });
        const { path } = seen.at(-1)!;
        assertEquals(decodeURIComponent(path.slice("/wind-index/calibrated/details/".length)), id);
        assertEquals(path.split("/").length, 5);
      }
    });
  });

  describe("sends no request for a forbidden argument", () => {
    const cases: readonly (readonly [OperationId, Record<string, string | number>])[] = [
      ["turbine_details", { turbine_id: "" }],
      ["turbine_details", { turbine_id: ".." }],
      ["turbine_details", { turbine_id: "a\nb" }],
      ["turbine_details", { turbine_id: "x".repeat(1_000_000) }],
      ["monthly_index", { turbine_id: "T1", year: 2024, month: 13 }],
      ["monthly_index", { turbine_id: "T1", year: 0, month: 1 }],
      ["coverage", { service_id: "era5", lat: 91, lon: 8 }],
      ["coverage", { service_id: "era5", lat: NaN, lon: 8 }],
      ["coverage", { service_id: "era5", lat: 55, lon: 8, num_points: 0 }],
      ["coverage", { service_id: "era5", lat: 55 }],
      ["place_order", { ...allowed.place_order, filetype: "xlsx" }],
      ["api_key", { serial_number: "S-1", email: "nobody" }],
      ["turbines", { unknown: 1 }],
    ];
    for (const [id, values] of cases) {
      it(`F37 ${id} ${JSON.stringify(values).slice(0, 80)}`, async () => {
        await withServer(() => Response.json([]), async ({ connection, seen }) => {
          await assertRejects(() => fetchWith(id, values, { connection }), ArgumentError);
          assertEquals(seen.length, 0);
        });
      });
    }
  });

  describe("tries again", () => {
    beforeAll(withoutPauses.before);
    afterAll(withoutPauses.after);

    for (const status of [429, 502, 503, 504]) {
      it(`F6 after ${status}, until it succeeds`, async () => {
        const answer = (_: Request, number: number) =>
          number < 3 ? busy("0", status) : Response.json([{ turbine_id: "A" }]);
        await withServer(answer, async ({ connection, seen }) => {
          assertEquals((await call("turbines", { connection })).bytes.length, 20);
          assertEquals(seen.length, 3);
          assertEquals(new Set(seen.map(({ path, key }) => `${path} ${key}`)).size, 1);
        });
      });
    }

    it(`${MAX_TRIES} times at most, and then throws the last failure`, async () => {
      await withServer(() => busy("0"), async ({ connection, seen }) => {
        const { status } = await assertRejects(
          () => call("turbines", { connection }),
          ServiceError,
        );
        assertEquals([seen.length, status], [MAX_TRIES, 503]);
      });
    });

    it("F4 whole, if an answer breaks off", async () => {
      const short = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this";
      await withRawServer(short, async ({ connection, requests }) => {
        await assertRejects(() => call("turbines", { connection }), NetworkError);
        assertEquals(requests(), MAX_TRIES);
      });
    });

    it("every operation but those that change something", async () => {
      const answer = (_: Request, number: number) =>
        number % 2 === 1 ? busy("0") : Response.json({});
      await withServer(answer, async ({ connection, seen }) => {
        for (const { id } of safe) {
          const before = seen.length;
          await call(id, { connection });
          assertEquals(seen.length - before, 2, id);
        }
      });
    });
  });

  describe("F11 never tries again", () => {
    for (const id of ["place_order", "api_key"] as const) {
      it(`${id} after a busy service`, async () => {
        await withServer(() => busy("0"), async ({ connection, seen }) => {
          await assertRejects(() => call(id, { connection }), ServiceError);
          assertEquals(seen.length, 1);
        });
      });

      it(`${id} after an answer that broke off`, async () => {
        const short = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this";
        await withRawServer(short, async ({ connection, requests }) => {
          await assertRejects(() => call(id, { connection }), NetworkError);
          assertEquals(requests(), 1);
        });
      });
    }

    it("after a status that a retry would get again", async () => {
      for (const status of [400, 401, 403, 404, 405, 418, 422]) {
        const answer = () => new Response("no", { status });
        await withServer(answer, async ({ connection, seen }) => {
          await assertRejects(() => call("download_climate", { connection }), VindkitError);
          assertEquals(seen.length, 1, String(status));
        });
      }
    });

    it("after a redirect that it must not follow", async () => {
      const away = () =>
        new Response(null, { status: 302, headers: { location: "//127.0.0.1:1/" } });
      await withServer(away, async ({ connection, seen }) => {
        await assertRejects(() => call("turbines", { connection }), NetworkError);
        assertEquals(seen.length, 1, "a retry would meet the same redirect");
      });
    });
  });

  describe("F6 pauses before it tries again", () => {
    it("for the seconds that the service asks for", async () => {
      const answer = (_: Request, number: number) => number === 1 ? busy("1") : Response.json([]);
      await withServer(answer, async ({ connection, seen }) => {
        await call("turbines", { connection });
        assert(pause(seen, 1) >= 995, `${pause(seen, 1)} ms`);
      });
    });

    it("until the date that the service names", async () => {
      let until = 0;
      let came = 0;
      const answer = (_: Request, number: number) => {
        if (number > 1) {
          came = Date.now();
          return Response.json([]);
        }
        until = Math.ceil(Date.now() / 1000) * 1000 + 1000; // HTTP dates have no milliseconds
        return busy(new Date(until).toUTCString());
      };
      await withServer(answer, async ({ connection }) => {
        await call("turbines", { connection });
        assert(came >= until - 5, `${until - came} ms too early`);
      });
    });

    it("for a short default if the header is not valid", async () => {
      for (const nonsense of ["-5", "soon", "", "-1e9"]) {
        const answer = (_: Request, number: number) =>
          number === 1 ? busy(nonsense) : Response.json([]);
        await withServer(answer, async ({ connection, seen }) => {
          await call("turbines", { connection });
          assert(pause(seen, 1) < 2000, `${nonsense}: ${pause(seen, 1)} ms`);
        });
      }
    });

    it("but never beyond the timeout of the call", async () => {
      await withServer(() => busy("3"), async ({ connection, seen }) => {
        const start = performance.now();
        const error = await assertRejects(() => call("turbines", { connection }), VindkitError);
        const took = performance.now() - start;
        assert(took < 2000, `${took} ms`);
        assertEquals(seen.length, 1);
        assertEquals(error.status, 503, "the error has the status of the service");
      }, { timeout: 1000 });
    });
  });

  describe("ends", () => {
    it("F2 with a TimeoutError after the timeout of the connection", async () => {
      await withServer(neverAnswer, async ({ connection }) => {
        const start = performance.now();
        const { message } = await assertRejects(
          () => call("turbines", { connection }),
          TimeoutError,
        );
        assertStringIncludes(message, "Give connect() a longer timeout");
        const took = performance.now() - start;
        assert(took >= 95 && took < 2000, `${took} ms`);
      }, { timeout: 100 });
    });

    it("F15 with its signal, during the request", async () => {
      const controller = new AbortController();
      const handler = (request: Request) => {
        controller.abort(new Error("stop"));
        return neverAnswer(request);
      };
      await withServer(handler, async ({ connection, seen }) => {
        const { signal } = controller;
        await assertRejects(() => call("turbines", { connection, signal }), Error, "stop");
        assertEquals(seen.length, 1);
      });
    });

    it("F15 with its signal, during a pause", async () => {
      const controller = new AbortController();
      const handler = () => {
        queueMicrotask(() => setTimeout(() => controller.abort(new Error("stop")), 50));
        return busy("10");
      };
      await withServer(handler, async ({ connection, seen }) => {
        const start = performance.now();
        const { signal } = controller;
        await assertRejects(() => call("turbines", { connection, signal }), Error, "stop");
        assert(performance.now() - start < 5000);
        assertEquals(seen.length, 1);
      });
    });

    it("F15 with its signal, before anything is sent", async () => {
      await withServer(() => Response.json([]), async ({ connection, seen }) => {
        const signal = AbortSignal.abort(new Error("stop"));
        await assertRejects(() => call("turbines", { connection, signal }), Error, "stop");
        assertEquals(seen.length, 0);
      });
    });
  });

  describe("F8 decides by the status, never by the body", () => {
    /** Bodies that contradict the status. */
    const bodies: Readonly<Record<string, [string, string]>> = {
      "a problem of another status": [
        "application/problem+json",
        JSON.stringify({ type: "about:blank", title: "OK", status: 200, detail: "all is well" }),
      ],
      "invalid JSON": ["application/json", "{"],
      "JSON of another shape": ["application/json", "[null]"],
      "a page": ["text/html", "<!doctype html><title>Login</title>"],
      "nothing": ["text/plain", ""],
      "data": ["text/csv", "year,month\n2024,5\n"],
      "bytes that are not text": ["application/octet-stream", "\u0000\ufffd"],
    };
    const undeclared = [402, 418, 451, 500, 501];

    for (const { id, errors } of operations) {
      it(`in ${id}`, async () => {
        let answer = () => new Response();
        await withServer(() => answer(), async ({ connection, url }: LocalServer) => {
          for (const [type, body] of Object.values(bodies)) {
            const respond = (status: number) => {
              answer = () =>
                new Response(body, {
                  status,
                  headers: { "content-type": type, "retry-after": "60" }, // longer than the call may take
                });
              return assertRejects(() => call(id, { connection }), VindkitError);
            };
            for (const { status, meaning } of errors) {
              const error = await respond(status);
              assertEquals(error.constructor, errorOfMeaning[meaning], `${status}: ${error.name}`);
              assertEquals([error.status, error.operation], [status, id]);
              assertStringIncludes(
                error.message,
                `Cannot get ${id.replaceAll("_", " ")} from ${url}`,
              );
              assertStringIncludes(error.message, `(${status}). `);
            }
            for (const status of undeclared) {
              const error = await respond(status);
              assertEquals(error.constructor, ServiceError, `${status}: ${error.name}`);
              assertEquals([error.status, error.operation], [status, id]);
            }
          }
        }, { timeout: 30_000 });
      });
    }

    it("and knows a status only if the contract has it", async () => {
      // 404 is declared for model_data and not for the details of a turbine.
      await withServer(() => new Response(null, { status: 404 }), async ({ connection }) => {
        const error = await assertRejects(
          () => call("turbine_details", { connection }),
          VindkitError,
        );
        assertEquals(error.constructor, ServiceError);
      });
    });

    it("but lets the body explain, in its first 200 characters", async () => {
      const detail = "no such turbine ".repeat(100);
      const answer = () => Response.json({ detail }, { status: 400 });
      await withServer(answer, async ({ connection }) => {
        const { message } = await assertRejects(
          () => call("wind_indices", { connection }),
          VindkitError,
        );
        assertStringIncludes(message, detail.slice(0, 200));
        assert(!message.includes(detail.slice(0, 210)), message);
      });
    });

    it("and names a remedy", async () => {
      await withServer(() => new Response(null, { status: 401 }), async ({ connection }) => {
        const error = await assertRejects(() => call("turbines", { connection }), LicenceError);
        assertStringIncludes(
          error.message,
          "Check VINDKIT_KEY. While the licence is valid, requestApiKey() issues a new key",
        );
      });
    });
  });

  describe("F20 shows no key and F21 no customer", () => {
    const failures: Readonly<Record<string, (request: Request) => Response>> = {
      "of a problem that repeats the key": () =>
        Response.json({ detail: `the key ${CANARY} is wrong` }, { status: 401 }),
      "of a text that repeats the key": () => new Response(`key=${CANARY}`, { status: 500 }),
      "of a page that repeats the request": (request) =>
        new Response(`${[...request.headers].join()} ${request.url}`, { status: 400 }),
      "of a busy service": () => busy("0"),
      "of a redirect": () =>
        new Response(null, {
          status: 302,
          headers: { location: `http://127.0.0.1:1/?k=${CANARY}` },
        }),
    };
    for (const [name, answer] of Object.entries(failures)) {
      it(`in the error ${name}`, async () => {
        await withServer(answer, async ({ connection }) => {
          const error = await assertRejects(() => call("api_key", { connection }), VindkitError);
          const output = `${error.message} ${error.stack} ${Deno.inspect(error, { depth: 9 })} ` +
            JSON.stringify(error);
          assert(!output.includes(CANARY), output);
          for (const secret of ["S-1", "a@example.com", "a%40example.com"]) {
            assert(!output.includes(secret), output);
          }
        });
      });
    }
  });
});
