/**
 * Schemathesis makes allowed and forbidden requests from the service's `/openapi.json`, one by one and in chains, and
 * checks the answers against it. All its checks are on. The two `.toml` files have all changed expectations, with
 * reasons.
 *
 * Four checks do not apply. `use_after_free` and `ensure_resource_availability` follow DELETE and POST, but every
 * operation is a GET. `object_level_authorization` needs two users; `contract_errors_test.ts` tries a foreign key
 * with every operation. `max_response_time` has no limit, because no test depends on the speed of a machine.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { OpenApiDocument } from "../../src/api/openapi/openapi.ts";
import type { OperationId } from "../../src/api/operations/operation.ts";
import { operationOf, operations } from "../../src/api/operations/operations.ts";
import { OPENAPI_PATH } from "../../src/service/pages/openapi_route.ts";
import { buildPath, type ServedSample, serveSample, validValues } from "../service/_sample.ts";
import { type Found, runSchemathesis } from "./_schemathesis.ts";
import { whyWithout } from "./_venv.ts";

/** Checks that must have run on answers. */
const checks = [
  "allow_header_conformance",
  "content_type_conformance",
  "ignored_auth",
  "missing_required_header",
  "negative_data_rejection",
  "not_a_server_error",
  "positive_data_acceptance",
  "response_headers_conformance",
  "response_schema_conformance",
  "status_code_conformance",
  "unsupported_method",
];

const why = whyWithout("schemathesis");
const group = why ? describe.ignore : describe;
const name = (what: string) => why ? `${what} (${why})` : what;

let sample: ServedSample;
let folder: string;
let fuzzRun: Found;

async function open(): Promise<void> {
  sample = await serveSample();
  folder = await Deno.makeTempDir();
}

async function close(): Promise<void> {
  await sample.close();
  await Deno.remove(folder, { recursive: true });
}

/** Expectations of every run. */
function itFindsNothing(leastRequests: number): void {
  it("finds no server error, nothing undeclared, nothing refused or taken that should not be", () => {
    assertEquals(fuzzRun.said.code, 0, fuzzRun.said.out + fuzzRun.said.err);
    assert(fuzzRun.requests >= leastRequests, `it made ${fuzzRun.requests} requests`);
  });

  for (const check of checks) {
    it(`has done ${check} and found nothing`, () => assertEquals(fuzzRun.failures.get(check), 0));
  }
}

group(name("schemathesis, with whatever comes to its mind"), () => {
  beforeAll(async () => {
    await open();
    fuzzRun = await runSchemathesis({
      document: sample.url + OPENAPI_PATH,
      config: "schemathesis.toml",
      args: ["--max-examples", "25"],
      folder,
      key: await sample.newLicence(),
    });
  });
  afterAll(close);

  itFindsNothing(800);

  it("has had every status that a stranger to the sample can bring about", () => {
    const all = new Set([...fuzzRun.statuses.values()].flatMap((seen) => [...seen]));
    assertEquals([...all].sort(), [200, 304, 400, 401, 403, 404, 405, 412, 422]);
  });
});

/** The document of a service, with examples that exist in its sample. */
async function documentWithExamples(key: string): Promise<OpenApiDocument> {
  const placed = await sample.ask(
    buildPath(operationOf("place_order"), validValues.place_order),
    { key },
  );
  const document = JSON.parse((await sample.ask(OPENAPI_PATH)).text) as OpenApiDocument;
  for (const { get } of Object.values(document.paths)) {
    const id = get.operationId as OperationId;
    const values: Readonly<Record<string, string | number>> = id === "order_status"
      ? { order_id: JSON.parse(placed.text) }
      : validValues[id];
    for (const parameter of get.parameters) {
      if (parameter.name in values) Object.assign(parameter, { example: values[parameter.name] });
    }
  }
  return document;
}

group(name("schemathesis, at the bounds of each parameter, all others being there"), () => {
  beforeAll(async () => {
    await open();
    const key = await sample.newLicence();
    const document = `${folder}/openapi.json`;
    await Deno.writeTextFile(document, JSON.stringify(await documentWithExamples(key)));
    const args = ["--url", sample.url, "--phases", "examples,coverage"];
    fuzzRun = await runSchemathesis({
      document,
      config: "schemathesis_known.toml",
      args,
      folder,
      key,
    });
  });
  afterAll(close);

  itFindsNothing(500);

  for (const { id, path, key, parameters } of operations) {
    it(`has had ${id} answered, and refused where it can be`, () => {
      const seen = fuzzRun.statuses.get(path)!;
      assert(seen.has(200), `only ${[...seen]}`);
      if (key) assert(seen.has(401), "never asked without a key");
      if (parameters.length > 0) assert(seen.has(422), "never asked for what is forbidden");
    });
  }
});
