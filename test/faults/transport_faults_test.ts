/**
 * Failures between client and service, end to end: the public functions against a real service whose answers are
 * damaged on the way.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import {
  NetworkError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
} from "../../src/api/errors.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { MAX_TRIES } from "../../src/client/http/retries.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { turbines } from "../../src/client/calls/turbines.ts";
import { requestApiKey } from "../../src/client/calls/access.ts";
import { windIndices } from "../../src/client/calls/wind_indices.ts";
import { type Fault, withService } from "./_with_service.ts";
import type { FaultAct } from "./_fault.ts";
import { neverAnswer, withServer } from "../client/_local_server.ts";
import { collectDisplays, withoutPauses } from "./_reads.ts";

const span = { from: "2024-01-01", to: "2024-01-02" };
const HOURS = 48;
const customer = { serialNumber: "S-7734", email: "zoe.q@example.com" };
const secrets = ["S-7734", "zoe.q@example.com", "zoe.q%40example.com", "zoe.q"];

/** A fault for every request of a kind. */
const buildFault = (act: FaultAct, on: Fault["on"] = "turbines"): Fault => ({
  on,
  times: Infinity,
  act,
});
const buildFirstFault = (act: FaultAct, on: Fault["on"] = "turbines", times = 1): Fault => ({
  on,
  times,
  act,
});

function assertNoCustomer(error: unknown): void {
  const displays = collectDisplays(error);
  for (const secret of secrets) assert(!displays.includes(secret), displays);
}

describe("F1 a service that cannot be reached", () => {
  beforeAll(withoutPauses.before);
  afterAll(withoutPauses.after);

  it("F1 a name that does not exist is looked up three times; no customer in the error", async () => {
    const folder = await Deno.makeTempDir();
    const script = `${folder}/dns.ts`;
    const root = import.meta.resolve("../../mod.ts");
    await Deno.writeTextFile(
      script,
      `import { connect, NetworkError, requestApiKey } from ${JSON.stringify(root)};
        Math.random = () => 0;
        let tries = 0;
        const connection = connect({
          url: "https://nobody.invalid",
          home: ${JSON.stringify(folder)},
          onRequest: () => void tries++,
        });
        const error = await requestApiKey({ ...${JSON.stringify(customer)}, connection })
          .catch((error) => error);
        console.log(error instanceof NetworkError, tries, error.message, Deno.inspect(error));`,
    );
    try {
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--config", new URL("../../deno.json", import.meta.url).pathname]
          .concat(script),
        env: { OTEL_DENO: "", NO_COLOR: "1", VINDKIT_HOME: folder },
      }).output();
      const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      assertStringIncludes(output, "true 3 Cannot fetch https://nobody.invalid/apikey?");
      assertStringIncludes(output, "dns error");
      for (const secret of secrets) assert(!output.includes(secret), output);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });

  it("F1 a port without a server is tried three times; no customer in the error", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    listener.close();
    let tries = 0;
    const url = `http://127.0.0.1:${port}`;
    const connection = connect({ url, onRequest: () => void tries++ });
    const call = () => requestApiKey({ ...customer, connection });
    const error = await assertRejects(call, NetworkError, "refused");
    assertEquals(tries, MAX_TRIES, "nothing was sent: even such a call may be repeated");
    assertNoCustomer(error);
  });

  it("F1 a reset is tried again", async () => {
    await withService(async ({ connection, requests }) => {
      assertEquals((await turbines({ connection })).height, 8);
      assertEquals(requests.length, MAX_TRIES);
    }, { faults: [buildFirstFault({ kind: "reset" }, "turbines", MAX_TRIES - 1)] });
  });

  it("F1 an endless reset is an error after three tries", async () => {
    await withService(async ({ connection, requests }) => {
      await assertRejects(() => turbines({ connection }), NetworkError);
      assertEquals(requests.length, MAX_TRIES);
    }, { faults: [buildFault({ kind: "reset" })] });
  });

  it("F1 and F21 a reset of the key call is an error at once, without the customer", async () => {
    await withService(async ({ connection, requests }) => {
      const call = () => requestApiKey({ ...customer, connection });
      assertNoCustomer(await assertRejects(call, NetworkError));
      assertEquals(requests.length, 1);
    }, { faults: [buildFault({ kind: "reset" }, "api_key")] });
  });

  it("F1 a server without TLS behind https:// is tried once; no customer in the error", async () => {
    await withServer(() => Response.json([]), async ({ url, seen }) => {
      let tries = 0;
      const secure = url.replace("http:", "https:");
      const connection = connect({ url: secure, onRequest: () => void tries++ });
      const call = () => requestApiKey({ ...customer, connection });
      const error = await assertRejects(call, NetworkError, "DENO_CERT");
      assertEquals([tries, seen.length], [1, 0]);
      assertNoCustomer(error);
    });
  });

  it("F1 a TLS handshake that breaks off is tried once", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    let accepted = 0;
    const closing = (async () => {
      for await (const connection of listener) {
        accepted++;
        connection.close();
      }
    })();
    try {
      const { port } = listener.addr as Deno.NetAddr;
      const connection = connect({ url: `https://127.0.0.1:${port}`, key: "k-1" });
      await assertRejects(() => turbines({ connection }), NetworkError, "DENO_CERT");
      assertEquals(accepted, 1);
    } finally {
      listener.close();
      await closing;
    }
  });

  it("F1 rejects an untrusted certificate once, without sending the key", async (t) => {
    const certificate = await createCertificate();
    if (!certificate) {
      await t.step({ name: "openssl is not there", ignore: true, fn: () => {} });
      return;
    }
    let received = 0;
    let tries = 0;
    const handler = () => (received++, Response.json([]));
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {}, ...certificate },
      handler,
    );
    try {
      const url = `https://localhost:${server.addr.port}`;
      const connection = connect({ url, key: "k-1", onRequest: () => void tries++ });
      const error = await assertRejects(() => turbines({ connection }), NetworkError);
      assertStringIncludes(error.message, "certificate");
      assertStringIncludes(error.message, "DENO_CERT");
      assertEquals([received, tries], [0, 1]);
    } finally {
      await server.shutdown();
    }
  });

  it("F1 a TLS error after a redirect is tried once, too", async () => {
    await withServer(() => new Response(), async (other) => {
      const origin = other.url.replace("http:", "https:");
      await withService(async ({ connection, requests }) => {
        await assertRejects(() => turbines({ connection }), NetworkError);
        assertEquals(requests.length, 1);
      }, {
        faults: [buildFault({ kind: "redirect", to: `${origin}/x` })],
        connection: { downloadOrigins: [origin] },
      });
    });
  });
});

async function createCertificate(): Promise<{ cert: string; key: string } | undefined> {
  const folder = await Deno.makeTempDir();
  try {
    const { success } = await new Deno.Command("openssl", {
      args: ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"].concat(
        [
          "-nodes",
          "-days",
          "2",
          "-subj",
          "/CN=localhost",
          "-addext",
          "subjectAltName=DNS:localhost",
        ],
        ["-keyout", `${folder}/key.pem`, "-out", `${folder}/cert.pem`],
      ),
      stdout: "null",
      stderr: "null",
    }).output();
    if (!success) return undefined;
    const [cert, key] = await Promise.all(
      ["cert", "key"].map((name) => Deno.readTextFile(`${folder}/${name}.pem`)),
    );
    return { cert, key };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

describe("F2 a service that stalls", () => {
  beforeAll(withoutPauses.before);
  afterAll(withoutPauses.after);

  it("F2 before the headers ends after headersTimeout, and is tried again", async () => {
    await withService(async ({ connection, requests }) => {
      assertEquals((await turbines({ connection })).height, 8);
      assertEquals(requests.length, 2);
    }, {
      faults: [buildFirstFault({ kind: "stall", where: "headers" })],
      connection: { headersTimeout: 1000 }, // the second answer has as long
    });
  });

  it("F2 before the headers each time is an error after three tries, which names the missing headers", async () => {
    await withService(async ({ connection, requests }) => {
      const error = await assertRejects(() => turbines({ connection }), TimeoutError);
      assertStringIncludes(error.message, "sent no headers for 0.1 s");
      assertEquals(requests.length, MAX_TRIES);
    }, {
      faults: [buildFault({ kind: "stall", where: "headers" })],
      connection: { headersTimeout: 100 },
    });
  });

  it("F2 in the middle of the body ends after idleTimeout, and is fetched again completely", async () => {
    await withService(async ({ connection, requests }) => {
      assertEquals((await modelData("T1", { ...span, connection })).height, HOURS);
      assertEquals(requests.length, 2);
    }, {
      faults: [buildFirstFault({ kind: "stall", where: "body" }, "model_data")],
      connection: { idleTimeout: 1000 }, // the second answer has as long
    });
  });

  it("F2 in the middle of the body each time is an error after three tries", async () => {
    await withService(async ({ connection, requests }) => {
      const call = () => modelData("T1", { ...span, connection });
      const error = await assertRejects(call, TimeoutError);
      assertStringIncludes(error.message, "sent no data for 0.1 s");
      assertEquals(requests.length, MAX_TRIES);
    }, {
      faults: [buildFault({ kind: "stall", where: "body" }, "model_data")],
      connection: { idleTimeout: 100 },
    });
  });

  it("F2 briefly but without end is ended by the deadline of the call", async () => {
    await withService(async ({ connection, requests }) => {
      const start = performance.now();
      const error = await assertRejects(
        () => modelData("T1", { ...span, connection }),
        TimeoutError,
      );
      assertStringIncludes(error.message, "Give connect() a longer timeout");
      const took = performance.now() - start;
      assert(took >= 495, `${took} ms`);
      assertEquals(requests.length, 1); // idleTimeout would have caused a retry
    }, {
      faults: [buildFault({ kind: "trickle", bytes: 10, milliseconds: 5 }, "model_data")],
      connection: { idleTimeout: 450, timeout: 500 },
    });
  });

  it("F2 again and again is ended by the deadline, which counts all tries", async () => {
    await withService(async ({ connection, requests }) => {
      const { message } = await assertRejects(() => turbines({ connection }), TimeoutError);
      assertStringIncludes(message, "took longer than the timeout of the call");
      assert(requests.length < MAX_TRIES, `${requests.length} requests`);
    }, {
      faults: [buildFault({ kind: "stall", where: "headers" })],
      connection: { headersTimeout: 150, timeout: 250 },
    });
  });

  it("F2 in a second request that the first one needs is ended by the deadline of the call", async () => {
    const handler = async (request: Request) => {
      if (request.url.includes("/details/")) return await neverAnswer(request);
      await new Promise((resolve) => setTimeout(resolve, 2000)); // its work
      return new Response("time,wind_speed,power\n"); // only the details name the zone
    };
    await withServer(handler, async ({ connection, seen }) => {
      const start = performance.now();
      await assertRejects(() => modelData("T1", { ...span, connection }), TimeoutError);
      const took = performance.now() - start;
      // with its own timeout the second request would end after 4500 ms
      assert(took >= 2495 && took < 4450, `${took} ms of 2500`);
      assertEquals(seen.length, 2);
    }, { timeout: 2500 });
  });

  it("F2 but a slow one within the timeouts succeeds", async () => {
    await withService(async ({ connection, requests }) => {
      assertEquals((await turbines({ connection })).height, 8);
      assertEquals(requests.length, 1);
    }, {
      faults: [
        { on: "turbines", act: { kind: "trickle", bytes: 40, milliseconds: 5 } },
      ],
      connection: { idleTimeout: 2000, headersTimeout: 2000 },
    });
  });
});

describe("F6 a busy service", () => {
  beforeAll(withoutPauses.before);
  afterAll(withoutPauses.after);

  const busy = (status: number, retryAfter: string): FaultAct => ({
    kind: "status",
    status,
    headers: { "retry-after": retryAfter },
  });

  for (const retryAfter of ["0", "Wed, 21 Oct 2015 07:28:00 GMT", "-5", "soon"]) {
    it(`F6 that says "${retryAfter}" is tried again soon`, async () => {
      await withService(async ({ connection, requests }) => {
        assertEquals((await turbines({ connection })).height, 8);
        assertEquals(requests.map(({ status }) => status), [503, 429, 200]);
      }, {
        faults: [buildFirstFault(busy(503, retryAfter)), buildFirstFault(busy(429, retryAfter))],
      });
    });
  }

  it("F6 that asks for ten years is not waited for: its error comes immediately", async () => {
    const years = [String(10 * 365 * 86_400), new Date(Date.now() + 3e11).toUTCString()];
    for (const retryAfter of years) {
      await withService(async ({ connection, requests }) => {
        await assertRejects(() => turbines({ connection }), ServiceError, "503");
        await assertRejects(() => windIndices("T1", { connection }), TooManyRequestsError);
        assertEquals(requests.length, 2);
      }, {
        faults: [
          buildFault(busy(503, retryAfter)),
          buildFault(busy(429, retryAfter), "wind_indices"),
        ],
        connection: { timeout: 2000 },
      });
    }
  });
});
