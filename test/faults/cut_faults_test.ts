/**
 * Truncated bodies, end to end: with and without a sign of it on the wire.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { NetworkError, VindkitError } from "../../src/api/errors.ts";
import type { OperationId } from "../../src/api/operations/operation.ts";
import { operations } from "../../src/api/operations/operations.ts";
import { downloadClimate } from "../../src/client/calls/climate_data.ts";
import type { Connection } from "../../src/client/connection/connection.ts";
import { MAX_TRIES } from "../../src/client/http/retries.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { turbines } from "../../src/client/calls/turbines.ts";
import { windIndices } from "../../src/client/calls/wind_indices.ts";
import { provenance } from "../../src/frames/origin/provenance.ts";
import { type Fault, type ServiceUnderTest, withService } from "./_with_service.ts";
import type { CutAct } from "./_fault.ts";
import { withoutPauses } from "./_reads.ts";

const climate = { latitude: 55.5, longitude: 7.75, from: 2023, to: 2023 };

/** Calls whose frames are compared with an honest service's. */
const calls = {
  turbines: (connection: Connection) => turbines({ connection }),
  model_data: (connection: Connection) =>
    modelData("T1", { from: "2024-01-01", to: "2024-01-02", connection }),
  wind_indices: (connection: Connection) => windIndices("T1", { connection }),
  download_climate: (connection: Connection) => downloadClimate("era5", { ...climate, connection }),
} as const satisfies Partial<Record<OperationId, unknown>>;

type Call = keyof typeof calls;

/** Fetches the correct bytes for a request. */
async function fetchHonest({ url, key }: ServiceUnderTest, path: string): Promise<Uint8Array> {
  return await (await fetch(url + path, { headers: { "x-auth": key.reveal() } })).bytes();
}

/** Finds the share of a body at which its first lines end. */
function findShare(body: Uint8Array, lines: number): number {
  let end = 0;
  for (let i = 0; i < lines; i++) end = body.indexOf(10, end) + 1;
  return (end + 0.5) / body.length;
}

async function listFiles(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) paths.push(...await listFiles(path));
    else paths.push(path);
  }
  return paths;
}

/** Runs the call without a fault, then with a fault that is built from the correct body. */
async function runHonestThenFaulty(
  id: Call,
  fault: (body: Uint8Array) => Omit<Fault, "on">,
  test: (
    service: ServiceUnderTest & { readonly paths: () => string[]; readonly rows: number },
  ) => Promise<void>,
): Promise<void> {
  await withService(async (service) => {
    const rows = (await calls[id](service.connection)).height;
    const [{ path }] = service.requests;
    const body = await fetchHonest(service, path);
    service.inject({ on: id, ...fault(body) });
    const before = service.requests.length;
    await test({
      ...service,
      rows,
      paths: () => service.requests.slice(before).map((request) => request.path),
    });
    assertEquals(
      (await listFiles(service.connection.home)).filter((file) =>
        /\/(new|direct)|\.part|tmp/.test(file)
      ),
      [],
      "a temporary file stayed behind",
    );
  });
}

describe("F3 a body without a length that breaks off", () => {
  beforeAll(withoutPauses.before);
  afterAll(withoutPauses.after);

  const close = (at: number): CutAct => ({ kind: "cut", framing: "close", at });
  const cuts: Readonly<Record<string, (body: Uint8Array) => number>> = {
    "within a row": (body) => findShare(body, 20) + 9 / body.length,
    "within the last row": (body) => (body.length - 4.5) / body.length,
    "exactly at the end of a row": (body) => findShare(body, 20),
    "exactly before the last row": (body) =>
      (body.subarray(0, -1).lastIndexOf(10) + 1.5) / body.length,
    "exactly at the end of the header": (body) => findShare(body, 1),
    "before its first byte": () => 0,
  };
  const tables = ["model_data", "wind_indices"] as const;

  it("F3 concerns each operation that answers with a table", () => {
    const all = operations.filter(({ success }) => success.kind === "csv").map(({ id }) => id);
    assertEquals(all, [...tables]);
  });

  for (const id of tables) {
    for (const [where, at] of Object.entries(cuts)) {
      it(`F3 ${id} ${where}: is not accepted, fetched again, the right frame in the end`, async () => {
        await runHonestThenFaulty(id, (body) => ({ act: close(at(body)) }), async (service) => {
          const frame = await calls[id](service.connection);
          assertEquals(frame.height, service.rows);
          assert(service.paths().length >= 2, service.paths().join("\n"));
        });
      });
    }

    it(`F3 ${id} within a row, each time: a network error after three tries, never stored`, async () => {
      const fault = (body: Uint8Array) => ({
        times: Infinity,
        act: close(cuts["within a row"](body)),
      });
      await runHonestThenFaulty(id, fault, async ({ connection, paths }) => {
        for (const cache of ["use", "refresh"] as const) {
          const options = { connection, cache };
          const days = { from: "2024-01-01", to: "2024-01-02" };
          const call = () =>
            id === "model_data"
              ? modelData("T1", { ...options, ...days })
              : windIndices("T1", options);
          await assertRejects(call, NetworkError, "length");
        }
        assertEquals(paths().length, 2 * MAX_TRIES);
        assertEquals((await listFiles(connection.home)).filter((f) => f.includes("/cache/")), []);
      });
    });
  }

  it("F3 model_data at half, each time: never a frame, never stored", async () => {
    await withService(async ({ connection, requests }) => {
      const options = { from: "2024-01-01", to: "2024-02-29", connection, cache: "use" } as const;
      await assertRejects(() => modelData("T1", options), NetworkError, "length");
      assert(requests.length >= MAX_TRIES, `${requests.length} requests`);
      assertEquals((await listFiles(connection.home)).filter((f) => f.includes("/cache/")), []);
    }, { faults: [{ on: "model_data", times: Infinity, act: close(0.5) }] });
  });

  it("F3 complete: is used after a check of its end, and not stored", async () => {
    const fault = () => ({ times: Infinity, act: close(1) });
    await runHonestThenFaulty("model_data", fault, async ({ connection, rows, paths }) => {
      const options = { from: "2024-01-01", to: "2024-01-02", connection, cache: "use" } as const;
      for (const looks of [2, 4]) {
        const frame = await modelData("T1", options);
        assertEquals([frame.height, paths().length], [rows, looks]);
        assert(
          provenance(frame)[0].notes?.some((note) => note.startsWith("not stored in the cache")),
        );
      }
      assertEquals((await listFiles(connection.home)).filter((f) => f.includes("/cache/")), []);
    });
  });

  it("F3 JSON: is not accepted and not stored", async () => {
    await withService(async ({ connection }) => {
      const call = () => turbines({ connection, cache: "use" });
      await assertRejects(call, VindkitError);
      assertEquals((await listFiles(connection.home)).filter((f) => f.includes("/cache/")), []);
    }, { faults: [{ on: "turbines", times: Infinity, act: close(0.5) }] });
  });

  it("F3 a climate file: is not accepted and not stored", async () => {
    const fault = (body: Uint8Array) => ({
      times: Infinity,
      act: close((body.length - 0.5) / body.length - 0.3),
    });
    await runHonestThenFaulty("download_climate", fault, async ({ connection }) => {
      const call = () => downloadClimate("era5", { ...climate, connection, cache: "use" });
      await assertRejects(call);
      assertEquals((await listFiles(connection.home)).filter((f) => f.includes("/cache/")), []);
    });
  });

  it("F3 a climate table that ends at a row: is not accepted", async () => {
    await withService(async (service) => {
      const { connection, requests, inject } = service;
      const options = { ...climate, fileType: "csv", connection } as const;
      const { height } = await downloadClimate("era5", options);
      const body = await fetchHonest(service, requests[0].path);
      inject({ on: "download_climate", act: close(findShare(body, 4000)) });
      const again = await downloadClimate("era5", options).catch((error) => error as Error);
      assert(again instanceof Error || again.height === height, "a frame with rows missing");
    });
  });
});

describe("F4 a body that breaks off, as its framing shows", () => {
  beforeAll(withoutPauses.before);
  afterAll(withoutPauses.after);

  const names = {
    length: "a short Content-Length",
    chunked: "a broken chunk",
    gzip: "a truncated gzip",
  } as const;
  for (const [framing, name] of Object.entries(names) as [keyof typeof names, string][]) {
    for (const id of Object.keys(calls) as Call[]) {
      for (const at of framing === "gzip" ? [0.2, 0.9] : [0, 0.5, 1]) {
        it(`F4 ${name} of ${id} at ${at} is fetched again completely`, async () => {
          const act: CutAct = { kind: "cut", framing, at };
          await runHonestThenFaulty(id, () => ({ act }), async ({ connection, rows, paths }) => {
            assertEquals((await calls[id](connection)).height, rows);
            assertEquals(paths().length, 2);
          });
        });
      }

      it(`F4 ${name} of ${id}, each time, is an error after three tries; nothing is stored`, async () => {
        const fault = () => ({ times: Infinity, act: { kind: "cut", framing } as const });
        await runHonestThenFaulty(id, fault, async ({ connection, paths }) => {
          const call = () => calls[id](connection);
          await assertRejects(call, NetworkError);
          assertEquals(paths().length, MAX_TRIES);
        });
      });
    }
  }

  it("F4 leaves no part of it in the cache", async () => {
    const cut = (framing: CutAct["framing"]): Fault => ({
      on: "model_data",
      act: { kind: "cut", framing },
    });
    await withService(async ({ connection, requests }) => {
      const options = { from: "2024-01-01", to: "2024-01-02", connection, cache: "use" } as const;
      await assertRejects(() => modelData("T1", options), NetworkError);
      assertEquals((await listFiles(connection.home)).filter((f) => f.includes("/cache/")), []);
      assertEquals((await modelData("T1", options)).height, 48);
      const bodies = (await listFiles(connection.home)).filter((f) => f.includes("/bodies/"));
      assertEquals([bodies.length, requests.length], [1, MAX_TRIES + 1]);
      assertEquals(await Deno.readFile(bodies[0]).then((b) => b.at(-1)), 10);
    }, { faults: [cut("length"), cut("chunked"), cut("gzip")] });
  });
});
