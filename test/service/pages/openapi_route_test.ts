/**
 * The OpenAPI document from the service, and real answers of the sample against its schemas.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { openApi, type OpenApiDocument } from "../../../src/api/openapi/openapi.ts";
import { serviceStatuses } from "../../../src/api/operations/operation_errors.ts";
import { operationOf, operations } from "../../../src/api/operations/operations.ts";
import { createApp } from "../../../src/service/routing/app.ts";
import type { ClientInfo } from "../../../src/service/limits/login_throttle.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { OPENAPI_PATH } from "../../../src/service/pages/openapi_route.ts";
import { ConcurrencyLimiter, MAX_URL_LENGTH } from "../../../src/service/limits/request_limits.ts";
import { problemsWith } from "../../api/_json_schema.ts";
import {
  type AnswerText,
  buildPath,
  type ServedSample,
  serveSample,
  SHARED_SAMPLE,
  validValues,
} from "../_sample.ts";
import { inlineJobs, inlineOrders } from "../_inline_orders.ts";

let sample: ServedSample;
let document: OpenApiDocument;
let orderId: string;

async function askValid(id: typeof operations[number]["id"]): Promise<AnswerText> {
  const operation = operationOf(id);
  const values = id === "order_status" ? { order_id: orderId } : validValues[id];
  return await sample.ask(
    buildPath(operation, values),
    operation.key ? { key: sample.keys.full } : {},
  );
}

/** Differences between an answer and the document. */
function listProblems(path: string, { status, headers, text }: AnswerText): string[] {
  const described = document.paths[path].get.responses[status];
  if (!described) return [`status ${status} is not declared`];
  const problems = listHeaderProblems(described.headers ?? {}, headers);
  const [mediaType] = headers.get("content-type")?.split(";") ?? [];
  const content = mediaType ? described.content?.[mediaType] : undefined;
  if (!content) {
    const silent = !described.content && text === "";
    return silent ? problems : [...problems, `media type ${mediaType} is not declared`];
  }
  if (!mediaType.endsWith("json")) return problems;
  return [...problems, ...problemsWith(document, content.schema)(JSON.parse(text))];
}

/** Differences between the headers of an answer and the document. */
function listHeaderProblems(
  described: NonNullable<OpenApiDocument["paths"][string]["get"]["responses"][string]["headers"]>,
  headers: Headers,
): string[] {
  return Object.entries(described).flatMap(([name, { required, schema }]) => {
    const text = headers.get(name);
    if (text === null) return required ? [`${name} is missing`] : [];
    const value = schema.type === "integer" ? Number(text) : text;
    return problemsWith(document, schema)(value).map((problem) => `${name}: ${problem}`);
  });
}

/** Our headers in an answer that the document does not name. */
function undescribedHeaders(path: string, { status, headers }: AnswerText): string[] {
  const described = Object.keys(document.paths[path].get.responses[status].headers ?? {});
  return [...headers.keys()].filter((name) =>
    (name.startsWith("vindkit-") ||
      ["etag", "cache-control", "content-disposition"].includes(name)) &&
    !described.some((one) => one.toLowerCase() === name)
  );
}

describe("/openapi.json", () => {
  beforeAll(async () => {
    sample = await serveSample();
    document = JSON.parse((await sample.ask(OPENAPI_PATH)).text);
    orderId = JSON.parse((await askValid("place_order")).text);
  });
  afterAll(async () => await sample.close());

  it("is served without a key, as the document of this server", async () => {
    for (const path of [OPENAPI_PATH, `${OPENAPI_PATH}/`]) {
      const { status, headers, text } = await sample.ask(path);
      assertEquals([status, headers.get("content-type")], [200, "application/json"]);
      assertEquals(JSON.parse(text), JSON.parse(JSON.stringify(openApi(sample.url))));
    }
  });

  it("refers to no address but the server's", async () => {
    const { text } = await sample.ask(OPENAPI_PATH);
    assertEquals(text.match(/https?:[^"]*/g), [new URL(sample.url).origin]);
  });

  it("names the requested address, also after another one", async () => {
    const { port } = new URL(sample.url);
    for (const host of ["localhost", "127.0.0.1", "localhost"]) {
      const origin = `http://${host}:${port}`;
      const { servers } = await (await fetch(origin + OPENAPI_PATH)).json();
      assertEquals(servers, [{ url: origin }]);
    }
  });

  it("answers 304 without a body to a client that has it", async () => {
    const tag = (await sample.ask(OPENAPI_PATH)).headers.get("etag")!;
    assert(/^"[0-9a-f]+"$/.test(tag));
    const same = await sample.ask(OPENAPI_PATH, { headers: { "if-none-match": tag } });
    assertEquals([same.status, same.text, same.headers.get("etag")], [304, "", tag]);
    const other = await sample.ask(OPENAPI_PATH, { headers: { "if-none-match": '"other"' } });
    assertEquals(other.status, 200);
  });

  it("accepts only GET", async () => {
    assertEquals((await sample.ask(OPENAPI_PATH, { method: "POST" })).status, 405);
  });

  for (const { id, path, success, key } of operations) {
    it(`describes what ${id} answers`, async () => {
      const answered = await askValid(id);
      assertEquals(answered.status, 200, answered.text.slice(0, 300));
      assertEquals([...listProblems(path, answered), ...undescribedHeaders(path, answered)], []);
    });

    it(`describes the tag of ${id} with its 304, or neither of them`, async () => {
      const tag = (await askValid(id)).headers.get("etag");
      const described = document.paths[path].get.responses;
      assertEquals("304" in described, tag !== null);
      if (tag === null) return;
      const headers = { "if-none-match": tag };
      const requested = buildPath(operationOf(id), validValues[id]);
      const again = await sample.ask(requested, { key: sample.keys.full, headers });
      assertEquals([again.status, again.text, listProblems(path, again)], [304, "", []]);
    });

    if (success.kind === "csv") {
      it(`names the columns of ${id} in their order`, async () => {
        const { content } = document.paths[path].get.responses[200];
        const description = String(content![success.mediaType].schema.description);
        const [header] = (await askValid(id)).text.split("\n");
        const named = [...description.matchAll(/^- `(.+?)` /gm)].map(([, name]) => name);
        assertEquals(header.split(","), named);
      });
    }

    if (!key) continue;
    it(`describes the refusal of ${id} without a key`, async () => {
      const refused = await sample.ask(buildPath(operationOf(id), validValues[id]));
      assertEquals(refused.status, 401);
      assertEquals(listProblems(path, refused), []);
    });
  }

  it("describes every file type that download_climate answers with", async () => {
    const operation = operationOf("download_climate");
    for (const filetype of operation.parameters.find(({ name }) => name === "filetype")!.values!) {
      const path = buildPath(operation, { ...validValues.download_climate, filetype });
      const answered = await sample.ask(path, { key: sample.keys.full });
      assertEquals([answered.status, listProblems(operation.path, answered)], [200, []], filetype);
    }
  });

  it("describes the refusal of a file type, with the allowed method", async () => {
    for (const operation of operations) {
      if (!operation.parameters.some(({ name }) => name === "filetype")) continue;
      const path = buildPath(operation, { ...validValues[operation.id], filetype: "xlsx" });
      const refused = await sample.ask(path, { key: sample.keys.full });
      assertEquals([refused.status, listProblems(operation.path, refused)], [405, []]);
      assertEquals(refused.headers.get("allow"), operation.changes ? "GET" : "GET, HEAD");
    }
  });

  it("describes the refusal of a forbidden value", async () => {
    const operation = operationOf("coverage");
    const values = { ...validValues.coverage, num_points: 10 };
    const refused = await sample.ask(buildPath(operation, values), { key: sample.keys.full });
    assertEquals([refused.status, listProblems(operation.path, refused)], [422, []]);
  });

  it("describes the statuses that any request may get", async () => {
    const { store, files } = await openStorage(SHARED_SAMPLE);
    const limits = new ConcurrencyLimiter({ answerTimeout: 1 });
    const held = Promise.withResolvers<void>();
    const limited = { completed: held.promise }; // as from `Deno.serve`: requests of this process are not limited
    const app = createApp({
      store,
      files,
      jobs: inlineJobs(store, files),
      orders: inlineOrders(store, files),
    }, {
      trusted: true,
      limits,
      prepare: () => held.promise,
    });
    const { error } = console;
    console.error = () => {}; // hides the expected fault
    try {
      const { path } = operationOf("turbines");
      const statuses: number[] = [];
      const ask = async (query: string, info: ClientInfo = {}, host = "127.0.0.1") => {
        const answer = await app(new Request(`http://${host}${path}${query}`), info);
        const bytes = await answer.bytes();
        const text = new TextDecoder().decode(bytes);
        const answered = { status: answer.status, headers: answer.headers, bytes, text };
        assertEquals(listProblems(path, answered), [], text);
        statuses.push(answer.status);
      };
      await ask(`?${"x".repeat(MAX_URL_LENGTH)}`);
      await ask("", { listensOn: "127.0.0.1" }, "evil.example");
      await ask("", limited); // too late to prepare anything
      held.resolve();
      await store.close(); // every look-up fails from here on
      await ask("");
      assertEquals(statuses.sort(), serviceStatuses.map(({ status }) => status));
    } finally {
      console.error = error;
      limits.close();
    }
  });

  it("has schemas that refuse wrong answers", async () => {
    const details = operationOf("turbine_details");
    const answered = await askValid("turbine_details");
    const { latitude: _left, ...rest } = JSON.parse(answered.text);
    const text = JSON.stringify({ ...rest, hub_height: "70" });
    assertEquals(listProblems(details.path, { ...answered, text }), [
      "$.hub_height is no number",
      "$ has no latitude",
    ]);
  });
});
