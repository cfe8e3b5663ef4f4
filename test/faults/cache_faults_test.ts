import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError, NotCachedError } from "../../src/api/errors.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { windIndices } from "../../src/client/calls/wind_indices.ts";
import { hashFile } from "../../src/disk/hashes.ts";
import { buildHandler, buildSeries, HOURS_HEADER, listFiles } from "../client/cache/_world.ts";
import { withServer } from "../client/_local_server.ts";

const CHILD = new URL("../client/cache/_cache_process.ts", import.meta.url).pathname;
const ZONE = "Europe/Copenhagen";

/** Modes do not bind root: without its capabilities they do. */
const WITHOUT_RIGHTS = 'exec setpriv --bounding-set=-all --inh-caps=-all "$0" run -q --no-prompt ' +
  '--allow-all "$@"';

/** Two months of hours: 70 kB of text. */
const buildHours = () => ({ T1: buildSeries(ZONE, "2023-01-01", "2023-03-01") });

const buildWorldHandler = () =>
  buildHandler({ hours: buildHours(), indices: { W1: { "2024-01": 101 } } });

/** Starts a process that reads through the cache, under the limits of the shell. */
function start(limits: string, args: readonly string[]): Deno.ChildProcess {
  const run = `exec "$0" run -q --no-prompt --allow-all "$@"`;
  return new Deno.Command("bash", {
    args: ["-c", `${limits}${run}`, Deno.execPath(), CHILD, ...args],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Reads the output of the process: height and notes of each frame. */
async function readOutput(child: Deno.ChildProcess): Promise<[height: number, notes: string][]> {
  const { code, stdout, stderr } = await child.output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Checks that each complete file of the cache has the hash of its name. */
async function assertWhole(home: string): Promise<void> {
  for (const file of listFiles(`${home}/cache`)) {
    const path = `${home}/cache${file}`;
    if (path.endsWith(".part")) continue;
    if (file.startsWith("/entries/")) JSON.parse(await Deno.readTextFile(path));
    else {assertEquals(
        await hashFile(path),
        file.split("/")[2].replace(".parquet", "").split(".").at(-1),
        file,
      );}
  }
}

describe("F39 a disk that is full", () => {
  const full = "trap '' XFSZ; ulimit -f";

  it("does not fail a call: the frame notes that it was not stored, and no file is left", async () => {
    await withServer(buildWorldHandler(), async ({ url, home, seen }) => {
      const [[height, notes], [rows, others]] = await readOutput(
        start(`${full} 16; `, [url, home, "use", "T1", "W1"]),
      );
      assertEquals(height, buildHours().T1.wind.length);
      assertStringIncludes(notes, "not stored in the cache: ");
      assertEquals([rows, others], [1, ""], "what is small has room");
      assertEquals(listFiles(home).filter((file) => file.endsWith(".part")), []);
      await assertWhole(home);
      const connection = connect({ url, home, cache: "only" });
      await assertRejects(() => modelData("T1", { connection }), NotCachedError);
      assertEquals((await windIndices("W1", { connection })).height, 1);
      assertEquals(seen.length, 2);
    });
  });

  it("does not fail a call even if nothing can be written", async () => {
    await withServer(buildWorldHandler(), async ({ url, home }) => {
      const [[height, notes]] = await readOutput(start(`${full} 0; `, [url, home, "use", "W1"]));
      assertEquals(height, 1);
      assertStringIncludes(notes, "not stored in the cache: ");
      assertEquals(listFiles(home), []);
    });
  });

  it("does not change bodies stored earlier", async () => {
    const data = buildHours();
    await withServer(buildHandler({ hours: data }), async ({ url, home }) => {
      const connection = connect({ url, home, cache: "use" });
      const first = await modelData("T1", { connection });
      data.T1.wind[0] = 99;
      const [[, notes]] = await readOutput(start(`${full} 16; `, [url, home, "use", "T1"]));
      assertStringIncludes(notes, "not stored");
      const stored = await modelData("T1", { connection, cache: "only" });
      assert(stored.frameEqual(first, true));
    });
  });
});

describe("F39 a disk that cannot be written to", () => {
  it("is reported if there can be no cache at all, before anything is sent", async () => {
    await withServer(buildWorldHandler(), async ({ url, home, seen }) => {
      await Deno.writeTextFile(`${home}/file`, "");
      const connection = connect({ url, home: `${home}/file/below`, cache: "use" });
      const error = await assertRejects(
        () => windIndices("W1", { connection }),
        ConfigurationError,
      );
      assertStringIncludes(error.message, `${home}/file/below/cache`);
      assertEquals(seen.length, 0);
    });
  });

  it("returns stored bodies, and new frames with a note that they were not stored", async () => {
    await withServer(buildWorldHandler(), async ({ url, home }) => {
      await windIndices("W1", { connection: connect({ url, home, cache: "use" }) });
      const folders = ["entries", "bodies", "frames"].map((part) => `${home}/cache/${part}`);
      for (const folder of folders) await Deno.chmod(folder, 0o500);
      // Modes do not bind root: without its capabilities they do.
      const bound = `[ "$(id -u)" = 0 ] && ${WITHOUT_RIGHTS}; `;
      const only = await readOutput(start(bound, [url, home, "only", "W1"]));
      assertEquals(only, [[1, "from the cache"]]);
      const [[height, notes]] = await readOutput(start(bound, [url, home, "use", "T1"]));
      assertEquals(height, buildHours().T1.wind.length);
      assertStringIncludes(notes, "not stored in the cache");
      for (const folder of folders) await Deno.chmod(folder, 0o700);
    });
  });
});

describe("F39 two processes on one cache", () => {
  it("both succeed, and the cache is complete", async () => {
    const ids = Array.from({ length: 8 }, (_, i) => `T${i}`);
    const all = Object.fromEntries(ids.map((id) => [id, buildHours().T1]));
    await withServer(buildHandler({ hours: all }), async ({ url, home }) => {
      const outputs = await Promise.all(
        [ids, ids.toReversed(), ids].map((order) =>
          readOutput(start("", [url, home, "refresh", ...order]))
        ),
      );
      for (const frames of outputs) {
        assertEquals(frames, ids.map(() => [buildHours().T1.wind.length, ""]));
      }
      await assertWhole(home);
      assertEquals(listFiles(home).filter((file) => file.endsWith(".part")), []);
      const connection = connect({ url, home, cache: "only" });
      for (const id of ids) {
        assertEquals((await modelData(id, { connection })).height, buildHours().T1.wind.length);
      }
    });
  });
});

describe("F39 a process that is killed while it writes", () => {
  it("leaves only parts, which are never used", async () => {
    const half = Promise.withResolvers<void>();
    const honest = buildHandler({ hours: buildHours() });
    let stalls = true;
    await withServer(async (request, number) => {
      if (!stalls) return await honest(request, number);
      const aborted = Promise.withResolvers<void>();
      request.signal.addEventListener("abort", () => aborted.resolve());
      const line = "2023-01-01T00:00+01:00,5,240,9.5,1.24,300\n";
      const body = new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode(`${HOURS_HEADER}\n${line}`));
          half.resolve();
          await aborted.promise;
          try {
            controller.close();
          } catch {
            // it is closed
          }
        },
      });
      return new Response(body, { headers: { "vindkit-time-zone": ZONE } });
    }, async ({ url, home, connection }) => {
      await Deno.mkdir(`${home}/cache/bodies`, { recursive: true, mode: 0o700 });
      const watcher = Deno.watchFs(`${home}/cache/bodies`);
      const child = start("", [url, home, "use", "T1"]);
      for await (const { kind } of watcher) if (kind === "modify") break; // a part has bytes now
      await half.promise;
      child.kill("SIGKILL");
      assertEquals((await child.output()).signal, "SIGKILL");
      const files = listFiles(home);
      assertEquals(files.length, 1);
      assert(files[0].startsWith("/cache/bodies/") && files[0].endsWith(".part"), files[0]);
      const only = { connection, cache: "only" } as const;
      await assertRejects(() => modelData("T1", only), NotCachedError);
      stalls = false;
      const frame = await modelData("T1", { connection, cache: "use" });
      assertEquals(frame.height, buildHours().T1.wind.length);
      assert((await modelData("T1", only)).frameEqual(frame, true));
    });
  });
});
