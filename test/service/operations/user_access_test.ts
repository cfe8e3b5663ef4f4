import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { operationOf } from "../../../src/api/operations/operations.ts";
import { LOCAL_LICENCE } from "../../../src/service/licences/licences.ts";
import {
  type AnswerText,
  buildPath,
  licences,
  type ServedSample,
  serveSample,
} from "../_sample.ts";

let sample: ServedSample;

async function askKey(serialNumber: string, email: string): Promise<AnswerText> {
  const values = { serial_number: serialNumber, email };
  return await sample.ask(buildPath(operationOf("api_key"), values));
}

describe("/apikey", () => {
  beforeAll(async () => {
    sample = await serveSample();
  });
  afterAll(async () => await sample.close());

  const { valid, t2, over } = licences;

  it("issues a valid key by default", async () => {
    const { status, text } = await askKey(t2.serialNumber, t2.email);
    assertEquals(status, 200);
    const { api_key: key, expires } = JSON.parse(text);
    assertMatch(key, /^[0-9a-f]{64}$/);
    assertEquals(expires, null);
    const { text: turbines } = await sample.ask("/wind-index/calibrated/", { key });
    assertEquals(JSON.parse(turbines), [{ turbine_id: "T2" }]);
  });

  it("issues another key each time, and the earlier one still works", async () => {
    const keys = [];
    for (let i = 0; i < 2; i++) {
      keys.push(JSON.parse((await askKey(valid.serialNumber, valid.email)).text).api_key);
    }
    assertNotEquals(keys[0], keys[1]);
    for (const key of keys) {
      assertEquals((await sample.ask("/wind-index/calibrated/", { key })).status, 200);
    }
  });

  it("R6: keeps at most ten keys: the next one ends the oldest", async () => {
    const { serialNumber, email } = t2;
    const keys: string[] = [];
    for (let i = 0; i < 30; i++) {
      keys.push(JSON.parse((await askKey(serialNumber, email)).text).api_key);
    }
    const statuses = await Promise.all(
      keys.map(async (key) => (await sample.ask("/wind-index/calibrated/", { key })).status),
    );
    assertEquals(statuses.filter((status) => status === 401).length, 20);
    assertEquals(statuses.at(-1), 200);
    const answer = await sample.ask("/wind-index/calibrated/", { key: sample.keys.t2 });
    assertEquals(answer.status, 200); // it was not requested
  });

  it("is not cached", async () => {
    const { headers } = await askKey(valid.serialNumber, valid.email);
    assertEquals(headers.get("cache-control"), "no-store");
  });

  it("accepts the e-mail in any case", async () => {
    assertEquals((await askKey(valid.serialNumber, valid.email.toUpperCase())).status, 200);
  });

  it("answers a wrong pair with 400, whether or not the serial number exists", async () => {
    const wrongEmail = await askKey(valid.serialNumber, t2.email);
    const wrongNumber = await askKey("no-such-number", t2.email);
    assertEquals([wrongEmail.status, wrongNumber.status], [400, 400]);
    assertEquals(wrongEmail.text, wrongNumber.text);
    assert(!wrongEmail.text.includes(t2.email) && !wrongEmail.text.includes(valid.serialNumber));
  });

  it("answers an expired licence with 401, and names the contact", async () => {
    const { status, text } = await askKey(over.serialNumber, over.email);
    assertEquals(status, 401);
    assertMatch(JSON.parse(text).detail, /contact .* to renew it/);
  });

  it("does not reveal that a licence has expired without its e-mail", async () => {
    assertEquals((await askKey(over.serialNumber, t2.email)).status, 400);
  });

  it("limits wrong pairs by client, and then refuses even correct ones until the pause is over", async () => {
    const limited = await serveSample({ failedAttempts: 3 });
    const ask = async (serialNumber: string, email: string) => {
      const values = { serial_number: serialNumber, email };
      return await limited.ask(buildPath(operationOf("api_key"), values));
    };
    try {
      for (let i = 0; i < 5; i++) {
        assertEquals((await ask(valid.serialNumber, valid.email)).status, 200); // not counted
        assertEquals((await ask(over.serialNumber, over.email)).status, 401); // a correct pair
        assertEquals((await ask(valid.serialNumber, "nobody")).status, 422); // not an e-mail address
      }
      for (let i = 0; i < 3; i++) {
        assertEquals((await ask(`no such number ${i}`, valid.email)).status, 400);
      }
      for (const email of [valid.email, t2.email]) {
        const { status, headers, text } = await ask(valid.serialNumber, email);
        assertEquals(status, 429);
        assertMatch(headers.get("retry-after")!, /^(60|[1-5]?\d)$/);
        assertMatch(JSON.parse(text).detail, /3 attempts failed within a minute. Try again in/);
        assert(!text.includes(email) && !text.includes(valid.serialNumber));
      }
    } finally {
      await limited.close();
    }
  });

  it("limits concurrent wrong pairs", async () => {
    const limited = await serveSample({ failedAttempts: 3 });
    const path = buildPath(operationOf("api_key"), { serial_number: "S", email: valid.email });
    try {
      const answers = await Promise.all(Array.from({ length: 20 }, () => limited.ask(path)));
      const refused = answers.filter(({ status }) => status === 429);
      assertEquals([refused.length, answers.length], [17, 20]);
    } finally {
      await limited.close();
    }
  });

  it("issues no key of the local licence, whose serial number and e-mail are public", async () => {
    // It covers everything and is for the owner of the data directory, not for everyone who reaches the port.
    const { serialNumber } = LOCAL_LICENCE;
    for (const email of [LOCAL_LICENCE.email, "owner@localhost", "local@localhost", " ", "@"]) {
      const { status, text } = await askKey(serialNumber, email);
      assert([400, 422].includes(status), `${status} for ${JSON.stringify(email)}`);
      assert(!text.includes("api_key"), text);
    }
  });
});
