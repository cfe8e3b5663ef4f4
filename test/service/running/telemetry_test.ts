/**
 * OpenTelemetry exports of the service, received by a real OTLP server: metrics, and no secret.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { KEY_HEADER, operations } from "../../../src/api/operations/operations.ts";
import { addLicence } from "../../../src/service/licences/licence_book.ts";
import { startServeTask } from "../../cli/_serve_task.ts";
import { waitForAddress } from "../_address.ts";
import { makeClimateData } from "../_climate_data.ts";
import { type OtlpReceiver, receiveOtlp } from "./_otlp_receiver.ts";
import { buildPath, validValues } from "../_sample.ts";

/** Part of everything that must not be exported. */
const CANARY = "canary";

let folder: string;
let orderPath: string;

/** An environment in which telemetry goes to a receiver. */
function exportTo(receiver: OtlpReceiver, protocol: string): Record<string, string> {
  return {
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_SERVICE_NAME: "vindkit-test",
  };
}

/** Calls an exporting service with secrets in every part of a request; returns the texts that must not be exported. */
async function askWithSecrets(env: Record<string, string>): Promise<readonly string[]> {
  const name = `${CANARY}-${crypto.randomUUID()}`;
  const email = `${CANARY}@example.org`;
  const { key } = await addLicence(folder, { serialNumber: name, email });
  const service = await startServeTask(["--data", folder, "--new-key", "--log"], { env });
  const secrets = [CANARY, key!, service.key];
  try {
    const ask = async (path: string, sentKey = `${CANARY}-key`, method = "GET") => {
      const headers = {
        [KEY_HEADER]: sentKey,
        "user-agent": `${CANARY}-agent`,
        referer: `http://localhost/${CANARY}`,
        cookie: `a=${CANARY}`,
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        tracestate: `a=${CANARY}`,
        baggage: `a=${CANARY}`,
      };
      const response = await fetch(service.url + path, { method, headers });
      return { status: response.status, text: await response.text() };
    };
    for (const operation of operations) {
      const values = Object.fromEntries(
        operation.parameters.map(({ name, type }) => [
          name,
          type === "identifier" || type === "string" ? CANARY : validValues[operation.id][name],
        ]),
      );
      for (const sentKey of [`${CANARY}-key`, key!]) {
        await ask(buildPath(operation, values), sentKey);
      }
    }
    const answer = await ask(`/apikey?serial_number=${name}&email=${encodeURIComponent(email)}`);
    assertEquals(answer.status, 200);
    secrets.push(JSON.parse(answer.text).api_key);
    const id = JSON.parse((await ask(orderPath, key)).text) as string;
    const address = await waitForAddress(async () =>
      JSON.parse((await ask(`/onlinedata-services/climate/status/${id}`, key)).text)
    );
    const token = new URL(address).pathname.split("/").at(-2)!;
    assertEquals((await ask(new URL(address).pathname)).status, 200);
    await ask(`/${CANARY}?${CANARY}`);
    await ask(`/readyz?${CANARY}`);
    await ask(`/${CANARY}`, key, "POST");
    secrets.push(id, token);
  } finally {
    const { code, err } = await service.stop();
    assertEquals([code, err], [0, ""]);
  }
  return secrets;
}

describe("telemetry", () => {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    orderPath = await makeClimateData(folder);
  });
  afterAll(async () => await Deno.remove(folder, { recursive: true }));

  for (const protocol of ["http/json", "http/protobuf"]) {
    it(`F20 F21 of a running task contains no key, e-mail, serial number, turbine, order or token (${protocol})`, async () => {
      const receiver = receiveOtlp();
      try {
        const secrets = await askWithSecrets(exportTo(receiver, protocol));
        const { received, all } = receiver;
        for (const kind of ["metrics", "logs"]) {
          assert(received[kind].length > 100, `no ${kind} were exported`);
        }
        for (const secret of secrets) {
          assert(secret.length > 5);
          assert(!all.includes(secret), `exported: ${all.slice(all.indexOf(secret) - 300)}`);
        }
        assert(!/url\.(full|query|path)/.test(all), "an address was exported");
        assertEquals(received.traces, "");
        for (const { path } of operations) assertStringIncludes(received.metrics, path);
        for (const name of ["vindkit.request.duration", "vindkit.order.duration"]) {
          assertStringIncludes(received.metrics, name);
        }
      } finally {
        await receiver.close();
      }
    });
  }

  it("has operation, path from the contract, status and time of each request", async () => {
    const receiver = receiveOtlp();
    try {
      const service = await startServeTask(["--data", folder], {
        env: exportTo(receiver, "http/json"),
      });
      for (
        const [path, method] of [
          ["/apikey?serial_number=S-1&email=nobody%40example.org", "GET"],
          ["/healthz", "GET"],
          ["/apikey?serial_number=S-1", "POST"],
          ["/apikey", "CANARY"],
        ]
      ) {
        await (await fetch(service.url + path, { method })).body?.cancel();
      }
      assertEquals((await service.stop()).code, 0);
      const { resourceMetrics } = JSON.parse(receiver.received.metrics);
      // deno-lint-ignore no-explicit-any -- JSON of OTLP
      const { metrics } = resourceMetrics[0].scopeMetrics.find(({ scope }: any) =>
        scope.name === "vindkit"
      );
      // deno-lint-ignore no-explicit-any -- JSON of OTLP
      const { unit, histogram } = metrics.find(({ name }: any) =>
        name === "vindkit.request.duration"
      );
      assertEquals(unit, "s");
      // deno-lint-ignore no-explicit-any -- JSON of OTLP
      const points = histogram.dataPoints.map(({ count, sum, attributes }: any) => {
        assert(sum >= 0 && sum < 60, String(sum));
        const attributeValues = Object.fromEntries(
          // deno-lint-ignore no-explicit-any -- JSON of OTLP
          attributes.map(({ key, value }: any) => [key, Object.values(value)[0]]),
        );
        const names = ["request.method", "response.status_code", "route"];
        return [
          attributeValues["vindkit.operation"],
          ...names.map((name) => attributeValues[`http.${name}`]),
          `${count}`,
        ];
      });
      assertEquals(points.map(String).sort(), [
        "api_key,GET,400,/apikey,1",
        "api_key,POST,405,/apikey,1",
        "api_key,_OTHER,405,/apikey,1",
        "healthz,GET,200,,1",
      ]);
    } finally {
      await receiver.close();
    }
  });

  it("is refused at the start if Deno's own spans would export addresses, with a remedy", async () => {
    const receiver = receiveOtlp();
    try {
      const env = exportTo(receiver, "http/json");
      const script = new URL("../../../src/cli/mod.ts", import.meta.url).pathname;
      const { code, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--allow-ffi",
          "--allow-sys",
          "--allow-read",
          "--allow-write",
          "--allow-env",
          "--allow-net",
          script,
          "serve",
          "--data",
          folder,
          "--port",
          "0",
        ],
        env: { ...env, NO_COLOR: "1" },
        stdout: "null",
      }).output();
      assertEquals(code, 1);
      const message = new TextDecoder().decode(stderr);
      assertMatch(
        message,
        /^Cannot listen: OpenTelemetry is on, so Deno would export the URL/,
      );
      assertStringIncludes(message, "Set OTEL_DENO_TRACING=false");
    } finally {
      await receiver.close();
    }
  });

  it("is absent if OpenTelemetry is off", async () => {
    const receiver = receiveOtlp();
    try {
      const env = { ...exportTo(receiver, "http/json"), OTEL_DENO: "false" };
      const service = await startServeTask(["--data", folder], { env });
      await (await fetch(`${service.url}/healthz`)).body?.cancel();
      assertEquals((await service.stop()).code, 0);
      assertEquals(receiver.all, "");
    } finally {
      await receiver.close();
    }
  });
});
