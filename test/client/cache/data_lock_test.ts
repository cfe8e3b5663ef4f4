import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  DataChangedError,
  NoDataError,
  NotCachedError,
  VindkitError,
} from "../../../src/api/errors.ts";
import { DataLock } from "../../../src/client/connection/data_lock.ts";
import { lockData } from "../../../src/client/connection/default_connection.ts";
import { saveClimate } from "../../../src/client/calls/climate_data.ts";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { modelData } from "../../../src/client/calls/model_data.ts";
import { monthlyIndices } from "../../../src/client/calls/monthly_indices.ts";
import { turbineDetails } from "../../../src/client/calls/turbines.ts";
import { monthlyIndex, windIndices } from "../../../src/client/calls/wind_indices.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { CANARY, withServer } from "../_local_server.ts";
import { readLock, withWorld } from "./_locked_server.ts";
import { buildHandler, listFiles, revise, type World } from "./_world.ts";

/** The calls of an analysis. */
async function analyse(connection: Connection) {
  return {
    hours: await modelData("T1", { connection }),
    months: await monthlyIndices("T1", { connection }),
    table: await windIndices("T1", { connection }),
    details: await turbineDetails("T1", { connection }),
  };
}

/** Revises all data of the service. */
function reviseAll(world: World): void {
  revise(world.hours!.T1, "2023-02", 1);
  world.indices!.T1["2024-01"] = 99;
}

/** Runs a test with the home of a machine that has no cache yet. */
async function withFreshHome(body: (home: string) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    await body(home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Accepts a change as its error says: deletes the entry that has the line. */
async function acceptChange(path: string, { hint }: VindkitError): Promise<void> {
  const lines = (await Deno.readTextFile(path)).split("\n");
  const line = Number(/at line (\d+)/.exec(hint!)![1]) - 1;
  const isEnd = (indent: string) => indent.startsWith("    }");
  const first = lines.slice(0, line).findLastIndex((text) => text === "    {");
  const last = lines.findIndex((text, i) => i > line && isEnd(text));
  lines.splice(first, last - first + 1);
  await Deno.writeTextFile(path, lines.join("\n"));
}

describe("lockData()", () => {
  it("records each body once: operation, parameters, hash and time, nothing else", async () => {
    await withWorld(async ({ path, open, url }) => {
      const connection = await open();
      const { hours, months, table } = await analyse(connection);
      await analyse(connection);
      const { vindkit_lock, service, bodies } = await readLock(path);
      assertEquals([vindkit_lock, service], [1, url]);
      const [of, ot] = [provenance(hours)[0], provenance(table)[0]];
      assertEquals([bodies[0], bodies[2]], [
        {
          operation: "model_data",
          parameters: { turbine_id: "T1", start_date: "1940-01-01", end_date: "2100-01-01" },
          sha256: of.sha256[0],
          fetched_at: of.fetchedAt,
        },
        {
          operation: "wind_indices",
          parameters: { turbine_id: "T1" },
          sha256: ot.sha256[0],
          fetched_at: provenance(months)[0].fetchedAt,
        },
      ]);
      assertEquals(bodies.map(({ operation }) => operation), [
        "model_data",
        "turbine_details",
        "wind_indices",
      ]);
      const text = await Deno.readTextFile(path);
      // The lock has no key and no part of the bodies: no name, column or row of figures.
      for (const foreign of [CANARY, "Name of T1", "wind_speed", ",240,9.5,"]) {
        assert(!text.includes(foreign), `${foreign} in ${text}`);
      }
      assert(text.endsWith("}\n"));
    });
  });

  it("writes no file before the first call", async () => {
    await withWorld(async ({ path, open }) => {
      await open();
      await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
    });
  });

  it("M3: gives the same figures and the same origin without a request, also after a revision", async () => {
    await withWorld(async ({ world, open, seen, path }) => {
      const first = await analyse(await open());
      const before = seen.length;
      const text = await Deno.readTextFile(path);
      reviseAll(world);
      const second = await analyse(await open());
      assertEquals(seen.length, before);
      assert(second.hours.frameEqual(first.hours, true));
      assert(second.months.frameEqual(first.months, true));
      assert(second.table.frameEqual(first.table, true));
      assertEquals(second.details, first.details);
      for (const name of ["hours", "months", "table", "details"] as const) {
        assertEquals(provenance(second[name]), provenance(first[name]), name);
      }
      assertEquals(provenance(first.hours)[0].notes, ["fixed by a data lock"]);
      assertEquals(await Deno.readTextFile(path), text);
    });
  });

  it("returns the locked body even if the cache has a newer one, except with refresh", async () => {
    await withWorld(async ({ world, open, connection, seen }) => {
      const first = await windIndices("T1", { connection: await open() });
      reviseAll(world);
      const newer = await windIndices("T1", { connection, cache: "refresh" });
      assertEquals(newer.getColumn("month_index").toArray(), [99, 102]);
      const before = seen.length;
      for (const cache of [undefined, "use", "only"] as const) {
        const options = { connection: await open(), ...(cache ? { cache } : {}) };
        const frame = await windIndices("T1", options);
        assert(frame.frameEqual(first, true), cache);
      }
      assertEquals(seen.length, before);
    });
  });

  it("M5: fetches again with refresh, and says which months changed, by how much, and how to accept it", async () => {
    await withWorld(async ({ world, open, path, seen }) => {
      const { T1 } = world.indices!;
      for (let month = 1; month <= 12; month++) T1[`2023-${String(month).padStart(2, "0")}`] = 100;
      const first = await windIndices("T1", { connection: await open() });
      const refresh = async () =>
        await windIndices("T1", { connection: await open(), cache: "refresh" });
      const before = seen.length;
      assert((await refresh()).frameEqual(first, true), "nothing was revised");
      assertEquals(seen.length, before + 1);
      const text = await Deno.readTextFile(path);
      Object.assign(T1, { "2023-05": 98.625, "2023-08": 90, "2024-03": 103 });
      const error = await assertRejects(refresh, DataChangedError);
      assertMatch(
        error.message,
        /^Cannot use the answer of \S+\/T1\S*: it differs from the answer of \S+Z that \S+ recorded \(the index of 2 of 14 months of T1 changed; the largest change is 2023-08, by \u221210\.00 percentage points; the service added 1 month\)\. To accept/,
      );
      delete T1["2023-08"];
      await assertRejects(
        refresh,
        DataChangedError,
        "and the answer now lacks the index of 2023-08",
      );
      T1["2023-08"] = 90;
      assertStringIncludes(
        error.hint!,
        'To keep the recorded answer, call without cache: "refresh"',
      );
      assert((await windIndices("T1", { connection: await open() })).frameEqual(first, true));
      assertEquals(await Deno.readTextFile(path), text);
      await acceptChange(path, error);
      const revised = await windIndices("T1", { connection: await open() });
      assertEquals(revised.getColumn("month_index").toArray(), Object.values(T1));
    });
  });

  it("M5: reports the change of a single month, and that hours and details have no index to compare", async () => {
    await withWorld(async ({ world, open, path }) => {
      const connection = await open();
      const refresh = { connection, cache: "refresh" } as const;
      await modelData("T1", { connection });
      revise(world.hours!.T1, "2023-02", 1);
      const error = await assertRejects(() => modelData("T1", refresh), DataChangedError);
      assertStringIncludes(
        error.message,
        "the size of the change is unknown, because the answer has no index",
      );
      await acceptChange(path, error);
      await modelData("T1", { connection: await open() });
    });
    let index = 101;
    const answer = () =>
      Response.json({
        turbine_id: "T1",
        year: 2024,
        month: 5,
        monthIndex: index,
        month_abnormality_index: 1,
        last12_month_index: 2,
        last_full_quarter_index: 3,
        last_full_year_index: 4,
        predicted_production: 5,
      });
    await withServer(answer, async ({ connection, home }) => {
      const locked = await lockData(`${home}/a.lock.json`, { connection });
      await monthlyIndex("T1", "2024-05", { connection: locked });
      index = 99;
      await assertRejects(
        () => monthlyIndex("T1", "2024-05", { connection: locked, cache: "refresh" }),
        DataChangedError,
        "the index of 1 of 1 month of T1 changed; the largest change is 2024-05, by \u22122.00 percentage points",
      );
    });
  });

  it("adds later bodies, in an order that does not depend on time", async () => {
    await withWorld(async ({ open, path }) => {
      await windIndices("T1", { connection: await open() });
      await modelData("T1", { connection: await open() });
      const { bodies } = await readLock(path);
      assertEquals(bodies.map(({ operation }) => operation), ["model_data", "wind_indices"]);
    });
  });

  it("records bodies from the cache", async () => {
    await withWorld(async ({ open, path, connection, seen }) => {
      const frame = await windIndices("T1", { connection, cache: "use" });
      const locked = await open();
      await windIndices("T1", { connection: locked, cache: "only" });
      assertEquals(seen.length, 1);
      const { bodies: [{ sha256, fetched_at }] } = await readLock(path);
      const { sha256: [hash], fetchedAt } = provenance(frame)[0];
      assertEquals([sha256, fetched_at], [hash, fetchedAt]);
    });
  });

  it("continues on a machine without a cache if the service has the same data", async () => {
    await withWorld(async ({ open, seen, path }) => {
      const first = await analyse(await open());
      const text = await Deno.readTextFile(path);
      const before = seen.length;
      await withFreshHome(async (home) => {
        const second = await analyse(await open(home));
        assert(second.hours.frameEqual(first.hours, true));
        assertEquals(seen.length, before + 3);
        assertEquals(await Deno.readTextFile(path), text);
        await analyse(await open(home));
        assertEquals(seen.length, before + 3, "it is kept now");
      });
    });
  });

  it("M6: fails without a cache if the service has revised its data, and names the remedies", async () => {
    await withWorld(async ({ world, open, path }) => {
      await analyse(await open());
      const text = await Deno.readTextFile(path);
      reviseAll(world);
      await withFreshHome(async (home) => {
        const connection = await open(home);
        for (
          const call of [
            () => modelData("T1", { connection }),
            () => windIndices("T1", { connection }),
            () => monthlyIndices(["T1"], { connection }),
          ]
        ) {
          const error = await assertRejects(call, DataChangedError);
          assertStringIncludes(error.message, path);
          assertStringIncludes(error.message, "the recorded answer is not in the cache");
          assertStringIncludes(error.hint!, 'copy the folder "cache" in VINDKIT_HOME');
          assertStringIncludes(error.hint!, "delete the entry of the recorded answer (at line ");
        }
        await turbineDetails("T1", { connection });
        await assertRejects(() => windIndices("T1", { connection }), DataChangedError);
      });
      assertEquals(await Deno.readTextFile(path), text);
    });
  });

  it("M4: repeats the error of a turbine without data while the service is away", async () => {
    await withWorld(async ({ open, path, seen, world }) => {
      const first = await assertRejects(
        async () => await windIndices("T9", { connection: await open() }),
        NoDataError,
      );
      const before = seen.length;
      world.indices!.T9 = { "2024-01": 100 };
      const second = await assertRejects(
        async () => await windIndices("T9", { connection: await open() }),
        NoDataError,
      );
      assertEquals([second.message, seen.length], [first.message, before]);
      const { bodies } = await readLock(path);
      assertEquals(bodies.map(({ no_data }) => no_data), [first.message]);
      const changed = await assertRejects(
        async () => await windIndices("T9", { connection: await open(), cache: "refresh" }),
        DataChangedError,
        "the service had no data then",
      );
      await acceptChange(path, changed);
      const table = await windIndices("T9", { connection: await open() });
      assertEquals(table.getColumn("month_index").toArray(), [100]);
    });
  });

  it("M4: repeats the error of a file without data while the service is away", async () => {
    await withServer(() => new Response("no data found", { status: 404 }), async (server) => {
      const locked = await lockData(`${server.home}/a.lock.json`, {
        connection: server.connection,
      });
      const place = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 } as const;
      const path = `${server.home}/climate.csv`;
      const save = () =>
        saveClimate("era5", path, { ...place, fileType: "csv", connection: locked });
      const first = await assertRejects(save, NoDataError);
      const before = server.seen.length;
      const second = await assertRejects(save, NoDataError);
      assertEquals([second.message, server.seen.length], [first.message, before]);
    });
  });

  it("does not replace the user's file with a revised one", async () => {
    let wind = 5;
    const answer = () =>
      new Response(
        `Latitude: 55.5\nLongitude: 7.75\nOrography: 0\ntime\twSpeed.100\n` +
          `2020-01-01T00:00:00Z\t${wind}\n`,
      );
    await withServer(answer, async ({ url, home }) => {
      const path = `${home}/analysis.lock.json`;
      const save = async (home: string, to: string) =>
        await saveClimate("era5", to, {
          latitude: 55.5,
          longitude: 7.75,
          from: 2020,
          to: 2020,
          fileType: "csv",
          connection: await lockData(path, { connection: connect({ url, home }) }),
        });
      const file = `${home}/wind.csv`;
      await save(home, file);
      const text = await Deno.readTextFile(file);
      wind = 6;
      await withFreshHome(async (fresh) => {
        await assertRejects(() => save(fresh, file), DataChangedError);
      });
      assertEquals(await Deno.readTextFile(file), text);
    });
  });

  it("works offline with the stored bodies, and names missing ones", async () => {
    await withWorld(async ({ url, home, path, open, seen }) => {
      const first = await analyse(await open());
      const before = seen.length;
      const offline = async (home: string) =>
        await lockData(path, { connection: connect({ url, home, cache: "only" }) });
      const second = await analyse(await offline(home));
      assert(second.hours.frameEqual(first.hours, true));
      await withFreshHome(async (fresh) => {
        const connection = await offline(fresh);
        const error = await assertRejects(
          () => windIndices("T1", { connection }),
          NotCachedError,
        );
        assertStringIncludes(error.message, "the answer that the data lock names");
      });
      assertEquals(seen.length, before);
    });
  });

  it("is complete with twenty turbines that were requested at once", async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `T${i}`);
    const indices = Object.fromEntries(ids.map((id, i) => [id, { "2024-01": 90 + i }]));
    await withServer(buildHandler({ indices }), async ({ connection, home }) => {
      const path = `${home}/analysis.lock.json`;
      const locked = await lockData(path, { connection });
      const frame = await monthlyIndices(ids, { connection: locked });
      const { bodies } = await readLock(path);
      assertEquals(bodies.length, 20);
      const hashes = bodies.map(({ sha256 }) => sha256).sort();
      assertEquals(hashes, [...provenance(frame)[0].sha256].sort());
      assertEquals(listFiles(home).filter((file) => file.endsWith(".part")), []);
    });
  });

  it("is written by one at a time: an older state never replaces a newer one", async () => {
    await withWorld(async ({ path, url }) => {
      const lock = await DataLock.open(path, url);
      let [open, most] = [0, 0];
      const rename = Deno.rename;
      Deno.rename = async (from, to) => {
        most = Math.max(most, ++open);
        await rename(from, to);
        open--;
      };
      try {
        const bodies = Array.from({ length: 20 }, (_, i) => ({
          operation: "wind_indices" as const,
          parameters: { turbine_id: `T${i}` },
          sha256: String(i % 10).repeat(64),
          fetched_at: "2024-01-01T00:00:00Z",
        }));
        await Promise.all(bodies.map((body) => lock.record(body)));
        const order = (one: { parameters: { turbine_id: string } }) => one.parameters.turbine_id;
        bodies.sort((a, b) => order(a) < order(b) ? -1 : 1);
        assertEquals((await readLock(path)).bodies, bodies);
        assertEquals(most, 1);
      } finally {
        Deno.rename = rename;
      }
    });
  });

  it("does not overwrite a file that was changed into another lock or no lock", async () => {
    await withWorld(async ({ path, open }) => {
      const connection = await open();
      await windIndices("T1", { connection });
      const other = (await Deno.readTextFile(path)).replace(
        /"service": ".*"/,
        '"service": "sample"',
      );
      const calls = [
        ["<<<<<<< HEAD\n", () => turbineDetails("T1", { connection })],
        [other, () => modelData("T1", { connection })],
      ] as const;
      for (const [text, call] of calls) {
        await Deno.writeTextFile(path, text);
        await assertRejects(call, VindkitError, "Cannot write");
        assertEquals(await Deno.readTextFile(path), text);
      }
    });
  });

  it("is not written for each of many bodies: those that arrive during a write share the next one", async () => {
    await withFreshHome(async (home) => {
      const lock = await DataLock.open(`${home}/a.lock.json`, "https://a.example");
      const bodies = Array.from({ length: 400 }, (_, i) => ({
        operation: "wind_indices",
        parameters: { turbine_id: `T${i}` },
        sha256: "0".repeat(64),
        fetched_at: "2024-01-01T00:00:00Z",
      } as const));
      const write = Deno.FsFile.prototype.write;
      let [writes, later]: [number, Promise<unknown>] = [0, Promise.resolve()];
      Deno.FsFile.prototype.write = async function (bytes) {
        if (++writes === 1) later = Promise.all(bodies.slice(1).map((body) => lock.record(body)));
        return await write.call(this, bytes);
      };
      try {
        await lock.record(bodies[0]);
        await later;
      } finally {
        Deno.FsFile.prototype.write = write;
      }
      assertEquals(writes, 2);
      assertEquals((await readLock(`${home}/a.lock.json`)).bodies.length, bodies.length);
    });
  });

  it("throws a specific error if the file cannot be written", async () => {
    await withWorld(async ({ connection, home }) => {
      const locked = await lockData(`${home}/no/folder/a.lock.json`, { connection });
      await assertRejects(() => windIndices("T1", { connection: locked }), VindkitError, "a.lock");
    });
  });
});
