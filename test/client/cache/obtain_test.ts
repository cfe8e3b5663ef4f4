import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import { ArgumentError, DataFormatError, NotCachedError } from "../../../src/api/errors.ts";
import {
  coverage,
  datasets,
  downloadClimate,
  saveClimate,
} from "../../../src/client/calls/climate_data.ts";
import { connect } from "../../../src/client/connection/connection.ts";
import type { CallOptions } from "../../../src/client/connection/default_connection.ts";
import { modelData } from "../../../src/client/calls/model_data.ts";
import { monthlyIndices } from "../../../src/client/calls/monthly_indices.ts";
import { orderAndWait } from "../../../src/client/orders/place_order.ts";
import { monthlyReport, reportMonths, reportTurbines } from "../../../src/client/calls/reports.ts";
import type { CacheMode } from "../../../src/client/connection/settings.ts";
import { turbineDetails, turbines } from "../../../src/client/calls/turbines.ts";
import { monthlyIndex, windIndices } from "../../../src/client/calls/wind_indices.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import type { Fault } from "../../faults/_fault.ts";
import { type ServiceUnderTest, withService } from "../../faults/_with_service.ts";
import { SHARED_SAMPLE } from "../../service/_sample.ts";
import { typesOf } from "../_frames.ts";
import { withServer } from "../_local_server.ts";
import { buildHandler, listFiles } from "./_world.ts";

const POINT = { latitude: 55.5, longitude: 7.75 };
const PLACE = { ...POINT, from: 2023, to: 2023 };
const SPAN = { from: "2024-01-10", to: "2024-02-09" };
const RANGE = { from: "2023-11", to: "2024-02" };

type Call = (options: CallOptions) => Promise<unknown>;

/** Every operation that reads data. */
const calls: Readonly<Record<string, Call>> = {
  turbines,
  "turbineDetails of one": (options) => turbineDetails("T1", options),
  "turbineDetails of a list": (options) => turbineDetails(["T2", "T1"], options),
  "modelData of one": (options) => modelData("T1", { ...SPAN, ...options }),
  "modelData of a list": (options) => modelData(["T2", "T1"], { ...SPAN, ...options }),
  windIndices: (options) => windIndices("T1", options),
  "windIndices of a list": (options) => windIndices(["T2", "T1"], options),
  monthlyIndex: (options) => monthlyIndex("T1", "2024-01", options),
  monthlyIndices: (options) => monthlyIndices("T1", { ...RANGE, ...options }),
  "monthlyIndices of a list": (options) => monthlyIndices(["T2", "T1"], { ...RANGE, ...options }),
  datasets,
  coverage: (options) => coverage("era5", { ...POINT, numPoints: 2, ...options }),
  downloadClimate: (options) => downloadClimate("era5", { ...PLACE, ...options }),
  orderAndWait: (options) => orderAndWait("era5", { ...PLACE, firstPause: 1, ...options }),
  reportTurbines,
  reportMonths: (options) => reportMonths("T1", options),
  monthlyReport: (options) => monthlyReport("T1", "2024-01", options),
};

/** Calls whose stored body is used under `use`. */
const reused = ["modelData of one", "modelData of a list", "downloadClimate", "orderAndWait"];

const isFrame = (value: unknown): value is DataFrame => {
  return typeof (value as DataFrame).frameEqual === "function";
};

/** Checks that figures, types and origin are the same. */
function assertSame(copy: unknown, original: unknown): void {
  if (!isFrame(original)) return assertEquals(copy, original);
  assert(isFrame(copy));
  assertEquals(copy.columns, original.columns);
  assertEquals(typesOf(copy), typesOf(original));
  assert(copy.frameEqual(original, true));
  const { notes: _, ...now } = provenance(copy)[0];
  const { notes: __, ...then } = provenance(original)[0];
  assertEquals(now, then);
}

async function withSample(
  body: (service: ServiceUnderTest & { home: string }) => Promise<void>,
  options: { cache?: CacheMode; faults?: readonly Fault[] } = {},
): Promise<void> {
  const home = await Deno.makeTempDir();
  const { cache, faults } = options;
  const connection = { home, ...(cache ? { cache } : {}) };
  try {
    await withService(
      (service) => body({ ...service, home }),
      { folder: SHARED_SAMPLE, connection, ...(faults ? { faults } : {}) },
    );
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

describe("without a cache", () => {
  it("each call sends a request and stores nothing", async () => {
    await withSample(async ({ connection, home, requests }) => {
      for (const [name, call] of Object.entries(calls)) {
        if (name === "orderAndWait") continue; // it uses the ledger
        const before = requests.length;
        await call({ connection });
        const sent = requests.length - before;
        await call({ connection });
        assertEquals(requests.length - before, 2 * sent, name);
      }
      assertEquals(listFiles(home), []);
    });
  });
});

for (const [name, call] of Object.entries(calls)) {
  describe(`${name} with a cache`, () => {
    it("is stored under use, and read again offline: figures, types, origin, no request", async () => {
      await withSample(async ({ connection, requests }) => {
        const original = await call({ connection, cache: "use" });
        const before = requests.length;
        const offline = await call({ connection, cache: "only" });
        assertEquals(requests.length, before);
        assertSame(offline, original);
        if (isFrame(offline) && isFrame(original)) {
          assertEquals(provenance(offline)[0].notes, ["from the cache"]);
          assertEquals(provenance(original)[0].notes, undefined);
        }
      });
    });

    it(`is ${reused.includes(name) ? "reused" : "fetched again"} under use`, async () => {
      await withSample(async ({ connection, requests }) => {
        const original = await call({ connection });
        const before = requests.length;
        const bytes = requests.slice();
        const again = await call({ connection });
        const sent = requests.slice(before).map(({ operation }) => operation);
        if (!reused.includes(name)) {
          assertEquals(sent, bytes.map(({ operation }) => operation));
          if (isFrame(again)) assertEquals(provenance(again)[0].notes, undefined);
        } else if (!name.startsWith("modelData")) {
          assertEquals(sent, []);
          assertSame(again, original);
        } // two months are too short for a check: see model_data_checks_test.ts
      }, { cache: "use" });
    });

    it("is fetched again under refresh, and stored", async () => {
      await withSample(async ({ connection, requests }) => {
        await call({ connection, cache: "refresh" });
        const before = requests.length;
        const second = await call({ connection, cache: "refresh" });
        assert(requests.length > before);
        assertSame(await call({ connection, cache: "only" }), second);
      });
    });

    it("is a NotCachedError with a hint if nothing is stored", async () => {
      await withSample(async ({ connection, requests }) => {
        const error = await assertRejects(() => call({ connection }), NotCachedError);
        assertStringIncludes(error.message, "offline");
        assertStringIncludes(error.hint!, 'cache: "use"');
        assertEquals(requests.length, 0);
      }, { cache: "only" });
    });

    it("refuses another mode before anything is sent", async () => {
      await withSample(async ({ connection, requests }) => {
        const cache = "yes" as CacheMode;
        await assertRejects(() => call({ connection, cache }), ArgumentError, "use");
        assertEquals(requests.length, 0);
      });
    });
  });
}

describe("the cache of a connection", () => {
  it("is overridden by the mode of a call", async () => {
    await withSample(async ({ connection, requests }) => {
      await assertRejects(() => turbines({ connection }), NotCachedError);
      await turbines({ connection, cache: "refresh" });
      await turbines({ connection });
      assertEquals(requests.length, 1);
    }, { cache: "only" });
  });

  it("refuses another mode", () => {
    try {
      connect({ sample: true, cache: "always" as CacheMode });
      throw new Error("it was taken");
    } catch (error) {
      assert(error instanceof ArgumentError);
    }
  });

  it("separates answers to different parameters and of different services", async () => {
    await withSample(async ({ connection, home }) => {
      await modelData("T1", { ...SPAN, connection });
      const other = { ...SPAN, from: "2024-01-11" };
      const only = { connection, cache: "only" } as const;
      await assertRejects(() => modelData("T1", { ...other, ...only }), NotCachedError);
      await assertRejects(() => modelData("T2", { ...SPAN, ...only }), NotCachedError);
      const elsewhere = connect({ url: "http://127.0.0.1:9", home, cache: "only" });
      await assertRejects(
        () => modelData("T1", { ...SPAN, connection: elsewhere }),
        NotCachedError,
      );
    }, { cache: "use" });
  });

  it("contains no key and no file that others may read", async () => {
    await withSample(async ({ connection, home, key }) => {
      for (const call of Object.values(calls)) await call({ connection });
      for (const file of listFiles(home).filter((path) => path.startsWith("/cache/"))) {
        const text = new TextDecoder().decode(await Deno.readFile(home + file));
        assert(!text.includes(key.reveal()), file);
        assertEquals((await Deno.stat(home + file)).mode! & 0o777, 0o600, file);
      }
      for (const folder of ["", "/entries", "/bodies", "/frames"]) {
        assertEquals((await Deno.stat(`${home}/cache${folder}`)).mode! & 0o777, 0o700, folder);
      }
      assertEquals(listFiles(home).filter((path) => path.endsWith(".part")), []);
    }, { cache: "use" });
  });

  it("does not store a body that cannot be read", async () => {
    const page: Fault = { act: { kind: "body", body: "<html>Log in</html>", headers: {} } };
    const ragged: Fault = { act: { kind: "body", body: "year,month\n2024,1,7\n" } };
    await withSample(async ({ connection, home }) => {
      await assertRejects(() => windIndices("T1", { connection }), DataFormatError);
      await assertRejects(() => windIndices("T1", { connection }), DataFormatError);
      assertEquals(listFiles(home), []);
    }, { cache: "use", faults: [page, ragged] });
  });

  it("stores the body of the successful try, not of a truncated one", async () => {
    const cut: Fault = { act: { kind: "cut", framing: "length" } };
    await withSample(async ({ connection, home, requests }) => {
      const frame = await windIndices("T1", { connection });
      assertEquals(requests.length, 2);
      assert((await windIndices("T1", { connection, cache: "only" })).frameEqual(frame, true));
      const bodies = listFiles(home).filter((path) => path.startsWith("/cache/bodies/"));
      assertEquals(bodies.map((path) => path.split("/").at(-1)!), [...provenance(frame)[0].sha256]);
    }, { cache: "use", faults: [cut] });
  });
});

describe("F3 a body without a stated length", () => {
  const lengthless: Fault = {
    times: Infinity,
    act: { kind: "cut", framing: "close", at: 1 },
  };
  const none = ["orderAndWait"]; // see the tests of orders, which refuse its file
  for (const [name, call] of Object.entries(calls).filter(([name]) => !none.includes(name))) {
    it(`is never stored: ${name}`, async () => {
      await withSample(async ({ connection, home }) => {
        const value = await call({ connection });
        assertEquals(listFiles(home), []);
        await assertRejects(() => call({ connection, cache: "only" }), NotCachedError);
        if (isFrame(value)) {
          assertStringIncludes(
            (provenance(value)[0].notes ?? []).join("; "),
            "not stored in the cache",
          );
        }
      }, { cache: "use", faults: [lengthless] });
    });
  }
});

describe("climate files in the cache", () => {
  const HEADER = "Latitude: 55.5\nLongitude: 7.75\nOrography: 0\ntime\twSpeed.100\n";

  /** Year whose end was so many months ago. */
  const yearThatEnded = (months: number) => {
    const first = Temporal.Now.plainDateISO("UTC").subtract({ months }).with({ month: 1, day: 1 });
    return first.year - 1;
  };

  it("are fetched again if their last year ended less than four months before", async () => {
    const now = Temporal.Now.plainDateISO("UTC").year;
    await withServer(() => new Response(`${HEADER}2024-01-01T00:00:00Z\t5\n`), async (server) => {
      const { connection, seen } = server;
      const call = (to: number, cache?: CacheMode) =>
        downloadClimate("era5", {
          ...PLACE,
          from: to,
          to,
          fileType: "csv",
          connection,
          ...(cache ? { cache } : {}),
        });
      for (const to of [now, yearThatEnded(16)]) {
        await call(to);
        await call(to);
      }
      assertEquals(seen.length, 3, "that of this year twice, the settled one once");
      await call(now, "only");
      assertEquals(seen.length, 3);
    }, { cache: "use" });
  });

  it("are saved from the cache, byte by byte", async () => {
    await withSample(async ({ connection, requests, home }) => {
      const save = (path: string, cache: CacheMode) =>
        saveClimate("era5", `${home}/${path}`, { ...PLACE, connection, cache });
      await save("a.zip", "use");
      const before = requests.length;
      await save("b.zip", "only");
      assertEquals(requests.length, before);
      assertEquals(await Deno.readFile(`${home}/b.zip`), await Deno.readFile(`${home}/a.zip`));
    });
  });

  it("do not fail a call if they cannot be stored, and the frame notes it", async () => {
    await withSample(async ({ connection, home }) => {
      const first = await downloadClimate("era5", { ...PLACE, connection });
      const [body] = listFiles(home).filter((path) => path.startsWith("/cache/bodies/"));
      await Deno.remove(home + body);
      await Deno.mkdir(home + body); // a folder blocks the path
      const again = await downloadClimate("era5", { ...PLACE, connection });
      assert(again.frameEqual(first, true));
      assertStringIncludes(
        (provenance(again)[0].notes ?? []).join("; "),
        "not stored in the cache",
      );
    }, { cache: "refresh" });
  });
});

describe("a body in the cache", () => {
  it("is used by another connection to the same place", async () => {
    await withServer(buildHandler({ indices: { T1: { "2024-01": 101 } } }), async (server) => {
      const { connection, url, home, seen } = server;
      const frame = await windIndices("T1", { connection });
      const other = connect({ url, home, cache: "only" });
      assert((await windIndices("T1", { connection: other })).frameEqual(frame, true));
      assertEquals(seen.length, 1);
    }, { cache: "use" });
  });
});
