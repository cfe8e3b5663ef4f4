/**
 * Requests of hostile or broken clients, over real connections: every operation answers as declared, never with a fault
 * of the service and never with data of something else.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Operation } from "../../src/api/operations/operation.ts";
import { KEY_HEADER, operationOf, operations } from "../../src/api/operations/operations.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { openService } from "../../src/service/running/service.ts";
import { makeClimateData } from "./_climate_data.ts";
import { askRaw, buildHead, type RawAnswer } from "./_raw_http.ts";
import { buildPath, type ServedSample, serveSample, validValues } from "./_sample.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

let sample: ServedSample;

/** Sends a target unchanged: fetch would normalize it. */
async function askTarget(target: string): Promise<RawAnswer> {
  return await askRaw(sample.url, buildHead(target, `${KEY_HEADER}: ${sample.keys.full}`));
}

/** Path and query of an operation with a raw piece of path instead of a parameter. */
function targetWith(operation: Operation, name: string, piece: string): string {
  const marker = "marker";
  const values = { ...validValues[operation.id], [name]: marker };
  return buildPath(operation, values).replace(marker, () => piece);
}

/** Fails unless it is an error that the operation declares, or the path does not exist. */
function assertRefused(operation: Operation, { status, text }: RawAnswer, what: string): void {
  const declared = operation.errors.map((error) => error.status);
  assert([404, ...declared].includes(status), `${operation.id} ${what}: ${text.slice(0, 500)}`);
  assertStringIncludes(text, "application/problem+json", what);
}

const identifiers = operations.flatMap((operation) =>
  operation.parameters.filter((parameter) =>
    parameter.in === "path" && parameter.type === "identifier"
  ).map(({ name }) => ({ operation, name }))
);

/** Pieces of a path that name nothing, by their special property. */
const pieces: Readonly<Record<string, string>> = {
  "empty": "",
  "a dot": ".",
  "two dots": "..",
  "an encoded dot": "%2e",
  "encoded dots and a slash": "%2e%2e%2f",
  "a slash": "a/b",
  "an encoded slash": "a%2fb",
  "a backslash": "..%5c..%5cetc",
  "NUL": "%00",
  "NUL behind a known one": "T1%00",
  "a line break": "a%0d%0aX-Injected:%20yes",
  "an escape": "%1b%5b31m",
  "emoji": "%F0%9F%92%A8",
  "emoji as they are": "\u{1f4a8}",
  "a lone surrogate": "%ED%A0%80",
  "an overlong slash": "%C0%AF",
  "an overlong NUL": "%C0%80",
  "half a character": "%F0%9F",
  "no percent code": "%zz",
  "a percent": "%",
  "an encoded percent code": "%252e%252e%252f",
  "a bidirectional mark": "%E2%80%AE1T",
  "another form of a known one": "%EF%BC%B41", // fullwidth T
  "a known one in another case": "t1",
  "a known one with a space": "T1%20",
  "__proto__": "__proto__",
  "constructor": "constructor",
  "toString": "toString",
  "hasOwnProperty": "hasOwnProperty",
  "SQL": "'%20OR%201=1%20--",
  "a pattern": "%25",
  "HTML": "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
  "8,000 characters": "x".repeat(8000),
};

describe("a service under hostile clients", () => {
  beforeAll(async () => {
    sample = await serveSample();
  });
  afterAll(async () => await sample.close());

  for (const { operation, name } of identifiers) {
    it(`F22 F28 refuses in ${operation.id} every invalid ${name}, as declared`, async () => {
      for (const [label, piece] of Object.entries(pieces)) {
        const answer = await askTarget(targetWith(operation, name, piece));
        if (piece === "" && answer.status === 200) {
          // without the name it is the path of another operation, the list
          assertEquals(operations.some(({ path }) => path === operation.path.split("{")[0]), true);
          continue;
        }
        assertRefused(operation, answer, label);
        assert(!/^x-injected/im.test(answer.text), label);
      }
    });

    it(`F22 answers in ${operation.id} a ${name} of 1 MB with an error`, async () => {
      const { status } = await askTarget(targetWith(operation, name, "x".repeat(1_000_000)));
      assert([0, 400].includes(status), String(status)); // 0: cut before it is sent
    });
  }

  for (const operation of operations) {
    const query = operation.parameters.filter((parameter) => parameter.in === "query");
    const path = buildPath(operation, validValues[operation.id]);
    const join = path.includes("?") ? "&" : "?";

    it(`F28 refuses in ${operation.id} query names that are members of objects, like any unknown name`, async () => {
      for (const name of ["__proto__", "constructor", "toString", "__proto__[turbine_id]"]) {
        const repeated = await askTarget(`${path}${join}${name}=T2&${encodeURIComponent(name)}=T3`);
        assertEquals(repeated.status, 422, name);
        assertStringIncludes(repeated.text, `${name} is not a parameter`);
      }
    });

    it(`F28 answers in ${operation.id} more parameters than an address holds with 414`, async () => {
      const many = Array.from({ length: 10_000 }, (_, i) => `p${i}=1`).join("&");
      assert([0, 400, 414].includes((await askTarget(`${path}${join}${many}`)).status));
      const { status } = await askTarget(`${path}${join}${many.slice(0, 50_000)}`);
      assertEquals(status, 414);
    });

    it(`F28 refuses in ${operation.id} a thousand parameters`, async () => {
      const many = Array.from({ length: 1000 }, (_, i) => `p${i}=1`).join("&");
      const { status, text } = await askTarget(`${path}${join}${many}`);
      assertEquals(status, 422);
      assert(text.length < 1000, "it names the first alone");
    });

    for (const { name } of query) {
      it(`F28 refuses in ${operation.id} several ${name}, equal or not`, async () => {
        const known = validValues[operation.id][name] ?? "x";
        const parameter = `${name}=${encodeURIComponent(known)}`;
        for (const other of [parameter, `${name}=${encodeURIComponent("\u0000")}`]) {
          const start = path.includes(`${name}=`) ? "" : `${parameter}&`;
          const answer = await askTarget(`${path}${join}${start}${other}`);
          assertEquals(answer.status, 422);
          assertStringIncludes(answer.text, `${name} is given 2 times`);
        }
      });

      it(`F28 refuses in ${operation.id} deep and huge values of ${name}`, async () => {
        for (
          const value of [
            "[".repeat(2000),
            "%7B%22a%22:".repeat(500),
            "9".repeat(2000),
            `1e${"9".repeat(300)}`,
            "-0",
            "%F0%9F%92%A8".repeat(300),
          ]
        ) {
          const values = Object.entries({ ...validValues[operation.id] })
            .filter(([other]) => other !== name);
          const otherPath = buildPath(operation, Object.fromEntries(values));
          const target = `${otherPath}${otherPath.includes("?") ? "&" : "?"}${name}=${value}`;
          const answer = await askTarget(target);
          if (value === "-0" && answer.status === 200) continue; // a latitude may be that
          assertRefused(operation, answer, value.slice(0, 20));
        }
      });
    }
  }

  it("F22 finds nothing outside of its paths, however the path is written", async () => {
    for (
      const target of [
        "/wind-index/calibrated/details/../../../../etc/passwd",
        "/wind-index/calibrated/details/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/onlinedata-services/climatefile/../../vindkit.sqlite",
        "/onlinedata-services/climatefile/%2e%2e%2f/vindkit.sqlite",
        "/onlinedata-services/climatefile/x/..%2f..%2fvindkit.sqlite",
        "//etc/passwd",
        "/%00",
        "/.git/config",
      ]
    ) {
      const { status, text } = await askTarget(target);
      assert([404, 422].includes(status), `${target}: ${text.slice(0, 200)}`);
    }
  });

  it("F40 answers odd hosts and targets without a fault", async () => {
    const { full } = sample.keys;
    const lines = (first: string, host: string) =>
      `${first}\r\nHost: ${host}\r\n${KEY_HEADER}: ${full}\r\nConnection: close\r\n\r\n`;
    const known = "/wind-index/calibrated/details/T1";
    for (
      const request of [
        lines(`GET ${known} HTTP/1.1`, ""),
        lines(`GET ${known} HTTP/1.1`, "a b"),
        lines(`GET ${known} HTTP/1.1`, "[::1"),
        lines(`GET ${known} HTTP/1.1`, "localhost:99999"),
        lines(`GET ${known} HTTP/1.1`, "user:password@localhost"),
        lines(`GET http://elsewhere.example${known} HTTP/1.1`, "localhost"),
        lines("GET * HTTP/1.1", "localhost"),
        lines(`GET ${known} HTTP/1.0`, "localhost"),
        lines(`GET ${known} HTTP/9.9`, "localhost"),
        lines("NONSENSE", "localhost"),
        "\u0000\u0001\u0002\r\n\r\n",
      ]
    ) {
      const { status, text } = await askRaw(sample.url, request);
      assert(status < 500, `${request.slice(0, 80)}: ${text.slice(0, 300)}`);
    }
    assertEquals((await askTarget(known)).status, 200);
  });
});

describe("a store that is damaged while the service runs", () => {
  it("F40 answers 503 at /readyz without the reason, which is in the log", async () => {
    const folder = await Deno.makeTempDir();
    const logged: unknown[] = [];
    const { error } = console;
    try {
      await makeClimateData(folder);
      const service = await openService(folder, { trusted: true });
      console.error = (...values) => logged.push(...values);
      const ask = async (path: string) => {
        const response = await service.fetch(new Request(`http://localhost${path}`));
        return { status: response.status, text: await response.text() };
      };
      assertEquals((await ask("/readyz")).status, 200);
      await Deno.remove(`${folder}/vindkit.sqlite-wal`).catch(() => {});
      await Deno.writeFile(`${folder}/vindkit.sqlite`, new Uint8Array(100_000).fill(65));
      const ready = await ask("/readyz");
      assertEquals(ready.status, 503, ready.text);
      const datasets = await ask(buildPath(operationOf("datasets"), {}));
      assert([200, 500].includes(datasets.status), "of what it remembers, or a fault");
      for (const { text } of [ready, datasets]) assert(!/sqlite|malformed/i.test(text), text);
      assertEquals((await ask("/healthz")).status, 200);
      assert(logged.length >= 1);
      await service.close();
    } finally {
      console.error = error;
      await Deno.remove(folder, { recursive: true });
    }
  });

  it("F40 answers 500 for a missing or truncated file, and still serves the others", async () => {
    const folder = await Deno.makeTempDir();
    const { error } = console;
    console.error = () => {};
    try {
      const order = await makeClimateData(folder);
      const { store, files } = await openStorage(folder);
      const [{ file }] = await sitesOf(store).points("era5");
      await store.close();
      const service = await openService(folder, { trusted: true });
      const download = order.replace("/climate/order/", "/climatedownload/");
      const ask = async (path: string) => {
        const response = await service.fetch(new Request(`http://localhost${path}`));
        await response.body?.cancel();
        return response.status;
      };
      const bytes = await files.read(file);
      for (const damage of [bytes.slice(0, 1000), bytes.slice(0, 0)]) {
        await Deno.writeFile(files.path(file), damage);
        assertEquals(await ask(download), 500);
      }
      await Deno.remove(files.path(file));
      assertEquals(await ask(download), 500);
      assertEquals(await ask(buildPath(operationOf("datasets"), {})), 200);
      await Deno.writeFile(files.path(file), bytes);
      assertEquals(await ask(download), 200);
      await service.close();
    } finally {
      console.error = error;
      await Deno.remove(folder, { recursive: true });
    }
  });
});
