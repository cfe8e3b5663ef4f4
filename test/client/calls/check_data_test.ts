import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ConfigurationError, NotCachedError } from "../../../src/api/errors.ts";
import { lockData } from "../../../src/client/cache/lock_data.ts";
import { checkData } from "../../../src/client/calls/check_data.ts";
import { downloadClimate } from "../../../src/client/calls/climate_data.ts";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { modelData } from "../../../src/client/calls/model_data.ts";
import { turbineDetails } from "../../../src/client/calls/turbines.ts";
import { monthlyIndex, windIndices } from "../../../src/client/calls/wind_indices.ts";
import { provenance } from "../../../src/frames/provenance.ts";
import { table } from "../../../src/show/table/table.ts";
import { randomNumbers } from "../../frames/_random.ts";
import { readColumn, typesOf } from "../_frames.ts";
import { type Handler, type LocalServer, withServer } from "../_local_server.ts";
import {
  buildHandler,
  buildSeries,
  extendSeries,
  groupMonths,
  revise,
  type World,
} from "../cache/_world.ts";

const NAMES = [
  "operation",
  "parameters",
  "month",
  "figure",
  "locked",
  "now",
  "difference",
  "changed_rows",
  "note",
];

const TYPES = ["String", "String", "Date", "String", "Float64", "Float64", "Float64", "Int32"];

interface ServerWithLock extends LocalServer {
  readonly world: World;
  /** A connection with a lock. */
  readonly locked: Connection;
  readonly path: string;
}

/** Runs a test with hours of half a year and some months, both of which may be locked. */
async function withLock(
  body: (checked: ServerWithLock) => Promise<void>,
  spoil: (handler: Handler) => Handler = (handler) => handler,
): Promise<void> {
  const world: World = {
    hours: { T1: buildSeries("Europe/Copenhagen", "2023-01-01", "2023-07-01") },
    indices: { T1: { "2024-01": 101, "2024-02": 102 } },
    details: ["T1"],
  };
  await withServer(spoil(buildHandler(world)), async (server) => {
    const path = `${server.home}/analysis.lock.json`;
    const locked = await lockData(path, { connection: server.connection });
    await body({ ...server, world, locked, path });
  });
}

/** Rows with their months as text. */
function readRows(frame: DataFrame): Record<string, unknown>[] {
  const text = frame.withColumn(pl.col("month").cast(pl.Utf8));
  return text.toRecords();
}

function readNote(frame: DataFrame): string {
  return provenance(frame)[0].notes!.join("; ");
}

function computeMean(values: readonly (number | null)[]): number {
  const found = values.filter((value) => value !== null);
  return found.reduce((sum, value) => sum + value, 0) / found.length;
}

describe("checkData()", () => {
  it("refuses a connection without a lock, and sends nothing", async () => {
    await withLock(async ({ connection, seen }) => {
      const error = await assertRejects(() => checkData({ connection }), ConfigurationError);
      assertStringIncludes(error.message, "lockData(");
      assertEquals(seen.length, 0);
    });
  });

  it("is typed and empty if nothing was revised, and says how many bodies it compared", async () => {
    await withLock(async ({ locked, seen }) => {
      await modelData("T1", { connection: locked });
      await windIndices("T1", { connection: locked });
      const frame = await checkData({ connection: locked });
      assertEquals([frame.height, frame.columns], [0, NAMES]);
      assertEquals(typesOf(frame), [...TYPES, "String"]);
      assertEquals(readNote(frame), "2 locked bodies: 2 as locked, 0 revised, 0 not known");
      assertStringIncludes(String(table(frame)), "2 locked bodies: 2 as locked");
      assertEquals(seen.length, 4, "each body is fetched again");
    });
  });

  it("is typed and empty if nothing is locked yet", async () => {
    await withLock(async ({ locked, seen }) => {
      const frame = await checkData({ connection: locked });
      assertEquals([frame.height, typesOf(frame)], [0, [...TYPES, "String"]]);
      assertEquals(readNote(frame), "0 locked bodies: 0 as locked, 0 revised, 0 not known");
      assertEquals(seen.length, 0);
    });
  });

  it("M5: lists months of hours, the largest difference first: both means, the rows", async () => {
    await withLock(async ({ world, locked }) => {
      const { T1 } = world.hours!;
      await modelData("T1", { connection: locked });
      const old = [...T1.wind];
      revise(T1, "2023-02", 1, 10);
      revise(T1, "2023-04", 0.5);
      const frame = await checkData({ connection: locked });
      assertEquals([frame.columns, typesOf(frame)], [NAMES, [...TYPES, "String"]]);
      const rows = readRows(frame);
      assertEquals(rows.map(({ month, figure, changed_rows }) => [month, figure, changed_rows]), [
        ["2023-04-01", "wind_speed", 720],
        ["2023-02-01", "wind_speed", 10],
      ]);
      for (
        const [i, month, difference] of [[1, "2023-02", 10 / 672], [0, "2023-04", 0.5]] as const
      ) {
        const of = groupMonths(T1).get(month)!;
        assertAlmostEquals(rows[i].locked as number, computeMean(of.map((row) => old[row])), 1e-9);
        assertAlmostEquals(rows[i].now as number, computeMean(of.map((row) => T1.wind[row])), 1e-9);
        assertAlmostEquals(rows[i].difference as number, difference, 1e-9);
        assertEquals(rows[i].operation, "model_data");
        assertStringIncludes(rows[i].parameters as string, "turbine_id=T1");
        assertEquals(rows[i].note, null);
      }
      assertMatch(
        readNote(frame),
        /^2 of the 6 months in the locked answers changed, most 2023-04 of T1, wind_speed [\d.]+ to [\d.]+; 1 locked body: 0 as locked, 1 revised, 0 not known$/,
      );
    });
  });

  it("M5: says first which of the months that were used changed, and by how much", async () => {
    await withLock(async ({ world, locked }) => {
      const { T1 } = world.indices!;
      for (let month = 1; month <= 12; month++) T1[`2023-${String(month).padStart(2, "0")}`] = 100;
      await windIndices("T1", { connection: locked });
      T1["2023-05"] = 98.6;
      const [sentence] = provenance(await checkData({ connection: locked }))[0].notes!;
      assertEquals(
        sentence,
        "1 of the 14 months in the locked answers changed: 2023-05 of T1, month_index 100 to 98.6",
      );
      T1["2023-08"] = 90;
      T1["2024-03"] = 103;
      const [next] = provenance(await checkData({ connection: locked }))[0].notes!;
      assertEquals(
        next,
        "2 of the 14 months in the locked answers changed, most 2023-08 of T1, month_index 100 to 90; 1 new since the lock was written",
      );
    });
  });

  it("lists months of indices, also new ones without anything to compare with", async () => {
    await withLock(async ({ world, locked }) => {
      await windIndices("T1", { connection: locked });
      Object.assign(world.indices!.T1, { "2024-01": 99, "2024-03": 103 });
      const rows = readRows(await checkData({ connection: locked }));
      const [first, ...others] = rows;
      assertEquals(first, {
        operation: "wind_indices",
        parameters: "turbine_id=T1",
        month: "2024-01-01",
        figure: "month_index",
        locked: 101,
        now: 99,
        difference: -2,
        changed_rows: 1,
        note: null,
      });
      assert(others.every(({ month, locked }) => month === "2024-03-01" && locked === null));
      const index = others.find(({ figure }) => figure === "month_index")!;
      assertEquals([index.now, index.difference, index.changed_rows], [103, null, 1]);
    });
  });

  it("lists values and hours that are removed or new", async () => {
    await withLock(async ({ world, locked }) => {
      await modelData("T1", { connection: locked });
      const { T1 } = world.hours!;
      T1.power[groupMonths(T1).get("2023-03")![7]] = null;
      world.hours!.T1 = extendSeries(T1, "2023-07-01", "2023-07-02");
      const found = readRows(await checkData({ connection: locked }))
        .map(({ month, figure, changed_rows }) => [month, figure, changed_rows]);
      assertEquals(found[0], ["2023-03-01", "power", 1]);
      assertEquals(found.slice(1).map(([month, , rows]) => [month, rows]), [
        ...Array(5).fill(["2023-07-01", 24]),
      ]);
    });
  });

  it("finds a change that does not change the mean", async () => {
    await withLock(async ({ world, locked }) => {
      await modelData("T1", { connection: locked });
      const { wind } = world.hours!.T1;
      [wind[0], wind[1]] = [wind[1], wind[0]];
      const [row] = readRows(await checkData({ connection: locked }));
      assertEquals([row.month, row.changed_rows], ["2023-01-01", 2]);
      assertAlmostEquals(row.difference as number, 0, 1e-9);
    });
  });

  it("lists months of climate data", async () => {
    let wind = 5;
    const stamps = ["2020-01-31T23:00:00Z", "2020-02-01T00:00:00Z", "2020-02-01T01:00:00Z"];
    const answer = () =>
      new Response(`time\twSpeed.100\n${stamps.map((stamp) => `${stamp}\t${wind}\n`).join("")}`);
    await withServer(answer, async ({ connection, home }) => {
      const locked = await lockData(`${home}/a.lock.json`, { connection });
      await downloadClimate("era5", {
        latitude: 55.5,
        longitude: 7.75,
        from: 2020,
        to: 2020,
        fileType: "csv",
        connection: locked,
      });
      wind = 7;
      const rows = readRows(await checkData({ connection: locked }));
      assertEquals(
        rows.map(({ month, figure, locked, now, changed_rows }) => [
          month,
          figure,
          locked,
          now,
          changed_rows,
        ]),
        [
          ["2020-01-01", "wind_speed_100", 5, 7, 1],
          ["2020-02-01", "wind_speed_100", 5, 7, 2],
        ],
      );
    });
  });

  it("notes a turbine that no longer exists, and compares the others", async () => {
    await withLock(async ({ world, locked }) => {
      await windIndices("T1", { connection: locked });
      await modelData("T1", { connection: locked });
      delete world.indices!.T1;
      revise(world.hours!.T1, "2023-05", 1);
      const rows = readRows(await checkData({ connection: locked }));
      assertEquals(rows.map(({ operation, month }) => [operation, month]), [
        ["model_data", "2023-05-01"],
        ["wind_indices", null],
      ]);
      assertStringIncludes(rows[1].note as string, "400");
    });
  });

  it("does not report a difference if nothing could be compared", async () => {
    await withLock(async ({ world, locked }) => {
      await windIndices("T1", { connection: locked });
      delete world.indices!.T1;
      const note = readNote(await checkData({ connection: locked }));
      assertStringIncludes(note, "0 revised, 1 not known");
      assert(!note.startsWith("1 locked body compared"), note);
    });
  });

  it("notes a body that differs and that is not in the cache", async () => {
    await withLock(async ({ world, locked, home }) => {
      await windIndices("T1", { connection: locked });
      await Deno.remove(`${home}/cache`, { recursive: true });
      world.indices!.T1["2024-01"] = 99;
      const [row, ...others] = readRows(await checkData({ connection: locked }));
      assertEquals([row.month, row.figure, others.length], [null, null, 0]);
      assertStringIncludes(row.note as string, "not in the cache");
    });
  });

  it("M5: does not say that no month changed where bodies differ without a month or cannot be compared", async () => {
    await withLock(async ({ world, locked, home }) => {
      await windIndices("T1", { connection: locked });
      await modelData("T1", { connection: locked });
      await Deno.remove(`${home}/cache`, { recursive: true });
      world.indices!.T1["2024-01"] = 99;
      delete world.hours!.T1;
      const [sentence] = provenance(await checkData({ connection: locked }))[0].notes!;
      assertEquals(sentence, "1 body differs, where is unknown; 1 body could not be compared");
    });
  });

  it("M5: begins with a figure that vanished", async () => {
    await withLock(async ({ world, locked }) => {
      const { T1 } = world.indices!;
      await windIndices("T1", { connection: locked });
      T1["2024-01"] = 50;
      delete T1["2024-02"];
      const frame = await checkData({ connection: locked });
      const [first] = readRows(frame);
      assertEquals([first.month, first.now], ["2024-02-01", null]);
      assertMatch(
        readNote(frame),
        /^2 of the 2 months in the locked answers changed, most 2024-02 of T1, month_index is missing/,
      );
    });
  });

  it("notes a difference in what has no months", async () => {
    let name = "One";
    const handler: Handler = async (request, number) => {
      const answer = await buildHandler({ details: ["T1"] })(request, number);
      return Response.json({ ...await answer.json(), name });
    };
    await withServer(handler, async ({ connection, home }) => {
      const locked = await lockData(`${home}/a.lock.json`, { connection });
      await turbineDetails("T1", { connection: locked });
      name = "Another";
      const [row] = readRows(await checkData({ connection: locked }));
      assertEquals([row.operation, row.month], ["turbine_details", null]);
      assertStringIncludes(row.note as string, "differs");
    });
  });

  it("notes a single month that differs, with its month", async () => {
    let index = 101;
    const handler: Handler = () =>
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
    await withServer(handler, async ({ connection, home }) => {
      const locked = await lockData(`${home}/a.lock.json`, { connection });
      await monthlyIndex("T1", "2024-05", { connection: locked });
      index = 99;
      const [row] = readRows(await checkData({ connection: locked }));
      assertEquals([row.month, row.figure, row.difference], ["2024-05-01", "month_index", -2]);
    });
  });

  it("notes a body that can no longer be read, and compares the others", async () => {
    let broken = false;
    const spoil = (handler: Handler): Handler => (request, number) =>
      broken && request.url.includes("wind_indices")
        ? new Response("year,month\n2024,1,5\n")
        : handler(request, number);
    await withLock(async ({ world, locked }) => {
      await windIndices("T1", { connection: locked });
      await modelData("T1", { connection: locked });
      broken = true;
      revise(world.hours!.T1, "2023-05", 1);
      const rows = readRows(await checkData({ connection: locked }));
      assertEquals(rows.map(({ operation }) => operation), ["model_data", "wind_indices"]);
    }, spoil);
  });

  it("does not change the lock and the locked figures", async () => {
    await withLock(async ({ world, locked, path, seen }) => {
      const first = await modelData("T1", { connection: locked });
      const text = await Deno.readTextFile(path);
      revise(world.hours!.T1, "2023-05", 1);
      await checkData({ connection: locked });
      assertEquals(await Deno.readTextFile(path), text);
      const before = seen.length;
      assert((await modelData("T1", { connection: locked })).frameEqual(first, true));
      assertEquals(seen.length, before);
    });
  });

  it("sends nothing offline", async () => {
    await withLock(async ({ locked, url, home, path, seen }) => {
      await windIndices("T1", { connection: locked });
      const connection = await lockData(path, {
        connection: connect({ url, home, cache: "only" }),
      });
      await assertRejects(() => checkData({ connection }), NotCachedError);
      assertEquals(seen.length, 1);
    });
  });

  it("ends with its signal", async () => {
    await withLock(async ({ locked, seen }) => {
      await windIndices("T1", { connection: locked });
      const signal = AbortSignal.abort(new DOMException("enough", "AbortError"));
      await assertRejects(() => checkData({ connection: locked, signal }), DOMException, "enough");
      assertEquals(seen.length, 1);
    });
  });

  it("finds exactly the months that were changed, whatever was changed (property, seeded)", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = randomNumbers(seed);
      const zone = ["Europe/Copenhagen", "Asia/Kolkata", "America/St_Johns", "UTC"][seed % 4];
      const start = `2023-0${1 + random(4)}-${10 + random(15)}`;
      const world: World = { hours: { T1: buildSeries(zone, start, "2023-12-01") } };
      await withServer(buildHandler(world), async ({ connection, home }) => {
        const locked = await lockData(`${home}/a.lock.json`, { connection });
        await modelData("T1", { connection: locked });
        const { wind, power } = world.hours!.T1;
        const changed = new Map<string, Set<number>>();
        for (const [month, rows] of groupMonths(world.hours!.T1)) {
          if (random(2) === 0) continue;
          const hit = new Set<number>();
          for (let i = 1 + random(20); i > 0; i--) {
            const row = [rows[0], rows.at(-1)!, rows[random(rows.length)]][random(3)];
            const values = random(2) === 0 ? wind : power;
            values[row] = random(5) === 0 ? null : (values[row] ?? 0) + 1 + random(3);
            hit.add(row);
          }
          changed.set(`${month}-01`, hit);
        }
        const frame = await checkData({ connection: locked });
        const found = readRows(frame);
        assertEquals(
          [...new Set(found.map(({ month }) => month as string))].sort(),
          [...changed.keys()].sort(),
          `seed ${seed}`,
        );
        for (const [month, hit] of changed) {
          const counts = found.filter((row) => row.month === month)
            .map((row) => row.changed_rows as number);
          assert(Math.max(...counts) <= hit.size, `seed ${seed}`);
          assert(counts.reduce((sum, count) => sum + count) >= hit.size, `seed ${seed}`);
        }
        assertEquals(readColumn(frame, "note").every((note) => note === null), true);
      });
    }
  });
});
