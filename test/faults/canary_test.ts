/**
 * F20: a process uses a key against a service that repeats it wherever it can. Then the test searches all output and files
 * of the process for the key.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import { openSample } from "../../src/service/mod.ts";

const KEY = "canary-4e8b17c0d95f";

/** Forms in which a key could be written. */
const forms: readonly string[] = [
  KEY,
  KEY.slice(7),
  KEY.toUpperCase(),
  encodeURIComponent(KEY).replaceAll("-", "%2D"),
  ...["", "x", "xy"].map((before) => btoa(before + KEY).slice(4, -4)), // at any offset in the text
  new TextEncoder().encode(KEY).toHex(),
  [...KEY].reverse().join(""),
];

function findLeaks(text: string): string[] {
  return forms.filter((form) => text.includes(form))
    .map((form) => text.slice(Math.max(0, text.indexOf(form) - 200), text.indexOf(form) + 60));
}

/** Answers of the service at addresses below these names; below any other it is honest. */
const modes: Readonly<Record<string, (key: string, elsewhere: string) => Response>> = {
  page: (key) => new Response(`<!doctype html><title>${key}</title>`),
  refusal: (key) => Response.json({ detail: `the key ${key} has expired` }, { status: 401 }),
  plain: (key) =>
    new Response(`${KEY_HEADER}: ${key}`, { status: 500, headers: { "retry-after": "0" } }),
  busy: (key) => new Response(key, { status: 429, headers: { "retry-after": "600" } }),
  nothing: (key) => new Response(`no data for ${key}`, { status: 400 }),
  away: (key, elsewhere) =>
    new Response(null, { status: 302, headers: { location: `${elsewhere}/x?key=${key}` } }),
  user: (key) =>
    new Response(null, { status: 302, headers: { location: `http://${key}@127.0.0.1/` } }),
  scheme: (key) => new Response(null, { status: 302, headers: { location: `${key}:x` } }),
  circle: (key) => new Response(null, { status: 307, headers: { location: `?key=${key}` } }),
};

/** Answers that are read as a table, or as a field of the requested object. */
const cells: Readonly<Record<string, (key: string) => Response>> = {
  text: (key) => new Response(`unknown key ${key}\n`),
  json: (key) => new Response(`{"error":"unknown key ${key}"}`),
  list: (key) => new Response(`["${key}", {"${key}": "${key}"}, ${key}`),
  cell: (key) => new Response(`time,wind_speed,power\n${key},1,1\n`, zoned),
  number: (key) => new Response(`time,wind_speed,power\n2024-01-01T00:00:00Z,${key},1\n`, zoned),
  echo: (key) => Response.json({ turbine_id: key, period: key }),
  zone: (key) => new Response("time,wind_speed,power\n", { headers: { "vindkit-time-zone": key } }),
};
const zoned = { headers: { "vindkit-time-zone": "Europe/London" } };

const buildScript = (root: string) =>
  `import * as v from ${JSON.stringify(root)};
const [folder, elsewhere, ...modes] = Deno.args;
const url = Deno.env.get("VINDKIT_URL");
const key = Deno.env.get("VINDKIT_KEY");
const events = [];
const at = (mode, more = {}) =>
  v.connect({ url: url + "/" + mode, key, onRequest: (event) => events.push(event), ...more });
const show = async (what, value) => {
  console.log("---", what);
  console.log(value);
  console.log(Deno.inspect(value, { depth: 20, showHidden: true, getters: true }));
  console.log(\`\${value}\`, String(value));
  try {
    console.log(JSON.stringify(value));
  } catch { /* a bigint, a circle */ }
  try {
    const bundle = value?.[Symbol.for("Jupyter.display")]?.call(value);
    if (bundle) console.log(JSON.stringify(await bundle));
  } catch (error) {
    console.log("DISPLAY FAILED", what, error);
  }
  for (let error = value; error instanceof Error; error = error.cause) {
    console.error(error.message, error.stack, error.url, error.hint, error);
  }
};
const tried = async (what, call) => await show(what, await call().catch((error) => error));
const day = { from: "2024-01-01", to: "2024-01-01" };
const climate = { latitude: 55.5, longitude: 7.75, from: 2023, to: 2023 };

for (const mode of modes) {
  const connection = at(mode, { timeout: 2000 });
  await tried(mode + " check", () => v.checkConnection({ connection }));
  await tried(mode + " turbines", () => v.turbines({ connection, cache: "use" }));
  await tried(mode + " details", () => v.turbineDetails("T1", { connection }));
  await tried(mode + " model", () => v.modelData("T1", { ...day, connection, cache: "use" }));
  await tried(mode + " both", () => v.modelData(["T1", "T2"], { ...day, connection }));
  await tried(mode + " indices", () => v.monthlyIndices(["T1"], { connection }));
  await tried(mode + " report", () => v.monthlyReport("T1", "2024-05", { connection }));
  await tried(mode + " climate", () => v.downloadClimate("era5", { ...climate, connection }));
  await tried(mode + " order", () => v.placeOrder("era5", { ...climate, connection }));
}

const connection = await v.lockData("analysis.lock.json", { connection: at("honest", { cache: "use" }) });
await show("connection", connection);
await show("members", [connection.key, connection.baseUrl, connection.place, { connection }]);
await show("default", v.connect());
for (const round of [1, 2]) {
  for (const call of [
    () => v.turbines({ connection }),
    () => v.modelData("T1", { ...day, connection }),
    () => v.monthlyIndices("T1", { from: "2024-01", to: "2024-12", connection }),
  ]) {
    const frame = await call();
    await show("frame", frame);
    await tried("table", async () => v.table(frame));
    await show("provenance", v.provenance(frame));
  }
}
const order = await v.placeOrder("era5", { ...climate, connection });
await show("order", order);
await show("climate", (await order.download({ firstPause: 20 })).height);
await v.saveClimate("era5", "climate.zip", { ...climate, connection });
await show("orders", await v.orders({ connection }));
const half = { from: "2024-01", to: "2024-12", connection: at("half") };
await tried("half", () => v.monthlyIndices(["T1", "T2"], half));
await tried("rest", () => v.monthlyIndices(["T1", "T2"], { ...half, onFailure: "collect" }));
await tried("tls", () => v.turbines({ connection: v.connect({ url: url.replace("http:", "https:"), key }) }));
await tried("two places", async () => v.connect({ url, key, data: folder }));
await tried("no header", async () => v.connect({ url, key: key + "\\n" }));
await tried("no address", async () => v.connect({ url: "ftp://a.example", key }));
await show("events", events);
console.log("--- crash");
queueMicrotask(() => {
  throw Object.assign(new Error("the end", { cause: events.find(({ error }) => error)?.error }), { connection });
});
`;

interface ScriptResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  /** Text of each file below home and working folder, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly ownKeys: readonly (string | null)[];
  readonly elsewhere: readonly string[];
}

async function readFiles(folder: string, texts = new Map<string, string>()) {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) await readFiles(path, texts);
    else texts.set(path, new TextDecoder("latin1").decode(await Deno.readFile(path)));
  }
  return texts;
}

/** Runs the script in a process of its own, against the service and another server. */
async function runScript(names: readonly string[]): Promise<ScriptResult> {
  const ownKeys: (string | null)[] = [];
  const elsewhere: string[] = [];
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const service = await openSample({ trusted: true });
  const other = Deno.serve(options, (request) => {
    elsewhere.push([...request.headers].join());
    return new Response("caught");
  });
  const server = Deno.serve(options, async (request) => {
    ownKeys.push(request.headers.get(KEY_HEADER));
    const url = new URL(request.url);
    const [, mode] = url.pathname.split("/");
    const failing = mode === "half" && url.pathname.includes("/T2");
    const answer = failing ? modes.plain : modes[mode] ?? cells[mode];
    if (answer) return answer(ownKeys.at(-1) ?? "", `http://127.0.0.1:${other.addr.port}`);
    url.pathname = url.pathname.replace(/^\/(honest|half)/, "");
    return await service.fetch(new Request(url, { headers: request.headers }));
  });
  const folder = await Deno.makeTempDir({ prefix: "canary-" });
  try {
    const [home, work] = [`${folder}/home`, `${folder}/work`];
    await Deno.mkdir(work);
    await Deno.writeTextFile(
      `${folder}/script.ts`,
      buildScript(import.meta.resolve("../../mod.ts")),
    );
    const config = new URL("../../deno.json", import.meta.url).pathname;
    const { stdout, stderr, code } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--config", config, `${folder}/script.ts`, work, "x"]
        .concat(names),
      cwd: work,
      env: {
        VINDKIT_HOME: home,
        VINDKIT_URL: `http://127.0.0.1:${server.addr.port}`,
        VINDKIT_KEY: KEY,
        VINDKIT_DATA: "",
        NO_COLOR: "1",
      },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const files = await readFiles(folder);
    files.delete(`${folder}/script.ts`);
    return { stdout: text(stdout), stderr: text(stderr), code, files, ownKeys, elsewhere };
  } finally {
    await Promise.all([server.shutdown(), other.shutdown()]);
    await service.close();
    await Deno.remove(folder, { recursive: true });
  }
}

describe("F20 the key of a process", () => {
  let result: ScriptResult;
  beforeAll(async () => {
    result = await runScript(Object.keys(modes));
  });

  it("F20 would be found in any form", () => {
    for (const text of [`a${KEY}b`, btoa(`key=${KEY}!`), btoa(`k=${KEY}!`), `%63${KEY.slice(6)}`]) {
      assert(findLeaks(text).length > 0, text);
    }
    assertEquals(findLeaks("Connection to http://a (with a key) ***"), []);
  });

  it("F20 was used: the process went to its end, and through every kind of failure", () => {
    const { stdout, stderr, code, files } = result;
    assertStringIncludes(stdout, "--- crash", stderr.slice(-3000));
    assertEquals(code, 1, "the last error is not caught");
    assertStringIncludes(stderr, "the end");
    for (
      const sign of ["(with a key)", "it is a web page", "LicenceError", "ServiceError"]
        .concat("TooManyRequestsError", "NoDataError", "DataFormatError", "Cannot fetch")
        .concat("ConfigurationError", "OrderUncertainError", "PartialError", "text/html", "8760")
    ) assertStringIncludes(stdout, sign);
    const names = [...files.keys()].join("\n");
    for (
      const part of ["/cache/bodies/", "/cache/frames/", "/analysis.lock.json", "/climate.zip"]
    ) {
      assertStringIncludes(names, part);
    }
  });

  it("F20 could have been in every display: frames, tables, connection, events", () => {
    const failed = result.stdout.split("\n").filter((line) => line.startsWith("DISPLAY FAILED"));
    assertEquals(failed, []);
  });

  it("F20 is nowhere in its output, including the crash", () => {
    assertEquals(findLeaks(result.stdout), []);
    assertEquals(findLeaks(result.stderr), []);
  });

  it("F20 is in no file that it wrote: cache, ledger, lock, downloads", () => {
    const leaks = [...result.files].filter(([path, text]) => findLeaks(path + text).length > 0);
    assertEquals(leaks.map(([path]) => path), []);
    assert(result.files.size >= 8, `${result.files.size} files`);
  });

  it("F20 and F18 went only to its own origin, with each request", () => {
    assertEquals(new Set(result.ownKeys), new Set([KEY]));
    assertEquals(result.elsewhere, []);
  });
});

describe("F20 the key in an answer that is read as data", () => {
  let result: ScriptResult;
  beforeAll(async () => {
    result = await runScript(Object.keys(cells));
  });

  for (const mode of Object.keys(cells)) {
    it(`F20 is nowhere in its displays: ${mode}`, () => {
      const displays = result.stdout.split("\n--- ").filter((part) => part.startsWith(`${mode} `));
      assert(displays.length >= 8, `${displays.length} calls`);
      assertEquals(displays.flatMap(findLeaks).slice(0, 3), []);
    });
  }

  it("F20 is nowhere in its displays: all errors with their stacks and causes", () => {
    assertEquals(findLeaks(result.stderr), []);
  });

  it("F20 is in no file, because an unusable body is not stored", () => {
    const leaks = [...result.files].filter(([, text]) => findLeaks(text).length > 0);
    assertEquals(leaks.map(([path, text]) => `${path}: ${text.slice(0, 80)}`), []);
  });
});
