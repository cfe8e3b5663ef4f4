import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ArgumentError,
  DataFormatError,
  LicenceError,
  VindkitError,
} from "../../../src/api/errors.ts";
import { connect } from "../../../src/client/connection/connection.ts";
import { Secret } from "../../../src/client/connection/settings.ts";
import { requestApiKey } from "../../../src/client/calls/access.ts";
import { turbines } from "../../../src/client/calls/turbines.ts";
import { licences, serveSample } from "../../service/_sample.ts";
import { collectDisplays } from "../../faults/_reads.ts";
import { type Handler, withServer } from "../_local_server.ts";
import { runScript } from "../_script.ts";

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
    "a text that is not JSON": `${KEY}, welcome`,
    "a page": `<p>${KEY}</p>`,
  };
  for (const [name, body] of Object.entries(useless)) {
    it(`F20 refuses ${name} without showing a value`, async () => {
      await withServer(() => new Response(body), async ({ url }) => {
        const error = await assertRejects(
          () => requestApiKey({ ...customer, connection: connect({ url }) }),
          DataFormatError,
        );
        const output = Deno.inspect(error, { depth: 9 });
        for (const value of [KEY, "S-1", "a@example.com"]) assert(!output.includes(value), output);
      });
    });
  }

  it("reports that none of the fields is the key, and shows no names", async () => {
    await withServer(() => Response.json({ a: "x", b: "y" }), async ({ url }) => {
      const call = () => requestApiKey({ ...customer, connection: connect({ url }) });
      const { message } = await assertRejects(call, DataFormatError);
      assertStringIncludes(
        message,
        "which of its 2 fields is the key. It looks for one of the names api_key",
      );
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

  it("gets a valid key from our own service, or an error with the reason", async () => {
    const sample = await serveSample();
    try {
      const connection = connect({ url: sample.url });
      const ask = (entry: typeof licences.valid, email = entry.email) =>
        requestApiKey({ serialNumber: entry.serialNumber, email, connection });
      const key = await ask(licences.t2);
      const ids = await turbines({ connection: connect({ url: sample.url, key }) });
      assertEquals(ids.getColumn("turbine_id").toArray(), ["T2"]);
      await assertRejects(() => ask(licences.t2, "b@example.com"), LicenceError, "invalid serial");
      await assertRejects(() => ask(licences.over), LicenceError, "license expired");
    } finally {
      await sample.close();
    }
  });

  describe("F21 shows no serial number and no e-mail", () => {
    const private_ = { serialNumber: "S-7734/b", email: "zoe.q+x@example.com" };
    const forms = ["S-7734", "zoe.q", "zoe%2Eq"];

    const answers: Readonly<Record<string, Handler>> = {
      "a refusal that repeats them": (request) => new Response(request.url, { status: 400 }),
      "a problem that repeats them": (request) =>
        Response.json({ detail: `${private_.email} ${request.url}` }, { status: 401 }),
      "an unknown status": (request) => new Response(request.url, { status: 418 }),
      "a service that is down": (request) =>
        new Response(request.url, { status: 503, headers: { "retry-after": "0" } }),
      "a page": (request) => new Response(`<html>${request.url}</html>`),
      "no JSON": (request) => new Response(request.url),
      "JSON with a duplicate key": () => new Response('{"S-7734":1,"S-7734":2}'),
      "fields that are called like them": () =>
        Response.json({ [private_.serialNumber]: "a", [private_.email]: "b" }),
      "a redirect within the service": ({ url }) =>
        new Response(null, { status: 302, headers: { location: url } }),
      "a redirect elsewhere": ({ url }) =>
        new Response(null, { status: 302, headers: { location: url.replace("127.0", "127.9") } }),
      "a redirect to no address": ({ url }) =>
        new Response(null, { status: 302, headers: { location: `https://[${url}` } }),
    };
    for (const [label, handler] of Object.entries(answers)) {
      it(`F21 in errors, events and output: ${label}`, async () => {
        const events: unknown[] = [];
        const printed: unknown[] = [];
        const original = { ...console };
        for (const name of ["log", "warn", "error", "info", "debug"] as const) {
          console[name] = (...all: unknown[]) => void printed.push(...all);
        }
        try {
          await withServer(handler, async ({ url }) => {
            const onRequest = (event: unknown) => void events.push(event);
            const connection = connect({ url, onRequest });
            const call = () => requestApiKey({ ...private_, connection });
            const error = await assertRejects(call, VindkitError);
            assertEquals(events.length, 1);
            const output = [error, ...events, ...printed].map(collectDisplays).join("\n");
            for (const form of forms) assert(!output.includes(form), output);
          });
        } finally {
          Object.assign(console, original);
        }
      });
    }

    it("F21 leaves none of them and no key on the disk", async () => {
      await withServer(() => Response.json({ api_key: KEY }), async ({ url, home }) => {
        const connection = connect({ url, home, cache: "use" });
        await requestApiKey({ ...private_, connection });
        assertEquals([...Deno.readDirSync(home)], []);
      });
    });
  });

  for (const value of ["true", "TRUE", "True"]) {
    it(`F21 is not sent to a live service with OTEL_DENO=${value}, which exports addresses`, async () => {
      await withServer(() => Response.json({ api_key: KEY }), async ({ url, seen }) => {
        const printed = await requestInChild(url, { OTEL_DENO: value });
        assertStringIncludes(printed, "ConfigurationError: Cannot ask for a key: OTEL_DENO is set");
        assert(!/7734|zoe/.test(printed), printed);
        assertEquals(seen.filter(({ path }) => path.startsWith("/apikey")), []);
      });
    });
  }

  it("F21 is sent with OpenTelemetry off", async () => {
    await withServer(() => Response.json({ api_key: KEY }), async ({ url, seen }) => {
      assertStringIncludes(await requestInChild(url, { OTEL_DENO: "false" }), "got ***");
      assertEquals(seen.length, 1);
    });
  });
});

/** Requests a key in a process with this environment, and returns its output. */
async function requestInChild(url: string, env: Record<string, string>): Promise<string> {
  const { printed } = await runScript(
    `import { connect, requestApiKey } from "@vindkit/vindkit";
    const connection = connect({ url: ${JSON.stringify(url)} });
    const customer = { serialNumber: "S-7734", email: "zoe.q@example.com" };
    console.log("got " + await requestApiKey({ ...customer, connection }));`,
    // keeps the request on this machine
    { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/telemetry` },
  );
  return printed;
}
