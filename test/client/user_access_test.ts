import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError, LicenceError } from "../../src/api/errors.ts";
import { connect } from "../../src/client/connection.ts";
import { Secret } from "../../src/client/secret.ts";
import { requestApiKey } from "../../src/client/user_access.ts";
import { turbines } from "../../src/client/wind_index.ts";
import { licences, serveSample } from "../service/_sample.ts";
import { withServer } from "./_local_server.ts";

const KEY = "issued-4f1b";
const customer = { serialNumber: "S-1", email: "a@example.com" };

describe("requestApiKey()", () => {
  const answers: Readonly<Record<string, unknown>> = {
    "api_key": { api_key: KEY, expires: "2030-12-31" },
    "apiKey among other texts": { user: "a", apiKey: KEY, note: "b" },
    "apikey": { apikey: KEY },
    "key": { key: KEY, email: "a@example.com" },
    "token": { token: KEY, type: "none" },
    "X-Auth": { "X-Auth": KEY, type: "none" },
    "the only text": { whatever: KEY, expires: 5, valid: true, nothing: null },
  };
  for (const [name, answer] of Object.entries(answers)) {
    it(`finds the key in ${name}`, async () => {
      await withServer(() => Response.json(answer), async ({ url, seen }) => {
        const secret = await requestApiKey({ ...customer, connection: connect({ url }) });
        assert(secret instanceof Secret);
        assertEquals(secret.reveal(), KEY);
        assertEquals(`${secret}`, "***");
        assertEquals(seen[0].path, "/apikey?serial_number=S-1&email=a%40example.com");
      });
    });
  }

  const useless: Readonly<Record<string, string>> = {
    "several texts of unknown names": JSON.stringify({ a: KEY, b: "c" }),
    "no text": JSON.stringify({ valid: true }),
    "an empty object": "{}",
    "a list": JSON.stringify([KEY, KEY]),
    "an empty key": JSON.stringify({ api_key: "" }),
    "nothing": "",
    "a text that is no JSON": `${KEY}, welcome`,
    "a page": `<p>${KEY}</p>`,
  };
  for (const [name, body] of Object.entries(useless)) {
    it(`F20 refuses ${name} without showing a value`, async () => {
      await withServer(() => new Response(body), async ({ url }) => {
        const error = await assertRejects(
          () => requestApiKey({ ...customer, connection: connect({ url }) }),
          DataFormatError,
        );
        const shown = Deno.inspect(error, { depth: 9 });
        for (const value of [KEY, "S-1", "a@example.com"]) assert(!shown.includes(value), shown);
      });
    });
  }

  it("names the fields where none of them is the key", async () => {
    await withServer(() => Response.json({ a: "x", b: "y" }), async ({ url }) => {
      const call = () => requestApiKey({ ...customer, connection: connect({ url }) });
      const { message } = await assertRejects(call, DataFormatError);
      assertStringIncludes(message, "its fields are a, b");
    });
  });

  for (const wrong of [{ serialNumber: "" }, { email: "nobody" }, { email: "" }]) {
    it(`F37 refuses ${JSON.stringify(wrong)} before anything is sent`, async () => {
      await withServer(() => Response.json({}), async ({ url, seen }) => {
        const call = () => requestApiKey({ ...customer, ...wrong, connection: connect({ url }) });
        await assertRejects(call, ArgumentError);
        assertEquals(seen.length, 0);
      });
    });
  }

  it("gets a key from our own service that opens it, and errors that say why not", async () => {
    const sample = await serveSample();
    try {
      const connection = connect({ url: sample.url });
      const ask = (entry: typeof licences.valid, email = entry.email) =>
        requestApiKey({ serialNumber: entry.serialNumber, email, connection });
      const key = await ask(licences.t2);
      const own = await turbines({ connection: connect({ url: sample.url, key }) });
      assertEquals(own.getColumn("turbine_id").toArray(), ["T2"]);
      await assertRejects(() => ask(licences.t2, "b@example.com"), LicenceError, "invalid serial");
      await assertRejects(() => ask(licences.over), LicenceError, "license expired");
    } finally {
      await sample.close();
    }
  });
});
