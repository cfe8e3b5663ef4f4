/**
 * `deno task serve` as a user runs it, with the permissions of the task.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { KEY_HEADER, operationOf } from "../../../src/api/operations/operations.ts";
import { ORDER_FILES } from "../../../src/service/fulfilment/orders.ts";
import { addLicence } from "../../../src/service/licences/licence_book.ts";
import { LOCAL_LICENCE } from "../../../src/service/licences/licences.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { waitForAddress } from "../../service/_address.ts";
import { makeClimateData } from "../../service/_climate_data.ts";
import { buildHead, connectTo, readAll, writeAll } from "../../service/_raw_http.ts";
import { buildPath, serveSample, SHARED_SAMPLE, validValues } from "../../service/_sample.ts";
import { callCommand } from "../_command.ts";
import { failServeTask, type ServeTask, startServeTask } from "../_serve_task.ts";

let folder: string;
let orderPath: string;

const model = buildPath(operationOf("model_data"), { turbine_id: "T1" });

/** Status and text of a response. */
async function ask(
  { url }: ServeTask,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(url + path, { headers });
  return { status: response.status, text: await response.text() };
}

describe("deno task serve", () => {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    orderPath = await makeClimateData(folder);
    const sample = await serveSample(); // makes the site unless another test has
    await sample.ask(model, { key: sample.keys.full });
    await sample.close();
  });
  afterAll(async () => await Deno.remove(folder, { recursive: true }));

  it("F20 F21 writes a line of JSON for each request, all of them before it ends, and no secret", async () => {
    const service = await startServeTask(["--data", folder, "--new-key", "--log"]);
    const paths = [
      "/healthz",
      "/onlinedata-services/climate/datasets",
      "/apikey?serial_number=canary&email=canary%40example.org",
      `${ORDER_FILES}/canary/canary.csv`,
      "/wind-index/calibrated/details/canary",
      `/canary/${"x".repeat(9000)}`,
      "/readyz",
    ];
    const statuses = [];
    for (const path of paths) {
      statuses.push((await ask(service, path, { [KEY_HEADER]: service.key })).status);
    }
    const { code, out, err } = await service.stop();
    assertEquals([code, err], [0, ""]);
    const lines = out.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(lines.map(({ status }) => status), statuses);
    assertEquals(statuses, [200, 200, 400, 404, 400, 414, 200]);
    assertEquals(lines.map(({ operation }) => operation), [
      "healthz",
      "datasets",
      "api_key",
      "order_file",
      "turbine_details",
      "none",
      "readyz",
    ]);
    for (const line of lines) {
      assertEquals(Object.keys(line), ["time", "operation", "status", "ms"]);
    }
    assert(!out.includes("canary") && !out.includes(service.key), out);
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`F40 completes a running download at ${signal}, and ends with 0`, async () => {
      const service = await startServeTask(["--data", SHARED_SAMPLE, "--new-key", "--log"]);
      const headers = [`${KEY_HEADER}: ${service.key}`, "Accept-Encoding: identity"];
      const complete = await ask(service, model, {
        [KEY_HEADER]: service.key,
        "accept-encoding": "identity",
      });
      using connection = await connectTo(service.url);
      await writeAll(connection, buildHead(model, ...headers));
      const first = new Uint8Array(1000);
      const length = await connection.read(first); // the rest waits in the service
      const ended = service.stop(signal);
      const { text } = await readAll(connection);
      const answer = new TextDecoder().decode(first.subarray(0, length!)) + text;
      assertEquals(answer.slice(answer.indexOf("\r\n\r\n") + 4), complete.text);
      assert(complete.text.length > 10_000_000, "it would be through before it is read");
      const { code, out, err } = await ended;
      assertEquals([code, err], [0, ""]);
      assertEquals(out.trimEnd().split("\n").map((line) => JSON.parse(line).operation), [
        "model_data",
        "model_data",
      ]);
    });
  }

  it("F40 continues if its log can no longer be written, reports it once, and ends with 0", async () => {
    const service = await startServeTask(["--data", folder, "--log"]);
    await service.hangUp();
    for (let i = 0; i < 600; i++) { // more than two batches
      assertEquals((await ask(service, "/healthz")).status, 200);
    }
    const { code, err } = await service.stop();
    assertEquals(code, 0, err);
    assertMatch(err, /^The request log cannot be written \(Broken pipe.*\)\. [^\n]+\n$/);
  });

  const onLinux = Deno.build.os === "linux" ? it : it.ignore;
  onLinux("F40 serves also where nothing that it prints can be written", async () => {
    const probe = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = probe.addr as Deno.NetAddr;
    probe.close();
    const words = ["task", "--quiet", "serve", "--data", folder, "--new-key", "--port", `${port}`];
    const child = new Deno.Command("sh", {
      args: ["-c", 'exec "$0" "$@" > /dev/full', Deno.execPath(), ...words],
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).spawn();
    const ended = new AbortController();
    child.status.then(() => ended.abort());
    let answer: Response | undefined;
    while (!answer && !ended.signal.aborted) {
      answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await answer?.body?.cancel();
    if (!ended.signal.aborted) child.kill("SIGTERM");
    assertEquals([answer?.status, (await child.status).code], [200, 0]);
  });

  it("F40 ends at a second Ctrl-C while a stalled client holds a download open", async () => {
    const service = await startServeTask(["--data", SHARED_SAMPLE, "--new-key"], {}, false);
    using connection = await connectTo(service.url);
    const headers = [`${KEY_HEADER}: ${service.key}`, "Accept-Encoding: identity"];
    await writeAll(connection, buildHead(model, ...headers));
    await connection.read(new Uint8Array(1000)); // and no more
    service.interrupt();
    service.interrupt(); // again, because a terminal and deno task both send it
    const again = setInterval(() => service.interrupt(), 100);
    const { code, err } = await service.ended;
    clearInterval(again);
    assertEquals([code, err], [
      130,
      "Stopped by Ctrl-C at once. Running requests were cut off, but orders are stored. Run the same command to serve again.\n",
    ]);
  });

  it("prints its addresses: one for a browser on this machine, and the public one", async () => {
    const six = await startServeTask(["--data", folder, "--host", "::1"]);
    assertEquals((await six.stop()).code, 0);
    const { port } = new URL(six.url);
    assertStringIncludes(six.begun, `\n  http://[::1]:${port}/sign-in?token=`);
    assertStringIncludes(six.begun, `VINDKIT_URL=http://[::1]:${port} and VINDKIT_KEY`);
    const url = "https://wind.example.org";
    const proxied = await startServeTask(["--data", folder, "--public-url", url]);
    assertEquals((await proxied.stop()).code, 0);
    assertStringIncludes(proxied.begun, `Public address: ${url}\n`);
    assertStringIncludes(proxied.begun, `Open ${url} in a browser\n`);
    assert(!proxied.begun.includes("token"), proxied.begun);
    assertStringIncludes(proxied.begun, `VINDKIT_URL=${url} and VINDKIT_KEY`);
  });

  it("V14: prints one address that signs a browser in, and never logs it", async () => {
    const service = await startServeTask(["--data", folder, "--log"]);
    const [address] = service.begun.match(/http:\S+token=\S+/)!;
    const answer = await fetch(address, { redirect: "manual" });
    await answer.body?.cancel();
    assertEquals([answer.status, answer.headers.get("location")], [303, "/"]);
    const { out, err } = await service.stop();
    assertMatch(out, /"operation":"sign_in","status":303/);
    const token = new URL(address).searchParams.get("token")!;
    assert(!`${out}${err}`.includes(token), "the token is in the log");
  });

  it("says in one line why it cannot listen, and what to do", async () => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = taken.addr as Deno.NetAddr;
    for (
      const [given, problem] of [
        [
          ["--port", String(port)],
          `127.0.0.1:${port}: the port is taken. Choose another port with --port; 0 chooses a free port`,
        ],
        [
          ["--host", "192.0.2.1"],
          "192.0.2.1:0: this program does not have the permission. deno task serve ",
        ],
        [["--host", "no.such.host.invalid"], "no.such.host.invalid:0: "],
      ] as const
    ) {
      const { code, out, err } = await failServeTask(["--data", folder, ...given]);
      assertEquals([code, out, err.trim().split("\n").length], [1, "", 1], err);
      assertStringIncludes(err, `Cannot listen on ${problem}`);
    }
  });

  it("F40 completes an order left by a killed service, and serves it under its name", async () => {
    const killed = await startServeTask(["--data", folder, "--new-key"], {}, false);
    await killed.stop("SIGKILL");
    const headers = { [KEY_HEADER]: killed.key };
    const id = "left";
    {
      await using storage = await openStorage(folder);
      const { pathname, searchParams } = new URL(orderPath, killed.url);
      const serviceId = pathname.split("/").at(-1)!;
      const numbers = ["lat", "lon", "start_year", "end_year"];
      const query = [...searchParams].map(([name, text]) =>
        [name, numbers.includes(name) ? Number(text) : text] as const
      );
      await storage.store.orders.place({
        ...{ id, serialNumber: LOCAL_LICENCE.serialNumber, serviceId, state: "approved" },
        parameters: { service_id: serviceId, ...Object.fromEntries(query) },
      }, Date.now());
    }
    const statusPath = buildPath(operationOf("order_status"), { order_id: id });

    const next = await startServeTask(["--data", folder]);
    const address = await waitForAddress(async () =>
      JSON.parse((await ask(next, statusPath, headers)).text)
    );
    const { pathname } = new URL(address);
    assertEquals((await ask(next, pathname)).status, 200);
    assertEquals(JSON.parse((await ask(next, orderPath, headers)).text) === id, false);
    assertEquals((await next.stop()).code, 0);
  });

  it("F40 answers a duplicate order to two processes on one data directory with one name and one file", async () => {
    const { key } = await addLicence(folder, { serialNumber: "race", email: "r@example.org" });
    const both = [
      await startServeTask(["--data", folder]),
      await startServeTask(["--data", folder]),
    ];
    try {
      const headers = { [KEY_HEADER]: key! };
      const orders = Array.from({ length: 20 }, (_, i) => ask(both[i % 2], orderPath, headers));
      const names = new Set((await Promise.all(orders)).map(({ text }) => JSON.parse(text)));
      assertEquals(names.size, 1);
      const path = buildPath(operationOf("order_status"), { order_id: [...names][0] });
      const addresses = new Set<string>();
      for (const service of both) {
        const address = await waitForAddress(async () =>
          JSON.parse((await ask(service, path, headers)).text)
        );
        addresses.add(new URL(address).pathname);
      }
      assertEquals(addresses.size, 1);
    } finally {
      for (const service of both) assertEquals((await service.stop()).code, 0);
    }
  });

  it("F40 continues after clients have used up its file descriptors", async () => {
    const service = await startServeTask(["--data", folder], { fileLimit: 150 });
    const connections: Deno.Conn[] = [];
    const refused = async () => {
      try {
        connections.push(await connectTo(service.url));
        return false;
      } catch {
        return true;
      }
    };
    while (!await refused()) assert(connections.length < 5000, "it never runs out of them");
    for (const connection of connections) connection.close();
    let answered = 0;
    for (let i = 0; i < 10_000 && !answered; i++) {
      answered = await ask(service, "/healthz").then(({ status }) => status, () => 0);
      await new Promise((done) => setTimeout(done)); // its turn
    }
    assertEquals(answered, 200);
    const { code, err } = await service.stop();
    assertEquals(code, 0);
    assertMatch(
      err,
      /^Cannot accept connections now, so the service tries again: .*Too many open files/m,
    );
    assertEquals(err.trimEnd().split("\n").length, 1, err); // R8: a line per cause and minute
  });

  it("SV5: prints no messages of the runtime for HEAD requests", async () => {
    const service = await startServeTask(["--data", SHARED_SAMPLE]);
    for (const path of ["/", "/docs", "/healthz"]) {
      assertEquals((await fetch(service.url + path, { method: "HEAD" })).status, 200, path);
    }
    const { code, err } = await service.stop();
    assertEquals([code, err], [0, ""]);
  });

  for (const fileLimit of [256, 1024]) {
    it(`R2: with ${fileLimit} file descriptors, refuses more unread downloads than it can hold with 503, meanwhile answers another licence, and keeps running`, async () => {
      const service = await startServeTask(["--data", SHARED_SAMPLE, "--new-key"], { fileLimit });
      const { key: other } = await addLicence(SHARED_SAMPLE, {
        serialNumber: `other-${crypto.randomUUID()}`,
        email: "o@example.org",
      });
      const month = buildPath(operationOf("monthly_index"), {
        turbine_id: "T1",
        year: 2024,
        month: 1,
      });
      const untilAnswered = async (key: string) => {
        let answered = 0;
        for (let i = 0; i < 10_000 && answered !== 200; i++) {
          const answer = ask(service, month, { [KEY_HEADER]: key });
          answered = await answer.then(({ status }) => status, () => 0);
        }
        return answered;
      };
      const unread: Deno.Conn[] = [];
      const head = buildHead(model, `${KEY_HEADER}: ${service.key}`, "Accept-Encoding: identity");
      try {
        const begin = async () => {
          try {
            const connection = await connectTo(service.url);
            unread.push(connection);
            await writeAll(connection, head);
            const first = new Uint8Array(12);
            for (let length = 0; length < 12;) {
              length += await connection.read(first.subarray(length)) ?? 12;
            }
            return Number(new TextDecoder().decode(first).split(" ")[1]);
          } catch {
            return 0; // no connection, because its descriptors are used up
          }
        };
        // One after the other: simultaneous connections could take all descriptors before a file is opened.
        for (let i = 0; i < fileLimit / 8; i++) {
          assertEquals(await begin(), 200, `download ${i + 1}`);
        }
        const statuses = await Promise.all(Array.from({ length: 500 }, begin));
        assert(statuses.includes(503), String([...new Set(statuses)]));
        assertEquals(await untilAnswered(other!), 200);
        for (let i = 0; i < 20; i++) {
          const { status } = await ask(service, month, { [KEY_HEADER]: other! });
          assertEquals(status, 200);
        }
        for (const connection of unread.splice(0)) connection.close();
        assertEquals(await untilAnswered(service.key), 200);
      } finally {
        for (const connection of unread) connection.close();
        const { code, err } = await service.stop();
        assertEquals([code, err.includes("panicked")], [0, false], err.slice(-3000));
      }
    });
  }

  it("F40 refuses a damaged store in one line, and does not change it", async () => {
    const damaged = await Deno.makeTempDir();
    try {
      const path = `${damaged}/vindkit.sqlite`;
      const bytes = new TextEncoder().encode(
        "not a database, but a text of some length ".repeat(100),
      );
      await Deno.writeFile(path, bytes);
      const { code, out, err } = await failServeTask(["--data", damaged]);
      assertEquals([code, out], [1, ""]);
      assertMatch(
        err,
        /^Cannot open .*vindkit\.sqlite: it is damaged \(.+\)\. Stop the service, .+\n$/,
      );
      assertEquals(await Deno.readFile(path), bytes);
    } finally {
      await Deno.remove(damaged, { recursive: true });
    }
  });

  it("accepts the public address, the contact and a proxy's clients as options", async () => {
    const url = "https://wind.example.org/vindkit";
    const service = await startServeTask([
      ...["--data", folder, "--new-key", "--public-url", `${url}/`, "--behind-proxy"],
      ...["--contact", "sales@example.org"],
    ]);
    try {
      const document = JSON.parse((await ask(service, "/openapi.json")).text);
      assertEquals(document.servers[0].url, url);
      assertStringIncludes(JSON.stringify(document), "contact sales@example.org");
      const path = buildPath(operationOf("api_key"), validValues.api_key);
      for (let client = 1; client <= 20; client++) {
        const forwarded = { "x-forwarded-for": `198.51.100.1, 192.0.2.${client}` };
        const { status, text } = await ask(service, "/wind-index/calibrated/", {
          ...forwarded,
          [KEY_HEADER]: "unknown",
        });
        assertEquals(status, 401, text);
      }
      const { status, text } = await ask(service, path);
      assertEquals(status, 400);
      assertStringIncludes(text, "contact sales@example.org for a license");
    } finally {
      assertEquals((await service.stop()).code, 0);
    }
  });

  it("explains a wrong option in one line", async () => {
    for (
      const [given, problem] of [
        [["--public-url", "wind.example.org"], "it is not a URL"],
        [["--public-url", "ftp://wind.example.org"], "it begins with ftp:"],
        [["--public-url", "https://wind.example.org/?a=b"], "it has a query or a fragment"],
        [["--public-url", "https://canary:canary@example.org"], "it contains a user name"],
        [["--contact", " "], "its text is blank or too long. Give 1 to 200 characters"],
      ] as const
    ) {
      const { code, out, error } = await callCommand("serve", "--data", folder, ...given);
      assertEquals([code, out, error.trim().split("\n").length], [1, "", 1], error);
      assertStringIncludes(error, problem);
      assert(!error.includes("canary"), error);
    }
  });
});
