/**
 * Access rights: every operation of the contract without a key, with invalid keys, and with a key for other things.
 * Answers reveal nothing about other licences' things, not even that they exist.
 *
 * @module
 */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Operation, OperationId } from "../../../src/api/operations/operation.ts";
import { KEY_HEADER, operationOf, operations } from "../../../src/api/operations/operations.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { issueKey } from "../../../src/service/licences/licences.ts";
import { ORDER_FILES } from "../../../src/service/fulfilment/orders.ts";
import type { AnswerRecord } from "../../../src/service/routing/request_log.ts";
import {
  type AnswerText,
  buildPath,
  licences,
  OVER,
  type ServedSample,
  serveSample,
  SHARED_SAMPLE,
  validValues,
} from "../_sample.ts";
import type { Licence } from "../../../src/storage/store/licences.ts";

/** Another licence's things by the parameter that names them, and unknown names that are as similar to the licence's. */
const foreign: Readonly<Record<string, string>> = { turbine_id: "T1", service_id: "era5" };
const nothing: Readonly<Record<string, string>> = { turbine_id: "T9", service_id: "era9" };

/** The status with which an operation hides another licence's thing. */
const hidden: Readonly<Partial<Record<OperationId, number>>> = {
  turbine_details: 400,
  model_data: 404,
  wind_indices: 400,
  monthly_index: 400,
  coverage: 403,
  place_order: 403,
  order_status: 404,
  download_climate: 403,
  report_months: 404,
  monthly_report: 404,
};

let sample: ServedSample;
const records: AnswerRecord[] = [];

/** Puts a licence into the store of the running service and issues a key of it, as its owner would. */
async function licenceWith(
  licenceFields: Partial<Licence>,
): Promise<{ licence: Licence; key: string }> {
  const { store } = await openStorage(SHARED_SAMPLE);
  try {
    const name = `auth-${crypto.randomUUID()}`;
    const licence: Licence = {
      serialNumber: name,
      email: `${name}@example.com`,
      expires: null,
      turbines: null,
      datasets: null,
      ...licenceFields,
    };
    await store.licences.put(licence);
    return { licence, key: await issueKey(licence, store.licences) };
  } finally {
    await store.close();
  }
}

async function revoke({ serialNumber }: Licence): Promise<void> {
  const { store } = await openStorage(SHARED_SAMPLE);
  try {
    await store.licences.remove(serialNumber);
  } finally {
    await store.close();
  }
}

function pathWith(operation: Operation, values: Readonly<Record<string, string>> = {}): string {
  return buildPath(operation, { ...validValues[operation.id], ...values });
}

/** Checks that an answer is a refusal, without any data of the operation. */
function assertNoFigures(operation: Operation, { status, headers, text }: AnswerText): void {
  assertEquals(headers.get("content-type"), "application/problem+json", operation.id);
  assertEquals(Object.keys(JSON.parse(text)), ["type", "title", "status", "detail"]);
  assertEquals(JSON.parse(text).status, status);
  assert(text.length < 500, text);
  assertEquals(headers.get("etag"), null);
}

/** Replaces the requested name, to compare the words of two answers. */
function withoutName(text: string, name: string): string {
  return text.replaceAll(name, "NAME");
}

const keyed = operations.filter(({ key }) => key);

describe("authorisation", () => {
  beforeAll(async () => {
    sample = await serveSample({ onAnswer: (answer) => records.push(answer) });
  });
  afterAll(async () => await sample.close());

  it("is required by every operation but the one that issues keys", () => {
    assertEquals(operations.filter(({ key }) => !key).map(({ id }) => id), ["api_key"]);
  });

  for (const operation of keyed) {
    it(`${operation.id} answers 401 to no key, unknown, expired and revoked ones`, async () => {
      const expired = await licenceWith({ expires: OVER });
      const revoked = await licenceWith({});
      const path = pathWith(operation);
      const { status } = await sample.ask(path, { key: revoked.key });
      // Only an order that was never placed cannot be requested here.
      assertEquals(status, operation.id === "order_status" ? 404 : 200);
      await revoke(revoked.licence);
      const { unknown, expiredKey, expiredLicence, full } = sample.keys;
      for (
        const key of [
          ...[undefined, "", " ", unknown, expiredKey, expiredLicence, expired.key, revoked.key],
          ...[full.slice(1), full.toUpperCase(), `${full} `.repeat(2), `${full}0`, "null", "*"],
        ]
      ) {
        const answered = await sample.ask(path, key === undefined ? {} : { key });
        assertEquals(answered.status, 401, `${key}`);
        assertNoFigures(operation, answered);
      }
    });

    it(`${operation.id} accepts a key only in its header`, async () => {
      const { full } = sample.keys;
      const path = pathWith(operation);
      const join = path.includes("?") ? "&" : "?";
      for (const name of [KEY_HEADER, "api_key", "key", "token"]) {
        assertEquals((await sample.ask(`${path}${join}${name}=${full}`)).status, 401, name);
      }
      for (const name of ["Authorization", "Cookie", "X-Api-Key"]) {
        const headers = { [name]: name === "Cookie" ? `${KEY_HEADER}=${full}` : `Bearer ${full}` };
        assertEquals((await sample.ask(path, { headers })).status, 401, name);
      }
    });

    const names = operation.parameters.filter(({ name }) => name in foreign);
    for (const { name } of names) {
      it(`${operation.id} gives the same answer for another licence's ${name} and an unknown one`, async () => {
        const { key } = await licenceWith({ turbines: ["T2"], datasets: ["merra2"] });
        const answers = [];
        for (const value of [foreign[name], nothing[name]]) {
          const answered = await sample.ask(pathWith(operation, { [name]: value }), { key });
          assertEquals(answered.status, hidden[operation.id]);
          assertNoFigures(operation, answered);
          answers.push(withoutName(answered.text, value));
          // tags and ranges do not give access to forbidden things
          const headers = { "if-none-match": "*", range: "bytes=0-10" };
          const again = await sample.ask(pathWith(operation, { [name]: value }), { key, headers });
          assertEquals([again.status, again.text], [answered.status, answered.text]);
        }
        assertEquals(answers[0], answers[1]);
      });
    }
  }

  it("has a hidden status in every operation that names a thing of a licence", () => {
    const naming = operations.filter(({ parameters }) =>
      parameters.some(({ name }) => name in foreign || name === "order_id")
    );
    assertEquals(naming.map(({ id }) => id), Object.keys(hidden));
  });

  it("lists only things that the licence covers", async () => {
    const { key } = await licenceWith({ turbines: ["T2"], datasets: [] });
    const none = await licenceWith({ turbines: [], datasets: [] });
    const lists = operations.filter(({ success, parameters }) =>
      success.kind === "records" && parameters.length === 0
    );
    for (const list of lists) {
      const { status, text } = await sample.ask(pathWith(list), { key });
      if (list.id === "datasets") assertEquals(status, 400);
      else {
        const records: Record<string, string>[] = JSON.parse(text);
        assertEquals(records.map(({ turbine_id }) => turbine_id), ["T2"], list.id);
      }
      const answered = await sample.ask(pathWith(list), { key: none.key });
      assertEquals(answered.status, 400, list.id);
      assertNoFigures(list, answered);
    }
  });

  it("ends immediately for a turbine that the licence no longer covers", async () => {
    const { licence, key } = await licenceWith({ turbines: ["T1"] });
    const path = pathWith(operationOf("turbine_details"));
    assertEquals((await sample.ask(path, { key })).status, 200);
    const { store } = await openStorage(SHARED_SAMPLE);
    await store.licences.put({ ...licence, turbines: ["T2"] });
    await store.close();
    assertEquals((await sample.ask(path, { key })).status, 400);
  });

  it("separates orders by licence: another one's is not found, and its address ends with it", async () => {
    const owner = await licenceWith({});
    const other = await licenceWith({});
    const id = JSON.parse(
      (await sample.ask(pathWith(operationOf("place_order")), { key: owner.key })).text,
    );
    const statusPath = (order_id: string) => buildPath(operationOf("order_status"), { order_id });
    let address = "";
    for (let i = 0; i < 10_000 && !address.startsWith("http"); i++) {
      address = JSON.parse((await sample.ask(statusPath(id), { key: owner.key })).text);
    }
    const unknown = `${id.slice(0, -1)}${id.endsWith("A") ? "B" : "A"}`;
    const [theirs, none] = [
      await sample.ask(statusPath(id), { key: other.key }),
      await sample.ask(statusPath(unknown), { key: other.key }),
    ];
    assertEquals([theirs.status, none.status], [404, 404]);
    assertEquals(withoutName(theirs.text, id), withoutName(none.text, unknown));
    assertNoFigures(operationOf("order_status"), theirs);

    const { pathname } = new URL(address);
    assertEquals((await sample.ask(pathname)).status, 200);
    const wrong = await sample.ask(
      `${ORDER_FILES}/${"A".repeat(32)}/${pathname.split("/").at(-1)}`,
    );
    await revoke(owner.licence);
    const ways: Record<string, string>[] = [{}, { range: "bytes=0-10" }, { "if-none-match": "*" }];
    for (const headers of ways) {
      const gone = await sample.ask(pathname, { headers });
      assertEquals([gone.status, gone.text], [wrong.status, wrong.text]);
    }
    assertEquals(wrong.status, 404);
    assertEquals((await sample.ask(statusPath(id), { key: owner.key })).status, 401);
  });

  it("gives a later licence with the same serial number no access to things of the earlier one", async () => {
    const { licence, key } = await licenceWith({});
    const placed = await sample.ask(pathWith(operationOf("place_order")), { key });
    await revoke(licence);
    const { key: later } = await licenceWith({ serialNumber: licence.serialNumber });
    const path = buildPath(operationOf("order_status"), { order_id: JSON.parse(placed.text) });
    assertEquals((await sample.ask(path, { key: later })).status, 404);
    assertEquals((await sample.ask(path, { key })).status, 401);
  });

  it("cannot be probed at /apikey: all wrong pairs get the same answer", async () => {
    const apiKey = operationOf("api_key");
    const wrong = [];
    for (
      const [serial_number, email] of [
        [licences.valid.serialNumber, "nobody@example.com"],
        ["no such number", licences.valid.email],
        ["no such number", "nobody@example.com"],
        [licences.valid.serialNumber, licences.t2.email],
        [licences.over.serialNumber, licences.valid.email],
        [licences.nothing.serialNumber, licences.over.email],
        ["local", "nobody@example.com"],
      ]
    ) {
      const { status, headers, text } = await sample.ask(
        pathWith(apiKey, { serial_number, email }),
      );
      const names = [...headers.keys()].filter((name) => name !== "date").sort();
      wrong.push(JSON.stringify([status, names, headers.get("content-length"), text]));
    }
    assertEquals(new Set(wrong).size, 1, wrong.join("\n"));
    assertStringIncludes(wrong[0], "[400,");
  });

  it("is not granted for a correct e-mail and a key of another licence", async () => {
    const { t2, valid } = licences;
    const values = { serial_number: valid.serialNumber, email: t2.email };
    const path = pathWith(operationOf("api_key"), values);
    assertEquals((await sample.ask(path, { key: sample.keys.full })).status, 400);
  });

  it("F20 F21 leaves no key, serial number, e-mail, order or turbine in the request log", () => {
    assert(records.length > 300, "this test comes after the others");
    const log = JSON.stringify(records);
    const secrets = [
      ...Object.values(sample.keys),
      ...Object.values(licences).flatMap(({ serialNumber, email }) => [serialNumber, email]),
      ...["auth-", "@example.com", "T77", "era77", "T2"],
    ];
    for (const secret of secrets) assert(!log.includes(secret), secret);
    const ids = new Set(records.map(({ operation }) => operation));
    assertEquals(ids, new Set([...operations.map(({ id }) => id), "order_file"]));
    assertNotEquals(records.filter(({ status }) => status === 401).length, 0);
  });

  it("F20 shows no key, serial number or e-mail in any refusal", () => {
    for (const { status, text, headers } of sample.answers) {
      if (status < 400) continue;
      const output = `${text} ${JSON.stringify([...headers])}`;
      for (const key of Object.values(sample.keys)) assert(!output.includes(key));
      assert(!/auth-|test-(valid|over|t2|nothing)|@example\.com/.test(output), output);
    }
  });
});
