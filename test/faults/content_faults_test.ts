/**
 * Complete answers with the wrong content: pages, refusals, hostile JSON, figures of another turbine; and arguments that
 * must never be sent.
 *
 * @module
 */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import {
  ArgumentError,
  ConfigurationError,
  DataFormatError,
  errorOfMeaning,
  NoDataError,
  VindkitError,
} from "../../src/api/errors.ts";
import { operationOf } from "../../src/api/operations/operations.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { monthlyIndices } from "../../src/client/calls/monthly_indices.ts";
import { monthlyReport, reportMonths } from "../../src/client/calls/reports.ts";
import { Secret } from "../../src/client/connection/settings.ts";
import { turbineDetails, turbines } from "../../src/client/calls/turbines.ts";
import { monthlyIndex, windIndices } from "../../src/client/calls/wind_indices.ts";
import { type Fault, withService } from "./_with_service.ts";
import type { BodyAct } from "./_fault.ts";
import { withServer } from "../client/_local_server.ts";
import { collectDisplays, reads, withoutPauses } from "./_reads.ts";

/** Replaces each body of an operation. */
const buildBodyFault = (on: Fault["on"], body: BodyAct["body"], headers = {}): Fault => ({
  on,
  times: Infinity,
  act: { kind: "body", body, headers, status: 200 },
});

describe("F5 a page with status 200", () => {
  beforeAll(withoutPauses.before);
  afterAll(withoutPauses.after);

  for (const [name, { operation, call }] of Object.entries(reads)) {
    it(`F5 is refused by ${name} immediately: the message has its first 200 characters, but not the key`, async () => {
      let page = "";
      await withService(async ({ connection, requests, key }) => {
        page = `\ufeff \r\n<!DOCTYPE html><title>Log in</title><p>${key.reveal()}</p>${
          "x".repeat(300)
        }`;
        const error = await assertRejects(() => call({ connection }), DataFormatError);
        assertStringIncludes(error.message, "it is a web page");
        assertStringIncludes(error.message, "<title>Log in</title><p>***</p>xxxxx");
        const quoted = /web page that begins with (".*")\. Check/s.exec(error.message)![1];
        assertEquals(JSON.parse(quoted).length, 200);
        assert(!collectDisplays(error).includes(key.reveal()), collectDisplays(error));
        assertEquals(requests.length, 1, "asking again would show it again");
      }, {
        faults: [buildBodyFault(operation, () => new TextEncoder().encode(page), {
          "content-type": "text/html",
        })],
      });
    });
  }
});

describe("F8 and F9 refusals", () => {
  for (const [name, { operation, call }] of Object.entries(reads)) {
    const declared = operationOf(operation).errors;
    it(`F8 ${name} maps ${declared.map(({ status }) => status).join(", ")}, and sends once`, async () => {
      for (
        const { status, meaning } of declared.filter((one) => ![406, 429].includes(one.status))
      ) {
        await withService(async ({ connection, requests }) => {
          const error = await assertRejects(() => call({ connection }), VindkitError);
          assertEquals([error.constructor, error.status], [errorOfMeaning[meaning], status]);
          assertEquals(requests.length, 1);
        }, { faults: [{ on: operation, times: Infinity, act: { kind: "status", status } }] });
      }
    });
  }

  const empty: Readonly<Record<string, number>> = {
    "turbines()": 400,
    "modelData()": 400,
    "modelData([])": 400,
    "windIndices()": 400,
    "windIndices([])": 400,
    "monthlyIndices()": 400,
    "datasets()": 400,
    "coverage()": 404,
    "reportTurbines()": 400,
    "reportMonths()": 400,
  };
  for (const [name, status] of Object.entries(empty)) {
    const { operation, call } = reads[name];
    it(`F8 ${name} returns an empty frame for ${status} on request, with the types of a full one`, async () => {
      await withService(async ({ connection, inject }) => {
        const full = await call({ connection }) as DataFrame;
        inject({ on: operation, times: 2, act: { kind: "status", status } });
        await assertRejects(() => call({ connection }), NoDataError);
        const none = await call({ connection, onNoData: "empty" }) as DataFrame;
        assertEquals([none.height, none.columns], [0, full.columns]);
        const types = (frame: DataFrame) =>
          frame.dtypes.map((type) => String(type).replace(/\(us,.*?\)/, "(us)"));
        assertEquals(types(none), types(full));
      });
    });

    it(`F8 ${name} returns no empty frame for another failure`, async () => {
      for (const other of [401, 500]) {
        await withService(async ({ connection }) => {
          await assertRejects(() => call({ connection, onNoData: "empty" }), VindkitError);
        }, {
          faults: [{
            on: operation,
            times: Infinity,
            act: { kind: "status", status: other, headers: { "retry-after": "0" } },
          }],
        });
      }
    });
  }
});

describe("F19 a key that a header cannot have", () => {
  const bad = [
    "k-81\r\nx-evil: 1",
    "k-81\n",
    "k-81\0",
    "k-81 \u00e9",
    "k-81\u2028",
    "\u212a-81",
    " ",
    "",
  ];
  for (const value of bad) {
    it(`F19 ${JSON.stringify(value)} is refused before anything is sent, and not shown`, async () => {
      await withServer(() => Response.json([]), async ({ url, seen }) => {
        for (const key of [value, new Secret(value)]) {
          const error = assertThrows(() => connect({ url, key }), ConfigurationError);
          assert(
            !/81|evil/.test(collectDisplays(error).replaceAll(/^ +at .*$/gm, "")),
            collectDisplays(error),
          );
        }
        await Promise.resolve();
        assertEquals(seen, []);
      });
    });
  }
});

describe("F20 settings in each other's place", () => {
  for (
    const url of ["k-81", "https//user:k-81@a.example", "k-81:x", "https://a.example/?key=k-81"]
  ) {
    it(`F20 a key or a password in ${JSON.stringify(url)} is not shown`, () => {
      const error = assertThrows(() => connect({ url }), ConfigurationError);
      assert(!error.message.includes("k-81"), error.message);
    });
  }
});

describe("F22 a turbine id", () => {
  const calls: Readonly<Record<string, (id: string, o: object) => Promise<unknown>>> = {
    "turbineDetails()": (id, o) => turbineDetails(id, o),
    "turbineDetails([])": (id, o) => turbineDetails(["T1", id], o),
    "modelData()": (id, o) => modelData(id, o),
    "windIndices([])": (id, o) => windIndices(["T1", id], o),
    "monthlyIndices()": (id, o) => monthlyIndices(id, o),
    "monthlyIndex()": (id, o) => monthlyIndex(id, "2024-05", o),
    "reportMonths()": (id, o) => reportMonths(id, o),
    "monthlyReport()": (id, o) => monthlyReport(id, "2024-05", o),
  };
  const refused = ["", ".", "..", "a\nb", "a\0b", "\x7f", "\x85", "\ud800", "x".repeat(1_000_000)];
  const encoded = ["a/b", "../x", "%2e%2e", "%2e", "a?b=c", "#", "\u{1f4a8}", "a\\b", ";a", " a "];
  for (const [name, call] of Object.entries(calls)) {
    it(`F22 ${name} refuses identifiers that escape their segment, and sends nothing`, async () => {
      await withServer(() => Response.json([]), async ({ connection, seen }) => {
        for (const id of refused) {
          const error = await assertRejects(() => call(id, { connection }), ArgumentError);
          assert(error.message.length < 500, `a message of ${error.message.length} characters`);
        }
        assertEquals(seen, []);
      });
    });

    it(`F22 ${name} encodes the others, or refuses them`, async () => {
      const no = () => new Response("no", { status: 400 });
      await withServer(no, async ({ connection, seen }) => {
        for (const id of encoded) {
          const before = seen.length;
          const error = await assertRejects(() => call(id, { connection }), VindkitError);
          if (error instanceof ArgumentError && seen.length === before) continue;
          for (const { path, query } of seen.slice(before)) {
            assert(!path.includes("/../") && !query.has("b"), path);
            const parts = new URL(path, "http://a").pathname.split("/").map(decodeURIComponent);
            assert(parts.includes(id) || parts.includes("T1"), `${id}: ${path}`);
          }
        }
      });
    });
  }
});

describe("F28 JSON that is a trap", () => {
  const deep = (open: string, close: string) => open.repeat(10_000) + "1" + close.repeat(10_000);
  const traps: Readonly<Record<string, string>> = {
    "10,000 arrays in each other": deep("[", "]"),
    "10,000 objects in each other": deep('{"a":', "}"),
    "101 arrays in each other": "[".repeat(101) + "]".repeat(101),
    "a duplicate key": '[{"turbine_id":"T1","turbine_id":"T2"}]',
    "a duplicate __proto__": '[{"__proto__":1,"__proto__":2,"turbine_id":"T1"}]',
    "more than 5,000,000 values": `[${"0,".repeat(5_000_001)}0]`,
    "more than 64 MB": `[${" ".repeat(64_000_001)}]`,
    "a number of a million digits": `[${"9".repeat(1_000_000)}]`,
  };
  for (const [label, body] of Object.entries(traps)) {
    it(`F28 ${label} is refused quickly with a short message`, async () => {
      const bytes = new TextEncoder().encode(body);
      await withServer(() => new Response(bytes), async ({ connection }) => {
        for (const name of ["turbines()", "monthlyReport()"]) {
          const error = await assertRejects(
            () => reads[name].call({ connection }),
            DataFormatError,
          );
          assert(error.message.length < 700, error.message.slice(0, 900));
          assertMatch(error.message, /it is not valid JSON \(|the answer has more than 64 MB/);
        }
      });
    });
  }

  it("F28 __proto__ and constructor are names like others: they change no other object", async () => {
    const body =
      '{"turbine_id":"T1","period":"2024-05","__proto__":{"admin":true},"constructor":1}';
    await withServer(() => new Response(body), async ({ connection }) => {
      const report = await monthlyReport("T1", "2024-05", { connection });
      assertEquals(report.admin, undefined);
      assertEquals(({} as Record<string, unknown>).admin, undefined);
      assertEquals(report.turbine_id, "T1");
    });
  });

  it("F28 the depth of an error's body is harmless, because its status decides", async () => {
    const respond = () =>
      new Response(traps["10,000 arrays in each other"], {
        status: 400,
        headers: { "content-type": "application/problem+json" },
      });
    await withServer(respond, async ({ connection }) => {
      await assertRejects(() => turbines({ connection }), NoDataError);
    });
  });
});
