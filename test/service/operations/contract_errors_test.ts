/**
 * A real request produces every error status of the contract, with the declared text and nothing else.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { OperationId } from "../../../src/api/operations/operation.ts";
import { KEY_HEADER, operationOf, operations } from "../../../src/api/operations/operations.ts";
import { MAX_ACTIVE_DOWNLOADS } from "../../../src/service/operations/climate_data.ts";
import { createApp } from "../../../src/service/routing/app.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { isStatus, STATUS_TEXT } from "@std/http/status";
import {
  type AnswerText,
  buildPath,
  type Keys,
  licences,
  type ServedSample,
  serveSample,
  SHARED_SAMPLE,
  validValues,
} from "../_sample.ts";
import { inlineJobs, inlineOrders } from "../_inline_orders.ts";

/** Changes to a valid request that produce a status. */
interface Provocation {
  readonly values?: Readonly<Record<string, string | number | undefined>>;
  readonly key?: keyof Keys;
  /** Suffix of its path. @default {""} */
  readonly query?: string;
  /** Number of equal requests before it whose answers are unread. @default {0} */
  readonly unread?: number;
}

const farAway = { lat: 0, lon: -150 };

/** A file of 12 MB: more than the buffers between server and client hold, so sending it waits for its reader. */
const wholeRecord = { start_year: 2005, end_year: 2025, filetype: "csv" };

/** One way to each declared status, except 401 and 429, which have their own tests. */
const provocations: Readonly<Record<OperationId, Readonly<Record<number, Provocation>>>> = {
  turbines: { 400: { key: "nothing" }, 422: { query: "?turbine=T1" } },
  turbine_details: {
    400: { values: { turbine_id: "nowhere" } },
    422: { values: { turbine_id: "x".repeat(200) } },
  },
  model_data: {
    400: { values: { turbine_id: "T8" } },
    404: { values: { turbine_id: "nowhere" } },
    422: { values: { start_date: "yesterday" } },
  },
  wind_indices: {
    400: { values: { turbine_id: "T8" } },
    422: { values: { turbine_id: "x".repeat(200) } },
  },
  monthly_index: {
    400: { values: { year: 1941 } },
    422: { values: { month: 13 } },
  },
  datasets: { 400: { key: "nothing" }, 422: { query: "?lat=55" } },
  coverage: {
    403: { values: { service_id: "nowhere" } },
    404: { values: farAway },
    422: { values: { num_points: 10 } },
  },
  place_order: {
    403: { key: "nothing" },
    404: { values: farAway },
    405: { values: { filetype: "xlsx" } },
    422: { values: { lat: 91 } },
  },
  order_status: {
    404: { values: { order_id: "nowhere" } },
    422: { values: { order_id: "x".repeat(200) } },
  },
  download_climate: {
    403: { key: "nothing" },
    404: { values: { start_year: 1950, end_year: 1951 } },
    405: { values: { filetype: "xlsx" } },
    406: { values: wholeRecord, unread: MAX_ACTIVE_DOWNLOADS },
    422: { values: { start_year: 2024, end_year: 2023 } },
  },
  report_turbines: { 400: { key: "nothing" }, 422: { query: "?month=5" } },
  report_months: {
    400: { values: { turbine_id: "T8" } },
    404: { values: { turbine_id: "nowhere" } },
    422: { values: { turbine_id: "x".repeat(200) } },
  },
  monthly_report: {
    400: { values: { turbine_id: "T8" } },
    404: { values: { period: "1941-01" } },
    422: { values: { format: "pdf" } },
  },
  api_key: {
    400: { values: { email: licences.t2.email } },
    401: {
      values: { serial_number: licences.over.serialNumber, email: licences.over.email },
    },
    422: { values: { email: "nobody" } },
  },
};

let sample: ServedSample;

/** Checks that a body is a problem of RFC 9457 that names its status. */
function assertProblem({ status, headers, text }: AnswerText): Record<string, unknown> {
  assertEquals(headers.get("content-type"), "application/problem+json");
  const body = JSON.parse(text);
  assertEquals(Object.keys(body), ["type", "title", "status", "detail"]);
  assert(isStatus(status));
  assertEquals([body.status, body.title], [status, STATUS_TEXT[status]]);
  return body;
}

function provokingPath(id: OperationId, { values = {}, query = "" }: Provocation): string {
  return buildPath(operationOf(id), { ...validValues[id], ...values }) + query;
}

/** Sends a number of requests one after the other and reads no answer. */
async function leaveUnread(path: string, key: string, times: number): Promise<Response[]> {
  const responses: Response[] = [];
  for (let i = 0; i < times; i++) {
    responses.push(await fetch(sample.url + path, { headers: { [KEY_HEADER]: key } }));
  }
  return responses;
}

/** Repeats a request until it gets no 406: the service learns a moment later than its client that a body was read. */
async function askUntilFree(path: string, key: string): Promise<number> {
  for (let i = 0; i < 100; i++) {
    const { status } = await sample.ask(path, { key });
    if (status !== 406) return status;
  }
  return 406;
}

async function provoke(id: OperationId, provocation: Provocation): Promise<AnswerText> {
  const { key = "full", unread = 0 } = provocation;
  const path = provokingPath(id, provocation);
  const unreadAnswers = await leaveUnread(path, sample.keys[key], unread);
  try {
    return await sample.ask(path, operationOf(id).key ? { key: sample.keys[key] } : {});
  } finally {
    for (const { body } of unreadAnswers) await body?.cancel();
  }
}

describe("declared errors over HTTP", () => {
  beforeAll(async () => {
    sample = await serveSample();
  });
  afterAll(async () => await sample.close());

  for (const { id, errors, key } of operations) {
    it(`of ${id} are all produced here`, () => {
      const statuses = errors.map(({ status }) => status).filter((status) =>
        status !== 429 && (!key || status !== 401)
      );
      assertEquals(Object.keys(provocations[id]).map(Number), statuses.sort((a, b) => a - b));
    });

    for (const { status, condition } of errors) {
      if (status === 429 || key && status === 401) continue;
      it(`${id} answers ${status} if "${condition}"`, async () => {
        const answered = await provoke(id, provocations[id][status]);
        assertEquals(answered.status, status, answered.text.slice(0, 300));
        assertStringIncludes(String(assertProblem(answered).detail), condition);
      });
    }

    if (!key) continue;
    it(`${id} answers 401 without key, with an unknown or expired one, after the licence`, async () => {
      const path = buildPath(operationOf(id), validValues[id]);
      const { unknown, expiredKey, expiredLicence } = sample.keys;
      for (const sentKey of [undefined, "", "x", unknown, expiredKey, expiredLicence]) {
        const answered = await sample.ask(path, sentKey === undefined ? {} : { key: sentKey });
        assertEquals(answered.status, 401);
        assertStringIncludes(
          String(assertProblem(answered).detail),
          "license or token expired",
        );
      }
    });
  }

  it("401 states its reason", async () => {
    const path = buildPath(operationOf("turbines"), {});
    const detail = async (key?: string) =>
      JSON.parse((await sample.ask(path, key ? { key } : {})).text).detail as string;
    const { unknown, expiredKey, expiredLicence } = sample.keys;
    assertStringIncludes(await detail(), "no key was sent. Send it in the header X-Auth");
    assertStringIncludes(await detail(unknown), "the key is unknown");
    assertStringIncludes(await detail(expiredKey), "the key ended on 2020-12-31");
    assertStringIncludes(await detail(expiredLicence), "the licence ended on 2020-12-31");
  });

  it("404 means another licence's turbine in model_data and reports, 400 elsewhere", async () => {
    const statuses: Record<string, number> = {};
    for (const { id, parameters } of operations) {
      if (!parameters.some(({ name }) => name === "turbine_id")) continue;
      statuses[id] = (await provoke(id, { key: "t2" })).status;
    }
    assertEquals(statuses, {
      turbine_details: 400,
      wind_indices: 400,
      monthly_index: 400,
      model_data: 404,
      report_months: 404,
      monthly_report: 404,
    });
  });

  it("429 answers every operation after too many failed attempts, and a known key still works", async () => {
    const limited = await serveSample({ failedAttempts: 1 });
    try {
      const { full: key, unknown } = limited.keys;
      const wrong = (id: OperationId) => {
        const { email } = licences.t2;
        const extra = id === "api_key" ? { email } : {};
        return limited.ask(buildPath(operationOf(id), { ...validValues[id], ...extra }), {
          key: unknown,
        });
      };
      assertEquals([(await wrong("turbines")).status, (await wrong("api_key")).status], [401, 400]);
      for (const { id, errors } of operations) {
        const answered = await wrong(id);
        assertEquals(answered.status, 429, id);
        const { condition } = errors.find(({ status }) => status === 429)!;
        assertStringIncludes(String(assertProblem(answered).detail), condition);
        const pause = Number(answered.headers.get("retry-after"));
        assert(Number.isInteger(pause) && pause >= 1 && pause <= 60, String(pause));
      }
      const path = buildPath(operationOf("turbines"), {});
      assertEquals((await limited.ask(path, { key })).status, 200);
      assertEquals((await limited.ask(path)).status, 401); // no attempt, because there is no key
    } finally {
      await limited.close();
    }
  });

  it("406 names a pause, and is over as soon as one of the downloads is read", async () => {
    const path = provokingPath("download_climate", { values: wholeRecord });
    const { full: key } = sample.keys;
    const unread = await leaveUnread(path, key, MAX_ACTIVE_DOWNLOADS);
    try {
      const refused = await sample.ask(path, { key });
      assertEquals([refused.status, refused.headers.get("retry-after")], [406, "1"]);
      await unread[0].bytes();
      assertEquals(await askUntilFree(path, key), 200);
    } finally {
      for (const { body, bodyUsed } of unread) if (!bodyUsed) await body?.cancel();
    }
  });

  it("406 is over when the downloads are given up, and never meets another licence", async () => {
    const path = provokingPath("download_climate", { values: wholeRecord });
    const { full, t2 } = sample.keys;
    const unread = await leaveUnread(path, full, MAX_ACTIVE_DOWNLOADS);
    assertEquals((await sample.ask(path, { key: t2 })).status, 200);
    for (const { body } of unread) await body?.cancel();
    assertEquals(await askUntilFree(path, full), 200);
  });

  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    it(`405 with Allow answers ${method}`, async () => {
      for (const operation of operations) {
        const path = buildPath(operation, validValues[operation.id]);
        const answered = await sample.ask(path, { method, key: sample.keys.full });
        const allowed = operation.changes ? "GET" : "GET, HEAD";
        assertEquals([answered.status, answered.headers.get("allow")], [405, allowed]);
        assertProblem(answered);
      }
    });
  }

  it("K8: HEAD gets the status and headers of GET without a body, and 405 if GET changes something", async () => {
    for (const operation of operations) {
      const path = buildPath(operation, validValues[operation.id]);
      const head = await sample.ask(path, { method: "HEAD", key: sample.keys.full });
      assertEquals(head.text, "");
      if (operation.changes) {
        assertEquals([head.status, head.headers.get("allow")], [405, "GET"], operation.id);
        continue;
      }
      const get = await sample.ask(path, { key: sample.keys.full });
      const factsOf = (
        { headers, status }: AnswerText,
      ) => [status, ...["content-type", "content-length", "etag"].map((name) => headers.get(name))];
      assertEquals(factsOf(head), factsOf(get), operation.id);
    }
  });

  it("K8: HEAD of downloads leaves none under way", async () => {
    const path = buildPath(operationOf("download_climate"), validValues.download_climate);
    for (let i = 0; i < 3 * MAX_ACTIVE_DOWNLOADS; i++) {
      const { status } = await sample.ask(path, { method: "HEAD", key: sample.keys.full });
      assertEquals(status, 200);
    }
  });

  it("K8: HEAD uses up no address to sign in by", async () => {
    const address = sample.issueSignInUrl();
    const head = await fetch(address, { method: "HEAD" });
    assertEquals(head.status, 405);
    const signedIn = await fetch(address, { redirect: "manual" });
    await signedIn.body?.cancel();
    assertEquals(signedIn.status, 303);
  });

  it("K8: 422 names an unknown or repeated parameter, and lists the known ones", async () => {
    const path = buildPath(operationOf("model_data"), { turbine_id: "T1" });
    for (
      const [query, ...words] of [
        ["START_DATE=2023-01-01", "START_DATE is not a parameter", "start_date, end_date"],
        ["start_date=2023-01-01&start_date=2023-02-01", "start_date is given 2 times"],
        ["__proto__=1", "__proto__ is not a parameter"],
        ["%1b%5b2J=1", "is not a parameter"],
        [
          "start_date=2023-02-01&end_date=2023-01-01",
          "start_date 2023-02-01 is not before end_date",
        ],
        ["start_date=2023-02-01&end_date=2023-02-01", "end_date itself is excluded"],
      ]
    ) {
      const refused = await sample.ask(`${path}?${query}`, { key: sample.keys.full });
      assertEquals(refused.status, 422, query);
      for (const word of words) assertStringIncludes(String(assertProblem(refused).detail), word);
    }
  });

  it("K8: 401 explains how to get access", async () => {
    const { headers } = await sample.ask(buildPath(operationOf("turbines"), {}), {});
    assertEquals(headers.get("www-authenticate"), "ApiKey");
  });

  it("404 answers unknown paths", async () => {
    for (const path of ["/nowhere", "/wind-index", "/wind-index/calibrated/details/T1/more"]) {
      const answered = await sample.ask(path, { key: sample.keys.full });
      assertEquals(answered.status, 404, path);
      assertProblem(answered);
    }
  });

  it("F20 show no keys, no places in the source and no stack", () => {
    assert(sample.answers.length > 100, "this test comes after the others");
    for (const { status, text, headers } of sample.answers) {
      if (status === 200) continue;
      const output = `${text} ${JSON.stringify([...headers])}`;
      for (const [name, key] of Object.entries(sample.keys)) {
        assert(!output.includes(key), `a body of ${status} shows the key "${name}"`);
      }
      assert(!/\.ts\b|file:\/\/|node_modules|\n\s+at /.test(output), output);
      assert(!output.includes(SHARED_SAMPLE), output);
    }
  });
});

describe("a fault of the service itself", () => {
  it("is a 500 without details, which are in the log", async () => {
    const { store, files } = await openStorage(SHARED_SAMPLE);
    const app = createApp({
      store,
      files,
      jobs: inlineJobs(store, files),
      orders: inlineOrders(store, files),
    }, { trusted: true });
    await store.close(); // every look-up fails from here on
    const logged: unknown[] = [];
    const { error } = console;
    console.error = (...values) => logged.push(...values);
    try {
      const response = await app(new Request("http://127.0.0.1/wind-index/calibrated/"));
      const text = await response.text();
      const { status, headers } = response;
      const { detail } = assertProblem({ status, headers, text, bytes: new Uint8Array() });
      assertEquals([status, detail], [500, "The service failed; its log names the cause"]);
      assertEquals(logged.length, 1);
    } finally {
      console.error = error;
    }
  });
});
