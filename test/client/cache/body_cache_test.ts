import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import { ConfigurationError, NotCachedError } from "../../../src/api/errors.ts";
import { downloadClimate } from "../../../src/client/calls/climate_data.ts";
import { modelData } from "../../../src/client/calls/model_data.ts";
import type { CacheMode } from "../../../src/client/connection/settings.ts";
import { windIndices } from "../../../src/client/calls/wind_indices.ts";
import { sha256 } from "../../../src/disk/hashes.ts";
import { type LocalServer, withServer } from "../_local_server.ts";
import { buildHandler, buildSeries, listFiles } from "./_world.ts";

/** Data that an attacker puts into the cache. */
const FORGED = "time,wind_speed,wind_direction,temperature,air_density,power\n" +
  "2023-01-01T00:00+01:00,99,240,9.5,1.24,9999\n";

const CLIMATE = "Latitude: 55.5\nLongitude: 7.75\nOrography: 0\ntime\twSpeed.100\n" +
  "2020-01-01T00:00:00Z\t5\n";

interface SeriesServer extends LocalServer {
  readonly folder: string;
  readonly frame: DataFrame;
  read(cache: CacheMode): Promise<DataFrame>;
}

/** Runs a test with a year of model data in the cache. */
async function withStoredSeries(body: (server: SeriesServer) => Promise<void>): Promise<void> {
  const hours = { T1: buildSeries("Europe/Copenhagen", "2023-01-01", "2024-01-01") };
  await withServer(buildHandler({ hours }), async (server) => {
    const read = (cache: CacheMode) => modelData("T1", { connection: server.connection, cache });
    const frame = await read("use");
    await body({ ...server, folder: `${server.home}/cache`, frame, read });
  });
}

/** Paths of the files in a part of the cache. */
function listCacheFiles({ folder }: SeriesServer, part: "entries" | "bodies" | "frames"): string[] {
  return listFiles(`${folder}/${part}`).map((file) => `${folder}/${part}${file}`);
}

/** Replaces the content of the entries. */
async function rewriteEntries(
  server: SeriesServer,
  change: (entry: Record<string, unknown>) => unknown,
): Promise<void> {
  for (const path of listCacheFiles(server, "entries")) {
    const entry = JSON.parse(await Deno.readTextFile(path));
    const changed = change(entry);
    await Deno.writeTextFile(path, typeof changed === "string" ? changed : JSON.stringify(changed));
  }
}

async function removeFrames(server: SeriesServer): Promise<void> {
  for (const path of listCacheFiles(server, "frames")) await Deno.remove(path);
}

async function flipByte(path: string): Promise<void> {
  const bytes = await Deno.readFile(path);
  bytes[Math.floor(bytes.length / 2)] ^= 1;
  await Deno.writeFile(path, bytes);
}

/** Ways to damage a stored body so that it cannot be used at all. */
const waysToSpoil: Readonly<Record<string, (server: SeriesServer) => Promise<void>>> = {
  "a byte of the body is another one": async (server) => {
    await removeFrames(server);
    for (const path of listCacheFiles(server, "bodies")) await flipByte(path);
  },
  "the body is another one": async (server) => {
    await removeFrames(server);
    for (const path of listCacheFiles(server, "bodies")) await Deno.writeTextFile(path, FORGED);
  },
  "the body is truncated": async (server) => {
    await removeFrames(server);
    for (const path of listCacheFiles(server, "bodies")) await Deno.truncate(path, 1000);
  },
  "the body is missing": async (server) => {
    await removeFrames(server);
    for (const path of listCacheFiles(server, "bodies")) await Deno.remove(path);
  },
  "the body is a link to the same bytes": async (server) => {
    await removeFrames(server);
    for (const path of listCacheFiles(server, "bodies")) {
      await Deno.rename(path, `${server.home}/moved`);
      await Deno.symlink(`${server.home}/moved`, path);
    }
  },
  "the body is a folder": async (server) => {
    await removeFrames(server);
    for (const path of listCacheFiles(server, "bodies")) {
      await Deno.remove(path);
      await Deno.mkdir(path);
    }
  },
  "the entry names another place": (server) =>
    rewriteEntries(server, (entry) => ({ ...entry, place: "https://other.example" })),
  "the entry names another operation": (server) =>
    rewriteEntries(server, (entry) => ({ ...entry, operation: "wind_indices" })),
  "the entry names other parameters": (server) =>
    rewriteEntries(server, (entry) => ({ ...entry, parameters: { turbine_id: "T2" } })),
  "NB10 the entry has a header that is none": (server) =>
    rewriteEntries(server, (entry) => ({ ...entry, headers: { "content type": "text\u0000" } })),
  "the entry has a field too many": (server) =>
    rewriteEntries(server, (entry) => ({ ...entry, run: "rm -rf" })),
  "the entry lacks its hash": (server) =>
    rewriteEntries(server, ({ sha256: _, ...entry }) => entry),
  "the hash leads out of the folder": (server) =>
    rewriteEntries(server, (entry) => ({ ...entry, sha256: "../../moved", frame: "../../moved" })),
  "the entry is not JSON": (server) => rewriteEntries(server, () => "<html>"),
  "the entry is truncated": (server) =>
    rewriteEntries(server, (entry) => JSON.stringify(entry).slice(0, 40)),
  "the entry is empty": (server) => rewriteEntries(server, () => ""),
  "the entry is null": (server) => rewriteEntries(server, () => null),
  "the entry is a folder": async (server) => {
    for (const path of listCacheFiles(server, "entries")) {
      await Deno.remove(path);
      await Deno.mkdir(`${path}/x`, { recursive: true });
    }
  },
};

describe("F29 a stored body", () => {
  it("is used if it is unaltered", async () => {
    await withStoredSeries(async ({ read, frame, seen }) => {
      assert((await read("only")).frameEqual(frame, true));
      assertEquals(seen.length, 1);
    });
  });

  for (const [label, spoil] of Object.entries(waysToSpoil)) {
    it(`is not used offline if ${label}`, async () => {
      await withStoredSeries(async (server) => {
        await spoil(server);
        await assertRejects(() => server.read("only"), NotCachedError);
        assertEquals(server.seen.length, 1);
      });
    });

    it(`is fetched again if ${label}`, async () => {
      await withStoredSeries(async (server) => {
        await spoil(server);
        const frame = await server.read("use");
        assert(frame.frameEqual(server.frame, true));
        const { query } = server.seen.at(-1)!;
        assertEquals(query.get("start_date"), "1940-01-01", "all of it");
      });
    });
  }

  it("is stored again if its bytes were altered", async () => {
    await withStoredSeries(async (server) => {
      await waysToSpoil["the body is another one"](server);
      await server.read("use");
      assert((await server.read("only")).frameEqual(server.frame, true));
    });
  });

  for (
    const [label, alter] of Object.entries<(path: string) => Promise<void>>({
      "altered": flipByte,
      "garbage": (path) => Deno.writeTextFile(path, "PAR1"),
      "a link": async (path) => {
        await Deno.rename(path, `${path}.moved`);
        await Deno.symlink(`${path}.moved`, path);
      },
      "missing": (path) => Deno.remove(path),
    })
  ) {
    it(`is read from the body if its frame is ${label}`, async () => {
      await withStoredSeries(async (server) => {
        for (const path of listCacheFiles(server, "frames")) await alter(path);
        const frame = await server.read("only");
        assert(frame.frameEqual(server.frame, true));
        assertEquals(server.seen.length, 1);
      });
    });
  }

  it("is read from the body if its entry names the frame of another one", async () => {
    await withStoredSeries(async (server) => {
      const { connection } = server;
      await modelData("T1", { connection, from: "2023-02-01", to: "2023-02-02", cache: "use" });
      const names = listCacheFiles(server, "frames").map((path) =>
        path.split("/").at(-1)!.split(".")[0]
      );
      assertEquals(names.length, 2);
      await rewriteEntries(server, (entry) => ({
        ...entry,
        frame: names.find((name) => name !== entry.frame),
      }));
      assertEquals((await server.read("only")).height, server.frame.height);
    });
  });

  it("of climate data is not used if it was altered or is a link", async () => {
    const options = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 } as const;
    await withServer(() => new Response(CLIMATE), async ({ connection, home, seen }) => {
      const read = (cache: CacheMode) =>
        downloadClimate("era5", { ...options, fileType: "csv", connection, cache });
      const frame = await read("use");
      const path = `${home}/cache/bodies/${sha256(CLIMATE)}`;
      await flipByte(path);
      await assertRejects(() => read("only"), NotCachedError);
      assert((await read("use")).frameEqual(frame, true));
      assertEquals(seen.length, 2);
      await Deno.rename(path, `${home}/moved`);
      await Deno.symlink(`${home}/moved`, path);
      await assertRejects(() => read("only"), NotCachedError);
    });
  });
});

describe("F29 the cache's folder", () => {
  const call = ({ connection }: LocalServer, cache: CacheMode) =>
    windIndices("T1", { connection, cache });

  /** Checks that a folder open to other users is not used, and no request is sent. */
  async function assertRefused(
    spoil: (folder: string, home: string) => Promise<void>,
    message: string,
  ): Promise<void> {
    await withServer(buildHandler({ indices: { T1: { "2024-01": 101 } } }), async (server) => {
      await call(server, "use");
      await spoil(`${server.home}/cache`, server.home);
      for (const mode of ["use", "refresh", "only"] as const) {
        const error = await assertRejects(() => call(server, mode), ConfigurationError);
        assertStringIncludes(error.message, message);
      }
      assertEquals(server.seen.length, 1);
    });
  }

  for (const part of ["", "/entries", "/bodies", "/frames"]) {
    for (const mode of [0o777, 0o770, 0o750, 0o740, 0o710, 0o707, 0o705, 0o701]) {
      it(`is refused with mode ${mode.toString(8)} of cache${part}`, async () => {
        await assertRefused(
          (folder) => Deno.chmod(folder + part, mode),
          `other users may enter it (mode ${mode.toString(8)})`,
        );
      });
    }

    it(`is refused if cache${part} is a link`, async () => {
      await assertRefused(async (folder, home) => {
        await Deno.rename(folder + part, `${home}/elsewhere`);
        await Deno.symlink(`${home}/elsewhere`, folder + part);
      }, "it is a symbolic link");
    });

    it(`is refused if cache${part} is a file`, async () => {
      await assertRefused(async (folder) => {
        await Deno.remove(folder + part, { recursive: true });
        await Deno.writeTextFile(folder + part, "");
      }, "Cannot use the cache");
    });
  }

  it("and each file in it belong only to the owner", async () => {
    await withStoredSeries(async ({ folder }) => {
      for (const part of ["", "/entries", "/bodies", "/frames"]) {
        assertEquals((await Deno.stat(folder + part)).mode! & 0o777, 0o700, part);
      }
      const files = listFiles(folder);
      assertEquals(files.length, 4, "a body, a frame, an entry and the latest one");
      for (const file of files) {
        assertEquals((await Deno.stat(folder + file)).mode! & 0o777, 0o600, file);
      }
    });
  });
});
